//! The differences, worst first; the same one on many documents is told once.

use super::page::{Ink, Page, Span, plain, span};
use super::{documents, lines};
use crate::manifest::{Rule, Rules};
use crate::report::clip;
use crate::report::flow::{Writer, kind_name};
use crate::report::group::{Group, groups};
use crate::report::model::{ChangeReport, DocumentReport, Effect, Op, Report, Verdict};
use crate::report::places::{self, Cells};
use crate::report::summary::{self, effects};
use crate::report::words::{list, plural};
use std::collections::BTreeMap;
use std::io;
use unicode_width::UnicodeWidthStr;

/// So many groups, and fields of one group, are shown unless everything is asked for.
const GROUPS: usize = 40;
const FIELDS: usize = 12;

/// So many values behind one field are named unless everything is asked for.
const ORIGINS: usize = 3;

/// Writes every difference, then the documents that count as equal but are listed.
pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let differs = |document: &DocumentReport| !report.outcome.policy.passes(document.verdict);
    unruly(report, page)?;
    let found = groups(report, differs);
    let shown = if page.style.verbose { found.len() } else { GROUPS };
    for group in found.iter().take(shown) {
        page.blank();
        write_group(group, report, page)?;
    }
    if found.len() > shown {
        let hidden: usize = found[shown..].iter().map(|group| group.places.len()).sum();
        page.blank();
        let text = format!(
            "and {} more, milder ones (--verbose shows them)",
            plural(hidden, "document")
        );
        page.wrapped(0, &[span(Ink::Dim, text)])?;
    }
    listed(report, page)
}

/// Cells that differ as a whole though no document does.
fn unruly(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let mut cells: BTreeMap<Rules, Cells<'_>> = BTreeMap::new();
    for cell in report.facts.cells.iter().filter(|cell| !cell.unruly.is_empty()) {
        cells
            .entry(cell.unruly)
            .or_default()
            .add(&cell.release, &cell.platform);
    }
    page.blank();
    for (rules, cells) in &cells {
        let names = list(&rule_names(*rules));
        page.wrapped(
            0,
            &[
                span(Ink::Caution, "changed "),
                span(Ink::Strong, cells.describe(report)),
                plain(format!(
                    ": the render as a whole, in what {names} would set aside (switched off)"
                )),
            ],
        )?;
    }
    Ok(())
}

fn rule_names(rules: Rules) -> Vec<&'static str> {
    rules.iter().map(Rule::name).collect()
}

fn write_group(group: &Group<'_>, report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let cells = Cells::of(&group.places).describe(report);
    let mut head = vec![
        span(ink(group.verdict), group.verdict.name()),
        plain(" "),
        span(Ink::Strong, places::title(group, page.arrow())),
        plain(format!(" ({cells})")),
    ];
    if group.version_labels_only {
        head.push(plain(": nothing but version labels"));
    } else if !group.sample().effects.is_empty() {
        let effects = effects(&group.sample().effects);
        head.push(plain(": "));
        head.push(span(effect_ink(group.effect), effects.join(", ")));
    }
    page.wrapped(0, &head)?;
    let document = group.sample();
    if let Some(problem) = &document.problem {
        for line in Writer::new(page.style.show_secrets).text(problem).lines() {
            page.wrapped(4, &[plain(line)])?;
        }
    }
    if group.version_labels_only {
        version_labels(group, page)?;
    } else {
        write_changes(document, page)?;
    }
    if group.verdict == Verdict::Changed && document.changes.is_empty() {
        let text = "which fields is not known: the baseline is there by its digests alone";
        page.wrapped(4, &[span(Ink::Dim, text)])?;
    }
    if group.version_labels_only && !page.style.verbose {
        return Ok(());
    }
    documents::write(group, report, page)
}

