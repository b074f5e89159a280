//! A page of text: spans with a meaning, wrapped to the width, colours put in at the end. Control characters that
//! a chart could smuggle in are made visible, so that no report can move the cursor or hide a line.

use crate::report::Style;
use crate::report::clip::{self, visible};
use std::borrow::Cow;
use std::io::{self, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What a piece of text means; the colour follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Ink {
    /// Ordinary text.
    Plain,
    /// What the eye should find first.
    Strong,
    /// What can be skipped.
    Dim,
    /// All is well.
    Good,
    /// Something to look at.
    Caution,
    /// Something that fails.
    Bad,
    /// Only the candidate has it.
    Added,
    /// Only the baseline has it.
    Removed,
    /// A name: a path, a file, a command.
    Name,
}

impl Ink {
    /// The parameters of the escape sequence that turns it on.
    fn code(self) -> Option<&'static str> {
        match self {
            Ink::Plain => None,
            Ink::Strong => Some("1"),
            Ink::Dim => Some("2"),
            Ink::Good => Some("32"),
            Ink::Caution => Some("33"),
            Ink::Bad => Some("1;31"),
            Ink::Added => Some("32"),
            Ink::Removed => Some("31"),
            Ink::Name => Some("36"),
        }
    }
}

/// A piece of text with its meaning.
pub(in crate::report) type Span<'a> = (Ink, Cow<'a, str>);

/// A span.
pub(super) fn span<'a>(ink: Ink, text: impl Into<Cow<'a, str>>) -> Span<'a> {
    (ink, text.into())
}

/// Ordinary text.
pub(super) fn plain<'a>(text: impl Into<Cow<'a, str>>) -> Span<'a> {
    span(Ink::Plain, text)
}

/// What the report is written on.
pub(super) struct Page<'a> {
    out: &'a mut dyn Write,
    /// How it looks.
    pub(super) style: &'a Style,
    blank_due: bool,
    empty: bool,
}

impl<'a> Page<'a> {
    /// An empty page.
    pub(super) fn new(out: &'a mut dyn Write, style: &'a Style) -> Page<'a> {
        Page {
            out,
            style,
            blank_due: false,
            empty: true,
        }
    }

    /// Leaves a blank line before whatever comes next.
    pub(super) fn blank(&mut self) {
        self.blank_due = !self.empty;
    }

    /// One line, however long.
    pub(super) fn line(&mut self, indent: usize, spans: &[Span<'_>]) -> io::Result<()> {
        if std::mem::take(&mut self.blank_due) {
            self.out.write_all(b"\n")?;
        }
        self.empty = false;
        if spans.iter().any(|(_, text)| !text.is_empty()) {
            write!(self.out, "{:indent$}", "")?;
        }
        for (ink, text) in spans {
            let text = visible(text);
            match ink.code().filter(|_| self.style.color && !text.is_empty()) {
                Some(code) => write!(self.out, "\x1b[{code}m{text}\x1b[0m")?,
                None => self.out.write_all(text.as_bytes())?,
            }
        }
        self.out.write_all(b"\n")
    }

    /// A line that is laid out already, colours and all.
    pub(super) fn ready(&mut self, line: &str) -> io::Result<()> {
        if std::mem::take(&mut self.blank_due) {
            self.out.write_all(b"\n")?;
        }
        self.empty = false;
        writeln!(self.out, "{line}")
    }

    /// A paragraph: wrapped at spaces, further lines indented by two more.
    pub(super) fn wrapped(&mut self, indent: usize, spans: &[Span<'_>]) -> io::Result<()> {
        self.hanging(indent, indent + 2, spans)
    }

    /// A paragraph wrapped at spaces, with an indent for its first line and one for all further ones.
    pub(super) fn hanging(&mut self, indent: usize, further: usize, spans: &[Span<'_>]) -> io::Result<()> {
        // Escapes count as columns.
        let spans: Vec<Span<'_>> = spans.iter().map(|(ink, text)| (*ink, visible(text))).collect();
        self.flow(indent, further, words(&spans))
    }

    /// A list behind its head, wrapped between its items; only an item that no line can hold is broken.
    pub(super) fn listed(
        &mut self,
        indent: usize,
        head: Span<'_>,
        ink: Ink,
        items: &[String],
    ) -> io::Result<()> {
        let mut spans = vec![(head.0, visible(&head.1))];
        for (index, item) in items.iter().enumerate() {
            let comma = if index + 1 < items.len() { ", " } else { "" };
            spans.push(span(ink, format!("{}{comma}", visible(item))));
        }
        let room = self.room(indent + 2);
        let mut pieces = Vec::new();
        for one in &spans {
            if one.1.trim_end().width() <= room {
                pieces.push(vec![(one.0, one.1.as_ref())]);
            } else {
                pieces.extend(words(std::slice::from_ref(one)));
            }
        }
        self.flow(indent, indent + 2, pieces)
    }

    /// Pieces on lines, broken between them.
    fn flow(&mut self, indent: usize, further: usize, pieces: Vec<Vec<(Ink, &str)>>) -> io::Result<()> {
        let mut line: Vec<Span<'_>> = Vec::new();
        let (mut current, mut at) = (indent, indent);
        for word in pieces {
            let width: usize = word.iter().map(|(_, text)| text.width()).sum();
            let blank = word
                .last()
                .map_or(0, |(_, text)| text.len() - text.trim_end_matches(' ').len());
            if at + width - blank > self.style.width && at > current {
                trim_end(&mut line);
                self.line(current, &line)?;
                line.clear();
                current = further;
                at = current;
            }
            at += width;
            for (ink, text) in word {
                match line.last_mut() {
                    Some((last, before)) if *last == ink => before.to_mut().push_str(text),
                    _ => line.push((ink, Cow::Borrowed(text))),
                }
            }
        }
        trim_end(&mut line);
        self.line(current, &line)
    }

    /// How many columns are left behind an indent.
    pub(super) fn room(&self, indent: usize) -> usize {
        self.style.width.saturating_sub(indent).max(20)
    }

    /// An arrow from before to after.
    pub(super) fn arrow(&self) -> &'static str {
        if self.style.unicode { " → " } else { " -> " }
    }

    /// What stands for a piece that was cut.
    pub(super) fn ellipsis(&self) -> &'static str {
        if self.style.unicode { "…" } else { "..." }
    }

    /// A text cut to a width, with a sign that it was.
    pub(super) fn cut(&self, text: &str, width: usize) -> String {
        clip::cut(text, width, self.ellipsis())
    }
}

