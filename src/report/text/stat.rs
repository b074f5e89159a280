//! The short form, as `git diff --stat` is to `git diff`: the verdict, the grid, a line for each document that is not
//! equal with the counts of its fields, a line for each failure, and the names of the checks that found something.

use super::page::{Ink, Page, Span, plain, span};
use super::{doubts, grid, headline, next};
use crate::base::Level;
use crate::report::failures::failures;
use crate::report::model::{DocumentReport, Op, Report, Verdict};
use crate::report::outcome::RunVerdict;
use crate::report::places::{Cells, name};
use crate::report::words::number;
use crate::report::{Format, Style};
use std::collections::BTreeMap;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// This format's row in the table.
pub static FORMAT: Format = Format {
    name: "stat",
    about: "the grid and a line for each document that is not equal",
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
    documents(report, &mut page)?;
    broken(report, &mut page)?;
    checks(report, &mut page)?;
    next::write_counts(report, &mut page)
}

/// One document of one release, with the platforms where the same became of it.
struct Row<'a> {
    verdict: Verdict,
    fields: [usize; 3],
    what: String,
    cells: Cells<'a>,
}

fn documents(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let rows = rows(report, page.arrow());
    let widths = rows.iter().fold((0, 0), |(verdict, fields), row| {
        let told: usize = told(row.fields).iter().map(|(_, text)| text.width()).sum();
        (verdict.max(row.verdict.name().len()), fields.max(told))
    });
    page.blank();
    for row in &rows {
        let mut line = vec![
            span(verdict_ink(row.verdict), row.verdict.name()),
            plain(" ".repeat(widths.0 - row.verdict.name().len() + 2)),
        ];
        let fields = told(row.fields);
        let width: usize = fields.iter().map(|(_, text)| text.width()).sum();
        line.extend(fields);
        if widths.1 > 0 {
            line.push(plain(" ".repeat(widths.1 - width + 2)));
        }
        line.push(span(Ink::Strong, row.what.as_str()));
        line.push(plain(format!(" ({})", row.cells.describe(report))));
        page.hanging(1, 1 + widths.0 + widths.1 + 4, &line)?;
    }
    Ok(())
}

/// The rows, release by release.
fn rows<'a>(report: &'a Report, arrow: &str) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    let mut known: BTreeMap<(&str, Verdict, [usize; 3], String), usize> = BTreeMap::new();
    for cell in &report.facts.cells {
        for document in &cell.documents {
            if report.outcome.policy.passes(document.verdict) {
                continue;
            }
            let what = what(document, arrow);
            let fields = fields(document);
            let key = (cell.release.as_str(), document.verdict, fields, what.clone());
            let row = *known.entry(key).or_insert_with(|| {
                rows.push(Row {
                    verdict: document.verdict,
                    fields,
                    what,
                    cells: Cells::default(),
                });
                rows.len() - 1
            });
            rows[row].cells.add(&cell.release, &cell.platform);
        }
    }
    rows
}

fn what(document: &DocumentReport, arrow: &str) -> String {
    let hook = if document.hook { "hook " } else { "" };
    match (&document.from, document.verdict) {
        (Some(from), Verdict::Renamed) => format!("{hook}{}{arrow}{}", name(&from.id), document.id.name),
        (Some(from), _) => format!("{hook}{} from {}", name(&document.id), from.release),
        (None, _) => format!("{hook}{}", name(&document.id)),
    }
}

/// How many fields are changed, added and removed.
fn fields(document: &DocumentReport) -> [usize; 3] {
    let count = |wanted: fn(Op) -> bool| document.changes.iter().filter(|change| wanted(change.op)).count();
    [
        count(|op| !matches!(op, Op::Add | Op::Remove)),
        count(|op| op == Op::Add),
        count(|op| op == Op::Remove),
    ]
}