fn write_changes(document: &DocumentReport, page: &mut Page<'_>) -> io::Result<()> {
    let mut changes: Vec<&ChangeReport> = document.changes.iter().collect();
    changes.sort_by_key(|change| change.effect);
    let shown = if page.style.verbose || changes.len() <= FIELDS + 1 {
        changes.len()
    } else {
        FIELDS
    };
    for change in &changes[..shown] {
        write_change(change, page)?;
    }
    if changes.len() > shown {
        let text = format!(
            "and {} more (--verbose shows them)",
            plural(changes.len() - shown, "field")
        );
        page.wrapped(4, &[span(Ink::Dim, text)])?;
    }
    Ok(())
}

fn write_change(change: &ChangeReport, page: &mut Page<'_>) -> io::Result<()> {
    let writer = Writer::new(page.style.show_secrets);
    let path = span(Ink::Name, change.path.to_string());
    if change.before.is_none() && change.after.is_none() {
        return written_otherwise(change, page);
    }
    match (change.op, &change.before, &change.after) {
        (Op::Reorder, Some(before), Some(after)) => {
            page.wrapped(
                2,
                &[plain("~ "), path, plain(": the same elements in another order")],
            )?;
            both(&writer.line(before), &writer.line(after), page)?;
        }
        (Op::Type, Some(before), Some(after)) => {
            let (old, new) = (writer.line(before), writer.line(after));
            let arrow = page.arrow();
            page.wrapped(
                2,
                &[
                    plain("~ "),
                    path,
                    plain(": "),
                    span(Ink::Removed, page.cut(&old, page.room(40))),
                    plain(format!(" ({})", kind_name(before))),
                    plain(arrow),
                    span(Ink::Added, page.cut(&new, page.room(40))),
                    plain(format!(" ({})", kind_name(after))),
                ],
            )?;
        }
        (_, Some(before), Some(after)) => {
            let texts = (writer.string(before), writer.string(after));
            if let (Some(old), Some(new)) = texts
                && (old.contains('\n') || new.contains('\n'))
            {
                page.line(2, &[plain("~ "), path, plain(":")])?;
                lines::write(old, new, page)?;
            } else {
                replaced(path, &writer.line(before), &writer.line(after), page)?;
            }
        }
        (_, None, Some(value)) => one_sided(Ink::Added, "+ ", path, value, writer, page)?,
        (_, Some(value), None) => one_sided(Ink::Removed, "- ", path, value, writer, page)?,
        (_, None, None) => page.line(2, &[plain("~ "), path])?,
    }
    provenance(change, page)
}

/// The data are the same, but the writing differs in what a rule that is switched off would set aside.
fn written_otherwise(change: &ChangeReport, page: &mut Page<'_>) -> io::Result<()> {
    page.wrapped(2, &[plain("~ "), plain(summary::written_otherwise(change))])
}

/// `path: old -> new` if it fits, else one under the other.
fn replaced(path: Span<'_>, old: &str, new: &str, page: &mut Page<'_>) -> io::Result<()> {
    let arrow = page.arrow();
    let width: usize = [&path.1, old, ": ~ ", arrow, new]
        .iter()
        .map(|text| text.width())
        .sum();
    if width <= page.room(2) {
        return page.line(
            2,
            &[
                plain("~ "),
                path,
                plain(": "),
                span(Ink::Removed, old),
                plain(arrow),
                span(Ink::Added, new),
            ],
        );
    }
    page.line(2, &[plain("~ "), path, plain(":")])?;
    both(old, new, page)
}

/// Two values, one under the other; where both are too long, from shortly before they part.
fn both(old: &str, new: &str, page: &mut Page<'_>) -> io::Result<()> {
    let (old, new) = if page.style.verbose {
        (old.to_owned(), new.to_owned())
    } else {
        clip::pair(old, new, page.room(8), page.ellipsis())
    };
    page.line(6, &[span(Ink::Removed, "- "), span(Ink::Removed, old)])?;
    page.line(6, &[span(Ink::Added, "+ "), span(Ink::Added, new)])
}

