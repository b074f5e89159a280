//! Running the checks: on each side of a cell, on both, and on all cells of a platform.
//!
//! Invariant: a check that panics costs the verdict of its cell and no other's.

use super::cell::{CellRun, Settings};
use super::cells::CellPair;
use super::render::Output;
use crate::base::{KeyPath, Level, Side, Sides};
use crate::chart::{self, Chart};
use crate::check::settle::settle;
use crate::check::{
    CHECKS, CellView, ChartView, Check, Hazard, LayeredValues, Pass, PlatformCell, PlatformView, SideView,
    Sink, confirm, unread,
};
use crate::compare::{CellComparison, Effect, effect};
use crate::dialect::Dialect;
use crate::engine::{History, RenderFailure, RenderJob, Rendered};
use crate::manifest::DocumentId;
use crate::plan::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The hazards of one pair of cells. `outputs` are both sides; `same_input` says that they are one render.
pub(super) fn of_cell(
    pair: &CellPair,
    settings: &Settings<'_>,
    outputs: &Sides<Output>,
    comparison: &CellComparison,
    same_input: bool,
) -> Vec<Hazard> {
    let loaded = Sides::new(Side::Baseline, Side::Candidate)
        .map(|side| Loaded::of(pair.cells.get(side).as_ref()?, side, outputs.get(side), settings));
    let again = |job: &RenderJob| settings.engine.render(job);
    let views = Sides::new(Side::Baseline, Side::Candidate).map(|side| {
        let cell = pair.cells.get(side).as_ref()?;
        let output = outputs.get(side);
        Some(view(side, cell, output, loaded.get(side).as_ref(), &again, false))
    });
    let mut sink = Sink::default();
    if let Some(candidate) = &views.candidate {
        let mut found = one_side(candidate, settings, |_| true);
        if same_input {
            for hazard in &mut found {
                hazard.standing = true;
            }
        } else if let Some(baseline) = &views.baseline {
            // What the candidate does not have need not be looked for.
            let told: BTreeSet<&str> = found.iter().map(|hazard| hazard.check).collect();
            let before = one_side(baseline, settings, |check| told.contains(check.name));
            found = settle(&before, found);
        }
        if let Some(chart) = &candidate.chart {
            found.retain(|hazard| hazard.standing || confirm(chart, hazard));
        }
        sink.hazards = found;
    }
    let view = CellView {
        sides: &views,
        comparison,
    };
    for check in checks(settings) {
        if let Pass::Comparison(run) = check.pass {
            run(&view, &mut sink);
        }
    }
    sink.hazards
}

/// The hazards of one side, looked at for itself.
pub(super) fn of_side(pair: &CellPair, settings: &Settings<'_>, output: &Output) -> Vec<Hazard> {
    let cell = pair.told();
    let loaded = Loaded::of(cell, Side::Candidate, output, settings);
    let again = |job: &RenderJob| settings.engine.render(job);
    let view = view(Side::Candidate, cell, output, loaded.as_ref(), &again, true);
    let mut found = one_side(&view, settings, |_| true);
    if let Some(chart) = &view.chart {
        found.retain(|hazard| confirm(chart, hazard));
    }
    found
}

/// The hazards of all cells of a platform together; each with the cells it holds for.
pub(super) fn of_platform(
    pairs: &[CellPair],
    runs: &[CellRun],
    cells: &[usize],
    settings: &Settings<'_>,
) -> Vec<(usize, Hazard)> {
    let protected = |id: &DocumentId| protects(settings, id);
    let view = platform(pairs, runs, cells, settings, &protected);
    let mut sink = Sink::default();
    for check in checks(settings) {
        if let Pass::Platform(run) = check.pass {
            run(&view, &mut sink);
        }
    }
    let of = |hazard: &Hazard| {
        let release = hazard.release.as_deref();
        cells.iter().copied().find(|&at| release == Some(&*pairs[at].id))
    };
    sink.hazards
        .into_iter()
        .filter_map(|hazard| Some((of(&hazard).or(cells.first().copied())?, hazard)))
        .collect()
}

