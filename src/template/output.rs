//! The text that grows while templates run. An include writes behind a mark on the same buffer and is cut
//! off there, so nothing is allocated per include but its result.
//!
//! Invariant: with tracing, the spans cover every byte.

use crate::value::{Span, Text};

/// A place on the output to come back to.
#[derive(Clone, Copy)]
pub(super) struct Position {
    bytes: usize,
    spans: usize,
    floor: usize,
}

/// The growing text.
#[derive(Default)]
pub(super) struct Output {
    pub bytes: Vec<u8>,
    spans: Vec<Span>,
    /// Spans below belong to an outer text and may not grow.
    floor: usize,
}

impl Output {
    /// Starts an inner text.
    pub fn open(&mut self) -> Position {
        let position = Position {
            bytes: self.bytes.len(),
            spans: self.spans.len(),
            floor: self.floor,
        };
        self.floor = self.spans.len();
        position
    }

    /// Cuts the inner text off.
    pub fn close(&mut self, position: Position, tracing: bool) -> Text {
        let bytes = &self.bytes[position.bytes..];
        let text = if tracing {
            let shift = offset(position.bytes);
            let spans = self.spans[position.spans..]
                .iter()
                .map(|span| Span {
                    end: span.end - shift,
                    ..*span
                })
                .collect();
            Text::with_spans(bytes, spans)
        } else {
            Text::new(bytes)
        };
        self.abandon(position);
        text
    }

    /// Drops the inner text.
    pub fn abandon(&mut self, position: Position) {
        self.bytes.truncate(position.bytes);
        self.spans.truncate(position.spans);
        self.floor = position.floor;
    }

    /// Says that all bytes up to the end, that no span covers yet, have this history.
    pub fn cover(&mut self, span: Span) {
        self.cover_to(self.bytes.len(), span);
    }

    /// As `cover`, up to a byte.
    pub fn cover_to(&mut self, end: usize, span: Span) {
        let end = offset(end);
        if let Some(last) = self.spans.last_mut() {
            if last.end == end {
                return;
            }
            if self.spans.len() > self.floor
                && let Some(last) = self.spans.last_mut()
                && (last.frame, last.node, last.marks, last.control)
                    == (span.frame, span.node, span.marks, span.control)
            {
                last.end = end;
                return;
            }
        } else if end == 0 {
            return;
        }
        self.spans.push(Span { end, ..span });
    }
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
