//! Floats as `strconv.FormatFloat` writes them. The exactly rounded digits come from the standard library,
//! the forms around them are Go's.

use crate::base::digits::shortest;

/// No float has more digits than that which are not zero. Zeros are added here: the standard library refuses
/// precisions from 65,536 on, Go those beyond a million.
const MOST_DIGITS: usize = 1100;

/// Appends a float in one of Go's forms (`b e E f g G x X`); precision `None` is Go's -1: the fewest digits
/// that read back as the same number.
pub fn push_float(out: &mut Vec<u8>, number: f64, form: u8, precision: Option<usize>) {
    if number.is_nan() {
        return out.extend_from_slice(b"NaN");
    }
    if number.is_infinite() {
        return out.extend_from_slice(if number > 0.0 { b"+Inf" } else { b"-Inf" });
    }
    match form {
        b'b' => push_binary(out, number),
        b'x' | b'X' => push_hex(out, number, form, precision),
        b'e' | b'E' => {
            let digits = Digits::new(number, precision.map(|p| p + 1));
            digits.push_sign(out);
            digits.push_exponent(out, precision.unwrap_or(digits.count() - 1), form);
        }
        b'g' | b'G' => push_general(out, number, form, precision),
        _ => match precision {
            Some(precision) => {
                let digits = precision.min(MOST_DIGITS);
                out.extend_from_slice(format!("{number:.digits$}").as_bytes());
                out.resize(out.len() + precision - digits, b'0');
            }
            None => {
                let digits = Digits::new(number, None);
                digits.push_sign(out);
                digits.push_plain(out, digits.after_point());
            }
        },
    }
}

/// A float as `%v` prints it.
pub fn general(number: f64) -> String {
    let mut out = Vec::new();
    push_float(&mut out, number, b'g', None);
    String::from_utf8_lossy(&out).into_owned()
}

/// `%g`: the exponent form when the exponent is below -4 or not below the precision (`strconv/ftoa.go`).
fn push_general(out: &mut Vec<u8>, number: f64, form: u8, precision: Option<usize>) {
    if precision.is_none() && push_small_integer(out, number) {
        return;
    }
    let wanted = precision.map(|p| p.max(1));
    let mut digits = Digits::new(number, wanted);
    // `%g` drops the zeros that the precision brought.
    digits.trim();
    let exponent = digits.point - 1;
    let mut bound = wanted.unwrap_or(6);
    if bound > digits.count() && digits.count() as i32 >= digits.point {
        bound = digits.count();
    }
    if precision.is_none() {
        bound = 6;
    }
    digits.push_sign(out);
    if exponent < -4 || exponent >= bound as i32 {
        let letter = if form == b'G' { b'E' } else { b'e' };
        digits.push_exponent(out, digits.count() - 1, letter);
    } else {
        digits.push_plain(out, digits.after_point());
    }
}

/// Small whole numbers are most of what charts print; they need no digit search.
fn push_small_integer(out: &mut Vec<u8>, number: f64) -> bool {
    if !(0.0..1e6).contains(&number) || number.fract() != 0.0 || number.is_sign_negative() {
        return false;
    }
    push_decimal(out, number as u64);
    true
}

