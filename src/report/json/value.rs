//! Values of documents in JSON: plain data as it is, secrets as `{"redacted": "1a2b3c4d"}`.

use crate::report::redact::Shown;
use crate::yaml::{Node, NodeKind, Number};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;

/// A value that may be shown.
pub(super) struct Value<'a>(pub(super) &'a Shown);

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Shown::Plain(node) => Plain(node).serialize(serializer),
            Shown::Text(text) => serializer.serialize_str(text.as_str()),
            Shown::Masked(stand_in) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("redacted", stand_in.hex())?;
                map.end()
            }
            Shown::List(items) => serializer.collect_seq(items.iter().map(Value)),
            Shown::Map(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (&**key, Value(value))))
            }
        }
    }
}

impl JsonSchema for Value<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Value".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A value of a document, null when the side has none. A secret in it is an object with the \
                            single key `redacted`: equal digits within one report mean equal values."
        })
    }

    fn inline_schema() -> bool {
        false
    }
}

struct Plain<'a>(&'a Node);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.kind {
            NodeKind::Null => serializer.serialize_unit(),
            NodeKind::Bool(value) => serializer.serialize_bool(*value),
            NodeKind::Number(Number::Int(value)) => serializer.serialize_i64(*value),
            NodeKind::Number(Number::Uint(value)) => serializer.serialize_u64(*value),
            NodeKind::Number(Number::Float(value)) if value.is_finite() => serializer.serialize_f64(*value),
            // JSON has no such number.
            NodeKind::Number(Number::Float(value)) => serializer.serialize_str(if value.is_nan() {
                ".nan"
            } else if *value > 0.0 {
                ".inf"
            } else {
                "-.inf"
            }),
            NodeKind::Str(text) => serializer.serialize_str(text),
            NodeKind::List(items) => serializer.collect_seq(items.iter().map(Plain)),
            NodeKind::Map(entries) => {
                serializer.collect_map(entries.iter().map(|entry| (&*entry.key, Plain(&entry.value))))
            }
        }
    }
}
