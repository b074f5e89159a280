//! `Document`: one Kubernetes object of a render, with its text and, once somebody asks, its data.
//!
//! Parsing is put off until the data are needed: two documents with the same bytes are never parsed. A
//! document that cannot be parsed is kept with the reason, beside the others.

use super::glance;
use super::identity::{DocumentId, Head};
use super::rules::Rules;
use super::scalar;
use super::scope::{ScopeSource, Scopes};
use crate::base::Digest;
use crate::yaml::{self, Mark, Node};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// How deep the data of a document may be nested.
const MAX_DEPTH: u32 = 500;

/// One Kubernetes object of a render.
#[derive(Clone, Debug)]
pub struct Document {
    id: DocumentId,
    scope: ScopeSource,
    head: Head,
    occurrence: u32,
    source: Option<Arc<str>>,
    text: DocumentText,
    item: Option<u32>,
    hook: Option<Hook>,
    body: Arc<OnceLock<Result<Body, Unreadable>>>,
    digest: Arc<OnceLock<(Rules, Digest)>>,
}

/// Where the text of a document stands.
#[derive(Clone)]
struct DocumentText {
    stream: Arc<[u8]>,
    range: Range<usize>,
    /// Offset of the text in the render; differs from the range once the text was copied out of it.
    offset: usize,
}

impl fmt::Debug for DocumentText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.range)
    }
}

/// The data of a document.
#[derive(Clone, Debug)]
pub struct Body {
    /// The data, as Kubernetes reads the text. Its marks count from the start of the document's text.
    pub node: Node,
    /// What a reader of the text may take otherwise than Kubernetes does.
    pub oddities: Vec<yaml::Oddity>,
}

/// Why a document cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// What is wrong: a lower-case fragment.
    pub message: String,
    /// Where in the document's text, when that is known.
    pub mark: Option<Mark>,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// What the `helm.sh/hook` annotations of a document say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hook {
    /// The events, as written: `pre-install`, `test`, ...
    pub events: Vec<String>,
    /// The weight; 0 where absent or not a number, as in Helm.
    pub weight: i64,
    /// The delete policies, as written.
    pub delete_policies: Vec<String>,
}

impl Hook {
    pub(super) fn of(node: &Node) -> Option<Hook> {
        let annotations = node.get("metadata")?.get("annotations")?;
        let text = |key: &str| annotations.get(key).and_then(scalar::text);
        let list = |value: String| -> Vec<String> {
            value
                .split(',')
                .map(|part| part.trim().to_lowercase())
                .filter(|part| !part.is_empty())
                .collect()
        };
        Some(Hook {
            events: list(text("helm.sh/hook")?),
            weight: text("helm.sh/hook-weight")
                .and_then(|weight| weight.parse().ok())
                .unwrap_or(0),
            delete_policies: text("helm.sh/hook-delete-policy").map(list).unwrap_or_default(),
        })
    }
}

/// A piece of a render that holds a document.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub stream: Arc<[u8]>,
    pub range: Range<usize>,
    pub source: Option<Arc<str>>,
    /// The hook that the list around a document is: Helm reads the annotations of the list alone.
    pub hook: Option<Hook>,
}

impl Slot {
    pub(super) fn text(&self) -> &[u8] {
        &self.stream[self.range.clone()]
    }
}

impl Document {
    /// A document whose identity a glance can tell; `None` when it has to be parsed first.
    pub(super) fn at_a_glance(slot: &Slot, namespace: &Arc<str>, scopes: &Scopes) -> Option<Document> {
        if memchr::memmem::find(slot.text(), b"helm.sh/hook").is_some() {
            return None;
        }
        let head = glance::head(slot.text())?;
        Some(Document::new(
            slot,
            head,
            None,
            namespace,
            scopes,
            OnceLock::new(),
        ))
    }

