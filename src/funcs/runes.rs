//! Walks over the runes of byte strings (an invalid byte is U+FFFD), and what Go's `unicode` says beyond
//! `value::rune`: letter case, with simple mappings from one rune to one.

use crate::value::{Text, TextBuilder, rune};
use unicode_general_category::{GeneralCategory, get_general_category};

/// What an invalid byte reads as.
pub(super) const INVALID: char = '\u{FFFD}';

/// The first rune and its width; an invalid byte is `INVALID` with width 1.
pub(super) fn decode(bytes: &[u8]) -> (char, usize) {
    let (rune, width) = rune::decode(bytes);
    (rune.unwrap_or(INVALID), width)
}

/// The last rune and its width.
pub(super) fn decode_last(bytes: &[u8]) -> (char, usize) {
    let (rune, width) = rune::decode_last(bytes);
    (rune.unwrap_or(INVALID), width)
}

/// The runes with the offset and width of each.
pub(super) fn runes(bytes: &[u8]) -> impl Iterator<Item = (usize, char, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (rune, width) = decode(&bytes[at..]);
        let start = at;
        at += width;
        (width > 0).then_some((start, rune, width))
    })
}

/// The text with every rune replaced; each piece keeps its history (`strings.Map`).
pub(super) fn map_runes(text: &Text, mut map: impl FnMut(char) -> char) -> Text {
    let bytes = text.bytes();
    let Some(spans) = text.spans() else {
        let mut out = Vec::with_capacity(bytes.len());
        for (_, rune, _) in runes(bytes) {
            rune::push(&mut out, map(rune));
        }
        return Text::from(out);
    };
    let mut builder = TextBuilder::new();
    let mut all = runes(bytes).peekable();
    for span in spans {
        let mut out = Vec::new();
        while let Some((_, rune, _)) = all.next_if(|rune| rune.0 < span.end as usize) {
            rune::push(&mut out, map(rune));
        }
        builder.push_marked(&out, *span);
    }
    builder.finish()
}

/// `unicode.IsSpace`.
pub(super) fn is_space(rune: char) -> bool {
    rune.is_whitespace()
}

/// `unicode.IsUpper`: category Lu.
pub(super) fn is_upper(rune: char) -> bool {
    rune.is_ascii_uppercase()
        || !rune.is_ascii() && get_general_category(rune) == GeneralCategory::UppercaseLetter
}

/// `unicode.IsLower`: category Ll.
pub(super) fn is_lower(rune: char) -> bool {
    rune.is_ascii_lowercase()
        || !rune.is_ascii() && get_general_category(rune) == GeneralCategory::LowercaseLetter
}

/// `unicode.IsTitle`: category Lt.
pub(super) fn is_title(rune: char) -> bool {
    !rune.is_ascii() && get_general_category(rune) == GeneralCategory::TitlecaseLetter
}

/// `unicode.IsPunct`: categories P*.
pub(super) fn is_punct(rune: char) -> bool {
    use GeneralCategory as G;
    matches!(
        get_general_category(rune),
        G::ConnectorPunctuation
            | G::DashPunctuation
            | G::OpenPunctuation
            | G::ClosePunctuation
            | G::InitialPunctuation
            | G::FinalPunctuation
            | G::OtherPunctuation
    )
}

/// `unicode.ToLower`.
pub(super) fn to_lower(rune: char) -> char {
    let mut lower = rune.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        // The only full mapping to two runes: U+0130, whose simple mapping is `i`.
        _ => 'i',
    }
}

/// `unicode.ToUpper`.
pub(super) fn to_upper(rune: char) -> char {
    let mut upper = rune.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) => one,
        _ => simple_upper(rune),
    }
}

/// The simple mapping of runes whose full mapping is longer than one rune: Greek letters with an iota
/// below have one, all others stay as they are.
fn simple_upper(rune: char) -> char {
    match rune {
        '\u{1F80}'..='\u{1F87}' | '\u{1F90}'..='\u{1F97}' | '\u{1FA0}'..='\u{1FA7}' => {
            char::from_u32(rune as u32 + 8).unwrap_or(rune)
        }
        '\u{1FB3}' => '\u{1FBC}',
        '\u{1FC3}' => '\u{1FCC}',
        '\u{1FF3}' => '\u{1FFC}',
        _ => rune,
    }
}

/// `unicode.ToTitle`: as upper case but for the digraphs that have a title form, and for Georgian, whose
/// capitals are not used for titles.
pub(super) fn to_title(rune: char) -> char {
    match rune {
        '\u{01C4}'..='\u{01C6}' => '\u{01C5}',
        '\u{01C7}'..='\u{01C9}' => '\u{01C8}',
        '\u{01CA}'..='\u{01CC}' => '\u{01CB}',
        '\u{01F1}'..='\u{01F3}' => '\u{01F2}',
        '\u{10D0}'..='\u{10FA}' | '\u{10FD}'..='\u{10FF}' => rune,
        _ => to_upper(rune),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Marks, Span};

    #[test]
    fn mapped_pieces_keep_their_history() {
        let span = |node| Span {
            end: 0,
            frame: 1,
            node,
            marks: Marks::NONE,
            control: Marks::NONE,
        };
        let mut builder = TextBuilder::new();
        builder.push_marked("aé".as_bytes(), span(1));
        builder.push_marked(b"\xFFb", span(2));
        let text = map_runes(&builder.finish(), to_upper);
        assert_eq!(text.bytes(), "AÉ\u{FFFD}B".as_bytes());
        let ends: Vec<_> = text
            .spans()
            .unwrap()
            .iter()
            .map(|span| (span.end, span.node))
            .collect();
        assert_eq!(ends, [(3, 1), (7, 2)]);
    }
}
