//! Paths, links and the methods of `SourceTree`, once for every kind of store.
//!
//! Links are followed as Linux follows them, up to `MAX_LINKS` per path, but never out of the tree.

use super::identity;
use super::store::{Entry, Listing, Store, join, split};
use super::substitute;
use super::tree::{EntryKind, SourceError, SourceTree};
use crate::base::Digest;
use std::sync::Arc;

/// How many links one path may pass, as in Linux.
const MAX_LINKS: usize = 40;

/// Where a path leads once no link is left in it.
#[derive(Debug)]
pub(super) enum Found {
    Directory(String),
    /// Anything else: the physical path, the listing it stands in and its name.
    Entry(String, Arc<Listing>),
}

impl Found {
    /// The entry, when it is not a directory.
    pub(super) fn entry(&self) -> Option<(&str, &Entry)> {
        match self {
            Found::Directory(_) => None,
            Found::Entry(path, listing) => listing.get(split(path).1).map(|entry| (path.as_str(), entry)),
        }
    }
}

impl<S: Store> SourceTree for S {
    fn label(&self) -> &str {
        Store::label(self)
    }

    fn entry(&self, path: &str) -> Result<Option<EntryKind>, SourceError> {
        Ok(match resolve(self, path, Last::Keep)? {
            None => None,
            Some(Found::Directory(_)) => Some(EntryKind::Directory),
            Some(found) => found.entry().map(|(_, entry)| entry.kind.clone()),
        })
    }

    fn list(&self, directory: &str) -> Result<Vec<(String, EntryKind)>, SourceError> {
        let physical = match existing(self, directory)? {
            Found::Directory(physical) => physical,
            _ => return Err(SourceError::new(directory, "is a file, not a directory")),
        };
        let listing = self.directory(&physical)?;
        if let Some(name) = &listing.unreadable {
            return Err(not_utf8(directory, name));
        }
        Ok(listing
            .entries
            .iter()
            .map(|entry| (entry.name.to_string(), entry.kind.clone()))
            .collect())
    }

    fn read(&self, path: &str) -> Result<Arc<[u8]>, SourceError> {
        let found = existing(self, path)?;
        let Some((physical, entry)) = found.entry() else {
            return Err(SourceError::new(path, "is a directory, not a file"));
        };
        let bytes = self.bytes(physical, entry)?;
        substitute::content(self, path, bytes)
    }

    fn identity(&self, path: &str) -> Result<Digest, SourceError> {
        identity::identity(self, path)
    }
}

/// What a path leads to, where it has to lead somewhere readable.
pub(super) fn existing<S: Store + ?Sized>(store: &S, path: &str) -> Result<Found, SourceError> {
    match resolve(store, path, Last::Follow)? {
        None => {
            let reason = store.why_missing(path).unwrap_or_default();
            Err(SourceError::missing(
                path,
                format!("does not exist in the {}{reason}", store.label()),
            ))
        }
        Some(found) => match found.entry() {
            Some((physical, entry)) if entry.kind == EntryKind::Submodule => {
                Err(in_submodule(path, physical))
            }
            _ => Ok(found),
        },
    }
}

/// What to do with a link in the last step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Keep,
    Follow,
}