    /// A document that was parsed already; `item` is its position when it stood in a `List`.
    pub(super) fn parsed(
        slot: &Slot,
        body: Body,
        item: Option<u32>,
        namespace: &Arc<str>,
        scopes: &Scopes,
    ) -> Document {
        let hook = Hook::of(&body.node).or_else(|| slot.hook.clone());
        let head = head_of(&body.node);
        let body = OnceLock::from(Ok(body));
        let mut document = Document::new(slot, head, item, namespace, scopes, body);
        document.hook = hook;
        document
    }

    /// A document that cannot be used. It is named after its source, for want of another name.
    pub(super) fn unreadable(
        slot: &Slot,
        reason: Unreadable,
        item: Option<u32>,
        namespace: &Arc<str>,
        scopes: &Scopes,
    ) -> Document {
        let head = glance::head(slot.text()).unwrap_or_else(|| Head {
            name: slot.source.as_deref().map(str::to_owned),
            ..Head::default()
        });
        let body = OnceLock::from(Err(reason));
        Document::new(slot, head, item, namespace, scopes, body)
    }

    fn new(
        slot: &Slot,
        head: Head,
        item: Option<u32>,
        namespace: &Arc<str>,
        scopes: &Scopes,
        body: OnceLock<Result<Body, Unreadable>>,
    ) -> Document {
        let (id, scope) = head.identify(namespace, scopes);
        Document {
            id,
            scope,
            head,
            occurrence: 1,
            source: slot.source.clone(),
            text: DocumentText {
                stream: Arc::clone(&slot.stream),
                range: slot.range.clone(),
                offset: slot.range.start,
            },
            item,
            hook: None,
            body: Arc::new(body),
            digest: Arc::default(),
        }
    }

    /// Works the identity out again, with more known about custom kinds.
    pub(super) fn settle(&mut self, namespace: &Arc<str>, scopes: &Scopes) {
        (self.id, self.scope) = self.head.identify(namespace, scopes);
    }

    /// Says that this is the n-th document of its identity in the render, counted from 1.
    pub(super) fn count_as(&mut self, occurrence: u32) {
        self.occurrence = occurrence;
    }

    /// Which object this is.
    pub fn id(&self) -> &DocumentId {
        &self.id
    }

    /// How the scope of its kind is known.
    pub fn scope(&self) -> ScopeSource {
        self.scope
    }

    /// The namespace the document itself names, when it names one.
    pub fn declared_namespace(&self) -> Option<&str> {
        self.head.namespace.as_deref()
    }

    /// 1 for the first document of its identity in the render, 2 for the second, ...
    pub fn occurrence(&self) -> u32 {
        self.occurrence
    }

    /// The template or file that gave it: Helm's `# Source` line, or the name of a raw file.
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// What its hook annotations say, when it is a hook.
    pub fn hook(&self) -> Option<&Hook> {
        self.hook.as_ref()
    }

    /// Its position in the `List` it stood in, when it stood in one. Its text is then the whole list's.
    pub fn item(&self) -> Option<u32> {
        self.item
    }

    /// The text after the `# Source` line, up to the next separator.
    pub fn text(&self) -> &[u8] {
        &self.text.stream[self.text.range.clone()]
    }

    /// The text without the blank lines around it.
    pub fn trimmed_text(&self) -> &[u8] {
        trim_blank_lines(self.text())
    }

    /// True when the other document has the same bytes, blank lines around set aside. Such documents need
    /// no parsing. False as well when the blank lines at the end could be part of a value.
    pub fn same_text(&self, other: &Document) -> bool {
        let (a, b) = (self.trimmed_text(), other.trimmed_text());
        let tail = |text: &[u8]| {
            text.iter()
                .rev()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count()
        };
        self.item == other.item
            && a == b
            && (tail(self.text()) == tail(other.text()) || !keeps_blank_lines(a))
    }

    /// Where the text stands in the render.
    pub fn range(&self) -> Range<usize> {
        self.text.offset..self.text.offset + self.text.range.len()
    }

