//! `evenkeel.yaml` -> cells to run.

pub mod cell;
pub mod checks;
pub mod config;
pub mod glob_text;
mod kube_version;
mod names;
mod path;
mod read;
mod read_release;
mod reader;
pub mod template;
pub mod wildcard;

pub use cell::{Cell, ChartInput, Flags, Input};
pub use config::{Config, Layout, Platform, Protect, Release, ReleaseSource, ValuesSpec};
