//! Where bytes come from; no meaning attached.
//!
//! Four kinds of tree, one behaviour: `GitTree` (a commit, read from git objects), `WorkTree` (what
//! `git add --all` would commit now), `DirTree` (a plain directory) and `MemoryTree`. A directory exists only
//! as far as it holds files, and `.git` is never part of a tree. Nothing here writes: not the index, not the
//! objects, not the files. A fifth, `HostTree`, is the file system as a process sees it, for commands that are
//! given paths and have no side.

pub mod directory;
pub mod git;
pub mod glob;
pub mod host;
pub mod memory;
pub mod tree;

mod disk;
mod identity;
mod resolve;
mod store;
mod substitute;
#[cfg(test)]
mod suite;

pub use directory::DirTree;
pub use git::{GitTree, Repository, Revision, RevisionError, WorkTree};
pub use glob::{Captures, Glob};
pub use host::HostTree;
pub use memory::MemoryTree;
pub use tree::{EntryKind, SourceError, SourceTree};
