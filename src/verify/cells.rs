//! Pairing the cells of both plans by id and platform, and finding the pairs that are equal by construction.

use crate::base::digest::Hasher;
use crate::base::{Digest, Side, Sides};
use crate::dialect::Dialect;
use crate::engine::{SetKind, ValuesInput};
use crate::plan::select::Selection;
use crate::plan::{Cell, Input, Plan};
use crate::source::{SourceError, SourceTree};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One release on one platform, as each side has it.
#[derive(Clone, Debug)]
pub struct CellPair {
    /// What pairs the sides.
    pub id: Arc<str>,
    /// The platform; `None` when the configuration names none.
    pub platform: Option<Arc<str>>,
    /// The cells.
    pub cells: Sides<Option<Cell>>,
}

impl CellPair {
    /// The cell that names the pair in reports: the candidate's where there is one.
    pub fn told(&self) -> &Cell {
        let cell = self.cells.candidate.as_ref().or(self.cells.baseline.as_ref());
        cell.expect("a pair has at least one cell")
    }
}

/// Pairs the selected cells of two plans, in the order of the candidate's plan; what only the baseline has
/// comes last.
pub fn pair(plans: &Sides<Plan>, selection: &Selection) -> Vec<CellPair> {
    let mut pairs: Vec<CellPair> = Vec::new();
    let mut found: BTreeMap<(Arc<str>, Option<Arc<str>>), usize> = BTreeMap::new();
    for side in [Side::Candidate, Side::Baseline] {
        for cell in plans.get(side).cells.iter().filter(|cell| selection.takes(cell)) {
            let key = (cell.id.clone(), cell.platform.clone());
            let at = *found.entry(key).or_insert_with(|| {
                let cells = Sides::new(None, None);
                pairs.push(CellPair {
                    id: cell.id.clone(),
                    platform: cell.platform.clone(),
                    cells,
                });
                pairs.len() - 1
            });
            *pairs[at].cells.get_mut(side) = Some(cell.clone());
        }
    }
    pairs
}

/// A digest of everything that decides a cell's output: the trees of its chart and values, and its settings.
/// `None` when something it reads cannot be named beforehand (a path inside a `--set-file`).
///
/// # Errors
/// When an input cannot be read; the render will say so in Helm's words.
pub fn input_digest(
    cell: &Cell,
    tree: &dyn SourceTree,
    dialect: Dialect,
) -> Result<Option<Digest>, SourceError> {
    let mut hasher = Hasher::new("evenkeel cell input 1");
    hasher
        .part(cell.name.as_bytes())
        .part(cell.namespace.as_bytes())
        .part(dialect.name().as_bytes());
    hasher.part(cell.kube_version.as_deref().unwrap_or_default().as_bytes());
    match &cell.input {
        Input::Manifests(paths) => {
            hasher.part(b"manifests");
            for path in paths {
                // The path is what a report calls the source; it is no part of what Kubernetes receives.
                hasher.part(tree.identity(path)?.bytes());
            }
        }
        Input::Chart(chart) => {
            if chart.set.iter().any(|flag| flag.kind == SetKind::File) {
                return Ok(None);
            }
            hasher.part(b"chart").part(tree.identity(&chart.path)?.bytes());
            for values in &chart.values {
                match values {
                    ValuesInput::File(path) => hasher.part(b"file").part(tree.identity(path)?.bytes()),
                    ValuesInput::Inline { node, .. } => hasher
                        .part(b"inline")
                        .part(format!("{:?}", WithoutMarks(node)).as_bytes()),
                };
            }
            for flag in &chart.set {
                hasher
                    .part(flag.kind.flag().as_bytes())
                    .part(flag.expression.as_bytes());
            }
            for version in &chart.api_versions {
                hasher.part(b"api").part(version.as_bytes());
            }
            hasher.part(format!("{:?}", chart.flags).as_bytes());
        }
    }
    Ok(Some(hasher.finish()))
}

/// Prints a node without the positions it was read at.
struct WithoutMarks<'a>(&'a crate::yaml::Node);

impl std::fmt::Debug for WithoutMarks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use crate::yaml::NodeKind;
        match &self.0.kind {
            NodeKind::List(items) => f.debug_list().entries(items.iter().map(WithoutMarks)).finish(),
            NodeKind::Map(entries) => f
                .debug_map()
                .entries(
                    entries
                        .iter()
                        .map(|entry| (&*entry.key, WithoutMarks(&entry.value))),
                )
                .finish(),
            scalar => write!(f, "{scalar:?}"),
        }
    }
}
