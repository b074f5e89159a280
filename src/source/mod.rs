//! Where bytes come from; no meaning attached.

pub mod tree;

pub use tree::{EntryKind, SourceError, SourceTree};
