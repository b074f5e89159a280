//! The shortest decimal digits of a float, as Go picks them (`strconv.FormatFloat` with precision -1).

use std::fmt::LowerExp;

/// The shortest digits that read back as the same number, without sign, and the exponent of the first.
///
/// The standard library finds the same digits but for one case: where two candidates are equally close, it
/// takes the greater one and Go the even one (Go writes 975294366353365.25 as `9.752943663533652e+14`).
pub fn shortest<F: LowerExp>(number: F) -> (String, i32) {
    let text = format!("{number:e}");
    let (mut digits, exponent) = parts(&text);
    // Two candidates can only be equally close when they are about as far apart as the floats are.
    let least = if size_of::<F>() < 8 { 6 } else { 15 };
    let odd = digits.ends_with(['1', '3', '5', '7', '9']);
    if odd && digits.len() >= least {
        let (exact, _) = parts(&format!("{number:.*e}", digits.len() + 60));
        let (kept, rest) = exact.split_at(digits.len());
        let tie = rest
            .strip_prefix('5')
            .is_some_and(|rest| rest.bytes().all(|digit| digit == b'0'));
        if tie && kept != digits {
            kept.clone_into(&mut digits);
        }
    }
    (digits, exponent)
}

fn parts(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let digits = mantissa.chars().filter(char::is_ascii_digit).collect();
    (digits, exponent.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ties_go_to_the_even_digit() {
        for (eighths, digits) in [
            (7_802_354_930_826_922_u64, "9752943663533652"),
            (7_802_354_930_826_926, "9752943663533658"),
            (562_949_953_421_313, "7036874417766412"),
            (562_949_953_421_315, "7036874417766438"),
        ] {
            let number = eighths as f64 / 8.0;
            assert_eq!(shortest(number).0, digits);
        }
    }

    proptest! {
        #[test]
        fn digits_read_back(number in any::<f64>(), quarters in 1u64 << 50..1 << 54) {
            prop_assume!(number.is_finite());
            for number in [number.abs(), quarters as f64 / 4.0, quarters as f64 / 64.0] {
                let (digits, exponent) = shortest(number);
                let text = format!("{}.{}e{exponent}", &digits[..1], &digits[1..]);
                prop_assert_eq!(text.parse::<f64>(), Ok(number));
            }
        }
    }
}
