//! Lists (`sprig/list.go`). All of them copy; every element keeps its marks.
//!
//! The `must` twins are the same functions: Go reports a panic of the plain ones like an error.

use super::convert::to_int64;
use super::defaults::is_empty;
use super::limits::check_items;
use super::spec::{Answer, FuncSpec};
use crate::template::{Call, CallError, Param};
use crate::value::cmp::deep_equal;
use crate::value::types::kind_name;
use crate::value::{Data, ElemType, List, ObjectKind, UintKind, Value};
use std::borrow::Cow;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[
    APPEND, CHUNK, COMPACT, CONCAT, FIRST, HAS, INITIAL, LAST, LIST, PREPEND, REST, REVERSE, SLICE, UNIQ,
    WITHOUT,
];

/// The text of Go's panic over a nil interface.
const NIL_POINTER: &str = "runtime error: invalid memory address or nil pointer dereference";

/// What a template puts into a list or map: nil in a slot instead of no value at all.
pub(super) fn slot(value: Value) -> Value {
    match value.data {
        Data::Invalid => Value::NIL.with_marks(value.marks),
        _ => value,
    }
}

/// The elements of anything of kind slice.
pub(super) fn elements(value: &Value) -> Option<Cow<'_, [Value]>> {
    match &value.data {
        Data::List(list) => Some(Cow::Borrowed(list.items())),
        Data::Bytes(text) => Some(Cow::Owned(
            text.bytes()
                .iter()
                .map(|&byte| Value::new(Data::Uint(UintKind::Uint8, byte.into())))
                .collect(),
        )),
        Data::Object(object) if object.kind() == ObjectKind::Slice => Some(Cow::Owned(
            object.fields().into_iter().map(|field| field.1).collect(),
        )),
        _ => None,
    }
}

/// The elements of the list argument at `at`, or sprig's complaint about its kind.
fn listed(call: &Call<'_>, at: usize, complaint: &str) -> Result<Vec<Value>, CallError> {
    let value = call.arg(at);
    if value.is_nil() {
        return Err(CallError::own(NIL_POINTER));
    }
    elements(value)
        .map(Cow::into_owned)
        .ok_or_else(|| CallError::own(format!("{complaint} {}", kind_name(value))))
}

fn answer(items: Vec<Value>) -> Answer {
    Ok(Value::from(List::new(items)))
}

fn nil_list() -> Answer {
    Ok(Value::from(List::nil(ElemType::Any)))
}

const LIST: FuncSpec = FuncSpec::new("list", &[Param::Any], |call| {
    answer(call.args.drain(..).map(slot).collect())
})
.variadic()
.also(&["tuple"]);

const APPEND: FuncSpec = FuncSpec::new("append", &[Param::Any, Param::Any], |call| {
    let mut items = listed(call, 0, "Cannot push on type")?;
    items.push(slot(call.take(1)));
    answer(items)
})
.also(&["push", "mustAppend", "mustPush"]);

const PREPEND: FuncSpec = FuncSpec::new("prepend", &[Param::Any, Param::Any], |call| {
    let mut items = listed(call, 0, "Cannot prepend on type")?;
    items.insert(0, slot(call.take(1)));
    answer(items)
})
.also(&["mustPrepend"]);

const FIRST: FuncSpec = FuncSpec::new("first", &[Param::Any], |call| {
    let items = listed(call, 0, "Cannot find first on type")?;
    Ok(items.into_iter().next().unwrap_or(Value::INVALID))
})
.also(&["mustFirst"]);

const LAST: FuncSpec = FuncSpec::new("last", &[Param::Any], |call| {
    let items = listed(call, 0, "Cannot find last on type")?;
    Ok(items.into_iter().next_back().unwrap_or(Value::INVALID))
})
.also(&["mustLast"]);

const REST: FuncSpec = FuncSpec::new("rest", &[Param::Any], |call| {
    let mut items = listed(call, 0, "Cannot find rest on type")?;
    if items.is_empty() {
        return nil_list();
    }
    items.remove(0);
    answer(items)
})
.also(&["mustRest"]);

const INITIAL: FuncSpec = FuncSpec::new("initial", &[Param::Any], |call| {
    let mut items = listed(call, 0, "Cannot find initial on type")?;
    if items.pop().is_none() {
        return nil_list();
    }
    answer(items)
})
.also(&["mustInitial"]);

const REVERSE: FuncSpec = FuncSpec::new("reverse", &[Param::Any], |call| {
    let mut items = listed(call, 0, "Cannot find reverse on type")?;
    items.reverse();
    answer(items)
})
.also(&["mustReverse"]);

