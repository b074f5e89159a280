//! The data behind the script: what differs, group by group, and where.
//!
//! Names stand in tables once; a place is three numbers.

use super::escape::{Html, Text};
use super::values::Change;
use crate::base::Step;
use crate::manifest::{DocumentId, Rule};
use crate::report::flow::Writer;
use crate::report::group::{Group, groups};
use crate::report::model::{Report, Verdict};
use crate::report::outcome::is_equal;
use crate::report::places::{self, Cells};
use crate::report::summary;
use crate::report::words::{list, plural};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// So many groups, and fields of one, are in the list for who runs no script.
const PLAIN_GROUPS: usize = 200;
const PLAIN_FIELDS: usize = 6;

/// Everything the script reads.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Data<'a> {
    releases: Vec<Text<'a>>,
    platforms: Vec<Text<'a>>,
    /// Kind, namespace, name, API version.
    ids: Vec<(Text<'a>, Option<Text<'a>>, Text<'a>, Text<'a>)>,
    /// The cells there are, as pairs of release and platform.
    cells: Vec<(usize, usize)>,
    groups: Vec<GroupWire<'a>>,
    #[serde(skip)]
    tables: Tables<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupWire<'a> {
    verdict: &'static str,
    /// True when it counts as equal.
    equal: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<&'static str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    effects: String,
    title: Text<'a>,
    cells: Text<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Text<'a>>,
    /// Label, before, after, documents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<(Text<'a>, Text<'a>, Text<'a>, usize)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<Change<'a>>,
    /// Release, platform, document, release, platform, document, ...
    places: Vec<usize>,
}

/// Where a name stands in its table.
#[derive(Default)]
struct Tables<'a> {
    releases: BTreeMap<&'a str, usize>,
    platforms: BTreeMap<&'a str, usize>,
}

impl<'a> Data<'a> {
    /// The data of a report.
    pub(super) fn of(report: &'a Report) -> Data<'a> {
        let facts = &report.facts;
        let mut tables = Tables::default();
        let names: BTreeSet<&str> = facts.cells.iter().map(|cell| cell.release.as_str()).collect();
        tables.releases = names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
        let platforms = platforms(report);
        tables.platforms = platforms
            .iter()
            .enumerate()
            .map(|(at, name)| (*name, at))
            .collect();
        let documents = facts.cells.iter().flat_map(|cell| &cell.documents);
        let ids: BTreeSet<&DocumentId> = documents.map(|document| &document.id).collect();
        let id_at: BTreeMap<&DocumentId, usize> = ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let cells: BTreeSet<(usize, usize)> = facts
            .cells
            .iter()
            .map(|cell| (tables.releases[&*cell.release], tables.platforms[&*cell.platform]))
            .collect();
        let mut told = groups(report, |_| true);
        told.sort_by_key(|group| is_equal(group.verdict));
        Data {
            releases: names.into_iter().map(Text::of).collect(),
            platforms: platforms.into_iter().map(Text::of).collect(),
            groups: told
                .iter()
                .map(|group| wire(group, report, &tables, &id_at))
                .collect(),
            ids: ids.into_iter().map(id).collect(),
            cells: cells.into_iter().collect(),
            tables,
        }
    }

    /// `3.1`: release and platform as the script knows them; none for what no cell has.
    pub(super) fn cell(&self, release: &str, platform: &str) -> Option<String> {
        let tables = &self.tables;
        Some(format!(
            "{}.{}",
            tables.releases.get(release)?,
            tables.platforms.get(platform)?
        ))
    }

    /// The differences one by one, without their details.
    pub(super) fn plain_list(&self, out: &mut dyn Write) -> io::Result<()> {
        let differing: Vec<&GroupWire<'_>> = self.groups.iter().filter(|group| !group.equal).collect();
        writeln!(
            out,
            "<p>Without a script this page lists what differs, but not every value.</p>\n<ul>"
        )?;
        for group in differing.iter().take(PLAIN_GROUPS) {
            writeln!(
                out,
                "<li><strong>{}</strong> {} ({}) {}",
                group.verdict,
                Html(&group.title.0),
                Html(&group.cells.0),
                Html(&group.effects)
            )?;
            if !group.changes.is_empty() {
                writeln!(out, "<ul>")?;
                for change in group.changes.iter().take(PLAIN_FIELDS) {
                    writeln!(out, "<li><code>{}</code></li>", Html(change.title()))?;
                }
                if group.changes.len() > PLAIN_FIELDS {
                    let more = plural(group.changes.len() - PLAIN_FIELDS, "field");
                    writeln!(out, "<li>and {more} more</li>")?;
                }
                writeln!(out, "</ul>")?;
            }
            writeln!(out, "</li>")?;
        }
        if differing.len() > PLAIN_GROUPS {
            writeln!(out, "<li>and {} more</li>", differing.len() - PLAIN_GROUPS)?;
        }
        writeln!(out, "</ul>")
    }
}

/// The platforms of the configuration that a cell has, then any other.
pub(super) fn platforms(report: &Report) -> Vec<&str> {
    let facts = &report.facts;
    let used: BTreeSet<&str> = facts.cells.iter().map(|cell| cell.platform.as_str()).collect();
    let known = facts.platforms.iter().map(String::as_str);
    let mut all: Vec<&str> = known.filter(|name| used.contains(name)).collect();
    let unknown: Vec<&str> = used.into_iter().filter(|name| !all.contains(name)).collect();
    all.extend(unknown);
    all
}

fn id(id: &DocumentId) -> (Text<'_>, Option<Text<'_>>, Text<'_>, Text<'_>) {
    let version = match &*id.group {
        "" => Text::of(&id.version),
        group => format!("{group}/{}", id.version).into(),
    };
    let namespace = id.namespace.as_deref().map(Text::of);
    (Text::of(&id.kind), namespace, Text::of(&id.name), version)
}

fn wire<'a>(
    group: &Group<'a>,
    report: &Report,
    tables: &Tables<'_>,
    ids: &BTreeMap<&DocumentId, usize>,
) -> GroupWire<'a> {
    let document = group.sample();
    let mut changes: Vec<_> = document.changes.iter().collect();
    changes.sort_by_key(|change| change.effect);
    GroupWire {
        verdict: group.verdict.name(),
        equal: is_equal(group.verdict),
        effect: group.effect.map(|effect| effect.name()),
        effects: if group.version_labels_only {
            "nothing but version labels".to_owned()
        } else {
            list(&summary::effects(&document.effects))
        },
        title: title(group).into(),
        cells: Cells::of(&group.places).describe(report).into(),
        note: note(group),
        problem: document
            .problem
            .as_ref()
            .map(|problem| Text::of(problem.as_str())),
        labels: if group.version_labels_only {
            labels(group)
        } else {
            Vec::new()
        },
        changes: match group.version_labels_only {
            true => Vec::new(),
            false => changes.into_iter().map(Change::of).collect(),
        },
        places: group
            .places
            .iter()
            .flat_map(|place| {
                [
                    tables.releases[place.release],
                    tables.platforms[place.platform],
                    ids[&place.document.id],
                ]
            })
            .collect(),
    }
}

