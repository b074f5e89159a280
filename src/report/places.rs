//! Where something holds: cells and documents, as short as they can be said.

use super::group::{Group, Place};
use super::model::{Report, Verdict};
use super::words::{list, plural};
use crate::manifest::DocumentId;
use std::collections::{BTreeMap, BTreeSet};

/// So many releases are named one by one.
const NAMED: usize = 5;

/// A set of cells.
#[derive(Default)]
pub(super) struct Cells<'a>(BTreeMap<&'a str, BTreeSet<&'a str>>);

impl<'a> Cells<'a> {
    /// Adds a cell.
    pub(super) fn add(&mut self, release: &'a str, platform: &'a str) {
        self.0.entry(release).or_default().insert(platform);
    }

    /// The cells of a group's documents.
    pub(super) fn of(places: &[Place<'a>]) -> Cells<'a> {
        let mut cells = Cells::default();
        for place in places {
            cells.add(place.release, place.platform);
        }
        cells
    }

    /// `chat on amd and arm64`, `12 releases on amd`, `chat on amd; db on all platforms`
    pub(super) fn describe(&self, report: &Report) -> String {
        let mut by_platforms: BTreeMap<Vec<usize>, Vec<&str>> = BTreeMap::new();
        for (release, platforms) in &self.0 {
            let mut ranks: Vec<usize> = platforms.iter().map(|name| rank(report, name)).collect();
            ranks.sort_unstable();
            by_platforms.entry(ranks).or_default().push(release);
        }
        if by_platforms.len() > NAMED {
            let platforms: BTreeSet<&str> = self.0.values().flatten().copied().collect();
            return format!(
                "{}{}",
                plural(self.0.len(), "release"),
                on(report, &platforms, self.0.keys().copied())
            );
        }
        let parts: Vec<String> = by_platforms
            .values()
            .map(|releases| {
                let platforms = &self.0[releases[0]];
                let named = if releases.len() > NAMED {
                    plural(releases.len(), "release")
                } else {
                    list(releases)
                };
                named + &on(report, platforms, releases.iter().copied())
            })
            .collect();
        parts.join("; ")
    }
}

/// The platform's place in the configuration; unknown ones last.
fn rank(report: &Report, platform: &str) -> usize {
    let platforms = &report.facts.platforms;
    platforms
        .iter()
        .position(|known| known == platform)
        .unwrap_or(platforms.len())
}

/// ` on amd and arm64`; nothing where there is but one platform in the whole run.
pub(super) fn on<'a>(
    report: &Report,
    platforms: &BTreeSet<&str>,
    releases: impl Iterator<Item = &'a str>,
) -> String {
    let facts = &report.facts;
    let everywhere: BTreeSet<&str> = facts.cells.iter().map(|cell| cell.platform.as_str()).collect();
    if everywhere.len() <= 1 {
        return String::new();
    }
    let releases: BTreeSet<&str> = releases.collect();
    let possible: BTreeSet<&str> = facts
        .cells
        .iter()
        .filter(|cell| releases.contains(cell.release.as_str()))
        .map(|cell| cell.platform.as_str())
        .collect();
    if platforms.len() > 3 && *platforms == possible {
        return format!(" on all {} platforms", platforms.len());
    }
    if platforms.len() > NAMED {
        return format!(" on {}", plural(platforms.len(), "platform"));
    }
    let mut names: Vec<&str> = platforms.iter().copied().collect();
    names.sort_by_key(|name| rank(report, name));
    format!(" on {}", list(&names))
}

/// `Deployment apps/chat`, or `12 documents`.
pub(super) fn subject(group: &Group<'_>) -> String {
    let ids: BTreeSet<&DocumentId> = group.places.iter().map(|place| &place.document.id).collect();
    let hook = if group.places.iter().all(|place| place.document.hook) {
        "hook "
    } else {
        ""
    };
    match ids.first() {
        Some(only) if ids.len() == 1 => format!("{hook}{}", name(only)),
        _ => plural(group.places.len(), &format!("{hook}document")),
    }
}

/// `Deployment apps/chat`
pub(super) fn name(id: &DocumentId) -> String {
    match &id.namespace {
        Some(namespace) => format!("{} {namespace}/{}", id.kind, id.name),
        None => format!("{} {}", id.kind, id.name),
    }
}

/// What a group is about: its document, with where it was before; `a → b` for what was renamed.
pub(super) fn title(group: &Group<'_>, arrow: &str) -> String {
    let document = group.sample();
    match (&document.from, group.verdict) {
        (Some(from), Verdict::Renamed) => format!(
            "{}{arrow}{}, {} % alike",
            name(&from.id),
            document.id.name,
            from.percent
        ),
        (Some(from), _) => format!("{} from {}", subject(group), from.release),
        (None, _) => subject(group),
    }
}
