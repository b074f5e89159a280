//! One version.

use regex::Regex;
use std::cmp::Ordering;
use std::fmt;
use std::sync::LazyLock;

static LOOSE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^v?([0-9]+)(\.[0-9]+)?(\.[0-9]+)?(-([0-9A-Za-z\-]+(\.[0-9A-Za-z\-]+)*))?(\+([0-9A-Za-z\-]+(\.[0-9A-Za-z\-]+)*))?$",
    )
    .expect("the pattern is a constant")
});

/// A version, loosely written: missing parts are 0, a leading `v` and leading zeros are allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The first number.
    pub major: u64,
    /// The second number.
    pub minor: u64,
    /// The third number.
    pub patch: u64,
    /// What stands behind `-`.
    pub pre: String,
    /// What stands behind `+`; never compared.
    pub metadata: String,
    /// The text it was read from.
    pub original: String,
}

impl Version {
    /// Reads a version (`semver.NewVersion`).
    ///
    /// # Errors
    /// The library's message.
    pub fn parse(text: &str) -> Result<Version, String> {
        let parts = LOOSE
            .captures(text)
            .ok_or_else(|| "invalid semantic version".to_owned())?;
        let part = |at: usize| parts.get(at).map_or("", |found| found.as_str());
        let number = |at: usize| -> Result<u64, String> {
            let text = part(at).trim_start_matches('.');
            if text.is_empty() {
                return Ok(0);
            }
            text.parse().map_err(|_| {
                format!(
                    "error parsing version segment: strconv.ParseUint: parsing \"{text}\": value out of range"
                )
            })
        };
        let version = Version {
            major: number(1)?,
            minor: number(2)?,
            patch: number(3)?,
            pre: part(5).to_owned(),
            metadata: part(8).to_owned(),
            original: text.to_owned(),
        };
        let zero_led =
            |part: &str| part.len() > 1 && part.starts_with('0') && part.bytes().all(|b| b.is_ascii_digit());
        if version.pre.split('.').any(zero_led) {
            return Err("version segment starts with 0".to_owned());
        }
        Ok(version)
    }

    /// Orders two versions; metadata does not count.
    pub fn compare(&self, other: &Version) -> Ordering {
        (self.major, self.minor, self.patch)
            .cmp(&(other.major, other.minor, other.patch))
            .then_with(|| compare_pre(&self.pre, &other.pre))
    }

    /// The next patch version: a pre-release becomes its release.
    pub fn next_patch(&self) -> Option<Version> {
        let patch = if self.pre.is_empty() {
            self.patch.checked_add(1)?
        } else {
            self.patch
        };
        Some(self.bumped(self.major, self.minor, patch))
    }

    /// The next minor version.
    pub fn next_minor(&self) -> Option<Version> {
        Some(self.bumped(self.major, self.minor.checked_add(1)?, 0))
    }

    /// The next major version.
    pub fn next_major(&self) -> Option<Version> {
        Some(self.bumped(self.major.checked_add(1)?, 0, 0))
    }

    fn bumped(&self, major: u64, minor: u64, patch: u64) -> Version {
        let prefix = if self.original.starts_with('v') { "v" } else { "" };
        let original = format!("{prefix}{major}.{minor}.{patch}");
        Version {
            major,
            minor,
            patch,
            pre: String::new(),
            metadata: String::new(),
            original,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if !self.pre.is_empty() {
            write!(f, "-{}", self.pre)?;
        }
        if !self.metadata.is_empty() {
            write!(f, "+{}", self.metadata)?;
        }
        Ok(())
    }
}

/// A release comes after its pre-releases; parts compare as numbers where both are, numbers come first.
pub(super) fn compare_pre(a: &str, b: &str) -> Ordering {
    match (a.is_empty(), b.is_empty()) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let (mut a, mut b) = (a.split('.'), b.split('.'));
    loop {
        let ordering = match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(a), Some(b)) => match (a.parse::<u64>(), b.parse::<u64>()) {
                (Ok(a), Ok(b)) => a.cmp(&b),
                (Ok(_), Err(_)) => Ordering::Less,
                (Err(_), Ok(_)) => Ordering::Greater,
                (Err(_), Err(_)) => a.cmp(b),
            },
        };
        if ordering.is_ne() {
            return ordering;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_order_of_the_specification() {
        let sorted = [
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
        ];
        for pair in sorted.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|text| Version::parse(text).unwrap());
            assert_eq!(a.compare(&b), Ordering::Less, "{a} {b}");
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(major in 0u64..99, minor in 0u64..99, pre in "(|[a-z][a-z0-9]{0,4})") {
            let dash = if pre.is_empty() { "" } else { "-" };
            let text = format!("{major}.{minor}.0{dash}{pre}");
            prop_assert_eq!(Version::parse(&text).unwrap().to_string(), text);
        }
    }
}
