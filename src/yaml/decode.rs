//! Written nodes to data: the second half of go-yaml's decode.go, and the checks of
//! `sigs.k8s.io/yaml` on the way to JSON.
//!
//! An alias shares the data of its anchor; go-yaml's guard against excessive aliasing still counts as if
//! it were read again. Nothing here recurses, so depth costs no stack.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::error::YamlError;
use super::float::format_g32;
use super::gosyntax;
use super::node::{Entry, Mark, Node, NodeKind, Number};
use super::oddity::{Oddity, OddityKind, spelling};
use super::resolve::{Scalar, TAG_PREFIX, resolve, resolve_tagged};
use super::tree::{Id, RawKind, Tree};

/// How deep encoding/json reads.
const MAX_DEPTH: u32 = 10_000;
/// From this many entries on a mapping finds its keys by hash.
const HASHED_FROM: usize = 24;

type Decoded<T> = Result<T, YamlError>;

/// Keys seen so far; equal keys are one allocation, so they compare by address.
#[derive(Default)]
pub(super) struct Interner(FxHashSet<Arc<str>>);

impl Interner {
    fn intern(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return Arc::clone(known);
        }
        let new: Arc<str> = Arc::from(text);
        self.0.insert(Arc::clone(&new));
        new
    }
}

/// What a node is decoded for.
enum Role {
    Root,
    Item,
    Key {
        key: Id,
        value: Id,
    },
    Value {
        key: Arc<str>,
        mark: Mark,
    },
    /// The value of a `<<`, or one element of its list.
    Merge,
}

/// A finished node.
struct Done {
    role: Role,
    node: Node,
    height: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    Sequence,
    Mapping,
    /// The list behind a `<<`; the mapping below it receives.
    MergeList,
}

/// A collection being decoded.
struct Frame {
    id: Id,
    kind: FrameKind,
    role: Role,
    start: usize,
    len: usize,
    step: usize,
    /// Where its finished parts begin on the stack of items or of entries.
    base: usize,
    height: u32,
    began: u64,
    /// Places of entries by the address of their key, once there are many.
    index: Option<Box<FxHashMap<usize, usize>>>,
}

/// An entry, and whether it came through a `<<`.
struct Pending {
    entry: Entry,
    merged: bool,
}

/// What an anchor stands for.
struct Anchored {
    node: Node,
    size: u64,
    height: u32,
}

pub(super) struct Decoder<'t, 'a> {
    tree: &'t Tree<'a>,
    interner: &'t mut Interner,
    frames: Vec<Frame>,
    items: Vec<Node>,
    entries: Vec<Pending>,
    anchors: FxHashMap<Id, Anchored>,
    oddities: Vec<Oddity>,
    count: u64,
    alias_count: u64,
    /// The first key JSON cannot have, and the mapping it is in.
    bad_key: Option<(usize, YamlError)>,
    non_finite: bool,
}

/// Decodes the tree under `root`.
pub(super) fn decode<'t>(
    tree: &'t Tree<'_>,
    root: Id,
    interner: &'t mut Interner,
) -> Decoded<(Node, Vec<Oddity>)> {
    let mut decoder = Decoder {
        tree,
        interner,
        frames: Vec::new(),
        items: Vec::new(),
        entries: Vec::new(),
        anchors: FxHashMap::default(),
        oddities: Vec::new(),
        // The document itself counts.
        count: 1,
        alias_count: 0,
        bad_key: None,
        non_finite: false,
    };
    let node = decoder.run(root)?;
    if let Some((_, error)) = decoder.bad_key {
        return Err(error);
    }
    if decoder.non_finite {
        check_finite(&node)?;
    }
    Ok((node, decoder.oddities))
}

impl<'t, 'a> Decoder<'t, 'a> {
    fn run(&mut self, root: Id) -> Decoded<Node> {
        let mut done = self.begin(root, Role::Root)?;
        loop {
            done = match done {
                Some(Done {
                    role: Role::Root,
                    node,
                    ..
                }) => return Ok(node),
                Some(done) => self.deliver(done)?,
                None => self.step()?,
            };
        }
    }

