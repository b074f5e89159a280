//! Text -> documents -> canonical form.

pub mod canon;
mod comments;
pub mod document;
mod glance;
pub mod identity;
mod lexical;
pub mod list_types;
#[cfg(test)]
mod properties;
pub mod read;
pub mod rules;
pub mod scalar;
pub mod scope;
mod shape;
pub mod split;

pub use document::{Body, Document, Hook, Unreadable};
pub use identity::{DocumentId, ObjectKey};
pub use read::Manifest;
pub use rules::{Rule, Rules};
pub use scope::{Scope, ScopeSource, Scopes};
