//! `WorkTree`: the working tree as `git add --all` would commit it now: tracked files as they are on disk and
//! untracked files, without what git ignores. Line ends are read as git would store them (`line_ends`); no
//! other filter is applied. Files that a sparse checkout leaves out are read from the index.

use super::super::disk::{DiskEntry, holds_files, read_directory, read_file};
use super::super::store::{Cache, Entry, Listing, Store, join};
use super::super::tree::{EntryKind, SourceError};
use super::handles::Handles;
use super::index::{Index, unreadable_index};
use super::line_ends::as_stored;
use super::tree::{large_file, read_blob};
use crate::base::Problem;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The working tree of a repository.
pub struct WorkTree {
    label: String,
    root: PathBuf,
    handles: Arc<Handles>,
    index: Index,
    /// `core.fileMode`: whether the executable bit on disk means anything.
    trust_mode: bool,
    cache: Cache,
}

impl WorkTree {
    pub(super) fn new(handles: Arc<Handles>, root: PathBuf, label: String) -> Result<WorkTree, Problem> {
        let (index, trust_mode) = handles
            .with(|repository| {
                let trust_mode = repository.config()?.get_bool("core.filemode").unwrap_or(true);
                Ok((Index::read(repository)?, trust_mode))
            })
            .map_err(|error| unreadable_index(&error))?;
        Ok(WorkTree {
            label,
            root,
            handles,
            index,
            trust_mode,
            cache: Cache::default(),
        })
    }

    /// The directory on disk.
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn place(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// What git makes of something found on disk; `None` when it is not part of the tree.
    fn judge(&self, path: &str, found: DiskEntry) -> Result<Option<Entry>, SourceError> {
        let DiskEntry { mut entry, metadata } = found;
        let tracked = self.index.get(path);
        if entry.kind == EntryKind::Directory {
            return Ok(self.judge_directory(path)?.map(|kind| Entry { kind, ..entry }));
        }
        if tracked.is_none() && self.is_ignored(path)? {
            return Ok(None);
        }
        if let EntryKind::File { executable } = &mut entry.kind {
            if !self.trust_mode {
                *executable = tracked.is_some_and(|tracked| tracked.is_executable());
            }
            entry.id = tracked.and_then(|tracked| self.index.unchanged(tracked, &metadata));
        }
        Ok(Some(entry))
    }

    fn judge_directory(&self, path: &str) -> Result<Option<EntryKind>, SourceError> {
        if self.index.get(path).is_some_and(|tracked| tracked.is_submodule()) {
            return Ok(Some(EntryKind::Submodule));
        }
        let tracked = self.index.below(path);
        let is_there = |path: &[u8]| {
            std::str::from_utf8(path).is_ok_and(|path| self.place(path).symlink_metadata().is_ok())
        };
        if tracked.first().is_some_and(|first| is_there(first.path())) {
            return Ok(Some(EntryKind::Directory));
        }
        if tracked.is_empty() {
            if self.is_ignored(&format!("{path}/"))? {
                return Ok(None);
            }
            if self.place(path).join(".git").symlink_metadata().is_ok() {
                return Ok(Some(EntryKind::Submodule));
            }
        }
        if tracked.is_empty() && !holds_files(&self.place(path)) {
            return Ok(None);
        }
        Ok((!self.directory(path)?.is_empty()).then_some(EntryKind::Directory))
    }

    fn is_ignored(&self, path: &str) -> Result<bool, SourceError> {
        self.handles
            .with(|repository| repository.is_path_ignored(path))
            .map_err(|error| {
                SourceError::new(
                    path,
                    format!("cannot tell whether git ignores it: {}", error.message()),
                )
            })
    }

    /// What a sparse checkout leaves out of a directory.
    fn left_out(&self, directory: &str, present: &BTreeSet<Box<str>>) -> Result<Vec<Entry>, SourceError> {
        let mut entries: Vec<Entry> = Vec::new();
        let start = join(directory, "").len();
        for tracked in self
            .index
            .below(directory)
            .iter()
            .filter(|tracked| tracked.is_skipped())
        {
            let Ok(rest) = std::str::from_utf8(&tracked.path()[start..]) else {
                continue;
            };
            let (name, is_file) = rest
                .split_once('/')
                .map_or((rest, true), |(name, _)| (name, false));
            if present.contains(name) || entries.last().is_some_and(|last| &*last.name == name) {
                continue;
            }
            let kind = if !is_file {
                EntryKind::Directory
            } else if tracked.is_link() {
                let target = read_blob(&self.handles, &join(directory, name), tracked.id)?;
                EntryKind::Symlink(String::from_utf8_lossy(&target).into_owned())
            } else if tracked.is_submodule() {
                EntryKind::Submodule
            } else {
                EntryKind::File {
                    executable: tracked.is_executable(),
                }
            };
            entries.push(Entry {
                name: name.into(),
                kind,
                id: is_file.then_some(tracked.id),
                only_stored: true,
            });
        }
        Ok(entries)
    }
}

impl Store for WorkTree {
    fn label(&self) -> &str {
        &self.label
    }

