//! What an execution leaves behind besides its text: plain data, for checks and for blame.
//!
//! Tracing happens at three places of the executor only: where a value is read, where a function is
//! called, where text is emitted.

use super::tree::{NodeId, Unit};
use crate::value::Marks;
use std::sync::Arc;

pub use super::error::{ErrorChain, ErrorLink};

/// One running template: the main template of a file, an `include`, a `template` action, a `tpl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The frame that called this one; frame 0 is no frame.
    pub parent: u32,
    /// The node of the call in the parent's unit.
    pub call: NodeId,
    /// The unit, an index of `Trace::units`.
    pub unit: u32,
    /// The list node of the running definition.
    pub root: NodeId,
}

/// A branch that was decided by a value that has a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The frame it happened in.
    pub frame: u32,
    /// The `if`, `with` or `range` node.
    pub node: NodeId,
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
    pub key: String,
    /// The frame and node of the read.
    pub site: (u32, NodeId),
}

/// A failure of a function that the template did not see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swallowed {
    /// The function.
    pub function: &'static str,
    /// The error it swallowed.
    pub message: String,
    /// The frame and node of the call.
    pub site: (u32, NodeId),
}

/// Everything one render leaves behind, still in terms of the render's mark table and nodes.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The parsed texts that ran; frames refer to them.
    pub units: Vec<Arc<Unit>>,
    /// All frames; index 0 is a placeholder.
    pub frames: Vec<Frame>,
    /// Branches, in order of execution.
    pub branches: Vec<Branch>,
    /// One flag per origin (`MarkTable::origins`): true when the value was read.
    pub read: Vec<bool>,
    /// Reads of absent keys, each once.
    pub missing: Vec<MissingRead>,
    /// Swallowed failures.
    pub swallowed: Vec<Swallowed>,
}

impl Trace {
    /// The unit a frame runs in; `None` for frame 0.
    pub fn unit(&self, frame: u32) -> Option<&Unit> {
        if frame == 0 {
            return None;
        }
        let frame = self.frames.get(frame as usize)?;
        self.units.get(frame.unit as usize).map(|unit| &**unit)
    }

    /// The template file, line (from 1) and byte column (from 0) of a node.
    pub fn place(&self, frame: u32, node: NodeId) -> Option<(&str, u32, u32)> {
        let unit = self.unit(frame)?;
        let (line, column) = unit.place(node);
        Some((&unit.name, line, column))
    }

    /// The name of the template that a frame runs.
    pub fn frame_name(&self, frame: u32) -> Option<String> {
        let root = self.frames.get(frame as usize)?.root;
        let definition = self.unit(frame)?.definition_at(root)?;
        Some(String::from_utf8_lossy(&definition.name).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_may_cross_threads() {
        fn assert_send<T: Send>() {}
        assert_send::<Trace>();
    }
}