const COMPACT: FuncSpec = FuncSpec::new("compact", &[Param::Any], |call| {
    let mut items = listed(call, 0, "Cannot compact on type")?;
    items.retain(|item| !is_empty(item));
    answer(items)
})
.also(&["mustCompact"]);

const UNIQ: FuncSpec = FuncSpec::new("uniq", &[Param::Any], |call| {
    let items = listed(call, 0, "Cannot find uniq on type")?;
    let mut kept: Vec<Value> = Vec::new();
    for item in items {
        if !kept.iter().any(|known| deep_equal(&item, known)) {
            kept.push(item);
        }
    }
    answer(kept)
})
.also(&["mustUniq"]);

const WITHOUT: FuncSpec = FuncSpec::new("without", &[Param::Any, Param::Any], |call| {
    let mut items = listed(call, 0, "Cannot find without on type")?;
    items.retain(|item| !call.args[1..].iter().any(|out| deep_equal(item, out)));
    answer(items)
})
.variadic()
.also(&["mustWithout"]);

const HAS: FuncSpec = FuncSpec::new("has", &[Param::Any, Param::Any], |call| {
    call.host.note_order_free();
    if call.arg(1).is_nil() {
        return Ok(Value::from(false));
    }
    let items = listed(call, 1, "Cannot find has on type")?;
    Ok(Value::from(
        items.iter().any(|item| deep_equal(call.arg(0), item)),
    ))
})
.also(&["mustHas"]);

const SLICE: FuncSpec = FuncSpec::new("slice", &[Param::Any, Param::Any], slice)
    .variadic()
    .also(&["mustSlice"]);

/// `slice list [start [end]]`; an empty list gives nil whatever the bounds. The element type stays.
fn slice(call: &mut Call<'_>) -> Answer {
    let mut items = listed(call, 0, "list should be type of slice or array but")?;
    if items.is_empty() {
        return Ok(Value::INVALID);
    }
    let bound = |at: usize, otherwise: usize| match call.args.get(at) {
        Some(index) => usize::try_from(to_int64(index)).ok(),
        None => Some(otherwise),
    };
    let (start, end) = (bound(1, 0), bound(2, items.len()));
    let (Some(start), Some(end)) = (start, end) else {
        return Err(out_of_bounds());
    };
    if start > end || end > items.len() {
        return Err(out_of_bounds());
    }
    items.truncate(end);
    let part: Vec<Value> = items.drain(start..).collect();
    Ok(match &call.arg(0).data {
        Data::List(list) => Value::from(List::typed(list.elem(), part)),
        Data::Bytes(text) => Value::new(Data::Bytes(text.slice(start, end))),
        _ => Value::from(List::typed(ElemType::Str, part)),
    })
}

fn out_of_bounds() -> CallError {
    CallError::own("reflect.Value.Slice: slice index out of bounds")
}

const CONCAT: FuncSpec = FuncSpec::new("concat", &[Param::Any], |call| {
    let mut all = Vec::new();
    for at in 0..call.args.len() {
        let value = call.arg(at);
        if value.is_nil() {
            return Err(CallError::own(NIL_POINTER));
        }
        let items = elements(value)
            .ok_or_else(|| CallError::own(format!("Cannot concat type {} as list", kind_name(value))))?;
        check_items(call, (all.len() + items.len()) as u64)?;
        all.extend_from_slice(&items);
    }
    if all.is_empty() {
        return nil_list();
    }
    answer(all)
})
.variadic();

const CHUNK: FuncSpec = FuncSpec::new("chunk", &[Param::Int, Param::Any], chunk).also(&["mustChunk"]);

/// sprig computes the number of chunks in floating point, which gives sizes below 1 a meaning of their own.
fn chunk(call: &mut Call<'_>) -> Answer {
    let size = call.int(0);
    let items = listed(call, 1, "Cannot chunk type")?;
    let chunks = match usize::try_from(size) {
        Ok(size) if size > 0 => items.chunks(size).map(<[Value]>::to_vec).collect(),
        _ => chunks_below_one(size, items)?,
    };
    let lists: Vec<Value> = chunks
        .into_iter()
        .map(|part| Value::from(List::new(part)))
        .collect();
    Ok(Value::from(List::typed(ElemType::ListOfAny, lists)))
}

/// One chunk for one element, none for a list shorter than the size below zero is, and else a length that
/// no slice can have.
fn chunks_below_one(size: i64, items: Vec<Value>) -> Result<Vec<Vec<Value>>, CallError> {
    let most = usize::try_from(size.unsigned_abs()).unwrap_or(usize::MAX);
    match items.len() {
        1 if most > 1 => Ok(vec![items]),
        2.. if items.len() - 1 <= most => Ok(Vec::new()),
        _ => Err(CallError::own("runtime error: makeslice: len out of range")),
    }
}
