//! The secrets that are known from the documents themselves, looked for in everything else that is shown.
//!
//! A value is looked for from six characters on; shorter ones would hide half of every text. One that mixes
//! kinds of characters is unmistakable and is found inside longer texts; a plain word (`postgres`) is not, and
//! is hidden only where it is the whole value or stands alone in prose. What is also the name of an object
//! is public and not looked for.

use super::context::{self, Context};
use super::{base64, names, scalar_text, scan};
use crate::yaml::{Node, NodeKind};
use std::collections::BTreeSet;

/// Shorter values are not looked for.
const SHORTEST: usize = 6;

/// Values that must not appear anywhere.
#[derive(Clone, Debug, Default)]
pub struct KnownSecrets {
    values: BTreeSet<String>,
    public: BTreeSet<String>,
}

impl KnownSecrets {
    /// Nothing is known.
    pub fn new() -> KnownSecrets {
        KnownSecrets::default()
    }

    /// Learns the secrets of a document, and what its names are.
    pub fn document(&mut self, root: &Node) {
        for path in [&["kind"][..], &["metadata", "name"], &["metadata", "namespace"]] {
            let name = path.iter().try_fold(root, |node, key| node.get(key));
            if let Some(name) = name.and_then(Node::as_str) {
                self.public(name);
            }
        }
        self.learn(&Context::Open, "", root);
    }

    /// Learns what stands behind colons in the text of a document that cannot be parsed, if it is a Secret.
    pub fn unreadable(&mut self, text: &str) {
        if !text.contains("Secret") {
            return;
        }
        for line in text.lines() {
            let value = line.split_once(':').map_or(line, |(_, value)| value);
            let value = value.trim().trim_matches(['"', '\'', '*', '&', '|', '>']);
            self.secret("", value, true);
        }
    }

    /// Learns the secrets of a values file: strings under names that say so.
    pub fn values(&mut self, root: &Node) {
        self.learn(&Context::Open, "", root);
    }

    /// Declares a name that is not secret, whatever else holds the same text: a release, a chart.
    pub fn public(&mut self, name: &str) {
        self.public.insert(name.to_owned());
    }

    /// Adds what another lot knows.
    pub fn merge(&mut self, other: &KnownSecrets) {
        self.values.extend(other.values.iter().cloned());
        self.public.extend(other.public.iter().cloned());
    }

    /// True when a whole value is a known secret.
    pub(super) fn equals(&self, text: &str) -> bool {
        let text = text.trim();
        self.values.contains(text) && !self.public.contains(text)
    }

    /// The spans of a value that are known secrets.
    pub(super) fn find_in_value(&self, text: &str) -> Vec<scan::Span> {
        if self.equals(text) {
            return std::iter::once(0..text.len()).collect();
        }
        self.find(text, false)
    }

    /// The spans of a sentence that are known secrets.
    pub(super) fn find_in_prose(&self, text: &str) -> Vec<scan::Span> {
        self.find(text, true)
    }

    fn find(&self, text: &str, words_too: bool) -> Vec<scan::Span> {
        let mut spans = Vec::new();
        for value in self.values.iter().filter(|value| value.len() <= text.len()) {
            let strong = is_unmistakable(value);
            if !strong && !words_too || self.public.contains(value) {
                continue;
            }
            for start in memchr::memmem::find_iter(text.as_bytes(), value.as_bytes()) {
                let end = start + value.len();
                if strong || stands_alone(text, start, end) {
                    spans.push(start..end);
                }
            }
        }
        spans
    }

    fn learn(&mut self, context: &Context<'_>, key: &str, node: &Node) {
        match &node.kind {
            NodeKind::Map(entries) => {
                for entry in entries.iter() {
                    self.learn(&context.entry(node, &entry.key), &entry.key, &entry.value);
                }
            }
            NodeKind::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.learn(&context.element(node, index), key, item);
                }
            }
            _ if context::is_scalar(node) => {
                let text = scalar_text(node);
                if context.hides(&text, node.as_str().is_some()) {
                    self.secret(key, &text, *context == Context::Secret);
                }
            }
            _ => {}
        }
    }

    /// Learns one value of a Secret, as it stands, decoded and encoded.
    fn secret(&mut self, key: &str, text: &str, from_secret: bool) {
        if names::is_identity(key) {
            return;
        }
        self.add(text);
        if !from_secret {
            return;
        }
        self.add(&base64::encode(text.as_bytes()));
        let decoded = base64::decode(text).and_then(|bytes| String::from_utf8(bytes).ok());
        for content in [Some(text), decoded.as_deref()].into_iter().flatten() {
            // A file inside a Secret: what it assigns is as secret as the whole.
            for span in scan::find(content, scan::Kind::Value) {
                self.add(&content[span]);
            }
        }
        if let Some(decoded) = decoded {
            self.add(&decoded);
        }
    }

    fn add(&mut self, text: &str) {
        let text = text.trim();
        if text.chars().count() >= SHORTEST && !names::is_blank_or_switch(text) {
            self.values.insert(text.to_owned());
        }
    }
}

/// True for a value that no ordinary word or number equals by chance.
fn is_unmistakable(value: &str) -> bool {
    let kinds = [
        value.chars().any(char::is_lowercase),
        value.chars().any(char::is_uppercase),
        value.chars().any(|c| c.is_ascii_digit()),
        value.chars().any(|c| !c.is_alphanumeric()),
    ];
    value.len() >= 20 || kinds.into_iter().filter(|kind| *kind).count() >= 2
}

/// True when no letter or digit touches the span.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let touches = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !touches(text[..start].chars().next_back()) && !touches(text[end..].chars().next())
}