    fn cache(&self) -> &Cache {
        &self.cache
    }

    fn load(&self, directory: &str) -> Result<Listing, SourceError> {
        let place = self.place(directory);
        let (found, unreadable) = if place.symlink_metadata().is_ok() {
            read_directory(&place, directory)?
        } else {
            Default::default()
        };
        let mut entries = Vec::with_capacity(found.len());
        for found in found {
            let path = join(directory, &found.entry.name);
            entries.extend(self.judge(&path, found)?);
        }
        let present = entries.iter().map(|entry| entry.name.clone()).collect();
        entries.extend(self.left_out(directory, &present)?);
        Ok(Listing::new(entries, unreadable))
    }

    fn bytes(&self, path: &str, entry: &Entry) -> Result<Arc<[u8]>, SourceError> {
        if let (true, Some(id)) = (entry.only_stored, entry.id) {
            return read_blob(&self.handles, path, id);
        }
        let content = read_file(&self.place(path), path)?;
        let stored = || {
            let id = self.index.get(path)?.id;
            read_blob(&self.handles, path, id)
                .ok()
                .map(|bytes| bytes.to_vec())
        };
        self.handles
            .with(|repository| as_stored(repository, path, content, stored))
            .map(Arc::from)
            .map_err(|error| SourceError::new(path, format!("cannot be read: {}", error.message())))
    }

    fn large_file(&self, oid: &str, size: u64) -> Option<Arc<[u8]>> {
        large_file(&self.handles, oid, size)
    }

