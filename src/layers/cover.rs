//! `Cover`: what a layer takes the place of, found by laying the written layers over each other.
//!
//! Invariant: maps merge and are no cover; everything else that has something below it is one. What is
//! absent: the keys that a null brings back when a still higher layer writes a map there.

use super::written::{Setting, Written, WrittenLayer};
use crate::base::{KeyPath, Place, Step};
use crate::yaml::{Entry, Mark, Node, NodeKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A layer takes the place of a lower one.
#[derive(Clone, Debug)]
pub struct Cover {
    /// The path below the root chart's values.
    pub path: KeyPath,
    /// What was there.
    pub lower: Setting,
    /// What is there now.
    pub upper: Setting,
}

/// An expression writes to a position of a list.
#[derive(Clone, Debug)]
pub struct Indexed {
    /// The path of the list.
    pub list: KeyPath,
    /// The position.
    pub position: usize,
    /// The steps below the element; none when it is written whole.
    pub rest: Vec<Step>,
    /// The list as it was, when there is one.
    pub lower: Option<Setting>,
    /// What is written.
    pub upper: Setting,
    /// The list as it is then.
    pub result: Node,
}

/// Everything that covers something.
#[derive(Clone, Debug, Default)]
pub struct Covers {
    /// Values in the place of others.
    pub values: Vec<Cover>,
    /// Values written by position.
    pub indexed: Vec<Indexed>,
}

/// The value that holds at a path so far.
struct Held {
    layer: usize,
    mark: Mark,
    /// Where it stands, when an expression set it.
    place: Option<Place>,
    node: Node,
    /// The entries; `None` for anything but a map.
    entries: Option<BTreeMap<Arc<str>, Held>>,
}

impl Held {
    fn new(layer: usize, mark: Mark, place: Option<&Place>, node: &Node) -> Held {
        let entries = node.is_map().then(|| {
            let held = |entry: &Entry| {
                let held = Held::new(layer, entry.mark, place, &entry.value);
                (entry.key.clone(), held)
            };
            node.entries().iter().map(held).collect()
        });
        Held {
            layer,
            mark,
            place: place.cloned(),
            node: node.clone(),
            entries,
        }
    }

    fn setting(&self, written: &Written) -> Setting {
        Setting {
            layer: self.layer,
            place: self
                .place
                .clone()
                .unwrap_or_else(|| written.layers[self.layer].place(self.mark)),
            node: self.node(),
        }
    }

    /// The value as it is now: a map has its merged entries.
    fn node(&self) -> Node {
        let Some(entries) = &self.entries else {
            return self.node.clone();
        };
        let entry = |(key, held): (&Arc<str>, &Held)| Entry {
            key: key.clone(),
            mark: held.mark,
            value: held.node(),
        };
        Node {
            kind: NodeKind::Map(entries.iter().map(entry).collect()),
            mark: self.node.mark,
        }
    }
}

/// Lays the layers over each other.
pub fn covers(written: &Written) -> Covers {
    let root = Node::new(NodeKind::Map(Arc::from([])));
    let mut overlay = Overlay {
        written,
        found: Covers::default(),
        path: Vec::new(),
        layer: 0,
        place: None,
    };
    let mut held = Held::new(0, Mark::default(), None, &root);
    for (number, layer) in written.layers.iter().enumerate() {
        overlay.layer(number, layer, &mut held);
    }
    overlay.found
}

struct Overlay<'w> {
    written: &'w Written,
    found: Covers,
    path: Vec<Step>,
    layer: usize,
    /// Where the expression that is being laid stands.
    place: Option<&'w Place>,
}

impl<'w> Overlay<'w> {
    fn layer(&mut self, number: usize, layer: &'w WrittenLayer, root: &mut Held) {
        self.layer = number;
        self.place = None;
        for document in layer.documents.iter().filter(|document| document.node.is_map()) {
            let wrapped = layer
                .prefix
                .iter()
                .rev()
                .fold(document.node.clone(), |inner, key| {
                    let mark = inner.mark;
                    let entry = Entry {
                        key: key.clone(),
                        mark,
                        value: inner,
                    };
                    Node {
                        kind: NodeKind::Map(Arc::from([entry])),
                        mark,
                    }
                });
            self.put(root, wrapped.mark, &wrapped);
        }
        for edit in &layer.edits {
            self.place = edit.place.as_ref();
            self.edit(root, &edit.path, &edit.value);
        }
    }

    /// Lays a value over what is held.
    fn put(&mut self, held: &mut Held, mark: Mark, node: &Node) {
        if let (Some(entries), true) = (&mut held.entries, node.is_map()) {
            for entry in node.entries() {
                self.path.push(Step::Key(entry.key.to_string()));
                match entries.get_mut(&entry.key) {
                    Some(below) => self.put(below, entry.mark, &entry.value),
                    None => {
                        let new = Held::new(self.layer, entry.mark, self.place, &entry.value);
                        entries.insert(entry.key.clone(), new);
                    }
                }
                self.path.pop();
            }
            return;
        }
        let new = Held::new(self.layer, mark, self.place, node);
        if !held.node.is_null() {
            self.found.values.push(Cover {
                path: KeyPath(self.path.clone()),
                lower: held.setting(self.written),
                upper: new.setting(self.written),
            });
        }
        *held = new;
    }

