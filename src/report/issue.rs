//! Everything that a page of problems lists, in one shape: what does not render, what differs, what was found.
//! Each issue has a rule, a level and a place in the user's files, and a fingerprint that stays while the issue
//! does. What is absent: how any page writes it.

use super::clip;
use super::failures::{Failure, failures};
use super::finding::Finding;
use super::flow::Writer;
use super::group::{self, Group, groups};
use super::model::{CellReport, CellStatus, ChangeReport, DocumentReport, Report, Verdict};
use super::outcome::is_equal;
use super::places::{self, Cells};
use super::summary;
use super::words::{list, plural};
use crate::base::digest::Hasher;
use crate::base::{Level, Place, Side};
use crate::manifest::{DocumentId, Rules};
use std::collections::{BTreeMap, BTreeSet};

/// So many fields of a document are told, each in so many columns; and so many places.
const FIELDS: usize = 6;
const WIDTH: usize = 160;
const RELATED: usize = 20;

/// Where a run as a whole is decided.
const CONFIG: &str = "evenkeel.yaml";

/// The rules that are no checks: name, level, and what they mean.
pub(super) const RULES: &[(&str, Level, &str)] = &[
    (
        "baseline-doubtful",
        Level::Deny,
        "The baseline does not hold, so nothing that was compared with it is decided.",
    ),
    (
        "cell-fails-alike",
        Level::Deny,
        "A release renders on neither side and fails in the same way on both. Repair it, or let it fail with \
         `mayFail: true`.",
    ),
    (
        "cell-undecided",
        Level::Deny,
        "A release renders on one side only, or fails in two ways. What cannot be rendered cannot be compared.",
    ),
    (
        "document-added",
        Level::Deny,
        "Only the candidate renders this object: applying it creates something new.",
    ),
    (
        "document-changed",
        Level::Deny,
        "The candidate renders this object differently, in a way that the API server can tell.",
    ),
    (
        "document-moved",
        Level::Deny,
        "The same object is rendered by another release than before. --allow-moved lets it pass.",
    ),
    (
        "document-removed",
        Level::Deny,
        "Only the baseline renders this object: applying the candidate deletes it.",
    ),
    (
        "document-renamed",
        Level::Deny,
        "An object is there under another name, which deletes the one and creates the other.",
    ),
    (
        "document-undecided",
        Level::Deny,
        "A document cannot be read as Kubernetes reads it, so it cannot be compared.",
    ),
    (
        "render-changed",
        Level::Deny,
        "No document differs, but the render as a whole does, in what a switched off rule would set aside.",
    ),
];

/// One entry of a page of problems.
pub(super) struct Issue<'a> {
    /// What it is an instance of: a check's name, or one of `RULES`.
    pub(super) rule: &'a str,
    /// How much it matters.
    pub(super) level: Level,
    /// One line.
    pub(super) title: String,
    /// Further lines; none where the title says it all.
    pub(super) details: Vec<String>,
    /// Where it stands, or what renders it.
    pub(super) place: Place,
    /// Further places that explain it.
    pub(super) related: Vec<(String, Place)>,
    /// True when the baseline has it too.
    pub(super) standing: bool,
    /// 16 hex digits; no two issues of a report share one.
    pub(super) fingerprint: String,
}

impl Issue<'_> {
    /// Title and details.
    pub(super) fn message(&self) -> String {
        std::iter::once(&self.title)
            .chain(&self.details)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// Whether the same difference on many documents is one issue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Grain {
    /// It is.
    Group,
    /// Each document of each release is its own.
    Document,
}

/// The issues of a report: what is undecided, what differs, then the findings; worst first in each.
pub(super) fn issues(report: &Report, grain: Grain) -> Vec<Issue<'_>> {
    let mut issues = Vec::new();
    for doubt in &report.facts.doubts {
        issues.push(plain("baseline-doubtful", doubt.as_str(), Place::file(CONFIG)));
    }
    issues.extend(
        failures(report)
            .iter()
            .filter(|failure| !failure.may_fail)
            .map(|failure| of_failure(failure, report)),
    );
    issues.extend(unruly(report));
    let allow_moved = report.outcome.policy.allow_moved;
    let differs = |document: &DocumentReport| {
        !(is_equal(document.verdict) || allow_moved && document.verdict == Verdict::Moved)
    };
    for group in groups(report, differs) {
        match grain {
            Grain::Group => issues.push(of_documents(&group, &group.places, report)),
            Grain::Document => {
                let one = |a: &group::Place<'_>, b: &group::Place<'_>| {
                    (a.release, &a.document.id) == (b.release, &b.document.id)
                };
                for places in group.places.chunk_by(one) {
                    issues.push(of_documents(&group, places, report));
                }
            }
        }
    }
    let findings = report.facts.findings.iter();
    issues.extend(findings.map(|finding| of_finding(finding, report)));
    tell_apart(&mut issues);
    issues
}

