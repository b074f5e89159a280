//! Two sides -> pairs -> changes.

pub mod change;
pub mod effect;
pub mod immutable;
mod list;
pub mod text;

pub use change::{Change, Op};
pub use effect::Effect;
