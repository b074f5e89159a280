//! The grid: one row per release with something to say, one column per platform.

use super::page::{Ink, Page, Span, span};
use crate::report::clip;
use crate::report::model::{CellReport, CellStatus, Report, Verdict};
use crate::report::outcome::{DocumentCounts, is_equal};
use crate::report::words::{number, plural};
use crate::report::{Style, table};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use unicode_width::UnicodeWidthStr;

/// Up to so many releases are all shown, equal or not.
const FEW_RELEASES: usize = 8;

/// The verdicts that are counted one by one, in this order.
const TOLD: [Verdict; 6] = [
    Verdict::Undecided,
    Verdict::Changed,
    Verdict::Added,
    Verdict::Removed,
    Verdict::Renamed,
    Verdict::Moved,
];

/// What there is to say of the cells of one release and platform, in words.
pub(in crate::report) fn words(cells: &[&CellReport]) -> String {
    let (_, text) = match cells {
        [cell] => told(cell, Wording::Words),
        several => together(several, Wording::Words),
    };
    text.into_owned()
}

/// What a row is told in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wording {
    Words,
    Signs,
}

/// Writes the grid, the signs it uses, and a line for the releases it leaves out.
pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let mut releases: BTreeMap<&str, Vec<&CellReport>> = BTreeMap::new();
    for cell in &report.facts.cells {
        releases.entry(&cell.release).or_default().push(cell);
    }
    let all = page.style.verbose || releases.len() <= FEW_RELEASES;
    let (shown, rest): (Vec<_>, Vec<_>) = releases
        .iter()
        .partition(|(_, cells)| all || cells.iter().any(|cell| has_something_to_say(cell)));
    if shown.is_empty() {
        return Ok(());
    }
    page.blank();
    let cells: Vec<&CellReport> = shown
        .iter()
        .flat_map(|(_, cells)| cells.iter().copied())
        .collect();
    let (lines, signs) = layout(report, &cells, page.style);
    for line in lines {
        page.ready(&line)?;
    }
    if signs {
        page.listed(1, span(Ink::Dim, ""), Ink::Dim, &legend(&cells))?;
    }
    if !rest.is_empty() {
        let documents: usize = rest
            .iter()
            .flat_map(|(_, cells)| cells.iter())
            .map(|cell| cell.documents.len())
            .sum();
        page.wrapped(
            1,
            &[span(
                Ink::Dim,
                format!(
                    "{} more: all {} equal",
                    plural(rest.len(), "release"),
                    plural(documents, "document")
                ),
            )],
        )?;
    }
    Ok(())
}

/// False for a cell in which everything is equal.
pub(in crate::report) fn has_something_to_say(cell: &CellReport) -> bool {
    cell.status != CellStatus::Ok
        || !cell.unruly.is_empty()
        || cell.documents.iter().any(|document| !is_equal(document.verdict))
}

/// The narrowest loss that fits: words, signs (then true), or one row per cell, in words or signs.
fn layout(report: &Report, cells: &[&CellReport], style: &Style) -> (Vec<String>, bool) {
    let platforms = columns(report, cells);
    for wording in [Wording::Words, Wording::Signs] {
        let lines = grid(cells, &platforms, wording, style);
        if lines.iter().all(|line| display_width(line) <= style.width) {
            return (lines, wording == Wording::Signs);
        }
    }
    let lines = list(cells, Wording::Words, style);
    if lines.iter().all(|line| display_width(line) <= style.width) {
        return (lines, false);
    }
    (list(cells, Wording::Signs, style), true)
}

/// A row per cell. Names that leave no room for what there is to say are cut.
fn list(cells: &[&CellReport], wording: Wording, style: &Style) -> Vec<String> {
    let told: Vec<Span<'_>> = cells.iter().map(|cell| told(cell, wording)).collect();
    let widest = told.iter().map(|(_, text)| text.width()).max().unwrap_or(0);
    let room = (style.width.saturating_sub(widest + 10) / 2).max(12);
    let ellipsis = if style.unicode { "…" } else { "..." };
    let name = |name: &str| span(Ink::Plain, clip::cut(name, room, ellipsis));
    let rows: Vec<Vec<Span<'_>>> = cells
        .iter()
        .zip(told)
        .map(|(cell, told)| vec![name(&cell.release), name(&cell.platform), told])
        .collect();
    let header = ["release", "platform", "documents"].map(String::from);
    table::lines(&header, &rows, style)
}

