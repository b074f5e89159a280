//! The report for a person at a terminal. First the verdict in one line; when something is wrong the grid, the
//! differences, what does not render, the findings, and what to do next. Silence about what is as it should be.

pub(super) mod blame;
mod differences;
mod documents;
mod errors;
mod findings;
pub(super) mod grid;
mod headline;
mod lines;
pub(super) mod next;
pub(super) mod page;
pub(super) mod stat;

use super::model::Report;
use super::outcome::RunVerdict;
use super::places;
use super::{Format, Style};
use page::{Ink, Page, plain, span};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// This format's row in the table.
pub static FORMAT: Format = Format {
    name: "text",
    about: "for people",
    write,
};

fn write(report: &Report, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Page::new(out, style);
    headline::write(report, &mut page)?;
    let quiet = report.outcome.verdict == RunVerdict::Equivalent;
    if report.facts.baseline.is_some() && (!quiet || style.verbose) {
        grid::write(report, &mut page)?;
    }
    doubts(report, &mut page)?;
    differences::write(report, &mut page)?;
    errors::write(report, &mut page)?;
    findings::write(report, &mut page)?;
    warnings(report, &mut page, quiet)?;
    notes(report, &mut page)?;
    next::write(report, &mut page)
}

fn doubts(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    for doubt in &report.facts.doubts {
        page.blank();
        for (index, line) in doubt.as_str().lines().enumerate() {
            let head = if index == 0 { "undecided: " } else { "" };
            page.wrapped(2 * index.min(1), &[span(Ink::Bad, head), plain(line)])?;
        }
    }
    Ok(())
}

fn notes(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    if report.facts.notes.is_empty() {
        return Ok(());
    }
    page.blank();
    for note in &report.facts.notes {
        page.wrapped(0, &[span(Ink::Dim, "note: "), plain(note.as_str())])?;
    }
    Ok(())
}

/// What Helm warned of. What it says of both sides is old, and told only when asked for.
fn warnings(report: &Report, page: &mut Page<'_>, quiet: bool) -> io::Result<()> {
    let mut cells: BTreeMap<(&str, bool), places::Cells<'_>> = BTreeMap::new();
    for cell in &report.facts.cells {
        for warning in &cell.warnings {
            let old = cell
                .warnings
                .iter()
                .any(|other| other.side != warning.side && other.message == warning.message);
            cells
                .entry((warning.message.as_str(), old))
                .or_default()
                .add(&cell.release, &cell.platform);
        }
    }
    let old = cells.keys().filter(|(_, old)| *old).count();
    page.blank();
    for ((message, is_old), cells) in &cells {
        if *is_old && !page.style.verbose {
            continue;
        }
        let place = format!("  ({})", cells.describe(report));
        page.wrapped(
            0,
            &[
                span(Ink::Caution, "helm: "),
                plain(*message),
                span(Ink::Dim, place),
            ],
        )?;
    }
    if old > 0 && !page.style.verbose && !quiet {
        let said = if old == 1 {
            "1 warning".to_owned()
        } else {
            format!("{old} warnings")
        };
        page.wrapped(
            0,
            &[span(
                Ink::Dim,
                format!("helm: {said} on both sides alike (--verbose shows them)"),
            )],
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
