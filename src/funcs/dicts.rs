//! Maps (`sprig/dict.go`). `set` and `unset` change the map itself, for every alias; values keep their
//! marks. `keys` and `values` come in Go's random order there; here they are sorted and marked.

use super::lists::slot;
use super::show::strval;
use super::spec::{Answer, FuncSpec};
use crate::template::{Call, CallError, Effect, Param};
use crate::value::depth::MOST_LEVELS;
use crate::value::effort;
use crate::value::types::type_name;
use crate::value::{Data, ElemType, List, Map, MapType, Text, Value};

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[
    DEEP_COPY, DICT, DIG, GET, HAS_KEY, KEYS, OMIT, PICK, PLUCK, SET, UNSET, VALUES,
];

const DICT: FuncSpec = FuncSpec::new("dict", &[Param::Any], |call| {
    let map = Map::new();
    let mut at = 0;
    while at < call.args.len() {
        let key = strval(call, call.arg(at))?;
        let value = if at + 1 < call.args.len() {
            slot(call.take(at + 1))
        } else {
            Value::from("")
        };
        map.set(key, value);
        at += 2;
    }
    Ok(Value::from(map))
})
.variadic();

const GET: FuncSpec = FuncSpec::new("get", &[Param::Map, Param::Str], |call| {
    Ok(call
        .map(0)
        .get(call.text(1).bytes())
        .unwrap_or_else(|| Value::from("")))
});

const HAS_KEY: FuncSpec = FuncSpec::new("hasKey", &[Param::Map, Param::Str], |call| {
    Ok(Value::from(call.map(0).has(call.text(1).bytes())))
});

const SET: FuncSpec = FuncSpec::new("set", &[Param::Map, Param::Str, Param::Any], |call| {
    let value = slot(call.take(2));
    if call.map(0).is_nil() {
        return Err(CallError::own("assignment to entry in nil map"));
    }
    call.map(0).set(call.text(1).clone(), value);
    Ok(call.take(0))
});

const UNSET: FuncSpec = FuncSpec::new("unset", &[Param::Map, Param::Str], |call| {
    call.map(0).remove(call.text(1).bytes());
    Ok(call.take(0))
});

const PLUCK: FuncSpec = FuncSpec::new("pluck", &[Param::Str, Param::Map], |call| {
    let key = call.text(0).bytes();
    let found: Vec<Value> = (1..call.args.len())
        .filter_map(|at| call.map(at).get(key))
        .collect();
    Ok(Value::from(List::new(found)))
})
.variadic();

const KEYS: FuncSpec = FuncSpec::new("keys", &[Param::Map], |call| {
    let mut keys: Vec<Value> = Vec::new();
    for at in 0..call.args.len() {
        keys.extend(
            call.map(at)
                .entries()
                .iter()
                .map(|entry| Value::from(entry.0.clone())),
        );
        note_order(call, at);
    }
    Ok(Value::from(List::typed(ElemType::Str, keys)))
})
.variadic()
.effect(Effect::MapOrder);

const VALUES: FuncSpec = FuncSpec::new("values", &[Param::Map], |call| {
    let values: Vec<Value> = call
        .map(0)
        .entries()
        .iter()
        .map(|entry| entry.1.clone())
        .collect();
    note_order(call, 0);
    Ok(Value::from(List::new(values)))
})
.effect(Effect::MapOrder);

/// One key has but one order.
fn note_order(call: &mut Call<'_>, at: usize) {
    if call.map(at).len() > 1 {
        call.host.note_ambient(Effect::MapOrder);
    }
}

/// The texts of the arguments behind the first.
fn named(call: &Call<'_>) -> Vec<Text> {
    (1..call.args.len()).map(|at| call.text(at).clone()).collect()
}

const PICK: FuncSpec = FuncSpec::new("pick", &[Param::Map, Param::Str], |call| {
    let picked = named(call).into_iter().filter_map(|key| {
        let value = call.map(0).get(key.bytes())?;
        Some((key, value))
    });
    Ok(Value::from(Map::from_entries(MapType::Any, picked)))
})
.variadic();

const OMIT: FuncSpec = FuncSpec::new("omit", &[Param::Map, Param::Str], |call| {
    let omitted = named(call);
    let mut kept = call.map(0).snapshot();
    kept.retain(|entry| !omitted.contains(&entry.0));
    Ok(Value::from(Map::from_sorted(MapType::Any, kept)))
})
.variadic();

const DEEP_COPY: FuncSpec = FuncSpec::new("deepCopy", &[Param::Any], |call| {
    if call.arg(0).is_nil() {
        return Err(CallError::own(
            "reflect: call of reflect.Value.Type on zero Value",
        ));
    }
    deep_copy(call.arg(0), 0)
})
.also(&["mustDeepCopy"]);

/// Copies maps and lists all the way down; types and marks stay.
fn deep_copy(value: &Value, level: usize) -> Answer {
    if level > MOST_LEVELS || !effort::spend(1) {
        return Err(CallError::own(format!(
            "maps and lists are nested more than {MOST_LEVELS} deep"
        )));
    }
    let data = match &value.data {
        Data::Map(map) if !map.is_nil() => {
            let mut entries = map.snapshot();
            for entry in &mut entries {
                entry.1 = deep_copy(&entry.1, level + 1)?;
            }
            Data::Map(Map::from_sorted(map.kind(), entries))
        }
        Data::List(list) if !list.is_nil() => {
            let items: Result<Vec<Value>, CallError> = list
                .items()
                .iter()
                .map(|item| deep_copy(item, level + 1))
                .collect();
            Data::List(List::typed(list.elem(), items?))
        }
        _ => return Ok(value.clone()),
    };
    Ok(Value::new(data).with_marks(value.marks))
}

const DIG: FuncSpec = FuncSpec::new("dig", &[Param::Any], dig).variadic();

/// `dig key... default map`. Go asserts the exact types: `.Values` itself is none of them.
fn dig(call: &mut Call<'_>) -> Answer {
    let count = call.args.len();
    if count < 3 {
        return Err(CallError::own("dig needs at least three arguments"));
    }
    let mut map = plain_map(call, call.arg(count - 1))?;
    let keys: Result<Vec<Text>, CallError> = call.args[..count - 2]
        .iter()
        .map(|key| plain_text(call, key))
        .collect();
    let keys = keys?;
    for (at, key) in keys.iter().enumerate() {
        let Some(step) = map.get(key.bytes()) else {
            return Ok(call.take(count - 2));
        };
        if at + 1 == keys.len() {
            return Ok(step);
        }
        map = plain_map(call, &step)?;
    }
    Ok(call.take(count - 2))
}

fn plain_map(call: &Call<'_>, value: &Value) -> Result<Map, CallError> {
    match &value.data {
        Data::Map(map) if map.kind() == MapType::Any => Ok(map.clone()),
        _ => Err(conversion(call, value, "map[string]interface {}")),
    }
}

fn plain_text(call: &Call<'_>, value: &Value) -> Result<Text, CallError> {
    match &value.data {
        Data::Str(text) => Ok(text.clone()),
        _ => Err(conversion(call, value, "string")),
    }
}

/// Go's panic over a failed type assertion.
fn conversion(call: &Call<'_>, value: &Value, wanted: &str) -> CallError {
    let name = match value.is_nil() {
        true => "nil".into(),
        false => type_name(value, call.host.dialect()),
    };
    CallError::own(format!(
        "interface conversion: interface {{}} is {name}, not {wanted}"
    ))
}
