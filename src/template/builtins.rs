//! The functions of text/template itself (`text/template/funcs.go`). `and`, `or` and `call` are rows only for
//! their names: the executor treats them apart, as Go does.

use super::escape;
use super::func::{Call, CallError, Effect, Func, Param};
use crate::value::cmp;
use crate::value::depth::bottomless_text;
use crate::value::print::{Printed, sprint, sprintf, sprintln, to_printable};
use crate::value::truth::is_true;
use crate::value::types::type_name;
use crate::value::{Data, List, MapType, Marks, ObjectKind, Span, Text, TextBuilder, UintKind, Value};

/// The rows.
pub(super) static ROWS: &[Func] = &[
    row("and", &[Param::Reflect, Param::Reflect], true, special),
    row("call", &[Param::Reflect, Param::Reflect], true, special),
    row("eq", &[Param::Reflect, Param::Reflect], true, eq),
    row("ge", &[Param::Reflect, Param::Reflect], false, ge),
    row("gt", &[Param::Reflect, Param::Reflect], false, gt),
    row("html", &[Param::Any], true, |call| escaped(call, escape::html)),
    row("index", &[Param::Reflect, Param::Reflect], true, index),
    row("js", &[Param::Any], true, |call| escaped(call, escape::js)),
    row("le", &[Param::Reflect, Param::Reflect], false, le),
    row("len", &[Param::Reflect], false, len),
    row("lt", &[Param::Reflect, Param::Reflect], false, lt),
    row("ne", &[Param::Reflect, Param::Reflect], false, ne),
    row("not", &[Param::Reflect], false, not),
    row("or", &[Param::Reflect, Param::Reflect], true, special),
    row("print", &[Param::Any], true, print),
    row("printf", &[Param::Str, Param::Any], true, printf),
    row("println", &[Param::Any], true, println),
    row("slice", &[Param::Reflect, Param::Reflect], true, slice),
    row("urlquery", &[Param::Any], true, |call| {
        escaped(call, escape::url_query)
    }),
];

type Answer = Result<Value, CallError>;

