//! `Blame`: where the fields of one document came from, for people and for programs.

use super::model::{Mark, ValueOrigin};
use super::redact::{Shown, ShownPath};
use super::{json, text};
use crate::base::Place;
use crate::manifest::DocumentId;
use serde_json::json;

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
        let told = text::blame::whole(&fields);
        match self
            .parts
            .iter_mut()
            .find(|part| text::blame::whole(&part.fields) == told)
        {
            Some(part) => part.cells.push(cell),
            None => self.parts.push(Part {
                cells: vec![cell],
                fields,
            }),
        }
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
