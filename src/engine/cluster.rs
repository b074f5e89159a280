//! `ClusterState`: objects that `lookup` finds, where a render is to see a cluster.
//!
//! Invariant: an object is found by the namespace and name it was added with, and by its own `apiVersion` and
//! `kind`. What is absent: everything an API server adds, but that it keeps `stringData` as `data`.

use super::ambient::Frozen;
use crate::template::AmbientSource;
use crate::value::convert::{base64, from_node};
use crate::value::{Map, MapType, Value};
use crate::yaml::{Entry, Mark, Node, NodeKind};
use std::fmt;
use std::sync::Arc;

/// Forty days: what shows the day or the month has moved.
const LATER: i64 = 40 * 24 * 60 * 60;

/// The objects of a cluster.
#[derive(Clone, Default)]
pub struct ClusterState {
    objects: Vec<Object>,
    /// True for a later day than that of other renders: the clock has moved, and chance draws anew.
    pub is_later: bool,
}

#[derive(Clone)]
struct Object {
    namespace: String,
    api_version: String,
    kind: String,
    name: String,
    node: Node,
}

impl fmt::Debug for ClusterState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterState")
            .field("objects", &self.objects.len())
            .field("is_later", &self.is_later)
            .finish()
    }
}

impl ClusterState {
    /// Adds an object; one without `apiVersion` and `kind` is left out. `namespace` is none for what has none.
    pub fn add(&mut self, namespace: Option<&str>, name: &str, node: &Node) {
        let text = |key: &str| node.get(key).and_then(Node::as_str);
        let (Some(api_version), Some(kind)) = (text("apiVersion"), text("kind")) else {
            return;
        };
        self.objects.push(Object {
            namespace: namespace.unwrap_or_default().to_owned(),
            api_version: api_version.to_owned(),
            kind: kind.to_owned(),
            name: name.to_owned(),
            node: if kind == "Secret" {
                stored(node)
            } else {
                node.clone()
            },
        });
    }

    /// What `lookup` gives: the object of a name, the list of a kind without one, an empty map for nothing.
    pub fn lookup(&self, api_version: &str, kind: &str, namespace: &str, name: &str) -> Value {
        let is_kind = |object: &&Object| object.api_version == api_version && object.kind == kind;
        let mut found = self.objects.iter().filter(is_kind).filter(|object| {
            namespace.is_empty() || object.namespace == namespace || object.namespace.is_empty()
        });
        if !name.is_empty() {
            let object = found.find(|object| object.name == name);
            return object.map_or_else(|| Map::new().into(), |object| from_node(&object.node));
        }
        let items = Node::new(NodeKind::List(found.map(|object| object.node.clone()).collect()));
        let entries = [
            ("apiVersion", Value::from(api_version)),
            ("items", from_node(&items)),
            ("kind", Value::from(format!("{kind}List").as_str())),
        ];
        Map::from_entries(MapType::Any, entries.map(|(key, value)| (key.into(), value))).into()
    }
}

/// A Secret as the API server keeps it.
fn stored(node: &Node) -> Node {
    let Some(plain) = node.get("stringData") else {
        return node.clone();
    };
    let encoded = plain.entries().iter().map(|entry| {
        let text = entry.value.string_field().unwrap_or_default();
        let text = String::from_utf8_lossy(&base64(text.as_bytes())).into_owned();
        Entry {
            value: Node::new(NodeKind::Str(text.into())),
            ..entry.clone()
        }
    });
    let is_over = |entry: &&Entry| plain.get(&entry.key).is_none();
    let data = node.get("data").map(Node::entries).unwrap_or_default();
    let data: Vec<Entry> = data.iter().filter(is_over).cloned().chain(encoded).collect();
    let others = node
        .entries()
        .iter()
        .filter(|entry| !matches!(&*entry.key, "data" | "stringData"));
    let data = Entry {
        key: "data".into(),
        mark: Mark::default(),
        value: Node::new(NodeKind::Map(data.into())),
    };
    let entries: Vec<Entry> = others.cloned().chain([data]).collect();
    Node::new(NodeKind::Map(entries.into()))
}

/// `Frozen`, with a cluster to ask.
pub struct Declared(pub Arc<ClusterState>);

impl AmbientSource for Declared {
    fn now(&mut self) -> (i64, u32) {
        let (seconds, nanos) = Frozen.now();
        (seconds + if self.0.is_later { LATER } else { 0 }, nanos)
    }

    fn random(&mut self, seed: &[u8], bytes: &mut [u8]) {
        if self.0.is_later {
            return Frozen.random(&[b"later\0", seed].concat(), bytes);
        }
        Frozen.random(seed, bytes);
    }

    fn lookup(&mut self, api_version: &str, kind: &str, namespace: &str, name: &str) -> Value {
        self.0.lookup(api_version, kind, namespace, name)
    }

    fn host_by_name(&mut self, name: &str) -> String {
        Frozen.host_by_name(name)
    }
}
