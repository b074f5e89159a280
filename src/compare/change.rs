//! `Change`: one field that differs between two canonical forms.
//!
//! The list of changes is the smallest that tells the whole difference, and empty exactly when the data are
//! the same. Elements of lists are told by name where every element has a name of its own, else as the API takes the list
//! (`manifest::list_types`): by its key, as a set, or by position.

use super::effect::Effect;
use super::list;
use crate::base::{KeyPath, Step};
use crate::manifest::canon::same_data;
use crate::manifest::list_types::{self, ListType};
use crate::manifest::scalar;
use crate::yaml::{Entry, Node, NodeKind};
use std::fmt;
use std::sync::Arc;

/// One field that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What happened to it.
    pub op: Op,
    /// Where it is. The position of an element is the baseline's when it went away, else the candidate's.
    pub path: KeyPath,
    /// The baseline's value; for a reordered list the names or elements in their old order.
    pub before: Option<Node>,
    /// The candidate's value.
    pub after: Option<Node>,
    /// What applying it does.
    pub effect: Effect,
}

/// What happened to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// Only the candidate has it.
    Add,
    /// Only the baseline has it.
    Remove,
    /// Another value.
    Replace,
    /// The same elements in another order.
    Reorder,
    /// The same text as another type: `"3"` and `3`.
    Type,
}

impl Op {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Op::Add => "add",
            Op::Remove => "remove",
            Op::Replace => "replace",
            Op::Reorder => "reorder",
            Op::Type => "type",
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Every difference between two canonical forms, sorted by path. The effects are not worked out.
pub fn differences(before: &Node, after: &Node) -> Vec<Change> {
    let mut found = Found::in_object(after);
    found.node(before, after);
    found
        .changes
        .sort_by(|a, b| (&a.path, a.op).cmp(&(&b.path, b.op)));
    found.changes
}

pub(super) struct Found<'n> {
    /// The API group and the kind of the object.
    group: &'n str,
    kind: &'n str,
    path: Vec<Step>,
    changes: Vec<Change>,
}

