//! Where values come from and where they go: marks through reads, calls and emissions.
//!
//! Without tracing nothing here runs, and every value is unmarked.

use super::exec::{Context, Executor, Running};
use super::func::Effect;
use super::trace::MissingRead;
use super::tree::{Node, NodeId};
use crate::value::depth::MOST_LEVELS;
use crate::value::marks::{AmbientKind, MOST_MARKS};
use crate::value::{Ambient, Data, Mark, Marks, Span, Text, Value};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// So many values are asked for their marks at once; a map that holds itself has no end of them.
const MOST_GATHERED: u32 = 1 << 20;

impl Executor<'_> {
    /// Notes that a value was read, where its marks stand for places of the values tree.
    pub(super) fn note_read(&mut self, marks: Marks) {
        for mark in self.marks.get(marks) {
            let Mark::Origin(at) = mark else {
                return;
            };
            let at = *at as usize;
            if at >= self.trace.read.len() {
                self.trace.read.resize(at + 1, false);
            }
            self.trace.read[at] = true;
        }
    }

    /// A value read out of a container: it carries what the ambient had to do with the container, and
    /// everything of it when it has no marks of its own.
    pub(super) fn inherit(&mut self, parent: Marks, value: &mut Value) {
        value.marks = self.marks.inherited(parent, value.marks);
    }

    /// Notes a read of a key that is not there.
    pub(super) fn missed(&mut self, frame: u32, parent: &Value, key: &[u8], id: NodeId) {
        if self.marks.origin_number(parent.marks).is_none() {
            return;
        }
        let key = String::from_utf8_lossy(key);
        let seen = (parent.marks, key.into_owned());
        if self.missing.contains(&seen) {
            return;
        }
        self.trace.missing.push(MissingRead {
            parent: parent.marks,
            key: seen.1.clone(),
            site: (frame, id),
        });
        self.missing.insert(seen);
    }

    /// The marks of a value as a whole: of a text the marks of all its pieces, of a container only its own.
    pub(super) fn whole(&mut self, value: &Value) -> Marks {
        let mut marks = value.marks;
        if let Data::Str(text) | Data::Bytes(text) = &value.data {
            for span in text.spans().unwrap_or_default() {
                marks = self.marks.join(marks, span.marks);
                marks = self.marks.join(marks, span.control);
            }
        }
        marks
    }

    /// The marks of a value and of all it holds, which counts as reading it all.
    pub(super) fn deep(&mut self, value: &Value) -> Marks {
        let mut marks = Marks::NONE;
        let mut left = MOST_GATHERED;
        self.gather(value, &mut marks, 0, &mut left);
        marks
    }

    fn gather(&mut self, value: &Value, marks: &mut Marks, level: usize, left: &mut u32) {
        if level > MOST_LEVELS || *left == 0 {
            return;
        }
        *left -= 1;
        self.note_read(value.marks);
        let full = self.marks.get(*marks).len() >= MOST_MARKS;
        if !full || self.marks.has_ambient(value.marks) {
            *marks = self.marks.join(*marks, value.marks);
        }
        match &value.data {
            Data::List(list) => {
                for item in list.items() {
                    self.gather(item, marks, level + 1, left);
                }
            }
            Data::Map(map) => {
                for (_, item) in map.entries().iter() {
                    self.gather(item, marks, level + 1, left);
                }
            }
            Data::Str(_) | Data::Bytes(_) => {
                let whole = self.whole(value);
                *marks = self.marks.join(*marks, whole);
            }
            _ => {}
        }
    }

    /// The arguments as they were, for their marks. Under a condition that hangs on the ambient they carry
    /// it: what a function stores somewhere leaves the branch with it.
    pub(super) fn keep_args(&mut self, args: &mut [Value]) -> Option<Vec<Value>> {
        if !self.options.trace {
            return None;
        }
        if self.marks.has_ambient(self.control) {
            let ambient = self.marks.ambient_part(self.control);
            for arg in args.iter_mut() {
                arg.marks = self.marks.join(arg.marks, ambient);
            }
        }
        let mut kept = self.spare_args.pop().unwrap_or_default();
        kept.extend_from_slice(args);
        Some(kept)
    }

    /// Gives the room of some arguments back.
    pub(super) fn spare(&mut self, mut args: Vec<Value>) {
        args.clear();
        self.spare_args.push(args);
    }

    /// Marks for what the ambient answered to a call.
    pub(super) fn ambient_marks(&mut self, context: &Context<'_>, node: NodeId, running: &Running) -> Marks {
        let mut marks = Marks::NONE;
        for &effect in &running.noted {
            let kind = match effect {
                Effect::Pure => continue,
                Effect::Random => AmbientKind::Random,
                Effect::Clock => AmbientKind::Clock,
                Effect::Cluster => AmbientKind::Lookup,
                Effect::Host => AmbientKind::Host,
                Effect::MapOrder => AmbientKind::MapOrder,
            };
            let one = self.marks.ambient(Ambient {
                kind,
                call: context.unit.text_of(node).into(),
                frame: context.frame,
                node,
                draw: match kind {
                    AmbientKind::Random => FxBuildHasher.hash_one(&running.seed),
                    _ => 0,
                },
            });
            marks = self.marks.join(marks, one);
        }
        marks
    }

    /// A mark for what the cluster answered, which names the object that was asked for.
    fn lookup_mark(&mut self, context: &Context<'_>, node: NodeId, name: &str, args: &[Value]) -> Marks {
        let mut call = name.to_owned();
        for arg in args {
            let arg = std::slice::from_ref(arg);
            let printed = crate::value::print::sprintf(b"%#v", arg, self.options.dialect, false);
            call.push(' ');
            call.push_str(&String::from_utf8_lossy(&printed.bytes));
        }
        self.marks.ambient(Ambient {
            kind: AmbientKind::Lookup,
            call: call.into(),
            frame: context.frame,
            node,
            draw: 0,
        })
    }

    /// The marks of a function's result, unless its body set them: the union of what went in.
    pub(super) fn mark_result(
        &mut self,
        context: &Context<'_>,
        node: NodeId,
        running: &Running,
        result: &mut Value,
        args: &[Value],
    ) {
        let ambient = match running.noted[..] {
            [Effect::Cluster] => self.lookup_mark(context, node, running.name, args),
            _ => self.ambient_marks(context, node, running),
        };
        if result.marks.is_none() {
            result.marks = self.union(result, args);
        } else {
            self.note_read(result.marks);
        }
        if running.order_free {
            result.marks = self.marks.without(result.marks, AmbientKind::MapOrder);
        }
        result.marks = self.marks.join(result.marks, running.decided);
        if ambient.is_none() {
            return;
        }
        result.marks = self.marks.join(result.marks, ambient);
        if let Data::Str(text) = &result.data
            && let Some(spans) = text.spans()
        {
            let spans = spans
                .iter()
                .map(|span| Span {
                    marks: self.marks.join(span.marks, ambient),
                    ..*span
                })
                .collect();
            result.data = Data::Str(Text::with_spans(text.bytes(), spans));
        }
    }

    fn union(&mut self, result: &Value, args: &[Value]) -> Marks {
        if let Data::Str(text) = &result.data
            && args
                .iter()
                .any(|arg| matches!(arg.data, Data::List(_) | Data::Map(_)))
        {
            // What a function wrote of a container, it has read.
            for span in text.spans().unwrap_or_default() {
                self.note_read(span.marks);
            }
        }
        let mut marks = Marks::NONE;
        for arg in args {
            let of_arg = match &result.data {
                // The pieces know their marks; the whole knows what else decided about it.
                Data::Str(text) if text.spans().is_some() => match arg.data {
                    Data::Str(_) => arg.marks,
                    _ => Marks::NONE,
                },
                // A text put together from a container has read all of it; one taken out of it has not.
                Data::Str(text) | Data::Bytes(text) if !text.is_empty() => match item_of(arg, text) {
                    Some(item) => {
                        self.note_read(arg.marks);
                        self.note_read(item.marks);
                        self.whole(&item)
                    }
                    None => self.deep(arg),
                },
                Data::List(_) | Data::Map(_) if holds(result, arg) => Marks::NONE,
                _ => self.whole(arg),
            };
            marks = self.marks.join(marks, of_arg);
        }
        marks
    }

    /// A span for bytes that a node wrote.
    pub(super) fn span(&self, context: &Context<'_>, node: NodeId, marks: Marks) -> Span {
        Span {
            end: 0,
            frame: context.frame,
            node,
            marks,
            control: self.control,
        }
    }

    /// Covers an emitted text, whose pieces know who wrote them; the rest is this node's work.
    pub(super) fn cover_text(&mut self, context: &Context<'_>, node: NodeId, start: usize, spans: &[Span]) {
        for span in spans {
            let mut span = *span;
            if span.node == 0 {
                (span.frame, span.node) = (context.frame, node);
            }
            span.control = self.marks.join(span.control, self.control);
            self.output.cover_to(start + span.end as usize, span);
        }
    }

    /// Names a call for randomness: the function, its arguments and the text of the action around it, but not
    /// where it stands, so that moved code draws the same.
    pub(super) fn seed(&mut self, context: &Context<'_>, name: &str, args: &[Value]) -> Vec<u8> {
        let mut seed = name.as_bytes().to_vec();
        for arg in args {
            seed.push(0);
            let arg = std::slice::from_ref(arg);
            let printed = crate::value::print::sprintf(b"%#v", arg, self.options.dialect, false);
            seed.extend_from_slice(&printed.bytes);
        }
        seed.push(0);
        let node = match *context.unit.node(self.action) {
            Node::Branch { pipe, .. } => pipe,
            _ => self.action,
        };
        context.unit.write(&mut seed, node);
        let count = self.draws.entry(seed.clone()).or_default();
        *count += 1;
        seed.push(0);
        seed.extend_from_slice(count.to_string().as_bytes());
        seed
    }
}

/// The item of a container that is a text, as `index`, `get` or `first` take it out.
fn item_of(container: &Value, text: &Text) -> Option<Value> {
    let is_it = |item: &Value| matches!(&item.data, Data::Str(own) if own.bytes() == text.bytes());
    match &container.data {
        Data::List(list) => list.items().iter().find(|item| is_it(item)).cloned(),
        Data::Map(map) => map
            .entries()
            .iter()
            .map(|entry| &entry.1)
            .find(|item| is_it(item))
            .cloned(),
        _ => None,
    }
}

/// True when a container holds a value with the very marks of the argument: it need not carry them itself.
fn holds(container: &Value, arg: &Value) -> bool {
    let same = |item: &Value| item.marks == arg.marks;
    match &container.data {
        Data::List(list) => list.items().iter().any(same),
        Data::Map(map) => map.entries().iter().any(|entry| same(&entry.1)),
        _ => false,
    }
}
