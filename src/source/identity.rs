//! Identity of content: git's own object ids where no link is involved, so that a tree of git objects is
//! never read below its directories, plus the identity of whatever the links lead to.

use super::git::ObjectId;
use super::resolve::{Found, existing, in_submodule, not_utf8};
use super::store::{Store, join};
use super::tree::{EntryKind, SourceError};
use crate::base::Digest;
use crate::base::digest::Hasher;
use std::sync::Arc;

/// A directory and all below it, no link followed.
#[derive(Debug)]
pub(super) struct Summary {
    /// The id git gives the directory.
    id: ObjectId,
    /// Paths of links, relative to the directory, in order.
    links: Vec<String>,
    /// The first submodule below, relative to the directory.
    submodule: Option<String>,
}

/// The digest of everything a path leads to.
pub(super) fn identity<S: Store + ?Sized>(store: &S, path: &str) -> Result<Digest, SourceError> {
    follow(store, path, &mut Vec::new())
}

fn follow<S: Store + ?Sized>(store: &S, path: &str, active: &mut Vec<String>) -> Result<Digest, SourceError> {
    let found = existing(store, path)?;
    match &found {
        Found::Directory(physical) => directory(store, path, physical, active),
        Found::Entry(physical, _) => {
            let Some((_, entry)) = found.entry() else {
                return Err(SourceError::new(path, "changed while it was read; run again"));
            };
            if let Some(digest) = store.cache().digests.get(physical) {
                return Ok(digest);
            }
            let executable = entry.kind == EntryKind::File { executable: true };
            let mut hasher = Hasher::new("evenkeel source file 1");
            hasher
                .part(&[u8::from(executable)])
                .part(store.file_id(physical, entry)?.bytes());
            let digest = hasher.finish();
            store.cache().digests.put(physical, digest);
            Ok(digest)
        }
    }
}

fn directory<S: Store + ?Sized>(
    store: &S,
    path: &str,
    physical: &str,
    active: &mut Vec<String>,
) -> Result<Digest, SourceError> {
    if let Some(digest) = store.cache().digests.get(physical) {
        return Ok(digest);
    }
    if active.iter().any(|directory| directory == physical) {
        return Err(SourceError::new(
            path,
            format!("a symbolic link leads back to `{physical}`, which holds it; remove the link"),
        ));
    }
    let summary = summary(store, physical)?;
    if let Some(submodule) = &summary.submodule {
        return Err(in_submodule(path, &join(physical, submodule)));
    }
    let mut hasher = Hasher::new("evenkeel source directory 1");
    hasher.part(summary.id.bytes());
    active.push(physical.to_string());
    for link in &summary.links {
        let target = follow(store, &join(physical, link), active)?;
        hasher.part(link.as_bytes()).part(target.bytes());
    }
    active.pop();
    let digest = hasher.finish();
    store.cache().digests.put(physical, digest);
    Ok(digest)
}

fn summary<S: Store + ?Sized>(store: &S, physical: &str) -> Result<Arc<Summary>, SourceError> {
    if let Some(summary) = store.cache().summaries.get(physical) {
        return Ok(summary);
    }
    let listing = store.directory(physical)?;
    if let Some(name) = &listing.unreadable {
        return Err(not_utf8(physical, name));
    }
    let mut children = Vec::with_capacity(listing.entries.len());
    let mut links = Vec::new();
    let mut submodule = None;
    for entry in &listing.entries {
        let path = join(physical, &entry.name);
        let id = match &entry.kind {
            EntryKind::File { .. } => store.file_id(&path, entry)?,
            EntryKind::Symlink(target) => {
                links.push(entry.name.to_string());
                ObjectId::of_blob(target.as_bytes())
            }
            EntryKind::Submodule => {
                submodule.get_or_insert_with(|| entry.name.to_string());
                ObjectId::of_blob(b"")
            }
            EntryKind::Directory => {
                let below = summary(store, &path)?;
                links.extend(below.links.iter().map(|link| join(&entry.name, link)));
                if submodule.is_none() {
                    submodule = below.submodule.as_ref().map(|path| join(&entry.name, path));
                }
                below.id
            }
        };
        children.push((&*entry.name, &entry.kind, id));
    }
    let summary = Arc::new(Summary {
        id: ObjectId::of_tree(&mut children),
        links,
        submodule,
    });
    store.cache().summaries.put(physical, summary.clone());
    Ok(summary)
}
