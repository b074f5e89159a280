//! Where the fields of a document stand in the text of its render: from a path to bytes, and back.
//!
//! Invariant: offsets count from the start of the render, as the spans of a history do. What is absent: text
//! that several fields share (an alias, a merge key) belongs to the field where it is written.

use super::SideView;
use super::origins::place_at;
use crate::base::{KeyPath, Place, Step};
use crate::manifest::Document;
use crate::yaml::Node;
use std::ops::Range;

/// The bytes of a field's value, without the white space behind it; of the whole entry where the value is not
/// written. `None` when there is no such field, or no data.
pub fn range_of(document: &Document, path: &KeyPath) -> Option<Range<usize>> {
    let mut node = root(document)?;
    let mut start = node.mark.offset as usize;
    let mut end = document.text().len();
    for step in &path.0 {
        let children = children(node);
        let at = children.iter().position(|child| child.is(step))?;
        let child = &children[at];
        let after = children.iter().map(|other| other.start);
        end = after.filter(|&other| other > child.start).min().unwrap_or(end);
        node = child.node;
        start = match (node.mark.offset as usize, node.is_null()) {
            (value, false) if value >= child.start && value < end => value,
            _ => child.start,
        };
    }
    let text = document.text().get(start..end)?;
    let is_leaf = node.entries().is_empty() && node.items().is_empty();
    let text = if is_leaf { scalar(text) } else { text }.trim_ascii_end();
    let text = match text
        .strip_suffix(b"-")
        .filter(|rest| rest.ends_with(b"\n") || rest.ends_with(b" "))
    {
        Some(rest) => rest.trim_ascii_end(),
        None => text,
    };
    let base = document.range().start;
    Some(base + start..base + start + text.len())
}

/// A scalar without what stands behind it: the rest of a flow collection, comments. Block scalars may hold both.
fn scalar(text: &[u8]) -> &[u8] {
    let end = match text.first() {
        Some(b'|' | b'>') => None,
        Some(&quote @ (b'"' | b'\'')) => closing(text, quote),
        _ => {
            let mut comments = memchr::memchr_iter(b'#', text);
            comments.find(|&at| at > 0 && text[at - 1].is_ascii_whitespace())
        }
    };
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Behind the quote that closes the one at the start.
fn closing(text: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        let is_doubled = quote == b'\'' && text.get(at + 1) == Some(&b'\'');
        at += match byte {
            b'\\' if quote == b'"' => 2,
            _ if byte == quote && !is_doubled => return Some(at + 1),
            _ if byte == quote => 2,
            _ => 1,
        };
    }
    None
}

/// The place in the side's tree that wrote a field, when the engine knows.
pub(super) fn place_of(view: &SideView<'_>, document: &Document, path: &KeyPath) -> Option<Place> {
    place_at(view.history?, document, range_of(document, path)?.start)
}

/// The node of a field.
pub(super) fn node_at<'d>(document: &'d Document, path: &KeyPath) -> Option<&'d Node> {
    path.0.iter().try_fold(root(document)?, |node, step| {
        children(node)
            .into_iter()
            .find(|child| child.is(step))
            .map(|child| child.node)
    })
}

/// The innermost field whose text holds an offset; the root when there is none.
pub fn field_at(document: &Document, offset: usize) -> KeyPath {
    let mut path = KeyPath::root();
    let (Some(mut node), Some(offset)) = (root(document), offset.checked_sub(document.range().start)) else {
        return path;
    };
    loop {
        let children = children(node);
        let before = children.iter().filter(|child| child.start <= offset);
        let Some(child) = before.max_by_key(|child| child.start) else {
            return path;
        };
        path.0.push(child.step.owned());
        node = child.node;
    }
}

/// The fields that a range of the render touches, in the order of the text.
pub fn fields_in(document: &Document, range: Range<usize>) -> Vec<KeyPath> {
    let base = document.range().start;
    let (start, end) = (range.start.max(base), range.end.min(document.range().end));
    let Some(text) = document.text().get(start - base..end.max(start) - base) else {
        return Vec::new();
    };
    let is_space = |byte: &&u8| byte.is_ascii_whitespace();
    let Some(first) = text.iter().position(|byte| !byte.is_ascii_whitespace()) else {
        return Vec::new();
    };
    let range = start + first..end - text.iter().rev().take_while(is_space).count();
    let mut found = vec![field_at(document, range.start)];
    if let Some(node) = root(document) {
        leaves(
            node,
            &KeyPath::root(),
            &(range.start - base..range.end - base),
            &mut found,
        );
    }
    found
}

