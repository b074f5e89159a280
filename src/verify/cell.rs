//! One pair of cells: both sides rendered and their documents compared. The unit of parallel work: when it
//! is done, nothing is kept of it but what differs.

use super::cache::{self, Cache};
use super::cells::{self, CellPair};
use super::levels::Levels;
use super::provenance::Provenance;
use super::render::{self, Outcome, Output};
use super::{chance, cluster_state, hazards, pinning, stability, tell};
use crate::base::{Side, Sides};
use crate::baseline::PinnedState;
use crate::check::{Footprint, Hazard};
use crate::compare::{CellComparison, Verdict, cell as compare};
use crate::dialect::Dialect;
use crate::engine::cluster::ClusterState;
use crate::engine::{Engine, History, RenderFailure};
use crate::manifest::{DocumentId, Manifest, Rules};
use crate::plan::{Cell, Protect};
use crate::report::build;
use crate::report::redact::{KnownSecrets, Redactor};
use crate::source::SourceTree;
use std::sync::Arc;

/// What is the same for all cells of a run.
pub(super) struct Settings<'a> {
    pub(super) trees: Sides<Arc<dyn SourceTree>>,
    pub(super) dialects: Sides<Dialect>,
    /// The Helms that must agree with those.
    pub(super) other_dialects: Sides<Vec<Dialect>>,
    pub(super) engine: &'a dyn Engine,
    pub(super) rules: Rules,
    pub(super) redactor: Redactor,
    /// True when only some of the cells were asked for.
    pub(super) is_selection: bool,
    /// True when one side is looked at for itself.
    pub(super) is_audit: bool,
    /// The levels that somebody chose for checks.
    pub(super) levels: Levels,
    /// Names that may not disappear.
    pub(super) protect: &'a [Protect],
    /// The cluster that `lookup` sees on both sides.
    pub(super) cluster: Option<&'a ClusterState>,
    /// What other runs found out about cells of one input.
    pub(super) cache: Option<Cache>,
    /// Keeps what the baseline renders to, for a pin to be checked against.
    pub(super) records_baseline: bool,
}

/// What became of a pair of cells.
#[derive(Default)]
pub(super) struct CellRun {
    /// The documents; `None` when a side failed.
    pub(super) comparison: Option<CellComparison>,
    /// What failed, per side.
    pub(super) failures: Sides<Option<RenderFailure>>,
    /// Helm's warnings, per side.
    pub(super) warnings: Sides<Vec<String>>,
    /// What the baseline rendered to, as a pin keeps it; only where that was asked for.
    pub(super) recorded: Option<PinnedState>,
    /// Secrets of either side, wherever they may turn up in what is told.
    pub(super) secrets: KnownSecrets,
    /// How many documents an audit looked at.
    pub(super) rendered: usize,
    /// What the checks found.
    pub(super) hazards: Vec<Hazard>,
    /// Where the fields that differ came from.
    pub(super) provenance: Provenance,
    /// What the documents are to other releases, per side.
    pub(super) footprints: Sides<Option<Footprint>>,
    /// The differences that reviewed acceptances took out: documents, and fields of them.
    pub(super) accepted: Vec<(DocumentId, Option<String>)>,
    /// True when both sides read the same bytes with the same settings.
    pub(super) same_input: bool,
    /// True when there was nothing to tell of the cell, so that nobody looked for its secrets.
    pub(super) secrets_unknown: bool,
}

impl CellRun {
    /// Takes a pair from the cache, or renders and compares it.
    pub(super) fn of(pair: &CellPair, settings: &Settings<'_>) -> CellRun {
        let same_input = settings.engine.knows_ambient() && equal_by_construction(pair, settings);
        let cache = settings.cache.as_ref().filter(|_| same_input);
        let known = cache.and_then(|cache| Some((cache, cache::key(pair, settings)?)));
        if let Some(run) = known.and_then(|(cache, key)| cache.get(&key, pair)) {
            return run;
        }
        let run = CellRun::rendered(pair, settings, same_input);
        if let Some((cache, key)) = known {
            cache.put(&key, &run);
        }
        run
    }

    fn rendered(pair: &CellPair, settings: &Settings<'_>, same_input: bool) -> CellRun {
        let mut run = CellRun {
            same_input,
            ..CellRun::default()
        };
        let outcomes = outcomes(pair, settings, same_input);
        if settings.records_baseline && pair.cells.baseline.is_some() {
            run.recorded = Some(pinning::state(&outcomes.baseline, settings.rules));
        }
        let mut outputs: Sides<Option<Output>> = Sides::default();
        for (side, outcome) in [
            (Side::Baseline, outcomes.baseline),
            (Side::Candidate, outcomes.candidate),
        ] {
            match outcome {
                Outcome::Rendered(output) => *outputs.get_mut(side) = Some(output),
                Outcome::Failed(failure) => *run.failures.get_mut(side) = Some(failure),
            }
        }
        if run.failures.baseline.is_some() || run.failures.candidate.is_some() {
            run.learn_for_errors(pair, settings, &outputs);
        }
        if let (Some(baseline), Some(candidate)) = (outputs.baseline, outputs.candidate) {
            run.compare(pair, settings, Sides::new(baseline, candidate), same_input);
        }
        run
    }

    /// Runs the checks. One that panics leaves the cell undecided.
    fn check(
        &mut self,
        pair: &CellPair,
        settings: &Settings<'_>,
        outputs: &Sides<Output>,
        comparison: &CellComparison,
        same_input: bool,
    ) {
        for side in Side::BOTH
            .into_iter()
            .filter(|side| pair.cells.get(*side).is_some())
        {
            *self.footprints.get_mut(side) = Some(Footprint::of(&outputs.get(side).manifest));
        }
        let found = render::guarded(|| hazards::of_cell(pair, settings, outputs, comparison, same_input));
        match found {
            Ok(found) => self.hazards = found,
            Err(failure) => self.failures.candidate = Some(failure),
        }
    }

