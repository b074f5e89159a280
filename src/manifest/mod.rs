
pub mod document;
mod glance;
pub mod identity;
pub mod read;
pub mod scalar;
pub mod scope;
pub mod split;

pub use document::{Body, Document, Hook, Unreadable};
pub use identity::{DocumentId, ObjectKey};
pub use read::Manifest;
pub use scope::{Scope, ScopeSource, Scopes};
