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
pub(super) struct Facts {
    source: String,
    comments: Vec<Fact>,
    styles: Vec<Fact>,
    numbers: Vec<Fact>,
    layout: Vec<Fact>,
}

/// `None` for a node that is not in the text: it is written like any other.
type Fact = Option<String>;

impl Facts {
    fn list(&self, rule: Rule) -> Cow<'_, [Fact]> {
        match rule {
            Rule::Comments => Cow::Borrowed(&self.comments),
            Rule::NumberForm => Cow::Borrowed(&self.numbers),
            Rule::ScalarStyle => Cow::Borrowed(&self.styles),
            Rule::SourceComment => Cow::Owned(vec![Some(self.source.clone())]),
            Rule::Whitespace => Cow::Borrowed(&self.layout),
            _ => Cow::Borrowed(&[]),
        }
    }

    /// The rules that two writings need to be taken for one.
    pub fn needed(&self, other: &Facts) -> Rules {
        RULES
            .iter()
            .filter(|rule| {
                let (a, b) = (self.list(*rule), other.list(*rule));
                let differs = |(a, b): (&Fact, &Fact)| a.is_some() && b.is_some() && a != b;
                a.len() != b.len() || a.iter().zip(b.iter()).any(differs)
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
                framed(fact.as_deref().unwrap_or_default().as_bytes(), out);
            }
        }
    }
}

/// How a document is written; `canonical` is its canonical form, with the marks of the text.
pub(super) fn facts(document: &Document, canonical: &Node) -> Facts {
    let text = String::from_utf8_lossy(document.text());
    let mut facts = Facts {
        source: document.source().unwrap_or_default().to_owned(),
        ..Facts::default()
    };
    // The text of an item is that of its whole list, whose comments are not the item's.
    if document.item().is_none() {
        let (comments, rest) = comments(&text);
        facts.comments = comments.into_iter().map(Some).collect();
        facts.comments.sort();
        facts.layout = rest.into_iter().map(Some).collect();
    }
    walk(canonical, None, &text, &mut facts);
    facts
}

fn walk(node: &Node, key: Option<Mark>, text: &str, facts: &mut Facts) {
    if node.mark.line == 0 {
        facts.styles.push(None);
        facts.layout.push(None);
        return;
    }
    let written = text.get(node.mark.offset as usize..).unwrap_or_default();
    let gap = key
        .filter(|key| key.line == node.mark.line && !node.is_null())
        .map_or(0, |key| node.mark.column.saturating_sub(key.column));
    let column = leading_column(text, key.unwrap_or(node.mark));
    facts.layout.push(Some(format!("{column} {gap}")));
    let style_of_node = match &node.kind {
        NodeKind::Map(_) | NodeKind::List(_) => style(written).to_owned(),
        NodeKind::Str(_) => string_style(written),
        NodeKind::Number(_) => {
            let token = token(written);
            if is_decimal(token) {
                facts.numbers.push(Some(token.to_owned()));
                "decimal".to_owned()
            } else {
                facts.numbers.push(scalar::text(node));
                token.to_owned()
            }
        }
        NodeKind::Null | NodeKind::Bool(_) => token(written).to_owned(),
    };
    facts.styles.push(Some(style_of_node));
    for item in node.items() {
        walk(item, None, text, facts);
    }
    for entry in node.entries() {
        let key = text.get(entry.mark.offset as usize..).unwrap_or_default();
        facts
            .styles
            .push((entry.mark.line > 0).then(|| style(key).to_owned()));
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
fn string_style(written: &str) -> String {
    let style = style(written);
    match style {
        "double-quoted" if quoted(written).contains('\\') => {
            let squeezed: String = quoted(written).split_whitespace().collect();
            format!("{style} {squeezed}")
        }
        "literal" | "folded" => {
            let header = written.split(['\n', ' ', '\r']).next().unwrap_or_default();
            header.to_owned()
        }
        "anchor" | "alias" | "tag" => token(written).to_owned(),
        _ => style.to_owned(),
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
