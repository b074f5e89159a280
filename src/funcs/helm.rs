//! Helm's own functions that are no conversion: `include`, `tpl`, `required`, `fail`, `lookup`,
//! `getHostByName` (`pkg/engine/engine.go`).

use super::spec::FuncSpec;
use crate::template::{CallError, Effect, Param};
use crate::value::quote::quote_str;
use crate::value::{Data, Text, Value};
use memchr::memmem;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[FAIL, GET_HOST_BY_NAME, INCLUDE, LOOKUP, REQUIRED, TPL];

/// What Helm writes before and behind the message of `fail` and `required`, and looks for in the text of a
/// failed execution to show that message alone.
pub const MESSAGE_START: &str = "HELM_ERR_START";

/// See `MESSAGE_START`.
pub const MESSAGE_END: &str = "HELM_ERR_END";

/// What Go prints for a value that is not there; Helm removes it from rendered text.
pub const NO_VALUE: &[u8] = b"<no value>";

fn told(message: &Text) -> CallError {
    CallError::own(format!("{MESSAGE_START}{}{MESSAGE_END}", message.lossy()))
}

const FAIL: FuncSpec = FuncSpec::new("fail", &[Param::Str], |call| Err(told(call.text(0))));

/// Only nil and the empty string are missing: `0`, `false` and `[]` are given.
const REQUIRED: FuncSpec = FuncSpec::new("required", &[Param::Str, Param::Any], |call| {
    let missing = match &call.arg(1).data {
        Data::Invalid | Data::Nil => true,
        Data::Str(text) => text.is_empty(),
        _ => false,
    };
    if missing {
        Err(told(call.text(0)))
    } else {
        Ok(call.take(1))
    }
});

const INCLUDE: FuncSpec = FuncSpec::new("include", &[Param::Str, Param::Any], |call| {
    let data = call.take(1);
    let name = call.text(0).clone();
    call.host.execute(&name, data).map(Value::from)
});

const TPL: FuncSpec = FuncSpec::new("tpl", &[Param::Str, Param::Any], |call| {
    let data = call.take(1);
    let source = call.text(0).clone();
    let shown = || quote_str(source.bytes());
    match call.host.execute_text("gotpl", &source, data) {
        Ok(text) => Ok(Value::from(without_no_value(&text))),
        Err(CallError::Own(error)) => Err(CallError::Own(format!(
            "cannot parse template {}: {error}",
            shown()
        ))),
        Err(CallError::Template(chain)) => {
            let what = format!("error during tpl function execution for {}", shown());
            Err(CallError::Template(Box::new(chain.wrapped(&what))))
        }
    }
});

/// The text without any `<no value>`.
pub fn without_no_value(text: &Text) -> Text {
    let mut places = memmem::find_iter(text.bytes(), NO_VALUE).peekable();
    if places.peek().is_none() {
        return text.clone();
    }
    let mut builder = crate::value::TextBuilder::new();
    let mut done = 0;
    for place in places {
        builder.push_slice(text, done, place);
        done = place + NO_VALUE.len();
    }
    builder.push_slice(text, done, text.len());
    builder.finish()
}

const LOOKUP: FuncSpec = FuncSpec::new(
    "lookup",
    &[Param::Str, Param::Str, Param::Str, Param::Str],
    |call| {
        let part = |at: usize| call.text(at).lossy().into_owned();
        let (version, kind, namespace, name) = (part(0), part(1), part(2), part(3));
        let found = call.host.ambient().lookup(&version, &kind, &namespace, &name);
        call.host.note_ambient(Effect::Cluster);
        Ok(found)
    },
)
.effect(Effect::Cluster);

/// Without `--enable-dns` the answer is the empty string.
const GET_HOST_BY_NAME: FuncSpec = FuncSpec::new("getHostByName", &[Param::Str], |call| {
    let name = call.text(0).lossy().into_owned();
    let address = call.host.ambient().host_by_name(&name);
    call.host.note_ambient(Effect::Host);
    Ok(Value::str(address))
})
.effect(Effect::Host);
