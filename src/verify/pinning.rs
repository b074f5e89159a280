//! Pins in the main job: recording what a side renders to, checking that a pin still holds, and verifying by
//! its digests alone where its commit is not in the clone.

use super::cell::{CellRun, Settings};
use super::cells::{self, CellPair};
use super::progress::Progress;
use super::render::Outcome;
use super::request::Request;
use super::run::{policy, workers};
use super::sides::{Candidate, Opened};
use super::{stability, tell};
use crate::base::{Digest, Problem, Side, Sides};
use crate::baseline::{CellJudgement, Pin, PinnedCell, PinnedDocument, PinnedState, drift, judge};
use crate::engine::Engine;
use crate::manifest::{Manifest, Rules, canon};
use crate::plan::{Cell, Plan};
use crate::report::model::{BaselineInfo, Facts, Report};
use crate::report::redact::{KnownSecrets, Redactor, ShownText};
use crate::source::Revision;

/// Renders a revision and gives its pin, not yet written.
///
/// # Errors
/// Every problem that keeps the work from beginning.
pub fn pin(
    request: &Request,
    engine: &dyn Engine,
    progress: &dyn Progress,
    opened: &Opened,
    revision: &Revision,
    name: &str,
) -> Result<Pin, Vec<Problem>> {
    let plan = Plan::of(&opened.config, Side::Baseline, &*opened.tree);
    if !plan.problems.is_empty() {
        return Err(plan.problems);
    }
    engine.ready(plan.dialects[0]).map_err(|problem| vec![problem])?;
    let cells: Vec<&Cell> = plan
        .cells
        .iter()
        .filter(|cell| request.selection.takes(cell))
        .collect();
    request.selection.check(&plan.cells)?;
    progress.start(cells.len());
    let recorded = workers(request)?.map(&cells, |cell| {
        let recorded = record_cell(cell, opened, plan.dialects[0], engine, request.rules);
        progress.advance();
        recorded
    });
    progress.finish();
    Ok(seal(
        name,
        &request.against,
        revision,
        opened,
        &plan,
        engine,
        request.rules,
        recorded,
    ))
}

#[expect(
    clippy::too_many_arguments,
    reason = "a pin records where each of its facts came from"
)]
fn seal(
    name: &str,
    requested: &str,
    revision: &Revision,
    opened: &Opened,
    plan: &Plan,
    engine: &dyn Engine,
    rules: Rules,
    cells: Vec<PinnedCell>,
) -> Pin {
    let mut pin = Pin {
        name: name.to_owned(),
        requested: requested.to_owned(),
        sha: revision.sha.clone(),
        tree: revision.tree.clone(),
        evenkeel: env!("CARGO_PKG_VERSION").to_owned(),
        engine: engine.name().to_owned(),
        dialect: plan.dialects[0],
        kube_version: opened.config.layout_of(Side::Baseline).kube_version.clone(),
        config: opened.config.digest,
        rules: rules.iter().map(|rule| rule.name().to_owned()).collect(),
        cells,
    };
    pin.sort();
    pin
}

/// Renders a cell to its record. With an engine that cannot tell chance from change, twice: what differs
/// between the two is volatile.
fn record_cell(
    cell: &Cell,
    opened: &Opened,
    dialect: crate::dialect::Dialect,
    engine: &dyn Engine,
    rules: Rules,
) -> PinnedCell {
    let outcome = super::render::cell(cell, &opened.tree, dialect, engine);
    let mut state = state(&outcome, rules);
    if let (PinnedState::Rendered(documents), Outcome::Rendered(first), false) =
        (&mut state, &outcome, engine.knows_ambient())
        && let Outcome::Rendered(second) = super::render::cell(cell, &opened.tree, dialect, engine)
    {
        let unstable = stability::unstable_documents(first, &second, rules);
        for document in documents {
            document.volatile = unstable.contains(&document.id);
        }
    }
    entry(cell, state)
}

/// The record of a cell.
pub(super) fn entry(cell: &Cell, state: PinnedState) -> PinnedCell {
    PinnedCell {
        release: cell.id.to_string(),
        platform: cell.platform.as_deref().unwrap_or_default().to_owned(),
        namespace: cell.namespace.to_string(),
        chart: cell.source().to_owned(),
        kube_version: cell.kube_version.clone(),
        state,
    }
}

/// What a pin keeps of an outcome.
pub(super) fn state(outcome: &Outcome, rules: Rules) -> PinnedState {
    match outcome {
        Outcome::Rendered(output) => rendered_state(&output.manifest, rules),
        Outcome::Failed(failure) => {
            PinnedState::Failed(Digest::of("evenkeel failure 1", failure.message.as_bytes()))
        }
    }
}

fn rendered_state(manifest: &Manifest, rules: Rules) -> PinnedState {
    let documents = manifest.documents.iter().map(|document| PinnedDocument {
        id: document.id().clone(),
        // What cannot be parsed has no canonical form; its text stands for it.
        digest: canon::digest(document, rules)
            .unwrap_or_else(|_| Digest::of("evenkeel unreadable document 1", document.text())),
        volatile: false,
    });
    PinnedState::Rendered(documents.collect())
}

