//! Go's quoted strings (`strconv/quote.go`): what `%q` writes and what template literals read.

use super::rune;

/// Go's only error of unquoting.
pub const INVALID_SYNTAX: &str = "invalid syntax";

/// `strconv.Quote`.
pub fn quote(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 2);
    push_quoted(&mut out, text, b'"', false);
    out
}

/// `strconv.Quote` for messages.
pub fn quote_str(text: &[u8]) -> String {
    String::from_utf8_lossy(&quote(text)).into_owned()
}

/// Appends a quoted text, as `strconv.Quote` or, with `ascii`, `strconv.QuoteToASCII`.
pub fn push_quoted(out: &mut Vec<u8>, text: &[u8], mark: u8, ascii: bool) {
    out.push(mark);
    let mut rest = text;
    while let Some(&first) = rest.first() {
        if first.is_ascii() && (b' '..=b'~').contains(&first) && first != mark && first != b'\\' {
            out.push(first);
            rest = &rest[1..];
            continue;
        }
        let (decoded, width) = rune::decode(rest);
        match decoded {
            None => push_byte_escape(out, first),
            Some(rune) => push_escaped(out, rune, mark, ascii),
        }
        rest = &rest[width..];
    }
    out.push(mark);
}

fn push_escaped(out: &mut Vec<u8>, rune: char, mark: u8, ascii: bool) {
    if rune == char::from(mark) || rune == '\\' {
        out.push(b'\\');
        return rune::push(out, rune);
    }
    if (rune.is_ascii() || !ascii) && rune::is_print(rune) {
        return rune::push(out, rune);
    }
    let short = match rune {
        '\x07' => b'a',
        '\x08' => b'b',
        '\x0c' => b'f',
        '\n' => b'n',
        '\r' => b'r',
        '\t' => b't',
        '\x0b' => b'v',
        _ => {
            let code = u32::from(rune);
            let text = match code {
                0..0x20 | 0x7f => format!("\\x{code:02x}"),
                0x80..0x10000 => format!("\\u{code:04x}"),
                _ => format!("\\U{code:08x}"),
            };
            return out.extend_from_slice(text.as_bytes());
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

fn push_byte_escape(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(format!("\\x{byte:02x}").as_bytes());
}

/// `strconv.CanBackquote`.
pub fn can_backquote(text: &[u8]) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        let (decoded, width) = rune::decode(rest);
        match decoded {
            None | Some('`' | '\x7f' | '\u{feff}') => return false,
            Some(rune) if rune < ' ' && rune != '\t' => return false,
            Some(_) => rest = &rest[width..],
        }
    }
    true
}

/// One character of a literal: a rune, or a single byte written as `\x41` or `\101`.
pub enum Unquoted {
    /// A code point (surrogates are possible in `\u` escapes of old Go only; they are refused).
    Rune(char),
    /// A byte; it need not be UTF-8.
    Byte(u8),
}

/// `strconv.UnquoteChar`: the first character of a literal's inside and its width.
///
/// # Errors
/// Go's `invalid syntax`.
pub fn unquote_char(text: &[u8], mark: u8) -> Result<(Unquoted, usize), &'static str> {
    let first = *text.first().ok_or(INVALID_SYNTAX)?;
    if first == mark && (mark == b'\'' || mark == b'"') {
        return Err(INVALID_SYNTAX);
    }
    if first != b'\\' {
        return Ok(match rune::decode(text) {
            (Some(rune), width) => (Unquoted::Rune(rune), width),
            (None, width) => (Unquoted::Rune(char::REPLACEMENT_CHARACTER), width),
        });
    }
    let kind = *text.get(1).ok_or(INVALID_SYNTAX)?;
    let simple = |byte: u8| Ok((Unquoted::Byte(byte), 2));
    match kind {
        b'a' => simple(7),
        b'b' => simple(8),
        b'f' => simple(12),
        b'n' => simple(b'\n'),
        b'r' => simple(b'\r'),
        b't' => simple(b'\t'),
        b'v' => simple(11),
        b'\\' => simple(b'\\'),
        b'\'' | b'"' if kind == mark => simple(kind),
        b'x' => digits(text, 2, 2, 16).map(|code| (Unquoted::Byte((code & 0xff) as u8), 4)),
        b'u' | b'U' => {
            let count = if kind == b'u' { 4 } else { 8 };
            let rune = char::from_u32(digits(text, 2, count, 16)?).ok_or(INVALID_SYNTAX)?;
            Ok((Unquoted::Rune(rune), 2 + count))
        }
        b'0'..=b'7' => {
            let code = digits(text, 1, 3, 8)?;
            let byte = u8::try_from(code).map_err(|_| INVALID_SYNTAX)?;
            Ok((Unquoted::Byte(byte), 4))
        }
        _ => Err(INVALID_SYNTAX),
    }
}

fn digits(text: &[u8], start: usize, count: usize, radix: u32) -> Result<u32, &'static str> {
    let mut code = 0u32;
    for &byte in text.get(start..start + count).ok_or(INVALID_SYNTAX)? {
        let digit = char::from(byte).to_digit(radix).ok_or(INVALID_SYNTAX)?;
        code = code.checked_mul(radix).ok_or(INVALID_SYNTAX)? | digit;
    }
    Ok(code)
}

/// `strconv.Unquote` of a string in double quotes or backquotes.
///
/// # Errors
/// Go's `invalid syntax`.
pub fn unquote(text: &[u8]) -> Result<Vec<u8>, &'static str> {
    let [mark, inner @ .., last] = text else {
        return Err(INVALID_SYNTAX);
    };
    if mark != last {
        return Err(INVALID_SYNTAX);
    }
    match mark {
        b'`' if inner.contains(&b'`') => Err(INVALID_SYNTAX),
        // Raw strings lose their carriage returns, as in Go source.
        b'`' => Ok(inner.iter().copied().filter(|&byte| byte != b'\r').collect()),
        b'"' if inner.contains(&b'\n') => Err(INVALID_SYNTAX),
        b'"' if !inner.contains(&b'\\') && !inner.contains(&b'"') && std::str::from_utf8(inner).is_ok() => {
            Ok(inner.to_vec())
        }
        b'"' => {
            let mut out = Vec::with_capacity(inner.len());
            let mut rest = inner;
            while !rest.is_empty() {
                let (unquoted, width) = unquote_char(rest, b'"')?;
                match unquoted {
                    Unquoted::Byte(byte) => out.push(byte),
                    Unquoted::Rune(rune) => rune::push(&mut out, rune),
                }
                rest = &rest[width..];
            }
            Ok(out)
        }
        _ => Err(INVALID_SYNTAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quoting_can_be_undone(text in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(unquote(&quote(&text)), Ok(text.clone()));
            let mut ascii = Vec::new();
            push_quoted(&mut ascii, &text, b'"', true);
            prop_assert!(ascii.is_ascii());
            prop_assert_eq!(unquote(&ascii), Ok(text));
        }

        #[test]
        fn unquoting_never_panics(text in proptest::collection::vec(any::<u8>(), 0..20)) {
            let _ = unquote(&text);
            let _ = unquote_char(&text, b'\'');
        }
    }
}
