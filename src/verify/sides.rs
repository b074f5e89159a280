//! Opening the two sides: which tree, which configuration, and what the report says of them.

use super::request::Request;
use crate::base::Problem;
use crate::baseline::{Pin, Store};
use crate::plan::{self, Config};
use crate::report::model::{BaselineInfo, BaselineKind, CandidateInfo, CandidateKind};
use crate::source::{DirTree, Repository, Revision, SourceTree};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A tree with the configuration that reads it.
pub struct Opened {
    /// The side's files.
    pub tree: Arc<dyn SourceTree>,
    /// What reads it.
    pub config: Config,
}

/// The candidate, opened.
pub struct Candidate {
    /// The tree and its configuration.
    pub opened: Opened,
    /// What the report says of it.
    pub info: CandidateInfo,
    /// The repository it belongs to, if any.
    pub repository: Option<Repository>,
    /// Path of the configuration in the tree.
    pub config_path: String,
    /// The pins, beside the configuration.
    pub pins: Store,
}

/// The baseline, opened.
pub enum Baseline {
    /// Its files are there.
    Tree {
        /// The tree and its configuration.
        opened: Box<Opened>,
        /// The pin it was named by, to be checked against what is rendered.
        pin: Option<Pin>,
    },
    /// Only a pin's digests stand for it: its commit is not in this clone.
    Digests {
        /// The pin.
        pin: Pin,
        /// Why there is no more.
        why: Problem,
    },
}

const DIRECTORY: &str = "dir:";

/// Opens the candidate and reads its configuration.
///
/// # Errors
/// Every problem of the configuration, or why there is no tree.
pub fn candidate(request: &Request) -> Result<Candidate, Vec<Problem>> {
    let repository = Repository::discover(&request.directory);
    let one = |problem| vec![problem];
    let (tree, info, prefix): (Arc<dyn SourceTree>, _, String) = match request.candidate.as_deref() {
        Some(spec) if spec.starts_with(DIRECTORY) => {
            let root = request.directory.join(&spec[DIRECTORY.len()..]);
            let tree = DirTree::open(&root, "candidate directory").map_err(one)?;
            let info = CandidateInfo {
                kind: CandidateKind::Directory,
                sha: None,
                dirty: false,
            };
            (Arc::new(tree), info, String::new())
        }
        Some(spec) => {
            let repository = repository.as_ref().map_err(|problem| one(problem.clone()))?;
            let revision = repository
                .resolve(spec, None)
                .map_err(|error| one(error.problem))?;
            let tree = repository.tree(&revision, format!("candidate {}", revision.short));
            let info = CandidateInfo {
                kind: CandidateKind::Git,
                sha: Some(revision.sha),
                dirty: false,
            };
            (Arc::new(tree), info, repository.prefix().to_owned())
        }
        None => {
            let repository = repository.as_ref().map_err(|problem| one(problem.clone()))?;
            let tree = repository.work_tree("working tree").map_err(one)?;
            let head = repository.resolve("HEAD", None).ok();
            let dirty = repository.is_dirty().map_err(one)?;
            let info = CandidateInfo {
                kind: CandidateKind::Worktree,
                sha: head.map(|head| head.sha),
                dirty,
            };
            (Arc::new(tree), info, repository.prefix().to_owned())
        }
    };
    let root = match request
        .candidate
        .as_deref()
        .and_then(|spec| spec.strip_prefix(DIRECTORY))
    {
        Some(path) => Some(request.directory.join(path)),
        None => repository
            .as_ref()
            .ok()
            .map(|repository| repository.root().to_path_buf()),
    };
    let config_path = config_path(request, &*tree, root.as_deref(), &prefix).map_err(one)?;
    let mut config = plan::load(&*tree, &config_path)?;
    apply_flags(&mut config, request);
    let pins = pins(root.as_deref().unwrap_or(&request.directory), &config_path);
    let opened = Opened { tree, config };
    Ok(Candidate {
        opened,
        info,
        repository: repository.ok(),
        config_path,
        pins,
    })
}

