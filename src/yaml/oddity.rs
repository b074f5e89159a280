//! Lawful things in a YAML text that mean something else than they seem to.

use std::sync::Arc;

use super::node::{Mark, Number};
use super::resolve::Scalar;

/// Something odd, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Oddity {
    /// What is odd.
    pub kind: OddityKind,
    /// Where it stands.
    pub mark: Mark,
}

/// What is odd.
#[derive(Clone, Debug, PartialEq)]
pub enum OddityKind {
    /// A key that the same mapping had before; this one won. Stricter readers refuse it.
    DuplicateKey {
        /// The key as text.
        key: Arc<str>,
        /// Where the one that lost stands.
        first: Mark,
    },
    /// A merge key `<<`.
    MergeKey,
    /// A key written before a `<<` and replaced by it: go-yaml merges at the position of the `<<`.
    MergeReplaces {
        /// The key as text.
        key: Arc<str>,
        /// Where the one that lost stands.
        first: Mark,
    },
    /// A plain scalar that readers of another YAML version take for something else, or that loses digits.
    Spelling {
        /// The scalar as written.
        written: Arc<str>,
        /// Why it is odd.
        spelling: Spelling,
    },
}

/// Why a plain scalar is odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `yes`, `on`, `n` and the like: booleans in YAML 1.1 only.
    Boolean,
    /// A number with a leading zero: octal in YAML 1.1, decimal in 1.2.
    LeadingZero,
    /// `0b101`: a number in YAML 1.1 only.
    Binary,
    /// `1_000`: a number in YAML 1.1 only.
    Underscores,
    /// An integer that a float64 cannot hold; it ends as its nearest neighbour.
    Precision,
}

/// Why a plain scalar is odd, if it is.
pub(super) fn spelling(written: &str, meaning: &Scalar<'_>) -> Option<Spelling> {
    match meaning {
        Scalar::Bool(_) if !matches!(written, "true" | "True" | "TRUE" | "false" | "False" | "FALSE") => {
            Some(Spelling::Boolean)
        }
        Scalar::Number(number) => number_spelling(written, *number),
        _ => None,
    }
}

fn number_spelling(written: &str, number: Number) -> Option<Spelling> {
    if written.contains('_') {
        return Some(Spelling::Underscores);
    }
    let digits = written.trim_start_matches(['-', '+']).as_bytes();
    match digits {
        [b'0', b'b' | b'B', ..] => return Some(Spelling::Binary),
        [b'0', b'0'..=b'9', ..] => return Some(Spelling::LeadingZero),
        _ => {}
    }
    let exact = match number {
        Number::Int(value) => (value as f64) as i128 == i128::from(value),
        Number::Uint(value) => (value as f64) as u128 == u128::from(value),
        // An integer too large for 64 bits.
        Number::Float(_) => !digits.iter().all(u8::is_ascii_digit) || digits.len() < 16,
    };
    (!exact).then_some(Spelling::Precision)
}

#[cfg(test)]
mod tests {
    use super::super::resolve::resolve;
    use super::*;

    #[test]
    fn spellings() {
        let of = |text: &str| spelling(text, &resolve(text));
        assert_eq!(of("yes"), Some(Spelling::Boolean));
        assert_eq!(of("True"), None);
        assert_eq!(of("010"), Some(Spelling::LeadingZero));
        assert_eq!(of("08"), Some(Spelling::LeadingZero));
        assert_eq!(of("0"), None);
        assert_eq!(of("0.5"), None);
        assert_eq!(of("0b1"), Some(Spelling::Binary));
        assert_eq!(of("1_0"), Some(Spelling::Underscores));
        assert_eq!(of("9007199254740993"), Some(Spelling::Precision));
        assert_eq!(of("9007199254740992"), None);
        assert_eq!(of("18446744073709551617"), Some(Spelling::Precision));
    }
}
