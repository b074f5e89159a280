//! Events to a tree of written nodes: the first half of go-yaml's decode.go.
//!
//! Nothing is resolved here, so that an error of syntax anywhere in a document comes before an error of
//! meaning, as in Go. Aliases already point at their anchors.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::error::YamlError;
use super::node::Mark;
use super::parse::{Event, Parser, Properties};
use super::token::Pos;

/// Index of a node in its tree.
pub(super) type Id = u32;

/// What was written.
#[derive(Debug)]
pub(super) enum RawKind<'a> {
    Scalar {
        value: Cow<'a, str>,
        implicit: bool,
    },
    Alias {
        name: Cow<'a, str>,
        target: Id,
    },
    /// Children, in `Tree::children`.
    Sequence(Range<usize>),
    /// Keys and values by turns, in `Tree::children`.
    Mapping(Range<usize>),
}

/// One written node.
#[derive(Debug)]
pub(super) struct Raw<'a> {
    pub kind: RawKind<'a>,
    pub tag: Option<Box<str>>,
    pub pos: Pos,
    pub anchored: bool,
}

/// A document as written.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub nodes: Vec<Raw<'a>>,
    pub children: Vec<Id>,
    pub lead: u32,
}

impl<'a> Tree<'a> {
    pub fn raw(&self, id: Id) -> &Raw<'a> {
        &self.nodes[id as usize]
    }

    pub fn mark(&self, id: Id) -> Mark {
        self.raw(id).pos.mark(self.lead)
    }
}

/// A collection whose end has not come yet.
struct Open {
    id: Id,
    /// Where its children begin on the stack of finished nodes.
    base: usize,
    mapping: bool,
}

struct Builder<'a> {
    tree: Tree<'a>,
    anchors: FxHashMap<String, Id>,
    open: Vec<Open>,
    finished: Vec<Id>,
}

/// Reads the next document's tree; `None` at the end of the stream. The root is the node of that id.
pub(super) fn build<'a>(parser: &mut Parser<'a>) -> Result<Option<(Tree<'a>, Id)>, YamlError> {
    loop {
        match parser.next()?.0 {
            Event::DocumentStart => break,
            Event::StreamEnd => return Ok(None),
            _ => {}
        }
    }
    let mut builder = Builder {
        tree: Tree {
            lead: parser.lead(),
            ..Tree::default()
        },
        anchors: FxHashMap::default(),
        open: Vec::new(),
        finished: Vec::new(),
    };
    loop {
        let (event, pos) = parser.next()?;
        if matches!(event, Event::DocumentEnd | Event::StreamEnd) {
            break;
        }
        builder.accept(event, pos)?;
    }
    let root = builder.finished.first().copied();
    Ok(root.map(|root| (builder.tree, root)))
}

impl<'a> Builder<'a> {
    fn accept(&mut self, event: Event<'a>, pos: Pos) -> Result<(), YamlError> {
        match event {
            Event::Scalar {
                properties,
                value,
                implicit,
            } => {
                let id = self.add(RawKind::Scalar { value, implicit }, properties, pos);
                self.finished.push(id);
            }
            Event::Alias(name) => {
                let Some(&target) = self.anchors.get(name.as_ref()) else {
                    let mark = pos.mark(self.tree.lead);
                    return Err(YamlError::yaml(
                        format_args!("unknown anchor '{name}' referenced"),
                        Some(mark),
                    ));
                };
                let id = self.add(RawKind::Alias { name, target }, Properties::default(), pos);
                self.finished.push(id);
            }
            Event::SequenceStart(properties) => self.begin(properties, pos, false),
            Event::MappingStart(properties) => self.begin(properties, pos, true),
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::StreamStart | Event::StreamEnd | Event::DocumentStart | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn add(&mut self, kind: RawKind<'a>, properties: Properties<'a>, pos: Pos) -> Id {
        let id = Id::try_from(self.tree.nodes.len()).unwrap_or(Id::MAX);
        self.tree.nodes.push(Raw {
            kind,
            tag: properties.tag,
            pos,
            anchored: properties.anchor.is_some(),
        });
        if let Some(anchor) = properties.anchor {
            self.anchors.insert(anchor.into_owned(), id);
        }
        id
    }

    fn begin(&mut self, properties: Properties<'a>, pos: Pos, mapping: bool) {
        let kind = if mapping {
            RawKind::Mapping(0..0)
        } else {
            RawKind::Sequence(0..0)
        };
        let id = self.add(kind, properties, pos);
        self.open.push(Open {
            id,
            base: self.finished.len(),
            mapping,
        });
    }

    fn end(&mut self) {
        let Some(open) = self.open.pop() else { return };
        let start = self.tree.children.len();
        self.tree.children.extend(self.finished.drain(open.base..));
        let range = start..self.tree.children.len();
        self.tree.nodes[open.id as usize].kind = if open.mapping {
            RawKind::Mapping(range)
        } else {
            RawKind::Sequence(range)
        };
        self.finished.push(open.id);
    }
}