impl<'n> Found<'n> {
    fn in_object(object: &'n Node) -> Found<'n> {
        let text = |key: &str| object.get(key).and_then(Node::as_str).unwrap_or_default();
        Found {
            group: text("apiVersion").rsplit_once('/').map_or("", |(group, _)| group),
            kind: text("kind"),
            path: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// What the API makes of the list here.
    pub(super) fn list_type(&self) -> ListType {
        list_types::list_type(self.group, self.kind, &self.path)
    }

    pub(super) fn push(&mut self, op: Op, before: Option<&Node>, after: Option<&Node>) {
        self.changes.push(Change {
            op,
            path: KeyPath(self.path.clone()),
            before: before.cloned(),
            after: after.cloned(),
            effect: Effect::Spec,
        });
    }

    /// Does something one step further down.
    pub(super) fn under(&mut self, step: Step, work: impl FnOnce(&mut Found<'n>)) {
        self.path.push(step);
        work(self);
        self.path.pop();
    }

    pub(super) fn node(&mut self, before: &Node, after: &Node) {
        match (&before.kind, &after.kind) {
            (NodeKind::Map(a), NodeKind::Map(b)) => {
                if !Arc::ptr_eq(a, b) {
                    self.map(before, after);
                }
            }
            (NodeKind::List(a), NodeKind::List(b)) => {
                if !Arc::ptr_eq(a, b) {
                    list::differences(self, before, after);
                }
            }
            _ if same_data(before, after) => {}
            _ => {
                let op = match (scalar::text(before), scalar::text(after)) {
                    (Some(a), Some(b)) if a == b => Op::Type,
                    _ => Op::Replace,
                };
                self.push(op, Some(before), Some(after));
            }
        }
    }

    fn map(&mut self, before: &Node, after: &Node) {
        let (a, b) = (by_key(before.entries()), by_key(after.entries()));
        let (mut i, mut j) = (0, 0);
        let mut same_keys = true;
        loop {
            match (a.get(i), b.get(j)) {
                (Some(x), Some(y)) if x.key == y.key => {
                    self.under(Step::Key(x.key.to_string()), |found| {
                        found.node(&x.value, &y.value);
                    });
                    i += 1;
                    j += 1;
                }
                (Some(x), y) if y.is_none_or(|y| x.key < y.key) => {
                    same_keys = false;
                    self.under(Step::Key(x.key.to_string()), |found| {
                        found.push(Op::Remove, Some(&x.value), None);
                    });
                    i += 1;
                }
                (_, Some(y)) => {
                    same_keys = false;
                    self.under(Step::Key(y.key.to_string()), |found| {
                        found.push(Op::Add, None, Some(&y.value));
                    });
                    j += 1;
                }
                (Some(_), None) | (None, None) => break,
            }
        }
        // Only when the rule `key-order` is off do canonical forms come with their keys out of order.
        let order = |node: &Node| -> Vec<Node> {
            let key = |entry: &Entry| Node::new(NodeKind::Str(Arc::clone(&entry.key)));
            node.entries().iter().map(key).collect()
        };
        if same_keys
            && !before
                .entries()
                .iter()
                .map(|e| &e.key)
                .eq(after.entries().iter().map(|e| &e.key))
        {
            let list = |node: &Node| Node::new(NodeKind::List(order(node).into()));
            self.push(Op::Reorder, Some(&list(before)), Some(&list(after)));
        }
    }
}

fn by_key(entries: &[Entry]) -> Vec<&Entry> {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| a.key.cmp(&b.key));
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Manifest;
    use crate::manifest::{Rule, Rules, canon};
    use crate::yaml;

    fn told(before: &str, after: &str) -> Vec<String> {
        let read = |text: &str| yaml::parse_first(text.as_bytes()).expect("parses").node;
        differences(&read(before), &read(after))
            .iter()
            .map(|change| format!("{} {}", change.op, change.path))
            .collect()
    }

    #[test]
    fn maps_tell_keys() {
        assert_eq!(
            told("{a: 1, b: {c: 2, d: 3}}", "{b: {c: 4, e: 5}, f: 6}"),
            ["remove a", "replace b.c", "remove b.d", "add b.e", "add f"]
        );
        assert_eq!(told("{a: {b: 1}}", "{a: 1}"), ["replace a"]);
        assert_eq!(told("{a: null}", "{}"), ["remove a"]);
        assert_eq!(told("{a: null}", "{a: ''}"), ["replace a"]);
    }

    #[test]
    fn the_same_text_as_another_type_is_told_as_such() {
        assert_eq!(
            told("{a: 3, b: true, c: 1.5}", "{a: '3', b: 'true', c: x}"),
            ["type a", "type b", "replace c"]
        );
    }

    #[test]
    fn named_elements_are_told_by_name() {
        assert_eq!(
            told(
                "env: [{name: A, value: 1}, {name: B, value: 2}]",
                "env: [{name: C, value: 3}, {name: A, value: 4}]"
            ),
            [
                "replace env[name=A].value",
                "remove env[name=B]",
                "add env[name=C]"
            ]
        );
        assert_eq!(
            told(
                "env: [{name: A, value: 1}, {name: B, value: 2}, {name: D}]",
                "env: [{name: B, value: 2}, {name: A, value: 4}, {name: C}]"
            ),
            [
                "reorder env",
                "replace env[name=A].value",
                "add env[name=C]",
                "remove env[name=D]"
            ]
        );
        assert_eq!(told("env: []", "env: [{name: A}]"), ["add env[name=A]"]);
        assert_eq!(
            told("env: [{name: A}, {name: A}]", "env: [{name: A}, {name: B}]"),
            ["replace env[1].name"]
        );
    }

    #[test]
    fn other_elements_are_told_by_position() {
        assert_eq!(told("[a, b, c]", "[x, a, b, c]"), ["add [0]"]);
        assert_eq!(told("[a, b, c]", "[a, c]"), ["remove [1]"]);
        assert_eq!(told("[a, b, c]", "[a, x, c]"), ["replace [1]"]);
        assert_eq!(told("[a, b, c]", "[c, a, b]"), ["reorder "]);
        assert_eq!(told("p: [a, a, b]", "p: [a, b, b]"), ["remove p[1]", "add p[2]"]);
        assert_eq!(
            told(
                "p: [{port: 1, x: 1}, {port: 2, x: 1}]",
                "p: [{port: 2, x: 2}, {port: 3, x: 3}]"
            ),
            ["replace p[0].x", "replace p[1].port", "replace p[1].x"]
        );
        assert_eq!(
            told("p: [{x: 1, z: 1}, {x: 2}]", "p: [{x: 1, z: 2}, {x: 2}]"),
            ["replace p[0].z"]
        );
    }

    const POD: &str = "apiVersion: v1, kind: Pod, ";

    fn told_of(head: &str, before: &str, after: &str) -> Vec<String> {
        told(&format!("{{{head}{before}}}"), &format!("{{{head}{after}}}"))
    }

    #[test]
    fn lists_with_a_key_are_told_by_it() {
        let mounts = |mounts: &str| format!("spec: {{containers: [{{name: a, volumeMounts: [{mounts}]}}]}}");
        assert_eq!(
            told_of(
                POD,
                &mounts("{name: v, mountPath: /a}, {name: v, mountPath: /b}"),
                &mounts("{name: v, mountPath: /b, readOnly: true}, {name: v, mountPath: /c}"),
            ),
            [
                "remove spec.containers[name=a].volumeMounts[mountPath=/a]",
                "add spec.containers[name=a].volumeMounts[mountPath=/b].readOnly",
                "add spec.containers[name=a].volumeMounts[mountPath=/c]",
            ]
        );
        let ports = |ports: &str| format!("spec: {{ports: [{ports}]}}");
        let service = "apiVersion: v1, kind: Service, ";
        assert_eq!(
            told_of(
                service,
                &ports("{port: 80}, {port: 81}"),
                &ports("{port: 81, targetPort: 1}, {port: 80}")
            ),
            ["reorder spec.ports", "add spec.ports[port=81].targetPort"]
        );
        // Several fields together are the key: the position has to do.
        assert_eq!(
            told_of(
                service,
                &ports("{port: 53}, {port: 53, protocol: UDP}"),
                &ports("{port: 53, protocol: UDP}, {port: 54}"),
            ),
            ["remove spec.ports[0]", "add spec.ports[1]"]
        );
    }

    #[test]
    fn elements_of_sets_come_and_go() {
        let finalizers = |list: &str| format!("metadata: {{finalizers: [{list}]}}");
        let widget = "apiVersion: x.io/v1, kind: Widget, ";
        assert_eq!(
            told_of(widget, &finalizers("a, b, c"), &finalizers("a, d, c")),
            ["add metadata.finalizers[1]", "remove metadata.finalizers[1]"]
        );
        assert_eq!(
            told_of(widget, &finalizers("a, b"), &finalizers("b, a")),
            ["reorder metadata.finalizers"]
        );
        let modes = |list: &str| format!("spec: {{accessModes: [{list}]}}");
        let claim = "apiVersion: v1, kind: PersistentVolumeClaim, ";
        assert_eq!(
            told_of(claim, &modes("a, b"), &modes("a, c")),
            ["replace spec.accessModes[1]"]
        );
    }

    #[test]
    fn lists_of_custom_resources_are_told_in_order() {
        let ports = |ports: &str| format!("spec: {{ports: [{ports}]}}");
        assert_eq!(
            told_of(
                "apiVersion: x.io/v1, kind: Service, ",
                &ports("{port: 80, a: 1}, {port: 81}"),
                &ports("{port: 80, a: 2}, {port: 81}")
            ),
            ["replace spec.ports[0].a"]
        );
    }

    #[test]
    fn the_order_of_keys_is_told_when_it_counts() {
        let read = |text: &str| {
            let manifest = Manifest::read(text.as_bytes(), "apps");
            canon::canonical(&manifest.documents[0], Rules::default().without(Rule::KeyOrder))
                .expect("parses")
        };
        let changes = differences(&read("kind: A\nb: 1\nc: 2\n"), &read("kind: A\nc: 2\nb: 1\n"));
        assert_eq!(changes.len(), 1);
        assert_eq!((changes[0].op, changes[0].path.0.len()), (Op::Reorder, 0));
    }
}
