//! Which Helm is imitated. One method per observed difference between the two, so that a difference is
//! named once and read everywhere.

use std::fmt;

/// A Helm release line whose output is reproduced byte for byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// Helm 3.19 (measured on 3.19.0).
    V3_19,
    /// Helm 4.3 (measured on 4.3.1).
    V4_3,
}

impl Dialect {
    /// Every known dialect, oldest first.
    pub const ALL: [Dialect; 2] = [Dialect::V3_19, Dialect::V4_3];

    /// The dialect used where none is asked for.
    pub const NEWEST: Dialect = Dialect::V4_3;

    /// The name used in configuration, flags and reports.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::V3_19 => "3.19",
            Dialect::V4_3 => "4.3",
        }
    }

    /// Reads `3.19`, `v4.3`, `4.3.1` and the like; `None` for a Helm that is not imitated.
    pub fn parse(text: &str) -> Option<Dialect> {
        let text = text.strip_prefix('v').unwrap_or(text);
        Dialect::ALL.into_iter().find(|dialect| {
            text.strip_prefix(dialect.name())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    /// True for Helm 4, which differs from Helm 3 in null handling, `.Chart`, document tails and error layout.
    pub fn is_v4(self) -> bool {
        self >= Dialect::V4_3
    }

    /// True when BurntSushi/toml is 1.6: TOML 1.1 is read, floats are written with exponents.
    pub fn has_toml_1_1(self) -> bool {
        self >= Dialect::V4_3
    }

    /// True when Go's `net/url` checks addresses in brackets and refuses a second colon in a web host (Go 1.26).
    pub fn checks_url_hosts(self) -> bool {
        self >= Dialect::V4_3
    }

    /// The Go name of Helm's `Values` type, which moved between packages.
    pub fn values_type(self) -> &'static str {
        match self {
            Dialect::V3_19 => "chartutil.Values",
            Dialect::V4_3 => "common.Values",
        }
    }

    /// True where `eq` and its kin name the two types they cannot compare (Go 1.26 and later).
    pub fn names_compared_types(self) -> bool {
        self >= Dialect::V4_3
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_one_line_are_one_dialect() {
        assert_eq!(Dialect::parse("4.3"), Some(Dialect::V4_3));
        assert_eq!(Dialect::parse("v4.3.1"), Some(Dialect::V4_3));
        assert_eq!(Dialect::parse("3.19.0"), Some(Dialect::V3_19));
        assert_eq!(Dialect::parse("3.190"), None);
        assert_eq!(Dialect::parse("5"), None);
    }
}
