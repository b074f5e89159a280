//! The check of an address in brackets: Go's `netip.ParseAddr`, of which only the errors are of interest.

use crate::value::quote::quote_str;

/// Checks the inside of `[...]` in the host of a URL.
///
/// # Errors
/// Go's text.
pub(super) fn check(text: &[u8]) -> Result<(), String> {
    let first = text.iter().find(|byte| matches!(byte, b'.' | b':' | b'%'));
    let parsed = match first {
        Some(b'.') => check_v4(text).and(Err(Fault::Version4)),
        Some(b':') => check_v6(text),
        Some(_) => Err(Fault::plain("missing IPv6 address")),
        None => Err(Fault::plain("unable to parse IP")),
    };
    parsed.map_err(|fault| match fault {
        Fault::Version4 => "invalid IP-literal".to_owned(),
        Fault::Plain(message) => format!("invalid host: ParseAddr({}): {message}", quote_str(text)),
        Fault::At(message, rest) => {
            format!(
                "invalid host: ParseAddr({}): {message} (at {})",
                quote_str(text),
                quote_str(rest)
            )
        }
    })
}

enum Fault<'a> {
    /// A good address of the wrong kind.
    Version4,
    Plain(&'static str),
    /// The rest of the text where it went wrong.
    At(&'static str, &'a [u8]),
}

impl Fault<'_> {
    fn plain(message: &'static str) -> Fault<'static> {
        Fault::Plain(message)
    }
}

fn check_v4(text: &[u8]) -> Result<(), Fault<'_>> {
    let (mut value, mut digits, mut fields) = (0u32, 0, 0);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {
                if digits == 1 && value == 0 {
                    return Err(Fault::plain("IPv4 field has octet with leading zero"));
                }
                value = value * 10 + u32::from(byte - b'0');
                digits += 1;
                if value > 255 {
                    return Err(Fault::plain("IPv4 field has value >255"));
                }
            }
            b'.' => {
                if at == 0 || at + 1 == text.len() || text[at - 1] == b'.' {
                    return Err(Fault::At("IPv4 field must have at least one digit", &text[at..]));
                }
                if fields == 3 {
                    return Err(Fault::plain("IPv4 address too long"));
                }
                fields += 1;
                (value, digits) = (0, 0);
            }
            _ => return Err(Fault::At("unexpected character", &text[at..])),
        }
    }
    if fields < 3 {
        return Err(Fault::plain("IPv4 address too short"));
    }
    Ok(())
}

fn check_v6(text: &[u8]) -> Result<(), Fault<'_>> {
    let mut rest = text;
    if let Some(percent) = memchr::memchr(b'%', text) {
        if percent + 1 == text.len() {
            return Err(Fault::plain("zone must be a non-empty string"));
        }
        rest = &text[..percent];
    }
    // Bytes of the address read so far, and whether `::` stood among them.
    let mut read = 0;
    let mut ellipsis = rest.starts_with(b"::");
    if ellipsis {
        rest = &rest[2..];
        if rest.is_empty() {
            return Ok(());
        }
    }
    while read < 16 {
        let digits = group_digits(rest)?;
        if rest.get(digits) == Some(&b'.') {
            if !ellipsis && read != 12 {
                let message = "embedded IPv4 address must replace the final 2 fields of the address";
                return Err(Fault::At(message, rest));
            }
            if read + 4 > 16 {
                let message = "too many hex fields to fit an embedded IPv4 at the end of the address";
                return Err(Fault::At(message, rest));
            }
            check_v4(rest)?;
            rest = &[];
            read += 4;
            break;
        }
        read += 2;
        rest = &rest[digits..];
        match rest {
            [] => break,
            [b':'] => return Err(Fault::At("colon must be followed by more characters", rest)),
            [b':', after @ ..] => rest = after,
            _ => return Err(Fault::At("unexpected character, want colon", rest)),
        }
        if rest[0] == b':' {
            if ellipsis {
                return Err(Fault::At("multiple :: in address", rest));
            }
            ellipsis = true;
            rest = &rest[1..];
            if rest.is_empty() {
                break;
            }
        }
    }
    match (rest.is_empty(), read < 16, ellipsis) {
        (false, ..) => Err(Fault::At("trailing garbage after address", rest)),
        (_, true, false) => Err(Fault::plain("address string too short")),
        (_, false, true) => Err(Fault::plain("the :: must expand to at least one field of zeros")),
        _ => Ok(()),
    }
}

/// The length of the hexadecimal group at the front.
fn group_digits(text: &[u8]) -> Result<usize, Fault<'_>> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    match digits {
        0 => Err(Fault::At(
            "each colon-separated field must have at least one digit",
            text,
        )),
        1..=4 => Ok(digits),
        _ => Err(Fault::At("each group must have 4 or less digits", text)),
    }
}
