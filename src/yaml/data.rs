//! How data of any model is handed to a writer, without conversion.
//!
//! The reader's `Node` and the engine's values both write themselves into a `Sink`; the YAML and the JSON
//! writers are sinks.

use super::node::{Node, NodeKind, Number};

/// Takes data piece by piece.
pub trait Sink {
    /// Why a piece cannot be written.
    type Error;

    /// Writes a null.
    ///
    /// # Errors
    /// When the writer cannot write it; so for all that follow.
    fn null(&mut self) -> Result<(), Self::Error>;
    /// Writes a boolean.
    fn bool(&mut self, value: bool) -> Result<(), Self::Error>;
    /// Writes a signed integer.
    fn int(&mut self, value: i64) -> Result<(), Self::Error>;
    /// Writes an unsigned integer.
    fn uint(&mut self, value: u64) -> Result<(), Self::Error>;
    /// Writes a floating-point number.
    fn float(&mut self, value: f64) -> Result<(), Self::Error>;
    /// Writes a string, which need not be UTF-8.
    fn str(&mut self, value: &[u8]) -> Result<(), Self::Error>;
    /// Opens a list; its elements follow.
    fn begin_list(&mut self) -> Result<(), Self::Error>;
    /// Closes a list.
    fn end_list(&mut self) -> Result<(), Self::Error>;
    /// Opens a mapping; keys and values follow by turns, in the order of `sort`.
    fn begin_map(&mut self) -> Result<(), Self::Error>;
    /// Writes a key; its value follows.
    fn key(&mut self, key: &[u8]) -> Result<(), Self::Error>;
    /// Closes a mapping.
    fn end_map(&mut self) -> Result<(), Self::Error>;

    /// True where the fields of a struct are written as they are declared.
    fn keeps_field_order(&self) -> bool {
        false
    }

    /// Puts the entries of a mapping into the writer's order, and drops those that would be overwritten.
    fn sort<T>(&mut self, entries: &mut Vec<(&[u8], T)>);
}

/// Data that can be written.
pub trait Source {
    /// Writes it.
    ///
    /// # Errors
    /// What the writer refuses.
    fn write_to<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error>;
}

impl Source for Node {
    fn write_to<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        match &self.kind {
            NodeKind::Null => sink.null(),
            NodeKind::Bool(value) => sink.bool(*value),
            NodeKind::Number(Number::Int(value)) => sink.int(*value),
            NodeKind::Number(Number::Uint(value)) => sink.uint(*value),
            NodeKind::Number(Number::Float(value)) => sink.float(*value),
            NodeKind::Str(text) => sink.str(text.as_bytes()),
            NodeKind::List(items) => {
                sink.begin_list()?;
                for item in items.iter() {
                    item.write_to(sink)?;
                }
                sink.end_list()
            }
            NodeKind::Map(entries) => {
                sink.begin_map()?;
                let mut sorted: Vec<(&[u8], &Node)> = entries
                    .iter()
                    .map(|entry| (entry.key.as_bytes(), &entry.value))
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
