//! The text of a whole render, or of a raw YAML file, cut into the pieces that Kubernetes reads one by one.
//!
//! Every byte of the text belongs to exactly one separator line, source comment or body, so that a place in
//! a document can be told as a place in the render. Nothing is parsed here.

use memchr::memchr;
use std::ops::Range;

/// One piece of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset of the piece: its separator line, or its first byte where it has none.
    pub start: usize,
    /// The path in Helm's `# Source: ` line, when the piece begins with one.
    pub source: Option<Range<usize>>,
    /// What follows the separator line and the source line, up to the next separator.
    pub body: Range<usize>,
    /// What the body holds.
    pub content: Content,
}

/// What the body of a piece holds, as far as it can be told without parsing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// Nothing but white space.
    Blank,
    /// Nothing but comments and white space.
    Comments,
    /// More than that.
    Data,
    /// The separator line itself goes on after the `---`, which kubectl and Helm refuse
    /// (`pkg/util/yaml/decoder.go` of apimachinery, `YAMLReader.Read`: "invalid Yaml document separator").
    BadSeparator,
}

const SOURCE: &[u8] = b"# Source: ";
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Cuts a stream at its separator lines: `---` at the start of a line, followed by nothing but white space
/// or a comment (`YAMLReader.Read` in `pkg/util/yaml/decoder.go` of apimachinery).
///
/// A line that begins with `---` and goes on otherwise is no separator when a letter follows at once
/// (`---x: 1`, a plain key), and a bad one when it follows after a space.
pub fn split(text: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let lead = if text.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    };
    let mut start = lead;
    let mut body = lead;
    let mut bad = false;
    let mut line = lead;
    while line < text.len() {
        let end = line_end(text, line);
        match separator(&text[line..end]) {
            Separator::None => {}
            kind => {
                if line > start || body > start {
                    pieces.push(piece(text, start, body..line, bad));
                }
                start = line;
                bad = kind == Separator::Bad;
                body = if bad { line } else { end };
            }
        }
        line = end;
    }
    if start < text.len() {
        pieces.push(piece(text, start, body..text.len(), bad));
    }
    pieces
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    None,
    Good,
    Bad,
}

fn separator(line: &[u8]) -> Separator {
    let Some(rest) = line.strip_prefix(b"---") else {
        return Separator::None;
    };
    match rest.first() {
        None => Separator::Good,
        Some(first) if first.is_ascii_whitespace() => {
            let rest = rest.trim_ascii();
            if rest.is_empty() || rest.starts_with(b"#") {
                Separator::Good
            } else {
                Separator::Bad
            }
        }
        Some(b'#') => Separator::Good,
        Some(_) => Separator::None,
    }
}

fn line_end(text: &[u8], from: usize) -> usize {
    memchr(b'\n', &text[from..]).map_or(text.len(), |at| from + at + 1)
}

fn piece(text: &[u8], start: usize, mut body: Range<usize>, bad: bool) -> Piece {
    let mut source = None;
    if !bad && text[body.clone()].starts_with(SOURCE) {
        let end = line_end(text, body.start).min(body.end);
        let path = body.start + SOURCE.len()..end;
        source = Some(path.start..path.start + text[path].trim_ascii_end().len());
        body.start = end;
    }
    let content = if bad {
        Content::BadSeparator
    } else {
        content(&text[body.clone()])
    };
    Piece {
        start,
        source,
        body,
        content,
    }
}

fn content(mut body: &[u8]) -> Content {
    let mut found = Content::Blank;
    loop {
        body = body.trim_ascii_start();
        match body.first() {
            None => return found,
            Some(b'#') => {
                found = Content::Comments;
                body = &body[line_end(body, 0)..];
            }
            Some(_) => return Content::Data,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bodies(text: &str) -> Vec<&str> {
        split(text.as_bytes())
            .into_iter()
            .map(|piece| &text[piece.body])
            .collect()
    }

    #[test]
    fn helm_output_gives_sources_and_bodies() {
        let text = "---\n# Source: c/templates/a.yaml\na: 1\n---\n# Source: c/templates/b.yaml\n# b\nb: 2\n";
        let pieces = split(text.as_bytes());
        assert_eq!(pieces.len(), 2);
        assert_eq!(
            &text[pieces[0].source.clone().expect("source")],
            "c/templates/a.yaml"
        );
        assert_eq!(&text[pieces[0].body.clone()], "a: 1\n");
        assert_eq!(&text[pieces[1].body.clone()], "# b\nb: 2\n");
        assert_eq!(pieces[1].start, text.rfind("---").expect("separator"));
    }

    #[test]
    fn only_lines_of_three_dashes_separate() {
        assert_eq!(
            bodies("a: |\n  ---\n  x\n---\nb: 1\n"),
            ["a: |\n  ---\n  x\n", "b: 1\n"]
        );
        assert_eq!(bodies("----\na: 1\n"), ["----\na: 1\n"]);
        assert_eq!(bodies("---x: 1\n"), ["---x: 1\n"]);
        assert_eq!(bodies("a: 1\n---   # next\nb: 2"), ["a: 1\n", "b: 2"]);
        assert_eq!(bodies("a: 1\r\n---\r\nb: 2\r\n"), ["a: 1\r\n", "b: 2\r\n"]);
        assert_eq!(bodies("a: 1\n---"), ["a: 1\n", ""]);
    }

    #[test]
    fn empty_pieces_are_told_apart() {
        let kinds = |text: &str| -> Vec<Content> {
            split(text.as_bytes()).iter().map(|piece| piece.content).collect()
        };
        assert_eq!(
            kinds("---\n\n---\n# Source: x\n---\n# c\n  # d\n---\na: 1\n--- {a: 1}\n"),
            [
                Content::Blank,
                Content::Blank,
                Content::Comments,
                Content::Data,
                Content::BadSeparator
            ]
        );
        assert_eq!(kinds(""), []);
        assert_eq!(kinds("\n"), [Content::Blank]);
        assert_eq!(kinds("\u{feff}a: 1\n"), [Content::Data]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(lines in proptest::collection::vec(
            prop_oneof!["---", "--- # x", "# Source: p", "a: 1", "", " ---", "[a-z: -]{0,8}"], 0..20),
            last in any::<bool>())
        {
            let mut text = lines.join("\n");
            if last { text.push('\n'); }
            let pieces = split(text.as_bytes());
            let mut at = 0;
            for piece in &pieces {
                prop_assert_eq!(piece.start, at);
                prop_assert!(piece.body.start >= at && piece.body.end >= piece.body.start);
                at = piece.body.end;
            }
            prop_assert_eq!(at, text.len());
        }
    }
}
