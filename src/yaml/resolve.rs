//! What a written scalar means: go-yaml v2's resolve.go (YAML 1.1 with its own exceptions).

use std::borrow::Cow;

use super::node::Number;
use super::timestamp::is_timestamp;

/// Prefix of the tags of YAML itself.
pub(super) const TAG_PREFIX: &str = "tag:yaml.org,2002:";

/// The meaning of a scalar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scalar<'a> {
    Null,
    Bool(bool),
    Number(Number),
    Str(Cow<'a, str>),
    /// Reads as a string, but other readers would see a date, so writers quote it.
    Timestamp,
}

impl Scalar<'_> {
    /// go-yaml's short tag of the meaning.
    fn short_tag(&self) -> &'static str {
        match self {
            Scalar::Null => "!!null",
            Scalar::Bool(_) => "!!bool",
            Scalar::Number(Number::Float(_)) => "!!float",
            Scalar::Number(_) => "!!int",
            Scalar::Str(_) => "!!str",
            Scalar::Timestamp => "!!timestamp",
        }
    }
}

/// The meaning of a scalar with an explicit tag, or without one when `tag` is empty.
///
/// # Errors
/// go-yaml's text when the value does not fit the tag.
pub(super) fn resolve_tagged<'a>(tag: &str, value: &'a str) -> Result<Scalar<'a>, String> {
    let wanted = match tag.strip_prefix(TAG_PREFIX) {
        _ if tag.is_empty() => return Ok(resolve(value)),
        Some("binary") => return decode_binary(value).map(Scalar::Str),
        Some(name @ ("bool" | "int" | "float" | "null" | "timestamp")) => name,
        _ => return Ok(Scalar::Str(Cow::Borrowed(value))),
    };
    let found = resolve_plain(value, wanted == "timestamp");
    let actual = found.short_tag();
    if &actual[2..] == wanted {
        return Ok(found);
    }
    match found {
        Scalar::Number(Number::Int(value)) if wanted == "float" => {
            Ok(Scalar::Number(Number::Float(value as f64)))
        }
        _ => Err(format!("cannot decode {actual} `{value}` as a !!{wanted}")),
    }
}

/// The meaning of a plain scalar.
pub(crate) fn resolve(value: &str) -> Scalar<'_> {
    resolve_plain(value, true)
}

fn resolve_plain(value: &str, dates: bool) -> Scalar<'_> {
    let Some(&first) = value.as_bytes().first() else {
        return Scalar::Null;
    };
    let found = match first {
        b'0'..=b'9' | b'+' | b'-' => resolve_number(value, dates),
        b'.' => resolve_dotted(value),
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => resolve_word(value),
        _ => None,
    };
    found.unwrap_or(Scalar::Str(Cow::Borrowed(value)))
}

fn resolve_word(value: &str) -> Option<Scalar<'static>> {
    // No word is longer than `false`.
    if value.len() > 5 {
        return None;
    }
    Some(match value {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Scalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Scalar::Bool(false)
        }
        "~" | "null" | "Null" | "NULL" => Scalar::Null,
        _ => return None,
    })
}

fn float(value: f64) -> Option<Scalar<'static>> {
    Some(Scalar::Number(Number::Float(value)))
}

fn infinity(value: &str) -> Option<f64> {
    match value {
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Some(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

fn resolve_dotted(value: &str) -> Option<Scalar<'static>> {
    if let ".nan" | ".NaN" | ".NAN" = value {
        return float(f64::NAN);
    }
    if let Some(value) = infinity(value) {
        return float(value);
    }
    // Go's ParseFloat, which lets underscores stand between digits.
    let bytes = value.as_bytes();
    let separated = bytes.iter().enumerate().all(|(at, &byte)| {
        byte != b'_'
            || (at > 0 && bytes[at - 1].is_ascii_digit() && bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
    });
    if !separated {
        return None;
    }
    decimal_float(&without_underscores(value)).and_then(float)
}

fn resolve_number(value: &str, dates: bool) -> Option<Scalar<'static>> {
    if let Some(value) = infinity(value) {
        return float(value);
    }
    if dates && is_timestamp(value) {
        return Some(Scalar::Timestamp);
    }
    let plain = without_underscores(value);
    if let Some(value) = parse_int(&plain, 0) {
        return Some(Scalar::Number(Number::Int(value)));
    }
    if let Some(value) = parse_uint(&plain, 0) {
        return Some(Scalar::Number(Number::Uint(value)));
    }
    if let Some(value) = decimal_float(&plain) {
        return float(value);
    }
    // A sign behind the prefix, which ParseInt takes at base 2.
    let signed = plain.strip_prefix("0b")?;
    parse_int(signed, 2).map(|value| Scalar::Number(Number::Int(value)))
}

fn without_underscores(value: &str) -> Cow<'_, str> {
    if value.contains('_') {
        Cow::Owned(value.replace('_', ""))
    } else {
        Cow::Borrowed(value)
    }
}

/// Go's `strconv.ParseInt` at 64 bits, without underscores.
fn parse_int(text: &str, base: u32) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let value = parse_uint(digits, base)?;
    if negative {
        0i64.checked_sub_unsigned(value)
    } else {
        i64::try_from(value).ok()
    }
}

