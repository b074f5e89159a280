//! Semantic versions and constraints as Masterminds/semver reads them (3.4.0 in Helm 3.19, 3.5.0 in Helm
//! 4.3; they differ in the wording of one error).

mod constraint;
mod version;

pub use constraint::Constraints;
pub use version::Version;

/// True when a version satisfies a constraint; false when either cannot be read
/// (`pkg/chart/v2/util/compatible.go`).
pub fn is_compatible_range(constraint: &str, version: &str) -> bool {
    match (Version::parse(version), Constraints::parse(constraint)) {
        (Ok(version), Ok(constraints)) => constraints.allows(&version),
        _ => false,
    }
}
