//! Auditing one side: every hazard of every cell, with nothing to compare.

use super::cell::{CellRun, Settings};
use super::cells::CellPair;
use super::levels::Levels;
use super::progress::Progress;
use super::render::{self, Outcome};
use super::request::Request;
use super::{hazards, run, sides, tell};
use crate::base::{Problem, Side, Sides};
use crate::check::Footprint;
use crate::engine::Engine;
use crate::plan::{Cell, Plan};
use crate::report::build;
use crate::report::model::{Facts, Report};
use crate::report::redact::Redactor;
use std::sync::Arc;

/// Looks at one side for itself.
///
/// # Errors
/// Every problem that keeps the work from beginning; what goes wrong in a cell is part of the report.
pub fn audit(
    request: &Request,
    engine: &dyn Engine,
    progress: &dyn Progress,
) -> Result<Report, Vec<Problem>> {
    let candidate = sides::candidate(request)?;
    let opened = candidate.opened;
    let plan = Plan::of(&opened.config, Side::Candidate, &*opened.tree);
    if !plan.problems.is_empty() {
        return Err(plan.problems);
    }
    let dialect = plan.dialects[0];
    engine.ready(dialect).map_err(|problem| vec![problem])?;
    let cells = plan.cells.iter().filter(|cell| request.selection.takes(cell));
    let pairs: Vec<CellPair> = cells.map(alone).collect();
    request.selection.check(&plan.cells)?;
    let settings = Settings {
        trees: Sides::new(opened.tree.clone(), opened.tree.clone()),
        dialects: Sides::new(dialect, dialect),
        other_dialects: Sides::new(Vec::new(), plan.dialects[1..].to_vec()),
        engine,
        rules: request.rules,
        redactor: Redactor::new(request.keep_secrets),
        is_selection: !request.selection.is_everything(),
        is_audit: true,
        levels: Levels::new(&opened.config, &request.levels),
        protect: &opened.config.protect,
        cluster: opened.config.cluster.as_deref(),
        cache: None,
        records_baseline: false,
    };
    let workers = run::workers(request)?;
    progress.start(pairs.len());
    let mut runs = workers.map(&pairs, |pair| {
        let run = cell(pair, &settings);
        progress.advance();
        run
    });
    progress.finish();
    run::check_platforms(&pairs, &mut runs, &settings);
    let plans = Sides::new(plan.clone(), plan);
    let mut facts = Facts {
        baseline: None,
        candidate: candidate.info,
        engine: engine.name(),
        dialects: settings.dialects,
        rules: request.rules,
        platforms: run::platforms(&plans),
        cells: Vec::with_capacity(pairs.len()),
        findings: Vec::new(),
        audited: runs.iter().map(|run| run.rendered).sum(),
        same_input: 0,
        standing: 0,
        silenced: 0,
        notes: tell::notes(&plans, &settings),
        doubts: Vec::new(),
    };
    run::silence(&pairs, &mut runs, &settings, &mut facts);
    for (pair, run) in pairs.iter().zip(runs) {
        tell::cell(pair, run, &settings, &mut facts);
    }
    Ok(Report::conclude(facts, &run::policy(request, &opened.config)))
}

fn alone(cell: &Cell) -> CellPair {
    CellPair {
        id: cell.id.clone(),
        platform: cell.platform.clone(),
        cells: Sides::new(None, Some(cell.clone())),
    }
}

/// Renders a cell and runs the checks of one side.
fn cell(pair: &CellPair, settings: &Settings<'_>) -> CellRun {
    let mut run = CellRun::default();
    let tree: &Arc<_> = &settings.trees.candidate;
    match render::cell(pair.told(), tree, settings.dialects.candidate, settings.engine) {
        Outcome::Failed(failure) => {
            run.learn_for_errors(pair, settings, &Sides::default());
            run.failures.candidate = Some(failure);
        }
        Outcome::Rendered(output) => {
            run.footprints.candidate = Some(Footprint::of(&output.manifest));
            match render::guarded(|| hazards::of_side(pair, settings, &output)) {
                Ok(found) => run.hazards = found,
                Err(failure) => run.failures.candidate = Some(failure),
            }
            run.secrets = build::known_secrets(Sides::new(None, Some(&output.manifest)), None);
            run.learn_cluster(settings, output.history.as_deref());
            run.rendered = output.manifest.documents.len();
            run.warnings.candidate = output.warnings;
        }
    }
    run
}
