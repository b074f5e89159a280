//! The index as a stat cache: which files git tracks, and which of them are surely unchanged on disk.

use super::object::ObjectId;
use crate::base::Problem;
use git2::{Error, IndexEntry, Repository};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// What git remembers of one tracked path.
pub(super) struct Tracked {
    path: Box<[u8]>,
    pub(super) id: ObjectId,
    mode: u32,
    modified: (i32, u32),
    changed: (i32, u32),
    inode: u32,
    size: u32,
    skipped: bool,
}

/// All tracked paths, sorted by bytes.
pub(super) struct Index {
    tracked: Vec<Tracked>,
    written: (i64, i64),
}

/// `GIT_INDEX_ENTRY_SKIP_WORKTREE` (libgit2 `git2/index.h`): a sparse checkout leaves the file out.
const SKIP_WORKTREE: u16 = 1 << 14;
/// The stage of an entry within its flags; anything but 0 is one side of a conflict.
const STAGE: u16 = 0x3000;

impl Index {
    /// Reads the index of a repository.
    pub(super) fn read(repository: &Repository) -> Result<Index, Error> {
        let index = repository.index()?;
        // taken before the entries are: an index written in between makes more entries racy, never fewer
        let written = index
            .path()
            .and_then(|path| path.metadata().ok())
            .map_or((0, 0), |found| (found.mtime(), found.mtime_nsec()));
        let mut index = index;
        index.read(true)?;
        let mut tracked: Vec<Tracked> = index.iter().map(Tracked::new).collect();
        tracked.sort_by(|a, b| a.path.cmp(&b.path));
        tracked.dedup_by(|a, b| a.path == b.path);
        Ok(Index { tracked, written })
    }

    /// The entry of exactly this path.
    pub(super) fn get(&self, path: &str) -> Option<&Tracked> {
        self.tracked
            .binary_search_by(|tracked| (*tracked.path).cmp(path.as_bytes()))
            .ok()
            .map(|position| &self.tracked[position])
    }

    /// The entries below a directory, in order of their paths.
    pub(super) fn below(&self, directory: &str) -> &[Tracked] {
        if directory.is_empty() {
            return &self.tracked;
        }
        let prefix = [directory.as_bytes(), b"/"].concat();
        let start = self.tracked.partition_point(|tracked| *tracked.path < *prefix);
        let count = self.tracked[start..].partition_point(|tracked| tracked.path.starts_with(&prefix));
        &self.tracked[start..start + count]
    }

    /// The id of a file whose content is surely what the index holds, by git's own rule: all of its stat data
    /// agree and it was last written before the index was (`ie_match_stat` and `is_racy_stat` of git's
    /// `read-cache.c`).
    pub(super) fn unchanged(&self, tracked: &Tracked, found: &Metadata) -> Option<ObjectId> {
        let same = tracked.mode & 0o170_000 == 0o100_000
            && !tracked.is_conflicted()
            && tracked.modified == (found.mtime() as i32, found.mtime_nsec() as u32)
            && tracked.changed == (found.ctime() as i32, found.ctime_nsec() as u32)
            && tracked.inode == found.ino() as u32
            && tracked.size == found.size() as u32;
        let racy = self.written <= (found.mtime(), found.mtime_nsec());
        (same && !racy).then_some(tracked.id)
    }
}

impl Tracked {
    fn new(entry: IndexEntry) -> Tracked {
        Tracked {
            id: entry.id.into(),
            mode: if entry.flags & STAGE == 0 { entry.mode } else { 0 },
            modified: (entry.mtime.seconds(), entry.mtime.nanoseconds()),
            changed: (entry.ctime.seconds(), entry.ctime.nanoseconds()),
            inode: entry.ino,
            size: entry.file_size,
            skipped: entry.flags_extended & SKIP_WORKTREE != 0,
            path: entry.path.into(),
        }
    }

    pub(super) fn path(&self) -> &[u8] {
        &self.path
    }

    fn is_conflicted(&self) -> bool {
        self.mode == 0
    }

    pub(super) fn is_submodule(&self) -> bool {
        self.mode == 0o160_000
    }

    pub(super) fn is_executable(&self) -> bool {
        self.mode == 0o100_755
    }

    pub(super) fn is_link(&self) -> bool {
        self.mode == 0o120_000
    }

    /// True for a path that a sparse checkout leaves out of the working tree.
    pub(super) fn is_skipped(&self) -> bool {
        self.skipped
    }
}

/// What to tell when the index, and with it the working tree, cannot be read.
pub(super) fn unreadable_index(error: &git2::Error) -> Problem {
    let problem = Problem::new(format!("the git index cannot be read: {}", error.message()));
    // libgit2 refuses what it does not know: split and sparse indexes
    problem.remedy(
        "`git update-index --no-split-index` and `git sparse-checkout reapply --no-sparse-index` bring the \
         index into a form that can be read",
    )
}
