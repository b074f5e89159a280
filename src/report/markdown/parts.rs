//! The parts of a comment behind its summary: what does not render, what differs, what was found.

use super::budget::Part;
use super::{diff, escape};
use crate::base::{Level, Side};
use crate::manifest::DocumentId;
use crate::report::clip;
use crate::report::failures::{Failure, failures};
use crate::report::finding::Finding;
use crate::report::group::{Group, groups};
use crate::report::model::{DocumentReport, Effect, Report, Verdict};
use crate::report::outcome::is_equal;
use crate::report::places::{self, Cells};
use crate::report::summary;
use crate::report::words::{number, plural};
use std::collections::{BTreeMap, BTreeSet};

/// More blocks of one part than this never fit.
const MOST: usize = 500;

/// So many documents of a group are named, and characters of a text told.
const NAMED: usize = 12;
const TEXT: usize = 1000;

/// So many differences that lose or refuse something are open from the start.
const OPEN: usize = 3;

/// The cells that do not render.
pub(super) fn failing(report: &Report) -> Part {
    let failures = failures(report);
    Part {
        heading: "### What does not render\n\n".to_owned(),
        total: failures.len(),
        blocks: failures
            .iter()
            .take(MOST)
            .map(|failure| of_failure(failure, report))
            .collect(),
        end: "",
        noun: "failure",
        share: 15,
    }
}

fn of_failure(failure: &Failure<'_>, report: &Report) -> String {
    let mut out = format!(
        "**{}** {}: {}\n\n",
        failure.status.name(),
        escape::code(&failure.cells(report)),
        failure.what(report)
    );
    for (side, error) in &failure.errors {
        if failure.errors.len() > 1 {
            out.push_str(&format!("{}:\n\n", side.name()));
        }
        let mut lines: Vec<String> = error.message.as_str().lines().map(str::to_owned).collect();
        lines.extend(error.place.as_ref().map(|place| format!("at {place}")));
        if !error.include_trace.is_empty() {
            let chain: Vec<&str> = error.include_trace.iter().map(|frame| frame.as_str()).collect();
            lines.push(format!("through {}", chain.join(" → ")));
        }
        let lines: Vec<String> = lines
            .iter()
            .take(NAMED)
            .map(|line| clip::cut(line, TEXT, "…"))
            .collect();
        out.push_str(&escape::fenced("text", lines.iter().map(String::as_str)));
        out.push('\n');
    }
    out
}

/// The differences, worst first; the same one on many documents is told once.
pub(super) fn differing(report: &Report) -> Part {
    let allow_moved = report.outcome.policy.allow_moved;
    let differs = |document: &DocumentReport| {
        !(is_equal(document.verdict) || allow_moved && document.verdict == Verdict::Moved)
    };
    let found = groups(report, differs);
    let mut blocks = unruly(report);
    let total = found.len() + blocks.len();
    for (index, group) in found.iter().take(MOST).enumerate() {
        let grave = group.effect.is_some_and(|effect| effect <= Effect::Recreates);
        blocks.push(of_group(group, report, grave && index < OPEN));
    }
    Part {
        heading: "### What differs\n\n".to_owned(),
        blocks,
        total,
        end: "",
        noun: "difference",
        share: 50,
    }
}

/// Cells that differ as a whole though no document does.
fn unruly(report: &Report) -> Vec<String> {
    let mut cells: BTreeMap<_, Cells<'_>> = BTreeMap::new();
    for cell in report.facts.cells.iter().filter(|cell| !cell.unruly.is_empty()) {
        let cells = cells.entry(cell.unruly).or_default();
        cells.add(&cell.release, &cell.platform);
    }
    cells
        .iter()
        .map(|(rules, cells)| {
            let names: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
            format!(
                "**changed** {}: the render as a whole, in what {} would set aside (switched off)\n\n",
                escape::code(&cells.describe(report)),
                names.join(" and ")
            )
        })
        .collect()
}

fn of_group(group: &Group<'_>, report: &Report, open: bool) -> String {
    let document = group.sample();
    let title = clip::cut(&places::title(group, " → "), 300, "…");
    let title = match ids(group).len() {
        1 => escape::html_code(&title),
        _ => format!("<b>{}</b>", escape::html(&title)),
    };
    let cells = escape::html(&Cells::of(&group.places).describe(report));
    let effects = if group.version_labels_only {
        ": nothing but version labels".to_owned()
    } else if document.effects.is_empty() {
        String::new()
    } else {
        format!(": <b>{}</b>", summary::effects(&document.effects).join(", "))
    };
    let open = if open { " open" } else { "" };
    let mut body = named(group);
    if let Some(problem) = &document.problem {
        let lines: Vec<String> = problem
            .as_str()
            .lines()
            .take(NAMED)
            .map(|line| clip::cut(line, TEXT, "…"))
            .collect();
        body.push_str(&escape::fenced("text", lines.iter().map(String::as_str)));
    }
    body.push_str(&diff::of(group));
    if group.verdict == Verdict::Changed && document.changes.is_empty() {
        body.push_str("Which fields is not known: the baseline is there by its digests alone.\n");
    }
    let head = format!("{} {title} ({cells}){effects}", group.verdict.name());
    if body.is_empty() {
        // There is nothing to unfold; a paragraph, for a list would run on into the next block.
        return format!("<p>{head}</p>\n\n");
    }
    format!(
        "<details{open}>\n<summary>{head}</summary>\n\n{}\n\n</details>\n\n",
        body.trim_end()
    )
}

