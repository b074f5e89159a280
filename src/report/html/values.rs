//! One changed field as the page needs it: short values whole, long ones as hunks or lines.

use super::escape::Text;
use crate::base::Place;
use crate::compare::text::{self, LineKind};
use crate::report::flow::{Writer, kind_name};
use crate::report::model::{ChangeReport, Mark, Op, Provenance};
use crate::report::redact::Shown;
use serde::Serialize;

/// A list or a map longer than this on one line is told line by line.
const LONG: usize = 88;

/// Lines of surroundings in a diff.
const CONTEXT: usize = 3;

/// So many lines of one value go into the page.
const LINES: usize = 4000;

/// So many characters of one line go into the page.
const LINE: usize = 8000;

/// One field that differs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Change<'a> {
    op: &'static str,
    path: Text<'a>,
    effect: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Value<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Value<'a>>,
    /// The differing lines of two long values.
    #[serde(skip_serializing_if = "Option::is_none")]
    hunks: Option<Vec<Hunk<'a>>>,
    /// Lines left out of the hunks.
    #[serde(skip_serializing_if = "is_zero")]
    more: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<MarkWire<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Origin<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidate: Option<Origin<'a>>,
}

/// A value: on one line, or on several when it is long.
#[derive(Serialize)]
struct Value<'a> {
    kind: &'static str,
    line: Text<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<Text<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    more: usize,
}

/// The first lines of both sides, and the lines with their signs.
#[derive(Serialize)]
struct Hunk<'a>(usize, usize, Vec<Text<'a>>);

#[derive(Serialize)]
struct MarkWire<'a> {
    kind: &'static str,
    call: Text<'a>,
    place: Option<Text<'a>>,
    via: Vec<Text<'a>>,
}

#[derive(Serialize)]
struct Origin<'a> {
    template: Option<Text<'a>>,
    /// Path, place, layer.
    values: Vec<(Text<'a>, Text<'a>, &'static str)>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl<'a> Change<'a> {
    /// What the page needs of a change.
    pub(super) fn of(change: &'a ChangeReport) -> Change<'a> {
        let writer = Writer::new(None);
        let mut wire = Change {
            op: change.op.name(),
            path: change.path.to_string().into(),
            effect: change.effect.name(),
            before: None,
            after: None,
            hunks: None,
            more: 0,
            marks: change.marks.iter().map(mark).collect(),
            baseline: change.provenance.baseline.as_ref().map(origin),
            candidate: change.provenance.candidate.as_ref().map(origin),
        };
        if let (Some(before), Some(after)) = (&change.before, &change.after)
            && let Some((hunks, more)) = hunks(change.op, before, after, writer)
        {
            wire.hunks = Some(hunks);
            wire.more = more;
            return wire;
        }
        let one_sided = change.before.is_none() || change.after.is_none();
        let side = |value: &'a Option<Shown>| value.as_ref().map(|value| Value::of(value, one_sided, writer));
        wire.before = side(&change.before);
        wire.after = side(&change.after);
        wire
    }

    /// The field and what happened to it, on one line.
    pub(super) fn title(&self) -> String {
        let path = &self.path.0;
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => format!("{path}: {} → {}", before.line.0, after.line.0),
            (None, Some(after)) => format!("+ {path}: {}", after.line.0),
            (Some(before), None) => format!("− {path}: {}", before.line.0),
            (None, None) => format!("~ {path}"),
        }
    }
}

impl<'a> Value<'a> {
    fn of(value: &Shown, alone: bool, writer: Writer) -> Value<'a> {
        let line = writer.line(value);
        let is_text = writer.string(value).is_some_and(|text| text.contains('\n'));
        let (mut lines, mut more) = (Vec::new(), 0);
        if alone && (is_text || line.chars().count() > LONG && writer.string(value).is_none()) {
            lines = writer.block(value);
            more = lines.len().saturating_sub(LINES);
            lines.truncate(LINES);
        }
        Value {
            kind: kind_name(value),
            line: clip(if lines.is_empty() { &line } else { "" }).into(),
            lines: lines.iter().map(|line| clip(line).into()).collect(),
            more,
        }
    }
}

/// The lines in which two long values differ, and how many lines were left out; none where a value is short or
/// no line differs.
fn hunks<'a>(op: Op, before: &Shown, after: &Shown, writer: Writer) -> Option<(Vec<Hunk<'a>>, usize)> {
    let (old, new) = match (writer.string(before), writer.string(after)) {
        (Some(old), Some(new)) if old.contains('\n') || new.contains('\n') => {
            (old.to_owned(), new.to_owned())
        }
        (None, None) if op != Op::Type => {
            let is_long = |value| writer.line(value).chars().count() > LONG;
            if !is_long(before) && !is_long(after) {
                return None;
            }
            (writer.block(before).join("\n"), writer.block(after).join("\n"))
        }
        _ => return None,
    };
    let (mut left, mut more) = (LINES, 0);
    let mut found = Vec::new();
    for hunk in text::hunks(&old, &new, CONTEXT) {
        let shown = hunk.lines.len().min(left);
        left -= shown;
        more += hunk.lines.len() - shown;
        let lines = hunk.lines[..shown].iter().map(|line| {
            let sign = if line.kind == LineKind::Same {
                ' '
            } else {
                line.kind.sign()
            };
            format!("{sign}{}", clip(&line.text)).into()
        });
        if shown > 0 {
            found.push(Hunk(hunk.baseline_start, hunk.candidate_start, lines.collect()));
        }
    }
    (!found.is_empty()).then_some((found, more))
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(LINE) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn at<'a>(place: &Place) -> Text<'a> {
    place.to_string().into()
}

fn mark(mark: &Mark) -> MarkWire<'_> {
    MarkWire {
        kind: mark.kind,
        call: Text::of(mark.call.as_str()),
        place: mark.place.as_ref().map(at),
        via: mark.via.iter().map(|name| Text::of(name)).collect(),
    }
}

fn origin(origin: &Provenance) -> Origin<'_> {
    Origin {
        template: origin.template.as_ref().map(at),
        values: origin
            .values
            .iter()
            .map(|value| (value.path.to_string().into(), at(&value.place), value.layer))
            .collect(),
    }
}
