//! Directories on disk, one level at a time. The only user of walkdir.

use super::store::Entry;
use super::tree::{EntryKind, SourceError};
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use walkdir::WalkDir;

/// One entry found on disk, with what the file system says of it.
pub(super) struct DiskEntry {
    pub(super) entry: Entry,
    pub(super) metadata: Metadata,
}

/// What stands in a directory: the entries, and the first name that is not UTF-8.
///
/// `.git`, sockets, pipes and devices are left out, as git leaves them out.
pub(super) fn read_directory(
    place: &Path,
    path: &str,
) -> Result<(Vec<DiskEntry>, Option<String>), SourceError> {
    let failed = |error: &dyn std::fmt::Display| SourceError::new(path, format!("cannot be read: {error}"));
    let mut entries = Vec::new();
    let mut unreadable = None;
    for found in WalkDir::new(place).min_depth(1).max_depth(1) {
        let found = match found {
            Ok(found) => found,
            Err(error) if error.io_error().is_some_and(vanished) => continue,
            Err(error) => return Err(failed(&error)),
        };
        let Some(name) = found.file_name().to_str() else {
            unreadable.get_or_insert_with(|| found.file_name().to_string_lossy().into_owned());
            continue;
        };
        if name == ".git" {
            continue;
        }
        let metadata = match found.metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.io_error().is_some_and(vanished) => continue,
            Err(error) => return Err(failed(&error)),
        };
        let kind = if metadata.is_dir() {
            EntryKind::Directory
        } else if metadata.is_file() {
            let executable = metadata.permissions().mode() & 0o100 != 0;
            EntryKind::File { executable }
        } else if metadata.is_symlink() {
            let target = std::fs::read_link(found.path()).map_err(|error| failed(&error))?;
            EntryKind::Symlink(target.to_string_lossy().into_owned())
        } else {
            continue;
        };
        let entry = Entry {
            name: name.into(),
            kind,
            id: None,
            only_stored: false,
        };
        entries.push(DiskEntry { entry, metadata });
    }
    Ok((entries, unreadable))
}

/// True for an entry that went away between the listing and the look at it.
fn vanished(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::NotFound
}

/// True when a directory holds anything but directories, at any depth.
pub(super) fn holds_files(place: &Path) -> bool {
    WalkDir::new(place)
        .min_depth(1)
        .into_iter()
        .filter_entry(|entry| entry.file_name() != ".git")
        .any(|found| found.map_or(true, |entry| !entry.file_type().is_dir()))
}

/// The bytes of a file.
pub(super) fn read_file(place: &Path, path: &str) -> Result<Vec<u8>, SourceError> {
    std::fs::read(place).map_err(|error| SourceError {
        path: path.to_string(),
        message: format!("cannot be read: {error}"),
        missing: vanished(&error),
    })
}
