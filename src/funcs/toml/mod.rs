//! TOML as BurntSushi/toml reads and writes it: version 1.5 in Helm 3.19 (TOML 1.0), 1.6 in Helm 4.3
//! (TOML 1.1, and floats with exponents).

mod datetime;
mod lex;
mod lex_scalar;
mod parse;
mod write;

pub(super) use write::is_exported;

use super::spec::{Answer, FuncSpec};
use crate::dialect::Dialect;
use crate::template::{Call, CallError, Param};
use crate::value::{Map, MapType, Text, Value};

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[FROM_TOML, MUST_TO_TOML, TO_TOML];

/// The error's text is the result, as in Helm.
const TO_TOML: FuncSpec = FuncSpec::new("toToml", &[Param::Any], |call| match to_toml(call) {
    Err(write::Failure::Told(message)) => {
        call.host.note_swallowed(&message);
        Ok(Value::str(message))
    }
    written => raised(written),
});

const MUST_TO_TOML: FuncSpec =
    FuncSpec::new("mustToToml", &[Param::Any], |call| raised(to_toml(call))).only(&[Dialect::V4_3]);

fn to_toml(call: &Call<'_>) -> Result<Vec<u8>, write::Failure> {
    write::to_toml(call.arg(0), call.host.dialect().has_toml_1_1())
}

fn raised(written: Result<Vec<u8>, write::Failure>) -> Answer {
    match written {
        Ok(bytes) => Ok(Value::from(Text::from(bytes))),
        Err(write::Failure::Told(message) | write::Failure::Panic(message)) => Err(CallError::Own(message)),
    }
}

/// An error goes into the map, under the key `Error`.
const FROM_TOML: FuncSpec = FuncSpec::new("fromToml", &[Param::Str], |call| {
    match parse::parse(call.text(0).bytes(), call.host.dialect().has_toml_1_1()) {
        Ok(value) => Ok(value),
        Err(parse::Failure::Panic(message)) => Err(CallError::Own(message)),
        Err(parse::Failure::Told(message)) => {
            call.host.note_swallowed(&message);
            let entries = [(Text::from("Error"), Value::str(message))];
            Ok(Value::from(Map::from_entries(MapType::Any, entries)))
        }
    }
});
