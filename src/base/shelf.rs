//! `Shelf`: a folder of small files by digest, for what can be worked out again. Nothing in it is trusted: a file
//! that was cut, flipped or put there by somebody else does not have its own checksum and is as good as absent.
//! Nothing that goes wrong with it is an error, and many processes may share it: files appear whole, by renaming.

use super::Digest;
use super::digest::Hasher;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// Bytes that all files of a shelf may have together.
const MOST_BYTES: u64 = 256 << 20;

/// The folder within the one that was named: nothing outside it is written or removed.
const ROOM: &str = "cells";

/// How the name of a file begins that is being written.
const UNFINISHED: &str = ".evenkeel-";

/// A folder of files by digest.
#[derive(Debug)]
pub struct Shelf {
    folder: PathBuf,
    most_bytes: u64,
    is_written: AtomicBool,
}

impl Shelf {
    /// The shelf in a folder, which is made when something is put there.
    pub fn new(folder: &Path) -> Shelf {
        Shelf {
            folder: folder.join(ROOM),
            most_bytes: MOST_BYTES,
            is_written: AtomicBool::new(false),
        }
    }

    /// What was put under a digest.
    pub fn get(&self, key: &Digest) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.path(key)).ok()?;
        let start = bytes.len().checked_sub(32)?;
        let sum = bytes.split_off(start);
        (checksum(key, &bytes).bytes()[..] == sum[..]).then_some(bytes)
    }

    /// Puts something under a digest. It is not forced to the disk: what a crash of the machine leaves of it does not
    /// have its checksum.
    pub fn put(&self, key: &Digest, bytes: &[u8]) {
        let path = self.path(key);
        let write = || {
            make(&self.folder)?;
            let mut file = tempfile::Builder::new()
                .prefix(UNFINISHED)
                .tempfile_in(&self.folder)?;
            file.write_all(bytes)?;
            file.write_all(checksum(key, bytes).bytes())?;
            file.persist(&path).map_err(|error| error.error)
        };
        if write().is_ok() {
            self.is_written.store(true, Ordering::Relaxed);
        }
    }

    /// Takes the oldest files out when there are too many; looks only when something was put there.
    pub fn trim(&self) {
        if !self.is_written.swap(false, Ordering::Relaxed) {
            return;
        }
        let mut files = self.files();
        let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
        if total <= self.most_bytes {
            return;
        }
        files.sort();
        // Somewhat below the bound, so that not every run has to.
        for (_, size, path) in files {
            if total <= self.most_bytes / 4 * 3 {
                break;
            }
            if fs::remove_file(path).is_ok() {
                total -= size;
            }
        }
    }

    /// The files of the shelf, by age, with what killed runs left of theirs; whatever else is there is not ours.
    fn files(&self) -> Vec<(SystemTime, u64, PathBuf)> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_ours = name.starts_with(UNFINISHED) || Digest::from_hex(&name).is_some();
            if let Ok(metadata) = entry.metadata()
                && is_ours
                && metadata.is_file()
            {
                let age = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                files.push((age, metadata.len(), entry.path()));
            }
        }
        files
    }

    fn path(&self, key: &Digest) -> PathBuf {
        self.folder.join(key.hex())
    }
}

fn checksum(key: &Digest, bytes: &[u8]) -> Digest {
    let mut hasher = Hasher::new("evenkeel shelf 1");
    hasher.part(key.bytes()).part(bytes);
    hasher.finish()
}

/// Makes a folder that only its owner may look into.
fn make(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Digest {
        Digest::of("test", name.as_bytes())
    }

    #[test]
    fn what_was_cut_flipped_or_is_another_s_is_not_there_and_can_be_put_again() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(folder.path());
        assert_eq!(shelf.get(&key("a")), None);
        shelf.put(&key("a"), b"some bytes");
        shelf.put(&key("b"), b"other bytes");
        let path = shelf.path(&key("a"));
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            fs::write(&path, flipped).unwrap();
            assert_eq!(shelf.get(&key("a")), None, "flipped at {at}");
            fs::write(&path, &whole[..at]).unwrap();
            assert_eq!(shelf.get(&key("a")), None, "cut at {at}");
        }
        fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
        assert_eq!(shelf.get(&key("a")), None);
        fs::copy(shelf.path(&key("b")), &path).unwrap();
        assert_eq!(shelf.get(&key("a")), None);
        shelf.put(&key("a"), b"some bytes");
        assert_eq!(shelf.get(&key("a")).as_deref(), Some(&b"some bytes"[..]));
    }

    #[test]
    fn the_oldest_go_when_it_is_full_and_nothing_that_is_not_ours() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf {
            most_bytes: 1000,
            ..Shelf::new(folder.path())
        };
        let foreign = shelf.folder.join("theirs");
        fs::create_dir_all(foreign.parent().unwrap()).unwrap();
        fs::write(&foreign, [0; 2000]).unwrap();
        let put = |name: u64| {
            shelf.put(&key(&name.to_string()), &[0; 68]);
            let file = fs::File::options()
                .write(true)
                .open(shelf.path(&key(&name.to_string())))
                .unwrap();
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1000 + name);
            file.set_modified(time).unwrap();
        };
        (0..10).for_each(put);
        shelf.trim();
        assert_eq!(shelf.files().len(), 10);
        // What a killed run left is the oldest here.
        let left = shelf.path(&key("0")).with_file_name(".evenkeel-x");
        fs::write(&left, [0; 10]).unwrap();
        fs::File::options()
            .write(true)
            .open(&left)
            .unwrap()
            .set_modified(SystemTime::UNIX_EPOCH)
            .unwrap();
        put(10);
        shelf.trim();
        let kept: Vec<bool> = (0..11)
            .map(|name: u64| shelf.get(&key(&name.to_string())).is_some())
            .collect();
        assert_eq!(kept, [vec![false; 4], vec![true; 7]].concat());
        assert!(foreign.exists() && !left.exists());
        // Nothing was put there: nothing is looked at.
        fs::write(&left, [0; 2000]).unwrap();
        shelf.trim();
        assert!(left.exists());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_may_look_and_where_nothing_can_be_written_nothing_happens() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(&folder.path().join("new"));
        shelf.put(&key("a"), b"x");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder.path().join("new")), 0o700);
        assert_eq!(mode(&shelf.path(&key("a"))), 0o600);
        let nowhere = Shelf::new(&shelf.path(&key("a")));
        nowhere.put(&key("a"), b"x");
        nowhere.trim();
        assert_eq!(nowhere.get(&key("a")), None);
    }
}
