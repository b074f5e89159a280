//! Secrets stop here. Everything a report says that may quote a chart, a values file or a document passes
//! through a `Mask` once, when the model is built; the formats only ever see what came out.
//!
//! What is masked, and why it is drawn there:
//! - every value under `data` and `stringData` of a Secret, also of one inside a List, a Template or any other
//!   object; keys stay visible;
//! - the annotation `kubectl.kubernetes.io/last-applied-configuration`, on every kind;
//! - a literal value of an environment variable, a ConfigMap entry, a map key or a command line flag whose name
//!   says that it is a secret (see `names`); switches, numbers of tokens, references such as `$(VAR)`, names of
//!   Secrets and paths of files are not;
//! - inside any text: passwords in URLs, private keys, bearer tokens, `name=value` and `name: value` with such a
//!   name (see `scan`);
//! - any text that equals, or where it is unmistakable contains, a value of the cell's Secrets of six characters
//!   or more, plain or base64, so that neither an error nor another document gives it away (see `known`).
//!
//! A stand-in is a short digest under a key drawn anew for each run: equality shows, the value does not, and
//! digests of two runs cannot be compared. Raw values leave the process only through `ShowSecrets`, which only
//! a terminal gets; without it they are not even kept.

mod base64;
mod context;
mod known;
mod names;
mod scan;
mod shown;

pub use known::KnownSecrets;
pub use shown::{ShowSecrets, Shown, ShownPath, ShownText, StandIn};

use crate::base::keypath::{KeyPath, Step};
use crate::manifest::DocumentId;
use crate::yaml::{Node, NodeKind, Number};
use context::Context;
use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher as _, RandomState};
use std::sync::Arc;

/// The key of a run, and whether raw values are kept for a terminal.
#[derive(Clone)]
pub struct Redactor {
    key: [u8; 32],
    keep: bool,
}

impl Redactor {
    /// Draws the key of a run. `keep` holds on to raw values, for a terminal that was asked to show them.
    pub fn new(keep: bool) -> Redactor {
        let mut key = [0; 32];
        for chunk in key.chunks_mut(8) {
            // Each state is seeded from the system's randomness; hashing nothing gives its output.
            chunk.copy_from_slice(&RandomState::new().build_hasher().finish().to_le_bytes());
        }
        Redactor { key, keep }
    }

    /// A redactor with a given key, for output that has to be the same twice.
    #[cfg(test)]
    pub(crate) fn with_key(key: [u8; 32], keep: bool) -> Redactor {
        Redactor { key, keep }
    }

    /// A mask that also covers the given secrets wherever they occur.
    pub fn mask(&self, known: KnownSecrets) -> Mask {
        Mask {
            redactor: self.clone(),
            known,
        }
    }

    fn stand_in(&self, raw: &str) -> String {
        blake3::keyed_hash(&self.key, raw.as_bytes()).to_hex()[..8].to_owned()
    }
}

/// Turns raw texts and values into what may be shown. One per cell, made from the documents of both sides.
pub struct Mask {
    redactor: Redactor,
    known: KnownSecrets,
}

impl Mask {
    /// A message, a warning, a name: anything in prose.
    pub fn text(&self, raw: &str) -> ShownText {
        let mut spans = scan::find(raw, scan::Kind::Prose);
        spans.extend(self.known.find_in_prose(raw));
        self.cover(raw, spans)
    }

    /// A field of a document. `root` is the whole document of the value's side.
    pub fn value(&self, id: &DocumentId, root: Option<&Node>, path: &KeyPath, value: &Node) -> Shown {
        self.shown(&context::of(&id.kind, root, path), value)
    }

    /// A path: keys and names of elements stay, unless one of them is a known secret.
    pub fn path(&self, path: &KeyPath) -> ShownPath {
        let steps = path.0.iter().map(|step| match step {
            Step::Key(key) => Step::Key(self.key(key).to_string()),
            Step::Index(index) => Step::Index(*index),
            Step::Element { key, value } => Step::Element {
                key: key.clone(),
                value: self.key(value).to_string(),
            },
        });
        ShownPath::new(KeyPath(steps.collect()))
    }

