//! Go's text of floating-point numbers.

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

/// The shortest digits that read back, without sign, and the exponent of the first.
pub(crate) fn shortest(value: impl LowerExp) -> (String, i32) {
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = mantissa.chars().filter(char::is_ascii_digit).collect();
    (digits, exponent.parse().unwrap_or(0))
}

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
