//! Two sides -> pairs -> changes.

pub mod across;
pub mod cell;
pub mod change;
pub mod effect;
pub mod immutable;
pub mod judge;
mod likeness;
mod list;
mod neighbours;
pub mod text;
pub mod verdict;
mod version_labels;

pub use cell::CellComparison;
pub use change::{Change, Op};
pub use effect::Effect;
pub use judge::{DocumentComparison, From};
pub use verdict::Verdict;