/// Gives changes of configuration that no running pod will read their effect.
pub(super) fn tell_unread(
    pairs: &[CellPair],
    runs: &mut [CellRun],
    cells: &[usize],
    settings: &Settings<'_>,
) {
    for unread in unread(&platform(pairs, runs, cells, settings, &|_| None)) {
        let comparison = runs[cells[unread.cell]].comparison.as_mut();
        let Some(document) = comparison.and_then(|comparison| comparison.documents.get_mut(unread.document))
        else {
            continue;
        };
        for change in &mut document.changes {
            let touches = |field: &KeyPath| change.path.starts_with(field) || field.starts_with(&change.path);
            if change.effect != Effect::Rejected && unread.fields.iter().any(touches) {
                change.effect = Effect::ConfigWithoutRollout;
            }
        }
        if !document.changes.is_empty() {
            document.effects = effect::summary(&document.changes);
        }
    }
}

fn platform<'a>(
    pairs: &'a [CellPair],
    runs: &'a [CellRun],
    cells: &[usize],
    settings: &Settings<'_>,
    protects: &'a (dyn Fn(&DocumentId) -> Option<String> + Sync),
) -> PlatformView<'a> {
    let cell = |&at: &usize| {
        let pair = &pairs[at];
        PlatformCell {
            release: &pair.id,
            names: pair
                .cells
                .as_ref()
                .map(|cell| cell.as_ref().map(|cell| &*cell.name)),
            variant: pair.told().variant,
            footprints: runs[at].footprints.as_ref().map(Option::as_ref),
            comparison: runs[at].comparison.as_ref(),
        }
    };
    PlatformView {
        cells: cells.iter().map(cell).collect(),
        is_audit: settings.is_audit,
        is_selection: settings.is_selection,
        protects,
    }
}

/// The checks that somebody wants to hear of.
fn checks<'s>(settings: &'s Settings<'_>) -> impl Iterator<Item = &'static Check> + use<'s> {
    let is_wanted = |check: &&&'static Check| {
        (!check.audit_only || settings.is_audit) && settings.levels.of(check.name) != Some(Level::Allow)
    };
    CHECKS.iter().filter(is_wanted).copied()
}

/// What those of one side's checks find that are asked for.
fn one_side(view: &SideView<'_>, settings: &Settings<'_>, asks: impl Fn(&Check) -> bool) -> Vec<Hazard> {
    let mut sink = Sink::default();
    for check in checks(settings).filter(|check| asks(check)) {
        match (&check.pass, &view.chart, view.history) {
            (Pass::Layers(run), Some(chart), _) => run(chart, &mut sink),
            (Pass::Trace(run), Some(chart), Some(history)) => run(chart, history, &mut sink),
            (Pass::Documents(run), ..) => run(view, &mut sink),
            _ => {}
        }
    }
    for hazard in &mut sink.hazards {
        hazard.side = view.side;
    }
    sink.hazards
}

/// What a chart cell is made from.
struct Loaded {
    others: Vec<Dialect>,
    job: RenderJob,
    chart: Arc<Chart>,
    layered: LayeredValues,
}

impl Loaded {
    fn of(cell: &Cell, side: Side, output: &Output, settings: &Settings<'_>) -> Option<Loaded> {
        let tree = settings.trees.get(side);
        let dialect = *settings.dialects.get(side);
        let job = cell.job(tree.clone(), dialect)?;
        let known = output.history.as_ref().and_then(|history| history.charts.first());
        let chart = match known {
            Some(root) => Arc::clone(&root.chart),
            None => chart::load(&**tree, &job.chart, dialect).ok()?,
        };
        Some(Loaded {
            others: settings.other_dialects.get(side).clone(),
            job,
            chart,
            layered: LayeredValues::default(),
        })
    }
}

fn view<'a>(
    side: Side,
    cell: &'a Cell,
    output: &'a Output,
    loaded: Option<&'a Loaded>,
    again: &'a (dyn Fn(&RenderJob) -> Result<Rendered, RenderFailure> + Sync),
    is_audit: bool,
) -> SideView<'a> {
    SideView {
        side,
        manifest: &output.manifest,
        chart: loaded.map(|loaded| ChartView {
            side,
            job: &loaded.job,
            chart: &loaded.chart,
            again,
            is_audit,
            other_dialects: &loaded.others,
            layered: &loaded.layered,
        }),
        history: output.history.as_deref() as Option<&History>,
        kube_version: cell.kube_version.as_deref(),
    }
}

/// The pattern that protects a name.
fn protects(settings: &Settings<'_>, id: &DocumentId) -> Option<String> {
    let covers = settings
        .protect
        .iter()
        .find(|pattern| pattern.covers(&id.kind, &id.name))?;
    Some(format!("{}/{}", covers.kind, covers.name))
}
