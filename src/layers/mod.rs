//! Values layering with provenance.

pub mod coalesce;
pub mod dependencies;
pub mod instance;
pub mod set_flag;
pub mod spec;
pub mod stack;
pub mod warnings;

pub use instance::Instance;
pub use spec::{SetFlag, SetKind, ValuesInput};
pub use stack::{Layer, LayerKind, Layers, ValuesError};
pub use warnings::Warnings;
