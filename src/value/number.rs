//! Numbers as Go's `strconv` reads them: base-0 integers, floats with hexadecimal forms and underscores.

/// Why a number was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// `invalid syntax`
    Syntax,
    /// `value out of range`
    Range,
}

/// `strconv.ParseUint(text, base, 64)`; base 0 reads Go's prefixes and underscores.
///
/// # Errors
/// Bad syntax, or more than 64 bits.
pub fn parse_uint(text: &str, base: u32) -> Result<u64, NumberError> {
    let (digits, radix) = match base {
        0 => prefixed(text)?,
        _ => (text, base),
    };
    if digits.is_empty() {
        return Err(NumberError::Syntax);
    }
    let mut number = Some(0u64);
    for byte in digits.bytes() {
        if byte == b'_' && base == 0 {
            continue;
        }
        let digit = char::from(byte).to_digit(radix).ok_or(NumberError::Syntax)?;
        number = number
            .and_then(|n| n.checked_mul(u64::from(radix)))
            .and_then(|n| n.checked_add(u64::from(digit)));
    }
    number.ok_or(NumberError::Range)
}

/// `strconv.ParseInt(text, base, 64)`.
///
/// # Errors
/// Bad syntax, or out of the range of `int64`.
pub fn parse_int(text: &str, base: u32) -> Result<i64, NumberError> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let number = parse_uint(digits, base)?;
    if negative {
        0i64.checked_sub_unsigned(number).ok_or(NumberError::Range)
    } else {
        i64::try_from(number).map_err(|_| NumberError::Range)
    }
}

fn prefixed(text: &str) -> Result<(&str, u32), NumberError> {
    if text.contains('_') && !underscores_fit(text) {
        return Err(NumberError::Syntax);
    }
    let bytes = text.as_bytes();
    Ok(match bytes {
        [b'0', b'x' | b'X', _, ..] => (&text[2..], 16),
        [b'0', b'b' | b'B', _, ..] => (&text[2..], 2),
        [b'0', b'o' | b'O', _, ..] => (&text[2..], 8),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    })
}

/// Underscores must stand between digits, or between a base prefix and a digit.
fn underscores_fit(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let bytes = unsigned.as_bytes();
    let (mut before, start, hex) = match bytes {
        [b'0', b'b' | b'B' | b'o' | b'O', ..] => (b'0', 2, false),
        [b'0', b'x' | b'X', ..] => (b'0', 2, true),
        _ => (b'^', 0, false),
    };
    for &byte in &bytes[start..] {
        before = match byte {
            b'0'..=b'9' => b'0',
            b'a'..=b'f' | b'A'..=b'F' if hex => b'0',
            b'_' if before != b'0' => return false,
            b'_' => b'_',
            _ if before == b'_' => return false,
            _ => b'!',
        };
    }
    before != b'_'
}

/// `strconv.ParseFloat(text, 64)`.
///
/// # Errors
/// Bad syntax, or beyond the largest float.
pub fn parse_float(text: &str) -> Result<f64, NumberError> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    match unsigned.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => return Ok(sign * f64::INFINITY),
        // Go takes no sign before NaN.
        "nan" if unsigned.len() == text.len() => return Ok(f64::NAN),
        _ => {}
    }
    if unsigned.contains('_') && !underscores_fit(unsigned) {
        return Err(NumberError::Syntax);
    }
    let clean: String = unsigned.chars().filter(|&c| c != '_').collect();
    if clean.starts_with("0x") || clean.starts_with("0X") {
        return parse_hex(&clean[2..]).map(|number| sign * number);
    }
    if !is_decimal(clean.as_bytes()) {
        return Err(NumberError::Syntax);
    }
    let number: f64 = clean.parse().map_err(|_| NumberError::Syntax)?;
    if number.is_infinite() {
        return Err(NumberError::Range);
    }
    Ok(sign * number)
}

fn is_decimal(bytes: &[u8]) -> bool {
    let mut at = 0;
    let mut digits = 0;
    let run = |at: &mut usize| {
        let start = *at;
        while bytes.get(*at).is_some_and(u8::is_ascii_digit) {
            *at += 1;
        }
        *at - start
    };
    digits += run(&mut at);
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        digits += run(&mut at);
    }
    if digits == 0 {
        return false;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        if matches!(bytes.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        if run(&mut at) == 0 {
            return false;
        }
    }
    at == bytes.len()
}

