//! Elements of lists in values: what names them, and which of them another list does not restate.

use crate::base::{KeyPath, Step};
use crate::yaml::{Node, NodeKind};

/// Keys that name an element, the best first.
const KEYS: [&str; 12] = [
    "name",
    "key",
    "id",
    "alias",
    "host",
    "hostname",
    "secretName",
    "mountPath",
    "path",
    "url",
    "containerPort",
    "port",
];

/// Elements longer than this are named by their position.
const LONGEST_NAME: usize = 60;

/// Elements that are gone from one list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lost {
    /// The list.
    pub(super) path: KeyPath,
    /// The elements, by their names or positions.
    pub(super) names: Vec<String>,
    /// True when at least one of them has a name of its own.
    pub(super) is_keyed: bool,
}

/// True when two values are the same data, wherever they stand.
pub(super) fn is_same(a: &Node, b: &Node) -> bool {
    match (&a.kind, &b.kind) {
        (NodeKind::List(a), NodeKind::List(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| is_same(a, b))
        }
        (NodeKind::Map(a_entries), NodeKind::Map(b_entries)) => {
            a_entries.len() == b_entries.len() && contains(b, a)
        }
        (a, b) => a == b,
    }
}

/// True when a map holds all that another one holds.
fn contains(outer: &Node, inner: &Node) -> bool {
    outer.is_map()
        && inner.entries().iter().all(|entry| {
            let found = outer.get(&entry.key);
            found.is_some_and(|found| is_same(found, &entry.value))
        })
}

/// The key that tells the maps of a list apart.
fn key_of(items: &[Node]) -> Option<&'static str> {
    let is_key = |key: &&str| {
        let mut seen = std::collections::BTreeSet::new();
        items.iter().filter(|item| item.is_map()).all(|item| {
            let value = item.get(key).and_then(Node::string_field);
            value.is_some_and(|value| !value.is_empty() && seen.insert(value))
        })
    };
    let has_maps = items.iter().any(Node::is_map);
    KEYS.into_iter().find(|key| has_maps && is_key(key))
}

/// What a person calls an element: its name, a short scalar, else its position.
pub(super) fn name_of(items: &[Node], position: usize) -> String {
    let by_position = || format!("[{position}]");
    let Some(item) = items.get(position) else {
        return by_position();
    };
    let own = |key: &str| item.get(key).and_then(Node::string_field);
    let named = key_of(items)
        .and_then(own)
        .or_else(|| KEYS[..3].iter().find_map(|key| own(key)))
        .or_else(|| item.string_field());
    match named {
        Some(name) if !name.is_empty() && name.chars().count() <= LONGEST_NAME && !name.contains('\n') => {
            name.to_string()
        }
        _ => by_position(),
    }
}

/// The elements of a list that another one in its place does not restate, also those of lists within elements
/// that it does restate. `ignores` leaves out elements that nobody misses.
pub(super) fn lost(
    path: &KeyPath,
    lower: &Node,
    upper: &Node,
    ignores: &dyn Fn(&Node) -> bool,
    found: &mut Vec<Lost>,
) {
    let items = lower.items();
    let key = key_of(items);
    let mut names = Vec::new();
    let mut is_keyed = false;
    let mut nested = Vec::new();
    for (position, item) in items.iter().enumerate() {
        if is_hollow(item) || ignores(item) {
            continue;
        }
        let value = key.and_then(|key| Some((key, item.get(key)?.string_field()?)));
        let restated = match &value {
            Some((key, value)) => upper
                .items()
                .iter()
                .find(|other| other.get(key).and_then(Node::string_field).as_ref() == Some(value)),
            None => upper
                .items()
                .iter()
                .find(|other| is_same(item, other) || (item.is_map() && contains(other, item))),
        };
        match (restated, value) {
            (Some(other), Some((key, value))) => {
                let step = Step::Element {
                    key: key.to_owned(),
                    value: value.to_string(),
                };
                nested_lists(&path.join(step), item, other, ignores, &mut nested);
            }
            (Some(_), None) => {}
            (None, value) => {
                is_keyed |= value.is_some();
                names.push(name_of(items, position));
            }
        }
    }
    if !names.is_empty() {
        found.push(Lost {
            path: path.clone(),
            names,
            is_keyed,
        });
    }
    found.append(&mut nested);
}

