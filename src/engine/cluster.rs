//! `ClusterState`: objects that `lookup` finds, where a render is to see a cluster.
//!
//! Invariant: an object is found by the namespace and name it was added with, and by its own `apiVersion` and
//! `kind`, as the API server would answer Helm: numbers are `int64` where they are whole, lists are in the order
//! of namespace and name. What is absent: everything an API server adds, but that it keeps `stringData` as `data`.

use super::ambient::Frozen;
use crate::template::AmbientSource;
use crate::value::convert::{base64, from_node};
use crate::value::effort;
use crate::value::{List, Map, MapType, Text, Value};
use crate::yaml::{Entry, Mark, Node, NodeKind, Number};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::fmt;
use std::sync::Arc;

/// Forty days: what shows the day or the month has moved.
const LATER: i64 = 40 * 24 * 60 * 60;

/// The objects of a cluster.
#[derive(Clone, Default)]
pub struct ClusterState {
    objects: BTreeMap<Key, Node>,
    /// True for a later day than that of other renders: the clock has moved, and chance draws anew.
    pub is_later: bool,
}

/// What an object is found by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    api_version: String,
    kind: String,
    /// Empty for an object of the cluster, which is found whatever namespace is asked for.
    namespace: String,
    name: String,
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
    /// False when there is one of that name already, which stays.
    pub fn add(&mut self, namespace: Option<&str>, name: &str, node: &Node) -> bool {
        let text = |key: &str| node.get(key).and_then(Node::as_str);
        let (Some(api_version), Some(kind)) = (text("apiVersion"), text("kind")) else {
            return true;
        };
        let key = Key {
            api_version: api_version.to_owned(),
            kind: kind.to_owned(),
            namespace: namespace.unwrap_or_default().to_owned(),
            name: name.to_owned(),
        };
        match self.objects.entry(key) {
            Slot::Occupied(_) => false,
            Slot::Vacant(slot) => {
                slot.insert(if kind == "Secret" {
                    stored(node)
                } else {
                    node.clone()
                });
                true
            }
        }
    }

    /// Adds what another state has beyond this one.
    pub fn extend(&mut self, other: &ClusterState) {
        for (key, node) in &other.objects {
            self.objects.entry(key.clone()).or_insert_with(|| node.clone());
        }
    }

    /// The objects, sorted by what they are found by.
    pub fn objects(&self) -> impl Iterator<Item = &Node> {
        self.objects.values()
    }

    /// The objects that answer a call of `lookup`: one at most where the name is not empty.
    pub fn found(
        &self,
        api_version: &str,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> impl Iterator<Item = &Node> {
        let key = |namespace: &str, name: &str| Key {
            api_version: api_version.to_owned(),
            kind: kind.to_owned(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        };
        let named = (!name.is_empty()).then(|| {
            let own = self.objects.get(&key(namespace, name));
            own.or_else(|| self.objects.get(&key("", name)))
        });
        let is_asked_for = named.is_none();
        let first = key("", "");
        let last = first.clone();
        let namespace = namespace.to_owned();
        let listed = self
            .objects
            .range(first..)
            .take_while(move |(key, _)| {
                is_asked_for && key.api_version == last.api_version && key.kind == last.kind
            })
            .filter(move |(key, _)| {
                namespace.is_empty() || key.namespace.is_empty() || key.namespace == namespace
            });
        named.flatten().into_iter().chain(listed.map(|(_, node)| node))
    }

    /// What `lookup` gives: the object of a name, the list of a kind without one, an empty map for nothing. A
    /// namespaced object is not found without its namespace, but stands in the list of all namespaces.
    pub fn lookup(&self, api_version: &str, kind: &str, namespace: &str, name: &str) -> Value {
        let mut found = self.found(api_version, kind, namespace, name);
        if !name.is_empty() {
            return found.next().map_or_else(|| Map::new().into(), from_object);
        }
        let items: Vec<Value> = found.map(from_object).collect();
        let version = [("resourceVersion".into(), Value::from(""))];
        let entries = [
            ("apiVersion", Value::from(api_version)),
            ("items", Value::from(List::new(items))),
            ("kind", Value::from(format!("{kind}List").as_str())),
            ("metadata", Map::from_entries(MapType::Any, version).into()),
        ];
        Map::from_entries(MapType::Any, entries.map(|(key, value)| (key.into(), value))).into()
    }
}

/// An object as client-go decodes it: what values files hold, but for whole numbers, which are `int64`.
fn from_object(node: &Node) -> Value {
    effort::spend(1);
    match &node.kind {
        NodeKind::Number(Number::Int(number)) => Value::int64(*number),
        NodeKind::List(items) => {
            let items: Vec<Value> = items.iter().map(from_object).collect();
            List::new(items).into()
        }
        NodeKind::Map(entries) => {
            let mut sorted: Vec<(Text, Value)> = entries
                .iter()
                .map(|entry| (Text::from(&*entry.key), from_object(&entry.value)))
                .collect();
            sorted.sort_by(|a, b| a.0.cmp(&b.0));
            Map::from_sorted(MapType::Any, sorted).into()
        }
        _ => from_node(node),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Data;

    fn state(objects: &[(Option<&str>, &str)]) -> ClusterState {
        let mut state = ClusterState::default();
        for (namespace, name) in objects {
            let text = format!(
                "apiVersion: v1\nkind: Thing\nmetadata: {{name: {name}}}\nspec: {{size: 1000000, share: 0.5}}\n"
            );
            let node = crate::yaml::parse_first(text.as_bytes()).unwrap().node;
            assert!(state.add(*namespace, name, &node));
        }
        state
    }

    fn field(value: &Value, path: &[&str]) -> Value {
        path.iter().fold(value.clone(), |value, key| match &value.data {
            Data::Map(map) => map.get(key.as_bytes()).unwrap(),
            _ => panic!("{key} is no map"),
        })
    }

    fn names(state: &ClusterState, namespace: &str, name: &str) -> Vec<String> {
        let found = state.found("v1", "Thing", namespace, name);
        let name = |node: &Node| node.get("metadata")?.get("name")?.as_str().map(str::to_owned);
        found.filter_map(name).collect()
    }

    #[test]
    fn an_object_is_found_as_the_api_server_finds_it() {
        let state = state(&[
            (Some("n"), "b"),
            (Some("m"), "c"),
            (Some("n"), "a"),
            (None, "wide"),
        ]);
        assert_eq!(names(&state, "n", "a"), ["a"]);
        assert!(names(&state, "m", "a").is_empty());
        assert!(names(&state, "", "a").is_empty());
        assert_eq!(names(&state, "anywhere", "wide"), ["wide"]);
        assert_eq!(names(&state, "n", ""), ["wide", "a", "b"]);
        assert_eq!(names(&state, "", ""), ["wide", "c", "a", "b"]);
        assert_eq!(state.found("v2", "Thing", "n", "a").count(), 0);
    }

    #[test]
    fn whole_numbers_are_int64_and_nothing_is_an_empty_map() {
        let state = state(&[(Some("n"), "a")]);
        let object = state.lookup("v1", "Thing", "n", "a");
        assert!(matches!(
            field(&object, &["spec", "size"]).data,
            Data::Int(_, 1_000_000)
        ));
        assert!(matches!(field(&object, &["spec", "share"]).data, Data::Float(_)));
        let nothing = state.lookup("v1", "Thing", "n", "b");
        assert!(matches!(&nothing.data, Data::Map(map) if map.is_empty()));
        let list = state.lookup("v1", "Other", "n", "");
        assert!(matches!(&field(&list, &["items"]).data, Data::List(list) if list.items().is_empty()));
    }

    #[test]
    fn the_first_of_a_name_stays_and_another_state_fills_up() {
        let (mut own, other) = (
            state(&[(Some("n"), "a")]),
            state(&[(Some("n"), "a"), (Some("n"), "b")]),
        );
        let node = own.objects().next().unwrap().clone();
        assert!(!own.add(Some("n"), "a", &node));
        own.extend(&other);
        assert_eq!(names(&own, "n", ""), ["a", "b"]);
    }
}