    /// The offset in the render of a position in the data.
    pub fn offset_of(&self, mark: Mark) -> usize {
        self.text.offset + mark.offset as usize
    }

    /// The data; parsed at the first call.
    ///
    /// # Errors
    /// When the text cannot be parsed or is not an object.
    pub fn body(&self) -> Result<&Body, &Unreadable> {
        self.body.get_or_init(|| parse(self.text())).as_ref()
    }

    /// Takes the data of another document over where the text is the same byte for byte, so that it is parsed
    /// once for both.
    pub(super) fn share_body(&mut self, other: &Document) {
        if self.item == other.item && self.text() == other.text() {
            self.body = Arc::clone(&other.body);
        }
    }

    /// The digest under some rules, worked out at the first call for the rules of that call.
    pub(super) fn digest_under(&self, rules: Rules, compute: impl FnOnce() -> Digest) -> Digest {
        match self.digest.get() {
            Some((known, digest)) if *known == rules => *digest,
            Some(_) => compute(),
            None => self.digest.get_or_init(|| (rules, compute())).1,
        }
    }

    /// A copy that does not keep the whole render alive.
    pub fn detached(&self) -> Document {
        let mut copy = self.clone();
        copy.text.stream = Arc::from(self.text());
        copy.text.range = 0..copy.text.stream.len();
        copy
    }
}

/// Parses the text of one document.
pub(super) fn parse(text: &[u8]) -> Result<Body, Unreadable> {
    let parsed = yaml::parse_first(text).map_err(|error| Unreadable {
        message: error.to_string(),
        mark: error.mark(),
    })?;
    check(parsed)
}

/// The data of a document, when it is one.
pub(super) fn check(parsed: yaml::Parsed) -> Result<Body, Unreadable> {
    if !parsed.node.is_map() && !parsed.node.is_null() {
        return Err(Unreadable {
            message: format!("{} where an object was expected", parsed.node.kind_name()),
            mark: Some(parsed.node.mark),
        });
    }
    if !is_shallow(&parsed.node) {
        return Err(Unreadable {
            message: format!("nested more than {MAX_DEPTH} levels deep"),
            mark: Some(parsed.node.mark),
        });
    }
    Ok(Body {
        node: parsed.node,
        oddities: parsed.oddities,
    })
}

/// True when no node lies deeper than the limit. Does not recurse, so that what passes may be recursed into.
fn is_shallow(node: &Node) -> bool {
    let mut open = vec![(node, 0)];
    while let Some((node, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            return false;
        }
        open.extend(node.items().iter().map(|item| (item, depth + 1)));
        open.extend(node.entries().iter().map(|entry| (&entry.value, depth + 1)));
    }
    true
}

fn head_of(node: &Node) -> Head {
    let metadata = |key: &str| {
        node.get("metadata")
            .and_then(|metadata| metadata.get(key))
            .and_then(scalar::text)
    };
    Head {
        api_version: node.get("apiVersion").and_then(scalar::text).unwrap_or_default(),
        kind: node.get("kind").and_then(scalar::text).unwrap_or_default(),
        name: metadata("name"),
        generate_name: metadata("generateName"),
        namespace: metadata("namespace"),
    }
}

/// True when a text may hold a block scalar that keeps the blank lines at its end: `|+` or `>+`.
fn keeps_blank_lines(text: &[u8]) -> bool {
    memchr::memchr_iter(b'+', text).any(|at| {
        let before = text[..at].iter().rev();
        let mut before = before.skip_while(|byte| byte.is_ascii_digit());
        matches!(before.next(), Some(b'|' | b'>'))
    })
}

/// Cuts the blank lines before the first line that is not blank, and all white space after the last.
pub(super) fn trim_blank_lines(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let first = text
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())
        .unwrap_or(0);
    let line = text[..first]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    &text[line..]
}