/// The part behind `0x`: mantissa, point, and the `p` exponent that Go demands.
fn parse_hex(text: &str) -> Result<f64, NumberError> {
    let (mantissa, exponent) = text.split_once(['p', 'P']).ok_or(NumberError::Syntax)?;
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Syntax);
    }
    let mut exponent: i64 = match digits.parse::<i64>() {
        Ok(size) if size < 100_000 => size,
        _ => 100_000,
    } * if exponent.starts_with('-') { -1 } else { 1 };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return Err(NumberError::Syntax);
    }
    let mut bits = 0u64;
    let mut sticky = false;
    for (index, byte) in whole.bytes().chain(fraction.bytes()).enumerate() {
        let digit = char::from(byte).to_digit(16).ok_or(NumberError::Syntax)?;
        let fractional = index >= whole.len();
        if bits >> 60 == 0 {
            bits = bits << 4 | u64::from(digit);
            exponent -= if fractional { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            exponent += if fractional { 0 } else { 4 };
        }
    }
    assemble(bits, sticky, exponent)
}

/// `bits * 2^exponent`, rounded to even; `sticky` says that nonzero bits lie below.
fn assemble(bits: u64, sticky: bool, exponent: i64) -> Result<f64, NumberError> {
    if bits == 0 {
        return Ok(0.0);
    }
    let shift = i64::from(bits.leading_zeros());
    let (bits, exponent) = (bits << shift, exponent - shift);
    // The value is bits/2^63 * 2^top with bits/2^63 in [1, 2).
    let top = exponent + 63;
    let keep = if top < -1022 { 53 - (-1022 - top) } else { 53 };
    if keep < 0 {
        return Ok(0.0);
    }
    let drop = 64 - keep;
    let wide = u128::from(bits) << 64;
    let cut = (drop + 64) as u32;
    let mut mantissa = wide.checked_shr(cut).unwrap_or(0) as u64;
    let rest = wide & (u128::MAX >> (128 - cut));
    let half = 1u128 << (cut - 1);
    let odd = mantissa & 1 == 1;
    if rest > half || (rest == half && (sticky || odd)) {
        mantissa += 1;
    }
    let scale = top - (keep - 1);
    let mut number = mantissa as f64;
    let mut left = scale;
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        number *= 2f64.powi(step as i32);
        left -= step;
        if number.is_infinite() || number == 0.0 {
            break;
        }
    }
    if number.is_infinite() {
        return Err(NumberError::Range);
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_base_zero() {
        assert_eq!(parse_int("-0x1F", 0), Ok(-31));
        assert_eq!(parse_int("0b101", 0), Ok(5));
        assert_eq!(parse_int("007", 0), Ok(7));
        assert_eq!(parse_int("08", 0), Err(NumberError::Syntax));
        assert_eq!(parse_int("1_000", 0), Ok(1000));
        assert_eq!(parse_int("1__0", 0), Err(NumberError::Syntax));
        assert_eq!(parse_int("1_000", 10), Err(NumberError::Syntax));
        assert_eq!(parse_int("0x", 0), Err(NumberError::Syntax));
        assert_eq!(parse_int("-9223372036854775808", 10), Ok(i64::MIN));
        assert_eq!(parse_int("9223372036854775808", 10), Err(NumberError::Range));
        assert_eq!(parse_uint("18446744073709551615", 0), Ok(u64::MAX));
    }

    #[test]
    fn floats_with_hexadecimal_forms() {
        assert_eq!(parse_float("0x1.8p1"), Ok(3.0));
        assert_eq!(parse_float("0x1p-1074"), Ok(5e-324));
        assert_eq!(parse_float("0x1p-1075"), Ok(0.0));
        assert_eq!(parse_float("0x1.fffffffffffffp1023"), Ok(f64::MAX));
        assert_eq!(parse_float("0x1p1024"), Err(NumberError::Range));
        assert_eq!(parse_float("0x1"), Err(NumberError::Syntax));
        assert_eq!(parse_float("1."), Ok(1.0));
        assert_eq!(parse_float(".5"), Ok(0.5));
        assert_eq!(parse_float("."), Err(NumberError::Syntax));
        assert_eq!(parse_float("1e"), Err(NumberError::Syntax));
        assert_eq!(parse_float("1e400"), Err(NumberError::Range));
        assert_eq!(parse_float("+Inf"), Ok(f64::INFINITY));
        assert_eq!(parse_float("1_0.5"), Ok(10.5));
    }
}
