//! Decoding into Go structs as `sigs.k8s.io/yaml.Unmarshal` does: keys fit fields whatever their case,
//! scalars become strings where a string is wanted, and what does not fit is told in Go's words.
//!
//! Go goes on after a misfit and reports the first one; so does `Decoder`.

use super::node::{Node, NodeKind, Number};
use crate::dialect::Dialect;

/// Decodes one document.
pub struct Decoder {
    dialect: Dialect,
    error: Option<String>,
    /// The struct field names on the way (`encoding/json` before Go 1.27 names these).
    fields: Vec<String>,
    /// Keys and positions on the way (`encoding/json` since Go 1.27 names these).
    pointer: Vec<String>,
    structs: Vec<&'static str>,
}

impl Decoder {
    /// A decoder for one document.
    pub fn new(dialect: Dialect) -> Decoder {
        Decoder {
            dialect,
            error: None,
            fields: Vec::new(),
            pointer: Vec::new(),
            structs: Vec::new(),
        }
    }

    /// Go's error for the first misfit.
    ///
    /// # Errors
    /// When anything did not fit.
    pub fn finish(self) -> Result<(), String> {
        self.error.map_or(Ok(()), Err)
    }

    /// Decodes a struct: calls `field` for each key that fits one of `known`, in the order of the JSON text.
    /// `type_name` is the Go type (`chart.Metadata`), `name` its bare name, empty for an anonymous struct.
    pub fn object(
        &mut self,
        node: &Node,
        type_name: &str,
        name: &'static str,
        known: &[&'static str],
        field: &mut dyn FnMut(&mut Decoder, &'static str, &Node),
    ) {
        match &node.kind {
            NodeKind::Null => {}
            NodeKind::Map(_) => {
                self.structs.push(name);
                for entry in sorted(node) {
                    let key = known
                        .iter()
                        .find(|field| **field == &*entry.key)
                        .or_else(|| known.iter().find(|field| field.eq_ignore_ascii_case(&entry.key)));
                    if let Some(key) = key {
                        self.fields.push((*key).to_owned());
                        self.pointer.push((*key).to_owned());
                        field(self, key, &entry.value);
                        self.fields.pop();
                        self.pointer.pop();
                    }
                }
                self.structs.pop();
            }
            _ => self.misfit(node, type_name),
        }
    }

    /// Decodes into a `string` field; null leaves it empty.
    pub fn text(&mut self, node: &Node) -> String {
        match coerced(node) {
            Some(text) => text,
            None => {
                if !node.is_null() {
                    self.misfit(node, "string");
                }
                String::new()
            }
        }
    }

    /// Decodes into a `bool` field.
    pub fn truth(&mut self, node: &Node) -> bool {
        match node.kind {
            NodeKind::Bool(truth) => truth,
            NodeKind::Null => false,
            _ => {
                self.misfit(node, "bool");
                false
            }
        }
    }

    /// Decodes into a slice field; `None` for null.
    pub fn list<T>(
        &mut self,
        node: &Node,
        type_name: &str,
        element: &mut dyn FnMut(&mut Decoder, &Node) -> T,
    ) -> Option<Vec<T>> {
        match &node.kind {
            NodeKind::Null => None,
            NodeKind::List(items) => {
                let mut list = Vec::with_capacity(items.len());
                for (position, item) in items.iter().enumerate() {
                    self.pointer.push(position.to_string());
                    list.push(element(self, item));
                    self.pointer.pop();
                }
                Some(list)
            }
            _ => {
                self.misfit(node, type_name);
                None
            }
        }
    }

    /// Decodes into a `map[string]string` field, sorted by key; `None` for null.
    pub fn texts_by_key(&mut self, node: &Node) -> Option<Vec<(String, String)>> {
        match &node.kind {
            NodeKind::Null => None,
            NodeKind::Map(_) => {
                let mut map = Vec::new();
                for entry in sorted(node) {
                    self.pointer.push(entry.key.replace('~', "~0").replace('/', "~1"));
                    map.push((entry.key.to_string(), self.text(&entry.value)));
                    self.pointer.pop();
                }
                Some(map)
            }
            _ => {
                self.misfit(node, "map[string]string");
                None
            }
        }
    }

    fn misfit(&mut self, node: &Node, type_name: &str) {
        if self.error.is_some() {
            return;
        }
        let found = match node.kind {
            NodeKind::Null => "null",
            NodeKind::Bool(_) => "bool",
            NodeKind::Number(_) => "number",
            NodeKind::Str(_) => "string",
            NodeKind::List(_) => "array",
            NodeKind::Map(_) => "object",
        };
        let target = if self.pointer.is_empty() {
            "Go value".to_owned()
        } else if self.dialect.is_v4() {
            format!("Go struct field .{}", self.pointer.join("."))
        } else {
            format!(
                "Go struct field {}.{}",
                self.structs.last().unwrap_or(&""),
                self.fields.join(".")
            )
        };
        self.error = Some(format!(
            "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {found} into {target} of type {type_name}"
        ));
    }
}

/// The entries in the order of the JSON text in between: sorted by key bytes.
fn sorted(node: &Node) -> Vec<&super::node::Entry> {
    let mut entries: Vec<_> = node.entries().iter().collect();
    entries.sort_by(|a, b| a.key.as_bytes().cmp(b.key.as_bytes()));
    entries
}

/// The text of a scalar where a string is wanted: `sigs.k8s.io/yaml` formats floats with 32 bits.
fn coerced(node: &Node) -> Option<String> {
    match &node.kind {
        NodeKind::Str(text) => Some(text.to_string()),
        NodeKind::Bool(truth) => Some(truth.to_string()),
        NodeKind::Number(Number::Int(number)) => Some(number.to_string()),
        NodeKind::Number(Number::Uint(number)) => Some(number.to_string()),
        NodeKind::Number(Number::Float(number)) => Some(super::float::format_g32(*number)),
        _ => None,
    }
}
