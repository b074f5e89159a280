//! `History`: where the bytes of an output came from. Plain data that crosses threads: what the executor
//! traced, the marks it speaks of, and the charts and layers behind them.
//!
//! Invariant: the spans cover the output without a gap.

use super::native::template_place;
use crate::base::{KeyPath, Place, Step};
use crate::chart::Chart;
use crate::layers::Layer;
use crate::template::trace::Trace;
use crate::template::tree::NodeId;
use crate::value::{Ambient, AmbientKind, Mark, MarkTable, Marks, Span, Text};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What a traced render knows about itself.
pub struct History {
    /// The marks that everything here speaks of.
    pub marks: MarkTable,
    /// The layers; `Origin::layer` counts in this list.
    pub layers: Vec<Layer>,
    /// What the executor noted.
    pub trace: Trace,
    /// The charts that took part, the root first.
    pub charts: Vec<ChartPart>,
    pub(super) spans: Vec<Span>,
    /// Templates by name, sorted.
    pub(super) templates: Vec<(String, (Arc<Chart>, usize))>,
}

/// A chart of the tree that took part, under the name that values give it.
#[derive(Clone, Debug)]
pub struct ChartPart {
    /// The keys that lead to its values from the root: names or aliases; empty for the root.
    pub path: Vec<Arc<str>>,
    /// The chart.
    pub chart: Arc<Chart>,
}

/// A value of the values tree: its path from the root, and where it was set.
#[derive(Clone, Debug)]
pub struct ValueOrigin<'a> {
    /// The path below `.Values` of the root chart; below the chart's own `.Values` for the defaults of a chart
    /// that goes by several names.
    pub path: KeyPath,
    /// The layer that set it.
    pub layer: &'a Layer,
    /// Where it stands.
    pub place: Place,
}

impl History {
    /// The spans over a range of the output, each with its own range.
    pub fn spans(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, &Span)> {
        let first = self
            .spans
            .partition_point(|span| span.end as usize <= range.start);
        let mut start = match first {
            0 => 0,
            _ => self.spans[first - 1].end as usize,
        };
        self.spans[first..].iter().map_while(move |span| {
            let found = start.max(range.start)..(span.end as usize).min(range.end);
            start = span.end as usize;
            (found.start < range.end).then_some((found, span))
        })
    }

    /// The answers of the ambient in a set of marks.
    pub fn ambients(&self, marks: Marks) -> impl Iterator<Item = &Ambient> {
        self.marks.get(marks).iter().filter_map(|mark| match mark {
            Mark::Ambient(at) => self.marks.ambients.get(*at as usize),
            Mark::Origin(_) => None,
        })
    }

    /// The values in a set of marks.
    pub fn origins(&self, marks: Marks) -> impl Iterator<Item = ValueOrigin<'_>> {
        self.marks.get(marks).iter().filter_map(|mark| match mark {
            Mark::Origin(at) => self.origin(*at),
            Mark::Ambient(_) => None,
        })
    }

    /// A value by the number of its origin.
    pub fn origin(&self, number: u32) -> Option<ValueOrigin<'_>> {
        let origin = self.marks.origins.get(number as usize)?;
        let layer = self.layers.get(origin.layer as usize)?;
        let mut steps = Vec::new();
        let mut next = Some(origin);
        while let Some(origin) = next {
            steps.push(step(&origin.step));
            next = origin.parent.and_then(|parent| self.marks.as_origin(parent));
        }
        steps.extend(
            self.prefix(layer)
                .iter()
                .rev()
                .map(|name| Step::Key(name.to_string())),
        );
        steps.reverse();
        Some(ValueOrigin {
            path: KeyPath(steps),
            layer,
            place: Place::new(layer.file.clone(), origin.line, origin.column),
        })
    }

    /// The keys that lead to the values of the chart whose defaults a layer holds.
    fn prefix(&self, layer: &Layer) -> &[Arc<str>] {
        let Some(location) = layer.defaults_of() else {
            return &[];
        };
        let mut parts = self.charts.iter().filter(|part| part.chart.location == location);
        match (parts.next(), parts.next()) {
            (Some(part), None) => &part.path,
            _ => &[],
        }
    }

    /// The place in the side's tree of a node that ran.
    pub fn place(&self, frame: u32, node: NodeId) -> Option<Place> {
        let (name, line, column) = self.trace.place(frame, node)?;
        let at = self
            .templates
            .binary_search_by(|template| template.0.as_str().cmp(name))
            .ok()?;
        Some(template_place(&self.templates[at].1, line, Some(column)))
    }

    /// The calls that led to a frame, outermost first; `tpl` and `include` alike.
    pub fn chain(&self, frame: u32) -> Vec<Place> {
        let mut chain = Vec::new();
        let mut at = frame;
        while let Some(frame) = self.trace.frames.get(at as usize).filter(|_| at != 0) {
            chain.extend(self.place(frame.parent, frame.call));
            at = frame.parent;
        }
        chain.reverse();
        chain
    }

    /// True when a range of the output holds something of these kinds.
    pub fn has_ambient(&self, range: Range<usize>, kinds: &[AmbientKind]) -> bool {
        self.spans(range).any(|(_, span)| {
            let marks = [span.marks, span.control];
            marks
                .into_iter()
                .flat_map(|marks| self.ambients(marks))
                .any(|ambient| kinds.contains(&ambient.kind))
        })
    }
}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("History")
            .field("spans", &self.spans.len())
            .finish_non_exhaustive()
    }
}

fn step(text: &str) -> Step {
    match text.parse() {
        Ok(position) => Step::Index(position),
        Err(_) => Step::Key(text.to_owned()),
    }
}

/// The spans of an output that is put together from pieces of rendered files.
pub(super) fn spans(length: usize, pieces: &[super::output::Piece], texts: &[&Text]) -> Vec<Span> {
    const NOTHING: Span = Span {
        end: 0,
        frame: 0,
        node: 0,
        marks: Marks::NONE,
        control: Marks::NONE,
    };
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let mut spans = Vec::new();
    let mut done = 0;
    for piece in pieces {
        if piece.range.start > done {
            spans.push(Span {
                end: offset(piece.range.start),
                ..NOTHING
            });
        }
        done = piece.range.end;
        let text = texts[piece.file].slice(piece.offset, piece.offset + piece.range.len());
        match text.spans() {
            Some(inner) => spans.extend(inner.iter().map(|span| Span {
                end: span.end + offset(piece.range.start),
                ..*span
            })),
            None => spans.push(Span {
                end: offset(done),
                ..NOTHING
            }),
        }
    }
    if length > done {
        spans.push(Span {
            end: offset(length),
            ..NOTHING
        });
    }
    spans
}
