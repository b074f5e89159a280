//! `Repository`: found from wherever the user stands.

use super::handles::Handles;
use super::index::unreadable_index;
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
            .map_err(|error| unreadable_index(&error))
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
    if ["extension", "object format"]
        .iter()
        .any(|words| error.message().contains(words))
    {
        // libgit2 knows neither partial clones nor reftables nor SHA-256
        return problem.remedy(
            "clone it in git's plain format: without `--filter` (a shallow clone is fine), with SHA-1 ids and \
             refs in files",
        );
    }
    problem.remedy("check it with `git status`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceTree;
    use crate::source::suite::{Sandbox, git_in};

    fn history() -> (Sandbox, [String; 3]) {
        let sandbox = Sandbox::new();
        let shas = ["1", "2", "3"].map(|content| {
            sandbox.write("deploy/file", content);
            sandbox.commit()
        });
        (sandbox, shas)
    }

    /// A clone with only the newest commit.
    fn shallow(origin: &Sandbox) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("file://{}", origin.path().display());
        git_in(folder.path(), &["clone", "--quiet", "--depth=1", &url, "."]);
        folder
    }

    #[test]
    fn names_lead_to_commits() {
        let (sandbox, [first, second, third]) = history();
        sandbox.git(&["tag", "v1", &first]);
        sandbox.git(&["tag", "--annotate", "--message", "two", "v2", &second]);
        sandbox.git(&["branch", "side", &second]);
        let repository = sandbox.repository();
        let sha = |spec: &str| repository.resolve(spec, None).unwrap().sha;
        for (spec, expected) in [
            ("HEAD", &third),
            ("main", &third),
            ("HEAD~1", &second),
            ("v1", &first),
            ("v2", &second),
            ("side", &second),
            (first.as_str(), &first),
            (&first[..8], &first),
            ("main^{/state}", &third),
            ("merge-base:side", &second),
        ] {
            assert_eq!(sha(spec), *expected, "{spec}");
        }
        let head = repository.resolve("v1", None).unwrap();
        assert_eq!(
            repository.resolve("merge-base:main", Some(&head)).unwrap().sha,
            first
        );
        assert!(first.starts_with(&head.short) && head.short.len() >= 7);
        assert_eq!(head.tree, sandbox.git(&["rev-parse", "v1^{tree}"]));
        assert_eq!(
            &*repository.tree(&head, "baseline").read("deploy/file").unwrap(),
            b"1"
        );
    }

    #[test]
    fn a_repository_is_found_from_below_and_without_a_working_tree() {
        let (sandbox, [_, _, third]) = history();
        let below = Repository::discover(&sandbox.path().join("deploy")).unwrap();
        assert_eq!(below.prefix(), "deploy");
        assert_eq!(below.root(), sandbox.path().canonicalize().unwrap());
        let bare = tempfile::tempdir().unwrap();
        let from = sandbox.path().to_str().unwrap();
        git_in(bare.path(), &["clone", "--quiet", "--bare", from, "."]);
        let bare = Repository::discover(bare.path()).unwrap();
        assert!(bare.is_bare());
        assert_eq!(bare.resolve("main", None).unwrap().sha, third);
        let problem = bare.work_tree("x").err().unwrap().to_string();
        assert!(
            problem.contains("bare repository") && problem.contains("--candidate"),
            "{problem}"
        );
    }

    #[test]
    fn dirt_is_seen() {
        let (sandbox, _) = history();
        let repository = sandbox.repository();
        assert!(!repository.is_dirty().unwrap());
        sandbox.write("new", "");
        assert!(repository.is_dirty().unwrap());
        sandbox.git(&["add", "new"]);
        assert!(repository.is_dirty().unwrap());
    }

    #[test]
    fn no_repository_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let problem = Repository::discover(folder.path()).err().unwrap().to_string();
        assert!(problem.contains("not inside a git repository") && problem.contains("dir:PATH"));
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        let (sandbox, [first, ..]) = history();
        sandbox.git(&["branch", "feature/postgres"]);
        sandbox.git(&["tag", "release-1.2"]);
        let repository = sandbox.repository();
        let told = |spec: &str| repository.resolve(spec, None).unwrap_err();
        assert!(told("postgress").to_string().contains("`feature/postgres`"));
        assert!(told("release-12").to_string().contains("`release-1.2`"));
        assert!(told("mian").to_string().contains("`main`"));
        assert!(!told("mian").absent);
        let absent = told(&first.replace(|c: char| c.is_ascii_digit(), "0"));
        assert!(
            absent.absent && absent.to_string().contains("git fetch --depth=1 origin"),
            "{absent}"
        );
        assert!(told("mian").to_string().contains("did you mean `main`?"));
        let of_file = told("main:deploy/file").to_string();
        assert!(of_file.contains("is a blob, not a commit"), "{of_file}");
    }

    #[test]
    fn a_shallow_clone_says_how_to_fetch_what_it_lacks() {
        let (origin, [first, _, third]) = history();
        origin.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
        origin.write("other", "");
        origin.commit();
        origin.git(&["checkout", "--quiet", "main"]);
        let clone = shallow(&origin);
        git_in(
            clone.path(),
            &[
                "fetch",
                "--quiet",
                "--depth=1",
                "origin",
                "side:refs/remotes/origin/side",
            ],
        );
        let linked = clone.path().join("linked");
        git_in(
            clone.path(),
            &["worktree", "add", "--quiet", "--detach", linked.to_str().unwrap()],
        );
        for place in [clone.path(), &linked] {
            let repository = Repository::discover(place).unwrap();
            assert!(repository.is_shallow());
            assert_eq!(repository.resolve("HEAD", None).unwrap().sha, third);
            let told = |spec: &str| repository.resolve(spec, None).unwrap_err();
            let error = told(&first);
            assert!(error.absent, "{error}");
            assert!(
                error
                    .to_string()
                    .contains(&format!("git fetch --depth=1 origin {first}")),
                "{error}"
            );
            let error = told(&first[..10]);
            assert!(
                error.absent && error.to_string().contains("all 40 digits"),
                "{error}"
            );
            let error = told("HEAD~1");
            assert!(
                error.absent && error.to_string().contains("--unshallow"),
                "{error}"
            );
            let error = told("merge-base:origin/side");
            assert!(
                error.absent && error.to_string().contains("no common ancestor"),
                "{error}"
            );
            let error = told("nothing-like-it").to_string();
            assert!(error.contains("git fetch origin nothing-like-it"), "{error}");
        }
        git_in(clone.path(), &["fetch", "--quiet", "--depth=1", "origin", &first]);
        let repository = Repository::discover(clone.path()).unwrap();
        assert_eq!(repository.resolve(&first, None).unwrap().sha, first);
    }

    #[test]
    fn a_repository_without_a_commit_says_so() {
        let sandbox = Sandbox::new();
        let told = sandbox
            .repository()
            .resolve("HEAD", None)
            .unwrap_err()
            .to_string();
        assert!(told.contains("HEAD names no commit yet"), "{told}");
        sandbox.write("file", "1");
        assert_eq!(&*sandbox.work_tree().read("file").unwrap(), b"1");
        assert!(sandbox.repository().is_dirty().unwrap());
    }

    #[test]
    fn what_libgit2_cannot_read_is_refused_with_a_reason() {
        let (sandbox, _) = history();
        sandbox.git(&["config", "core.repositoryFormatVersion", "1"]);
        sandbox.git(&["config", "extensions.partialClone", "origin"]);
        let told = Repository::discover(sandbox.path()).err().unwrap().to_string();
        assert!(told.contains("without `--filter`"), "{told}");
        let (sandbox, _) = history();
        sandbox.git(&["update-index", "--split-index"]);
        let repository = sandbox.repository();
        for problem in [
            repository.work_tree("x").err().unwrap(),
            repository.is_dirty().unwrap_err(),
        ] {
            assert!(problem.to_string().contains("--no-split-index"), "{problem}");
        }
    }

    #[test]
    fn nothing_is_written() {
        let (sandbox, _) = history();
        sandbox.write("deploy/file", "changed\r\n");
        let state = || {
            let files = walkdir::WalkDir::new(sandbox.path()).sort_by_file_name();
            let state = files.into_iter().flatten().map(|entry| {
                let found = entry.metadata().unwrap();
                (entry.into_path(), found.modified().unwrap(), found.len())
            });
            state.collect::<Vec<_>>()
        };
        let before = state();
        let repository = sandbox.repository();
        repository.is_dirty().unwrap();
        let head = repository.resolve("merge-base:main", None).unwrap();
        repository.tree(&head, "baseline").identity("").unwrap();
        let tree = repository.work_tree("working tree").unwrap();
        tree.identity("").unwrap();
        tree.read("deploy/file").unwrap();
        assert_eq!(state(), before);
    }
}
