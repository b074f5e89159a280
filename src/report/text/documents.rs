//! The documents of a group, release by release.

use super::page::{Ink, Page, span};
use crate::manifest::DocumentId;
use crate::report::group::Group;
use crate::report::model::Report;
use crate::report::places::{name, on};
use crate::report::words::plural;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// So many lines of documents are shown unless everything is asked for.
const LINES: usize = 8;

/// The documents of a group with more than one, release by release.
pub(super) fn write(group: &Group<'_>, report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let ids: BTreeSet<&DocumentId> = group.places.iter().map(|place| &place.document.id).collect();
    if ids.len() < 2 {
        return Ok(());
    }
    let places = group.places.iter();
    let hooks: BTreeSet<&DocumentId> = places
        .filter(|place| place.document.hook)
        .map(|place| &place.document.id)
        .collect();
    let mut releases: BTreeMap<&str, BTreeMap<&DocumentId, BTreeSet<&str>>> = BTreeMap::new();
    for place in &group.places {
        releases
            .entry(place.release)
            .or_default()
            .entry(&place.document.id)
            .or_default()
            .insert(place.platform);
    }
    let usual = |documents: &BTreeMap<&DocumentId, BTreeSet<&str>>| -> BTreeSet<String> {
        documents
            .values()
            .flatten()
            .map(|name| (*name).to_owned())
            .collect()
    };
    for (lines, (release, documents)) in releases.iter().enumerate() {
        if lines >= LINES && !page.style.verbose {
            let hidden = releases.len() - lines;
            let text = format!("in {} more (--verbose names them)", plural(hidden, "release"));
            page.wrapped(4, &[span(Ink::Dim, text)])?;
            break;
        }
        let all = usual(documents);
        let shown = if page.style.verbose {
            documents.len()
        } else {
            6.min(documents.len())
        };
        let mut names: Vec<String> = documents
            .iter()
            .take(shown)
            .map(|(id, platforms)| {
                let hook = if hooks.contains(id) { " (hook)" } else { "" };
                let on = if platforms.len() == all.len() {
                    String::new()
                } else {
                    on(report, platforms, std::iter::once(*release))
                };
                format!("{}{hook}{on}", name(id))
            })
            .collect();
        if documents.len() > shown {
            names.push(format!("{} more", documents.len() - shown));
        }
        let head = if releases.len() > 1 {
            format!("in {release}: ")
        } else {
            "in ".to_owned()
        };
        page.listed(4, span(Ink::Dim, head), Ink::Plain, &names)?;
    }
    Ok(())
}