fn plain<'a>(rule: &'static str, text: &str, place: Place) -> Issue<'a> {
    let mut lines = text.lines().map(one_line);
    let mut issue = Issue {
        rule,
        level: Level::Deny,
        title: lines.next().unwrap_or_default(),
        details: lines.collect(),
        place,
        related: Vec::new(),
        standing: false,
        fingerprint: String::new(),
    };
    issue.seal(&[]);
    issue
}

/// A name may hold a line end; a title may not.
fn one_line(text: &str) -> String {
    clip::visible(text).into_owned()
}

impl Issue<'_> {
    /// Sets the fingerprint from the rule and what stays while the issue does.
    fn seal(&mut self, parts: &[&str]) {
        let mut hasher = Hasher::new("evenkeel issue 1");
        hasher.part(self.rule.as_bytes());
        for part in parts {
            hasher.part(part.as_bytes());
        }
        self.fingerprint = hasher.finish().hex()[..16].to_owned();
    }
}

/// Issues of one fingerprint are numbered.
fn tell_apart(issues: &mut [Issue<'_>]) {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for issue in issues {
        let count = seen.entry(issue.fingerprint.clone()).or_default();
        *count += 1;
        if *count > 1 {
            let mut hasher = Hasher::new("evenkeel issue 1, again");
            hasher
                .part(issue.fingerprint.as_bytes())
                .part(&count.to_le_bytes());
            issue.fingerprint = hasher.finish().hex()[..16].to_owned();
        }
    }
}

fn of_failure<'a>(failure: &Failure<'_>, report: &Report) -> Issue<'a> {
    let rule = match failure.status {
        CellStatus::FailsAlike => "cell-fails-alike",
        CellStatus::Undecided | CellStatus::Ok => "cell-undecided",
    };
    let cell = failure.cells[0];
    let place = failure.errors.iter().find_map(|(_, error)| error.place.clone());
    let title = format!("{}: {}", failure.cells(report), failure.what(report));
    let mut issue = plain(rule, &one_line(&title), place.unwrap_or_else(|| of_cell(cell)));
    for (side, error) in &failure.errors {
        let lines = error.message.as_str().lines();
        issue
            .details
            .extend(lines.map(|line| format!("{}: {}", side.name(), clip::visible(line))));
        let related = error.place.iter().filter(|place| **place != issue.place);
        issue
            .related
            .extend(related.map(|place| (side.name().to_owned(), place.clone())));
    }
    issue.seal(&[&cell.release, &cell.platform]);
    issue
}

