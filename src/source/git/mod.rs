//! Everything that speaks to git; the only user of git2.
//!
//! Repositories are only read: no object, index, reference or file is written, no hook and no external filter
//! runs, nothing is fetched.

mod handles;
mod index;
mod line_ends;
mod object;
mod repository;
mod revision;
mod tree;
mod worktree;

pub use repository::Repository;
pub use revision::{Revision, RevisionError};
pub use tree::GitTree;
pub use worktree::WorkTree;

pub(super) use object::ObjectId;
