//! The top of the page: the verdict, what was compared, the counts; and what is said of the run as a whole.

use super::data::Data;
use super::escape::Html;
use crate::base::Level;
use crate::manifest::{Rule, Rules};
use crate::report::model::{Report, Verdict};
use crate::report::places::Cells;
use crate::report::summary;
use crate::report::words::{list, noun_for, number};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The verdicts as the page orders them, worst first, with what each means.
const VERDICTS: [(Verdict, &str, &str); 10] = [
    (Verdict::Undecided, "?", "cannot be read"),
    (Verdict::Removed, "−", "only the baseline has it"),
    (Verdict::Renamed, "r", "has another name now"),
    (Verdict::Changed, "~", "fields differ"),
    (Verdict::Added, "+", "only the candidate has it"),
    (Verdict::Moved, "m", "unchanged, in another release"),
    (Verdict::Accepted, "✓", "differs as accepted"),
    (
        Verdict::Volatile,
        "≈",
        "differs by chance, clock or cluster alone",
    ),
    (Verdict::Equivalent, "=", "the same in canonical form"),
    (Verdict::Identical, "=", "the same bytes"),
];

/// Writes the header of the page.
pub(super) fn write(report: &Report, _data: &Data<'_>, out: &mut dyn Write) -> io::Result<()> {
    let outcome = &report.outcome;
    let (word, rest) = summary::verdict(report);
    let (state, sign) = match outcome.exit_code {
        0 => ("good", "✓"),
        1 => ("bad", "≠"),
        _ => ("undecided", "?"),
    };
    writeln!(
        out,
        "<header class=\"top {state}\">\n<div class=\"brand\"><span class=\"name\">evenkeel</span>\
         <span class=\"tools\" id=\"tools\" hidden><button type=\"button\" id=\"theme\" \
         aria-label=\"Dark or light\" title=\"Dark or light (t)\">◐</button>\
         <button type=\"button\" id=\"keys\" aria-label=\"Keys\" title=\"Keys (?)\">?</button></span></div>"
    )?;
    writeln!(
        out,
        "<h1><span class=\"sign\" aria-hidden=\"true\">{sign}</span> <span class=\"word\">{word}:</span> \
         <span class=\"rest\">{}</span></h1>\n<p class=\"sides\">{}</p>",
        Html(&rest),
        Html(summary::sides(report))
    )?;
    for doubt in &report.facts.doubts {
        writeln!(
            out,
            "<p class=\"doubt\"><strong>undecided</strong> {}</p>",
            Html(doubt.as_str())
        )?;
    }
    proportions(report, out)?;
    counts(report, out)?;
    writeln!(out, "</header>")
}

/// The documents by verdict as one bar.
fn proportions(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let documents = &report.outcome.documents;
    if documents.total() == 0 {
        return Ok(());
    }
    // An SVG is sized by attributes, and a picture that the counts below tell in words needs no description.
    let total = documents.total() as f64;
    let parts: Vec<(Verdict, f64)> = VERDICTS
        .iter()
        .filter(|(verdict, _, _)| documents.get(*verdict) > 0)
        // What is rare has to be seen: no part is thinner than this.
        .map(|(verdict, _, _)| {
            (
                *verdict,
                (documents.get(*verdict) as f64 / total * 1000.0).max(6.0),
            )
        })
        .collect();
    let sum: f64 = parts.iter().map(|(_, width)| width).sum();
    write!(
        out,
        "<svg class=\"bar-of-all\" viewBox=\"0 0 1000 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
    )?;
    let mut x = 0.0;
    for (verdict, width) in parts {
        let width = width / sum * 1000.0;
        write!(
            out,
            "<rect class=\"f-{}\" x=\"{x:.2}\" y=\"0\" width=\"{width:.2}\" height=\"8\"/>",
            verdict.name()
        )?;
        x += width;
    }
    writeln!(out, "</svg>")
}

/// The documents by verdict and the findings by level; the script makes filters of them.
fn counts(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let outcome = &report.outcome;
    writeln!(out, "<ul class=\"counts\" aria-label=\"Documents and findings\">")?;
    for (verdict, sign, meaning) in VERDICTS {
        let count = outcome.documents.get(verdict);
        if count > 0 {
            writeln!(
                out,
                "<li class=\"chip v-{0}\" data-verdict=\"{0}\" title=\"{meaning}\"><span class=\"mark\" \
                 aria-hidden=\"true\">{sign}</span> <b>{1}</b> {2}</li>",
                verdict.name(),
                number(count),
                if verdict == Verdict::Undecided {
                    "unreadable"
                } else {
                    verdict.name()
                },
            )?;
        }
    }
    if outcome.cells_undecided + outcome.cells_failing_alike > 0 {
        let count = outcome.cells_undecided + outcome.cells_failing_alike;
        writeln!(
            out,
            "<li class=\"chip v-undecided\"><a href=\"#failures\"><span class=\"mark\" aria-hidden=\"true\">✕</span> \
             <b>{}</b> {} not rendered</a></li>",
            number(count),
            noun_for(count, "cell")
        )?;
    }
    for (level, count) in [Level::Deny, Level::Warn, Level::Info]
        .into_iter()
        .zip(outcome.findings)
        .filter(|(_, count)| *count > 0)
    {
        writeln!(
            out,
            "<li class=\"chip l-{level}\"><a href=\"#findings\"><span class=\"mark\" aria-hidden=\"true\">!</span> \
             <b>{}</b> {level}</a></li>",
            number(count)
        )?;
    }
    writeln!(out, "</ul>")
}

/// Cells that differ as a whole though no document does.
pub(super) fn unruly(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut cells: BTreeMap<Rules, Cells<'_>> = BTreeMap::new();
    for cell in report.facts.cells.iter().filter(|cell| !cell.unruly.is_empty()) {
        cells
            .entry(cell.unruly)
            .or_default()
            .add(&cell.release, &cell.platform);
    }
    for (rules, cells) in &cells {
        let names: Vec<&str> = rules.iter().map(Rule::name).collect();
        writeln!(
            out,
            "<p class=\"whole\"><strong>{}</strong>: the render as a whole, in what {} would set aside (switched \
             off)</p>",
            Html(cells.describe(report)),
            list(&names)
        )?;
    }
    Ok(())
}

/// What the reader should know about the run, and what Helm warned of.
pub(super) fn notes(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut warnings: BTreeMap<(bool, &str), Cells<'_>> = BTreeMap::new();
    for cell in &report.facts.cells {
        for warning in &cell.warnings {
            let old = cell
                .warnings
                .iter()
                .any(|other| other.side != warning.side && other.message == warning.message);
            warnings
                .entry((old, warning.message.as_str()))
                .or_default()
                .add(&cell.release, &cell.platform);
        }
    }
    if warnings.is_empty() && report.facts.notes.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<section id=\"notes\" aria-labelledby=\"notes-title\">\n<h2 id=\"notes-title\">Notes</h2>\n<ul class=\"notes\">"
    )?;
    for note in &report.facts.notes {
        writeln!(out, "<li>{}</li>", Html(note.as_str()))?;
    }
    for ((old, message), cells) in &warnings {
        let both = if *old { ", on both sides" } else { "" };
        writeln!(
            out,
            "<li><b>helm:</b> <code>{}</code> <span class=\"where\">({}{both})</span></li>",
            Html(message),
            Html(cells.describe(report))
        )?;
    }
    writeln!(out, "</ul>\n</section>")
}