/// The lists in a map against those in a map in its place.
fn nested_lists(
    path: &KeyPath,
    lower: &Node,
    upper: &Node,
    ignores: &dyn Fn(&Node) -> bool,
    found: &mut Vec<Lost>,
) {
    for entry in lower.entries() {
        let below = path.key(&*entry.key);
        match (&entry.value.kind, upper.get(&entry.key)) {
            (NodeKind::List(_), Some(other)) if matches!(other.kind, NodeKind::List(_)) => {
                lost(&below, &entry.value, other, ignores, found);
            }
            (NodeKind::List(_), None) => {
                let nothing = Node::new(NodeKind::Null);
                lost(&below, &entry.value, &nothing, ignores, found);
            }
            (NodeKind::Map(_), Some(other)) => nested_lists(&below, &entry.value, other, ignores, found),
            _ => {}
        }
    }
}

/// True for what says that nothing is set: null, an empty text, list or map, and `false`.
pub(super) fn is_unset(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Null | NodeKind::Bool(false) => true,
        NodeKind::Str(text) => text.is_empty(),
        NodeKind::List(items) => items.is_empty(),
        NodeKind::Map(entries) => entries.is_empty(),
        NodeKind::Number(_) | NodeKind::Bool(true) => false,
    }
}

/// True for a form to fill in: nothing in it is set.
fn is_hollow(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Map(entries) => entries.iter().all(|entry| is_hollow(&entry.value)),
        NodeKind::List(items) => items.iter().all(is_hollow),
        _ => node.is_null() || node.as_str() == Some(""),
    }
}

/// Names in a row: `a, b and c`.
pub(super) fn in_a_row(names: &[String]) -> String {
    const MOST: usize = 8;
    let word = |name: &String| match name.starts_with('[') && name.ends_with(']') {
        true => format!("element {name}"),
        false => name.clone(),
    };
    let words: Vec<String> = names.iter().take(MOST).map(word).collect();
    match &words[..] {
        [] => String::new(),
        _ if names.len() > MOST => format!("{} and {} more", words.join(", "), names.len() - MOST),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse_first;

    fn told(lower: &str, upper: &str) -> Vec<(String, Vec<String>)> {
        let node = |text: &str| parse_first(text.as_bytes()).expect("YAML").node;
        let mut found = Vec::new();
        let path = KeyPath::root().key("l");
        lost(&path, &node(lower), &node(upper), &|_| false, &mut found);
        found
            .into_iter()
            .map(|lost| (lost.path.to_string(), lost.names))
            .collect()
    }

    #[test]
    fn elements_are_told_by_name_or_position() {
        let all = |names: &[&str]| vec![("l".to_owned(), names.iter().map(ToString::to_string).collect())];
        assert_eq!(told("[{name: A}, {name: B}]", "[{name: B, v: 1}]"), all(&["A"]));
        assert_eq!(told("[{id: 1}, {id: 2}]", "[]"), all(&["1", "2"]));
        assert_eq!(told("[a, b]", "[b, c]"), all(&["a"]));
        assert_eq!(
            told("[{x: 1}, {x: 1, y: {z: 2}}]", "[{x: 1, q: 3}]"),
            all(&["[1]"])
        );
        assert_eq!(told("[{name: A}]", "[{name: A, v: 2}]"), []);
        assert_eq!(told("[]", "[a]"), []);
        assert_eq!(told("[{name: '', config: {}, provider:}]", "[a]"), []);
    }

    #[test]
    fn lists_within_restated_elements_count() {
        let lower = "[{name: app, env: [{name: A}, {name: B}], args: [x]}]";
        let upper = "[{name: app, env: [{name: B}]}]";
        let expected = [
            ("l[name=app].env".to_owned(), vec!["A".to_owned()]),
            ("l[name=app].args".to_owned(), vec!["x".to_owned()]),
        ];
        assert_eq!(told(lower, upper), expected);
    }
}
