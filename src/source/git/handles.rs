//! Open repositories for many threads: a `git2::Repository` may move between threads but not be shared, so
//! each piece of work takes one that is idle or opens another.

use git2::{Error, Repository};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub(super) struct Handles {
    git_dir: PathBuf,
    idle: Mutex<Vec<Repository>>,
}

impl Handles {
    pub(super) fn new(first: Repository) -> Handles {
        Handles {
            git_dir: first.path().to_path_buf(),
            idle: Mutex::new(vec![first]),
        }
    }

    pub(super) fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Does a piece of work with a repository of its own.
    pub(super) fn with<R>(&self, work: impl FnOnce(&Repository) -> Result<R, Error>) -> Result<R, Error> {
        let taken = self.lock().pop();
        let repository = match taken {
            Some(repository) => repository,
            None => Repository::open(&self.git_dir)?,
        };
        let result = work(&repository);
        self.lock().push(repository);
        result
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Repository>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
