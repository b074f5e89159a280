//! `Repository`: found from wherever the user stands.

use super::handles::Handles;
use super::revision::{self, Revision, RevisionError};
use super::tree::GitTree;
use super::worktree::WorkTree;
use crate::base::Problem;
use git2::{ErrorClass, ErrorCode, StatusOptions, StatusShow};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A git repository: ordinary, linked worktree or bare.
pub struct Repository {
    handles: Arc<Handles>,
    root: PathBuf,
    bare: bool,
    prefix: String,
}

impl Repository {
    /// Finds the repository a directory belongs to.
    ///
    /// # Errors
    /// When there is none, or git's own rules forbid reading it.
    pub fn discover(start: &Path) -> Result<Repository, Problem> {
        let repository = git2::Repository::discover(start).map_err(|error| not_found(start, &error))?;
        let bare = repository.workdir().is_none();
        let root = repository.workdir().unwrap_or_else(|| repository.path());
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        let start = start.canonicalize().unwrap_or_else(|_| start.to_path_buf());
        let prefix = match start.strip_prefix(&root) {
            Ok(prefix) if !bare => prefix.to_string_lossy().into_owned(),
            _ => String::new(),
        };
        Ok(Repository {
            handles: Arc::new(Handles::new(repository)),
            root,
            bare,
            prefix,
        })
    }

    /// The top directory of the working tree; of a bare repository, the repository itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The directory that holds the repository's own files.
    pub fn git_dir(&self) -> &Path {
        self.handles.git_dir()
    }

    /// True when there is no working tree.
    pub fn is_bare(&self) -> bool {
        self.bare
    }

    /// Where the user stands, relative to the root; empty at the root.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// True when the clone holds only part of the history.
    pub fn is_shallow(&self) -> bool {
        self.handles
            .with(|repository| Ok(revision::is_shallow(repository)))
            .unwrap_or(false)
    }

    /// Finds the commit that a branch, a tag, a full or short commit id, an expression such as `HEAD~1`, or
    /// `merge-base:REF` names. The merge base is that of REF and `head`, or of REF and `HEAD`.
    ///
    /// # Errors
    /// When there is no such commit, or this clone does not hold it.
    pub fn resolve(&self, spec: &str, head: Option<&Revision>) -> Result<Revision, RevisionError> {
        let head = head.map(Revision::oid);
        self.handles
            .with(|repository| Ok(revision::resolve(repository, spec, head)))
            .unwrap_or_else(|error| {
                Err(RevisionError {
                    problem: Problem::new(format!("the repository cannot be read: {}", error.message())),
                    absent: false,
                })
            })
    }

    /// The files of a commit.
    pub fn tree(&self, revision: &Revision, label: impl Into<String>) -> GitTree {
        GitTree::new(self.handles.clone(), revision, label.into())
    }

    /// The working tree as `git add --all` would commit it now.
    ///
    /// # Errors
    /// When the repository is bare, or its index cannot be read.
    pub fn work_tree(&self, label: impl Into<String>) -> Result<WorkTree, Problem> {
        if self.bare {
            let message = format!(
                "{} is a bare repository: it has no working tree",
                self.root.display()
            );
            return Err(Problem::new(message).remedy("name two revisions: `--against REV --candidate REV`"));
        }
        WorkTree::new(self.handles.clone(), self.root.clone(), label.into())
    }

    /// True when the working tree or the index differ from `HEAD`, untracked files included.
    ///
    /// # Errors
    /// When the repository cannot be read.
    pub fn is_dirty(&self) -> Result<bool, Problem> {
        if self.bare {
            return Ok(false);
        }
        let mut options = StatusOptions::new();
        options
            .show(StatusShow::IndexAndWorkdir)
            .include_untracked(true)
            .exclude_submodules(true);
        self.handles
            .with(|repository| Ok(!repository.statuses(Some(&mut options))?.is_empty()))
            .map_err(|error| {
                Problem::new(format!(
                    "the state of the working tree cannot be read: {}",
                    error.message()
                ))
            })
    }
}

fn not_found(start: &Path, error: &git2::Error) -> Problem {
    let start = start.display();
    if error.code() == ErrorCode::Owner {
        return Problem::new(format!(
            "{start}: git refuses to read a repository of another user"
        ))
        .remedy(format!(
            "allow it with `git config --global --add safe.directory {start}`"
        ));
    }
    if error.code() == ErrorCode::NotFound && error.class() == ErrorClass::Repository {
        return Problem::new(format!("{start} is not inside a git repository"))
            .remedy("run evenkeel in a clone, or compare two directories with `dir:PATH`");
    }
    let problem = Problem::new(format!(
        "{start}: the git repository cannot be opened: {}",
        error.message()
    ));
    if error.message().contains("partialclone") {
        return problem.remedy(
            "partial clones (`--filter`) cannot be read; clone without a filter, a shallow clone is fine",
        );
    }
    problem.remedy("check it with `git status`")
}