    /// Counts as go-yaml does, an alias with all it stands for; refuses when most comes from aliases.
    fn count(&mut self, nodes: u64, aliased: u64) -> Decoded<()> {
        self.count += nodes;
        self.alias_count += aliased;
        if self.alias_count > 100 && self.count > 1000 {
            let ratio = self.alias_count as f64 / self.count as f64;
            if ratio > allowed_ratio(self.count) {
                return Err(YamlError::yaml("document contains excessive aliasing", None));
            }
        }
        Ok(())
    }

    fn begin(&mut self, id: Id, role: Role) -> Decoded<Option<Done>> {
        self.count(1, 0)?;
        let tree = self.tree;
        let raw = tree.raw(id);
        let (kind, range) = match &raw.kind {
            RawKind::Scalar { value, implicit } => {
                let node = self.scalar(id, value, *implicit, raw.tag.as_deref())?;
                if raw.anchored {
                    let anchored = Anchored {
                        node: node.clone(),
                        size: 1,
                        height: 0,
                    };
                    self.anchors.insert(id, anchored);
                }
                return Ok(Some(Done {
                    role,
                    node,
                    height: 0,
                }));
            }
            RawKind::Alias { name, target } => {
                let Some(anchored) = self.anchors.get(target) else {
                    return Err(YamlError::yaml(
                        format_args!("anchor '{name}' value contains itself"),
                        Some(tree.mark(id)),
                    ));
                };
                let (node, size, height) = (anchored.node.clone(), anchored.size, anchored.height);
                self.count(size, size)?;
                return Ok(Some(Done { role, node, height }));
            }
            RawKind::Sequence(range) => (FrameKind::Sequence, range),
            RawKind::Mapping(range) => (FrameKind::Mapping, range),
        };
        let base = match kind {
            FrameKind::Sequence => self.items.len(),
            _ => self.entries.len(),
        };
        let began = self.count - 1;
        self.push(id, kind, role, range.clone(), base, began);
        Ok(None)
    }

    fn push(
        &mut self,
        id: Id,
        kind: FrameKind,
        role: Role,
        range: std::ops::Range<usize>,
        base: usize,
        began: u64,
    ) {
        self.frames.push(Frame {
            id,
            kind,
            role,
            start: range.start,
            len: range.len(),
            step: 0,
            base,
            height: 0,
            began,
            index: None,
        });
    }

    /// Goes on with the innermost collection.
    fn step(&mut self) -> Decoded<Option<Done>> {
        let frame = self
            .frames
            .last_mut()
            .expect("invariant: a collection is open until the root is done");
        if frame.step == frame.len {
            return self.finish();
        }
        let children = &self.tree.children[frame.start..frame.start + frame.len];
        match frame.kind {
            FrameKind::Sequence => {
                let child = children[frame.step];
                frame.step += 1;
                self.begin(child, Role::Item)
            }
            FrameKind::Mapping => {
                let (key, value) = (children[frame.step], children[frame.step + 1]);
                frame.step += 2;
                if self.is_merge(key) {
                    self.begin_merge(key, value)
                } else {
                    self.begin(key, Role::Key { key, value })
                }
            }
            FrameKind::MergeList => {
                // Backwards, so that earlier maps win.
                frame.step += 1;
                let child = children[frame.len - frame.step];
                self.merge_map(child)
            }
        }
    }

    fn finish(&mut self) -> Decoded<Option<Done>> {
        let frame = self
            .frames
            .pop()
            .expect("invariant: a collection is open until the root is done");
        let kind = match frame.kind {
            FrameKind::MergeList => return Ok(None),
            FrameKind::Sequence => NodeKind::List(self.items.drain(frame.base..).collect()),
            FrameKind::Mapping => NodeKind::Map(
                self.entries
                    .drain(frame.base..)
                    .map(|pending| pending.entry)
                    .collect(),
            ),
        };
        let height = frame.height + 1;
        let mark = self.tree.mark(frame.id);
        if height > MAX_DEPTH {
            let open = if frame.kind == FrameKind::Mapping {
                '{'
            } else {
                '['
            };
            return Err(YamlError::json(
                format!("invalid character '{open}' exceeded max depth"),
                Some(mark),
            ));
        }
        let node = Node { kind, mark };
        if self.tree.raw(frame.id).anchored {
            let anchored = Anchored {
                node: node.clone(),
                size: self.count - frame.began,
                height,
            };
            self.anchors.insert(frame.id, anchored);
        }
        Ok(Some(Done {
            role: frame.role,
            node,
            height,
        }))
    }