const fn row(
    name: &'static str,
    params: &'static [Param],
    variadic: bool,
    body: fn(&mut Call<'_>) -> Answer,
) -> Func {
    Func {
        name,
        params,
        variadic,
        effect: Effect::Pure,
        body,
    }
}

fn special(call: &mut Call<'_>) -> Answer {
    Err(CallError::Own(format!(
        "{}: called as a plain function",
        call.name
    )))
}

fn not(call: &mut Call<'_>) -> Answer {
    Ok(Value::from(!is_true(call.arg(0))))
}

fn eq(call: &mut Call<'_>) -> Answer {
    if call.args.len() < 2 {
        return Err("missing argument for comparison".into());
    }
    for at in 1..call.args.len() {
        if cmp::equal(call.arg(0), call.arg(at), call.host.dialect())? {
            return Ok(Value::from(true));
        }
    }
    Ok(Value::from(false))
}

fn ne(call: &mut Call<'_>) -> Answer {
    let equal = cmp::equal(call.arg(0), call.arg(1), call.host.dialect())?;
    Ok(Value::from(!equal))
}

fn lt(call: &mut Call<'_>) -> Answer {
    let less = cmp::less(call.arg(0), call.arg(1), call.host.dialect())?;
    Ok(Value::from(less))
}

fn le(call: &mut Call<'_>) -> Answer {
    let less = cmp::less_or_equal(call.arg(0), call.arg(1), call.host.dialect())?;
    Ok(Value::from(less))
}

fn gt(call: &mut Call<'_>) -> Answer {
    let less = cmp::less_or_equal(call.arg(0), call.arg(1), call.host.dialect())?;
    Ok(Value::from(!less))
}

fn ge(call: &mut Call<'_>) -> Answer {
    let less = cmp::less(call.arg(0), call.arg(1), call.host.dialect())?;
    Ok(Value::from(!less))
}

fn len(call: &mut Call<'_>) -> Answer {
    call.host.note_order_free();
    let item = call.arg(0);
    let length = match &item.data {
        // A Go panic that reaches the user.
        Data::Invalid => return Err("reflect: call of reflect.Value.Type on zero Value".into()),
        Data::Nil => return Err("len of nil pointer".into()),
        Data::Str(text) | Data::Bytes(text) => Some(text.len()),
        Data::List(list) => Some(list.items().len()),
        Data::Map(map) => Some(map.len()),
        Data::Object(object) => object.count(),
        _ => None,
    };
    match length {
        Some(length) => Ok(int(length)),
        None => Err(CallError::Own(format!(
            "len of type {}",
            pointed_type(call, item)
        ))),
    }
}

fn int(number: usize) -> Value {
    Value::int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The type of a value, without the pointers that Go looks through.
fn pointed_type(call: &Call<'_>, item: &Value) -> String {
    let name = type_name(item, call.host.dialect());
    name.trim_start_matches('*').to_owned()
}

fn index(call: &mut Call<'_>) -> Answer {
    if call.arg(0).is_nil() {
        return Err("index of untyped nil".into());
    }
    let mut item = call.take(0);
    for at in 1..call.args.len() {
        let key = call.take(at);
        let next = index_once(call, &item, &key)?;
        let marks = match next {
            Some(_) => Marks::NONE,
            None => call.host.marks().ambient_part(item.marks),
        };
        let mut next = next.unwrap_or_else(|| zero_of(&item).with_marks(marks));
        next.marks = call.host.marks().inherited(item.marks, next.marks);
        item = next;
    }
    Ok(item)
}

/// The zero of the element type of a map.
fn zero_of(map: &Value) -> Value {
    match &map.data {
        Data::Map(map) if map.kind() == MapType::Str => Value::from(""),
        _ => Value::NIL,
    }
}

/// One step: the element, or `None` for a key that a map lacks.
fn index_once(call: &mut Call<'_>, item: &Value, key: &Value) -> Result<Option<Value>, CallError> {
    match &item.data {
        Data::Invalid | Data::Nil => Err("index of nil pointer".into()),
        Data::Str(text) | Data::Bytes(text) => {
            let at = index_arg(call, key, text.len())?;
            let what = if matches!(item.data, Data::Str(_)) {
                "string"
            } else {
                "slice"
            };
            let byte = text.bytes().get(at).ok_or_else(|| behind(what))?;
            Ok(Some(Value::new(Data::Uint(UintKind::Uint8, u64::from(*byte)))))
        }
        Data::List(list) => {
            let at = index_arg(call, key, list.items().len())?;
            let found = list.items().get(at).cloned().ok_or_else(|| behind("slice"))?;
            Ok(Some(found))
        }
        Data::Map(map) => {
            let name = key_arg(call, key)?;
            let found = map.get(name.bytes());
            if found.is_none() {
                call.host.note_missing(item, &name);
            }
            Ok(found)
        }
        Data::Object(object) => match object.kind() {
            ObjectKind::Map => Ok(object.field(&key_arg(call, key)?.lossy())),
            ObjectKind::Slice => {
                let mut items = object.fields();
                let at = index_arg(call, key, items.len())?;
                if at == items.len() {
                    return Err(behind("slice"));
                }
                Ok(Some(items.swap_remove(at).1))
            }
            _ => Err(cannot("index", call, item)),
        },
        _ => Err(cannot("index", call, item)),
    }
}

fn cannot(what: &str, call: &Call<'_>, item: &Value) -> CallError {
    CallError::Own(format!("can't {what} item of type {}", pointed_type(call, item)))
}

/// Go lets the index that equals the length through, and panics there.
fn behind(what: &str) -> CallError {
    CallError::Own(format!("reflect: {what} index out of range"))
}

fn key_arg(call: &Call<'_>, key: &Value) -> Result<Text, CallError> {
    match &key.data {
        Data::Str(text) => Ok(text.clone()),
        Data::Invalid | Data::Nil => Err("value is nil; should be of type string".into()),
        _ => {
            let kind = type_name(key, call.host.dialect());
            Err(CallError::Own(format!("value has type {kind}; should be string")))
        }
    }
}

fn index_arg(call: &Call<'_>, key: &Value, length: usize) -> Result<usize, CallError> {
    let number = match &key.data {
        Data::Int(_, number) | Data::Duration(number) => *number,
        Data::Uint(_, number) => *number as i64,
        Data::Invalid | Data::Nil => return Err("cannot index slice/array with nil".into()),
        _ => {
            let kind = type_name(key, call.host.dialect());
            return Err(CallError::Own(format!(
                "cannot index slice/array with type {kind}"
            )));
        }
    };
    usize::try_from(number)
        .ok()
        .filter(|&at| at <= length)
        .ok_or_else(|| CallError::Own(format!("index out of range: {number}")))
}

fn slice(call: &mut Call<'_>) -> Answer {
    let item = call.arg(0).clone();
    let length = match &item.data {
        Data::Invalid | Data::Nil => return Err("slice of untyped nil".into()),
        Data::Str(text) | Data::Bytes(text) => text.len(),
        Data::List(list) => list.items().len(),
        _ => return Err(cannot("slice", call, &item)),
    };
    let count = call.args.len() - 1;
    if count > 3 {
        return Err(CallError::Own(format!("too many slice indexes: {count}")));
    }
    if count == 3 && matches!(item.data, Data::Str(_)) {
        return Err("cannot 3-index slice a string".into());
    }
    let mut ends = [0, length, length];
    for (end, arg) in ends.iter_mut().zip(&call.args[1..]) {
        *end = index_arg(call, arg, length)?;
    }
    let [start, end, most] = ends;
    for (low, high) in [(start, end), (end, most)] {
        if low > high {
            return Err(CallError::Own(format!("invalid slice index: {low} > {high}")));
        }
    }
    let data = match &item.data {
        Data::Str(text) => Data::Str(text.slice(start, end)),
        Data::Bytes(text) => Data::Bytes(text.slice(start, end)),
        Data::List(list) => Data::List(List::typed(list.elem(), &list.items()[start..end])),
        _ => item.data.clone(),
    };
    Ok(Value::new(data))
}

fn print(call: &mut Call<'_>) -> Answer {
    let (dialect, tracing) = (call.host.dialect(), call.host.tracing());
    let printed = sprint(call.args, dialect, tracing);
    assemble(call, printed, 0)
}

fn println(call: &mut Call<'_>) -> Answer {
    let (dialect, tracing) = (call.host.dialect(), call.host.tracing());
    let printed = sprintln(call.args, dialect, tracing);
    assemble(call, printed, 0)
}

fn printf(call: &mut Call<'_>) -> Answer {
    let (dialect, tracing) = (call.host.dialect(), call.host.tracing());
    let format = call.text(0).clone();
    let printed = sprintf(format.bytes(), &call.args[1..], dialect, tracing);
    assemble(call, printed, 1)
}

/// The text of a printing, with the history of its pieces: a string that was written as it is keeps its own,
/// everything else is marked with all that the argument holds.
fn assemble(call: &mut Call<'_>, printed: Printed, first: usize) -> Answer {
    if printed.notes.bottomless {
        return Err(CallError::Own(bottomless_text()));
    }
    if printed.notes.address {
        call.host.note_ambient(Effect::Host);
    }
    let bytes = printed.bytes;
    let mut builder = TextBuilder::new();
    let mut done = 0;
    for piece in printed.pieces {
        builder.push_bytes(&bytes[done..piece.start]);
        done = piece.end;
        let arg = call.arg(first + piece.arg).clone();
        let written = &bytes[piece.start..piece.end];
        match &arg.data {
            Data::Str(text) if text.spans().is_some() && text.bytes() == written => {
                builder.push_text(text);
            }
            _ => {
                let marks = call.host.deep_marks(&arg);
                if marks.is_none() {
                    builder.push_bytes(written);
                } else {
                    builder.push_marked(written, work_of_function(marks));
                }
            }
        }
    }
    builder.push_bytes(&bytes[done..]);
    Ok(Value::from(builder.finish()))
}

/// A span for bytes that a function put together.
fn work_of_function(marks: Marks) -> Span {
    Span {
        end: 0,
        frame: 0,
        node: 0,
        marks,
        control: Marks::NONE,
    }
}

/// `html`, `js` and `urlquery`: the arguments as `{{ }}` prints them, escaped.
fn escaped(call: &mut Call<'_>, escape: fn(&[u8]) -> Vec<u8>) -> Answer {
    let dialect = call.host.dialect();
    let text = match call.args.as_slice() {
        [
            Value {
                data: Data::Str(text),
                ..
            },
        ] => escape(text.bytes()),
        args => {
            let shown: Vec<Value> = args.iter().map(|arg| to_printable(arg, dialect)).collect();
            let printed = sprint(&shown, dialect, false);
            if printed.notes.bottomless {
                return Err(CallError::Own(bottomless_text()));
            }
            escape(&printed.bytes)
        }
    };
    Ok(Value::from(Text::new(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted() {
        assert!(ROWS.is_sorted_by(|a, b| a.name < b.name));
    }
}
