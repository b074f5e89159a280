//! A second data model, as the engine has one: Go's values with byte strings.

use std::collections::BTreeMap;

use crate::yaml::{Node, NodeKind, Number, Sink, Source};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Vec<u8>),
    List(Vec<Value>),
    Map(BTreeMap<Vec<u8>, Value>),
}

impl Value {
    pub(super) fn text(text: &str) -> Value {
        Value::Str(text.as_bytes().to_vec())
    }

    /// As Go holds what it read through JSON: all numbers are float64.
    pub(super) fn of_node(node: &Node) -> Value {
        match &node.kind {
            NodeKind::Null => Value::Nil,
            NodeKind::Bool(value) => Value::Bool(*value),
            NodeKind::Number(Number::Int(value)) => Value::Float(*value as f64),
            NodeKind::Number(Number::Uint(value)) => Value::Float(*value as f64),
            NodeKind::Number(Number::Float(value)) => Value::Float(*value),
            NodeKind::Str(text) => Value::text(text),
            NodeKind::List(items) => Value::List(items.iter().map(Value::of_node).collect()),
            NodeKind::Map(entries) => Value::Map(
                entries
                    .iter()
                    .map(|entry| (entry.key.as_bytes().to_vec(), Value::of_node(&entry.value)))
                    .collect(),
            ),
        }
    }

    /// The values of a vector.
    pub(super) fn of_json(json: &serde_json::Value) -> Value {
        match json {
            serde_json::Value::Null => Value::Nil,
            serde_json::Value::Bool(value) => Value::Bool(*value),
            serde_json::Value::Number(number) => Value::Float(number.as_f64().unwrap()),
            serde_json::Value::String(text) => Value::text(text),
            serde_json::Value::Array(items) => Value::List(items.iter().map(Value::of_json).collect()),
            serde_json::Value::Object(entries) => Value::Map(
                entries
                    .iter()
                    .map(|(key, value)| (key.as_bytes().to_vec(), Value::of_json(value)))
                    .collect(),
            ),
        }
    }
}

impl Value {
    /// Without nulls in maps, outside lists, as Helm 4 cleans the values of a chart.
    pub(super) fn without_nulls(self) -> Value {
        match self {
            Value::Map(entries) => Value::Map(
                entries
                    .into_iter()
                    .filter(|(_, value)| *value != Value::Nil)
                    .map(|(key, value)| (key, value.without_nulls()))
                    .collect(),
            ),
            other => other,
        }
    }
}

impl Source for Value {
    fn write_to<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        match self {
            Value::Nil => sink.null(),
            Value::Bool(value) => sink.bool(*value),
            Value::Int(value) => sink.int(*value),
            Value::Float(value) => sink.float(*value),
            Value::Str(text) => sink.str(text),
            Value::List(items) => {
                sink.begin_list()?;
                for item in items {
                    item.write_to(sink)?;
                }
                sink.end_list()
            }
            Value::Map(entries) => {
                sink.begin_map()?;
                let mut sorted: Vec<(&[u8], &Value)> = entries
                    .iter()
                    .map(|(key, value)| (key.as_slice(), value))
                    .collect();
                sink.sort(&mut sorted);
                for (key, value) in sorted {
                    sink.key(key)?;
                    value.write_to(sink)?;
                }
                sink.end_map()
            }
        }
    }
}
