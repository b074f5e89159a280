//! JSON as Go's encoding/json reads and writes it.
//!
//! Helm 3.19 is built with Go's classic implementation, Helm 4.3 with Go 1.27, whose encoding/json runs on
//! the v2 engine in its compatible mode: other words in errors, another text for bytes that are not UTF-8.

mod read;
mod words;
mod write;

pub use read::{Read, read, read_list, read_map};
pub use write::{JsonError, Layout, Writer, to_json};

use crate::dialect::Dialect;

/// Which encoding/json.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The implementation up to Go 1.26.
    Classic,
    /// The one of Go 1.27, on the v2 engine.
    V2,
}

impl Engine {
    /// The one in a Helm release.
    pub fn of(dialect: Dialect) -> Engine {
        if dialect >= Dialect::V4_3 {
            Engine::V2
        } else {
            Engine::Classic
        }
    }
}

#[cfg(test)]
mod tests;