/// Opens the baseline.
///
/// # Errors
/// Every problem of its configuration, or why there is no tree.
pub fn baseline(request: &Request, candidate: &Candidate) -> Result<(Baseline, BaselineInfo), Vec<Problem>> {
    let one = |problem| vec![problem];
    let requested = request.against.clone();
    if let Some(path) = request.against.strip_prefix(DIRECTORY) {
        let tree = DirTree::open(&request.directory.join(path), "baseline directory").map_err(one)?;
        let info = BaselineInfo {
            requested,
            kind: BaselineKind::Directory,
            sha: None,
            pin: None,
            by_digest: false,
        };
        let opened = Box::new(open(request, candidate, Arc::new(tree))?);
        return Ok((Baseline::Tree { opened, pin: None }, info));
    }
    let Some(repository) = &candidate.repository else {
        let problem = Problem::new("the baseline is a revision, and this is no git repository")
            .remedy("run inside the repository, or name a directory: `--against dir:PATH`");
        return Err(one(problem));
    };
    let pin = pin(request, candidate)?;
    let spec = pin
        .as_ref()
        .map_or(request.against.as_str(), |pin| pin.sha.as_str());
    let head = candidate
        .info
        .sha
        .as_deref()
        .and_then(|sha| repository.resolve(sha, None).ok());
    match (repository.resolve(spec, head.as_ref()), pin) {
        (Ok(revision), pin) => {
            let kind = if pin.is_some() {
                BaselineKind::Pin
            } else {
                BaselineKind::Git
            };
            let name = pin.as_ref().map(|pin| pin.name.clone());
            let tree = repository.tree(&revision, format!("baseline {}", revision.short));
            let info = BaselineInfo {
                requested,
                kind,
                sha: Some(revision.sha),
                pin: name,
                by_digest: false,
            };
            let opened = Box::new(open(request, candidate, Arc::new(tree))?);
            Ok((Baseline::Tree { opened, pin }, info))
        }
        (Err(error), Some(pin)) if error.absent => {
            let info = BaselineInfo {
                requested,
                kind: BaselineKind::Pin,
                sha: Some(pin.sha.clone()),
                pin: Some(pin.name.clone()),
                by_digest: true,
            };
            Ok((
                Baseline::Digests {
                    pin,
                    why: error.problem,
                },
                info,
            ))
        }
        (Err(error), _) => Err(one(error.problem)),
    }
}

/// Opens the revision that is to be pinned, read as a baseline is.
///
/// # Errors
/// Every problem of its configuration, or why there is no such revision.
pub fn revision(request: &Request, candidate: &Candidate) -> Result<(Opened, Revision), Vec<Problem>> {
    let Some(repository) = &candidate.repository else {
        return Err(vec![Problem::new(
            "only a revision of a git repository can be pinned",
        )]);
    };
    let revision = repository
        .resolve(&request.against, None)
        .map_err(|error| vec![error.problem])?;
    let tree = repository.tree(&revision, format!("baseline {}", revision.short));
    Ok((open(request, candidate, Arc::new(tree))?, revision))
}

/// The pin that `--against` names: a name without a file in baselines/ is a revision.
fn pin(request: &Request, candidate: &Candidate) -> Result<Option<Pin>, Vec<Problem>> {
    if candidate.pins.contains(&request.against) {
        candidate.pins.read(&request.against).map(Some)
    } else {
        Ok(None)
    }
}

/// The folder of the pins: beside the configuration.
fn pins(root: &Path, config_path: &str) -> Store {
    let shown = match config_path.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/baselines"),
        None => "baselines".to_owned(),
    };
    Store::new(root.join(&shown), shown)
}

/// Reads the baseline's tree with the configuration that is meant for it.
fn open(request: &Request, candidate: &Candidate, tree: Arc<dyn SourceTree>) -> Result<Opened, Vec<Problem>> {
    let mut config = if request.baseline_config_own {
        plan::load(&*tree, &candidate.config_path)?.own()
    } else {
        candidate.opened.config.clone()
    };
    // A plain directory may be a copy of the whole tree, or of the configuration's folder alone.
    if !config.directory.is_empty() && matches!(tree.entry(&config.directory), Ok(None)) {
        config.directory = "".into();
    }
    apply_flags(&mut config, request);
    Ok(Opened { tree, config })
}

fn apply_flags(config: &mut Config, request: &Request) {
    if let Some(version) = &request.kube_version {
        config.override_kube_version(version);
    }
    if let Some(dialect) = request.dialect {
        config.override_dialects(&[dialect]);
    }
    config.cluster.clone_from(&request.cluster);
}

/// Where the configuration stands in the candidate's tree.
fn config_path(
    request: &Request,
    tree: &dyn SourceTree,
    root: Option<&Path>,
    prefix: &str,
) -> Result<String, Problem> {
    if let Some(path) = &request.config {
        let given = request.directory.join(path);
        let absolute = lexical(&given.canonicalize().unwrap_or(given));
        let root = root.map(|root| lexical(&root.canonicalize().unwrap_or_else(|_| root.to_path_buf())));
        return match root.and_then(|root| absolute.strip_prefix(root).map(Path::to_path_buf).ok()) {
            Some(relative) => Ok(relative.to_string_lossy().into_owned()),
            None => Err(Problem::new(format!(
                "{} is not a file of the {}",
                path.display(),
                tree.label()
            ))
            .remedy("--config names a file of the candidate's tree")),
        };
    }
    let mut folder = prefix;
    loop {
        let path = if folder.is_empty() {
            plan::config::FILE_NAME.to_owned()
        } else {
            format!("{folder}/{}", plan::config::FILE_NAME)
        };
        if folder.is_empty() || matches!(tree.entry(&path), Ok(Some(_))) {
            return Ok(path);
        }
        folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
    }
}

/// The path without `.` and `..`, for a file that only exists in a revision.
fn lexical(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}