fn leaves(node: &Node, path: &KeyPath, range: &Range<usize>, found: &mut Vec<KeyPath>) {
    let children = children(node);
    for (at, child) in children.iter().enumerate() {
        let next = children.get(at + 1).map_or(usize::MAX, |next| next.start);
        if child.start >= range.end || next < range.start && next > child.start {
            continue;
        }
        let path = path.join(child.step.owned());
        let is_leaf = child.node.entries().is_empty() && child.node.items().is_empty();
        if is_leaf && range.contains(&child.start) && found.last() != Some(&path) {
            found.push(path);
        } else {
            leaves(child.node, &path, range, found);
        }
    }
}

fn root(document: &Document) -> Option<&Node> {
    if document.item().is_some() {
        return None;
    }
    document.body().ok().map(|body| &body.node)
}

enum Name<'a> {
    Key(&'a str),
    Index(usize),
}

impl Name<'_> {
    fn owned(&self) -> Step {
        match self {
            Name::Key(key) => Step::Key((*key).to_owned()),
            Name::Index(position) => Step::Index(*position),
        }
    }
}

struct Child<'a> {
    step: Name<'a>,
    start: usize,
    node: &'a Node,
}

impl Child<'_> {
    fn is(&self, step: &Step) -> bool {
        match (&self.step, step) {
            (Name::Key(key), Step::Key(wanted)) => *key == wanted,
            (Name::Index(position), Step::Index(wanted)) => position == wanted,
            (Name::Index(_), Step::Element { key, value }) => {
                let found = self.node.get(key).and_then(Node::string_field);
                found.is_some_and(|found| *found == **value)
            }
            _ => false,
        }
    }
}

fn children(node: &Node) -> Vec<Child<'_>> {
    let entries = node.entries().iter().map(|entry| Child {
        step: Name::Key(&entry.key),
        start: entry.mark.offset as usize,
        node: &entry.value,
    });
    let items = node.items().iter().enumerate().map(|(position, item)| Child {
        step: Name::Index(position),
        start: item.mark.offset as usize,
        node: item,
    });
    entries.chain(items).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Manifest;

    const TEXT: &str = "---\nkind: A\nmetadata:\n  name: first\n---\nkind: Pod\nmetadata:\n  name: second\n  \
        labels:\n    app: web # why\nspec:\n  empty:\n  containers:\n  - name: app\n    args: [\"a\", b]\n  - name: log\n    \
        quoted: [\"a\\\"#\", 'it''s', plain] # c\n    \
        script: |\n      one\n      two\n";

    fn manifest() -> Manifest {
        Manifest::read(TEXT.as_bytes().to_vec(), "n")
    }

    #[test]
    fn a_path_leads_to_its_bytes() {
        let manifest = manifest();
        let pod = &manifest.documents[1];
        let text = |path: &str| {
            let path = KeyPath::parse(path).expect("a path");
            range_of(pod, &path).map(|range| &TEXT[range])
        };
        assert_eq!(text("metadata.name"), Some("second"));
        assert_eq!(text("spec.containers[0].name"), Some("app"));
        assert_eq!(text("spec.containers[name=log].name"), Some("log"));
        assert_eq!(text("spec.containers[1].script"), Some("|\n      one\n      two"));
        assert_eq!(text("spec.containers[0].args"), Some("[\"a\", b]"));
        assert_eq!(text("spec.containers[1].quoted[0]"), Some("\"a\\\"#\""));
        assert_eq!(text("spec.containers[1].quoted[1]"), Some("'it''s'"));
        assert_eq!(text("metadata.labels.app"), Some("web"));
        assert_eq!(text("spec.empty"), Some("empty:"));
        assert_eq!(text("spec.missing"), None);
    }

    #[test]
    fn bytes_lead_to_their_field_and_back() {
        let manifest = manifest();
        let pod = &manifest.documents[1];
        for path in [
            "metadata.name",
            "spec.containers[0].args[1]",
            "spec.containers[1].script",
        ] {
            let path = KeyPath::parse(path).expect("a path");
            let range = range_of(pod, &path).expect("the field is there");
            assert_eq!(field_at(pod, range.start), path);
            assert_eq!(field_at(pod, range.end - 1), path);
            assert_eq!(fields_in(pod, range), [path]);
        }
        let first = TEXT.find("name: second").expect("it is there");
        let last = TEXT.find("spec:").expect("it is there");
        let fields = fields_in(pod, first..last);
        let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
        assert_eq!(fields, ["metadata.name", "metadata.labels.app"]);
    }
}