fn ids<'a>(group: &Group<'a>) -> BTreeSet<&'a DocumentId> {
    group.places.iter().map(|place| &place.document.id).collect()
}

/// The documents of a group with more than one, release by release.
fn named(group: &Group<'_>) -> String {
    if ids(group).len() < 2 {
        return String::new();
    }
    let mut releases: BTreeMap<&str, BTreeSet<&DocumentId>> = BTreeMap::new();
    for place in &group.places {
        releases
            .entry(place.release)
            .or_default()
            .insert(&place.document.id);
    }
    let (mut out, mut left) = (String::new(), NAMED);
    let documents: usize = releases.values().map(BTreeSet::len).sum();
    for (release, ids) in &releases {
        if left == 0 {
            break;
        }
        let names: Vec<String> = ids
            .iter()
            .take(left)
            .map(|id| escape::code(&clip::cut(&places::name(id), 200, "…")))
            .collect();
        left -= names.len();
        out.push_str(&format!("In {}: {}", escape::code(release), names.join(", ")));
        let rest = documents - (NAMED - left);
        if left == 0 && rest > 0 {
            out.push_str(&format!(" and {} more", plural(rest, "document")));
        }
        out.push_str("\n\n");
    }
    out
}

/// The findings that the change brought, by level.
pub(super) fn found(report: &Report, level: Level) -> Part {
    let findings: Vec<&Finding> = report
        .facts
        .findings
        .iter()
        .filter(|finding| finding.level == level && !finding.standing)
        .collect();
    let title = format!("Findings: {} {level}", number(findings.len()));
    // What only explains is there for who unfolds it.
    let (heading, end) = match level {
        Level::Info => (
            format!("<details>\n<summary>{title}</summary>\n\n"),
            "</details>\n\n",
        ),
        _ => (format!("### {title}\n\n"), ""),
    };
    Part {
        heading,
        end,
        total: findings.len(),
        blocks: findings
            .iter()
            .take(MOST)
            .map(|finding| of_finding(finding, report))
            .collect(),
        noun: "finding",
        share: match level {
            Level::Deny => 20,
            Level::Warn => 10,
            Level::Info | Level::Allow => 5,
        },
    }
}

fn of_finding(finding: &Finding, report: &Report) -> String {
    let text = |text: &str| escape::prose(&clip::cut(text, TEXT, "…"));
    let mut out = format!(
        "- {}: {}",
        escape::code(&finding.check),
        text(finding.message.as_str())
    );
    let mut line = |line: String| {
        out.push_str("<br>\n  ");
        out.push_str(&line);
    };
    let mut at = Vec::new();
    if let Some(place) = &finding.place {
        let side = match finding.side {
            Side::Baseline => " of the baseline",
            Side::Candidate => "",
        };
        at.push(format!("{}{side}", escape::code(&place.to_string())));
    }
    if let Some(id) = &finding.resource {
        at.push(escape::code(&clip::cut(&places::name(id), 200, "…")));
        at.extend(
            finding
                .field_path
                .as_ref()
                .map(|path| escape::code(&clip::cut(&path.to_string(), 200, "…"))),
        );
    }
    if !finding.cells.is_empty() {
        let mut cells = Cells::default();
        for cell in &finding.cells {
            cells.add(&cell.release, &cell.platform);
        }
        at.push(format!("({})", escape::prose(&cells.describe(report))));
    }
    if !at.is_empty() {
        line(format!("at {}", at.join(" ")));
    }
    for related in finding.related.iter().take(NAMED) {
        line(format!(
            "{}: {}",
            escape::code(&related.place.to_string()),
            text(related.label.as_str())
        ));
    }
    let lost: Vec<&str> = finding
        .lost
        .iter()
        .map(|name| name.as_str())
        .filter(|name| !finding.message.as_str().contains(name))
        .collect();
    if !lost.is_empty() {
        line(format!("lost: {}", text(&lost.join(", "))));
    }
    if let Some(suggestion) = &finding.suggestion {
        line(format!("did you mean {}?", escape::code(suggestion.as_str())));
    }
    if let Some(remedy) = &finding.remedy {
        line(format!("help: {}", text(remedy.as_str())));
    }
    out.push_str("\n\n");
    out
}