/// What may not begin a line in scripts that are broken anywhere.
const CLOSING: &str = "、。，．：；！？）」』】〉》";

/// The pieces between which a line may be broken: text up to and with its spaces, across spans; ordinary text also
/// behind each sign that takes two columns, for scripts that know no spaces.
fn words<'s>(spans: &'s [Span<'_>]) -> Vec<Vec<(Ink, &'s str)>> {
    let mut words: Vec<Vec<(Ink, &str)>> = vec![Vec::new()];
    let wide = |ink: Ink, c: char| ink == Ink::Plain && c.width() == Some(2);
    for (ink, text) in spans {
        for piece in text.split_inclusive(|c| c == ' ' || wide(*ink, c)) {
            let before = words.last().and_then(|word| word.last());
            let opens = before.and_then(|(ink, text)| {
                let last = text.chars().next_back()?;
                Some(last == ' ' || wide(*ink, last) && !piece.starts_with(|c| CLOSING.contains(c)))
            });
            if opens == Some(true) && piece != " " {
                words.push(Vec::new());
            }
            words
                .last_mut()
                .expect("the list starts with one word")
                .push((*ink, piece));
        }
    }
    words
}

fn trim_end(line: &mut Vec<Span<'_>>) {
    while let Some((_, text)) = line.last_mut() {
        let length = text.trim_end().len();
        if length == text.len() {
            return;
        }
        if length > 0 {
            text.to_mut().truncate(length);
            return;
        }
        line.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(style: &Style, write: impl FnOnce(&mut Page<'_>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut Page::new(&mut out, style)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn paragraphs_are_wrapped_between_words() {
        let style = Style {
            width: 20,
            ..Style::plain()
        };
        let spans = [
            plain("one two three "),
            span(Ink::Name, "four-five-six-seven-eight"),
            plain(": nine ten"),
        ];
        assert_eq!(
            page(&style, |page| page.wrapped(2, &spans)),
            "  one two three\n    four-five-six-seven-eight:\n    nine ten\n"
        );
        let color = Style { color: true, ..style };
        assert!(
            page(&color, |page| page.wrapped(2, &spans))
                .contains("    \x1b[36mfour-five-six-seven-eight\x1b[0m:\n")
        );
    }

    #[test]
    fn scripts_without_spaces_are_broken_anywhere() {
        let style = Style {
            width: 12,
            ..Style::plain()
        };
        let spans = [
            plain("新しい値は、とても長い"),
            span(Ink::Name, "日本語の名前のまま"),
        ];
        assert_eq!(
            page(&style, |page| page.wrapped(0, &spans)),
            "新しい値は、\n  とても長い\n  日本語の名前のまま\n"
        );
    }

    #[test]
    fn items_of_a_list_stay_whole_where_they_can() {
        let style = Style {
            width: 20,
            ..Style::plain()
        };
        let items = ["Secret a/b", "Ingress c/d", "a very long item that fits nowhere"].map(String::from);
        assert_eq!(
            page(&style, |page| page.listed(
                1,
                span(Ink::Dim, "in "),
                Ink::Plain,
                &items
            )),
            " in Secret a/b,\n   Ingress c/d, a\n   very long item\n   that fits nowhere\n"
        );
    }

    #[test]
    fn a_chart_cannot_move_the_cursor() {
        let text = page(&Style::plain(), |page| {
            page.line(0, &[plain("a\x1b[2Jb\rc\u{202e}d")])
        });
        assert_eq!(text, "a\\u{1b}[2Jb\\rc\\u{202e}d\n");
    }

    #[test]
    fn cutting_counts_columns() {
        let style = Style::plain();
        let mut out = Vec::new();
        let page = Page::new(&mut out, &style);
        assert_eq!(page.cut("abcdef", 6), "abcdef");
        assert_eq!(page.cut("abcdefg", 6), "abcde…");
        assert_eq!(page.cut("日本語日本語", 6), "日本…");
    }

    #[test]
    fn blank_lines_stand_between_parts_only() {
        let text = page(&Style::plain(), |page| {
            page.blank();
            page.line(0, &[plain("a")])?;
            page.blank();
            page.blank();
            page.line(0, &[plain("b")])?;
            page.blank();
            Ok(())
        });
        assert_eq!(text, "a\n\nb\n");
    }
}
