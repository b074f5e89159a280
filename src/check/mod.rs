//! The checks: each names one hazard and lives in one file, with its explanation, its level and its tests.
//!
//! A check sees a read-only view and tells hazards to a sink. What is absent: the configuration, levels that
//! a user chose, secrets taken out, formats. A check never decides what is new and what stood before: it
//! tells what it sees on its side, and `settle` compares the sides.

mod api_lifecycle;
mod capability_gated;
mod chance;
mod chart_deprecated;
mod checksum_follows;
mod checksum_without_cause;
mod churns_on_upgrade;
mod clock_output;
mod cluster_lookup;
mod cluster_of;
mod condition_unresolved;
mod config_without_rollout;
mod crd_not_upgraded;
mod data_without_keep;
mod declared;
mod default_credential;
mod dependency_republished;
mod deprecated_api;
mod dialect_disagreement;
mod duplicate_key;
mod duplicate_resource;
mod elements;
mod empty_secret;
mod env_duplicate;
mod env_lost;
mod env_order;
mod expired_acceptance;
pub mod fields;
mod footprint;
pub mod hazard;
mod hook_added;
mod hook_changed;
mod host_output;
mod immutable_field;
mod keep_changed;
mod kube_version_range;
mod kube_version_unpinned;
mod layered;
mod leaving;
mod list_reordered;
mod list_replaced;
mod live;
mod malformed_allow;
mod map_order_output;
mod mentions;
mod missing_reference;
mod mixed_line_ends;
mod null_deletes;
mod null_ineffective;
mod number_mangled;
mod optional_reference;
pub mod origins;
mod pods;
mod protected_name;
mod provided;
mod random_output;
mod reads;
mod redundant_override;
mod release_added;
mod release_removed;
mod release_renamed;
mod removed_api;
mod resource_renamed;
mod same_container;
mod schema_open;
mod secret_changed;
mod set_by_index;
pub mod settle;
mod stale;
mod stale_acceptance;
mod still_there;
mod string_number;
mod swallowed_error;
mod table_conflict;
#[cfg(test)]
pub(crate) mod testing;
mod truthy_string;
mod type_changed;
mod unread_key;
mod unread_proof;
mod unused_allow;
mod values_multi_document;
mod variables;
mod version_label_only;
pub mod view;

pub use cluster_of::cluster_of;
pub use expired_acceptance::CHECK as EXPIRED_ACCEPTANCE;
pub use footprint::Footprint;
pub use hazard::{Hazard, Sink};
pub use layered::LayeredValues;
pub use malformed_allow::CHECK as MALFORMED_ALLOW;
pub use stale::{Unread, unread};
pub use stale_acceptance::CHECK as STALE_ACCEPTANCE;
pub use unused_allow::CHECK as UNUSED_ALLOW;
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
    /// What people wrote about findings and differences, held against the run as a whole; `verify` tells it.
    Run,
}

/// Every check, sorted by name.
pub static CHECKS: &[&Check] = &[
    &capability_gated::CHECK,
    &chart_deprecated::CHECK,
    &checksum_follows::CHECK,
    &checksum_without_cause::CHECK,
    &churns_on_upgrade::CHECK,
    &clock_output::CHECK,
    &cluster_lookup::CHECK,
    &condition_unresolved::CHECK,
    &config_without_rollout::CHECK,
    &crd_not_upgraded::CHECK,
    &data_without_keep::CHECK,
    &default_credential::CHECK,
    &dependency_republished::CHECK,
    &deprecated_api::CHECK,
    &dialect_disagreement::CHECK,
    &duplicate_key::CHECK,
    &duplicate_resource::CHECK,
    &empty_secret::CHECK,
    &env_duplicate::CHECK,
    &env_lost::CHECK,
    &env_order::CHECK,
    &expired_acceptance::CHECK,
    &hook_added::CHECK,
    &hook_changed::CHECK,
    &host_output::CHECK,
    &immutable_field::CHECK,
    &keep_changed::CHECK,
    &kube_version_range::CHECK,
    &kube_version_unpinned::CHECK,
    &list_reordered::CHECK,
    &list_replaced::CHECK,
    &malformed_allow::CHECK,
    &map_order_output::CHECK,
    &missing_reference::CHECK,
    &mixed_line_ends::CHECK,
    &null_deletes::CHECK,
    &null_ineffective::CHECK,
    &number_mangled::CHECK,
    &optional_reference::CHECK,
    &protected_name::CHECK,
    &random_output::CHECK,
    &redundant_override::CHECK,
    &release_added::CHECK,
    &release_removed::CHECK,
    &release_renamed::CHECK,
    &removed_api::CHECK,
    &resource_renamed::CHECK,
    &schema_open::CHECK,
    &secret_changed::CHECK,
    &set_by_index::CHECK,
    &stale_acceptance::CHECK,
    &string_number::CHECK,
    &swallowed_error::CHECK,
    &table_conflict::CHECK,
    &truthy_string::CHECK,
    &type_changed::CHECK,
    &unread_key::CHECK,
    &unused_allow::CHECK,
    &values_multi_document::CHECK,
    &version_label_only::CHECK,
];

/// Proves what a check claims by another render, for hazards that are to be told. False where the claim does not
/// hold: the hazard must not be told. Checks that claim nothing of the kind are taken at their word.
pub fn confirm(view: &ChartView<'_>, hazard: &Hazard) -> bool {
    match hazard.check {
        "unread-key" => unread_key::confirm(view, hazard),
        "string-number" => string_number::confirm(view, hazard),
        _ => true,
    }
}

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
