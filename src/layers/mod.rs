//! Values layering with provenance.

pub mod coalesce;
pub mod cover;
pub mod dependencies;
pub mod final_values;
pub mod instance;
pub mod set_flag;
pub mod spec;
pub mod stack;
pub mod warnings;
pub mod written;

pub use final_values::FinalValues;
pub use instance::Instance;
pub use spec::{SetFlag, SetKind, ValuesInput};
pub use stack::{Layer, LayerKind, Layers, ValuesError};
pub use warnings::Warnings;
pub use written::Written;
