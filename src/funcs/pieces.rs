//! A text put together from pieces of other texts, each piece with what is known of it.
//!
//! A value whose text has spans says everything through them; marks on such a value belong to the whole
//! result. A value without spans gives its marks to its piece, but only where there is more than one
//! piece to tell apart: pieces that know nothing cost nothing.

use crate::template::Call;
use crate::value::{Marks, Span, Text, TextBuilder, Value};

/// A span that is the work of a function: it was written by no template node.
pub(super) fn span_of(marks: Marks) -> Span {
    Span {
        end: 0,
        frame: 0,
        node: 0,
        marks,
        control: Marks::NONE,
    }
}

/// The executor allows no text to be longer (`Limits::output`).
const MOST_BYTES: usize = 256 << 20;

/// A text under construction.
#[derive(Default)]
pub(super) struct Pieces {
    builder: TextBuilder,
    whole: Vec<Marks>,
}

impl Pieces {
    pub(super) fn new() -> Pieces {
        Pieces::default()
    }

    /// True once the text is longer than any text may be; nothing is added then, and the executor refuses it.
    pub(super) fn is_full(&self) -> bool {
        self.builder.bytes().len() > MOST_BYTES
    }

    /// Adds bytes of the function's own: quotes, separators, indentation.
    pub(super) fn literal(&mut self, bytes: &[u8]) {
        self.builder.push_bytes(bytes);
    }

    /// Adds a whole text.
    pub(super) fn text(&mut self, text: &Text, marks: Marks) {
        self.slice(text, marks, 0, text.len());
    }

    /// Adds a part of a text.
    pub(super) fn slice(&mut self, text: &Text, marks: Marks, start: usize, end: usize) {
        if self.is_full() {
            return;
        }
        if text.spans().is_some() {
            self.builder.push_slice(text, start, end);
            self.remember(marks);
        } else {
            self.made(&text.bytes()[start..end], marks);
        }
    }

    /// Adds bytes that stand for the byte at `at` of a text: an escape, a replaced rune.
    pub(super) fn instead(&mut self, text: &Text, marks: Marks, at: usize, bytes: &[u8]) {
        match text.spans() {
            Some(spans) => {
                let found = spans.partition_point(|span| span.end as usize <= at);
                match spans.get(found) {
                    Some(span) => self.builder.push_marked(bytes, *span),
                    None => self.builder.push_bytes(bytes),
                }
                self.remember(marks);
            }
            None => self.made(bytes, marks),
        }
    }

    /// Adds bytes made out of a value as a whole.
    pub(super) fn made(&mut self, bytes: &[u8], marks: Marks) {
        if marks.is_none() {
            self.builder.push_bytes(bytes);
        } else {
            self.builder.push_marked(bytes, span_of(marks));
        }
    }

    fn remember(&mut self, marks: Marks) {
        if !marks.is_none() && self.whole.last() != Some(&marks) {
            self.whole.push(marks);
        }
    }

    /// The finished text as a value.
    pub(super) fn finish(self, call: &mut Call<'_>) -> Value {
        let mut all = Marks::NONE;
        for marks in self.whole {
            all = call.join(all, marks);
        }
        Value::from(self.builder.finish()).with_marks(all)
    }
}

/// The text of a call's string argument and its marks, as one piece.
pub(super) fn piece(call: &Call<'_>, at: usize) -> (Text, Marks) {
    (call.text(at).clone(), call.arg(at).marks)
}
