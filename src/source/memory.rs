//! `MemoryTree`: a tree written down in code, for tests and examples.

use super::store::{Cache, Entry, Listing, Store, join, split};
use super::tree::{EntryKind, SourceError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A tree held in memory.
pub struct MemoryTree {
    label: String,
    nodes: BTreeMap<String, (EntryKind, Arc<[u8]>)>,
    cache: Cache,
}

impl MemoryTree {
    /// An empty tree.
    pub fn new(label: impl Into<String>) -> MemoryTree {
        MemoryTree {
            label: label.into(),
            nodes: BTreeMap::new(),
            cache: Cache::default(),
        }
    }

    /// Adds a file, with the directories above it.
    #[must_use]
    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> MemoryTree {
        self.put(path, EntryKind::File { executable: false }, content.as_ref())
    }

    /// Adds an executable file.
    #[must_use]
    pub fn executable(self, path: &str, content: impl AsRef<[u8]>) -> MemoryTree {
        self.put(path, EntryKind::File { executable: true }, content.as_ref())
    }

    /// Adds a symbolic link.
    #[must_use]
    pub fn link(self, path: &str, target: &str) -> MemoryTree {
        self.put(path, EntryKind::Symlink(target.to_string()), b"")
    }

    /// Adds a submodule.
    #[must_use]
    pub fn submodule(self, path: &str) -> MemoryTree {
        self.put(path, EntryKind::Submodule, b"")
    }

    fn put(mut self, path: &str, kind: EntryKind, content: &[u8]) -> MemoryTree {
        self.nodes.insert(path.to_string(), (kind, content.into()));
        let mut above = split(path).0;
        while !above.is_empty() {
            self.nodes
                .insert(above.to_string(), (EntryKind::Directory, Arc::default()));
            above = split(above).0;
        }
        self
    }
}

impl Store for MemoryTree {
    fn label(&self) -> &str {
        &self.label
    }

    fn cache(&self) -> &Cache {
        &self.cache
    }

    fn load(&self, directory: &str) -> Result<Listing, SourceError> {
        let prefix = join(directory, "");
        let entries = self
            .nodes
            .range(prefix.clone()..)
            .take_while(|(path, _)| path.starts_with(&prefix))
            .filter(|(path, _)| !path[prefix.len()..].contains('/'))
            .map(|(path, (kind, _))| Entry {
                name: path[prefix.len()..].into(),
                kind: kind.clone(),
                id: None,
                only_stored: false,
            })
            .collect();
        Ok(Listing::new(entries, None))
    }

    fn bytes(&self, path: &str, _entry: &Entry) -> Result<Arc<[u8]>, SourceError> {
        self.nodes
            .get(path)
            .map(|(_, content)| content.clone())
            .ok_or_else(|| SourceError::missing(path, "is not there"))
    }
}
