//! The checks: each names one hazard and lives in one file, with its explanation, its level and its tests.
//!
//! A check sees a read-only view and tells hazards to a sink. What is absent: the configuration, levels that
//! a user chose, secrets taken out, formats. A check never decides what is new and what stood before: it
//! tells what it sees on its side, and `settle` compares the sides.

mod chart_deprecated;
mod condition_unresolved;
mod dependency_republished;
mod duplicate_key;
mod elements;
mod footprint;
pub mod hazard;
mod kube_version_range;
mod layered;
mod list_replaced;
mod live;
mod null_deletes;
mod null_ineffective;
mod number_mangled;
mod redundant_override;
mod schema_open;
mod set_by_index;
pub mod settle;
mod table_conflict;
#[cfg(test)]
pub(crate) mod testing;
mod values_multi_document;
pub mod view;

pub use footprint::Footprint;
pub use hazard::{Hazard, Sink};
pub use layered::LayeredValues;
pub use view::{CellView, ChartView, PlatformCell, PlatformView, SideView};

use crate::base::Level;
use crate::engine::History;

/// One check.
pub struct Check {
    /// The name, as in `checks:` and in reports; reads well after "allow".
    pub name: &'static str,
    /// The level where nothing else is said. A hazard may carry a lighter or heavier one.
    pub level: Level,
    /// True when only `audit` tells it.
    pub audit_only: bool,
    /// What `evenkeel explain` prints: what happens, why it hurts, what to do. Paragraphs of plain text.
    pub explain: &'static str,
    /// What it looks at.
    pub pass: Pass,
}

/// What a check looks at.
pub enum Pass {
    /// The values of one side of a cell as they are written; nothing is rendered for it.
    Layers(fn(&ChartView<'_>, &mut Sink)),
    /// What the templates of one side of a cell did with the values.
    Trace(fn(&ChartView<'_>, &History, &mut Sink)),
    /// The documents of one side of a cell.
    Documents(fn(&SideView<'_>, &mut Sink)),
    /// Both sides of a cell, compared. What it tells is new by its nature.
    Comparison(fn(&CellView<'_>, &mut Sink)),
    /// All cells of a platform, both sides: what releases are to each other. What it tells is new by its nature
    /// unless it says otherwise.
    Platform(fn(&PlatformView<'_>, &mut Sink)),
}

/// Every check, sorted by name.
pub static CHECKS: &[&Check] = &[
    &chart_deprecated::CHECK,
    &condition_unresolved::CHECK,
    &dependency_republished::CHECK,
    &duplicate_key::CHECK,
    &kube_version_range::CHECK,
    &list_replaced::CHECK,
    &null_deletes::CHECK,
    &null_ineffective::CHECK,
    &number_mangled::CHECK,
    &redundant_override::CHECK,
    &schema_open::CHECK,
    &set_by_index::CHECK,
    &table_conflict::CHECK,
    &values_multi_document::CHECK,
];

/// The check of a name.
pub fn find(name: &str) -> Option<&'static Check> {
    let at = CHECKS.binary_search_by(|check| check.name.cmp(name)).ok()?;
    Some(CHECKS[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_without_doubles() {
        assert!(CHECKS.is_sorted_by(|a, b| a.name < b.name));
        for check in CHECKS {
            assert!(find(check.name).is_some_and(|found| found.name == check.name));
            assert!(check.explain.len() > 80, "{} explains too little", check.name);
        }
    }
}
