//! Where the fields of a document came from, for a person at a terminal.

use super::page::{Ink, Page, Span, plain, span};
use crate::base::Place;
use crate::report::Style;
use crate::report::blame::{Blame, FieldBlame};
use crate::report::flow::Writer;
use std::io;
use unicode_width::UnicodeWidthStr;

/// Where what is said of a field begins, behind the words that say what it is.
const TOLD: usize = 14;

/// Everything that is told of fields: what tells the same is the same.
pub(in crate::report) fn whole(fields: &[FieldBlame]) -> Vec<u8> {
    let style = Style {
        width: usize::MAX,
        ..Style::plain()
    };
    let mut out = Vec::new();
    let mut page = Page::new(&mut out, &style);
    for field in fields {
        // A Vec takes everything.
        let _ = write_field(field, &mut page);
    }
    out
}

impl Blame {
    /// For people.
    pub fn text(&self, style: &Style) -> Vec<u8> {
        let mut out = Vec::new();
        // A Vec takes everything.
        let _ = self.write(&mut Page::new(&mut out, style));
        out
    }

    fn write(&self, page: &mut Page<'_>) -> io::Result<()> {
        for part in &self.parts {
            page.blank();
            let cells = format!(" ({})", part.cells.join(", "));
            page.wrapped(0, &[span(Ink::Strong, self.id.to_string()), plain(cells)])?;
            for field in &part.fields {
                page.blank();
                write_field(field, page)?;
            }
        }
        if !self.without.is_empty() {
            page.blank();
            page.wrapped(0, &[plain(format!("not in {}", self.without.join(", ")))])?;
        }
        Ok(())
    }
}

fn write_field(field: &FieldBlame, page: &mut Page<'_>) -> io::Result<()> {
    let writer = Writer::new(page.style.show_secrets);
    let (path, value) = (field.path.to_string(), writer.line(&field.value));
    if path.width() + value.width() + 2 <= page.style.width {
        page.line(0, &[span(Ink::Name, path), plain(": "), plain(value)])?;
    } else {
        page.line(0, &[span(Ink::Name, path), plain(":")])?;
        let value = page.cut(&value, page.room(4));
        page.line(4, &[plain(value)])?;
    }
    if let Some(place) = &field.template {
        told("printed by", vec![at(place)], page)?;
    }
    for place in field.chain.iter().rev() {
        told("called from", vec![at(place)], page)?;
    }
    let word = if field.is_decided { "decided by" } else { "value" };
    for (value, covered) in &field.values {
        let head = plain(format!("{} in ", value.path));
        told(word, vec![head, at(&value.place), layer(value.layer)], page)?;
        for below in covered.iter().rev() {
            let shown = writer.line(&below.value);
            let shown = page.cut(&shown, page.room(TOLD + 12));
            let head = plain(format!("covers {shown} in "));
            page.hanging(TOLD, TOLD, &[head, at(&below.place), layer(below.layer)])?;
        }
    }
    for mark in &field.marks {
        let mut spans = vec![plain(mark.call.as_str())];
        if let Some(place) = &mark.place {
            spans.extend([plain(" in "), at(place)]);
        }
        told(mark.kind, spans, page)?;
    }
    if field.values.is_empty() && field.marks.is_empty() && field.template.is_some() {
        page.wrapped(2, &[plain("no value has a part in it")])?;
    }
    Ok(())
}

/// A word, and behind it what it is said of.
fn told(word: &str, mut spans: Vec<Span<'_>>, page: &mut Page<'_>) -> io::Result<()> {
    spans.insert(0, span(Ink::Dim, format!("{word:<11} ")));
    page.hanging(2, TOLD, &spans)
}

fn at<'a>(place: &Place) -> Span<'a> {
    span(Ink::Name, place.to_string())
}

fn layer<'a>(layer: &str) -> Span<'a> {
    plain(format!(" ({layer})"))
}
