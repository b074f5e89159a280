//! A Helm chart read from a source tree.

pub mod archive;
pub mod ignore;
pub mod load;
pub mod metadata;
mod metadata_read;
pub mod path_match;
pub mod schema;
mod schema_groups;
pub mod tree;
pub mod values;

pub use load::load;
pub use metadata::{Dependency, Import, Maintainer, Metadata};
pub use tree::{Chart, ChartFile};