    fn why_missing(&self, path: &str) -> Option<String> {
        let there = self.place(path).symlink_metadata().is_ok();
        (there && self.is_ignored(path).unwrap_or(false)).then(|| {
            " (it is on disk, but git ignores it: `git add --force` makes it part of the tree)".into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceTree;
    use crate::source::suite::Sandbox;

    fn names(tree: &WorkTree, directory: &str) -> Vec<String> {
        tree.list(directory)
            .unwrap()
            .into_iter()
            .map(|(name, _)| name)
            .collect()
    }

    #[test]
    fn holds_what_add_all_would_commit() {
        let sandbox = Sandbox::new();
        sandbox.write(".gitignore", "*.log\n/build/\n!keep.log\nnode_modules\n");
        sandbox.write("tracked", "1");
        sandbox.write("gone", "1");
        sandbox.write("build/tracked", "1");
        sandbox.write("only/gone", "1");
        sandbox.git(&["add", "--force", "build/tracked"]);
        sandbox.commit();
        sandbox.write("tracked", "2");
        sandbox.write("new/deep/file", "1");
        sandbox.write("a.log", "1");
        sandbox.write("keep.log", "1");
        sandbox.write("build/ignored", "1");
        sandbox.write("logs/x.log", "1");
        sandbox.write("web/.gitignore", "secret*\n");
        sandbox.write("web/secret.yaml", "1");
        sandbox.write("web/node_modules/x/y", "1");
        std::fs::remove_file(sandbox.path().join("gone")).unwrap();
        std::fs::remove_file(sandbox.path().join("only/gone")).unwrap();
        std::fs::create_dir_all(sandbox.path().join("empty/below")).unwrap();
        let tree = sandbox.work_tree();
        assert_eq!(
            names(&tree, ""),
            [".gitignore", "build", "keep.log", "new", "tracked", "web"]
        );
        assert_eq!(names(&tree, "build"), ["tracked"]);
        assert_eq!(names(&tree, "web"), [".gitignore"]);
        assert_eq!(&*tree.read("tracked").unwrap(), b"2");
        let error = tree.read("web/secret.yaml").unwrap_err();
        assert!(
            error.missing && error.message.contains("git ignores it"),
            "{error}"
        );

        let identity = tree.identity("").unwrap();
        sandbox.commit();
        assert_eq!(sandbox.head().identity("").unwrap(), identity);
    }

    #[test]
    fn a_change_within_the_time_stamp_of_the_index_is_seen() {
        let sandbox = Sandbox::new();
        sandbox.write("file", "one");
        sandbox.commit();
        let before = sandbox.work_tree().identity("file").unwrap();
        let place = sandbox.path().join("file");
        let stamp = std::fs::metadata(&place).unwrap().modified().unwrap();
        // same size, same time of modification: only the content tells
        std::fs::write(&place, "two").unwrap();
        std::fs::File::options()
            .write(true)
            .open(&place)
            .unwrap()
            .set_modified(stamp)
            .unwrap();
        assert_ne!(sandbox.work_tree().identity("file").unwrap(), before);
    }

    #[test]
    fn unchanged_files_are_not_read() {
        let sandbox = Sandbox::new();
        sandbox.write("file", "content");
        std::thread::sleep(std::time::Duration::from_millis(20));
        sandbox.commit();
        let tree = sandbox.work_tree();
        let listing = tree.directory("").unwrap();
        assert_eq!(
            listing.get("file").unwrap().id,
            Some(super::super::ObjectId::of_blob(b"content"))
        );
    }

    #[test]
    fn line_ends_that_a_checkout_made_are_no_change() {
        let sandbox = Sandbox::new();
        sandbox.write("values.yaml", "a: 1\nb: 2\n");
        sandbox.write("kept.yaml", "a: 1\r\n");
        sandbox.write("image.bin", "\0\r\n");
        sandbox.commit();
        let head = sandbox.head();
        sandbox.git(&["config", "core.autocrlf", "true"]);
        sandbox.write("values.yaml", "a: 1\r\nb: 2\r\n");
        sandbox.write("image.bin", "\0\r\n");
        let tree = sandbox.work_tree();
        assert_eq!(&*tree.read("values.yaml").unwrap(), b"a: 1\nb: 2\n");
        assert_eq!(&*tree.read("kept.yaml").unwrap(), b"a: 1\r\n");
        assert_eq!(tree.identity("").unwrap(), head.identity("").unwrap());

        sandbox.git(&["config", "core.autocrlf", "false"]);
        let tree = sandbox.work_tree();
        assert_eq!(&*tree.read("values.yaml").unwrap(), b"a: 1\r\nb: 2\r\n");
        sandbox.write(".gitattributes", "*.yaml text eol=crlf\nkept.yaml -text\n");
        let tree = sandbox.work_tree();
        assert_eq!(&*tree.read("values.yaml").unwrap(), b"a: 1\nb: 2\n");
        assert_eq!(&*tree.read("kept.yaml").unwrap(), b"a: 1\r\n");
        let identity = tree.identity("").unwrap();
        sandbox.commit();
        assert_eq!(sandbox.head().identity("").unwrap(), identity);
    }

    #[test]
    fn what_a_sparse_checkout_leaves_out_is_read_from_git() {
        let sandbox = Sandbox::new();
        sandbox.write("in/file", "1");
        sandbox.write("out/deep/file", "2");
        sandbox.write("out/other", "3");
        sandbox.commit();
        let head = sandbox.head();
        sandbox.git(&["sparse-checkout", "set", "in"]);
        assert!(!sandbox.path().join("out").exists());
        let tree = sandbox.work_tree();
        assert_eq!(names(&tree, "out"), ["deep", "other"]);
        assert_eq!(&*tree.read("out/deep/file").unwrap(), b"2");
        assert_eq!(tree.identity("").unwrap(), head.identity("").unwrap());
    }

    #[test]
    fn a_repository_inside_is_a_submodule_and_a_bit_git_does_not_trust_is_none() {
        let sandbox = Sandbox::new();
        sandbox.write("run", "1");
        sandbox.git(&["config", "core.fileMode", "false"]);
        sandbox.commit();
        sandbox.write("nested/file", "1");
        crate::source::suite::git_in(&sandbox.path().join("nested"), &["init", "--quiet"]);
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(sandbox.path().join("run"), mode).unwrap();
        let tree = sandbox.work_tree();
        assert_eq!(tree.entry("nested").unwrap(), Some(EntryKind::Submodule));
        assert_eq!(
            tree.entry("run").unwrap(),
            Some(EntryKind::File { executable: false })
        );
    }

    #[test]
    fn a_linked_worktree_and_a_conflict_are_read_from_disk() {
        let sandbox = Sandbox::new();
        sandbox.write("file", "base\n");
        sandbox.commit();
        let linked = tempfile::tempdir().unwrap();
        let place = linked.path().join("linked");
        sandbox.git(&[
            "worktree",
            "add",
            "--quiet",
            "-b",
            "other",
            place.to_str().unwrap(),
        ]);
        std::fs::write(place.join("file"), "theirs\n").unwrap();
        let repository = crate::source::Repository::discover(&place).unwrap();
        let tree = repository.work_tree("working tree").unwrap();
        assert_eq!(names(&tree, ""), ["file"]);
        assert_eq!(&*tree.read("file").unwrap(), b"theirs\n");
        crate::source::suite::git_in(&place, &["commit", "--quiet", "--all", "--message", "theirs"]);
        sandbox.write("file", "ours\n");
        sandbox.commit();
        let merge = std::process::Command::new("git")
            .arg("-C")
            .arg(sandbox.path())
            .args([
                "-c",
                "user.name=T",
                "-c",
                "user.email=t@example.com",
                "merge",
                "--quiet",
                "other",
            ])
            .output()
            .unwrap();
        assert!(!merge.status.success());
        let tree = sandbox.work_tree();
        assert!(tree.read("file").unwrap().starts_with(b"<<<<<<<"));
        assert_ne!(
            tree.identity("file").unwrap(),
            sandbox.head().identity("file").unwrap()
        );
    }
}
