//! The secrets that are known from the documents themselves, looked for in everything else that is shown.
//!
//! A value is looked for from six characters on; shorter ones would hide half of every text. One that mixes
//! kinds of characters is unmistakable and is found inside longer texts. A plain word (`postgres`) is found where
//! it stands alone in prose and, if its key says that it is a secret and it has eight letters, in values too; else
//! only where it is the whole value. What is also the name of an object is public and not looked for.

use super::context::{self, Context};
use super::{base64, names, scalar_text, scan};
use crate::yaml::{Node, NodeKind};
use std::collections::{BTreeMap, BTreeSet};

/// Shorter values are not looked for.
const SHORTEST: usize = 6;

/// Words of so many letters are looked for inside values if they are certainly secrets.
const LONG_WORD: usize = 8;

/// Labels that repeat the name of an application.
const NAME_LABELS: [&str; 4] = [
    "app",
    "app.kubernetes.io/component",
    "app.kubernetes.io/name",
    "k8s-app",
];

/// Where a value is looked for. Each covers more than the ones before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// Whole values, and words of prose.
    Prose,
    /// Words of values too.
    Words,
    /// Everywhere.
    Everywhere,
}

/// Values that must not appear anywhere.
#[derive(Clone, Debug, Default)]
pub struct KnownSecrets {
    values: BTreeMap<String, Reach>,
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
        let labels = root.get("metadata").and_then(|metadata| metadata.get("labels"));
        for label in NAME_LABELS {
            if let Some(name) = labels.and_then(|labels| labels.get(label)).and_then(Node::as_str) {
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

    /// Learns the secrets of a `--set` expression: `auth.password=x,image.tag=y`.
    pub fn expression(&mut self, text: &str) {
        for span in scan::find(text, scan::Kind::Prose) {
            self.add(&text[span], true);
        }
    }

    /// Declares a name that is not secret, whatever else holds the same text: a release, a chart.
    pub fn public(&mut self, name: &str) {
        self.public.insert(name.to_owned());
    }

    /// Adds what another lot knows.
    pub fn merge(&mut self, other: &KnownSecrets) {
        for (value, reach) in &other.values {
            self.insert(value.clone(), *reach);
        }
        self.public.extend(other.public.iter().cloned());
    }

    /// True when a whole value is a known secret.
    pub(super) fn equals(&self, text: &str) -> bool {
        let text = text.trim();
        self.values.contains_key(text) && !self.public.contains(text)
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

    fn find(&self, text: &str, prose: bool) -> Vec<scan::Span> {
        let mut spans = Vec::new();
        for (value, reach) in self.values.iter().filter(|(value, _)| value.len() <= text.len()) {
            if *reach == Reach::Prose && !prose || self.public.contains(value) {
                continue;
            }
            for start in memchr::memmem::find_iter(text.as_bytes(), value.as_bytes()) {
                let end = start + value.len();
                if *reach == Reach::Everywhere || stands_alone(text, start, end) {
                    spans.push(start..end);
                }
            }
        }
        spans
    }

    fn learn(&mut self, context: &Context<'_>, key: &str, node: &Node) {
        match &node.kind {
            NodeKind::Map(entries) => {
                let inside = context.inside(node);
                for entry in entries.iter() {
                    self.learn(&inside.entry(&entry.key), &entry.key, &entry.value);
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

    /// Learns one value; one of a Secret also decoded and encoded.
    fn secret(&mut self, key: &str, text: &str, from_secret: bool) {
        if names::is_identity(key) {
            return;
        }
        let telling = !from_secret || names::is_secret_key(key) || names::is_secret_variable(key);
        self.add(text, telling);
        if !from_secret {
            return;
        }
        self.add(&base64::encode(text.as_bytes()), telling);
        let decoded = base64::decode(text).and_then(|bytes| String::from_utf8(bytes).ok());
        for content in [Some(text), decoded.as_deref()].into_iter().flatten() {
            // A file inside a Secret: what it assigns is as secret as the whole.
            for span in scan::find(content, scan::Kind::Value) {
                self.add(&content[span], true);
            }
        }
        if let Some(decoded) = decoded {
            self.add(&decoded, telling);
        }
    }

    fn add(&mut self, text: &str, telling: bool) {
        let text = text.trim();
        let length = text.chars().count();
        if length < SHORTEST || names::is_blank_or_switch(text) {
            return;
        }
        let reach = if is_unmistakable(text) {
            Reach::Everywhere
        } else if telling && length >= LONG_WORD {
            Reach::Words
        } else {
            Reach::Prose
        };
        self.insert(text.to_owned(), reach);
    }

    fn insert(&mut self, value: String, reach: Reach) {
        let known = self.values.entry(value).or_insert(reach);
        *known = (*known).max(reach);
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

/// True when no letter or digit touches the span, or only the `-p` of a command line.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let touches = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let before = &text[..start];
    (!touches(before.chars().next_back()) || before.ends_with(" -p")) && !touches(text[end..].chars().next())
}
