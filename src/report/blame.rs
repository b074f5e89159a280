//! `Blame`: where the fields of one document came from, for people and for programs.

use super::flow::Writer;
use super::json;
use super::model::{Mark, ValueOrigin};
use super::redact::{Shown, ShownPath};
use crate::base::Place;
use crate::manifest::DocumentId;
use serde_json::json;

/// So many columns the text has.
const COLUMNS: usize = 100;

/// The provenance of fields of one document of a release.
#[derive(Clone, Debug)]
pub struct Blame {
    /// The document.
    pub id: DocumentId,
    /// The fields; platforms where all came from the same places are one part.
    pub parts: Vec<Part>,
    /// The cells whose document has no such field.
    pub without: Vec<String>,
}

/// What some cells have in common.
#[derive(Clone, Debug)]
pub struct Part {
    /// The cells, as a selector names them.
    pub cells: Vec<String>,
    /// The fields, in the order of the document.
    pub fields: Vec<FieldBlame>,
}

/// The provenance of one field.
#[derive(Clone, Debug)]
pub struct FieldBlame {
    /// Where it is.
    pub path: ShownPath,
    /// Its value.
    pub value: Shown,
    /// The template that printed it.
    pub template: Option<Place>,
    /// The calls that led to that template, outermost first.
    pub chain: Vec<Place>,
    /// The values that had a part in it, each with what it covers, lowest layer first.
    pub values: Vec<(ValueOrigin, Vec<Covered>)>,
    /// True when the values only decided that the field is there.
    pub is_decided: bool,
    /// What came from outside git.
    pub marks: Vec<Mark>,
}

/// What a lower layer says of a value, in vain.
#[derive(Clone, Debug)]
pub struct Covered {
    /// Where.
    pub place: Place,
    /// The kind of layer.
    pub layer: &'static str,
    /// The value there.
    pub value: Shown,
}

impl Blame {
    /// Nothing told yet.
    pub fn new(id: DocumentId) -> Blame {
        Blame {
            id,
            parts: Vec::new(),
            without: Vec::new(),
        }
    }

    /// Adds what is told of a cell.
    pub fn add(&mut self, cell: String, fields: Vec<FieldBlame>) {
        // As it is told: the documents of two platforms have a field on different lines.
        let told = text_of(&fields);
        match self.parts.iter_mut().find(|part| text_of(&part.fields) == told) {
            Some(part) => part.cells.push(cell),
            None => self.parts.push(Part {
                cells: vec![cell],
                fields,
            }),
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for part in &self.parts {
            if !out.is_empty() {
                out.push('\n');
            }
            let cells = part.cells.join(", ");
            out.push_str(&format!("{} ({cells})\n", self.id));
            out.push_str(&text_of(&part.fields));
        }
        if !self.without.is_empty() {
            out.push_str(&format!("\nnot in {}\n", self.without.join(", ")));
        }
        out
    }

    /// For programs.
    pub fn json(&self) -> String {
        let place = |place: &Place| {
            let known = |number: u32| (number > 0).then_some(number);
            json!({"file": &*place.file, "line": known(place.line), "column": known(place.column)})
        };
        let covered = |below: &Covered| json!({"place": place(&below.place), "layer": below.layer, "value": json::value(&below.value)});
        let value = |(origin, below): &(ValueOrigin, Vec<Covered>)| {
            json!({
                "path": origin.path.to_string(),
                "place": place(&origin.place),
                "layer": origin.layer,
                "covers": below.iter().map(covered).collect::<Vec<_>>(),
            })
        };
        let mark = |mark: &Mark| json!({"kind": mark.kind, "call": mark.call.as_str(), "place": mark.place.as_ref().map(place)});
        let field = |field: &FieldBlame| {
            json!({
                "path": field.path.to_string(),
                "value": json::value(&field.value),
                "template": field.template.as_ref().map(place),
                "chain": field.chain.iter().map(place).collect::<Vec<_>>(),
                "decidedOnly": field.is_decided,
                "values": field.values.iter().map(value).collect::<Vec<_>>(),
                "marks": field.marks.iter().map(mark).collect::<Vec<_>>(),
            })
        };
        let part = |part: &Part| json!({"cells": part.cells, "fields": part.fields.iter().map(field).collect::<Vec<_>>()});
        let whole = json!({
            "schema": "evenkeel.blame/1",
            "id": {
                "group": &*self.id.group, "version": &*self.id.version, "kind": &*self.id.kind,
                "namespace": self.id.namespace.as_deref(), "name": &*self.id.name,
            },
            "parts": self.parts.iter().map(part).collect::<Vec<_>>(),
            "without": self.without,
        });
        format!("{whole:#}\n")
    }
}

impl FieldBlame {
    fn text(&self, out: &mut String) {
        let writer = Writer::new(None);
        line(out, 0, &format!("{}: {}", self.path, writer.line(&self.value)));
        if let Some(place) = &self.template {
            line(out, 2, &format!("printed by  {place}"));
        }
        for place in self.chain.iter().rev() {
            line(out, 2, &format!("called from {place}"));
        }
        let word = if self.is_decided { "decided by" } else { "value" };
        for (value, covered) in &self.values {
            let text = format!("{word:<11} {} in {} ({})", value.path, value.place, value.layer);
            line(out, 2, &text);
            for below in covered.iter().rev() {
                let value = writer.line(&below.value);
                line(
                    out,
                    14,
                    &format!("covers {value} in {} ({})", below.place, below.layer),
                );
            }
        }
        for mark in &self.marks {
            let place = mark.place.as_ref();
            let place = place.map_or_else(String::new, |place| format!(" in {place}"));
            line(
                out,
                2,
                &format!("{:<11} {}{place}", mark.kind, mark.call.as_str()),
            );
        }
        if self.values.is_empty() && self.marks.is_empty() && self.template.is_some() {
            line(out, 2, "no value has a part in it");
        }
    }
}

fn text_of(fields: &[FieldBlame]) -> String {
    let mut out = String::new();
    for field in fields {
        out.push('\n');
        field.text(&mut out);
    }
    out
}

/// A line; a place that goes over the edge of the page gets a line of its own, other text is cut there.
fn line(out: &mut String, indent: usize, text: &str) {
    if text.chars().count() > COLUMNS - indent
        && indent > 0
        && let Some((before, place)) = text.rsplit_once(" in ")
    {
        line(out, indent, before);
        return line(out, 14, &format!("in {place}"));
    }
    let room = COLUMNS - indent;
    out.extend(std::iter::repeat_n(' ', indent));
    if text.chars().count() > room && !text.starts_with("in ") {
        out.extend(text.chars().take(room - 3));
        out.push_str("...");
    } else {
        out.push_str(text);
    }
    out.push('\n');
}
