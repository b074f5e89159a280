//! `Store`: what a kind of tree has to know for itself. Everything else (links, missing files, identity,
//! caching of listings) is written once for all kinds.
//!
//! A store is asked only for physical paths: no link stands in any step of a directory it is given.

use super::git::ObjectId;
use super::tree::{EntryKind, SourceError};
use rustc_hash::FxHashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::identity::Summary;
use crate::base::Digest;

/// One entry of a directory.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: Box<str>,
    pub(super) kind: EntryKind,
    /// The git object id of its content, when it is known without reading it.
    pub(super) id: Option<ObjectId>,
    /// True for a file that is not on disk though git tracks it (a sparse checkout leaves it out).
    pub(super) only_stored: bool,
}

/// A directory as it is stored, sorted by name bytes.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) entries: Vec<Entry>,
    /// The first name that is not UTF-8, in a printable form.
    pub(super) unreadable: Option<String>,
}

impl Listing {
    /// Sorts the entries; names are unique.
    pub(super) fn new(mut entries: Vec<Entry>, unreadable: Option<String>) -> Listing {
        entries.sort_unstable_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        Listing { entries, unreadable }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Entry> {
        self.entries
            .binary_search_by(|entry| entry.name.as_bytes().cmp(name.as_bytes()))
            .ok()
            .map(|position| &self.entries[position])
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.unreadable.is_none()
    }
}

/// The part of a tree that differs between kinds.
pub(super) trait Store: Send + Sync {
    fn label(&self) -> &str;

    fn cache(&self) -> &Cache;

    /// Reads one directory; the path is physical and known to be a directory.
    fn load(&self, directory: &str) -> Result<Listing, SourceError>;

    /// The bytes of a file; the path is physical.
    fn bytes(&self, path: &str, entry: &Entry) -> Result<Arc<[u8]>, SourceError>;

    /// Looks up the content a Git LFS pointer stands for, when it is at hand.
    fn large_file(&self, _oid: &str, _size: u64) -> Option<Arc<[u8]>> {
        None
    }

    /// What a user should know about a path that is not in the tree.
    fn why_missing(&self, _path: &str) -> Option<String> {
        None
    }

    /// One directory, read once.
    fn directory(&self, path: &str) -> Result<Arc<Listing>, SourceError> {
        if let Some(listing) = self.cache().listings.get(path) {
            return Ok(listing);
        }
        let listing = Arc::new(self.load(path)?);
        self.cache().listings.put(path, listing.clone());
        Ok(listing)
    }

    /// The git object id of a file's content.
    fn file_id(&self, path: &str, entry: &Entry) -> Result<ObjectId, SourceError> {
        match entry.id {
            Some(id) => Ok(id),
            None => Ok(ObjectId::of_blob(&self.bytes(path, entry)?)),
        }
    }
}

/// What has been read of a tree. Contents of files are not kept.
#[derive(Default)]
pub(super) struct Cache {
    pub(super) listings: Memo<Arc<Listing>>,
    pub(super) summaries: Memo<Arc<Summary>>,
    pub(super) digests: Memo<Digest>,
}

/// Values by physical path, shared between threads.
pub(super) struct Memo<T>(RwLock<FxHashMap<Box<str>, T>>);

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo(RwLock::new(FxHashMap::default()))
    }
}

impl<T: Clone> Memo<T> {
    pub(super) fn get(&self, path: &str) -> Option<T> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(path)
            .cloned()
    }

    pub(super) fn put(&self, path: &str, value: T) {
        self.0
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(path.into(), value);
    }
}

/// A path one step below a directory.
pub(super) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() {
        name.to_string()
    } else {
        format!("{directory}/{name}")
    }
}

/// The directory and the last step of a path.
pub(super) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}
