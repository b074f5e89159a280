//! Facts of no domain; imports no other room.

pub mod atomic;
pub mod digest;
pub mod digits;
pub mod interrupt;
pub mod keypath;
pub mod level;
pub mod par;
pub mod problem;
pub mod shelf;
pub mod sides;

pub use digest::Digest;
pub use keypath::{KeyPath, Step};
pub use level::Level;
pub use problem::{Place, Problem};
pub use sides::{Side, Sides};
