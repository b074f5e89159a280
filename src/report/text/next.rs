//! The last lines: the counts once more, and what to do now.

use super::page::{Ink, Page, plain, span};
use crate::base::Level;
use crate::report::model::{BaselineKind, CellReport, CellStatus, Report, Verdict};
use crate::report::outcome::{RunVerdict, is_equal};
use crate::report::words::{number, plural};
use std::io;

/// Writes both, unless there is nothing to do.
pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    if report.outcome.exit_code == 0 {
        return Ok(());
    }
    write_counts(report, page)?;
    if report.facts.baseline.is_none() {
        page.blank();
    }
    for hint in hints(report) {
        page.wrapped(0, &[span(Ink::Strong, "next: "), plain(hint)])?;
    }
    Ok(())
}

/// Writes the counts, unless all is well; the headline of an audit has them.
pub(super) fn write_counts(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    if report.outcome.exit_code == 0 || report.facts.baseline.is_none() {
        return Ok(());
    }
    page.blank();
    page.wrapped(0, &[span(Ink::Dim, counts(report))])
}

/// `15 cells, 58 documents: 30 equal, 28 differ; 1 deny, 1 warn`
pub(in crate::report) fn counts(report: &Report) -> String {
    let outcome = &report.outcome;
    let documents = &outcome.documents;
    let mut text = format!(
        "{}, {}: {} equal",
        plural(outcome.cells, "cell"),
        plural(documents.total(), "document"),
        number(documents.total() - outcome.differing() - documents.get(Verdict::Undecided))
    );
    for (count, what) in [
        (outcome.differing(), "different"),
        (documents.get(Verdict::Undecided), "unreadable"),
    ] {
        if count > 0 {
            text.push_str(&format!(", {} {what}", number(count)));
        }
    }
    let levels = [Level::Deny, Level::Warn, Level::Info];
    // Those that stand on both sides are told apart.
    let brought = |level| {
        let findings = report.facts.findings.iter();
        findings
            .filter(|finding| finding.level == level && !finding.standing)
            .count()
    };
    let findings: Vec<String> = levels
        .into_iter()
        .map(|level| (level, brought(level)))
        .filter(|(_, count)| *count > 0)
        .map(|(level, count)| format!("{} {level}", number(count)))
        .collect();
    if !findings.is_empty() {
        text.push_str(&format!("; findings: {}", findings.join(", ")));
    }
    text
}

/// What to do now, a line each, with commands in backticks.
pub(in crate::report) fn hints(report: &Report) -> Vec<String> {
    let outcome = &report.outcome;
    let mut hints = Vec::new();
    if outcome.cells == 0 {
        hints.push(
            "no cell was selected: look at --release, --platform and the releases in evenkeel.yaml"
                .to_owned(),
        );
    } else if report.facts.baseline.is_some()
        && outcome.is_empty()
        && outcome.cells_undecided + outcome.cells_failing_alike == 0
    {
        hints.push("no chart rendered a document: look at the values that switch them on".to_owned());
    }
    if let Some(cell) = find(report, |cell| cell.status == CellStatus::Undecided) {
        let command = render(cell, report);
        hints.push(match report.facts.baseline {
            Some(_) => format!("make both sides render; {command} shows the candidate's"),
            None => format!("make it render; {command} shows the error alone"),
        });
    }
    let alike = |cell: &CellReport| cell.status == CellStatus::FailsAlike && !cell.may_fail;
    if !outcome.policy.allow_failing_alike && find(report, alike).is_some() {
        hints.push(
            "what fails alike needs `mayFail: true` on its release or --allow-failing-alike to pass"
                .to_owned(),
        );
    }
    let differs = |cell: &CellReport| {
        let mut verdicts = cell.documents.iter().map(|document| document.verdict);
        verdicts.any(|verdict| !is_equal(verdict) && verdict != Verdict::Undecided)
    };
    if outcome.differing() > 0 {
        if outcome.documents.get(Verdict::Moved) == outcome.differing() {
            hints.push("documents that only moved pass with --allow-moved".to_owned());
        } else if let Some(cell) = find(report, differs) {
            hints.push(format!(
                "{} prints the candidate's documents",
                render(cell, report)
            ));
        }
        let pin = report
            .facts
            .baseline
            .as_ref()
            .filter(|info| info.kind == BaselineKind::Pin);
        if let Some(pin) = pin.filter(|_| outcome.verdict == RunVerdict::Differs) {
            let name = pin.pin.as_deref().unwrap_or("NAME");
            hints.push(format!(
                "if this is meant, move the pin: `evenkeel pin REV --name {name}`"
            ));
        }
    }
    let failing = report
        .facts
        .findings
        .iter()
        .find(|finding| outcome.policy.fails(finding));
    if let Some(finding) = failing {
        hints.push(format!(
            "`evenkeel explain {}` says why it matters",
            finding.check
        ));
    }
    hints
}

fn find(report: &Report, wanted: impl Fn(&CellReport) -> bool) -> Option<&CellReport> {
    report.facts.cells.iter().find(|cell| wanted(cell))
}

fn render(cell: &CellReport, report: &Report) -> String {
    if report.facts.platforms.len() > 1 {
        format!("`evenkeel render {} --platform {}`", cell.release, cell.platform)
    } else {
        format!("`evenkeel render {}`", cell.release)
    }
}
