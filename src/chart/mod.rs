//! A Helm chart read from a source tree.

pub mod metadata;
pub mod tree;

pub use metadata::{Dependency, Import, Maintainer, Metadata};
pub use tree::{Chart, ChartFile};