/// Why a pin no longer holds for the cells of this run; nothing when it does.
pub(super) fn doubts(
    pin: &Pin,
    pairs: &[CellPair],
    runs: &[CellRun],
    opened: &Opened,
    plan: &Plan,
    settings: &Settings<'_>,
) -> Option<ShownText> {
    let mut now = pin.clone();
    "this run".clone_into(&mut now.requested);
    env!("CARGO_PKG_VERSION").clone_into(&mut now.evenkeel);
    settings.engine.name().clone_into(&mut now.engine);
    now.dialect = plan.dialects[0];
    now.kube_version = opened.config.layout_of(Side::Baseline).kube_version.clone();
    now.config = opened.config.digest;
    now.rules = settings.rules.iter().map(|rule| rule.name().to_owned()).collect();
    now.cells = pairs
        .iter()
        .zip(runs)
        .filter_map(|(pair, run)| Some(entry(pair.cells.baseline.as_ref()?, run.recorded.clone()?)))
        .collect();
    let mut then = pin.clone();
    let is_told = |cell: &PinnedCell| {
        pairs.iter().any(|pair| {
            *pair.id == *cell.release && pair.platform.as_deref().unwrap_or_default() == cell.platform
        })
    };
    if settings.is_selection {
        then.cells.retain(is_told);
    }
    carry_volatility(&then, &mut now.cells);
    then.sort();
    now.sort();
    let drift = drift(&then, &now)?;
    Some(
        settings
            .redactor
            .mask(KnownSecrets::new())
            .text(&drift.describe(pin)),
    )
}

/// What was chance when it was pinned is chance now: one render alone cannot say.
fn carry_volatility(pin: &Pin, cells: &mut [PinnedCell]) {
    for cell in cells {
        let then = pin
            .cells
            .iter()
            .find(|then| then.release == cell.release && then.platform == cell.platform);
        let (Some(then), PinnedState::Rendered(documents)) = (then, &mut cell.state) else {
            continue;
        };
        for document in documents {
            document.volatile |= then
                .documents()
                .iter()
                .any(|then| then.volatile && then.id == document.id);
        }
    }
}

/// Verifies a candidate by the digests of a pin whose commit is not in this clone.
///
/// # Errors
/// Every problem that keeps the work from beginning.
pub(super) fn verify_by_digest(
    request: &Request,
    engine: &dyn Engine,
    progress: &dyn Progress,
    candidate: Candidate,
    pin: &Pin,
    baseline: BaselineInfo,
    why: &Problem,
) -> Result<Report, Vec<Problem>> {
    let opened = candidate.opened;
    let plan = Plan::of(&opened.config, Side::Candidate, &*opened.tree);
    if !plan.problems.is_empty() {
        return Err(plan.problems);
    }
    let dialect = plan.dialects[0];
    engine.ready(dialect).map_err(|problem| vec![problem])?;
    let policy = policy(request, &opened.config);
    let plans = Sides::new(plan.clone(), plan);
    let pairs: Vec<CellPair> = cells::pair(&plans, &request.selection);
    request
        .selection
        .check(pairs.iter().filter_map(|pair| pair.cells.candidate.as_ref()))?;

    progress.start(pairs.len());
    let mut outcomes = workers(request)?.map(&pairs, |pair| {
        let outcome = super::render::cell(pair.told(), &opened.tree, dialect, engine);
        let recorded = entry(pair.told(), state(&outcome, request.rules));
        progress.advance();
        (recorded, failure(outcome))
    });
    progress.finish();
    let mut recorded: Vec<PinnedCell> = outcomes.iter().map(|outcome| outcome.0.clone()).collect();
    carry_volatility(pin, &mut recorded);
    let redactor = Redactor::new(request.keep_secrets);
    let mask = redactor.mask(KnownSecrets::new());
    let judged: Vec<CellJudgement> = judge(pin, &recorded)
        .into_iter()
        .filter(|cell| request.selection.is_everything() || recorded.iter().any(|now| is_same(now, cell)))
        .collect();
    let cells = judged.into_iter().map(|judgement| {
        let at = recorded.iter().position(|now| is_same(now, &judgement));
        let failure = at.and_then(|at| outcomes[at].1.take());
        let pinned = pin.cells.iter().find(|then| is_same(then, &judgement));
        let named = at.map(|at| &recorded[at]).or(pinned);
        tell::judged(&judgement, named, failure, &mask)
    });
    let facts = Facts {
        baseline: Some(baseline),
        candidate: candidate.info,
        engine: engine.name(),
        dialects: Sides::new(pin.dialect, dialect),
        rules: request.rules,
        platforms: plans
            .candidate
            .platforms
            .iter()
            .map(ToString::to_string)
            .collect(),
        cells: cells.collect(),
        findings: Vec::new(),
        audited: 0,
        same_input: 0,
        standing: 0,
        silenced: 0,
        notes: vec![mask.text(&format!(
            "judged by the digests of the pin alone, so that no field is named: {}",
            why.message
        ))],
        doubts: by_digest_doubts(pin, request.rules, dialect, &mask),
    };
    Ok(Report::conclude(facts, &policy))
}

/// Digests only say something when they were made in the same way.
fn by_digest_doubts(
    pin: &Pin,
    rules: Rules,
    dialect: crate::dialect::Dialect,
    mask: &crate::report::redact::Mask,
) -> Vec<ShownText> {
    let mut doubts = Vec::new();
    let mut now: Vec<String> = rules.iter().map(|rule| rule.name().to_owned()).collect();
    now.sort();
    if pin.rules != now {
        doubts.push(mask.text(&format!(
            "the pin was made with other canonical rules ({}), so its digests cannot be compared with this run's ({})",
            pin.rules.join(" "),
            now.join(" ")
        )));
    }
    if pin.dialect != dialect {
        doubts.push(mask.text(&format!(
            "the pin was rendered as Helm {} and this run as Helm {dialect}: what differs may be Helm's doing",
            pin.dialect
        )));
    }
    doubts
}

fn is_same(cell: &PinnedCell, judgement: &CellJudgement) -> bool {
    cell.release == judgement.release && cell.platform == judgement.platform
}

fn failure(outcome: Outcome) -> Option<crate::engine::RenderFailure> {
    match outcome {
        Outcome::Rendered(_) => None,
        Outcome::Failed(failure) => Some(failure),
    }
}
