//! The verdict and what was compared, in the words that every report for people uses.

use super::model::{
    BaselineInfo, BaselineKind, CandidateKind, CellStatus, ChangeReport, DocumentReport, Effect, Report,
    Verdict,
};
use super::outcome::{DocumentCounts, RunVerdict, VERDICTS};
use super::words::{list, noun_for, number, plural, verb};
use crate::base::{Level, Step};
use std::collections::BTreeSet;

/// More platforms than this are not told one by one.
const MANY_PLATFORMS: usize = 6;

/// The verdict in one word, and what it rests on: `differs`, `2 of 58 documents: 1 changed, 1 removed`.
pub(super) fn verdict(report: &Report) -> (&'static str, String) {
    let outcome = &report.outcome;
    if report.facts.baseline.is_none() {
        let word = if outcome.exit_code == 2 {
            "undecided"
        } else {
            "audit"
        };
        return (word, audited(report));
    }
    let rest = match outcome.verdict {
        RunVerdict::Equivalent => equal(report),
        RunVerdict::Differs => differing(report),
        RunVerdict::Undecided => undecided(report),
    };
    (outcome.verdict.name(), rest)
}

/// `8 of 9 cells have the same input on both sides`; `None` where no cell has.
pub(super) fn same_input(report: &Report) -> Option<String> {
    let same = report.facts.same_input;
    let verb = if same == 1 { "has" } else { "have" };
    let cells = plural(report.outcome.cells, "cell");
    (same > 0).then(|| format!("{} of {cells} {verb} the same input on both sides", number(same)))
}

/// `3 deny, 12 warn, 4 info in 403 documents of 51 cells`
fn audited(report: &Report) -> String {
    let outcome = &report.outcome;
    let levels = [Level::Deny, Level::Warn, Level::Info]
        .into_iter()
        .zip(outcome.findings);
    let found: Vec<String> = levels
        .filter(|(_, count)| *count > 0)
        .map(|(level, count)| format!("{} {level}", number(count)))
        .collect();
    let found = match found.is_empty() {
        true => "no hazards".to_owned(),
        false => found.join(", "),
    };
    let failed = outcome.cells_undecided;
    let failures = match failed {
        0 => String::new(),
        _ => format!("; {}", cells_fail(failed)),
    };
    format!(
        "{found} in {} of {}{failures}",
        plural(report.facts.audited, "document"),
        plural(outcome.cells, "cell")
    )
}

/// `23 / 21 / 23 documents identical (nvidia / amd / arm64)`
fn equal(report: &Report) -> String {
    let counts = &report.outcome.documents;
    let total = counts.total();
    let how = if counts.get(Verdict::Identical) == total {
        "identical"
    } else {
        "equal"
    };
    let mut text = match per_platform(report) {
        Some((numbers, names)) => format!("{numbers} documents {how} ({names})"),
        None => format!("{} {how}", plural(total, "document")),
    };
    if how == "equal" {
        text.push_str(": ");
        text.push_str(&list_counts(counts, &VERDICTS[..5]));
    }
    if report.outcome.cells_failing_alike > 0 {
        text.push_str(&format!(
            "; {} alike on both sides",
            cells_fail(report.outcome.cells_failing_alike)
        ));
    }
    if report.outcome.findings_failing > 0 {
        let failing = report.outcome.findings_failing;
        text.push_str(&format!(
            ", but {} {}",
            plural(failing, "finding"),
            verb(failing, "fail")
        ));
    }
    text
}

/// The counts per platform, where there are several but not too many.
fn per_platform(report: &Report) -> Option<(String, String)> {
    let platforms: Vec<&String> = report
        .facts
        .platforms
        .iter()
        .filter(|name| report.facts.cells.iter().any(|cell| cell.platform == **name))
        .collect();
    if platforms.len() < 2 || platforms.len() > MANY_PLATFORMS {
        return None;
    }
    let numbers: Vec<String> = platforms
        .iter()
        .map(|name| {
            let cells = report.facts.cells.iter().filter(|cell| cell.platform == **name);
            number(cells.map(|cell| cell.documents.len()).sum())
        })
        .collect();
    let names: Vec<&str> = platforms.iter().map(|name| name.as_str()).collect();
    Some((numbers.join(" / "), names.join(" / ")))
}

/// `2 of 58 documents: 1 changed, 1 removed`
fn differing(report: &Report) -> String {
    let outcome = &report.outcome;
    let mut told: Vec<Verdict> = vec![
        Verdict::Changed,
        Verdict::Added,
        Verdict::Removed,
        Verdict::Renamed,
    ];
    if !outcome.policy.allow_moved {
        told.push(Verdict::Moved);
    }
    let told: Vec<Verdict> = told
        .into_iter()
        .filter(|verdict| outcome.documents.get(*verdict) > 0)
        .collect();
    let total = plural(outcome.documents.total(), "document");
    if outcome.differing() == 0 {
        let verb = if outcome.cells_unruly == 1 {
            "differs"
        } else {
            "differ"
        };
        return format!("{} {verb} as a whole", plural(outcome.cells_unruly, "cell"));
    }
    match told[..] {
        [only] => format!("{} of {total} {}", number(outcome.differing()), only.name()),
        _ => format!(
            "{} of {total}: {}",
            number(outcome.differing()),
            list_counts(&outcome.documents, &told)
        ),
    }
}

