//! One chart and one stack of layers -> text.

pub mod contract;
pub mod layout;
pub mod witness;

pub use contract::{Engine, RenderFailure, RenderJob, Rendered, SetFlag, SetKind, ValuesInput};
pub use witness::{WitnessEngine, WitnessOptions};
