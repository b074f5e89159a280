//! From one text to many and back: `split`, `splitList`, `join`, `sortAlpha`.

use super::limits::{check_bytes, check_items};
use super::lists::elements;
use super::pieces::{Pieces, piece};
use super::runes;
use super::show::strval;
use super::spec::{Answer, FuncSpec};
use crate::template::{Call, CallError, Param};
use crate::value::{Data, ElemType, List, Map, MapType, Text, Value};
use memchr::memmem;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[JOIN, SORT_ALPHA, SPLIT, SPLIT_LIST, SPLITN, TO_STRINGS];

const SPLIT: FuncSpec = FuncSpec::new("split", &[Param::Str, Param::Str], |call| {
    Ok(numbered(split(call, call.text(1), call.text(0), -1)?))
});

const SPLITN: FuncSpec = FuncSpec::new("splitn", &[Param::Str, Param::Int, Param::Str], |call| {
    Ok(numbered(split(call, call.text(2), call.text(0), call.int(1))?))
});

const SPLIT_LIST: FuncSpec = FuncSpec::new("splitList", &[Param::Str, Param::Str], |call| {
    let parts: Vec<Value> = split(call, call.text(1), call.text(0), -1)?
        .into_iter()
        .map(Value::from)
        .collect();
    Ok(Value::from(List::typed(ElemType::Str, parts)))
});

/// A `map[string]string` with the keys `_0`, `_1`, ...
fn numbered(parts: Vec<Text>) -> Value {
    let entries = parts
        .into_iter()
        .enumerate()
        .map(|(at, part)| (Text::from(format!("_{at}")), Value::from(part)));
    Value::from(Map::from_entries(MapType::Str, entries))
}

/// `strings.SplitN`: at most `most` parts, no limit below 0; an empty separator splits into runes.
fn split(call: &Call<'_>, text: &Text, separator: &Text, most: i64) -> Result<Vec<Text>, CallError> {
    let most = match most {
        0 => return Ok(Vec::new()),
        ..0 => usize::MAX,
        _ => usize::try_from(most).unwrap_or(usize::MAX),
    };
    let mut parts = Vec::new();
    let mut done = 0;
    if separator.is_empty() {
        for (start, _, width) in runes::runes(text.bytes()) {
            if parts.len() + 1 == most {
                break;
            }
            check_items(call, parts.len() as u64)?;
            parts.push(text.slice(start, start + width));
            done = start + width;
        }
        if done < text.len() {
            parts.push(text.slice(done, text.len()));
        }
        return Ok(parts);
    }
    for at in memmem::find_iter(text.bytes(), separator.bytes()) {
        if parts.len() + 1 == most {
            break;
        }
        check_items(call, parts.len() as u64)?;
        parts.push(text.slice(done, at));
        done = at + separator.len();
    }
    parts.push(text.slice(done, text.len()));
    Ok(parts)
}

const JOIN: FuncSpec = FuncSpec::new("join", &[Param::Str, Param::Any], join);

fn join(call: &mut Call<'_>) -> Answer {
    let (separator, separator_marks) = piece(call, 0);
    let items = strings(call, call.arg(1))?;
    check_bytes(call, items.len(), separator.len())?;
    let mut out = Pieces::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.text(&separator, separator_marks);
        }
        if let Data::Str(text) = &item.data {
            out.text(text, item.marks);
        }
    }
    Ok(out.finish(call))
}

const TO_STRINGS: FuncSpec = FuncSpec::new("toStrings", &[Param::Any], |call| {
    if let Data::List(list) = &call.arg(0).data
        && list.elem() == ElemType::Str
    {
        return Ok(call.take(0));
    }
    Ok(Value::from(List::typed(
        ElemType::Str,
        strings(call, call.arg(0))?,
    )))
});

/// sprig's `strslice`: the elements that are not nil as strings, a scalar as the only one.
pub(super) fn strings(call: &Call<'_>, value: &Value) -> Result<Vec<Value>, CallError> {
    let string = |item: &Value| match &item.data {
        Data::Str(_) => Ok(item.clone()),
        _ => Ok(Value::from(strval(call, item)?).with_marks(item.marks)),
    };
    match elements(value) {
        Some(items) => items.iter().filter(|item| !item.is_nil()).map(string).collect(),
        None if value.is_nil() => Ok(Vec::new()),
        None => Ok(vec![string(value)?]),
    }
}

const SORT_ALPHA: FuncSpec = FuncSpec::new("sortAlpha", &[Param::Any], sort_alpha);

/// A `[]string` is sorted in place, as in Go: every variable that holds it sees the new order.
fn sort_alpha(call: &mut Call<'_>) -> Answer {
    call.host.note_order_free();
    if let Data::List(list) = &call.arg(0).data
        && list.elem() == ElemType::Str
    {
        list.sort_in_place(by_text);
        return Ok(Value::from(list.clone()));
    }
    let value = call.arg(0);
    let mut items = match elements(value) {
        Some(_) => strings(call, value)?,
        None => vec![Value::from(strval(call, value)?).with_marks(value.marks)],
    };
    items.sort_by(by_text);
    Ok(Value::from(List::typed(ElemType::Str, items)))
}

fn by_text(a: &Value, b: &Value) -> std::cmp::Ordering {
    match (&a.data, &b.data) {
        (Data::Str(a), Data::Str(b)) => a.cmp(b),
        _ => std::cmp::Ordering::Equal,
    }
}
