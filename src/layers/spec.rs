//! What a render is asked to layer: values files, inline maps, `--set`-like expressions.

use crate::base::Place;
use crate::yaml::Node;
use std::sync::Arc;

/// One source of values, as `-f` takes it.
#[derive(Clone, Debug)]
pub enum ValuesInput {
    /// A file of the side's tree.
    File(String),
    /// A map written in the configuration.
    Inline {
        /// The map, with its marks in the configuration file.
        node: Node,
        /// The configuration file it stands in.
        file: Arc<str>,
    },
}

/// One `--set`-like expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetFlag {
    /// Which flag.
    pub kind: SetKind,
    /// The expression as on Helm's command line. For `--set-file` the path is one of the side's tree.
    pub expression: String,
    /// Where the expression stands in the configuration.
    pub place: Option<Place>,
}

/// The flags that set single values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SetKind {
    /// `--set-json`
    Json,
    /// `--set`
    Set,
    /// `--set-string`
    String,
    /// `--set-file`
    File,
    /// `--set-literal`
    Literal,
}

impl SetKind {
    /// Every kind, in the order in which Helm applies them (`pkg/cli/values/options.go`).
    pub const ALL: [SetKind; 5] = [
        SetKind::Json,
        SetKind::Set,
        SetKind::String,
        SetKind::File,
        SetKind::Literal,
    ];

    /// The flag on Helm's command line.
    pub fn flag(self) -> &'static str {
        match self {
            SetKind::Json => "--set-json",
            SetKind::Set => "--set",
            SetKind::String => "--set-string",
            SetKind::File => "--set-file",
            SetKind::Literal => "--set-literal",
        }
    }
}
