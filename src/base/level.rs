//! `Level`: how much a finding weighs. Ordered from the lightest to the heaviest.

use std::fmt;

/// How much a finding weighs, and what it does to the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Level {
    /// Not told at all.
    Allow,
    /// Told, never fails a run unless asked to.
    Info,
    /// Told as something a person has to look at.
    Warn,
    /// Fails the run.
    Deny,
}

impl Level {
    /// Every level, lightest first.
    pub const ALL: [Level; 4] = [Level::Allow, Level::Info, Level::Warn, Level::Deny];

    /// The name used in configuration, flags and reports.
    pub fn name(self) -> &'static str {
        match self {
            Level::Allow => "allow",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Deny => "deny",
        }
    }

    /// Reads a name back.
    pub fn parse(text: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == text)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_weigh_upwards() {
        for level in Level::ALL {
            assert_eq!(Level::parse(level.name()), Some(level));
        }
        assert!(Level::ALL.is_sorted());
        assert_eq!(Level::parse("error"), None);
    }
}
