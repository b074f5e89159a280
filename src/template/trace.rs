//! What an execution leaves behind besides its text: plain data, for checks and for blame.
//!
//! Tracing happens at three places of the executor only: where a value is read, where a function is
//! called, where text is emitted.

use crate::value::{Marks, Text};

/// One running template: the main template of a file, an `include`, a `template` action, a `tpl`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The frame that called this one; frame 0 is no frame.
    pub parent: u32,
    /// The node of the call in the parent's template.
    pub call: u32,
    /// The template's name.
    pub name: Text,
}

/// A branch that was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The frame it happened in.
    pub frame: u32,
    /// The `if`, `with` or `range` node.
    pub node: u32,
    /// True when the body ran, false when the `else` did.
    pub taken: bool,
    /// What the condition depends on.
    pub marks: Marks,
    /// What kind of value decided.
    pub decider: Decider,
}

/// The kind of value that decided a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    /// Any other value.
    Other,
    /// A non-empty string that a person may read as false: `false`, `0`, `no`, `off`, `null`.
    FalseString,
}

/// A read of a key that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingRead {
    /// The marks of the map that lacks the key.
    pub parent: Marks,
    /// The key.
    pub key: Text,
    /// The frame and node of the read.
    pub site: (u32, u32),
}

/// A failure of a function that the template did not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swallowed {
    /// The function.
    pub function: &'static str,
    /// The error it swallowed.
    pub message: String,
    /// The frame and node of the call.
    pub site: (u32, u32),
}

/// Everything one render leaves behind, still in terms of the render's mark table and nodes.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// All frames; index 0 is a placeholder.
    pub frames: Vec<Frame>,
    /// Branches, in order of execution.
    pub branches: Vec<Branch>,
    /// One flag per set of marks that stands for a single origin: true when the value was read.
    pub read: Vec<bool>,
    /// Reads of absent keys, each once.
    pub missing: Vec<MissingRead>,
    /// Swallowed failures.
    pub swallowed: Vec<Swallowed>,
}

/// Go's error chain of a failed execution, outermost link first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorChain {
    /// The links: one for each template on the way.
    pub links: Vec<ErrorLink>,
    /// The cause at the end.
    pub cause: String,
    /// True when the cause is text/template's own error, false when a function gave it.
    pub own: bool,
}

/// One link: `template: FILE:LINE:COL: executing "NAME" at <EXPR>: error calling FUNC:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorLink {
    /// The template file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Byte column, from 0.
    pub column: u32,
    /// The executing template.
    pub executing: String,
    /// The expression, as Go prints it.
    pub at: String,
    /// The function whose call led to the next link, where it was a call.
    pub calling: Option<String>,
}
