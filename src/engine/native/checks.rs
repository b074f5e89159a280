//! What Helm checks before it renders: the type of the chart, the presence of its dependencies, the name of
//! the release, the version of Kubernetes (`pkg/cmd/install.go`, `pkg/action/install.go`).

use crate::chart::Chart;
use crate::dialect::Dialect;
use crate::engine::capabilities::KubeVersion;
use crate::layers::warnings::log_value;
use crate::semver;
use crate::value::quote::quote_str;

const NAME_RULE: &str = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
const MOST_NAME_BYTES: usize = 53;

/// Only applications are installed.
pub(super) fn is_installable(chart: &Chart) -> Result<(), String> {
    match chart.metadata.kind.as_str() {
        "" | "application" => Ok(()),
        kind => Err(format!("{kind} charts are not installable")),
    }
}

/// Every declared dependency must be there, by its name, whether or not it is enabled.
pub(super) fn has_dependencies(chart: &Chart, dialect: Dialect) -> Result<(), String> {
    let declared = chart.metadata.dependencies.iter().flatten();
    let is_missing = |name: &&str| {
        !chart
            .dependencies
            .iter()
            .any(|child| child.metadata.name == **name)
    };
    let missing: Vec<&str> = declared
        .map(|entry| entry.name.as_str())
        .filter(is_missing)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let (start, quote) = if dialect.is_v4() {
        ("an", '\'')
    } else {
        ("An", '`')
    };
    Err(format!(
        "{start} error occurred while checking for chart dependencies. You may need to run {quote}helm dependency \
         build{quote} to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: {}",
        missing.join(", ")
    ))
}

/// The release name as Kubernetes can take it.
pub(super) fn is_release_name(
    name: &str,
    dialect: Dialect,
    warnings: &mut Vec<String>,
) -> Result<(), String> {
    let cause = if name.is_empty() {
        "no name provided".to_owned()
    } else if name.len() > MOST_NAME_BYTES || !name.split('.').all(is_label) {
        format!(
            "invalid release name, must match regex {NAME_RULE} and the length must not be longer than {MOST_NAME_BYTES}"
        )
    } else {
        return Ok(());
    };
    let message = format!("release name {}: {cause}", quote_str(name.as_bytes()));
    if !dialect.is_v4() {
        return Err(message);
    }
    warnings.push(failed_step("release name check failed", &message));
    Err(format!("release name check failed: {message}"))
}

fn is_label(label: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = label.as_bytes();
    bytes.first().copied().is_some_and(fits)
        && bytes.last().copied().is_some_and(fits)
        && bytes.iter().all(|byte| fits(*byte) || *byte == b'-')
}

/// Helm 4's log line of a step that failed.
pub(super) fn failed_step(step: &str, error: &str) -> String {
    format!("level=ERROR msg={} error={}", log_value(step), log_value(error))
}

/// The chart's `kubeVersion`; a constraint that is none fits no version.
pub(super) fn fits_kube_version(constraint: &str, version: &KubeVersion) -> Result<(), String> {
    if constraint.is_empty() || semver::is_compatible_range(constraint, &version.normalized) {
        return Ok(());
    }
    Err(format!(
        "chart requires kubeVersion: {constraint} which is incompatible with Kubernetes {}",
        version.version
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn release_names_are_dns_names() {
        let check = |name: &str| is_release_name(name, Dialect::V3_19, &mut Vec::new()).is_ok();
        assert!(check("a") && check("a-b.c1") && check(&"a".repeat(53)));
        for name in ["", "A", "-a", "a-", "a..b", "a_b", &"a".repeat(54)] {
            assert!(!check(name), "{name}");
        }
    }
}
