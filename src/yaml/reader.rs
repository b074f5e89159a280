//! Bytes to characters: encodings, and the characters YAML refuses (go-yaml's readerc.go).
//!
//! go-yaml decodes its input in windows of 512 bytes, so a refused character is an error as soon as
//! its window is touched, and none at all when the document ends before. The text is cut where that
//! window begins; the scanner raises the error when it needs more than what is left.

use std::borrow::Cow;

use super::error::YamlError;

/// Bytes go-yaml reads at a time.
const WINDOW: usize = 512;

/// What can be scanned.
pub(super) struct Input<'a> {
    /// The characters up to the end, or up to the window with the first refused one.
    pub text: Cow<'a, str>,
    /// What is refused behind the text.
    pub refused: Option<&'static str>,
    /// Bytes of a byte order mark in front of the text.
    pub lead: u32,
}

/// Finds out the encoding and checks every character.
pub(super) fn read(bytes: &[u8]) -> Input<'_> {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => read_utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => read_utf16(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => read_utf8(rest, 3),
        _ => read_utf8(bytes, 0),
    }
}

fn read_utf8(bytes: &[u8], lead: u32) -> Input<'_> {
    let (valid, mut refused) = match std::str::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let (good, bad) = bytes.split_at(error.valid_up_to());
            (valid_prefix(good), Some(encoding_problem(bad)))
        }
    };
    let mut good = valid.len();
    if let Some(at) = first_control(valid.as_bytes()) {
        good = at;
        refused = Some("control characters are not allowed");
    }
    let end = match refused {
        // The mark in front counts as part of the first window.
        Some(_) => window_start(valid, good, lead as usize),
        None => good,
    };
    Input {
        text: Cow::Borrowed(&valid[..end]),
        refused,
        lead,
    }
}

fn valid_prefix(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// The start of the window that holds the byte at `bad`; windows end at whole characters.
fn window_start(text: &str, bad: usize, lead: usize) -> usize {
    let mut start = 0;
    let mut size = WINDOW - lead;
    loop {
        let mut end = start + size;
        if end > bad {
            return start;
        }
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        start = end;
        size = WINDOW;
    }
}

/// go-yaml's words for the first bytes that are not UTF-8.
fn encoding_problem(bad: &[u8]) -> &'static str {
    let lead = bad.first().copied().unwrap_or_default();
    let width = match lead {
        0x00..=0x7F => 1,
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => return "invalid leading UTF-8 octet",
    };
    if bad.len() < width {
        return "incomplete UTF-8 octet sequence";
    }
    let mut value = u32::from(lead) & (0x7F >> width);
    for &octet in &bad[1..width] {
        if octet & 0xC0 != 0x80 {
            return "invalid trailing UTF-8 octet";
        }
        value = (value << 6) | u32::from(octet & 0x3F);
    }
    let shortest = match width {
        2 => value >= 0x80,
        3 => value >= 0x800,
        _ => value >= 0x1_0000,
    };
    if shortest {
        "invalid Unicode character"
    } else {
        "invalid length of a UTF-8 sequence"
    }
}

/// The first character YAML refuses in valid UTF-8.
fn first_control(bytes: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(step) = bytes[from..].iter().position(|&byte| SUSPECT[byte as usize]) {
        let at = from + step;
        let refused = match bytes[at] {
            0xC2 => (0x80..0xA0).contains(&bytes[at + 1]) && bytes[at + 1] != 0x85,
            0xEF => bytes[at + 1] == 0xBF && bytes[at + 2] >= 0xBE,
            _ => true,
        };
        if refused {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// First bytes of characters that are refused, surely or perhaps.
const SUSPECT: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = byte != 0x09 && byte != 0x0A && byte != 0x0D;
        byte += 1;
    }
    table[0x7F] = true;
    table[0xC2] = true;
    table[0xEF] = true;
    table
};

/// UTF-16 is decoded into a text of its own; positions then count in that text.
fn read_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Input<'static> {
    let mut text = String::with_capacity(bytes.len());
    let mut refused = None;
    let mut window_text = 0;
    let mut window_end = WINDOW - 2;
    let mut at = 0;
    while at < bytes.len() {
        if at >= window_end {
            window_text = text.len();
            window_end = at + WINDOW;
        }
        let rest = &bytes[at..];
        if rest.len() < 2 {
            refused = Some("incomplete UTF-16 character");
            break;
        }
        let first = unit([rest[0], rest[1]]);
        let mut value = u32::from(first);
        let mut width = 2;
        if first & 0xFC00 == 0xDC00 {
            refused = Some("unexpected low surrogate area");
            break;
        }
        if first & 0xFC00 == 0xD800 {
            if rest.len() < 4 {
                refused = Some("incomplete UTF-16 surrogate pair");
                break;
            }
            let second = unit([rest[2], rest[3]]);
            if second & 0xFC00 != 0xDC00 {
                refused = Some("expected low surrogate area");
                break;
            }
            value = 0x1_0000 + ((value & 0x3FF) << 10) + u32::from(second & 0x3FF);
            width = 4;
        }
        match char::from_u32(value).filter(|&c| is_allowed(c)) {
            Some(character) => text.push(character),
            None => {
                refused = Some("control characters are not allowed");
                break;
            }
        }
        at += width;
    }
    if refused.is_some() {
        text.truncate(window_text);
    }
    Input {
        text: Cow::Owned(text),
        refused,
        lead: 0,
    }
}

/// True for a character YAML lets stand in a text.
pub(crate) fn is_allowed(character: char) -> bool {
    matches!(character,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// The error for what the reader refused.
pub(super) fn refusal(problem: &str) -> YamlError {
    YamlError::yaml(problem, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_character_cuts_at_its_window() {
        let mut text = "a: 1\n".repeat(200).into_bytes();
        text[700] = 1;
        let input = read(&text);
        assert_eq!(input.text.len(), 512);
        assert_eq!(input.refused, Some("control characters are not allowed"));
    }

    #[test]
    fn encodings_are_told_by_their_mark() {
        assert_eq!(read(b"\xEF\xBB\xBFa").text, "a");
        assert_eq!(read(b"\xFF\xFEa\0:\0").text, "a:");
        assert_eq!(read(b"\xFE\xFF\0a").text, "a");
    }

    #[test]
    fn the_table_and_the_character_test_agree() {
        for code in 0..=0x10_FFFF {
            if let Some(character) = char::from_u32(code) {
                let mut buffer = [0; 4];
                let text = character.encode_utf8(&mut buffer);
                assert_eq!(
                    first_control(text.as_bytes()).is_none(),
                    is_allowed(character),
                    "{code:#x}"
                );
            }
        }
    }
}
