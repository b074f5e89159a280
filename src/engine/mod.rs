//! One chart and one stack of layers -> text.

pub mod contract;

pub use contract::{Engine, RenderFailure, RenderJob, Rendered, SetFlag, SetKind, ValuesInput};
