//! YAML as Go's libraries read and write it.

pub mod node;

pub use node::{Entry, Mark, Node, NodeKind, Number};
