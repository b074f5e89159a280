//! Numeric constants (`parse/node.go`, `newNumber`): read under every type that can hold them.

use super::lex::Kind;
use super::tree::Number;
use crate::value::number::{parse_float, parse_int, parse_uint};
use crate::value::quote::{Unquoted, quote_str, unquote_char};

/// Reads a constant; its place is for the caller to set.
pub(super) fn read_number(text: &[u8], kind: Kind) -> Result<Number, String> {
    let shown = || String::from_utf8_lossy(text).into_owned();
    match kind {
        Kind::CharConstant => {
            let (unquoted, width) = unquote_char(&text[1..], b'\'')?;
            if text[1 + width..] != *b"'" {
                return Err(format!("malformed character constant: {}", shown()));
            }
            let code = match unquoted {
                Unquoted::Rune(rune) => u32::from(rune),
                Unquoted::Byte(byte) => u32::from(byte),
            };
            Ok(Number {
                int: Some(i64::from(code)),
                uint: Some(u64::from(code)),
                float: Some(f64::from(code)),
                ..Number::default()
            })
        }
        Kind::Complex => {
            read_complex(&shown()).ok_or_else(|| "syntax error scanning complex number".to_owned())
        }
        _ => read_plain(&shown()),
    }
}

fn read_plain(text: &str) -> Result<Number, String> {
    if let Some(imaginary) = text.strip_suffix('i')
        && let Ok(imaginary) = parse_float(imaginary)
    {
        return Ok(complex(0.0, imaginary));
    }
    let mut number = Number {
        int: parse_int(text, 0).ok(),
        uint: parse_uint(text, 0).ok(),
        ..Number::default()
    };
    if number.int == Some(0) {
        // -0 is no unsigned integer to strconv.
        number.uint = Some(0);
    }
    number.float = match (number.int, number.uint) {
        (Some(int), _) => Some(int as f64),
        (None, Some(uint)) => Some(uint as f64),
        (None, None) => parse_float(text).ok(),
    };
    let Some(float) = number.float else {
        return Err(format!("illegal number syntax: {}", quote_str(text.as_bytes())));
    };
    if number.int.is_none() && number.uint.is_none() {
        // Read as a float though it looks like an integer: too large for one.
        if !text.contains(['.', 'e', 'E', 'p', 'P']) {
            return Err(format!("integer overflow: {}", quote_str(text.as_bytes())));
        }
        number.int = whole_int(float);
        number.uint = whole_uint(float);
    }
    Ok(number)
}

/// `1+2i`
fn read_complex(text: &str) -> Option<Number> {
    let inner = text.strip_suffix('i')?;
    let bytes = inner.as_bytes();
    // The last sign that does not belong to an exponent.
    let hex = inner.contains(['x', 'X']);
    let split = (1..bytes.len()).rev().find(|&at| {
        let exponent = match bytes[at - 1] {
            b'p' | b'P' => true,
            b'e' | b'E' => !hex,
            _ => false,
        };
        matches!(bytes[at], b'+' | b'-') && !exponent
    })?;
    let real = parse_float(&inner[..split]).ok()?;
    let imaginary = parse_float(&inner[split..]).ok()?;
    Some(complex(real, imaginary))
}

/// A complex constant, and the other types when its imaginary part is zero (`simplifyComplex`).
fn complex(real: f64, imaginary: f64) -> Number {
    let mut number = Number {
        complex: Some((real, imaginary)),
        ..Number::default()
    };
    if imaginary == 0.0 {
        number.float = Some(real);
        number.int = whole_int(real);
        number.uint = whole_uint(real);
    }
    number
}

fn whole_int(float: f64) -> Option<i64> {
    let fits = float.fract() == 0.0 && (-(2f64.powi(63))..2f64.powi(63)).contains(&float);
    fits.then_some(float as i64)
}

fn whole_uint(float: f64) -> Option<u64> {
    let fits = float.fract() == 0.0 && (0.0..2f64.powi(64)).contains(&float);
    fits.then_some(float as u64)
}
