//! `html`, `js` and `urlquery` (`text/template/funcs.go`, `net/url`).

use crate::value::rune;

/// `HTMLEscapeString`
pub(super) fn html(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        let escaped: &[u8] = match byte {
            0 => "\u{fffd}".as_bytes(),
            b'"' => b"&#34;",
            b'\'' => b"&#39;",
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            _ => {
                out.push(byte);
                continue;
            }
        };
        out.extend_from_slice(escaped);
    }
    out
}

/// `JSEscapeString`
pub(super) fn js(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(&byte) = rest.first() {
        let (decoded, width) = rune::decode(rest);
        match (decoded, byte) {
            (_, b'\\' | b'\'' | b'"') => out.extend_from_slice(&[b'\\', byte]),
            (_, b'<' | b'>' | b'&' | b'=' | 0..0x20) => {
                out.extend_from_slice(format!("\\u{byte:04X}").as_bytes());
            }
            (_, 0x20..0x80) => out.push(byte),
            (Some(rune), _) if rune::is_print(rune) => out.extend_from_slice(&rest[..width]),
            (decoded, _) => {
                let code = u32::from(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
                if decoded.is_none() {
                    // Go finds the replacement character printable and writes the bytes as they are.
                    out.extend_from_slice(&rest[..width]);
                } else {
                    out.extend_from_slice(format!("\\u{code:04X}").as_bytes());
                }
            }
        }
        rest = &rest[width..];
    }
    out
}

/// `url.QueryEscape`
pub(super) fn url_query(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(byte),
            b' ' => out.push(b'+'),
            _ => out.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
    out
}
