//! A parsed text: nodes in an arena, numbered from 1, with their byte positions.
//!
//! Invariant: a `Unit` never changes after parsing and holds no shared mutable state, so that all cells of a
//! chart, on all threads, run the same one. Names and literals are ranges of the source.

use crate::value::quote::quote_str;
use std::sync::Arc;

/// Number of a node within its unit; 0 stands for no node.
pub type NodeId = u32;

/// No node.
pub const NO_NODE: NodeId = 0;

/// A range of one of the unit's side tables, or of its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range32 {
    /// First element.
    pub start: u32,
    /// Behind the last element.
    pub end: u32,
}

impl Range32 {
    /// Number of elements.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// True when there is none.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// As a range of a slice.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A node. Ranges named `kids` index `Unit::kids`, those named `names` index `Unit::names`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// Plain text: a range of the source.
    Text(Range32),
    /// A pipeline that prints, or declares.
    Action {
        /// The pipeline.
        pipe: NodeId,
    },
    /// `if`, `with` or `range`.
    Branch {
        /// Which of the three.
        kind: BranchKind,
        /// The pipeline.
        pipe: NodeId,
        /// The body.
        list: NodeId,
        /// What stands behind `else`, or no node.
        otherwise: NodeId,
    },
    /// `template "name" pipeline`.
    Template {
        /// The name, a literal.
        name: u32,
        /// The pipeline, or no node.
        pipe: NodeId,
    },
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// Nodes in a row.
    List(Range32),
    /// Commands, and the variables that take the result.
    Pipe {
        /// The commands.
        kids: Range32,
        /// Numbers of the variables, a range of `Unit::vars`.
        decl: Range32,
        /// `=` rather than `:=`.
        assign: bool,
    },
    /// Operands of one command.
    Command(Range32),
    /// A function.
    Identifier {
        /// Its number in the function table.
        func: u32,
        /// Where the name ends in the source.
        end: u32,
    },
    /// `.a.b`
    Field(Range32),
    /// `$x.a.b`
    Variable {
        /// Number of the variable's name in the unit.
        name: u32,
        /// The fields behind it.
        names: Range32,
    },
    /// `(pipeline).a.b`
    Chain {
        /// The operand.
        node: NodeId,
        /// The fields behind it.
        names: Range32,
    },
    /// `.`
    Dot,
    /// `nil`
    Nil,
    /// `true` or `false`
    Bool(bool),
    /// A number, by its index in `Unit::numbers`.
    Number(u32),
    /// A string literal.
    Str {
        /// The literal's value.
        literal: u32,
        /// Where the quoted text ends in the source.
        end: u32,
    },
}

/// The three nodes that decide whether their body runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchKind {
    /// `if`
    If,
    /// `with`
    With,
    /// `range`
    Range,
}

impl BranchKind {
    /// The keyword.
    pub fn word(self) -> &'static str {
        match self {
            BranchKind::If => "if",
            BranchKind::With => "with",
            BranchKind::Range => "range",
        }
    }
}

/// A numeric constant, under every type that can hold it (`parse/node.go`, `NumberNode`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Number {
    /// The text in the source.
    pub text: Range32,
    /// As a signed integer.
    pub int: Option<i64>,
    /// As an unsigned integer.
    pub uint: Option<u64>,
    /// As a float.
    pub float: Option<f64>,
    /// As a complex number: only where it was written as one.
    pub complex: Option<(f64, f64)>,
}

/// A named body.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name that `template` and `include` call it by.
    pub name: Arc<[u8]>,
    /// Its list of nodes.
    pub root: NodeId,
    /// True when there is nothing but white space: it never replaces another body.
    pub empty: bool,
}

/// A parsed text with all its definitions; the text itself is the last one, under the unit's name.
#[derive(Debug)]
pub struct Unit {
    /// The name it was parsed under: the template file.
    pub name: Arc<str>,
    /// The text.
    pub source: Arc<[u8]>,
    /// The definitions.
    pub definitions: Vec<Definition>,
    pub(super) nodes: Vec<Node>,
    pub(super) positions: Vec<u32>,
    pub(super) kids: Vec<NodeId>,
    pub(super) names: Vec<Range32>,
    pub(super) vars: Vec<u32>,
    pub(super) var_names: Vec<Arc<[u8]>>,
    pub(super) literals: Vec<Box<[u8]>>,
    pub(super) numbers: Vec<Number>,
}

impl Unit {
    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Byte offset of a node in the source.
    pub fn position(&self, id: NodeId) -> usize {
        self.positions[id as usize] as usize
    }

    /// Line, from 1, and byte column, from 0, of a node.
    pub fn place(&self, id: NodeId) -> (u32, u32) {
        place(&self.source, self.position(id))
    }

