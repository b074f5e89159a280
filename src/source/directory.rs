//! `DirTree`: a plain directory, as `dir:PATH` names one. No ignore file is heeded, no line end changed.

use super::disk::{holds_files, read_directory, read_file};
use super::store::{Cache, Entry, Listing, Store, join};
use super::tree::{EntryKind, SourceError};
use crate::base::Problem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory on disk.
pub struct DirTree {
    label: String,
    root: PathBuf,
    cache: Cache,
}

impl DirTree {
    /// Opens a directory.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn open(root: &Path, label: impl Into<String>) -> Result<DirTree, Problem> {
        let failed = |reason: String| Problem::new(format!("{}: {reason}", root.display()));
        let root = root.canonicalize().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => failed("there is no such directory".to_owned()),
            _ => failed(format!("cannot be opened: {error}")),
        })?;
        if !root.is_dir() {
            return Err(failed("is not a directory".to_string()));
        }
        Ok(DirTree {
            label: label.into(),
            root,
            cache: Cache::default(),
        })
    }
}

impl Store for DirTree {
    fn label(&self) -> &str {
        &self.label
    }

    fn cache(&self) -> &Cache {
        &self.cache
    }

    fn load(&self, directory: &str) -> Result<Listing, SourceError> {
        let (found, unreadable) = read_directory(&self.root.join(directory), directory)?;
        let entries = found
            .into_iter()
            .map(|found| found.entry)
            .filter(|entry| {
                entry.kind != EntryKind::Directory
                    || holds_files(&self.root.join(join(directory, &entry.name)))
            })
            .collect();
        Ok(Listing::new(entries, unreadable))
    }

    fn bytes(&self, path: &str, _entry: &Entry) -> Result<Arc<[u8]>, SourceError> {
        read_file(&self.root.join(path), path).map(Arc::from)
    }
}
