//! `PrivateDir`: a folder of this run alone. It is gone after the run, also after Ctrl-C; what a killed run
//! left behind is removed by the next one.
//!
//! A folder in use is told from a leftover by a lock on a file in it, which the system releases when its
//! process ends, however it ends.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

const PREFIX: &str = "evenkeel-";
/// The name a folder bears until its lock is held.
const UNLOCKED_PREFIX: &str = ".evenkeel-";
const LOCK: &str = ".evenkeel-lock";
/// Without this in its lock file, a folder is not ours.
const MARK: &[u8] = b"evenkeel private folder\n";
/// A folder that is being created is younger than this.
const CREATION: Duration = Duration::from_secs(60);

/// A folder that no other run uses.
pub(super) struct PrivateDir {
    path: PathBuf,
    _lock: File,
}

impl PrivateDir {
    /// Creates a folder below `parent`, after removing what killed runs left there. `announce` hears its path
    /// before it bears it, so that whoever removes it on a signal never comes too late.
    pub(super) fn create(parent: &Path, announce: impl FnOnce(&Path)) -> io::Result<PrivateDir> {
        let parent = parent.canonicalize()?;
        let created = tempfile::Builder::new()
            .prefix(UNLOCKED_PREFIX)
            .permissions(fs::Permissions::from_mode(0o700))
            .tempdir_in(&parent)?;
        let mut lock = File::create(created.path().join(LOCK))?;
        lock.write_all(MARK)?;
        lock.lock()?;
        let name = created.path().file_name().unwrap_or_default().to_string_lossy();
        let path = parent.join(name.trim_start_matches('.'));
        announce(&path);
        fs::rename(created.path(), &path)?;
        // the name it was created under is no more
        let _ = created.keep();
        let private = PrivateDir { path, _lock: lock };
        sweep(&parent, fs::symlink_metadata(&private.path)?.uid());
        Ok(private)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateDir {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Removes a folder that other threads may still be writing to.
pub(super) fn remove(path: &Path) {
    for _ in 0..20 {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                std::thread::sleep(Duration::from_millis(5));
            }
            _ => return,
        }
    }
}

/// Removes the folders of processes that are no more. What is not surely a leftover of ours stays.
fn sweep(parent: &Path, user: u32) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(PREFIX) || name.starts_with(UNLOCKED_PREFIX) {
            let ours = entry
                .metadata()
                .is_ok_and(|found| found.is_dir() && found.uid() == user);
            let settled = name.starts_with(PREFIX) || is_old(&entry.path());
            if ours && settled && is_abandoned(&entry.path()) {
                remove(&entry.path());
            }
        }
    }
}

fn is_old(path: &Path) -> bool {
    let age = fs::symlink_metadata(path).and_then(|found| found.modified());
    age.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > CREATION))
}

/// True when the folder holds our lock file and no process holds the lock.
fn is_abandoned(path: &Path) -> bool {
    let lock = path.join(LOCK);
    let marked = fs::symlink_metadata(&lock).is_ok_and(|found| found.is_file())
        && fs::read(&lock).is_ok_and(|content| content == MARK);
    marked
        && match File::open(&lock).map(|file| file.try_lock()) {
            Ok(Ok(())) => true,
            Ok(Err(TryLockError::WouldBlock | TryLockError::Error(_))) | Err(_) => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(parent: &Path) -> Vec<String> {
        let entries = fs::read_dir(parent).unwrap().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn is_private_and_gone_when_dropped() {
        let parent = tempfile::tempdir().unwrap();
        let private = PrivateDir::create(parent.path(), |_| {}).unwrap();
        fs::create_dir(private.path().join("deep")).unwrap();
        assert_eq!(fs::metadata(private.path()).unwrap().mode() & 0o077, 0);
        assert_eq!(names(parent.path()).len(), 1);
        drop(private);
        assert_eq!(names(parent.path()), Vec::<String>::new());
    }

    #[test]
    fn leftovers_are_swept_and_everything_else_stays() {
        let parent = tempfile::tempdir().unwrap();
        let alive = PrivateDir::create(parent.path(), |_| {}).unwrap();
        let make = |name: &str, lock: Option<&[u8]>| {
            fs::create_dir(parent.path().join(name)).unwrap();
            if let Some(content) = lock {
                fs::write(parent.path().join(name).join(LOCK), content).unwrap();
            }
        };
        make("evenkeel-dead", Some(MARK));
        make("evenkeel-main", None);
        make("evenkeel-other", Some(b"something else"));
        make(".evenkeel-young", Some(MARK));
        fs::write(parent.path().join("evenkeel-file"), "").unwrap();
        std::os::unix::fs::symlink("evenkeel-main", parent.path().join("evenkeel-link")).unwrap();
        let second = PrivateDir::create(parent.path(), |_| {}).unwrap();
        let name = |dir: &PrivateDir| dir.path().file_name().unwrap().to_string_lossy().into_owned();
        let mut expected = vec![
            ".evenkeel-young".to_string(),
            "evenkeel-file".into(),
            "evenkeel-link".into(),
            "evenkeel-main".into(),
            "evenkeel-other".into(),
            name(&alive),
            name(&second),
        ];
        expected.sort();
        assert_eq!(names(parent.path()), expected);
    }
}