    pub(super) fn kids(&self, range: Range32) -> &[NodeId] {
        &self.kids[range.range()]
    }

    pub(super) fn slice(&self, range: Range32) -> &[u8] {
        &self.source[range.range()]
    }

    /// The definition that starts at a list node.
    pub fn definition_at(&self, root: NodeId) -> Option<&Definition> {
        self.definitions.iter().find(|definition| definition.root == root)
    }

    /// A node as Go prints it in messages.
    pub fn text_of(&self, id: NodeId) -> String {
        let mut out = Vec::new();
        self.write(&mut out, id);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// Appends a node as Go prints it.
    pub(super) fn write(&self, out: &mut Vec<u8>, id: NodeId) {
        match *self.node(id) {
            Node::Text(range) => out.extend_from_slice(self.slice(range)),
            Node::Action { pipe } => {
                out.extend_from_slice(b"{{");
                self.write(out, pipe);
                out.extend_from_slice(b"}}");
            }
            Node::Branch {
                kind,
                pipe,
                list,
                otherwise,
            } => {
                out.extend_from_slice(format!("{{{{{} ", kind.word()).as_bytes());
                self.write(out, pipe);
                out.extend_from_slice(b"}}");
                self.write(out, list);
                if otherwise != NO_NODE {
                    out.extend_from_slice(b"{{else}}");
                    self.write(out, otherwise);
                }
                out.extend_from_slice(b"{{end}}");
            }
            Node::Template { name, pipe } => {
                let name = quote_str(&self.literals[name as usize]);
                out.extend_from_slice(format!("{{{{template {name}").as_bytes());
                if pipe != NO_NODE {
                    out.push(b' ');
                    self.write(out, pipe);
                }
                out.extend_from_slice(b"}}");
            }
            Node::Break => out.extend_from_slice(b"{{break}}"),
            Node::Continue => out.extend_from_slice(b"{{continue}}"),
            Node::List(kids) => self.kids(kids).iter().for_each(|&kid| self.write(out, kid)),
            Node::Pipe { kids, decl, assign } => self.write_pipe(out, kids, decl, assign),
            Node::Command(kids) => {
                for (index, &kid) in self.kids(kids).iter().enumerate() {
                    if index > 0 {
                        out.push(b' ');
                    }
                    self.write_operand(out, kid);
                }
            }
            Node::Identifier { end, .. } | Node::Str { end, .. } => {
                out.extend_from_slice(&self.source[self.position(id)..end as usize]);
            }
            Node::Field(names) => self.write_names(out, names),
            Node::Variable { name, names } => {
                out.extend_from_slice(&self.var_names[name as usize]);
                self.write_names(out, names);
            }
            Node::Chain { node, names } => {
                self.write_operand(out, node);
                self.write_names(out, names);
            }
            Node::Dot => out.push(b'.'),
            Node::Nil => out.extend_from_slice(b"nil"),
            Node::Bool(truth) => out.extend_from_slice(truth.to_string().as_bytes()),
            Node::Number(index) => out.extend_from_slice(self.slice(self.numbers[index as usize].text)),
        }
    }

    fn write_pipe(&self, out: &mut Vec<u8>, kids: Range32, decl: Range32, assign: bool) {
        for (index, &var) in self.vars[decl.range()].iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(b", ");
            }
            out.extend_from_slice(&self.var_names[var as usize]);
        }
        if !decl.is_empty() {
            out.extend_from_slice(if assign { b" = " } else { b" := " });
        }
        for (index, &kid) in self.kids(kids).iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(b" | ");
            }
            self.write(out, kid);
        }
    }

    fn write_operand(&self, out: &mut Vec<u8>, id: NodeId) {
        if matches!(self.node(id), Node::Pipe { .. }) {
            out.push(b'(');
            self.write(out, id);
            out.push(b')');
        } else {
            self.write(out, id);
        }
    }

    fn write_names(&self, out: &mut Vec<u8>, names: Range32) {
        for &name in &self.names[names.range()] {
            out.push(b'.');
            out.extend_from_slice(self.slice(name));
        }
    }
}

/// Line, from 1, and byte column, from 0, of a position.
pub(super) fn place(source: &[u8], position: usize) -> (u32, u32) {
    let before = &source[..position.min(source.len())];
    let line = 1 + memchr::memchr_iter(b'\n', before).count();
    let column = before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    (to_u32(line), to_u32(column))
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stay_small() {
        assert!(size_of::<Node>() <= 24);
    }

    #[test]
    fn places_count_bytes() {
        assert_eq!(place("é\nab".as_bytes(), 4), (2, 1));
        assert_eq!(place(b"abc", 2), (1, 2));
    }
}
