//! `Node`: parsed data with positions. Immutable, `Send`, shared between cells.
//!
//! A node is what Go would hold after reading the text (YAML 1.1 scalars resolved, aliases and merge
//! keys applied, last duplicate key wins), plus where each piece stood. It knows nothing of Kubernetes
//! and nothing of templates.

use std::sync::Arc;

use super::float::format_g32;

/// A position in the text a node was read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// Line, counted from 1; 0 when the node was not read from a text.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
    /// Byte offset from the start of the text.
    pub offset: u32,
}

/// A number as Go's decoder tells it apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer that fits `int64`.
    Int(i64),
    /// An integer above `int64` that fits `uint64`.
    Uint(u64),
    /// Everything else.
    Float(f64),
}

/// One entry of a mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key as text: Go's YAML-to-JSON step turns every key into a string.
    pub key: Arc<str>,
    /// Where the key stands.
    pub mark: Mark,
    /// The value.
    pub value: Node,
}

/// A piece of parsed data.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it begins.
    pub mark: Mark,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// `null`, `~` or nothing at all.
    Null,
    /// A boolean in any of YAML 1.1's spellings.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Str(Arc<str>),
    /// A list.
    List(Arc<[Node]>),
    /// A mapping, in the order of the text; keys are unique (the last duplicate won).
    Map(Arc<[Entry]>),
}

impl Node {
    /// A node that was not read from a text.
    pub fn new(kind: NodeKind) -> Node {
        Node {
            kind,
            mark: Mark::default(),
        }
    }

    /// The value under a key of a mapping.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The entry under a key of a mapping.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| &*entry.key == key)
    }

    /// The entries of a mapping; none for anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.kind {
            NodeKind::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The elements of a list; none for anything else.
    pub fn items(&self) -> &[Node] {
        match &self.kind {
            NodeKind::List(items) => items,
            _ => &[],
        }
    }

    /// The text of a string node.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Str(text) => Some(text),
            _ => None,
        }
    }

    /// What `sigs.k8s.io/yaml` puts into a Go field of type string: numbers and booleans are turned into
    /// text, floats at 32 bits (`appVersion: 1.10` is `1.1`). None for null, lists and maps.
    pub fn string_field(&self) -> Option<Arc<str>> {
        Some(match &self.kind {
            NodeKind::Str(text) => Arc::clone(text),
            NodeKind::Bool(value) => Arc::from(if *value { "true" } else { "false" }),
            NodeKind::Number(Number::Int(value)) => Arc::from(value.to_string()),
            NodeKind::Number(Number::Uint(value)) => Arc::from(value.to_string()),
            NodeKind::Number(Number::Float(value)) => Arc::from(format_g32(*value)),
            NodeKind::Null | NodeKind::List(_) | NodeKind::Map(_) => return None,
        })
    }

    /// The same data with every mark moved.
    pub fn with_moved_marks(&self, moved: &dyn Fn(Mark) -> Mark) -> Node {
        let kind = match &self.kind {
            NodeKind::List(items) => {
                NodeKind::List(items.iter().map(|item| item.with_moved_marks(moved)).collect())
            }
            NodeKind::Map(entries) => NodeKind::Map(
                entries
                    .iter()
                    .map(|entry| Entry {
                        key: entry.key.clone(),
                        mark: moved(entry.mark),
                        value: entry.value.with_moved_marks(moved),
                    })
                    .collect(),
            ),
            scalar => scalar.clone(),
        };
        Node {
            kind,
            mark: moved(self.mark),
        }
    }

    /// True for `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.kind, NodeKind::Null)
    }

    /// True for a mapping.
    pub fn is_map(&self) -> bool {
        matches!(self.kind, NodeKind::Map(_))
    }

    /// What it is, in a user's words: `a map`, `a list`, `a string`, ...
    pub fn kind_name(&self) -> &'static str {
        match &self.kind {
            NodeKind::Null => "null",
            NodeKind::Bool(_) => "a boolean",
            NodeKind::Number(_) => "a number",
            NodeKind::Str(_) => "a string",
            NodeKind::List(_) => "a list",
            NodeKind::Map(_) => "a map",
        }
    }
}
