//! How a document is written, apart from what it says: comments, styles, notation, layout.
//!
//! Used for two things only: to name the rules that made two texts equal, and to keep a difference that a
//! rule switched off would not set aside. Verdicts under the default rules never depend on it.

use super::canon::framed;
use super::comments::comments;
use super::document::Document;
use super::rules::{Rule, Rules};
use super::scalar;
use crate::yaml::{Mark, Node, NodeKind};
use std::borrow::Cow;

/// The rules that set facts of writing aside.
pub(super) const RULES: Rules = Rules::of(&[
    Rule::Comments,
    Rule::NumberForm,
    Rule::ScalarStyle,
    Rule::SourceComment,
    Rule::Whitespace,
]);

/// How a document is written. Each list is in the order of the canonical form, so that documents which
/// differ in the order of their keys can still be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts<'t> {
    source: &'t str,
    comments: Vec<Fact<'t>>,
    styles: Vec<Fact<'t>>,
    numbers: Vec<Fact<'t>>,
    layout: Vec<Fact<'t>>,
}

/// One fact.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact<'t> {
    /// Of a node that is not in the text: it is written like any other.
    Unwritten,
    /// What is written.
    Text(Cow<'t, str>),
    /// The column of a node, and the gap behind its key.
    Columns(u32, u32),
}

impl Fact<'_> {
    fn differs(&self, other: &Fact<'_>) -> bool {
        !matches!(self, Fact::Unwritten) && !matches!(other, Fact::Unwritten) && self != other
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Fact::Unwritten => framed(b"", out),
            Fact::Text(text) => framed(text.as_bytes(), out),
            Fact::Columns(column, gap) => framed(format!("{column} {gap}").as_bytes(), out),
        }
    }
}

impl<'t> From<&'t str> for Fact<'t> {
    fn from(text: &'t str) -> Fact<'t> {
        Fact::Text(Cow::Borrowed(text))
    }
}

impl<'t> Facts<'t> {
    fn list(&self, rule: Rule) -> Cow<'_, [Fact<'t>]> {
        match rule {
            Rule::Comments => Cow::Borrowed(&self.comments),
            Rule::NumberForm => Cow::Borrowed(&self.numbers),
            Rule::ScalarStyle => Cow::Borrowed(&self.styles),
            Rule::SourceComment => Cow::Owned(vec![Fact::from(self.source)]),
            Rule::Whitespace => Cow::Borrowed(&self.layout),
            _ => Cow::Borrowed(&[]),
        }
    }

    /// The rules that two writings need to be taken for one.
    pub fn needed(&self, other: &Facts<'_>) -> Rules {
        RULES
            .iter()
            .filter(|rule| {
                let (a, b) = (self.list(*rule), other.list(*rule));
                a.len() != b.len() || a.iter().zip(b.iter()).any(|(a, b)| a.differs(b))
            })
            .collect()
    }

    /// Writes the facts of some rules so that no two different lists give the same bytes.
    pub fn encode(&self, rules: Rules, out: &mut Vec<u8>) {
        for rule in rules.iter() {
            framed(rule.name().as_bytes(), out);
            let list = self.list(rule);
            out.extend_from_slice(&(list.len() as u64).to_le_bytes());
            for fact in list.iter() {
                fact.encode(out);
            }
        }
    }
}

/// How a document is written; `text` is its text, `canonical` its canonical form with the marks of the text.
pub(super) fn facts<'t>(document: &'t Document, text: &'t str, canonical: &Node) -> Facts<'t> {
    let mut facts = Facts {
        source: document.source().unwrap_or_default(),
        ..Facts::default()
    };
    // The text of an item is that of its whole list, whose comments are not the item's.
    if document.item().is_none() {
        let (mut comments, rest) = comments(text);
        comments.sort_unstable();
        facts.comments = comments.into_iter().map(Fact::from).collect();
        facts.layout = rest
            .into_iter()
            .map(|line| Fact::Text(Cow::Owned(line)))
            .collect();
    }
    walk(canonical, None, text, &mut facts);
    facts
}