    /// Puts a finished node where it belongs.
    fn deliver(&mut self, done: Done) -> Decoded<Option<Done>> {
        let Done { role, node, height } = done;
        if let Role::Key { key, value } = role {
            let mark = self.tree.mark(key);
            let text = self.key_text(key, value, node)?;
            return self.begin(value, Role::Value { key: text, mark });
        }
        let merging = matches!(self.frames.last(), Some(frame) if frame.kind == FrameKind::MergeList);
        let at = self.frames.len() - 1 - usize::from(merging);
        self.frames[at].height = self.frames[at].height.max(height);
        match role {
            Role::Value { key, mark } => {
                let entry = Entry {
                    key,
                    mark,
                    value: node,
                };
                self.insert(at, entry, false);
            }
            Role::Merge => {
                // The merged map is no level of its own.
                self.frames[at].height = self.frames[at].height.max(height.saturating_sub(1));
                for entry in node.entries() {
                    self.insert(at, entry.clone(), true);
                }
            }
            _ => self.items.push(node),
        }
        Ok(None)
    }

    /// Sets an entry of the mapping in frame `at`; the last one of a key wins.
    fn insert(&mut self, at: usize, entry: Entry, merged: bool) {
        let frame = &mut self.frames[at];
        let base = frame.base;
        let address = entry.key.as_ptr() as usize;
        let found = match &mut frame.index {
            Some(index) => index.get(&address).copied(),
            None => self.entries[base..]
                .iter()
                .position(|known| Arc::ptr_eq(&known.entry.key, &entry.key))
                .map(|place| base + place),
        };
        let Some(place) = found else {
            if let Some(index) = &mut frame.index {
                index.insert(address, self.entries.len());
            }
            self.entries.push(Pending { entry, merged });
            if frame.index.is_none() && self.entries.len() - base >= HASHED_FROM {
                let places = self.entries[base..].iter().enumerate();
                let index = places.map(|(place, known)| (known.entry.key.as_ptr() as usize, base + place));
                frame.index = Some(Box::new(index.collect()));
            }
            return;
        };
        let known = &self.entries[place];
        let (key, first) = (Arc::clone(&entry.key), known.entry.mark);
        let kind = match (known.merged, merged) {
            (false, false) => Some(OddityKind::DuplicateKey { key, first }),
            (false, true) => Some(OddityKind::MergeReplaces { key, first }),
            (true, _) => None,
        };
        if let Some(kind) = kind {
            let mark = entry.mark;
            self.oddities.push(Oddity { kind, mark });
        }
        self.entries[place] = Pending { entry, merged };
    }

    // ---- merge keys

    fn is_merge(&self, id: Id) -> bool {
        let raw = self.tree.raw(id);
        match &raw.kind {
            RawKind::Scalar { value, implicit } => {
                value == "<<"
                    && (*implicit
                        || raw.tag.as_deref().and_then(|tag| tag.strip_prefix(TAG_PREFIX)) == Some("merge"))
            }
            _ => false,
        }
    }

    fn begin_merge(&mut self, key: Id, value: Id) -> Decoded<Option<Done>> {
        self.oddities.push(Oddity {
            kind: OddityKind::MergeKey,
            mark: self.tree.mark(key),
        });
        if let RawKind::Sequence(range) = &self.tree.raw(value).kind {
            let (base, count) = (self.entries.len(), self.count);
            self.push(
                value,
                FrameKind::MergeList,
                Role::Merge,
                range.clone(),
                base,
                count,
            );
            return Ok(None);
        }
        self.merge_map(value)
    }

    fn merge_map(&mut self, id: Id) -> Decoded<Option<Done>> {
        let tree = self.tree;
        let is_map = |id: Id| matches!(tree.raw(id).kind, RawKind::Mapping(_));
        let allowed = match &tree.raw(id).kind {
            RawKind::Alias { target, .. } => is_map(*target),
            _ => is_map(id),
        };
        if !allowed {
            return Err(YamlError::yaml(
                "map merge requires map or sequence of maps as the value",
                Some(tree.mark(id)),
            ));
        }
        self.begin(id, Role::Merge)
    }

    // ---- scalars and keys

