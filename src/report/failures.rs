//! The cells that could not be compared; those that fail in the same way are one failure.

use super::model::{CellError, CellReport, CellStatus, Report};
use super::places::Cells;
use crate::base::Side;

/// Cells that fail in the same way.
pub(super) struct Failure<'a> {
    /// What became of them.
    pub(super) status: CellStatus,
    /// The errors to tell, with their sides.
    pub(super) errors: Vec<(Side, &'a CellError)>,
    /// True when this failure does not hold up the verdict.
    pub(super) may_fail: bool,
    /// The cells, at least one.
    pub(super) cells: Vec<&'a CellReport>,
}

impl Failure<'_> {
    /// Where it happens: `chat on amd`.
    pub(super) fn cells(&self, report: &Report) -> String {
        let mut cells = Cells::default();
        for cell in &self.cells {
            cells.add(&cell.release, &cell.platform);
        }
        cells.describe(report)
    }

    /// What it means, in a few words.
    pub(super) fn what(&self, report: &Report) -> &'static str {
        let sides: Vec<Side> = self.errors.iter().map(|(side, _)| *side).collect();
        match (self.status, &sides[..]) {
            (CellStatus::FailsAlike, _) if self.may_fail => "fails alike on both sides, as it may",
            (CellStatus::FailsAlike, _) => "fails alike on both sides",
            (_, [Side::Candidate]) if report.facts.baseline.is_none() => "it does not render",
            (_, [Side::Candidate]) => "newly broken: the baseline renders, the candidate fails",
            (_, [Side::Baseline]) => "not comparable: the baseline fails, the candidate renders",
            _ => "fails on both sides, each in its own way",
        }
    }
}

/// True when the configuration or the command line lets this cell fail alike.
pub(super) fn excused(cell: &CellReport, report: &Report) -> bool {
    cell.status == CellStatus::FailsAlike && (cell.may_fail || report.outcome.policy.allow_failing_alike)
}

/// The failures of a run, what holds up the verdict first.
pub(super) fn failures(report: &Report) -> Vec<Failure<'_>> {
    let mut failures: Vec<Failure<'_>> = Vec::new();
    for cell in report
        .facts
        .cells
        .iter()
        .filter(|cell| cell.status != CellStatus::Ok)
    {
        let errors = match cell.status {
            CellStatus::FailsAlike => cell.error().into_iter().collect(),
            _ => Side::BOTH
                .into_iter()
                .filter_map(|side| cell.errors.get(side).as_ref().map(|error| (side, error)))
                .collect::<Vec<_>>(),
        };
        let may_fail = excused(cell, report);
        let same = failures.iter_mut().find(|failure| {
            failure.status == cell.status && failure.errors == errors && failure.may_fail == may_fail
        });
        match same {
            Some(failure) => failure.cells.push(cell),
            None => failures.push(Failure {
                status: cell.status,
                errors,
                may_fail,
                cells: vec![cell],
            }),
        }
    }
    failures.sort_by_key(|failure| (failure.may_fail, failure.status));
    failures
}
