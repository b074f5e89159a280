//! Cutting rendered text into documents (`SplitManifests` of `pkg/release/v1/util/manifest.go`).

use crate::dialect::Dialect;
use std::ops::Range;

/// `SplitManifests`: the ranges of the documents of a file.
pub fn split(text: &[u8], dialect: Dialect) -> Vec<Range<usize>> {
    let (start, end) = if dialect.is_v4() {
        (leading(text), text.len())
    } else {
        trimmed_range(text)
    };
    let mut pieces = Vec::new();
    let mut from = start;
    let mut search = start;
    while let Some(separator) = next_separator(text, search, start, end, dialect) {
        push_piece(&mut pieces, text, from..separator.start, dialect);
        from = separator.end;
        search = separator.end;
    }
    push_piece(&mut pieces, text, from..end, dialect);
    pieces
}

fn push_piece(pieces: &mut Vec<Range<usize>>, text: &[u8], piece: Range<usize>, dialect: Dialect) {
    let (start, end) = trimmed_range(&text[piece.clone()]);
    if start < end {
        let end = if dialect.is_v4() {
            piece.end
        } else {
            piece.start + end
        };
        pieces.push(piece.start + start..end);
    }
}

/// The next match of the separator: `(?m)^---[ \t]*` in Helm 4.3, `(?:^|\s*\n)---\s*` in Helm 3, where the
/// blanks before belong to it and `^` is the start of the text only.
fn next_separator(
    text: &[u8],
    search: usize,
    start: usize,
    end: usize,
    dialect: Dialect,
) -> Option<Range<usize>> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | 0x0c | b'\r');
    let mut at = search;
    loop {
        let found = at + memchr::memmem::find(&text[at..end], b"---")?;
        let after = found + 3;
        let at_line_start = found == start || text[found - 1] == b'\n';
        if dialect.is_v4() {
            if at_line_start {
                let tail = text[after..end]
                    .iter()
                    .take_while(|byte| matches!(byte, b' ' | b'\t'))
                    .count();
                return Some(found..after + tail);
            }
        } else if found == start || (at_line_start && found > search) {
            let tail = text[after..end].iter().take_while(|byte| blank(byte)).count();
            let before = text[search..found]
                .iter()
                .rev()
                .take_while(|byte| blank(byte))
                .count();
            return Some(found - before..after + tail);
        }
        at = found + 1;
    }
}

/// Bytes of leading white space, as `strings.TrimLeftFunc(text, unicode.IsSpace)` takes them.
fn leading(text: &[u8]) -> usize {
    trimmed_range(text).0
}

/// `strings.TrimSpace`
pub(super) fn trim(text: &[u8]) -> &[u8] {
    let (start, end) = trimmed_range(text);
    &text[start..end]
}

/// `strings.TrimSpace`: the range without Unicode white space at either end.
pub(super) fn trimmed_range(text: &[u8]) -> (usize, usize) {
    let mut start = 0;
    while let Some(size) = space_at(&text[start..]) {
        start += size;
    }
    let mut end = text.len();
    'back: while end > start {
        for size in 1..=3.min(end - start) {
            if space_at(&text[end - size..end]) == Some(size) {
                end -= size;
                continue 'back;
            }
        }
        break;
    }
    if start == text.len() {
        (start, start)
    } else {
        (start, end)
    }
}

/// The size of the white space character at the start.
fn space_at(text: &[u8]) -> Option<usize> {
    match text {
        [b'\t'..=b'\r' | b' ', ..] => Some(1),
        [0xc2, 0x85 | 0xa0, ..] => Some(2),
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f, ..]
        | [0xe3, 0x80, 0x80, ..] => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str, dialect: Dialect) -> Vec<&str> {
        split(text.as_bytes(), dialect)
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn helm_3_trims_and_helm_4_keeps_tails() {
        let text = "\na: 1\n\n---\nb: 2\n";
        assert_eq!(pieces(text, Dialect::V3_19), ["a: 1", "b: 2"]);
        assert_eq!(pieces(text, Dialect::V4_3), ["a: 1\n\n", "b: 2\n"]);
    }

    #[test]
    fn a_doubled_separator_stays_in_the_text_of_helm_3() {
        let text = "---\n---\nb: 2";
        assert_eq!(pieces(text, Dialect::V3_19), ["---\nb: 2"]);
        assert_eq!(pieces(text, Dialect::V4_3), ["b: 2"]);
    }

    #[test]
    fn dashes_glued_to_text_split_too() {
        assert_eq!(pieces("a: 1\n---x: 1", Dialect::V4_3), ["a: 1\n", "x: 1"]);
        assert_eq!(pieces("a: 1\n---x: 1", Dialect::V3_19), ["a: 1", "x: 1"]);
        assert_eq!(pieces("a: |\n  ---\n", Dialect::V4_3), ["a: |\n  ---\n"]);
    }
}