fn undecided(report: &Report) -> String {
    let outcome = &report.outcome;
    let mut parts = Vec::new();
    if outcome.cells_undecided > 0 {
        parts.push(format!("{} on one side", cells_fail(outcome.cells_undecided)));
    }
    let alike = report
        .facts
        .cells
        .iter()
        .filter(|cell| cell.status == CellStatus::FailsAlike && !cell.may_fail)
        .count();
    if alike > 0 && !outcome.policy.allow_failing_alike {
        parts.push(format!("{} alike on both sides", cells_fail(alike)));
    }
    let unread = outcome.documents.get(Verdict::Undecided);
    if unread > 0 {
        parts.push(format!("{} cannot be read", plural(unread, "document")));
    }
    if !report.facts.doubts.is_empty() {
        parts.push("the baseline does not hold".to_owned());
    }
    if outcome.is_empty() {
        parts.push("0 documents compared".to_owned());
    } else if outcome.differing() > 0 {
        parts.push(differing(report));
    } else {
        parts.push(format!("{} equal", plural(outcome.documents.equal(), "document")));
    }
    parts.join("; ")
}

fn cells_fail(count: usize) -> String {
    let verb = if count == 1 { "fails" } else { "fail" };
    format!("{} {} {verb}", number(count), noun_for(count, "cell"))
}

/// `60 identical, 5 equivalent`, leaving out what there is none of.
fn list_counts(counts: &DocumentCounts, verdicts: &[Verdict]) -> String {
    let parts: Vec<String> = verdicts
        .iter()
        .filter(|verdict| counts.get(**verdict) > 0)
        .map(|verdict| format!("{} {}", number(counts.get(*verdict)), verdict.name()))
        .collect();
    parts.join(", ")
}

/// `baseline origin/main (4f1c9a2be07d), candidate working tree on b83d0e5f1a2c; Helm 4.3 (native)`
pub(super) fn sides(report: &Report) -> String {
    let facts = &report.facts;
    let at = facts.candidate.sha.as_deref().map(short).unwrap_or_default();
    let candidate = match (facts.candidate.kind, facts.candidate.dirty) {
        (CandidateKind::Worktree, true) => format!("working tree on {at}"),
        (CandidateKind::Worktree, false) => format!("working tree at {at}"),
        (CandidateKind::Git, _) => at,
        (CandidateKind::Directory, _) => "a directory".to_owned(),
    };
    let dialects = &facts.dialects;
    let helm = if dialects.baseline == dialects.candidate {
        dialects.candidate.to_string()
    } else {
        format!("{} against {}", dialects.baseline, dialects.candidate)
    };
    let candidate = match &facts.baseline {
        Some(info) => format!("baseline {}, candidate {candidate}", baseline(info)),
        None => candidate,
    };
    format!("{candidate}; Helm {helm} ({})", facts.engine)
}

fn short(sha: &str) -> String {
    sha.get(..12).unwrap_or(sha).to_owned()
}

fn baseline(info: &BaselineInfo) -> String {
    let requested = &info.requested;
    let known_by = if info.by_digest {
        ", by its digests alone"
    } else {
        ""
    };
    match (&info.sha, info.kind) {
        (Some(sha), _) if sha.starts_with(requested.as_str()) => format!("{}{known_by}", short(sha)),
        (Some(sha), BaselineKind::Pin) => format!("pin {requested} ({}){known_by}", short(sha)),
        (Some(sha), _) => format!("{requested} ({}){known_by}", short(sha)),
        (None, _) => format!("{requested}{known_by}"),
    }
}

/// What applying a difference does. That it touches the spec or labels too goes without saying.
pub(super) fn effects(effects: &[Effect]) -> Vec<&'static str> {
    let worst = effects.iter().min();
    let said = effects
        .iter()
        .filter(|effect| **effect < Effect::Spec || Some(*effect) == worst);
    said.map(|effect| effect_words(*effect)).collect()
}

fn effect_words(effect: Effect) -> &'static str {
    match effect {
        Effect::DataLoss => "loses data",
        Effect::Rejected => "the API server will refuse it",
        Effect::Recreates => "deletes and recreates the object",
        Effect::ConfigWithoutRollout => "nothing restarts to read it",
        Effect::RestartsPods => "restarts pods",
        Effect::Spec => "changes the spec",
        Effect::MetadataOnly => "metadata only",
    }
}

/// Why a document counts as volatile.
pub(super) fn volatile(document: &DocumentReport) -> String {
    let kinds: BTreeSet<&str> = document
        .changes
        .iter()
        .flat_map(|change| change.marks.iter().map(|mark| mark.kind))
        .collect();
    let kinds: Vec<&str> = kinds.into_iter().collect();
    match kinds[..] {
        [] => "differs by chance alone".to_owned(),
        _ => format!("differs only by {}", list(&kinds)),
    }
}

/// The data are the same, but the writing differs in what a rule that is switched off would set aside.
pub(super) fn written_otherwise(change: &ChangeReport) -> String {
    let rule = match change.path.path().0.as_slice() {
        [Step::Key(key)] => key.trim_start_matches("# "),
        _ => "",
    };
    format!("the same data, other {rule} (the rule is switched off)")
}

/// Where the value comes from, on the side that has it now or had it; at most so many values are named.
pub(super) fn provenance(change: &ChangeReport, most: usize) -> Option<String> {
    let known = [&change.provenance.candidate, &change.provenance.baseline];
    let source = known.into_iter().flatten().next()?;
    let mut parts: Vec<String> = source
        .values
        .iter()
        .take(most)
        .map(|origin| format!("{} in {}", origin.path, origin.place))
        .collect();
    if source.values.len() > most {
        parts.push(format!("{} more", plural(source.values.len() - most, "value")));
    }
    parts.extend(
        source
            .template
            .as_ref()
            .map(|place| format!("printed by {place}")),
    );
    for mark in &change.marks {
        let place = mark
            .place
            .as_ref()
            .map(|place| format!(" in {place}"))
            .unwrap_or_default();
        parts.push(format!("{} from {}{place}", mark.kind, mark.call));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}