/// Go's `strconv.ParseUint` at 64 bits, without underscores; base 0 goes by the prefix.
fn parse_uint(text: &str, base: u32) -> Option<u64> {
    let bytes = text.as_bytes();
    let first = *bytes.first()?;
    let (digits, base) = match (base, first, bytes.get(1).map(u8::to_ascii_lowercase)) {
        (0, b'0', Some(b'b')) if bytes.len() > 2 => (&bytes[2..], 2),
        (0, b'0', Some(b'o')) if bytes.len() > 2 => (&bytes[2..], 8),
        (0, b'0', Some(b'x')) if bytes.len() > 2 => (&bytes[2..], 16),
        (0, b'0', _) => (&bytes[1..], 8),
        (0, ..) => (bytes, 10),
        (base, ..) => (bytes, base),
    };
    let mut value = 0u64;
    for &digit in digits {
        let digit = char::from(digit).to_digit(base)?;
        value = value
            .checked_mul(u64::from(base))?
            .checked_add(u64::from(digit))?;
    }
    Some(value)
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?` that fits a float64.
fn decimal_float(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let mut at = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let whole = digits(bytes, &mut at);
    let mut fraction = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        fraction = digits(bytes, &mut at);
    }
    if whole + fraction == 0 {
        return None;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        at += usize::from(matches!(bytes.get(at), Some(b'-' | b'+')));
        if digits(bytes, &mut at) == 0 {
            return None;
        }
    }
    if at != bytes.len() {
        return None;
    }
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

fn digits(bytes: &[u8], at: &mut usize) -> usize {
    let start = *at;
    while bytes.get(*at).is_some_and(u8::is_ascii_digit) {
        *at += 1;
    }
    *at - start
}

/// Go's base64.StdEncoding, line breaks skipped; bytes that are not UTF-8 read as U+FFFD each, as
/// encoding/json does on the way to the value.
fn decode_binary(text: &str) -> Result<Cow<'_, str>, String> {
    let invalid = || "!!binary value contains invalid base64 data".to_owned();
    let symbols: Vec<u8> = text
        .bytes()
        .filter(|byte| !matches!(byte, b'\r' | b'\n'))
        .collect();
    if !symbols.len().is_multiple_of(4) {
        return Err(invalid());
    }
    let mut bytes = Vec::with_capacity(symbols.len() / 4 * 3);
    let groups = symbols.len() / 4;
    for (index, group) in symbols.chunks_exact(4).enumerate() {
        let padding = group.iter().rev().take_while(|&&symbol| symbol == b'=').count();
        if padding > 2 || (padding > 0 && index + 1 != groups) {
            return Err(invalid());
        }
        let mut bits = 0u32;
        for &symbol in &group[..4 - padding] {
            bits = (bits << 6) | u32::from(base64_digit(symbol).ok_or_else(invalid)?);
        }
        bits <<= 6 * padding;
        bytes.extend_from_slice(&bits.to_be_bytes()[1..4 - padding]);
    }
    Ok(Cow::Owned(replace_invalid(&bytes).into_owned()))
}

fn base64_digit(symbol: u8) -> Option<u8> {
    Some(match symbol {
        b'A'..=b'Z' => symbol - b'A',
        b'a'..=b'z' => symbol - b'a' + 26,
        b'0'..=b'9' => symbol - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// The text with every byte that is not part of a character replaced by U+FFFD: Go replaces byte by byte,
/// Rust's lossy conversion by sequence.
pub(crate) fn replace_invalid(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '\u{FFFD}'));
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_by_their_prefix() {
        let int = |value| Scalar::Number(Number::Int(value));
        assert_eq!(resolve("0o17"), int(15));
        assert_eq!(resolve("010"), int(8));
        assert_eq!(resolve("08"), Scalar::Number(Number::Float(8.0)));
        assert_eq!(resolve("-0x1F"), int(-31));
        assert_eq!(resolve("0b+1"), int(1));
        assert_eq!(
            resolve("9223372036854775808"),
            Scalar::Number(Number::Uint(1 << 63))
        );
        assert_eq!(resolve("1e400"), Scalar::Str("1e400".into()));
        assert_eq!(resolve(".1_0"), Scalar::Number(Number::Float(0.1)));
        assert_eq!(resolve("._1"), Scalar::Str("._1".into()));
    }

    #[test]
    fn binary_is_go_base64() {
        assert_eq!(decode_binary("aGVs\nbG8="), Ok("hello".into()));
        assert_eq!(decode_binary("/2Fi"), Ok("\u{FFFD}ab".into()));
        assert!(decode_binary("a===").is_err());
        assert!(decode_binary("aGVsbG8").is_err());
    }
}
