//! `Text`: a Go string (bytes, not necessarily UTF-8) that may know, piece by piece, which template node
//! wrote it and what flowed into it.
//!
//! Invariant: spans, where present, are sorted, end at the end of the text and leave no gap.

use super::effort;
use super::marks::Marks;
use std::fmt;
use std::rc::Rc;

/// A piece of a text: from the end of the span before it up to `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Byte offset where the piece ends.
    pub end: u32,
    /// The call (of a template, an include, a tpl) in which it was written.
    pub frame: u32,
    /// The template node that wrote it; 0 when it is the work of a function.
    pub node: u32,
    /// What flowed into it.
    pub marks: Marks,
    /// What decided that it was written at all.
    pub control: Marks,
}

#[derive(Default)]
struct Inner {
    bytes: Box<[u8]>,
    spans: Option<Box<[Span]>>,
}

impl Inner {
    fn new(bytes: Box<[u8]>, spans: Option<Box<[Span]>>) -> Inner {
        effort::hold(bytes.len());
        Inner { bytes, spans }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        effort::let_go(self.bytes.len());
    }
}

/// An immutable shared byte string.
#[derive(Clone, Default)]
pub struct Text(Rc<Inner>);

impl Text {
    /// A text without history.
    pub fn new(bytes: impl Into<Box<[u8]>>) -> Text {
        Text(Rc::new(Inner::new(bytes.into(), None)))
    }

    /// A text with its history.
    pub fn with_spans(bytes: impl Into<Box<[u8]>>, spans: Vec<Span>) -> Text {
        let bytes = bytes.into();
        debug_assert!(
            spans
                .last()
                .map_or(bytes.is_empty(), |span| span.end as usize == bytes.len())
        );
        Text(Rc::new(Inner::new(bytes, Some(spans.into_boxed_slice()))))
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    /// The spans, when the text knows its history.
    pub fn spans(&self) -> Option<&[Span]> {
        self.0.spans.as_deref()
    }

    /// The text for messages: invalid UTF-8 is replaced.
    pub fn lossy(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.0.bytes)
    }

    /// Length in bytes, as Go's `len`.
    pub fn len(&self) -> usize {
        self.0.bytes.len()
    }

    /// True for the empty string.
    pub fn is_empty(&self) -> bool {
        self.0.bytes.is_empty()
    }

    /// A part of the text, with its part of the history.
    ///
    /// # Panics
    /// When the range does not lie within the text.
    pub fn slice(&self, start: usize, end: usize) -> Text {
        if start == 0 && end == self.len() {
            return self.clone();
        }
        let mut builder = TextBuilder::new();
        builder.push_slice(self, start, end);
        builder.finish()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::new(text.as_bytes())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::new(text.into_bytes())
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Text {
        Text::new(bytes)
    }
}

impl PartialEq for Text {
    /// Equal bytes; the history does not matter.
    fn eq(&self, other: &Text) -> bool {
        self.0.bytes == other.0.bytes
    }
}

impl Eq for Text {}

impl std::hash::Hash for Text {
    /// As equality: the bytes only.
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.bytes.hash(state);
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Text) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Text) -> std::cmp::Ordering {
        self.0.bytes.cmp(&other.0.bytes)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.lossy())
    }
}

/// Builds a text from pieces and keeps their history. Pieces without any history cost no span: a text is
/// given spans only once one of its pieces has them.
#[derive(Default)]
pub struct TextBuilder {
    bytes: Vec<u8>,
    spans: Vec<Span>,
}

impl TextBuilder {
    /// An empty builder.
    pub fn new() -> TextBuilder {
        TextBuilder::default()
    }

    /// Bytes so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds bytes that have no history of their own (quotes, indentation, separators).
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds bytes written by a template node.
    pub fn push_marked(&mut self, bytes: &[u8], span: Span) {
        if bytes.is_empty() {
            return;
        }
        self.close_gap();
        self.bytes.extend_from_slice(bytes);
        self.push_span(Span {
            end: self.end(),
            ..span
        });
    }

    /// Adds a whole text.
    pub fn push_text(&mut self, text: &Text) {
        self.push_slice(text, 0, text.len());
    }

    /// Adds a part of a text with its part of the history.
    pub fn push_slice(&mut self, text: &Text, start: usize, end: usize) {
        if start == end {
            return;
        }
        if let Some(spans) = text.spans() {
            self.close_gap();
            let shift = self.bytes.len();
            let first = spans.partition_point(|span| span.end as usize <= start);
            for span in &spans[first..] {
                let stop = (span.end as usize).min(end);
                self.push_span(Span {
                    end: offset(shift + stop - start),
                    ..*span
                });
                if stop == end {
                    break;
                }
            }
        }
        self.bytes.extend_from_slice(&text.bytes()[start..end]);
    }

    /// The finished text.
    pub fn finish(mut self) -> Text {
        if self.spans.is_empty() {
            return Text::new(self.bytes);
        }
        self.close_gap();
        Text::with_spans(self.bytes, self.spans)
    }

    fn end(&self) -> u32 {
        offset(self.bytes.len())
    }

    /// Bytes pushed without history since the last span get an empty one.
    fn close_gap(&mut self) {
        let end = self.end();
        if self.spans.last().map_or(0, |span| span.end) < end {
            let span = Span {
                end,
                frame: 0,
                node: 0,
                marks: Marks::NONE,
                control: Marks::NONE,
            };
            self.push_span(span);
        }
    }

    fn push_span(&mut self, span: Span) {
        if let Some(last) = self.spans.last_mut()
            && (last.frame, last.node, last.marks, last.control)
                == (span.frame, span.node, span.marks, span.control)
        {
            last.end = span.end;
            return;
        }
        self.spans.push(span);
    }
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(node: u32) -> Span {
        Span {
            end: 0,
            frame: 1,
            node,
            marks: Marks::NONE,
            control: Marks::NONE,
        }
    }

    #[test]
    fn slices_keep_their_history() {
        let mut builder = TextBuilder::new();
        builder.push_marked(b"abc", span(1));
        builder.push_bytes(b"--");
        builder.push_marked(b"def", span(2));
        let text = builder.finish();
        assert_eq!(
            text.spans()
                .unwrap()
                .iter()
                .map(|s| (s.end, s.node))
                .collect::<Vec<_>>(),
            [(3, 1), (5, 0), (8, 2)]
        );
        let part = text.slice(2, 7);
        assert_eq!(part.bytes(), b"c--de");
        assert_eq!(
            part.spans()
                .unwrap()
                .iter()
                .map(|s| (s.end, s.node))
                .collect::<Vec<_>>(),
            [(1, 1), (3, 0), (5, 2)]
        );
    }

    #[test]
    fn plain_pieces_cost_no_span() {
        let mut builder = TextBuilder::new();
        builder.push_bytes(b"abc");
        builder.push_text(&Text::from("d"));
        assert!(builder.finish().spans().is_none());
    }
}
