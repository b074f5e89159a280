//! The cells that could not be compared, with Helm's own words.

use super::page::{Ink, Page, plain, span};
use super::places::Cells;
use crate::base::Side;
use crate::report::flow::Writer;
use crate::report::model::{CellError, CellReport, CellStatus, Report};
use std::io;

/// Cells that fail in the same way.
struct Failure<'a> {
    status: CellStatus,
    errors: Vec<(Side, &'a CellError)>,
    may_fail: bool,
    cells: Vec<&'a CellReport>,
}

/// Writes each failure once, with the cells that it holds for.
pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let excused = |cell: &CellReport| {
        cell.status == CellStatus::FailsAlike && (cell.may_fail || report.outcome.policy.allow_failing_alike)
    };
    let mut failures: Vec<Failure<'_>> = Vec::new();
    for cell in &report.facts.cells {
        if cell.status == CellStatus::Ok {
            continue;
        }
        let errors = match cell.status {
            CellStatus::FailsAlike => cell.error().into_iter().collect(),
            _ => Side::BOTH
                .into_iter()
                .filter_map(|side| cell.errors.get(side).as_ref().map(|error| (side, error)))
                .collect::<Vec<_>>(),
        };
        let same = failures.iter_mut().find(|failure| {
            failure.status == cell.status && failure.errors == errors && failure.may_fail == excused(cell)
        });
        match same {
            Some(failure) => failure.cells.push(cell),
            None => failures.push(Failure {
                status: cell.status,
                errors,
                may_fail: excused(cell),
                cells: vec![cell],
            }),
        }
    }
    failures.sort_by_key(|failure| (failure.may_fail, failure.status));
    for failure in &failures {
        write_failure(failure, report, page)?;
    }
    Ok(())
}

fn write_failure(failure: &Failure<'_>, report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let mut cells = Cells::default();
    for cell in &failure.cells {
        cells.add(&cell.release, &cell.platform);
    }
    let sides: Vec<Side> = failure.errors.iter().map(|(side, _)| *side).collect();
    let what = match (failure.status, &sides[..]) {
        (CellStatus::FailsAlike, _) if failure.may_fail => "fails alike on both sides, as it may",
        (CellStatus::FailsAlike, _) => "fails alike on both sides",
        (_, [Side::Candidate]) if report.facts.baseline.is_none() => "it does not render",
        (_, [Side::Candidate]) => "newly broken: the baseline renders, the candidate fails",
        (_, [Side::Baseline]) => "not comparable: the baseline fails, the candidate renders",
        _ => "fails on both sides, each in its own way",
    };
    let ink = if failure.may_fail { Ink::Dim } else { Ink::Bad };
    page.blank();
    page.wrapped(
        0,
        &[
            span(ink, failure.status.name()),
            plain(" "),
            span(Ink::Strong, cells.describe(report)),
            plain(": "),
            plain(what),
        ],
    )?;
    for (side, error) in &failure.errors {
        if failure.errors.len() > 1 {
            page.line(2, &[span(Ink::Strong, side.name()), plain(":")])?;
        }
        write_error(error, page)?;
    }
    Ok(())
}

fn write_error(error: &CellError, page: &mut Page<'_>) -> io::Result<()> {
    let writer = Writer::new(page.style.show_secrets);
    for line in writer.text(&error.message).lines() {
        page.wrapped(4, &[plain(line)])?;
    }
    if let Some(place) = &error.place {
        page.line(4, &[span(Ink::Dim, "at "), span(Ink::Name, place.to_string())])?;
    }
    if !error.include_trace.is_empty() {
        let chain: Vec<&str> = error
            .include_trace
            .iter()
            .map(|frame| writer.text(frame))
            .collect();
        let arrow = page.arrow();
        page.wrapped(4, &[span(Ink::Dim, "through "), plain(chain.join(arrow))])?;
    }
    Ok(())
}
