//! A comment on a pull request: the verdict and the grid first, then what does not render, what differs, and what
//! was found, worst first. What a comment has no room for is cut from the end of each part and counted.

mod budget;
mod diff;
pub(super) mod escape;
mod parts;

use super::model::{CellReport, Report};
use super::outcome::RunVerdict;
use super::text::{grid, next};
use super::words::{list, number, plural, verb};
use super::{Format, Style, clip, summary};
use crate::base::Level;
use budget::{LIMIT, Part};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// This format's row in the table.
pub static FORMAT: Format = Format {
    name: "markdown",
    about: "a comment on a pull request",
    write,
};

/// What a script finds its own comment by.
const SIGN: &str = "<!-- evenkeel report -->\n";

/// More columns than this, and each cell gets a row.
const COLUMNS: usize = 10;

/// Bytes that the grid may take, and the lines around the parts.
const GRID: usize = 12_000;
const AROUND: usize = 6_000;

fn write(report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(comment(report, LIMIT).as_bytes())
}

/// The comment in at most so many bytes.
fn comment(report: &Report, limit: usize) -> String {
    let mut text = head(report);
    let mut parts = vec![parts::failing(report), parts::differing(report)];
    parts.extend([Level::Deny, Level::Warn, Level::Info].map(|level| parts::found(report, level)));
    let closing = closing(report);
    // The line that tells what was cut names each part once.
    let reserve = text.len() + closing.len() + 1_000;
    let shown = budget::fit(&parts, limit.saturating_sub(reserve));
    for (part, shown) in parts.iter().zip(&shown) {
        if *shown > 0 {
            text.push_str(&part.heading);
        }
        for block in &part.blocks[..*shown] {
            text.push_str(block);
        }
        if *shown > 0 {
            text.push_str(part.end);
        }
    }
    text.push_str(&cut(report, &parts, &shown));
    text.push_str(&closing);
    text
}

/// The verdict in words, and the grid.
fn head(report: &Report) -> String {
    let (word, rest) = summary::verdict(report);
    let mut text = format!(
        "{SIGN}## evenkeel: {word}\n\n**{}**\n\n{}\n\n",
        escape::prose(&rest),
        escape::prose(&clip::cut(&summary::sides(report), 500, "…"))
    );
    let mut left = AROUND / 2;
    for doubt in &report.facts.doubts {
        let line = format!(
            "**undecided**: {}\n\n",
            escape::prose(&clip::cut(doubt.as_str(), 1_000, "…"))
        );
        push_within(&line, &mut left, &mut text);
    }
    if report.facts.baseline.is_some() && report.outcome.verdict != RunVerdict::Equivalent {
        text.push_str(&table(report));
    }
    text
}

fn push_within(line: &str, left: &mut usize, text: &mut String) {
    if line.len() <= *left {
        *left -= line.len();
        text.push_str(line);
    }
}

/// One row per release with something to say, one column per platform.
fn table(report: &Report) -> String {
    let mut releases: BTreeMap<&str, Vec<&CellReport>> = BTreeMap::new();
    for cell in &report.facts.cells {
        releases.entry(&cell.release).or_default().push(cell);
    }
    let (telling, equal): (Vec<_>, Vec<_>) = releases
        .into_iter()
        .partition(|(_, cells)| cells.iter().any(|cell| grid::has_something_to_say(cell)));
    let cells: Vec<&CellReport> = telling
        .iter()
        .flat_map(|(_, cells)| cells.iter().copied())
        .collect();
    let platforms = grid::columns(report, &cells);
    let wide = platforms.len() > COLUMNS;
    let mut rows = Vec::new();
    for (release, cells) in &telling {
        rows.extend(match wide {
            true => narrow_rows(release, cells),
            false => vec![row(release, cells, &platforms)],
        });
    }
    if rows.is_empty() {
        return String::new();
    }
    let name = |name: &str| escape::cell_code(&clip::cut(name, 40, "…"));
    let mut header = vec!["release".to_owned()];
    match wide {
        true => header.extend(["platform".to_owned(), "documents".to_owned()]),
        false => header.extend(platforms.iter().map(|platform| match platform.is_empty() {
            true => "documents".to_owned(),
            false => name(platform),
        })),
    }
    let mut text = format!("| {} |\n|{}\n", header.join(" | "), " --- |".repeat(header.len()));
    let total = rows.len();
    let mut shown = 0;
    for row in &rows {
        if text.len() + row.len() > GRID {
            break;
        }
        text.push_str(row);
        shown += 1;
    }
    text.push('\n');
    if shown < total {
        text.push_str(&format!("and {} more\n\n", plural(total - shown, "row")));
    }
    if !equal.is_empty() {
        let documents = equal.iter().flat_map(|(_, cells)| cells.iter());
        let documents = documents.map(|cell| cell.documents.len()).sum();
        text.push_str(&format!(
            "{} more: all {} equal\n\n",
            plural(equal.len(), "release"),
            plural(documents, "document")
        ));
    }
    text
}