/// `2~ 1+`
fn told<'a>(fields: [usize; 3]) -> Vec<Span<'a>> {
    let signs = [(Ink::Caution, "~"), (Ink::Added, "+"), (Ink::Removed, "-")];
    let mut spans: Vec<Span<'a>> = Vec::new();
    for (count, (ink, sign)) in fields.into_iter().zip(signs).filter(|(count, _)| *count > 0) {
        let gap = if spans.is_empty() { "" } else { " " };
        spans.push(span(ink, format!("{gap}{}{sign}", number(count))));
    }
    spans
}

fn verdict_ink(verdict: Verdict) -> Ink {
    match verdict {
        Verdict::Added => Ink::Added,
        Verdict::Removed => Ink::Removed,
        Verdict::Undecided => Ink::Bad,
        _ => Ink::Caution,
    }
}

/// The cells that could not be compared, without Helm's words.
fn broken(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    page.blank();
    let failures = failures(report);
    let widest = failures.iter().map(|failure| failure.status.name().len()).max();
    for failure in &failures {
        let ink = if failure.may_fail { Ink::Dim } else { Ink::Bad };
        page.wrapped(
            1,
            &[
                span(
                    ink,
                    format!("{:1$}  ", failure.status.name(), widest.unwrap_or(0)),
                ),
                span(Ink::Strong, failure.cells(report)),
                plain(format!(": {}", failure.what(report))),
            ],
        )?;
    }
    Ok(())
}

/// The checks that found something, a line for each level.
fn checks(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    page.blank();
    for (level, ink) in [
        (Level::Deny, Ink::Bad),
        (Level::Warn, Ink::Caution),
        (Level::Info, Ink::Dim),
    ] {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in &report.facts.findings {
            if finding.level == level && !finding.standing {
                *counts.entry(&finding.check).or_default() += 1;
            }
        }
        let names: Vec<String> = counts
            .iter()
            .map(|(check, count)| match count {
                1 => (*check).to_owned(),
                count => format!("{check} ({})", number(*count)),
            })
            .collect();
        if !names.is_empty() {
            page.wrapped(
                1,
                &[span(ink, level.name()), plain(format!("  {}", names.join(", ")))],
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::{CellStatus, Facts};
    use crate::report::outcome::Policy;
    use crate::report::sample;

    fn text(report: &Report, style: &Style) -> String {
        let mut out = Vec::new();
        write(report, style, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn conclude(change: impl FnOnce(&mut Facts), policy: &Policy) -> Report {
        let mut facts = sample::empty();
        facts.cells = ["amd", "arm64"]
            .map(|platform| sample::cell("web", platform, &[Verdict::Identical, Verdict::Moved]))
            .into();
        change(&mut facts);
        Report::conclude(facts, policy)
    }

    #[test]
    fn one_line_for_a_document_whatever_the_platforms() {
        let told = text(&conclude(|_| (), &Policy::default()), &Style::plain());
        let lines: Vec<&str> = told.lines().filter(|line| line.starts_with(" moved")).collect();
        assert_eq!(lines.len(), 1, "{told}");
        assert!(lines[0].contains("on amd and arm64"), "{told}");
    }

    #[test]
    fn what_the_policy_lets_pass_is_not_told() {
        let policy = Policy {
            allow_moved: true,
            ..Policy::default()
        };
        let told = text(&conclude(|_| (), &policy), &Style::plain());
        assert_eq!(told.lines().count(), 2, "{told}");
    }

    #[test]
    fn a_cell_that_fails_is_a_line_without_its_error() {
        let report = conclude(
            |facts| facts.cells[1].status = CellStatus::Undecided,
            &Policy::default(),
        );
        let told = text(&report, &Style::plain());
        assert!(told.contains("\n undecided  web on arm64: "), "{told}");
    }

    #[test]
    fn no_values_and_no_fields_are_shown() {
        let report = sample::rich();
        let told = text(&report, &Style::plain());
        let change = report
            .facts
            .cells
            .iter()
            .flat_map(|cell| &cell.documents)
            .flat_map(|document| &document.changes)
            .next()
            .unwrap();
        assert!(!told.contains(&change.path.to_string()), "{told}");
    }
}
