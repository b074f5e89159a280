//! Runes as Go's `unicode` and `unicode/utf8` see them: byte strings need not be UTF-8, and every bad byte
//! is one rune of width 1.

use unicode_general_category::{GeneralCategory as Category, get_general_category};

/// One decoded rune: the character, or `None` for a byte that is not UTF-8, and its width in bytes.
pub type Decoded = (Option<char>, usize);

/// Decodes the first rune; width 0 at the end (`utf8.DecodeRune`).
pub fn decode(bytes: &[u8]) -> Decoded {
    let Some(&first) = bytes.first() else {
        return (None, 0);
    };
    if first < 0x80 {
        return (Some(char::from(first)), 1);
    }
    let width = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return (None, 1),
    };
    let decoded = bytes
        .get(..width)
        .and_then(|part| std::str::from_utf8(part).ok())
        .and_then(|text| text.chars().next());
    match decoded {
        Some(rune) => (Some(rune), width),
        None => (None, 1),
    }
}

/// Decodes the last rune; width 0 when there is none (`utf8.DecodeLastRune`).
pub fn decode_last(bytes: &[u8]) -> Decoded {
    let Some(&last) = bytes.last() else {
        return (None, 0);
    };
    if last < 0x80 {
        return (Some(char::from(last)), 1);
    }
    for width in 2..=bytes.len().min(4) {
        let part = &bytes[bytes.len() - width..];
        if let (Some(rune), size) = decode(part)
            && size == width
        {
            return (Some(rune), width);
        }
    }
    (None, 1)
}

/// Number of runes (`utf8.RuneCount`).
pub fn count(bytes: &[u8]) -> usize {
    if bytes.is_ascii() {
        return bytes.len();
    }
    let mut rest = bytes;
    let mut count = 0;
    while !rest.is_empty() {
        rest = &rest[decode(rest).1..];
        count += 1;
    }
    count
}

/// Appends a rune.
pub fn push(out: &mut Vec<u8>, rune: char) {
    out.extend_from_slice(rune.encode_utf8(&mut [0; 4]).as_bytes());
}

/// `unicode.IsPrint` and `strconv.IsPrint`: letters, marks, numbers, punctuation, symbols, ASCII space.
pub fn is_print(rune: char) -> bool {
    if rune.is_ascii() {
        return (' '..='~').contains(&rune);
    }
    !matches!(
        get_general_category(rune),
        Category::Control
            | Category::Format
            | Category::Surrogate
            | Category::PrivateUse
            | Category::Unassigned
            | Category::SpaceSeparator
            | Category::LineSeparator
            | Category::ParagraphSeparator
    )
}

/// `unicode.IsLetter`.
pub fn is_letter(rune: char) -> bool {
    if rune.is_ascii() {
        return rune.is_ascii_alphabetic();
    }
    matches!(
        get_general_category(rune),
        Category::UppercaseLetter
            | Category::LowercaseLetter
            | Category::TitlecaseLetter
            | Category::ModifierLetter
            | Category::OtherLetter
    )
}

/// `unicode.IsDigit`.
pub fn is_digit(rune: char) -> bool {
    if rune.is_ascii() {
        return rune.is_ascii_digit();
    }
    get_general_category(rune) == Category::DecimalNumber
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bad_bytes_are_runes_of_one_byte() {
        assert_eq!(decode(b"\xffa"), (None, 1));
        assert_eq!(decode(b"\xe6\x97"), (None, 1));
        assert_eq!(decode("日".as_bytes()), (Some('日'), 3));
        assert_eq!(decode(b"\xed\xa0\x80"), (None, 1), "surrogates are not runes");
        assert_eq!(decode_last("a日".as_bytes()), (Some('日'), 3));
        assert_eq!(decode_last(b"\x97"), (None, 1));
        assert_eq!(count(b"a\xff\xffb"), 4);
    }

    proptest! {
        #[test]
        fn decoding_walks_to_the_end(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let mut at = 0;
            while at < bytes.len() {
                let (rune, width) = decode(&bytes[at..]);
                prop_assert!(width > 0);
                if rune.is_some() {
                    prop_assert_eq!(decode_last(&bytes[at..at + width]), (rune, width));
                }
                at += width;
            }
        }
    }
}
