//! One chart and one stack of layers -> text.

pub mod ambient;
pub mod capabilities;
pub mod chart_facts;
pub mod cluster;
mod context;
pub mod contract;
pub mod files;
pub mod go_glob;
pub mod history;
mod install_order;
pub mod layout;
pub mod native;
pub mod output;
pub mod split;
pub mod witness;

pub use contract::{Engine, RenderFailure, RenderJob, Rendered, SetFlag, SetKind, ValuesInput};
pub use history::History;
pub use native::NativeEngine;
pub use witness::{WitnessEngine, WitnessOptions};
