//! What a string needs to be written: go-yaml's `yaml_emitter_analyze_scalar` and the wish for a style.

use super::resolve::{Scalar, resolve};

/// How a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

/// What was found out about a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Analysis {
    /// Has a line break of any kind.
    pub multiline: bool,
    /// May be written plain.
    pub plain: bool,
    /// May be written in single quotes.
    pub single: bool,
    /// May be written as a block.
    pub block: bool,
    /// Has a line feed.
    pub line_feed: bool,
    /// Has a space.
    pub space: bool,
    /// Has a character the YAML reader refuses when it stands there raw.
    pub refused: bool,
    /// Has a next line character (U+0085).
    pub next_line: bool,
}

/// What stood before a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Other,
    Space,
    Break,
}

/// Bytes that need no look: they are what they are wherever they stand, except the first.
const ORDINARY: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0x21;
    while byte < 0x7F {
        table[byte] = !matches!(byte as u8, b':' | b'#');
        byte += 1;
    }
    table
};

/// Looks at every character. With `tabs_in_blocks` (go-yaml v3) a tab does not forbid a block.
pub(super) fn analyze(text: &str, tabs_in_blocks: bool) -> Analysis {
    let bytes = text.as_bytes();
    let mut found = Analysis {
        plain: true,
        single: true,
        block: true,
        ..Analysis::default()
    };
    let Some(&first) = bytes.first() else {
        // An empty value may be plain as far as the emitter goes; resolving quotes it.
        found.block = false;
        return found;
    };
    let blank_at = |at: usize| matches!(bytes.get(at), None | Some(b' ' | b'\t'));
    let indicator = match first {
        b'#' | b',' | b'[' | b']' | b'{' | b'}' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%'
        | b'@' | b'`' => true,
        b'?' | b':' | b'-' => blank_at(1),
        _ => false,
    };
    let mut special = false;
    let mut blocked = indicator || text.starts_with("---") || text.starts_with("...");
    let mut before = Before::Other;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if ORDINARY[byte as usize] {
            before = Before::Other;
            at += 1;
            continue;
        }
        let kind = classify(&bytes[at..]);
        special |= kind.special && !(tabs_in_blocks && byte == b'\t');
        found.refused |= kind.refused;
        found.next_line |= byte == 0xC2 && kind.is_break;
        match byte {
            b':' => blocked |= at > 0 && blank_at(at + 1),
            b'#' => blocked |= at > 0 && (before != Before::Other || bytes[at - 1] == b'\t'),
            b'\n' => found.line_feed = true,
            // A tab is no reason against a block in v3, but against plain and single.
            b'\t' => found.single = false,
            _ => {}
        }
        let next = if byte == b' ' {
            found.space = true;
            // Leading and trailing spaces.
            blocked |= at == 0 || at + 1 == bytes.len();
            found.block &= at + 1 != bytes.len();
            found.single &= before != Before::Break;
            Before::Space
        } else if kind.is_break {
            found.multiline = true;
            special |= before == Before::Space;
            Before::Break
        } else {
            Before::Other
        };
        before = next;
        at += kind.width;
    }
    found.single &= !special;
    found.block &= !special;
    found.plain = found.single && !blocked && !found.multiline;
    found
}

/// One character that is not ordinary.
struct Kind {
    width: usize,
    is_break: bool,
    /// Cannot be written as it is.
    special: bool,
    /// The reader refuses it.
    refused: bool,
}

fn classify(bytes: &[u8]) -> Kind {
    let second = bytes.get(1).copied().unwrap_or(0);
    let third = bytes.get(2).copied().unwrap_or(0);
    let (width, is_break, special, refused) = match bytes[0] {
        b'\n' => (1, true, false, false),
        b'\r' => (1, true, true, false),
        0x00..=0x1F => (1, false, true, false),
        0x20..=0x7E => (1, false, false, false),
        0x7F => (1, false, true, true),
        0xC2 => (2, second == 0x85, second < 0xA0, second < 0xA0 && second != 0x85),
        0x80..=0xDF => (2, false, false, false),
        0xE2 if second == 0x80 && matches!(third, 0xA8 | 0xA9) => (3, true, false, false),
        0xEF => {
            let mark = second == 0xBB && third == 0xBF;
            let none = second == 0xBF && third >= 0xBE;
            (3, false, mark || none, none)
        }
        0xE0..=0xEE => (3, false, false, false),
        _ => (4, false, true, false),
    };
    Kind {
        width,
        is_break,
        special,
        refused,
    }
}

/// The style a string is written in, unless it is a key.
pub(super) fn choose(text: &str, analysis: Analysis, quoted: impl Fn(&str) -> bool) -> Style {
    if analysis.line_feed {
        return if analysis.block {
            Style::Literal
        } else {
            Style::Double
        };
    }
    if quoted(text) {
        Style::Double
    } else if analysis.plain {
        Style::Plain
    } else if analysis.single {
        Style::Single
    } else {
        Style::Double
    }
}

/// True when the text written plain would read as something else than a string, here or in other readers.
pub(super) fn reads_otherwise(text: &str) -> bool {
    !matches!(resolve(text), Scalar::Str(_)) || is_base_60(text)
}

/// go-yaml v3 also reads a sign behind `0o` (`0o+7`), so it quotes that too.
pub(super) fn reads_otherwise_v3(text: &str) -> bool {
    reads_otherwise(text) || is_signed_octal(text)
}

fn is_signed_octal(text: &str) -> bool {
    let plain = text.replace('_', "");
    let digits = plain.strip_prefix("0o+").or_else(|| plain.strip_prefix("0o-"));
    digits.is_some_and(|digits| i64::from_str_radix(digits, 8).is_ok() && !digits.starts_with(['+', '-']))
}

/// `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`: a number in base 60 to other readers.
fn is_base_60(text: &str) -> bool {
    let body = text.strip_prefix(['-', '+']).unwrap_or(text).as_bytes();
    if !body.first().is_some_and(u8::is_ascii_digit) || !body.contains(&b':') {
        return false;
    }
    let digit_or_low_line = |byte: &u8| byte.is_ascii_digit() || *byte == b'_';
    let (body, fraction) = match body.iter().position(|&byte| byte == b'.') {
        Some(point) => (&body[..point], &body[point + 1..]),
        None => (body, &[][..]),
    };
    let mut parts = body.split(|&byte| byte == b':');
    let first = parts.next().unwrap_or_default();
    let minutes = |part: &[u8]| match part {
        [digit] => digit.is_ascii_digit(),
        [b'0'..=b'5', digit] => digit.is_ascii_digit(),
        _ => false,
    };
    first.iter().all(digit_or_low_line) && parts.all(minutes) && fraction.iter().all(digit_or_low_line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_60() {
        for text in ["1:30", "12:30:45", "190:20:30.15", "-1:0", "1_0:59.", "1:5"] {
            assert!(is_base_60(text), "{text}");
        }
        for text in ["1:60", "1:", ":1", "1", "1:300", "1.5:30", "a:30"] {
            assert!(!is_base_60(text), "{text}");
        }
    }
}
