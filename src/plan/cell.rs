//! `Cell`: one release on one platform, with everything that decides its output but the dialect.

use crate::base::Place;
use crate::dialect::Dialect;
use crate::engine::cluster::ClusterState;
use crate::engine::{RenderJob, SetFlag, ValuesInput};
use crate::source::SourceTree;
use std::sync::Arc;

/// One release on one platform of one side.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What pairs the two sides, together with the platform.
    pub id: Arc<str>,
    /// The platform; `None` when the configuration names none.
    pub platform: Option<Arc<str>>,
    /// Release name.
    pub name: Arc<str>,
    /// Release namespace.
    pub namespace: Arc<str>,
    /// What is rendered.
    pub input: Input,
    /// The pinned cluster version; `None` when nobody said one.
    pub kube_version: Option<String>,
    /// What `lookup` finds; `None` for no cluster.
    pub cluster: Option<Arc<ClusterState>>,
    /// True when a render that fails alike on both sides is no reason to stop.
    pub may_fail: bool,
    /// True for one of several settings of a chart (`forEach`): they are tried out, not installed together.
    pub variant: bool,
    /// Where the release is defined.
    pub place: Place,
}

/// What a cell is made from.
#[derive(Clone, Debug)]
pub enum Input {
    /// A chart with its values.
    Chart(ChartInput),
    /// Raw YAML files of the tree, in order of their paths.
    Manifests(Vec<String>),
}

/// A chart with its values.
#[derive(Clone, Debug)]
pub struct ChartInput {
    /// Path of the chart in the tree: a directory or a packaged `.tgz`.
    pub path: String,
    /// Values, lowest first; files that are optional and missing are left out already.
    pub values: Vec<ValuesInput>,
    /// `--set` and its kin.
    pub set: Vec<SetFlag>,
    /// `--api-versions`, in order.
    pub api_versions: Vec<String>,
    /// Switches of `helm template`.
    pub flags: Flags,
}

/// Switches of `helm template`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
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
}

impl Cell {
    /// The chart's path, or the first manifest's folder: what a report calls the source of the cell.
    pub fn source(&self) -> &str {
        match &self.input {
            Input::Chart(chart) => &chart.path,
            Input::Manifests(paths) => paths.first().map_or("", |path| super::path::parent(path)),
        }
    }

    /// `release@platform`, or the id alone without platforms: how a selector names the cell.
    pub fn label(&self) -> String {
        match &self.platform {
            Some(platform) => format!("{}@{platform}", self.id),
            None => self.id.to_string(),
        }
    }

    /// What an engine needs to render the cell; `None` for raw manifests, which need no engine.
    pub fn job(&self, tree: Arc<dyn SourceTree>, dialect: Dialect) -> Option<RenderJob> {
        let Input::Chart(chart) = &self.input else {
            return None;
        };
        Some(RenderJob {
            tree,
            chart: chart.path.clone(),
            release: self.name.to_string(),
            namespace: self.namespace.to_string(),
            values: chart.values.clone(),
            set: chart.set.clone(),
            kube_version: self.kube_version.clone(),
            api_versions: chart.api_versions.clone(),
            include_crds: chart.flags.include_crds,
            is_upgrade: chart.flags.is_upgrade,
            no_hooks: chart.flags.no_hooks,
            skip_tests: chart.flags.skip_tests,
            skip_schema_validation: chart.flags.skip_schema_validation,
            dialect,
            traced: false,
            cluster: self.cluster.clone(),
        })
    }
}
