//! What the main job is asked to do, free of any command line.

use crate::base::Level;
use crate::dialect::Dialect;
use crate::engine::cluster::ClusterState;
use crate::manifest::Rules;
use crate::plan::select::Selection;
use crate::report::outcome::Policy;
use std::path::PathBuf;
use std::sync::Arc;

/// A verification.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where the user stands.
    pub directory: PathBuf,
    /// The baseline: a revision, `merge-base:REF`, the name of a pin, or `dir:PATH`.
    pub against: String,
    /// The candidate: a revision or `dir:PATH`; the working tree where absent.
    pub candidate: Option<String>,
    /// The configuration; the nearest one at or above the directory where absent.
    pub config: Option<PathBuf>,
    /// Reads the baseline with its own configuration instead of the candidate's.
    pub baseline_config_own: bool,
    /// Which cells.
    pub selection: Selection,
    /// Stands above every configured cluster version, on both sides.
    pub kube_version: Option<String>,
    /// Stands above every configured Helm version, on both sides.
    pub dialect: Option<Dialect>,
    /// What `lookup` sees on both sides; nothing where absent.
    pub cluster: Option<Arc<ClusterState>>,
    /// The canonical rules in force.
    pub rules: Rules,
    /// Strictness; `fail_on` of the configuration holds where the command line says nothing.
    pub policy: Policy,
    /// Levels of checks that the command line chose.
    pub levels: Vec<(String, Level)>,
    /// True when the command line set `fail_on`.
    pub fail_on_given: bool,
    /// Keeps the values of secrets for a terminal that was asked to show them.
    pub keep_secrets: bool,
    /// Cells rendered at once; 0 for one per core.
    pub jobs: usize,
    /// Where to keep what is known of cells from one run to the next; nowhere where absent.
    pub cache: Option<PathBuf>,
    /// Today, `YYYY-MM-DD`: an acceptance may be good until a day.
    pub today: String,
}
