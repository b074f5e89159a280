//! `GitTree`: the files of one commit, read from git's objects.

use super::super::store::{Cache, Entry, Listing, Store};
use super::super::tree::{EntryKind, SourceError};
use super::handles::Handles;
use super::object::ObjectId;
use super::revision::Revision;
use git2::{ObjectType, Oid, Repository};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of one commit.
pub struct GitTree {
    label: String,
    root: Oid,
    handles: Arc<Handles>,
    cache: Cache,
}

impl GitTree {
    pub(super) fn new(handles: Arc<Handles>, revision: &Revision, label: String) -> GitTree {
        GitTree {
            label,
            root: revision.tree_oid(),
            handles,
            cache: Cache::default(),
        }
    }

    /// The object a physical directory is stored as.
    fn directory_id(&self, directory: &str) -> Result<Oid, SourceError> {
        if directory.is_empty() {
            return Ok(self.root);
        }
        let (parent, name) = super::super::store::split(directory);
        self.directory(parent)?
            .get(name)
            .and_then(|entry| entry.id)
            .map(ObjectId::oid)
            .ok_or_else(|| SourceError::missing(directory, format!("does not exist in the {}", self.label)))
    }
}

impl Store for GitTree {
    fn label(&self) -> &str {
        &self.label
    }

    fn cache(&self) -> &Cache {
        &self.cache
    }

    fn load(&self, directory: &str) -> Result<Listing, SourceError> {
        let id = self.directory_id(directory)?;
        self.handles
            .with(|repository| read_tree(repository, id))
            .map_err(|error| unreadable_object(directory, id, &error))
    }

    fn bytes(&self, path: &str, entry: &Entry) -> Result<Arc<[u8]>, SourceError> {
        let id = entry
            .id
            .ok_or_else(|| SourceError::new(path, "has no object id"))?;
        read_blob(&self.handles, path, id)
    }

    fn large_file(&self, oid: &str, size: u64) -> Option<Arc<[u8]>> {
        large_file(&self.handles, oid, size)
    }
}

fn read_tree(repository: &Repository, id: Oid) -> Result<Listing, git2::Error> {
    let tree = repository.find_tree(id)?;
    let mut unreadable = None;
    let mut entries = Vec::with_capacity(tree.len());
    for item in tree.iter() {
        let Ok(name) = std::str::from_utf8(item.name_bytes()) else {
            unreadable.get_or_insert_with(|| String::from_utf8_lossy(item.name_bytes()).into_owned());
            continue;
        };
        let kind = match (item.kind(), item.filemode_raw()) {
            (Some(ObjectType::Tree), _) => EntryKind::Directory,
            (Some(ObjectType::Commit), _) => EntryKind::Submodule,
            (_, mode) if mode & 0o170_000 == 0o120_000 => {
                let target = repository.find_blob(item.id())?;
                EntryKind::Symlink(String::from_utf8_lossy(target.content()).into_owned())
            }
            (_, mode) => EntryKind::File {
                executable: mode & 0o100 != 0,
            },
        };
        entries.push(Entry {
            name: name.into(),
            kind,
            id: Some(item.id().into()),
            only_stored: false,
        });
    }
    Ok(Listing::new(entries, unreadable))
}

/// The content of a stored file.
pub(super) fn read_blob(handles: &Handles, path: &str, id: ObjectId) -> Result<Arc<[u8]>, SourceError> {
    handles
        .with(|repository| Ok(Arc::from(repository.find_blob(id.oid())?.content())))
        .map_err(|error| unreadable_object(path, id.oid(), &error))
}

fn unreadable_object(path: &str, id: Oid, error: &git2::Error) -> SourceError {
    let remedy = if error.code() == git2::ErrorCode::NotFound {
        "the clone is incomplete; fetch it again, without a filter"
    } else {
        "check the repository with `git fsck`"
    };
    SourceError::new(
        path,
        format!("git object {id} cannot be read: {}; {remedy}", error.message()),
    )
}

/// An object of the local Git LFS store, where `git lfs fetch` puts it.
pub(super) fn large_file(handles: &Handles, oid: &str, size: u64) -> Option<Arc<[u8]>> {
    let common = handles
        .with(|repository| Ok(repository.commondir().to_path_buf()))
        .ok()?;
    let place: PathBuf = [
        Path::new("lfs/objects"),
        oid[..2].as_ref(),
        oid[2..4].as_ref(),
        oid.as_ref(),
    ]
    .iter()
    .collect();
    let bytes = std::fs::read(common.join(place)).ok()?;
    (bytes.len() as u64 == size).then(|| bytes.into())
}
