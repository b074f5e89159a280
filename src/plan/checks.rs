//! The checks by name, with the level each has when the configuration says nothing. A check with several
//! default levels stands here with the one its documentation names first.

use crate::base::Level;

/// A check as the configuration knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckName {
    /// The name, as in `checks:` and in reports.
    pub name: &'static str,
    /// The level where nothing else is said.
    pub level: Level,
}

const fn check(name: &'static str, level: Level) -> CheckName {
    CheckName { name, level }
}

/// Every check, sorted by name.
pub static CHECKS: &[CheckName] = &[
    check("capability-gated", Level::Info),
    check("chart-deprecated", Level::Info),
    check("checksum-follows", Level::Info),
    check("checksum-without-cause", Level::Warn),
    check("churns-on-upgrade", Level::Warn),
    check("clock-output", Level::Info),
    check("cluster-lookup", Level::Warn),
    check("condition-unresolved", Level::Warn),
    check("config-without-rollout", Level::Warn),
    check("crd-not-upgraded", Level::Warn),
    check("data-without-keep", Level::Deny),
    check("default-credential", Level::Warn),
    check("dependency-republished", Level::Warn),
    check("deprecated-api", Level::Warn),
    check("dialect-disagreement", Level::Deny),
    check("duplicate-key", Level::Deny),
    check("duplicate-resource", Level::Deny),
    check("empty-secret", Level::Warn),
    check("env-duplicate", Level::Warn),
    check("env-lost", Level::Deny),
    check("env-order", Level::Deny),
    check("hook-added", Level::Deny),
    check("hook-changed", Level::Info),
    check("host-output", Level::Info),
    check("immutable-field", Level::Deny),
    check("keep-changed", Level::Info),
    check("kube-version-range", Level::Deny),
    check("kube-version-unpinned", Level::Deny),
    check("list-reordered", Level::Info),
    check("list-replaced", Level::Deny),
    check("map-order-output", Level::Info),
    check("missing-reference", Level::Warn),
    check("mixed-line-ends", Level::Warn),
    check("null-deletes", Level::Info),
    check("null-ineffective", Level::Warn),
    check("number-mangled", Level::Deny),
    check("optional-reference", Level::Warn),
    check("protected-name", Level::Deny),
    check("random-output", Level::Info),
    check("redundant-override", Level::Info),
    check("release-added", Level::Info),
    check("release-removed", Level::Info),
    check("release-renamed", Level::Warn),
    check("removed-api", Level::Deny),
    check("resource-renamed", Level::Warn),
    check("schema-open", Level::Info),
    check("secret-changed", Level::Info),
    check("set-by-index", Level::Deny),
    check("string-number", Level::Warn),
    check("swallowed-error", Level::Warn),
    check("table-conflict", Level::Deny),
    check("truthy-string", Level::Deny),
    check("type-changed", Level::Deny),
    check("unread-key", Level::Warn),
    check("values-multi-document", Level::Warn),
    check("version-label-only", Level::Info),
];

/// The check of a name.
pub fn find(name: &str) -> Option<&'static CheckName> {
    CHECKS
        .binary_search_by(|check| check.name.cmp(name))
        .ok()
        .map(|index| &CHECKS[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_without_doubles() {
        assert!(CHECKS.is_sorted_by(|a, b| a.name < b.name));
        for check in CHECKS {
            assert_eq!(find(check.name), Some(check));
        }
        assert_eq!(find("list-replace"), None);
    }
}