fn row(release: &str, cells: &[&CellReport], platforms: &[&str]) -> String {
    let mut row = format!("| {} |", escape::cell_code(&clip::cut(release, 60, "…")));
    for platform in platforms {
        let here: Vec<&CellReport> = cells
            .iter()
            .copied()
            .filter(|cell| cell.platform == **platform)
            .collect();
        row.push_str(&match here[..] {
            [] => " · |".to_owned(),
            _ => format!(" {} |", told(&here)),
        });
    }
    row.push('\n');
    row
}

fn narrow_rows(release: &str, cells: &[&CellReport]) -> Vec<String> {
    let telling = cells.iter().filter(|cell| grid::has_something_to_say(cell));
    telling
        .map(|cell| {
            format!(
                "| {} | {} | {} |\n",
                escape::cell_code(&clip::cut(release, 60, "…")),
                escape::cell_code(&clip::cut(&cell.platform, 60, "…")),
                told(&[cell])
            )
        })
        .collect()
}

fn told(cells: &[&CellReport]) -> String {
    let words = grid::words(cells);
    if cells.iter().any(|cell| grid::has_something_to_say(cell)) {
        format!("**{words}**")
    } else {
        words
    }
}

/// What is left out, and where it can be seen.
fn cut(report: &Report, parts: &[Part], shown: &[usize]) -> String {
    let mut left_out: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (part, shown) in parts.iter().zip(shown) {
        let sums = left_out.entry(part.noun).or_default();
        *sums = (sums.0 + part.total - shown, sums.1 + part.total);
    }
    let told: Vec<String> = left_out
        .iter()
        .filter(|(_, (hidden, _))| *hidden > 0)
        .map(|(noun, (hidden, total))| format!("{} of {}", number(*hidden), plural(*total, noun)))
        .collect();
    if told.is_empty() {
        return String::new();
    }
    format!(
        "**Cut to fit into a comment:** {} left out. They are in the reports that this run wrote to files (look \
         among its artifacts), or run {}.\n\n",
        list(&told),
        escape::code(&command(report))
    )
}

/// The command that shows the same at home.
fn command(report: &Report) -> String {
    let facts = &report.facts;
    let mut command = match &facts.baseline {
        Some(baseline) => format!("evenkeel verify --against {}", baseline.requested),
        None => "evenkeel audit".to_owned(),
    };
    if facts.candidate.kind == super::model::CandidateKind::Git
        && let Some(sha) = &facts.candidate.sha
    {
        command.push_str(&format!(" --candidate {sha}"));
    }
    command.push_str(" --verbose");
    clip::cut(&command, 300, "…")
}

/// The last lines: what stands, notes, counts and what to do now.
fn closing(report: &Report) -> String {
    let facts = &report.facts;
    let standing = facts.standing + facts.findings.iter().filter(|finding| finding.standing).count();
    let mut lines = Vec::new();
    if standing > 0 {
        lines.push(format!(
            "{} {} on both sides; `evenkeel audit` tells all of one side\n\n",
            plural(standing, "hazard"),
            verb(standing, "stand")
        ));
    }
    for note in &facts.notes {
        let note = clip::cut(note.as_str(), 1_000, "…");
        lines.push(format!("note: {}\n\n", escape::prose(&note)));
    }
    if report.outcome.exit_code != 0 {
        if facts.baseline.is_some() {
            lines.push(format!("{}\n\n", next::counts(report)));
        }
        lines.extend(
            next::hints(report)
                .iter()
                .map(|hint| format!("- {}\n", ours(hint))),
        );
    }
    let (mut text, mut left) = (String::new(), AROUND / 2);
    for line in &lines {
        push_within(line, &mut left, &mut text);
    }
    text
}

/// A line of our own with commands in backticks, which may quote names.
fn ours(text: &str) -> String {
    text.split('`')
        .enumerate()
        .map(|(index, piece)| match index % 2 {
            0 => escape::prose(piece),
            _ => escape::code(piece),
        })
        .collect()
}

#[cfg(test)]
mod tests;