    /// What the error of a failed side may quote: the values of both, and the secrets of what did render.
    pub(super) fn learn_for_errors(
        &mut self,
        pair: &CellPair,
        settings: &Settings<'_>,
        outputs: &Sides<Option<Output>>,
    ) {
        let manifests = outputs
            .as_ref()
            .map(|output| output.as_ref().map(|output| &output.manifest));
        self.secrets = build::known_secrets(manifests, None);
        self.learn_cluster(settings, None);
        for side in Side::BOTH {
            if let Some(cell) = pair.cells.get(side) {
                learn_values(&mut self.secrets, cell, &**settings.trees.get(side));
            }
        }
    }

    /// Looks for the secrets of a cell that had nothing to tell, now that other releases made something of it.
    pub(super) fn learn_late(&mut self, pair: &CellPair, settings: &Settings<'_>) {
        if !std::mem::take(&mut self.secrets_unknown) {
            return;
        }
        let outcomes = outcomes(pair, settings, self.same_input);
        let outputs = outcomes.as_ref().map(output);
        let manifests = outputs
            .as_ref()
            .map(|output| output.map(|output| &output.manifest));
        self.secrets
            .merge(&build::known_secrets(manifests, self.comparison.as_ref()));
        for side in Side::BOTH {
            self.learn_cluster(
                settings,
                outputs.get(side).and_then(|output| output.history.as_deref()),
            );
        }
    }

    /// What the declared cluster answered is as secret as it is there.
    pub(super) fn learn_cluster(&mut self, settings: &Settings<'_>, history: Option<&History>) {
        if let Some(state) = settings.cluster {
            cluster_state::learn(&mut self.secrets, state, history);
        }
    }

    fn compare(
        &mut self,
        pair: &CellPair,
        settings: &Settings<'_>,
        mut outputs: Sides<Output>,
        same_input: bool,
    ) {
        outputs
            .candidate
            .manifest
            .share_bodies(&outputs.baseline.manifest);
        let manifests = outputs.as_ref().map(|output| &output.manifest);
        let mut comparison = compare::compare(&pair.id, manifests, settings.rules);
        if settings.engine.knows_ambient() {
            chance::settle(&mut comparison, &outputs, settings.rules);
        } else if stability::is_in_question(&comparison) {
            let again = outcomes(pair, settings, false);
            stability::settle(&mut comparison, &outputs, &again, settings.rules);
        }
        self.check(pair, settings, &outputs, &comparison, same_input);
        // What stands on both sides of a release that is equal is counted and not told.
        let is_told = self.hazards.iter().any(|hazard| !hazard.standing)
            || comparison
                .documents
                .iter()
                .any(|document| document.verdict > Verdict::Equivalent);
        if is_told
            || Side::BOTH
                .iter()
                .any(|side| !outputs.get(*side).warnings.is_empty())
        {
            let manifests = outputs.as_ref().map(|output| Some(&output.manifest));
            self.secrets = build::known_secrets(manifests, Some(&comparison));
            for side in Side::BOTH {
                self.learn_cluster(settings, outputs.get(side).history.as_deref());
            }
        } else {
            self.secrets_unknown = true;
        }
        self.provenance = Provenance::of(&comparison, &outputs);
        // Here, in parallel; the report asks for them again.
        for document in &comparison.documents {
            tell::digests(document, settings.rules);
        }
        self.warnings = outputs.map(|output| output.warnings);
        self.comparison = Some(comparison);
    }
}

/// What one side came to, where it rendered.
fn output(outcome: &Outcome) -> Option<&Output> {
    match outcome {
        Outcome::Rendered(output) => Some(output),
        Outcome::Failed(_) => None,
    }
}

/// Renders both sides; a side without the cell has no documents. With `same_input` one render does for both.
fn outcomes(pair: &CellPair, settings: &Settings<'_>, same_input: bool) -> Sides<Outcome> {
    let render = |side: Side| match pair.cells.get(side) {
        Some(cell) => render::cell(
            cell,
            settings.trees.get(side),
            *settings.dialects.get(side),
            settings.engine,
        ),
        None => Outcome::Rendered(Output {
            manifest: Manifest::read(Vec::new(), &pair.told().namespace),
            warnings: Vec::new(),
            history: None,
        }),
    };
    let baseline = render(Side::Baseline);
    if same_input {
        return Sides::new(baseline.clone(), baseline);
    }
    Sides::new(baseline, render(Side::Candidate))
}

/// True when both sides read the same bytes with the same settings.
fn equal_by_construction(pair: &CellPair, settings: &Settings<'_>) -> bool {
    let (Some(baseline), Some(candidate)) = (&pair.cells.baseline, &pair.cells.candidate) else {
        return false;
    };
    let trees = settings.trees.as_ref().map(|tree| &**tree);
    cells::is_same_input(Sides::new(baseline, candidate), trees, &settings.dialects)
}

/// Secrets among the values, which the error of a failed render may quote.
fn learn_values(secrets: &mut KnownSecrets, cell: &Cell, tree: &dyn SourceTree) {
    use crate::engine::ValuesInput;
    let crate::plan::Input::Chart(chart) = &cell.input else {
        return;
    };
    for values in &chart.values {
        match values {
            ValuesInput::Inline { node, .. } => secrets.values(node),
            ValuesInput::File(path) => {
                let Ok(bytes) = tree.read(path) else { continue };
                for document in crate::yaml::parse_stream(&bytes).documents {
                    secrets.values(&document.node);
                }
            }
        }
    }
}
