//! From what a user types to a commit, and from a failure to what to do about it.

use crate::base::Problem;
use git2::{BranchType, Error, ErrorCode, Oid, Repository};
use std::fmt;

/// A commit, and how it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// What the user typed.
    pub spec: String,
    /// The full commit id.
    pub sha: String,
    /// A short commit id that names no other object of this clone.
    pub short: String,
    /// The id of the commit's root directory.
    pub tree: String,
}

impl Revision {
    pub(super) fn tree_oid(&self) -> Oid {
        Oid::from_str(&self.tree).expect("a revision holds an object id in hex")
    }

    pub(super) fn oid(&self) -> Oid {
        Oid::from_str(&self.sha).expect("a revision holds an object id in hex")
    }
}

/// Why there is no commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionError {
    /// What to tell the user.
    pub problem: Problem,
    /// True when the commit may well exist but this clone does not hold it: a full id that is not there, or
    /// history that a shallow clone cuts off.
    pub absent: bool,
}

impl fmt::Display for RevisionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem.fmt(f)
    }
}

impl std::error::Error for RevisionError {}

const MERGE_BASE: &str = "merge-base:";

/// Finds the commit a specification names. `merge-base:REF` is the merge base of REF and `head` (`HEAD` where
/// none is given).
pub(super) fn resolve(
    repository: &Repository,
    spec: &str,
    head: Option<Oid>,
) -> Result<Revision, RevisionError> {
    let oid = match spec.strip_prefix(MERGE_BASE) {
        None => commit(repository, spec)?,
        Some(reference) => {
            let head = match head {
                Some(head) => head,
                None => commit(repository, "HEAD")?,
            };
            merge_base(repository, reference, head)?
        }
    };
    describe(repository, spec, oid).map_err(|error| unknown(repository, spec, &error))
}

fn describe(repository: &Repository, spec: &str, oid: Oid) -> Result<Revision, Error> {
    let commit = repository.find_commit(oid)?;
    let short = commit.as_object().short_id()?;
    Ok(Revision {
        spec: spec.to_string(),
        sha: oid.to_string(),
        short: String::from_utf8_lossy(&short).into_owned(),
        tree: commit.tree_id().to_string(),
    })
}

fn commit(repository: &Repository, spec: &str) -> Result<Oid, RevisionError> {
    let object = repository
        .revparse_single(spec)
        .map_err(|error| unknown(repository, spec, &error))?;
    object.peel_to_commit().map(|commit| commit.id()).map_err(|_| {
        let kind = object.kind().map_or("something else", |kind| kind.str());
        RevisionError {
            problem: Problem::new(format!("`{spec}` is a {kind}, not a commit"))
                .remedy("name a commit, a branch or a tag"),
            absent: false,
        }
    })
}

fn merge_base(repository: &Repository, reference: &str, head: Oid) -> Result<Oid, RevisionError> {
    let other = commit(repository, reference)?;
    repository.merge_base(head, other).map_err(|_| {
        let message = format!("HEAD and `{reference}` have no common ancestor");
        if is_shallow(repository) {
            RevisionError {
                problem: Problem::new(format!("{message} in this shallow clone")).remedy(
                    "fetch more history: `git fetch --unshallow` (in CI: `fetch-depth: 0` for \
                     actions/checkout, `GIT_DEPTH: 0` for GitLab), or name the commit itself",
                ),
                absent: true,
            }
        } else {
            RevisionError {
                problem: Problem::new(message).remedy("name the commit itself"),
                absent: false,
            }
        }
    })
}

/// The file is in the common directory, also for a linked worktree, where libgit2 does not look.
pub(super) fn is_shallow(repository: &Repository) -> bool {
    repository
        .commondir()
        .join("shallow")
        .metadata()
        .is_ok_and(|found| found.len() > 0)
}

