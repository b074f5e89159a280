//! Files written whole or not at all: to a temporary name in the same directory, then renamed. A run that is
//! killed leaves at most a hidden `.evenkeel-*` file that nothing reads.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What to do about a file that is already there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Put the new one in its place.
    Replace,
    /// Fail with `AlreadyExists`, also when it appears in the meantime.
    Keep,
}

/// Writes a file, making the directories above it. A symbolic link is followed; what is no regular file (a pipe,
/// `/dev/stdout`) is written to as it stands.
///
/// # Errors
/// Those of the file system and of `fill`; then the file is as it was.
pub fn write(
    path: &Path,
    existing: Existing,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let metadata = fs::metadata(path);
    if let Ok(metadata) = &metadata {
        if existing == Existing::Keep {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() {
            let mut out = BufWriter::new(fs::OpenOptions::new().write(true).open(path)?);
            fill(&mut out)?;
            return out.flush();
        }
    }
    let target = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(directory)?;
    let mut file = temporary(directory)?;
    let mut out = BufWriter::new(file.as_file_mut());
    fill(&mut out)?;
    out.flush()?;
    drop(out);
    if let Ok(metadata) = metadata {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.as_file().sync_all()?;
    match existing {
        Existing::Replace => file.persist(&target).map_err(|error| error.error)?,
        Existing::Keep => file.persist_noclobber(&target).map_err(|error| error.error)?,
    };
    Ok(())
}

fn temporary(directory: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".evenkeel-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: readable for all, within the user's umask.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The name of the temporary file says nothing to anyone.
    builder.tempfile_in(directory).map_err(|error| {
        let kind = error.kind();
        io::Error::new(
            kind,
            format!("nothing can be written in {}: {kind}", directory.display()),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn a_failure_half_way_leaves_the_file_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        write(&path, Existing::Keep, |out| out.write_all(b"one")).unwrap();
        let failed = write(&path, Existing::Replace, |out| {
            out.write_all(b"two")?;
            Err(io::Error::other("no"))
        });
        assert!(failed.is_err());
        assert_eq!(text(&path), "one");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        let kept = write(&path, Existing::Keep, |out| out.write_all(b"two")).unwrap_err();
        assert_eq!(kept.kind(), io::ErrorKind::AlreadyExists);
        write(&path, Existing::Replace, |out| out.write_all(b"two")).unwrap();
        assert_eq!(text(&path), "two");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_modes_kept() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        fs::write(&file, "one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, Existing::Replace, |out| out.write_all(b"two")).unwrap();
        assert_eq!(text(&file), "two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        write(Path::new("/dev/null"), Existing::Replace, |out| {
            out.write_all(b"x")
        })
        .unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let directory = write(dir.path(), Existing::Replace, |_| Ok(())).unwrap_err();
        assert_eq!(directory.kind(), io::ErrorKind::IsADirectory);
    }
}