/// Appends an unsigned integer in decimal.
pub fn push_decimal(out: &mut Vec<u8>, mut number: u64) {
    let mut buffer = [0u8; 20];
    let mut at = buffer.len();
    loop {
        at -= 1;
        buffer[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&buffer[at..]);
}

/// Decimal digits with the position of the point: `0.d1d2d3... * 10^point`.
struct Digits {
    negative: bool,
    digits: Vec<u8>,
    point: i32,
}

impl Digits {
    /// The shortest digits, or exactly `count` rounded ones.
    fn new(number: f64, count: Option<usize>) -> Digits {
        let magnitude = number.abs();
        let (digits, exponent) = match count {
            None => shortest(magnitude),
            Some(count) => {
                let text = format!("{magnitude:.*e}", (count - 1).min(MOST_DIGITS));
                let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                (mantissa.replace('.', ""), exponent.parse().unwrap_or(0))
            }
        };
        Digits {
            negative: number.is_sign_negative(),
            digits: digits.into_bytes(),
            // Go counts zero as having its point before the first digit.
            point: if magnitude == 0.0 { 1 } else { exponent + 1 },
        }
    }

    fn trim(&mut self) {
        while self.digits.len() > 1 && self.digits.last() == Some(&b'0') {
            self.digits.pop();
        }
    }

    fn count(&self) -> usize {
        self.digits.len()
    }

    /// Digits behind the point in the plain form.
    fn after_point(&self) -> usize {
        usize::try_from(self.digits.len() as i32 - self.point).unwrap_or(0)
    }

    fn push_sign(&self, out: &mut Vec<u8>) {
        if self.negative {
            out.push(b'-');
        }
    }

    fn digit(&self, at: i32) -> u8 {
        usize::try_from(at)
            .ok()
            .and_then(|at| self.digits.get(at).copied())
            .unwrap_or(b'0')
    }

    fn push_plain(&self, out: &mut Vec<u8>, after: usize) {
        if self.point > 0 {
            out.extend((0..self.point).map(|at| self.digit(at)));
        } else {
            out.push(b'0');
        }
        if after > 0 {
            out.push(b'.');
            out.extend((0..after as i32).map(|at| self.digit(self.point + at)));
        }
    }

    fn push_exponent(&self, out: &mut Vec<u8>, after: usize, form: u8) {
        out.push(self.digit(0));
        if after > 0 {
            out.push(b'.');
            out.extend((1..=after as i32).map(|at| self.digit(at)));
        }
        let exponent = self.point - 1;
        out.push(form);
        out.push(if exponent < 0 { b'-' } else { b'+' });
        out.extend_from_slice(format!("{:02}", exponent.abs()).as_bytes());
    }
}

/// Mantissa and binary exponent: `mantissa * 2^exponent`.
fn parts(number: f64) -> (u64, i32) {
    let bits = number.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let mantissa = bits & ((1 << 52) - 1);
    match exponent {
        0 => (mantissa, -1074),
        _ => (mantissa | 1 << 52, exponent - 1075),
    }
}

fn push_binary(out: &mut Vec<u8>, number: f64) {
    let (mantissa, exponent) = parts(number);
    let sign = if number.is_sign_negative() { "-" } else { "" };
    out.extend_from_slice(format!("{sign}{mantissa}p{exponent:+}").as_bytes());
}

/// `%x`: `0x1.8p+00`, normalised to one leading digit (`strconv/ftoa.go`, `fmtX`).
fn push_hex(out: &mut Vec<u8>, number: f64, form: u8, precision: Option<usize>) {
    let (mut mantissa, mut exponent) = parts(number);
    if mantissa == 0 {
        exponent = 0;
    } else {
        // Shift the leading 1 to bit 60: one bit before the point, sixty behind it.
        let shift = mantissa.leading_zeros() as i32 - 3;
        mantissa <<= shift;
        exponent += 60 - shift;
    }
    if let Some(precision) = precision
        && precision < 15
    {
        let shift = precision as u32 * 4;
        let extra = (mantissa << shift) & ((1 << 60) - 1);
        mantissa >>= 60 - shift;
        if extra | (mantissa & 1) > 1 << 59 {
            mantissa += 1;
        }
        mantissa <<= 60 - shift;
        if mantissa & 1 << 61 != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    let upper = form == b'X';
    if number.is_sign_negative() {
        out.push(b'-');
    }
    out.extend_from_slice(&[b'0', form, b'0' + (mantissa >> 60 & 1) as u8]);
    let fraction = format!("{:015x}", mantissa & ((1 << 60) - 1));
    let fraction = match precision {
        None => fraction.trim_end_matches('0').to_owned(),
        Some(precision) => {
            let mut digits = fraction.into_bytes();
            digits.resize(precision, b'0');
            String::from_utf8(digits).expect("hexadecimal digits are ASCII")
        }
    };
    if !fraction.is_empty() {
        out.push(b'.');
        let fraction = if upper {
            fraction.to_ascii_uppercase()
        } else {
            fraction
        };
        out.extend_from_slice(fraction.as_bytes());
    }
    out.push(if upper { b'P' } else { b'p' });
    out.push(if exponent < 0 { b'-' } else { b'+' });
    out.extend_from_slice(format!("{:02}", exponent.abs()).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shortest_forms_read_back(number in any::<f64>()) {
            prop_assume!(number.is_finite());
            for form in [b'g', b'e', b'f', b'x'] {
                let mut out = Vec::new();
                push_float(&mut out, number, form, None);
                let text = String::from_utf8(out).unwrap();
                let read = super::super::number::parse_float(&text).unwrap();
                prop_assert_eq!(read.to_bits(), number.to_bits(), "{}", text);
            }
        }

        #[test]
        fn precisions_never_panic(number in any::<f64>(), precision in prop_oneof![0usize..30, 0usize..1_000_000]) {
            for form in [b'g', b'e', b'f', b'x', b'b'] {
                push_float(&mut Vec::new(), number, form, Some(precision));
            }
        }
    }
}