    fn scalar(&mut self, id: Id, value: &str, implicit: bool, tag: Option<&str>) -> Decoded<Node> {
        let mark = self.tree.mark(id);
        let meaning = match tag {
            None if !implicit => Scalar::Str(value.into()),
            None => {
                let meaning = resolve(value);
                if let Some(spelling) = spelling(value, &meaning) {
                    let written = Arc::from(value);
                    let kind = OddityKind::Spelling { written, spelling };
                    self.oddities.push(Oddity { kind, mark });
                }
                meaning
            }
            Some(tag) => {
                resolve_tagged(tag, value).map_err(|problem| YamlError::yaml(problem, Some(mark)))?
            }
        };
        let kind = match meaning {
            Scalar::Null => NodeKind::Null,
            Scalar::Bool(value) => NodeKind::Bool(value),
            Scalar::Number(number) => {
                self.non_finite |= matches!(number, Number::Float(value) if !value.is_finite());
                NodeKind::Number(number)
            }
            Scalar::Str(text) => NodeKind::Str(Arc::from(&*text)),
            Scalar::Timestamp => NodeKind::Str(Arc::from(value)),
        };
        Ok(Node { kind, mark })
    }

    /// The key as `sigs.k8s.io/yaml` writes it into JSON.
    fn key_text(&mut self, key: Id, value: Id, node: Node) -> Decoded<Arc<str>> {
        let text = match node.kind {
            NodeKind::Str(text) => return Ok(self.interner.intern(&text)),
            NodeKind::Bool(true) => "true".to_owned(),
            NodeKind::Bool(false) => "false".to_owned(),
            NodeKind::Number(Number::Int(number)) => number.to_string(),
            NodeKind::Number(Number::Float(number)) => match format_g32(number).as_str() {
                "+Inf" => ".inf".to_owned(),
                "-Inf" => "-.inf".to_owned(),
                "NaN" => ".nan".to_owned(),
                text => text.to_owned(),
            },
            NodeKind::List(_) | NodeKind::Map(_) => {
                let text = gosyntax::format(self.tree, key);
                let mark = Some(self.tree.mark(key));
                return Err(YamlError::yaml(format_args!("invalid map key: {text}"), mark));
            }
            NodeKind::Null => self.refuse_key("%!s(<nil>)", "<nil>", key, value),
            NodeKind::Number(Number::Uint(number)) => {
                self.refuse_key("uint64", &format!("{number:#x}"), key, value)
            }
        };
        Ok(self.interner.intern(&text))
    }

    /// Remembers a key that JSON cannot have; go-yaml's own errors come first. Of several in a mapping the
    /// last stays, as its value is the one that is kept.
    fn refuse_key(&mut self, go_type: &str, text: &str, key: Id, value: Id) -> String {
        let map = self.frames.last().map_or(0, |frame| frame.start);
        if self.bad_key.as_ref().is_none_or(|(known, _)| *known == map) {
            let value = gosyntax::format_argument(self.tree, value);
            let problem = format!("unsupported map key of type: {go_type}, key: {text}, value: {value}");
            let mark = Some(self.tree.mark(key));
            self.bad_key = Some((map, YamlError::plain(problem, mark)));
        }
        text.to_owned()
    }
}

/// go-yaml's allowance for nodes that come through aliases.
fn allowed_ratio(count: u64) -> f64 {
    const LOW: u64 = 400_000;
    const HIGH: u64 = 4_000_000;
    match count {
        0..=LOW => 0.99,
        HIGH.. => 0.10,
        _ => 0.99 - 0.89 * ((count - LOW) as f64 / (HIGH - LOW) as f64),
    }
}

/// encoding/json's error for the first number it cannot write, in its order: keys sorted by bytes.
fn check_finite(root: &Node) -> Decoded<()> {
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        match &node.kind {
            NodeKind::Number(Number::Float(value)) if !value.is_finite() => {
                let problem = format!("json: unsupported value: {}", format_g32(*value));
                return Err(YamlError::plain(problem, Some(node.mark)));
            }
            NodeKind::List(items) => waiting.extend(items.iter().rev()),
            NodeKind::Map(entries) => {
                let mut sorted: Vec<&Entry> = entries.iter().collect();
                sorted.sort_by(|a, b| b.key.cmp(&a.key));
                waiting.extend(sorted.iter().map(|entry| &entry.value));
            }
            _ => {}
        }
    }
    Ok(())
}
