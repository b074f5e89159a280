//! `evenkeel.yaml` -> cells to run.

mod captures;
pub mod cell;
pub mod config;
mod find;
pub mod glob_text;
pub mod init;
mod kube_version;
mod load;
pub mod matrix;
mod names;
mod own;
mod path;
mod probe;
mod read;
mod read_release;
mod read_shared;
mod read_source;
mod reader;
pub mod schema;
pub mod select;
pub mod template;
pub mod wildcard;

pub use cell::{Cell, ChartInput, Flags, Input};
pub use config::{Config, Layout, Platform, Protect, Release, ReleaseSource, ValuesSpec};
pub use init::{First, init};
pub use kube_version::fault as kube_version_fault;
pub use load::{load, parse};
pub use matrix::{Absent, Plan};
pub use names::nearest;
pub use select::Selection;

#[cfg(test)]
mod tests;
