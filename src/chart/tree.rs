//! `Chart`: a loaded chart with its subcharts. Immutable and shared by all cells that render it; enabling,
//! aliases and import-values happen on a cell's own copy (room `layers`).

use super::metadata::Metadata;
use super::values::WrittenDocument;
use std::sync::Arc;

/// A file of a chart.
#[derive(Clone, Debug)]
pub struct ChartFile {
    /// Path relative to the chart's root, `/`-separated.
    pub name: String,
    /// The bytes, without a leading byte order mark.
    pub data: Arc<[u8]>,
}

/// A chart.
#[derive(Debug)]
pub struct Chart {
    /// Chart.yaml, overlaid with requirements.yaml where there is one.
    pub metadata: Metadata,
    /// The documents of values.yaml in order (one in Helm 3, all in Helm 4); `None` without the file.
    pub values: Option<Vec<WrittenDocument>>,
    /// values.schema.json.
    pub schema: Option<Arc<[u8]>>,
    /// Everything below templates/, in load order.
    pub templates: Vec<ChartFile>,
    /// Everything else that `.Files` sees, in load order (`crds/` included).
    pub files: Vec<ChartFile>,
    /// Subcharts, in a fixed order where Helm's is random (by name of their entry in charts/).
    pub dependencies: Vec<Arc<Chart>>,
    /// Where the chart stands in its side's tree, for messages: a directory, or `path/sub.tgz`.
    pub location: String,
    /// Warnings of the loader, as Helm prints them.
    pub warnings: Vec<String>,
}
