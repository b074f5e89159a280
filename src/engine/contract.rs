//! The contract between the main job and whatever renders: a job in, text out. Both engines, the native
//! one and the witness (the real `helm` binary), are reached through it and nothing else.

use super::cluster::ClusterState;
use super::history::History;
use crate::base::{Place, Problem};
use crate::dialect::Dialect;
pub use crate::layers::spec::{SetFlag, SetKind, ValuesInput};
use crate::source::SourceTree;
use crate::yaml::Parsed;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Everything that decides the output of one render.
#[derive(Clone)]
pub struct RenderJob {
    /// The side's files.
    pub tree: Arc<dyn SourceTree>,
    /// Path of the chart in the tree: a directory or a packaged `.tgz`.
    pub chart: String,
    /// Release name.
    pub release: String,
    /// Release namespace.
    pub namespace: String,
    /// Values files and inline maps (`-f`), lowest first.
    pub values: Vec<ValuesInput>,
    /// `--set` and its kin, in the order of the configuration. Helm applies them kind by kind
    /// (json, set, string, file, literal), whatever their order.
    pub set: Vec<SetFlag>,
    /// `--kube-version`; `None` leaves Helm's own default.
    pub kube_version: Option<String>,
    /// `--api-versions`, in order.
    pub api_versions: Vec<String>,
    /// `--include-crds`.
    pub include_crds: bool,
    /// `--is-upgrade`.
    pub is_upgrade: bool,
    /// `--no-hooks`.
    pub no_hooks: bool,
    /// `--skip-tests`.
    pub skip_tests: bool,
    /// `--skip-schema-validation`.
    pub skip_schema_validation: bool,
    /// Which Helm is imitated, or asked.
    pub dialect: Dialect,
    /// Asks for the history of the output, from an engine that has one.
    pub traced: bool,
    /// What `lookup` finds; `None` for no cluster, as `helm template` has none. The witness cannot do it.
    pub cluster: Option<Arc<ClusterState>>,
}

/// What a render gave.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    /// Standard output of `helm template`, byte for byte.
    pub output: Vec<u8>,
    /// Helm's warnings (its standard error on success), one per line, without log prefixes that carry a time.
    pub warnings: Vec<String>,
    /// Documents that were parsed on the way: their ranges of the output, in order, and their data. Never all of
    /// them; only for a traced job.
    pub parsed: Vec<(Range<usize>, Parsed)>,
    /// Where the bytes came from; only for a traced job, and only from an engine that knows.
    pub history: Option<Arc<History>>,
}

/// Why a render failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderFailure {
    /// Helm's own message where Helm has one, without the leading `Error: `.
    pub message: String,
    /// The chart or values file it names, when it names one; the file is a path of the side's tree.
    pub place: Option<Place>,
    /// The chain of includes that led there, outermost first.
    pub include_trace: Vec<String>,
    /// True when the fault is not the chart's but ours or the machine's (no helm binary, out of space): the
    /// run must not compare such a failure with one of the other side.
    pub internal: bool,
}

impl fmt::Display for RenderFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RenderFailure {}

/// Something that renders.
pub trait Engine: Send + Sync {
    /// `native` or `witness`.
    fn name(&self) -> &'static str;

    /// Tells, before any work, whether jobs of this dialect can be done.
    ///
    /// # Errors
    /// What is missing, and how to get it.
    fn ready(&self, dialect: Dialect) -> Result<(), Problem>;

    /// True when two renders of one job give the same bytes and say themselves what came from outside git;
    /// false when chance shows only by rendering twice.
    fn knows_ambient(&self) -> bool;

    /// Renders one job.
    ///
    /// # Errors
    /// When Helm would fail, or when this engine cannot do the job exactly.
    fn render(&self, job: &RenderJob) -> Result<Rendered, RenderFailure>;
}
