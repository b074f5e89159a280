//! `SourceTree`: one side's files, read-only, whatever holds them. Paths are `/`-separated, relative to
//! the root of the tree and never begin or end with `/`; the root itself is the empty path. `.` and `..` are
//! walked as a file system walks them.

use crate::base::Digest;
use std::fmt;
use std::sync::Arc;

/// What a tree holds under a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File {
        /// The executable bit, the only permission git keeps.
        executable: bool,
    },
    /// A directory.
    Directory,
    /// A symbolic link with the text of its target.
    Symlink(String),
    /// A submodule: its files live in another repository.
    Submodule,
}

/// One side's files.
///
/// Every method but `entry` follows symbolic links as a file system would, within the tree: a link that
/// leaves the tree, dangles or loops is an error.
pub trait SourceTree: Send + Sync {
    /// What a user calls this tree, such as `baseline 4f2a81c` or `working tree`.
    fn label(&self) -> &str;

    /// What stands under a path, without following a link in its last step; `None` when nothing does.
    ///
    /// # Errors
    /// When the tree cannot be read.
    fn entry(&self, path: &str) -> Result<Option<EntryKind>, SourceError>;

    /// The entries of a directory, sorted by name bytes; links are not followed in what is returned.
    ///
    /// # Errors
    /// When the path is not a directory or cannot be read, or holds a name that is not UTF-8.
    fn list(&self, directory: &str) -> Result<Vec<(String, EntryKind)>, SourceError>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// When the path is not a file, cannot be read, or is a Git LFS pointer.
    fn read(&self, path: &str) -> Result<Arc<[u8]>, SourceError>;

    /// A digest of everything below a path (names, modes, contents, and what its links lead to), equal for
    /// equal content in trees of every kind.
    ///
    /// # Errors
    /// As `read`.
    fn identity(&self, path: &str) -> Result<Digest, SourceError>;
}

/// A path of a tree that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// The path, as asked for.
    pub path: String,
    /// What is wrong and what to do about it.
    pub message: String,
    /// True when there is simply nothing at the path.
    pub missing: bool,
}

impl SourceError {
    /// A path that is there but cannot be used.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> SourceError {
        SourceError {
            path: path.into(),
            message: message.into(),
            missing: false,
        }
    }

    /// A path under which there is nothing.
    pub fn missing(path: impl Into<String>, message: impl Into<String>) -> SourceError {
        SourceError {
            missing: true,
            ..SourceError::new(path, message)
        }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "." } else { &self.path };
        write!(f, "{path}: {}", self.message)
    }
}

impl std::error::Error for SourceError {}
