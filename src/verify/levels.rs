//! The levels of checks: what the command line says, else the configuration, else the hazard itself.

use crate::base::Level;
use crate::check::Hazard;
use crate::plan::Config;
use std::collections::BTreeMap;

/// The levels that somebody chose.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    chosen: BTreeMap<String, Level>,
}

impl Levels {
    /// Those of the configuration, and over them those of the command line.
    pub fn new(config: &Config, given: &[(String, Level)]) -> Levels {
        let configured = config
            .checks
            .iter()
            .map(|(name, level)| ((*name).to_owned(), *level));
        Levels {
            chosen: configured.chain(given.iter().cloned()).collect(),
        }
    }

    /// The level somebody chose for a check.
    pub fn of(&self, check: &str) -> Option<Level> {
        self.chosen.get(check).copied()
    }

    /// The level of a hazard. What stands on both sides weighs `info` at most: the change did not bring it.
    pub fn level(&self, hazard: &Hazard) -> Level {
        let level = self.of(hazard.check).unwrap_or(hazard.level);
        if hazard.standing {
            level.min(Level::Info)
        } else {
            level
        }
    }
}
