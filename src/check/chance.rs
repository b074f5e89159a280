//! What things outside git did to documents: the fields that a call reached, by document and call.

use super::fields::fields_in;
use super::{Check, Hazard, SideView, Sink};
use crate::base::{KeyPath, Place, Step};
use crate::engine::History;
use crate::manifest::Document;
use crate::value::{Ambient, AmbientKind, Mark};
use std::collections::BTreeMap;

/// So many fields are named in a message.
const NAMED: usize = 3;

/// One call that reached fields of one document.
pub(super) struct Reach<'a> {
    /// The document.
    pub document: &'a Document,
    /// The call.
    pub ambient: &'a Ambient,
    /// The fields, in the order of the text.
    pub fields: Vec<KeyPath>,
}

impl Reach<'_> {
    /// The fields as words, and what they do: `verb` as one field does it, such as `depends`.
    pub(super) fn does(&self, verb: &str) -> String {
        if self.fields.iter().any(is_kind) {
            return format!("the whole document {verb}");
        }
        let named: Vec<String> = self.fields.iter().take(NAMED).map(ToString::to_string).collect();
        let plural = verb.strip_suffix('s').unwrap_or(verb);
        match self.fields.len().saturating_sub(NAMED) {
            0 if named.len() == 1 => format!("{} {verb}", named[0]),
            0 => format!("{} {plural}", named.join(", ")),
            more => format!("{} and {more} more {plural}", named.join(", ")),
        }
    }

    /// A hazard about it, the chain of calls as related places.
    pub(super) fn hazard(&self, check: &Check, history: &History, message: String) -> Hazard {
        let ambient = self.ambient;
        let related: Vec<(String, Place)> = history
            .chain(ambient.frame)
            .into_iter()
            .map(|place| ("called from".to_owned(), place))
            .collect();
        Hazard {
            resource: Some(self.document.id().clone()),
            field_path: self.fields.first().cloned(),
            object: ambient.call.to_string(),
            place: history.place(ambient.frame, ambient.node),
            related,
            ..Hazard::new(check, message)
        }
    }
}

/// What calls of a kind reached; one for each document and call as written.
pub(super) fn reaches<'a>(view: &SideView<'a>, kind: AmbientKind) -> Vec<Reach<'a>> {
    let Some(history) = view.history else {
        return Vec::new();
    };
    if !history.marks.ambients.iter().any(|ambient| ambient.kind == kind) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for document in &view.manifest.documents {
        let range = document.range();
        if !history.has_ambient(range.clone(), &[kind]) {
            continue;
        }
        let mut calls: BTreeMap<&str, (&Ambient, Vec<KeyPath>)> = BTreeMap::new();
        for (range, span) in history.spans(range) {
            let mut marks = [span.marks, span.control]
                .into_iter()
                .flat_map(|marks| history.marks.get(marks))
                .filter_map(|mark| match mark {
                    Mark::Ambient(at) => history.marks.ambients.get(*at as usize),
                    Mark::Origin(_) => None,
                })
                .filter(|ambient| ambient.kind == kind)
                .peekable();
            if marks.peek().is_none() {
                continue;
            }
            let fields = fields_in(document, range);
            for ambient in marks {
                let entry = calls.entry(&ambient.call).or_insert((ambient, Vec::new()));
                for field in &fields {
                    if !entry.1.contains(field) {
                        entry.1.push(field.clone());
                    }
                }
            }
        }
        found.extend(
            calls
                .into_values()
                .filter(|call| !call.1.is_empty())
                .map(|(ambient, fields)| Reach {
                    document,
                    ambient,
                    fields,
                }),
        );
    }
    found
}

/// True for an annotation that holds a checksum.
pub(super) fn is_checksum(path: &KeyPath) -> bool {
    match &path.0[..] {
        [.., Step::Key(above), Step::Key(name)] => {
            above == "annotations" && name.to_lowercase().contains("checksum")
        }
        _ => false,
    }
}

/// True for the field that says what a document is: what reaches it reaches all.
fn is_kind(path: &KeyPath) -> bool {
    matches!(&path.0[..], [Step::Key(key)] if key == "kind")
}

/// Tells every reach of a kind in the same words: `{document}: {fields} {verb} {rest} {call}`.
pub(super) fn tell(
    view: &SideView<'_>,
    check: &Check,
    kind: AmbientKind,
    (verb, rest): (&str, &str),
    remedy: &str,
    sink: &mut Sink,
) {
    let Some(history) = view.history else {
        return;
    };
    for mut reach in reaches(view, kind) {
        // `checksum-follows` tells those, with this as their cause.
        reach.fields.retain(|field| !is_checksum(field));
        if reach.fields.is_empty() {
            continue;
        }
        let message = format!(
            "{}: {} {rest} {}",
            reach.document.id(),
            reach.does(verb),
            reach.ambient.call
        );
        sink.tell(Hazard {
            remedy: Some(remedy.to_owned()),
            ..reach.hazard(check, history, message)
        });
    }
}