    fn edit(&mut self, held: &mut Held, path: &[Step], value: &Node) {
        match path {
            [] => self.put(held, value.mark, value),
            [Step::Key(key), rest @ ..] => {
                let depth = self.path.len();
                if held.entries.is_none() {
                    let map = Node::new(NodeKind::Map(Arc::from([])));
                    self.put(held, Mark::default(), &map);
                }
                self.path.push(Step::Key(key.clone()));
                if let Some(entries) = &mut held.entries {
                    match entries.get_mut(key.as_str()) {
                        Some(below) => self.edit(below, rest, value),
                        None => {
                            let (layer, place) = (self.layer, self.place);
                            let absent =
                                || Held::new(layer, Mark::default(), place, &Node::new(NodeKind::Null));
                            let below = entries.entry(Arc::from(key.as_str())).or_insert_with(absent);
                            self.edit(below, rest, value);
                        }
                    }
                }
                self.path.truncate(depth);
            }
            [Step::Index(position), rest @ ..] => self.edit_item(held, *position, rest, value),
            [Step::Element { .. }, ..] => {}
        }
    }

    /// An element written by its position.
    fn edit_item(&mut self, held: &mut Held, position: usize, rest: &[Step], value: &Node) {
        let is_list = matches!(held.node.kind, NodeKind::List(_));
        let upper = Held::new(self.layer, value.mark, self.place, value).setting(self.written);
        let lower = is_list.then(|| held.setting(self.written));
        // Helm edits what users gave, and knows nothing of the defaults of a chart.
        let is_users = is_list && self.written.layers[held.layer].is_users();
        let base = if is_users {
            held.node.clone()
        } else {
            Node::new(NodeKind::List(Arc::from([])))
        };
        let edited = with(&base, &[&[Step::Index(position)], rest].concat(), value);
        self.found.indexed.push(Indexed {
            list: KeyPath(self.path.clone()),
            position,
            rest: rest.to_vec(),
            lower,
            upper,
            result: edited.clone(),
        });
        if is_users {
            held.node = edited;
        } else {
            *held = Held::new(self.layer, Mark::default(), self.place, &edited);
        }
    }
}

/// A node with a value under a path; what is in the way is replaced.
fn with(node: &Node, path: &[Step], value: &Node) -> Node {
    let kind = match path {
        [] => return value.clone(),
        [Step::Index(position), rest @ ..] => {
            let mut items = node.items().to_vec();
            if items.len() <= *position {
                items.resize(position + 1, Node::new(NodeKind::Null));
            }
            items[*position] = with(&items[*position], rest, value);
            NodeKind::List(items.into())
        }
        [Step::Key(key) | Step::Element { value: key, .. }, rest @ ..] => {
            let mut entries = node.entries().to_vec();
            match entries.iter_mut().find(|entry| *entry.key == **key) {
                Some(entry) => entry.value = with(&entry.value, rest, value),
                None => entries.push(Entry {
                    key: Arc::from(key.as_str()),
                    mark: value.mark,
                    value: with(&Node::new(NodeKind::Null), rest, value),
                }),
            }
            NodeKind::Map(entries.into())
        }
    };
    Node {
        kind,
        mark: node.mark,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Place;
    use crate::chart;
    use crate::dialect::Dialect;
    use crate::layers::{SetFlag, SetKind, ValuesInput};
    use crate::source::MemoryTree;

    fn found(defaults: &str, values: &str, set: &[&str]) -> Covers {
        let tree = MemoryTree::new("test")
            .file("app/Chart.yaml", "apiVersion: v2\nname: app\nversion: 0.1.0\n")
            .file("app/values.yaml", defaults)
            .file("v.yaml", values);
        let chart = chart::load(&tree, "app", Dialect::V4_3).expect("a chart");
        let flag = |expression: &&str| SetFlag {
            kind: SetKind::Set,
            expression: (*expression).to_owned(),
            place: Some(Place::new("evenkeel.yaml", 9, 5)),
        };
        let set: Vec<_> = set.iter().map(flag).collect();
        let files = [ValuesInput::File("v.yaml".to_owned())];
        covers(&Written::read(&tree, &chart, &files, &set, Dialect::V4_3))
    }

    #[test]
    fn maps_merge_and_all_else_covers() {
        let covers = found("a: {b: 1, c: [x]}\nd: e\n", "a: {c: [q], z: 2}\n", &["d=f,a.b=2"]);
        let told = |cover: &Cover| format!("{} {} {}", cover.path, cover.lower.place, cover.upper.place);
        let told: Vec<_> = covers.values.iter().map(told).collect();
        let expected = [
            "a.c app/values.yaml:1:11 v.yaml:1:5",
            "d app/values.yaml:2:1 evenkeel.yaml:9:7",
            "a.b app/values.yaml:1:5 evenkeel.yaml:9:13",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn positions_edit_what_users_wrote_and_replace_what_charts_hold() {
        let lengths = |covers: Covers| -> Vec<(usize, usize)> {
            let length = |edit: &Indexed| {
                let lower = edit.lower.as_ref().map_or(0, |lower| lower.node.items().len());
                (lower, edit.result.items().len())
            };
            covers.indexed.iter().map(length).collect()
        };
        let list = "l: [{k: 1}, {k: 2}, {k: 3}]\n";
        assert_eq!(lengths(found("", list, &["l[1].k=9"])), [(3, 3)]);
        assert_eq!(
            lengths(found(list, "", &["l[1].k=9", "l[0].k=8"])),
            [(3, 2), (2, 2)]
        );
        assert_eq!(lengths(found("", "", &["l[1].k=9"])), [(0, 2)]);
    }
}