    /// A key of a mapping.
    fn key<'a>(&self, key: &'a str) -> Cow<'a, str> {
        match self.known.find_in_value(key) {
            spans if spans.is_empty() => Cow::Borrowed(key),
            spans => Cow::Owned(self.cover(key, spans).to_string()),
        }
    }

    fn shown(&self, context: &Context<'_>, node: &Node) -> Shown {
        match &node.kind {
            NodeKind::Map(entries) => {
                let inside = context.inside(node);
                let parts: Vec<(Arc<str>, Shown)> = entries
                    .iter()
                    .map(|entry| {
                        let inner = inside.entry(&entry.key);
                        let key = match self.key(&entry.key) {
                            Cow::Borrowed(_) => entry.key.clone(),
                            Cow::Owned(covered) => covered.into(),
                        };
                        (key, self.shown(&inner, &entry.value))
                    })
                    .collect();
                let is_plain = parts
                    .iter()
                    .zip(entries.iter())
                    .all(|((key, part), entry)| matches!(part, Shown::Plain(_)) && *key == entry.key);
                if is_plain {
                    return Shown::Plain(node.clone());
                }
                Shown::Map(parts)
            }
            NodeKind::List(items) => {
                let parts: Vec<Shown> = (0..items.len())
                    .map(|index| self.shown(&context.element(node, index), &items[index]))
                    .collect();
                if parts.iter().all(|part| matches!(part, Shown::Plain(_))) {
                    return Shown::Plain(node.clone());
                }
                Shown::List(parts)
            }
            NodeKind::Null => Shown::Plain(node.clone()),
            NodeKind::Bool(_) | NodeKind::Number(_) | NodeKind::Str(_) => self.scalar(context, node),
        }
    }

    fn scalar(&self, context: &Context<'_>, node: &Node) -> Shown {
        let text = scalar_text(node);
        let is_string = node.as_str().is_some();
        if context.hides(&text, is_string) || is_string && self.known.equals(&text) {
            return Shown::Masked(StandIn::new(
                self.redactor.stand_in(&text),
                self.redactor.keep.then(|| node.clone()),
            ));
        }
        if !is_string {
            return Shown::Plain(node.clone());
        }
        let mut spans = scan::find(&text, scan::Kind::Value);
        spans.extend(self.known.find_in_value(&text));
        if spans.is_empty() {
            return Shown::Plain(node.clone());
        }
        Shown::Text(self.cover(&text, spans))
    }

    /// Replaces the spans of a text by stand-ins.
    fn cover(&self, raw: &str, spans: Vec<scan::Span>) -> ShownText {
        if spans.is_empty() {
            return ShownText::plain(raw);
        }
        let mut masked = String::with_capacity(raw.len());
        let mut at = 0;
        for span in scan::merged(spans) {
            masked.push_str(&raw[at..span.start]);
            masked.push_str("[redacted ");
            masked.push_str(&self.redactor.stand_in(&raw[span.clone()]));
            masked.push(']');
            at = span.end;
        }
        masked.push_str(&raw[at..]);
        ShownText::masked(masked, self.redactor.keep.then_some(raw))
    }
}

fn scalar_text(node: &Node) -> String {
    match &node.kind {
        NodeKind::Str(text) => text.to_string(),
        NodeKind::Bool(value) => value.to_string(),
        NodeKind::Number(Number::Int(value)) => value.to_string(),
        NodeKind::Number(Number::Uint(value)) => value.to_string(),
        NodeKind::Number(Number::Float(value)) => value.to_string(),
        NodeKind::Null | NodeKind::List(_) | NodeKind::Map(_) => String::new(),
    }
}

#[cfg(test)]
mod tests;
