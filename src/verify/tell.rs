//! From what the work found to what the report says. Everything that may quote a chart or a document passes
//! the cell's mask here, once.

use super::cell::{CellRun, Settings};
use super::cells::CellPair;
use super::findings;
use crate::base::{Digest, Place, Side, Sides};
use crate::baseline::{CellJudgement, Judged, PinnedCell};
use crate::compare::{CellComparison, DocumentComparison};
use crate::engine::RenderFailure;
use crate::manifest::{Document, Rules, canon};
use crate::plan::Plan;
use crate::report::build;
use crate::report::finding::CellRef;
use crate::report::model::{CellError, CellReport, CellStatus, DocumentReport, Facts, Verdict, Warning};
use crate::report::redact::{KnownSecrets, Mask, ShownText};
use std::sync::Arc;

/// Adds a cell and its findings to the facts.
pub(super) fn cell(pair: &CellPair, run: CellRun, settings: &Settings<'_>, facts: &mut Facts) {
    let mask = settings.redactor.mask(run.secrets);
    let told = pair.told();
    let status = status(&run.failures);
    let mut warnings = Vec::new();
    for side in Side::BOTH {
        for line in run.warnings.get(side) {
            warnings.push(Warning {
                side,
                message: mask.text(line),
            });
        }
    }
    let rules = settings.rules;
    let documents = run.comparison.as_ref().map_or_else(Vec::new, |comparison| {
        build::documents(
            comparison,
            rules,
            &mask,
            |found| digests(found, rules),
            |found, change| run.provenance.find(found, &change.path),
        )
    });
    let of_render =
        |which: fn(&CellComparison) -> Rules| run.comparison.as_ref().map_or(Rules::none(), which);
    let named = CellRef {
        release: pair.id.to_string(),
        platform: pair.platform.as_deref().unwrap_or_default().to_owned(),
    };
    let (findings, standing) = findings::of_cell(
        &run.hazards,
        run.comparison.as_ref(),
        &named,
        &settings.levels,
        &mask,
    );
    facts.findings.extend(findings);
    facts.standing += standing;
    facts.cells.push(CellReport {
        release: named.release,
        namespace: told.namespace.to_string(),
        platform: named.platform,
        chart: told.source().to_owned(),
        status,
        may_fail: told.may_fail,
        errors: run
            .failures
            .map(|failure| failure.map(|failure| error(&failure, &mask))),
        warnings,
        rules: of_render(|comparison| comparison.rules),
        unruly: of_render(|comparison| comparison.unruly),
        documents,
    });
}

/// Both sides failing with one message is told apart from a side that broke or was mended.
fn status(failures: &Sides<Option<RenderFailure>>) -> CellStatus {
    match (&failures.baseline, &failures.candidate) {
        (None, None) => CellStatus::Ok,
        (Some(a), Some(b)) if a.message == b.message && !a.internal && !b.internal => CellStatus::FailsAlike,
        _ => CellStatus::Undecided,
    }
}

fn error(failure: &RenderFailure, mask: &Mask) -> CellError {
    CellError {
        message: mask.text(&failure.message),
        place: failure.place.clone(),
        include_trace: failure.include_trace.iter().map(|line| mask.text(line)).collect(),
    }
}

/// The digests of a document's canonical form.
pub(super) fn digests(found: &DocumentComparison, rules: Rules) -> Sides<Option<Digest>> {
    let digest = |document: &Option<Arc<Document>>| canon::digest(document.as_ref()?, rules).ok();
    if found.verdict == Verdict::Equivalent {
        // One canonical form, one digest.
        let both = digest(&found.documents.candidate);
        return Sides::new(both, both);
    }
    found.documents.as_ref().map(digest)
}

/// The report of a cell that only digests could judge.
pub(super) fn judged(
    judgement: &CellJudgement,
    named: Option<&PinnedCell>,
    failure: Option<RenderFailure>,
    mask: &Mask,
) -> CellReport {
    let failed_alike = failure
        .as_ref()
        .zip(judgement.failed)
        .is_some_and(|(failure, pinned)| {
            !failure.internal
                && crate::base::Digest::of("evenkeel failure 1", failure.message.as_bytes()) == pinned
        });
    let pinned_error = judgement.failed.map(|_| CellError {
        message: ShownText::ours("the render failed when it was pinned"),
        place: None,
        include_trace: Vec::new(),
    });
    let candidate_error = failure.map(|failure| error(&failure, mask));
    let status = match (&pinned_error, &candidate_error) {
        (None, None) => CellStatus::Ok,
        _ if failed_alike => CellStatus::FailsAlike,
        _ => CellStatus::Undecided,
    };
    let documents = judgement.documents.iter().map(|(id, judged)| DocumentReport {
        id: id.clone(),
        verdict: match judged {
            Judged::Equal => Verdict::Equivalent,
            Judged::Volatile => Verdict::Volatile,
            Judged::Changed => Verdict::Changed,
            Judged::Added => Verdict::Added,
            Judged::Removed => Verdict::Removed,
        },
        hook: false,
        rules: Rules::none(),
        effects: Vec::new(),
        from: None,
        digest: Sides::default(),
        changes: Vec::new(),
        version_labels_only: false,
        problem: None,
    });
    CellReport {
        release: judgement.release.clone(),
        namespace: named.map_or(String::new(), |cell| cell.namespace.clone()),
        platform: judgement.platform.clone(),
        chart: named.map_or(String::new(), |cell| cell.chart.clone()),
        status,
        may_fail: false,
        errors: Sides::new(pinned_error, candidate_error),
        warnings: Vec::new(),
        rules: Rules::none(),
        unruly: Rules::none(),
        documents: if status == CellStatus::Ok {
            documents.collect()
        } else {
            Vec::new()
        },
    }
}

/// What the reader should know about the run as a whole.
pub(super) fn notes(plans: &Sides<Plan>, settings: &Settings<'_>) -> Vec<ShownText> {
    let mask = settings.redactor.mask(KnownSecrets::new());
    let mut notes = Vec::new();
    if let Some(state) = settings.cluster {
        let count = state.objects().count();
        notes.push(mask.text(&format!(
            "lookup sees the declared cluster state of {count} objects"
        )));
    }
    for side in Side::BOTH {
        for note in &plans.get(side).notes {
            let place = note
                .place
                .as_ref()
                .map(Place::to_string)
                .map_or(String::new(), |place| format!("{place}: "));
            let text = mask.text(&format!("{place}{}", note.message));
            if !notes.contains(&text) {
                notes.push(text);
            }
        }
    }
    notes
}