fn title(group: &Group<'_>) -> String {
    let subject = places::subject(group);
    match (&group.sample().from, group.verdict) {
        (Some(from), Verdict::Renamed) => format!(
            "{} → {}, {} % alike",
            places::name(&from.id),
            group.sample().id.name,
            from.percent
        ),
        (Some(from), _) => format!("{subject} from {}", from.release),
        (None, _) => subject,
    }
}

/// What there is to say where no field is told.
fn note<'a>(group: &Group<'_>) -> Option<Text<'a>> {
    let document = group.sample();
    let text = match group.verdict {
        Verdict::Identical => "the same bytes on both sides".to_owned(),
        Verdict::Equivalent => {
            let rules: Vec<&str> = document.rules.iter().map(Rule::name).collect();
            format!("the same in canonical form; what was set aside: {}", list(&rules))
        }
        Verdict::Volatile => summary::volatile(document),
        Verdict::Accepted => "as accepted".to_owned(),
        Verdict::Changed if document.changes.is_empty() => {
            "which fields is not known: the baseline is there by its digests alone".to_owned()
        }
        _ => return None,
    };
    Some(text.into())
}

/// One entry per change of version, with the number of documents that show it.
fn labels<'a>(group: &Group<'_>) -> Vec<(Text<'a>, Text<'a>, Text<'a>, usize)> {
    let writer = Writer::new(None);
    let mut moves: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    for place in &group.places {
        let mut seen = BTreeSet::new();
        for change in &place.document.changes {
            // A label stands in several places of one document: the pod template repeats it.
            let label = match change.path.path().0.last() {
                Some(Step::Key(key)) => key.clone(),
                _ => change.path.to_string(),
            };
            let side = |value: &Option<_>| value.as_ref().map(|value| writer.line(value)).unwrap_or_default();
            let found = (label, side(&change.before), side(&change.after));
            if seen.insert(found.clone()) {
                *moves.entry(found).or_default() += 1;
            }
        }
    }
    moves
        .into_iter()
        .map(|((label, before, after), count)| (label.into(), before.into(), after.into(), count))
        .collect()
}
