//! `merge` and `mergeOverwrite`: mergo 1.0.1 on maps. Maps taken from a source are shared with it, not
//! copied, so that a later source writes into an earlier one; lists are shared, never merged.

use super::spec::{Answer, FuncSpec};
use crate::template::{Call, CallError, Param};
use crate::value::depth::MOST_LEVELS;
use crate::value::effort;
use crate::value::{Data, Map, ObjectKind, Value};

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[MERGE, MERGE_OVERWRITE];

const MERGE: FuncSpec = FuncSpec::new("merge", &[Param::Map, Param::Map], |call| merge_all(call, false))
    .variadic()
    .also(&["mustMerge"]);

const MERGE_OVERWRITE: FuncSpec = FuncSpec::new("mergeOverwrite", &[Param::Map, Param::Map], |call| {
    merge_all(call, true)
})
.variadic()
.also(&["mustMergeOverwrite"]);

/// The first map receives; a nil one is replaced by a new map.
fn merge_all(call: &mut Call<'_>, overwrite: bool) -> Answer {
    let mut target = call.map(0).clone();
    for at in 1..call.args.len() {
        let source = call.map(at).clone();
        if target.is_nil() && !source.is_nil() {
            target = Map::typed(target.kind());
        }
        merge_into(&target, &source, overwrite, 0)?;
    }
    let marks = call.arg(0).marks;
    Ok(Value::from(target).with_marks(marks))
}

fn merge_into(target: &Map, source: &Map, overwrite: bool, level: usize) -> Result<(), CallError> {
    if level > MOST_LEVELS || !effort::spend(1 + source.len() as u64) {
        return Err(CallError::own(format!(
            "maps are nested more than {MOST_LEVELS} deep"
        )));
    }
    if target.is_nil() {
        return Ok(());
    }
    for (key, value) in source.snapshot() {
        if value.is_nil() {
            if overwrite {
                target.set(key, value);
            }
            continue;
        }
        let known = target.get(key.bytes());
        if let Some(known) = &known {
            merge_values(known, &value, overwrite, level)?;
        }
        let replaced = match &known {
            None => true,
            Some(known) if is_empty(known) => true,
            Some(known) => overwrite && !(is_map(known) && is_map(&value)),
        };
        if replaced {
            target.set(key, value);
        }
    }
    Ok(())
}

/// What mergo does to a value that is there already, before it decides whether to replace it.
fn merge_values(known: &Value, value: &Value, overwrite: bool, level: usize) -> Result<(), CallError> {
    match (&known.data, &value.data) {
        (Data::Map(target), Data::Map(source)) => merge_into(target, source, overwrite, level + 1),
        // Structs with exported fields are walked field by field, whatever stands on the other side.
        (Data::Object(object), _) if object.kind() == ObjectKind::Struct && !object.fields().is_empty() => {
            match &value.data {
                Data::Map(_) => Err(CallError::own(
                    "reflect: call of reflect.Value.Field on map Value",
                )),
                Data::Object(other) if other.kind() == ObjectKind::Pointer => Err(CallError::own(
                    "reflect: call of reflect.Value.Field on ptr Value",
                )),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn is_map(value: &Value) -> bool {
    match &value.data {
        Data::Map(_) => true,
        Data::Object(object) => object.kind() == ObjectKind::Map,
        _ => false,
    }
}

/// mergo's `isEmptyValue`, which knows no complex numbers.
fn is_empty(value: &Value) -> bool {
    !matches!(value.data, Data::Complex(_)) && super::defaults::is_empty(value)
}
