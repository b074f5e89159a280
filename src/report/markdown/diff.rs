//! What differs in one document, as a fenced diff.

use super::escape;
use crate::compare::text;
use crate::report::clip;
use crate::report::flow::{Writer, kind_name};
use crate::report::group::Group;
use crate::report::model::{ChangeReport, Op};
use crate::report::redact::Shown;
use crate::report::summary;
use crate::report::words::plural;

/// So many fields of a document, labels of a group, and lines of one value are told.
const FIELDS: usize = 12;
const LINES: usize = 24;

/// Columns of a line.
const WIDTH: usize = 160;

/// Lines of surroundings.
const CONTEXT: usize = 2;

/// The changes of a group's documents; empty where there is nothing to show of them.
pub(super) fn of(group: &Group<'_>) -> String {
    let mut lines = Vec::new();
    if group.version_labels_only {
        labels(group, &mut lines);
    } else {
        let mut changes: Vec<&ChangeReport> = group.sample().changes.iter().collect();
        changes.sort_by_key(|change| change.effect);
        for change in changes.iter().take(FIELDS) {
            of_change(change, &mut lines);
        }
        more(changes.len(), "field", &mut lines);
    }
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lines.iter().map(|line| clip::cut(line, WIDTH, "…")).collect();
    escape::fenced("diff", lines.iter().map(String::as_str))
}

fn more(count: usize, noun: &str, lines: &mut Vec<String>) {
    if count > FIELDS {
        lines.push(format!("@@ and {} more @@", plural(count - FIELDS, noun)));
    }
}

fn labels(group: &Group<'_>, lines: &mut Vec<String>) {
    let moves = group.label_moves();
    for ((label, before, after), count) in moves.iter().take(FIELDS) {
        lines.push(format!("@@ {label} in {} @@", plural(*count, "document")));
        for (sign, value) in [('-', before), ('+', after)] {
            if !value.is_empty() {
                lines.push(format!("{sign} {value}"));
            }
        }
    }
    more(moves.len(), "label", lines);
}

fn of_change(change: &ChangeReport, lines: &mut Vec<String>) {
    let writer = Writer::new(None);
    let head = |note: &str| format!("@@ {} @@{note}", change.path);
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => match (writer.string(before), writer.string(after)) {
            (Some(old), Some(new)) if old.contains('\n') || new.contains('\n') => {
                lines.push(head(""));
                of_text(old, new, lines);
            }
            _ => of_values(change.op, before, after, head, lines),
        },
        (None, Some(value)) => one_sided('+', value, head(""), lines),
        (Some(value), None) => one_sided('-', value, head(""), lines),
        (None, None) => lines.push(format!("@@ {} @@", summary::written_otherwise(change))),
    }
    if let Some(source) = summary::provenance(change, usize::MAX) {
        lines.push(format!("  # {source}"));
    }
}

fn of_values(op: Op, before: &Shown, after: &Shown, head: impl Fn(&str) -> String, lines: &mut Vec<String>) {
    let writer = Writer::new(None);
    let (mut old, mut new) = (writer.line(before), writer.line(after));
    let note = match op {
        Op::Reorder => " the same elements in another order",
        Op::Type => {
            old = format!("{old} ({})", kind_name(before));
            new = format!("{new} ({})", kind_name(after));
            ""
        }
        _ => "",
    };
    let (old, new) = clip::pair(&old, &new, WIDTH - 2, "…");
    lines.extend([head(note), format!("- {old}"), format!("+ {new}")]);
}

fn one_sided(sign: char, value: &Shown, head: String, lines: &mut Vec<String>) {
    lines.push(head);
    let block = Writer::new(None).block(value);
    lines.extend(block.iter().take(LINES).map(|line| format!("{sign} {line}")));
    if block.len() > LINES {
        lines.push(format!("@@ and {} more @@", plural(block.len() - LINES, "line")));
    }
}

fn of_text(old: &str, new: &str, lines: &mut Vec<String>) {
    let hunks = text::hunks(old, new, CONTEXT);
    if hunks.is_empty() {
        lines.push("  the same lines; only the line ends differ".to_owned());
    }
    let all: Vec<String> = hunks
        .iter()
        .enumerate()
        .flat_map(|(index, hunk)| {
            let gap = (index > 0).then(|| "  …".to_owned());
            let told = hunk.lines.iter();
            gap.into_iter()
                .chain(told.map(|line| format!("{} {}", line.kind.sign(), line.text)))
        })
        .collect();
    lines.extend(all.iter().take(LINES).cloned());
    if all.len() > LINES {
        lines.push(format!("@@ and {} more @@", plural(all.len() - LINES, "line")));
    }
}
