//! One chart and one stack of layers -> text.

pub mod capabilities;
pub mod chart_facts;
pub mod contract;
pub mod layout;
pub mod output;
pub mod witness;

pub use contract::{Engine, RenderFailure, RenderJob, Rendered, SetFlag, SetKind, ValuesInput};
pub use witness::{WitnessEngine, WitnessOptions};
