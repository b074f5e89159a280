//! The methods of Helm's `Values` type that templates can call on `.Values` (`pkg/chart/common/values.go`).

use crate::template::func::{Call, CallError, Effect, Func, Param};
use crate::value::quote::quote_str;
use crate::value::{Data, Map, MapType, Value};
use crate::yaml::{Flavor, to_yaml};

type Answer = Result<Value, CallError>;

/// The methods; the first parameter is the receiver.
pub(super) static METHODS: [(&str, &Func); 4] = [
    ("AsMap", &method("AsMap", &[Param::Map], as_map)),
    (
        "PathValue",
        &method("PathValue", &[Param::Map, Param::Str], path_value),
    ),
    ("Table", &method("Table", &[Param::Map, Param::Str], table)),
    ("YAML", &method("YAML", &[Param::Map], yaml)),
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

fn as_map(call: &mut Call<'_>) -> Answer {
    let map = call.map(0);
    let plain = if map.is_empty() {
        Map::new()
    } else {
        map.as_kind(MapType::Any)
    };
    Ok(Value::from(plain).with_marks(call.arg(0).marks))
}

fn yaml(call: &mut Call<'_>) -> Answer {
    let text = to_yaml(call.arg(0), Flavor::Plain).map_err(|error| CallError::Own(error.to_string()))?;
    Ok(Value::str(text))
}

/// The map at a dotted path.
fn table(call: &mut Call<'_>) -> Answer {
    let found = at_path(call.map(0), &call.text(1).lossy());
    found
        .map(|map| Value::from(map.as_kind(MapType::Values)))
        .map_err(|step| CallError::Own(format!("{} is not a table", quote_str(step.as_bytes()))))
}

/// The value at a dotted path, unless it is a map.
fn path_value(call: &mut Call<'_>) -> Answer {
    let path = call.text(1).lossy().into_owned();
    if path.is_empty() {
        return Err(CallError::own("YAML path cannot be empty"));
    }
    let (tables, key) = path
        .rsplit_once('.')
        .map_or((None, path.as_str()), |(tables, key)| (Some(tables), key));
    let parent = match tables {
        None => Ok(call.map(0).clone()),
        Some(tables) => at_path(call.map(0), tables),
    };
    let found = parent.ok().and_then(|parent| parent.get(key.as_bytes()));
    found
        .filter(|value| !matches!(value.data, Data::Map(_)))
        .ok_or_else(|| CallError::Own(format!("{} is not a value", quote_str(key.as_bytes()))))
}

fn at_path(values: &Map, path: &str) -> Result<Map, String> {
    let mut current = values.clone();
    for step in path.split('.') {
        match current.get(step.as_bytes()).map(|value| value.data) {
            Some(Data::Map(map)) => current = map,
            _ => return Err(step.to_owned()),
        }
    }
    Ok(current)
}
