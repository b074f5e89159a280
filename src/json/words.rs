//! The words of syntax errors, in both engines.

use super::Engine;
use crate::yaml::unicode::is_print;

/// What was wrong with a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Value,
    Key,
    AfterKey,
    AfterMember,
    AfterElement,
    AfterTop,
    /// Within a word; the word, and the character expected.
    Literal(&'static str, char),
    /// A digit is missing at the start of a number.
    Number,
    /// A digit is missing behind the point.
    Fraction,
    /// A digit is missing in the exponent.
    Exponent,
    /// A control character in a string.
    Control,
    /// Nested too deeply.
    Depth,
}

/// Input that ends too early.
pub(super) const ENDED: &str = "unexpected end of JSON input";

/// The classic engine ends the input with a space, which is wrong inside words, numbers and escapes.
const AT_END: u8 = b' ';

/// The text for input that ends where `fault` would be a wrong character.
pub(super) fn ended(engine: Engine, fault: Fault) -> String {
    let inside = matches!(
        fault,
        Fault::Literal(..) | Fault::Number | Fault::Fraction | Fault::Exponent
    );
    if engine == Engine::Classic && inside {
        return invalid_character(engine, &[AT_END], fault);
    }
    ENDED.to_owned()
}

/// The text for the character at the start of `rest`.
pub(super) fn invalid_character(engine: Engine, rest: &[u8], fault: Fault) -> String {
    if engine == Engine::V2 && fault == Fault::Depth {
        return "exceeded max depth".to_owned();
    }
    let character = match engine {
        Engine::Classic => quote_byte(rest.first().copied().unwrap_or_default()),
        Engine::V2 => quote_rune(rest),
    };
    let place = match fault {
        Fault::Value => "looking for beginning of value",
        Fault::Key => "looking for beginning of object key string",
        Fault::AfterKey => "after object key",
        Fault::AfterMember => "after object key:value pair",
        Fault::AfterElement => "after array element",
        Fault::AfterTop => "after top-level value",
        Fault::Literal(word, expected) => {
            return format!("invalid character {character} in literal {word} (expecting '{expected}')");
        }
        Fault::Fraction if engine == Engine::Classic => "after decimal point in numeric literal",
        Fault::Exponent if engine == Engine::Classic => "in exponent of numeric literal",
        Fault::Number | Fault::Fraction | Fault::Exponent => "in numeric literal",
        Fault::Control if engine == Engine::Classic => "in string literal",
        Fault::Control => "in string",
        Fault::Depth => "exceeded max depth",
    };
    format!("invalid character {character} {place}")
}

/// The text for an escape that does not exist or is cut short; `rest` begins with its backslash.
pub(super) fn invalid_escape(engine: Engine, rest: &[u8]) -> String {
    let unicode = rest.get(1) == Some(&b'u');
    if engine == Engine::Classic {
        let (at, place) = if unicode {
            let hex = rest[2..]
                .iter()
                .take_while(|byte| byte.is_ascii_hexdigit())
                .count();
            (2 + hex, "in \\u hexadecimal character escape")
        } else {
            (1, "in string escape code")
        };
        let byte = rest.get(at).copied().unwrap_or(AT_END);
        return format!("invalid character {} {place}", quote_byte(byte));
    }
    let length = if unicode { 6 } else { 2 };
    let what = &rest[..length.min(rest.len())];
    let text = String::from_utf8_lossy(what);
    let plain = |character: char| {
        character != '`' && character != '\u{FFFD}' && !character.is_whitespace() && is_print(character)
    };
    if text.chars().count() > 1 && text.chars().all(plain) {
        return format!("invalid escape sequence `{text}` in string");
    }
    let mut quoted = String::from("\"");
    for chunk in what.utf8_chunks() {
        chunk
            .valid()
            .chars()
            .for_each(|character| push_escaped(&mut quoted, character, '"'));
        for byte in chunk.invalid() {
            quoted.push_str(&format!("\\x{byte:02x}"));
        }
    }
    format!("invalid escape sequence {quoted}\" in string")
}

/// Classic: a byte, shown as the character of that number.
fn quote_byte(byte: u8) -> String {
    match byte {
        b'\'' => "'\\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        _ => {
            let mut text = String::from("'");
            push_escaped(&mut text, char::from(byte), '"');
            text.push('\'');
            text
        }
    }
}

/// v2: the character at the start.
fn quote_rune(rest: &[u8]) -> String {
    let head = &rest[..rest.len().min(4)];
    let first = head
        .utf8_chunks()
        .next()
        .and_then(|chunk| chunk.valid().chars().next());
    let mut text = String::from("'");
    match first {
        Some(character) => push_escaped(&mut text, character, '\''),
        None => return format!("'\\x{:x}'", rest.first().copied().unwrap_or_default()),
    }
    text.push('\'');
    text
}

/// A character as Go's strconv shows it between quotes.
fn push_escaped(text: &mut String, character: char, quote: char) {
    match character {
        '\\' => text.push_str("\\\\"),
        '\x07' => text.push_str("\\a"),
        '\x08' => text.push_str("\\b"),
        '\x0C' => text.push_str("\\f"),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        '\x0B' => text.push_str("\\v"),
        '\0'..='\x1F' | '\x7F' => text.push_str(&format!("\\x{:02x}", character as u32)),
        _ if character == quote => {
            text.push('\\');
            text.push(character);
        }
        _ if is_print(character) => text.push(character),
        '\u{10000}'.. => text.push_str(&format!("\\U{:08x}", character as u32)),
        _ => text.push_str(&format!("\\u{:04x}", character as u32)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_have_their_own_words() {
        let classic = |text: &str| invalid_escape(Engine::Classic, text.as_bytes());
        let v2 = |text: &str| invalid_escape(Engine::V2, text.as_bytes());
        assert_eq!(
            classic("\\u12"),
            "invalid character ' ' in \\u hexadecimal character escape"
        );
        assert_eq!(classic("\\q\""), "invalid character 'q' in string escape code");
        assert_eq!(
            classic("\\u12x4\""),
            "invalid character 'x' in \\u hexadecimal character escape"
        );
        assert_eq!(v2("\\q\""), "invalid escape sequence `\\q` in string");
        assert_eq!(v2("\\u12x4\""), "invalid escape sequence `\\u12x4` in string");
        assert_eq!(v2("\\ \""), "invalid escape sequence \"\\\\ \" in string");
    }
}