/// Tells why a specification gave no object.
fn unknown(repository: &Repository, spec: &str, error: &Error) -> RevisionError {
    let shallow = is_shallow(repository);
    let clone = if shallow { "shallow clone" } else { "clone" };
    let remote = remote(repository);
    let hex = spec.len() >= 7 && spec.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (message, remedy, absent) = match error.code() {
        ErrorCode::Ambiguous => (
            format!("`{spec}` is short for several objects"),
            "give more of its digits".to_string(),
            false,
        ),
        ErrorCode::NotFound if hex && spec.len() == 40 => {
            let fetch = format!("fetch it with `git fetch --depth=1 {remote} {spec}`");
            let all = if shallow {
                ", or all history with `git fetch --unshallow`"
            } else {
                ""
            };
            (format!("commit {spec} is not in this {clone}"), fetch + all, true)
        }
        ErrorCode::NotFound if hex && shallow => (
            format!("commit {spec} is not in this {clone}"),
            format!(
                "fetch it by its full id, `git fetch --depth=1 {remote} <all 40 digits>`, or all history with \
                 `git fetch --unshallow`"
            ),
            true,
        ),
        ErrorCode::NotFound if shallow && spec.contains(['~', '^']) => (
            format!("`{spec}` names nothing that this {clone} holds"),
            "if it reaches behind what was fetched, fetch more: `git fetch --unshallow`".to_string(),
            true,
        ),
        ErrorCode::NotFound | ErrorCode::UnbornBranch if spec == "HEAD" => (
            "HEAD names no commit yet".to_string(),
            "commit something first".to_string(),
            false,
        ),
        ErrorCode::NotFound | ErrorCode::InvalidSpec | ErrorCode::UnbornBranch => (
            format!("`{spec}` names no commit, branch or tag in this {clone}"),
            unknown_name(repository, spec, &remote),
            false,
        ),
        _ => (
            format!("`{spec}` cannot be resolved to a commit: {}", error.message()),
            "check the repository with `git fsck`".to_string(),
            false,
        ),
    };
    RevisionError {
        problem: Problem::new(message).remedy(remedy),
        absent,
    }
}

fn unknown_name(repository: &Repository, spec: &str, remote: &str) -> String {
    let fetch = format!("`git fetch {remote} {spec}:refs/remotes/{remote}/{spec}`");
    match nearest(repository, spec).as_slice() {
        [] => format!("if it is a branch of `{remote}`, fetch it: {fetch}"),
        [name] => format!("did you mean {name}?"),
        names => format!("the nearest names are {}", names.join(", ")),
    }
}

/// The remote to fetch from: `origin`, or whatever there is.
fn remote(repository: &Repository) -> String {
    let names = repository.remotes();
    let names: Vec<&str> = names
        .iter()
        .flat_map(|names| names.iter().flatten().flatten())
        .collect();
    let origin = names.iter().find(|name| **name == "origin");
    origin.or(names.first()).map_or("origin", |name| name).to_string()
}

/// Up to three branches or tags whose names come near.
fn nearest(repository: &Repository, spec: &str) -> Vec<String> {
    let name = spec.split(['~', '^', '@', ':']).next().unwrap_or(spec);
    let mut known: Vec<String> = Vec::new();
    for kind in [BranchType::Local, BranchType::Remote] {
        for (branch, _) in repository.branches(Some(kind)).into_iter().flatten().flatten() {
            known.extend(branch.name().ok().flatten().map(str::to_string));
        }
    }
    if let Ok(tags) = repository.tag_names(None) {
        known.extend(tags.iter().flatten().flatten().map(str::to_string));
    }
    let mut near: Vec<(u32, String)> = known
        .into_iter()
        .filter_map(|candidate| {
            let last = candidate.rsplit('/').next().unwrap_or(&candidate);
            let likeness = strsim::jaro_winkler(name, &candidate).max(strsim::jaro_winkler(name, last));
            let distance = ((1.0 - likeness) * 1000.0) as u32;
            (likeness > 0.8).then_some((distance, candidate))
        })
        .collect();
    near.sort();
    near.truncate(3);
    near.into_iter().map(|(_, name)| format!("`{name}`")).collect()
}