fn one_sided(
    ink: Ink,
    sign: &'static str,
    path: Span<'_>,
    value: &crate::report::redact::Shown,
    writer: Writer,
    page: &mut Page<'_>,
) -> io::Result<()> {
    let text = writer.line(value);
    let room = page.room(2).saturating_sub(sign.len() + path.1.width() + 2);
    if text.width() <= room {
        return page.line(2, &[span(ink, sign), path, plain(": "), span(ink, text)]);
    }
    page.line(2, &[span(ink, sign), path, plain(":")])?;
    if !page.style.verbose {
        let cut = page.cut(&text, page.room(6));
        return page.line(6, &[span(ink, cut)]);
    }
    for line in writer.block(value) {
        page.line(6, &[span(ink, line)])?;
    }
    Ok(())
}

/// Where the value comes from, on the side that has it now or had it.
fn provenance(change: &ChangeReport, page: &mut Page<'_>) -> io::Result<()> {
    let most = if page.style.verbose { usize::MAX } else { ORIGINS };
    match summary::provenance(change, most) {
        Some(text) => page.wrapped(6, &[span(Ink::Dim, text)]),
        None => Ok(()),
    }
}

/// One line per change of version, with the number of documents that show it.
fn version_labels(group: &Group<'_>, page: &mut Page<'_>) -> io::Result<()> {
    let moves = group.label_moves();
    let shown = if page.style.verbose { moves.len() } else { FIELDS };
    for ((label, before, after), count) in moves.iter().take(shown) {
        let arrow = page.arrow();
        page.wrapped(
            2,
            &[
                plain("~ "),
                span(Ink::Name, label),
                plain(": "),
                span(Ink::Removed, page.cut(before, 60)),
                plain(arrow),
                span(Ink::Added, page.cut(after, 60)),
                span(Ink::Dim, format!("  ({})", plural(*count, "document"))),
            ],
        )?;
    }
    if moves.len() > shown {
        let text = format!(
            "and {} more (--verbose shows them)",
            plural(moves.len() - shown, "label")
        );
        page.wrapped(4, &[span(Ink::Dim, text)])?;
    }
    Ok(())
}

/// What counts as equal and is told all the same.
fn listed(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let mut verdicts = vec![Verdict::Volatile, Verdict::Accepted];
    if report.outcome.policy.allow_moved {
        verdicts.push(Verdict::Moved);
    }
    if page.style.verbose {
        verdicts.push(Verdict::Equivalent);
    }
    page.blank();
    for verdict in verdicts {
        for group in groups(report, |document| document.verdict == verdict) {
            let why = match verdict {
                Verdict::Volatile => summary::volatile(group.sample()),
                Verdict::Accepted => "as accepted".to_owned(),
                Verdict::Equivalent => format!("by {}", list(&rule_names(group.sample().rules))),
                _ => String::new(),
            };
            let cells = Cells::of(&group.places).describe(report);
            page.wrapped(
                0,
                &[
                    span(Ink::Dim, verdict.name()),
                    plain(" "),
                    plain(places::title(&group, page.arrow())),
                    plain(format!(" ({cells})")),
                    plain(if why.is_empty() {
                        String::new()
                    } else {
                        format!(": {why}")
                    }),
                ],
            )?;
            if page.style.verbose {
                documents::write(&group, report, page)?;
            }
        }
    }
    Ok(())
}

fn ink(verdict: Verdict) -> Ink {
    match verdict {
        Verdict::Added => Ink::Added,
        Verdict::Removed => Ink::Removed,
        Verdict::Undecided => Ink::Bad,
        _ => Ink::Caution,
    }
}

fn effect_ink(effect: Option<Effect>) -> Ink {
    match effect {
        Some(Effect::DataLoss | Effect::Rejected | Effect::Recreates) => Ink::Bad,
        Some(Effect::ConfigWithoutRollout | Effect::RestartsPods) => Ink::Caution,
        _ => Ink::Plain,
    }
}
