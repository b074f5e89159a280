//! `HostTree`: the file system as a process sees it. Unlike the trees of a side it takes absolute paths and
//! `..`, follows links anywhere, and hides nothing.

use super::directory::DirTree;
use super::tree::{EntryKind, SourceError, SourceTree};
use crate::base::Digest;
use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file system, relative paths taken from a directory.
pub struct HostTree {
    directory: PathBuf,
}

impl HostTree {
    /// The file system as seen from a directory.
    pub fn new(directory: impl Into<PathBuf>) -> HostTree {
        HostTree {
            directory: directory.into(),
        }
    }

    fn place(&self, path: &str) -> PathBuf {
        if path.is_empty() {
            return self.directory.clone();
        }
        self.directory.join(path)
    }
}

fn failed(path: &str, error: &io::Error) -> SourceError {
    match error.kind() {
        ErrorKind::NotFound => SourceError::missing(path, "no such file or directory"),
        ErrorKind::NotADirectory => SourceError::missing(path, "not a directory"),
        ErrorKind::IsADirectory => SourceError::new(path, "is a directory"),
        _ => SourceError::new(path, format!("cannot be read: {error}")),
    }
}

fn kind_of(place: &Path, metadata: &Metadata) -> io::Result<EntryKind> {
    Ok(if metadata.is_dir() {
        EntryKind::Directory
    } else if metadata.is_symlink() {
        EntryKind::Symlink(std::fs::read_link(place)?.to_string_lossy().into_owned())
    } else {
        EntryKind::File {
            executable: metadata.permissions().mode() & 0o100 != 0,
        }
    })
}

impl SourceTree for HostTree {
    fn label(&self) -> &str {
        "file system"
    }

    fn entry(&self, path: &str) -> Result<Option<EntryKind>, SourceError> {
        let place = self.place(path);
        match place.symlink_metadata().and_then(|found| kind_of(&place, &found)) {
            Ok(kind) => Ok(Some(kind)),
            Err(error) => match failed(path, &error) {
                error if error.missing => Ok(None),
                error => Err(error),
            },
        }
    }

    fn list(&self, directory: &str) -> Result<Vec<(String, EntryKind)>, SourceError> {
        let fail = |error: io::Error| failed(directory, &error);
        let place = self.place(directory);
        if !place.metadata().map_err(fail)?.is_dir() {
            return Err(SourceError::new(directory, "is a file, not a directory"));
        }
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(&place).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name().into_string().map_err(|name| {
                let name = name.to_string_lossy().into_owned();
                super::resolve::not_utf8(directory, &name)
            })?;
            let metadata = entry.metadata().map_err(fail)?;
            entries.push((name, kind_of(&entry.path(), &metadata).map_err(fail)?));
        }
        entries.sort_unstable_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
        Ok(entries)
    }

    fn read(&self, path: &str) -> Result<Arc<[u8]>, SourceError> {
        let fail = |error: io::Error| failed(path, &error);
        let place = self.place(path);
        let metadata = place.metadata().map_err(fail)?;
        if !metadata.is_file() && !metadata.is_dir() {
            return Err(SourceError::new(path, "is no regular file"));
        }
        std::fs::read(&place).map(Arc::from).map_err(fail)
    }

    fn identity(&self, path: &str) -> Result<Digest, SourceError> {
        let place = self.place(path);
        let (directory, name) = match (place.is_dir(), place.parent(), place.file_name()) {
            (false, Some(parent), Some(name)) => (parent, name.to_string_lossy().into_owned()),
            _ => (&*place, String::new()),
        };
        let tree = DirTree::open(directory, "file system")
            .map_err(|problem| SourceError::new(path, problem.message))?;
        tree.identity(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_anywhere_and_nothing_is_hidden() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        std::fs::create_dir_all(inner.join(".git")).unwrap();
        std::fs::write(folder.path().join("a"), "x").unwrap();
        std::os::unix::fs::symlink("../a", inner.join("link")).unwrap();
        let tree = HostTree::new(&inner);
        let absolute = folder.path().join("a").to_string_lossy().into_owned();
        for path in ["../a", "link", absolute.as_str()] {
            assert_eq!(&*tree.read(path).unwrap(), b"x", "{path}");
        }
        let names: Vec<_> = tree.list("").unwrap().into_iter().map(|entry| entry.0).collect();
        assert_eq!(names, [".git", "link"]);
        assert!(tree.read("b").unwrap_err().missing && tree.read("a/b").unwrap_err().missing);
        assert_eq!(tree.entry("b").unwrap(), None);
        let same = DirTree::open(folder.path(), "test")
            .unwrap()
            .identity("a")
            .unwrap();
        assert_eq!(tree.identity("../a").unwrap(), same);
    }
}
