//! Values as text: `toString` and everything that uses it.

use super::pieces::Pieces;
use super::spec::{Answer, FuncSpec};
use crate::template::{Call, CallError, Param};
use crate::value::depth::bottomless_text;
use crate::value::{Data, Marks, Text, Value, print, quote, rune};

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[CAT, QUOTE, SQUOTE];

/// sprig's `strval`: strings and bytes as they are, all else as `%v` prints it.
pub(super) fn strval(call: &Call<'_>, value: &Value) -> Result<Text, CallError> {
    match &value.data {
        Data::Bytes(text) => Ok(text.clone()),
        _ => printed(call, value),
    }
}

/// A value as `%v` prints it: bytes as a list of numbers.
fn printed(call: &Call<'_>, value: &Value) -> Result<Text, CallError> {
    if let Data::Str(text) = &value.data {
        return Ok(text.clone());
    }
    let mut bytes = Vec::new();
    if print::push_value(&mut bytes, value, call.host.dialect()).bottomless {
        return Err(CallError::Own(bottomless_text()));
    }
    Ok(Text::from(bytes))
}

/// What is left of the arguments without nils.
fn present(call: &mut Call<'_>) -> Vec<Value> {
    call.args.drain(..).filter(|value| !value.is_nil()).collect()
}

const CAT: FuncSpec = FuncSpec::new("cat", &[Param::Any], |call| {
    let values = present(call);
    let mut out = Pieces::new();
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            out.literal(b" ");
        }
        out.text(&printed(call, value)?, value.marks);
    }
    Ok(out.finish(call))
})
.variadic();

const SQUOTE: FuncSpec = FuncSpec::new("squote", &[Param::Any], |call| {
    let values = present(call);
    let mut out = Pieces::new();
    for (at, value) in values.iter().enumerate() {
        out.literal(if at > 0 { b" '" } else { b"'" });
        out.text(&printed(call, value)?, value.marks);
        out.literal(b"'");
    }
    Ok(out.finish(call))
})
.variadic();

const QUOTE: FuncSpec = FuncSpec::new("quote", &[Param::Any], quoted).variadic();

/// Each value in double quotes as Go's `%q` writes its text. A lone text without history needs no pieces:
/// its marks are the result's.
fn quoted(call: &mut Call<'_>) -> Answer {
    let values = present(call);
    if let [value] = &values[..] {
        let text = strval(call, value)?;
        if text.spans().is_none() {
            return Ok(Value::from(Text::from(quote::quote(text.bytes()))).with_marks(value.marks));
        }
    }
    let mut out = Pieces::new();
    for (at, value) in values.iter().enumerate() {
        out.literal(if at > 0 { b" \"" } else { b"\"" });
        push_escaped(&mut out, &strval(call, value)?, value.marks);
        out.literal(b"\"");
    }
    Ok(out.finish(call))
}

fn push_escaped(out: &mut Pieces, text: &Text, marks: Marks) {
    let bytes = text.bytes();
    let mut done = 0;
    let mut at = 0;
    while at < bytes.len() {
        let (decoded, width) = rune::decode(&bytes[at..]);
        let plain = decoded.is_some_and(|rune| rune != '"' && rune != '\\' && rune::is_print(rune));
        if !plain {
            out.slice(text, marks, done, at);
            let escaped = quote::quote(&bytes[at..at + width]);
            out.instead(text, marks, at, &escaped[1..escaped.len() - 1]);
            done = at + width;
        }
        at += width;
    }
    out.slice(text, marks, done, bytes.len());
}