/// The platforms of the cells, in the order of the configuration.
pub(in crate::report) fn columns<'a>(report: &'a Report, cells: &[&'a CellReport]) -> Vec<&'a str> {
    let used: BTreeSet<&str> = cells.iter().map(|cell| cell.platform.as_str()).collect();
    let known = report.facts.platforms.iter().map(String::as_str);
    let mut columns: Vec<&str> = known.filter(|name| used.contains(name)).collect();
    let unknown: Vec<&str> = used.into_iter().filter(|name| !columns.contains(name)).collect();
    columns.extend(unknown);
    columns
}

fn grid(cells: &[&CellReport], platforms: &[&str], wording: Wording, style: &Style) -> Vec<String> {
    let mut rows: BTreeMap<&str, BTreeMap<&str, Vec<&CellReport>>> = BTreeMap::new();
    for cell in cells {
        rows.entry(&cell.release)
            .or_default()
            .entry(&cell.platform)
            .or_default()
            .push(cell);
    }
    let header: Vec<String> = std::iter::once("release")
        .chain(
            platforms
                .iter()
                .map(|name| if name.is_empty() { "documents" } else { name }),
        )
        .map(String::from)
        .collect();
    let mut lines = Vec::new();
    for (release, by_platform) in &rows {
        let mut row = vec![span(Ink::Plain, *release)];
        for platform in platforms {
            row.push(match by_platform.get(platform).map(Vec::as_slice) {
                None | Some([]) => span(Ink::Dim, if style.unicode { "·" } else { "." }),
                Some([cell]) => told(cell, wording),
                Some(several) => together(several, wording),
            });
        }
        lines.push(row);
    }
    table::lines(&header, &lines, style)
}

/// What there is to say of a cell.
fn told<'a>(cell: &CellReport, wording: Wording) -> Span<'a> {
    match (cell.status, cell.errors.candidate.is_some()) {
        (CellStatus::Ok, _) if !cell.unruly.is_empty() => {
            let (_, text) = counts(&DocumentCounts::of(cell), wording);
            (Ink::Caution, text + ", not as a whole")
        }
        (CellStatus::Ok, _) => counts(&DocumentCounts::of(cell), wording),
        (CellStatus::Undecided, true) => span(Ink::Bad, "fails now"),
        (CellStatus::Undecided, false) => span(Ink::Bad, "failed before"),
        (CellStatus::FailsAlike, _) if cell.may_fail => span(Ink::Dim, "fails alike"),
        (CellStatus::FailsAlike, _) => span(Ink::Bad, "fails alike"),
    }
}

/// Several cells of one release and platform, which differ in their namespaces.
fn together<'a>(cells: &[&CellReport], wording: Wording) -> Span<'a> {
    if let Some(failing) = cells.iter().find(|cell| cell.status != CellStatus::Ok) {
        return told(failing, wording);
    }
    let mut sum = DocumentCounts::default();
    for cell in cells {
        sum.merge(&DocumentCounts::of(cell));
    }
    counts(&sum, wording)
}

fn counts<'a>(counts: &DocumentCounts, wording: Wording) -> Span<'a> {
    let mut parts = Vec::new();
    for verdict in TOLD {
        let count = counts.get(verdict);
        if count > 0 {
            parts.push(match wording {
                Wording::Words if verdict == Verdict::Undecided => format!("{} unreadable", number(count)),
                Wording::Words => format!("{} {}", number(count), verdict.name()),
                Wording::Signs => format!("{count}{}", sign(verdict)),
            });
        }
    }
    let ink = match (counts.get(Verdict::Undecided), parts.is_empty()) {
        (0, true) => Ink::Dim,
        (0, false) => Ink::Caution,
        _ => Ink::Bad,
    };
    let equal = counts.equal();
    if equal > 0 || parts.is_empty() {
        parts.push(match wording {
            Wording::Words => format!("{} equal", number(equal)),
            Wording::Signs => format!("{equal}="),
        });
    }
    span(
        ink,
        parts.join(match wording {
            Wording::Words => ", ",
            Wording::Signs => " ",
        }),
    )
}

fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Changed => "~",
        Verdict::Added => "+",
        Verdict::Removed => "-",
        Verdict::Renamed => "r",
        Verdict::Moved => "m",
        Verdict::Undecided => "?",
        _ => "=",
    }
}

/// The signs that these cells use.
fn legend(cells: &[&CellReport]) -> Vec<String> {
    let mut sum = DocumentCounts::default();
    for cell in cells.iter().filter(|cell| cell.status == CellStatus::Ok) {
        sum.merge(&DocumentCounts::of(cell));
    }
    let used = TOLD.into_iter().filter(|verdict| sum.get(*verdict) > 0);
    let parts = used.map(|verdict| match verdict {
        Verdict::Undecided => format!("{} unreadable", sign(verdict)),
        verdict => format!("{} {}", sign(verdict), verdict.name()),
    });
    parts.chain(["= equal".to_owned()]).collect()
}

/// Columns of a line, escape sequences not counted.
fn display_width(line: &str) -> usize {
    let mut width = 0;
    let mut rest = line;
    while let Some(start) = rest.find('\x1b') {
        width += UnicodeWidthStr::width(&rest[..start]);
        rest = rest[start..].find('m').map_or("", |end| &rest[start + end + 1..]);
    }
    width + UnicodeWidthStr::width(rest)
}