/// Walks a path; `None` when nothing stands there.
pub(super) fn resolve<S: Store + ?Sized>(
    store: &S,
    path: &str,
    last: Last,
) -> Result<Option<Found>, SourceError> {
    if let Some(found) = at_hand(store, path) {
        return Ok(Some(found));
    }
    if path.starts_with('/') {
        return Err(leaves(path, None));
    }
    let mut steps: Vec<String> = path.rsplit('/').map(str::to_string).collect();
    let mut directory = String::new();
    let mut links: Vec<Link> = Vec::new();
    let mut passed = 0;
    while let Some(step) = steps.pop() {
        // a link is behind us once its target has been walked
        links.retain(|link| link.rest <= steps.len());
        match step.as_str() {
            "" | "." => continue,
            ".." if directory.is_empty() => return Err(leaves(path, links.last())),
            ".." => {
                directory.truncate(split(&directory).0.len());
                continue;
            }
            _ => {}
        }
        let listing = store.directory(&directory)?;
        let Some(entry) = listing.get(&step) else {
            return nothing(store, path, links.first());
        };
        let here = join(&directory, &step);
        let is_last = steps.iter().all(|step| step.is_empty() || step == ".");
        match &entry.kind {
            EntryKind::Directory => directory = here,
            EntryKind::Symlink(target) if last == Last::Follow || !steps.is_empty() => {
                passed += 1;
                if passed > MAX_LINKS {
                    return Err(SourceError::new(
                        path,
                        format!("its symbolic links form a loop at `{here}` -> `{target}`; break the loop"),
                    ));
                }
                links.push(Link {
                    place: here,
                    target: target.clone(),
                    rest: steps.len(),
                });
                if target.starts_with('/') {
                    return Err(leaves(path, links.last()));
                }
                steps.extend(target.rsplit('/').map(str::to_string));
            }
            EntryKind::Submodule if !is_last => return Err(in_submodule(path, &here)),
            EntryKind::File { .. } if !is_last => {
                // the fault is the next step: a link's own, or one that the path asks for behind it
                let link = links.iter().find(|link| link.rest < steps.len());
                return nothing(store, path, link);
            }
            _ => return Ok(Some(Found::Entry(here, listing))),
        }
    }
    Ok(Some(Found::Directory(directory)))
}

/// A link whose target is being walked.
struct Link {
    place: String,
    target: String,
    /// How many steps of the path are left behind the target.
    rest: usize,
}

/// The usual case without a walk: the parent is a directory already read and the last step is no link.
fn at_hand<S: Store + ?Sized>(store: &S, path: &str) -> Option<Found> {
    let (parent, name) = split(path);
    let listing = store.cache().listings.get(parent)?;
    match listing.get(name)?.kind {
        EntryKind::Directory => Some(Found::Directory(path.to_string())),
        EntryKind::File { .. } => Some(Found::Entry(path.to_string(), listing)),
        _ => None,
    }
}

fn nothing<S: Store + ?Sized>(
    store: &S,
    path: &str,
    link: Option<&Link>,
) -> Result<Option<Found>, SourceError> {
    match link {
        None => Ok(None),
        Some(Link { place, target, .. }) => {
            let reason = store
                .why_missing(&join(split(place).0, target))
                .unwrap_or_default();
            Err(SourceError::new(
                path,
                format!(
                    "the symbolic link `{place}` -> `{target}` leads to nothing{reason}; \
                     restore its target or remove the link"
                ),
            ))
        }
    }
}

fn leaves(path: &str, link: Option<&Link>) -> SourceError {
    let message = match link {
        Some(Link { place, target, .. }) => format!(
            "the symbolic link `{place}` -> `{target}` leads out of the tree; only what is inside can be \
             compared: copy the target in, or make the link relative"
        ),
        None => "leads out of the tree; paths are relative to its root".to_string(),
    };
    SourceError::new(path, message)
}

pub(super) fn in_submodule(path: &str, submodule: &str) -> SourceError {
    SourceError::new(
        path,
        format!(
            "`{submodule}` is a submodule: its files live in another repository, which is not read; run \
             evenkeel in that repository, copy the files in, or compare two checked-out directories with \
             `dir:PATH`"
        ),
    )
}

pub(super) fn not_utf8(directory: &str, name: &str) -> SourceError {
    SourceError::new(
        directory,
        format!("holds a file whose name is not UTF-8 (`{name}`); rename it"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemoryTree;

    #[test]
    fn dots_and_doubled_slashes_are_walked_as_a_file_system_does() {
        let tree = MemoryTree::new("test").file("a/b/c", "x");
        for path in ["a/b/c", "./a//b/./c", "a/../a/b/c", "a/b/../b/c"] {
            assert_eq!(&*tree.read(path).unwrap(), b"x", "{path}");
        }
        for path in ["../a", "a/../../a", "/a/b/c"] {
            assert!(
                tree.read(path).unwrap_err().message.contains("leads out"),
                "{path}"
            );
        }
        assert_eq!(tree.entry("a/b/c/d").unwrap(), None);
        assert_eq!(tree.entry("").unwrap(), Some(EntryKind::Directory));
    }
}
