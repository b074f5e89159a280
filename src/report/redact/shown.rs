//! What may be shown. A raw value is reachable only with `ShowSecrets` in hand.

use crate::base::KeyPath;
use crate::yaml::Node;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// The right to see raw values. Only a terminal that was asked to show them gets one.
#[derive(Clone, Copy, Debug)]
pub struct ShowSecrets(());

impl ShowSecrets {
    /// The right, if the user asked for it and output goes to a terminal.
    pub fn on_terminal(asked: bool, is_terminal: bool) -> Option<ShowSecrets> {
        (asked && is_terminal).then_some(ShowSecrets(()))
    }
}

/// A value of a document, with its secrets replaced.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// Nothing in it is secret.
    Plain(Node),
    /// A string that is secret in parts.
    Text(ShownText),
    /// A scalar that is secret as a whole.
    Masked(StandIn),
    /// A list with a secret somewhere in it.
    List(Vec<Shown>),
    /// A mapping with a secret somewhere in it.
    Map(Vec<(Arc<str>, Shown)>),
}

impl Shown {
    /// True when anything was replaced.
    pub fn is_redacted(&self) -> bool {
        match self {
            Shown::Plain(_) => false,
            Shown::Text(text) => text.is_redacted(),
            Shown::Masked(_) => true,
            Shown::List(items) => items.iter().any(Shown::is_redacted),
            Shown::Map(entries) => entries.iter().any(|(_, value)| value.is_redacted()),
        }
    }
}

/// Stands where a secret was.
#[derive(Clone)]
pub struct StandIn {
    hex: String,
    raw: Option<Node>,
}

impl StandIn {
    pub(super) fn new(hex: String, raw: Option<Node>) -> StandIn {
        StandIn { hex, raw }
    }

    /// Eight hex digits: equal within one run where the values are equal.
    pub fn hex(&self) -> &str {
        &self.hex
    }

    /// The value itself, if it was kept.
    pub fn reveal(&self, _right: ShowSecrets) -> Option<&Node> {
        self.raw.as_ref()
    }
}

impl PartialEq for StandIn {
    fn eq(&self, other: &StandIn) -> bool {
        self.hex == other.hex
    }
}

impl fmt::Debug for StandIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "redacted {}", self.hex)
    }
}

/// A path with its secrets replaced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShownPath(KeyPath);

impl ShownPath {
    pub(super) fn new(path: KeyPath) -> ShownPath {
        ShownPath(path)
    }

    /// The path as any format may show it.
    pub fn path(&self) -> &KeyPath {
        &self.0
    }
}

impl fmt::Display for ShownPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text with its secrets replaced by `[redacted 1a2b3c4d]`.
#[derive(Clone)]
pub struct ShownText {
    text: Arc<str>,
    raw: Option<Arc<str>>,
    redacted: bool,
}

impl ShownText {
    /// A text of our own that quotes nothing.
    pub fn ours(text: &'static str) -> ShownText {
        ShownText::plain(text)
    }

    pub(super) fn plain(text: &str) -> ShownText {
        ShownText {
            text: text.into(),
            raw: None,
            redacted: false,
        }
    }

    pub(super) fn masked(text: String, raw: Option<&str>) -> ShownText {
        ShownText {
            text: text.into(),
            raw: raw.map(Arc::from),
            redacted: true,
        }
    }

    /// The text as any format may show it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True when anything was replaced.
    pub fn is_redacted(&self) -> bool {
        self.redacted
    }

    /// The text as a terminal with the right to it sees it.
    pub fn reveal(&self, _right: ShowSecrets) -> &str {
        self.raw.as_deref().unwrap_or(&self.text)
    }
}

impl PartialEq for ShownText {
    fn eq(&self, other: &ShownText) -> bool {
        self.text == other.text
    }
}

impl Eq for ShownText {}

impl PartialOrd for ShownText {
    fn partial_cmp(&self, other: &ShownText) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ShownText {
    fn cmp(&self, other: &ShownText) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl fmt::Debug for ShownText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

impl fmt::Display for ShownText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
