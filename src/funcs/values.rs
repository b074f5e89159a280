//! The methods of Helm's `Values` type (`pkg/chart/common/values.go`): `.Values.Table "a.b"` and the like. They
//! hide keys of the same names.

use super::data;
use super::spec::Answer;
use crate::template::{Call, CallError, Effect, Func, NamedFunc, Param};
use crate::value::quote::quote_str;
use crate::value::{Data, Map, MapType, Value};

/// The methods; the first parameter is the receiver.
pub static METHODS: [NamedFunc; 5] = [
    ("AsMap", &AS_MAP),
    ("Encode", &ENCODE),
    ("PathValue", &PATH_VALUE),
    ("Table", &TABLE),
    ("YAML", &YAML),
];

const fn method(name: &'static str, params: &'static [Param], body: fn(&mut Call<'_>) -> Answer) -> Func {
    Func {
        name,
        params,
        variadic: false,
        effect: Effect::Pure,
        body,
    }
}

static AS_MAP: Func = method("AsMap", &[Param::Map], |call| {
    let receiver = call.take(0);
    let Data::Map(map) = &receiver.data else {
        return Ok(receiver);
    };
    if map.is_empty() {
        return Ok(Value::from(Map::new()));
    }
    Ok(Value::from(map.as_kind(MapType::Any)).with_marks(receiver.marks))
});

/// Templates hold no writer but nil.
static ENCODE: Func = method("Encode", &[Param::Map, Param::Named("io.Writer")], |_| {
    Err("runtime error: invalid memory address or nil pointer dereference".into())
});

static YAML: Func = method("YAML", &[Param::Map], data::yaml_with_last_newline);

static TABLE: Func = method("Table", &[Param::Map, Param::Str], |call| {
    let path = call.text(1).lossy().into_owned();
    let table = table(call, path.split('.'))
        .map_err(|name| CallError::Own(format!("{} is not a table", quote_str(name.as_bytes()))))?;
    match &table.data {
        Data::Map(map) => Ok(Value::from(map.as_kind(MapType::Values)).with_marks(table.marks)),
        _ => Ok(table),
    }
});

static PATH_VALUE: Func = method("PathValue", &[Param::Map, Param::Str], |call| {
    let path = call.text(1).lossy().into_owned();
    if path.is_empty() {
        return Err("YAML path cannot be empty".into());
    }
    let (tables, key) = match path.rsplit_once('.') {
        Some((tables, key)) => (Some(tables), key),
        None => (None, path.as_str()),
    };
    let missing = || CallError::Own(format!("{} is not a value", quote_str(key.as_bytes())));
    let holder =
        table(call, tables.into_iter().flat_map(|tables| tables.split('.'))).map_err(|_| missing())?;
    let found = entry(call, &holder, key).ok_or_else(missing)?;
    match &found.data {
        // A nested `Values` is no table here: Go asks for the plain map type.
        Data::Map(map) if map.kind() == MapType::Any => Err(missing()),
        _ => Ok(found),
    }
});

/// The table at a path; the name that is no table otherwise.
fn table<'p>(call: &mut Call<'_>, path: impl Iterator<Item = &'p str>) -> Result<Value, &'p str> {
    let mut table = call.arg(0).clone();
    for name in path {
        table = match entry(call, &table, name) {
            Some(found) if matches!(&found.data, Data::Map(map) if map.kind() != MapType::Str) => found,
            _ => return Err(name),
        };
    }
    Ok(table)
}

fn entry(call: &mut Call<'_>, table: &Value, name: &str) -> Option<Value> {
    let Data::Map(map) = &table.data else {
        return None;
    };
    let mut found = map.get(name.as_bytes())?;
    found.marks = call.host.marks().inherited(table.marks, found.marks);
    Some(found)
}