/// Cells that differ as a whole though no document does.
fn unruly<'a>(report: &Report) -> Vec<Issue<'a>> {
    let mut cells: BTreeMap<Rules, (Cells<'_>, &CellReport)> = BTreeMap::new();
    for cell in report.facts.cells.iter().filter(|cell| !cell.unruly.is_empty()) {
        let (cells, _) = cells
            .entry(cell.unruly)
            .or_insert_with(|| (Cells::default(), cell));
        cells.add(&cell.release, &cell.platform);
    }
    cells
        .iter()
        .map(|(rules, (cells, first))| {
            let names: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
            let title = format!(
                "{}: the render as a whole differs in what {} would set aside",
                cells.describe(report),
                list(&names)
            );
            let mut issue = plain("render-changed", &one_line(&title), of_cell(first));
            issue.seal(&[&first.release, &names.join(",")]);
            issue
        })
        .collect()
}

fn of_documents<'a>(group: &Group<'_>, places: &[group::Place<'_>], report: &Report) -> Issue<'a> {
    let here = Group {
        places: places.to_vec(),
        ..*group
    };
    let first = places[0];
    let rule = match group.verdict {
        Verdict::Added => "document-added",
        Verdict::Removed => "document-removed",
        Verdict::Renamed => "document-renamed",
        Verdict::Moved => "document-moved",
        Verdict::Undecided => "document-undecided",
        _ => "document-changed",
    };
    let effects = if group.version_labels_only {
        ": nothing but version labels".to_owned()
    } else if first.document.effects.is_empty() {
        String::new()
    } else {
        format!(": {}", summary::effects(&first.document.effects).join(", "))
    };
    let title = format!(
        "{} {} ({}){effects}",
        group.verdict.name(),
        places::title(&here, " → "),
        Cells::of(places).describe(report)
    );
    let cell = |place: &group::Place<'_>| {
        let mut cells = report.facts.cells.iter();
        let of = |cell: &&CellReport| cell.release == place.release && cell.platform == place.platform;
        cells.find(of).map_or_else(|| Place::file(CONFIG), of_cell)
    };
    let mut issue = plain(
        rule,
        &one_line(&title),
        source(first.document).unwrap_or_else(|| cell(&first)),
    );
    issue.details = told(first.document);
    let mut seen: BTreeSet<(&str, &DocumentId)> = BTreeSet::new();
    for place in places {
        if seen.insert((place.release, &place.document.id)) && seen.len() > 1 {
            let name = format!("{} ({})", places::name(&place.document.id), place.release);
            let at = source(place.document).unwrap_or_else(|| cell(place));
            issue.related.push((one_line(&name), at));
        }
        if seen.len() > RELATED {
            break;
        }
    }
    issue.seal(&[first.release, &unversioned(&first.document.id)]);
    issue
}

/// The identity without the version of the API, which may move under the same object.
fn unversioned(id: &DocumentId) -> String {
    format!(
        "{}/{}/{}/{}",
        id.group,
        id.kind,
        id.namespace.as_deref().unwrap_or("-"),
        id.name
    )
}

/// The line of the user's that the worst change comes from, where that is known.
fn source(document: &DocumentReport) -> Option<Place> {
    let mut changes: Vec<&ChangeReport> = document.changes.iter().collect();
    changes.sort_by_key(|change| change.effect);
    let of = |side: Side| {
        changes
            .iter()
            .filter_map(|change| change.provenance.get(side).as_ref())
            .find_map(|provenance| {
                let value = provenance.values.first().map(|origin| &origin.place);
                value.or(provenance.template.as_ref()).cloned()
            })
    };
    of(Side::Candidate).or_else(|| of(Side::Baseline))
}

/// What differs in a document, a field a line.
pub(super) fn told(document: &DocumentReport) -> Vec<String> {
    let writer = Writer::new(None);
    let mut lines: Vec<String> = Vec::new();
    if let Some(problem) = &document.problem {
        let text = problem.as_str().lines();
        lines.extend(text.map(one_line));
    }
    let mut changes: Vec<&ChangeReport> = document.changes.iter().collect();
    changes.sort_by_key(|change| change.effect);
    for change in changes.iter().take(FIELDS) {
        let path = &change.path;
        let line = match (&change.before, &change.after) {
            (Some(before), Some(after)) => {
                let (before, after) = (writer.line(before), writer.line(after));
                let (before, after) = clip::pair(&before, &after, WIDTH / 3, "…");
                format!("{path}: {before} → {after}")
            }
            (None, Some(after)) => format!("{path}: added {}", writer.line(after)),
            (Some(before), None) => format!("{path}: removed {}", writer.line(before)),
            (None, None) => summary::written_otherwise(change),
        };
        lines.push(clip::cut(&line, WIDTH, "…"));
    }
    if changes.len() > FIELDS {
        lines.push(format!("and {} more", plural(changes.len() - FIELDS, "field")));
    }
    lines
}

/// A finding as an issue.
pub(super) fn of_finding<'a>(finding: &'a Finding, report: &Report) -> Issue<'a> {
    let cell = finding.cells.first().and_then(|of| {
        let mut cells = report.facts.cells.iter();
        cells.find(|cell| cell.release == of.release && cell.platform == of.platform)
    });
    let place = finding.place.clone().or_else(|| cell.map(of_cell));
    let mut details = Vec::new();
    if let Some(id) = &finding.resource {
        let field = finding.field_path.as_ref().map(|path| format!(" {path}"));
        details.push(format!("{}{}", places::name(id), field.unwrap_or_default()));
    }
    if !finding.cells.is_empty() {
        let mut cells = Cells::default();
        for cell in &finding.cells {
            cells.add(&cell.release, &cell.platform);
        }
        details.push(format!("in {}", cells.describe(report)));
    }
    if finding.side == Side::Baseline && finding.place.is_some() {
        details.push("the place is one of the baseline".to_owned());
    }
    let message = finding.message.as_str();
    let lost: Vec<&str> = finding
        .lost
        .iter()
        .map(|name| name.as_str())
        .filter(|name| !message.contains(name))
        .collect();
    if !lost.is_empty() {
        details.push(format!("lost: {}", lost.join(", ")));
    }
    if let Some(suggestion) = &finding.suggestion {
        details.push(format!("did you mean {suggestion}?"));
    }
    if let Some(remedy) = &finding.remedy {
        details.push(format!("help: {remedy}"));
    }
    let related = finding.related.iter().take(RELATED);
    Issue {
        rule: &finding.check,
        level: finding.level,
        title: one_line(message),
        details: details.iter().map(|line| one_line(line)).collect(),
        place: place.unwrap_or_else(|| Place::file(CONFIG)),
        related: related
            .map(|related| {
                let label = one_line(related.label.as_str());
                (label, related.place.clone())
            })
            .collect(),
        standing: finding.standing,
        fingerprint: finding.fingerprint.clone(),
    }
}

