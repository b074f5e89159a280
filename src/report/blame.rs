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

/// The provenance of fields of one document.
#[derive(Clone, Debug)]
pub struct Blame {
    /// The cell, as a selector names it.
    pub cell: String,
    /// The document.
    pub id: DocumentId,
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
    /// For people.
    pub fn text(&self) -> String {
        let mut out = format!("{} ({})\n", self.id, self.cell);
        let writer = Writer::new(None);
        for field in &self.fields {
            out.push('\n');
            line(
                &mut out,
                0,
                &format!("{}: {}", field.path, writer.line(&field.value)),
            );
            if let Some(place) = &field.template {
                line(&mut out, 2, &format!("printed by  {place}"));
            }
            for place in field.chain.iter().rev() {
                line(&mut out, 2, &format!("called from {place}"));
            }
            for (value, covered) in &field.values {
                line(
                    &mut out,
                    2,
                    &format!("value       {} in {} ({})", value.path, value.place, value.layer),
                );
                for below in covered.iter().rev() {
                    let text = writer.line(&below.value);
                    line(
                        &mut out,
                        14,
                        &format!("covers {} in {} ({})", text, below.place, below.layer),
                    );
                }
            }
            for mark in &field.marks {
                let place = mark
                    .place
                    .as_ref()
                    .map_or_else(String::new, |place| format!(" in {place}"));
                line(
                    &mut out,
                    2,
                    &format!("{:<11} {}{place}", mark.kind, mark.call.as_str()),
                );
            }
            if field.values.is_empty() && field.marks.is_empty() && field.template.is_some() {
                line(&mut out, 2, "no value has a part in it");
            }
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
                "values": field.values.iter().map(value).collect::<Vec<_>>(),
                "marks": field.marks.iter().map(mark).collect::<Vec<_>>(),
            })
        };
        let whole = json!({
            "schema": "evenkeel.blame/1",
            "cell": self.cell,
            "id": {
                "group": &*self.id.group, "version": &*self.id.version, "kind": &*self.id.kind,
                "namespace": self.id.namespace.as_deref(), "name": &*self.id.name,
            },
            "fields": self.fields.iter().map(field).collect::<Vec<_>>(),
        });
        format!("{whole:#}\n")
    }
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