fn walk<'t>(node: &Node, key: Option<Mark>, text: &'t str, facts: &mut Facts<'t>) {
    if node.mark.line == 0 {
        facts.styles.push(Fact::Unwritten);
        facts.layout.push(Fact::Unwritten);
        return;
    }
    let written = text.get(node.mark.offset as usize..).unwrap_or_default();
    let gap = key
        .filter(|key| key.line == node.mark.line && !node.is_null())
        .map_or(0, |key| node.mark.column.saturating_sub(key.column));
    let column = leading_column(text, key.unwrap_or(node.mark));
    facts.layout.push(Fact::Columns(column, gap));
    let style_of_node = match &node.kind {
        NodeKind::Map(_) | NodeKind::List(_) => Fact::from(style(written)),
        NodeKind::Str(_) => string_style(written),
        NodeKind::Number(_) => {
            let token = token(written);
            if is_decimal(token) {
                facts.numbers.push(Fact::from(token));
                Fact::from("decimal")
            } else {
                let number = scalar::text(node).map(|text| Fact::Text(Cow::Owned(text)));
                facts.numbers.push(number.unwrap_or(Fact::Unwritten));
                Fact::from(token)
            }
        }
        NodeKind::Null | NodeKind::Bool(_) => Fact::from(token(written)),
    };
    facts.styles.push(style_of_node);
    for item in node.items() {
        walk(item, None, text, facts);
    }
    for entry in node.entries() {
        let key = text.get(entry.mark.offset as usize..).unwrap_or_default();
        facts.styles.push(match entry.mark.line {
            0 => Fact::Unwritten,
            _ => Fact::from(style(key)),
        });
        walk(&entry.value, Some(entry.mark), text, facts);
    }
}

/// The column of what stands first in its line; 0 for the rest, whose column says nothing about layout.
fn leading_column(text: &str, mark: Mark) -> u32 {
    let before = text.get(..mark.offset as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.bytes().all(|byte| byte == b' ' || byte == b'-') {
        mark.column
    } else {
        0
    }
}

/// The style that the first character of a node gives away.
fn style(written: &str) -> &'static str {
    match written.as_bytes().first() {
        Some(b'"') => "double-quoted",
        Some(b'\'') => "single-quoted",
        Some(b'|') => "literal",
        Some(b'>') => "folded",
        Some(b'{') => "flow map",
        Some(b'[') => "flow list",
        Some(b'&') => "anchor",
        Some(b'*') => "alias",
        Some(b'!') => "tag",
        _ => "plain",
    }
}

/// The style of a string; with its spelling where one style has several for the same text.
fn string_style(written: &str) -> Fact<'_> {
    let style = style(written);
    match style {
        "double-quoted" if quoted(written).contains('\\') => {
            let squeezed: String = quoted(written).split_whitespace().collect();
            Fact::Text(Cow::Owned(format!("{style} {squeezed}")))
        }
        "literal" | "folded" => {
            let header = written.split(['\n', ' ', '\r']).next().unwrap_or_default();
            Fact::from(header)
        }
        "anchor" | "alias" | "tag" => Fact::from(token(written)),
        _ => Fact::from(style),
    }
}

/// A double-quoted scalar, without its quotes.
fn quoted(written: &str) -> &str {
    let inner = &written[1..];
    let mut escaped = false;
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'"' if !escaped => return &inner[..at],
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    inner
}

/// The plain scalar at the beginning of a text that can hold no white space. An empty null gives whatever
/// stands there instead, cut to nothing when that is the next key.
fn token(written: &str) -> &str {
    let end = written
        .find(|c: char| c.is_whitespace() || ",]}".contains(c))
        .unwrap_or(written.len());
    let token = &written[..end];
    if token.ends_with(':') || token.starts_with(['-', '#']) && token.len() == 1 {
        ""
    } else {
        token
    }
}

fn is_decimal(token: &str) -> bool {
    let digits = token.trim_start_matches(['-', '+']);
    let octal =
        digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    !octal
        && digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte))
}
