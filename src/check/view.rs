//! What checks see.

use super::{Footprint, LayeredValues};
use crate::base::{Side, Sides};
use crate::chart::Chart;
use crate::compare::CellComparison;
use crate::dialect::Dialect;
use crate::engine::{History, RenderFailure, RenderJob, Rendered};
use crate::manifest::{DocumentId, Manifest};
use std::sync::Arc;

/// Renders a job once more, with the engine of the run.
pub type Again<'a> = &'a (dyn Fn(&RenderJob) -> Result<Rendered, RenderFailure> + Sync);

/// One side of a cell that is made from a chart.
#[derive(Clone, Copy)]
pub struct ChartView<'a> {
    /// The side.
    pub side: Side,
    /// Everything that decides the output.
    pub job: &'a RenderJob,
    /// The chart, with all its subcharts, enabled or not.
    pub chart: &'a Arc<Chart>,
    /// Renders another job, to prove a claim.
    pub again: Again<'a>,
    /// True when one side is looked at for itself.
    pub is_audit: bool,
    /// The other Helms that were asked for besides the job's own.
    pub other_dialects: &'a [Dialect],
    /// The values as written, over each other, and in the end; for all checks of this side.
    pub layered: &'a LayeredValues,
}

/// One side of a cell.
#[derive(Clone, Copy)]
pub struct SideView<'a> {
    /// The side.
    pub side: Side,
    /// The documents.
    pub manifest: &'a Manifest,
    /// The chart; `None` for raw manifests.
    pub chart: Option<ChartView<'a>>,
    /// Where the documents came from, when the engine knows.
    pub history: Option<&'a History>,
    /// The cluster version the cell is meant for, when one is pinned.
    pub kube_version: Option<&'a str>,
}

/// Both sides of a cell, compared.
#[derive(Clone, Copy)]
pub struct CellView<'a> {
    /// Each side; `None` where the release does not exist.
    pub sides: &'a Sides<Option<SideView<'a>>>,
    /// What differs.
    pub comparison: &'a CellComparison,
}

/// A release of a platform, after all of them were rendered.
pub struct PlatformCell<'a> {
    /// The release's id.
    pub release: &'a str,
    /// Its name, per side; `None` where the release does not exist.
    pub names: Sides<Option<&'a str>>,
    /// True for one of several settings of a chart that are not installed together.
    pub variant: bool,
    /// What its documents provide and refer to; `None` where the release does not exist or failed.
    pub footprints: Sides<Option<&'a Footprint>>,
    /// What differs; `None` when a side failed, and in an audit.
    pub comparison: Option<&'a CellComparison>,
}

/// All releases of a platform.
pub struct PlatformView<'a> {
    /// The releases, in the order of the plan.
    pub cells: Vec<PlatformCell<'a>>,
    /// True when one side is looked at for itself; the cells then have a candidate only.
    pub is_audit: bool,
    /// True when only some of the releases were selected, so that absence proves nothing.
    pub is_selection: bool,
    /// The pattern that protects a name, when one does.
    pub protects: &'a (dyn Fn(&DocumentId) -> Option<String> + Sync),
}

impl CellView<'_> {
    /// The candidate, else the baseline.
    pub fn told(&self) -> Option<&SideView<'_>> {
        self.sides.candidate.as_ref().or(self.sides.baseline.as_ref())
    }
}
