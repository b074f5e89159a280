//! Plain results and their formats.
//!
//! `verify` fills the types of `model` and `finding`; every text that may quote a chart or a document goes
//! in through `redact`, once, so that no format can forget it. `outcome` is the one place that says
//! what a run concludes. Knows no engine, no git, no terminal.

pub mod finding;
pub mod model;
pub mod outcome;
pub mod redact;
#[cfg(test)]
mod sample;