/// The file that stands for a cell as a whole: its chart's.
fn of_cell(cell: &CellReport) -> Place {
    let chart = cell.chart.trim_end_matches('/');
    let file = if chart.is_empty() || chart.contains(['*', '?', '[', '{']) {
        CONFIG.to_owned()
    } else if [".tgz", ".tar.gz", ".yaml", ".yml", ".json"]
        .iter()
        .any(|end| chart.ends_with(end))
    {
        chart.to_owned()
    } else if chart == "." {
        "Chart.yaml".to_owned()
    } else {
        format!("{chart}/Chart.yaml")
    };
    Place::file(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn fingerprints_are_unique_and_do_not_move_with_lines() {
        let report = sample::rich();
        for grain in [Grain::Group, Grain::Document] {
            let prints: Vec<String> = issues(&report, grain)
                .iter()
                .map(|issue| issue.fingerprint.clone())
                .collect();
            let unique: BTreeSet<&String> = prints.iter().collect();
            assert_eq!(unique.len(), prints.len());
            let mut facts = sample::rich().facts;
            for finding in &mut facts.findings {
                if let Some(place) = &mut finding.place {
                    place.line += 10;
                }
            }
            let moved = Report::conclude(facts, &report.outcome.policy);
            let again: Vec<String> = issues(&moved, grain)
                .iter()
                .map(|issue| issue.fingerprint.clone())
                .collect();
            assert_eq!(again, prints);
        }
    }

    #[test]
    fn one_change_on_many_documents_is_one_issue_or_one_each() {
        let report = sample::rich();
        let labels = |grain| {
            issues(&report, grain)
                .iter()
                .filter(|issue| issue.title.contains("version labels"))
                .count()
        };
        assert_eq!(labels(Grain::Group), 1);
        assert_eq!(labels(Grain::Document), 4);
    }

    #[test]
    fn every_rule_is_known() {
        for (name, report) in sample::all() {
            for issue in issues(&report, Grain::Group) {
                let known = RULES.iter().any(|(rule, _, _)| *rule == issue.rule)
                    || crate::check::find(issue.rule).is_some();
                assert!(known, "{name}: {}", issue.rule);
            }
        }
        assert!(RULES.is_sorted_by_key(|(name, _, _)| *name));
    }

    #[test]
    fn a_failure_that_is_let_pass_is_no_issue() {
        let report = sample::rich();
        let issues = issues(&report, Grain::Group);
        assert!(issues.iter().any(|issue| issue.rule == "cell-undecided"));
        assert!(!issues.iter().any(|issue| issue.rule == "cell-fails-alike"));
    }

    #[test]
    fn the_file_of_a_chart() {
        let of = |chart: &str| {
            let mut cell = sample::cell("a", "", &[]);
            cell.chart = chart.to_owned();
            of_cell(&cell).file.to_string()
        };
        assert_eq!(of("chat/chart"), "chat/chart/Chart.yaml");
        assert_eq!(of("."), "Chart.yaml");
        assert_eq!(of("vendor/a-1.0.0.tgz"), "vendor/a-1.0.0.tgz");
        assert_eq!(of("legacy/*.yaml"), "evenkeel.yaml");
    }
}
