//! The same difference on many documents is one group, told once with the list of its places.

use super::flow::Writer;
use super::model::{DocumentReport, Effect, Report, Verdict};
use crate::base::digest::Hasher;
use crate::base::{Digest, Step};
use std::collections::{BTreeMap, BTreeSet};

/// Documents that differ in the same way.
pub(super) struct Group<'a> {
    /// What became of them.
    pub(super) verdict: Verdict,
    /// The worst that applying it does.
    pub(super) effect: Option<Effect>,
    /// Nothing but version labels differs.
    pub(super) version_labels_only: bool,
    /// The documents, by identity, release and platform; the first one speaks for all.
    pub(super) places: Vec<Place<'a>>,
}

/// One document of a group, and where it is.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// The release's id.
    pub(super) release: &'a str,
    /// The platform.
    pub(super) platform: &'a str,
    /// The document.
    pub(super) document: &'a DocumentReport,
}

impl<'a> Group<'a> {
    /// The document whose changes are those of all.
    pub(super) fn sample(&self) -> &'a DocumentReport {
        self.places
            .first()
            .expect("a group is made of at least one document")
            .document
    }

    /// The version labels that differ, as label, before and after, with the number of documents that show it.
    pub(super) fn label_moves(&self) -> BTreeMap<(String, String, String), usize> {
        let writer = Writer::new(None);
        let side = |value: &Option<_>| value.as_ref().map(|value| writer.line(value)).unwrap_or_default();
        let mut moves: BTreeMap<(String, String, String), usize> = BTreeMap::new();
        for place in &self.places {
            // A label stands in several places of one document: the pod template repeats it.
            let mut seen = BTreeSet::new();
            for change in &place.document.changes {
                let label = change.path.path().0.last().map(|step| match step {
                    Step::Key(key) => key.clone(),
                    _ => change.path.to_string(),
                });
                let found = (
                    label.unwrap_or_default(),
                    side(&change.before),
                    side(&change.after),
                );
                if seen.insert(found.clone()) {
                    *moves.entry(found).or_default() += 1;
                }
            }
        }
        moves
    }
}

/// Which documents form a group, and the order in which groups are told: worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    version_labels_only: bool,
    decided: bool,
    effect: Effect,
    verdict: u8,
}

/// The groups of the documents that pass `wanted`, worst first.
pub(super) fn groups(report: &Report, wanted: impl Fn(&DocumentReport) -> bool) -> Vec<Group<'_>> {
    // In the order of their first documents, so that what ranks alike stays in it.
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: BTreeMap<Digest, usize> = BTreeMap::new();
    for cell in &report.facts.cells {
        for document in cell.documents.iter().filter(|document| wanted(document)) {
            let at = *known.entry(key(document)).or_insert_with(|| {
                groups.push(Group {
                    verdict: document.verdict,
                    effect: document.effects.iter().min().copied(),
                    version_labels_only: document.version_labels_only,
                    places: Vec::new(),
                });
                groups.len() - 1
            });
            groups[at].places.push(Place {
                release: &cell.release,
                platform: &cell.platform,
                document,
            });
        }
    }
    for group in &mut groups {
        let platform = |name: &str| report.facts.platforms.iter().position(|known| known == name);
        group.places.sort_by(|a, b| {
            (a.release, &a.document.id, platform(a.platform), a.platform).cmp(&(
                b.release,
                &b.document.id,
                platform(b.platform),
                b.platform,
            ))
        });
    }
    groups.sort_by(|a, b| {
        let (first, second) = (a.places[0], b.places[0]);
        rank(a)
            .cmp(&rank(b))
            .then_with(|| (first.release, &first.document.id).cmp(&(second.release, &second.document.id)))
    });
    groups
}

fn rank(group: &Group<'_>) -> Rank {
    Rank {
        version_labels_only: group.version_labels_only,
        decided: group.verdict != Verdict::Undecided,
        effect: group.effect.unwrap_or(match group.verdict {
            Verdict::Removed | Verdict::Renamed => Effect::Recreates,
            Verdict::Changed | Verdict::Added => Effect::Spec,
            _ => Effect::MetadataOnly,
        }),
        verdict: match group.verdict {
            Verdict::Undecided => 0,
            Verdict::Removed => 1,
            Verdict::Renamed => 2,
            Verdict::Changed => 3,
            Verdict::Added => 4,
            Verdict::Moved => 5,
            Verdict::Accepted => 6,
            Verdict::Volatile => 7,
            Verdict::Equivalent => 8,
            Verdict::Identical => 9,
        },
    }
}

/// Equal for documents that differ in the same way.
fn key(document: &DocumentReport) -> Digest {
    let writer = Writer::new(None);
    let mut hasher = Hasher::new("evenkeel group 1");
    hasher.part(document.verdict.name().as_bytes());
    for effect in &document.effects {
        hasher.part(effect.name().as_bytes());
    }
    if document.version_labels_only {
        // Each chart has its own versions; that they differ is one fact.
        hasher.part(b"version labels");
        return hasher.finish();
    }
    if let Some(problem) = &document.problem {
        hasher.part(problem.as_str().as_bytes());
    }
    if let Some(from) = &document.from {
        hasher.part(from.release.as_bytes());
        if document.verdict == Verdict::Renamed {
            hasher.part(from.id.name.as_bytes());
            hasher.part(document.id.name.as_bytes());
        }
    }
    for rule in document.rules.iter() {
        hasher.part(rule.name().as_bytes());
    }
    for change in &document.changes {
        hasher.part(change.op.name().as_bytes());
        hasher.part(change.path.to_string().as_bytes());
        for value in [&change.before, &change.after] {
            match value {
                Some(value) => hasher.part(writer.line(value).as_bytes()),
                None => hasher.part(b""),
            };
        }
    }
    hasher.finish()
}
