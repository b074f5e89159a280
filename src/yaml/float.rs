//! Go's text of floating-point numbers.

pub(crate) use crate::base::digits::shortest;
use std::fmt::{LowerExp, Write};

/// `strconv.FormatFloat(value, 'g', -1, 64)`.
pub(crate) fn format_g(value: f64) -> String {
    let mut text = String::new();
    push_g(
        &mut text,
        value,
        value.is_sign_negative(),
        value.is_finite(),
        value.is_nan(),
    );
    text
}

/// `strconv.FormatFloat(value, 'g', -1, 32)`.
pub(crate) fn format_g32(value: f64) -> String {
    let value = value as f32;
    let mut text = String::new();
    push_g(
        &mut text,
        value,
        value.is_sign_negative(),
        value.is_finite(),
        value.is_nan(),
    );
    text
}

fn push_g(text: &mut String, value: impl LowerExp, negative: bool, finite: bool, nan: bool) {
    if !finite {
        text.push_str(match (nan, negative) {
            (true, _) => "NaN",
            (false, false) => "+Inf",
            (false, true) => "-Inf",
        });
        return;
    }
    let (digits, exponent) = shortest(value);
    if negative {
        text.push('-');
    }
    if !(-4..EXPONENT_FROM).contains(&exponent) {
        push_exponential(text, &digits, exponent, 2);
    } else {
        push_positional(text, &digits, exponent);
    }
}

/// From this exponent on Go's shortest `g` is exponential.
const EXPONENT_FROM: i32 = 6;

/// `d.ddde+XX` with at least `width` digits of exponent.
pub(crate) fn push_exponential(text: &mut String, digits: &str, exponent: i32, width: usize) {
    text.push_str(&digits[..1]);
    if digits.len() > 1 {
        text.push('.');
        text.push_str(&digits[1..]);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    write!(text, "e{sign}{:0width$}", exponent.unsigned_abs())
        .expect("invariant: writing to a string does not fail");
}

/// Plain digits with a point where it belongs.
pub(crate) fn push_positional(text: &mut String, digits: &str, exponent: i32) {
    let Ok(point) = usize::try_from(exponent + 1) else {
        text.push_str("0.");
        text.extend(std::iter::repeat_n('0', exponent.unsigned_abs() as usize - 1));
        text.push_str(digits);
        return;
    };
    if point == 0 {
        text.push_str("0.");
        text.push_str(digits);
    } else if digits.len() <= point {
        text.push_str(digits);
        text.extend(std::iter::repeat_n('0', point - digits.len()));
    } else {
        text.push_str(&digits[..point]);
        text.push('.');
        text.push_str(&digits[point..]);
    }
}

/// encoding/json's text of a finite float64: plain digits between 1e-6 and 1e21, else `1e-7`, `1e+21`.
pub(crate) fn format_json(value: f64) -> String {
    let (digits, exponent) = shortest(value);
    let mut text = String::new();
    if value.is_sign_negative() {
        text.push('-');
    }
    if value != 0.0 && !(-6..21).contains(&exponent) {
        push_exponential(&mut text, &digits, exponent, 1);
        return text;
    }
    push_positional(&mut text, &digits, exponent);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_texts() {
        assert_eq!(format_g(1_234_567.5), "1.2345675e+06");
        assert_eq!(format_g(100_000.0), "100000");
        assert_eq!(format_g(0.0001), "0.0001");
        assert_eq!(format_g(0.00001), "1e-05");
        assert_eq!(format_g(-0.5), "-0.5");
        assert_eq!(format_g(f64::NEG_INFINITY), "-Inf");
        assert_eq!(format_g32(1.23456789012345), "1.2345679");
        assert_eq!(format_json(1e20), "100000000000000000000");
        assert_eq!(format_json(1e21), "1e+21");
        assert_eq!(format_json(1e-6), "0.000001");
        assert_eq!(format_json(1e-7), "1e-7");
        assert_eq!(format_json(-0.0), "-0");
        assert_eq!(format_json(123_456_789.123), "123456789.123");
    }
}
