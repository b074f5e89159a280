//! Go maps: shared, mutable through every alias, and always walked in the byte order of their keys, as
//! `range`, `%v` and `toJson` do.

use super::data::Value;
use super::release::release;
use super::text::Text;
use std::cell::{Ref, RefCell};
use std::rc::Rc;

/// The Go type of a map, which decides `typeOf`, argument checks and the zero of a missing key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapType {
    /// `map[string]interface {}`
    Any,
    /// Helm's named `Values` type (`common.Values` in Helm 4, `chartutil.Values` in Helm 3).
    Values,
    /// `map[string]string`
    Str,
}

type Entries = RefCell<Vec<(Text, Value)>>;

struct Inner {
    kind: MapType,
    nil: bool,
    /// The map whose entries these are, where it has another type.
    alias_of: Option<Map>,
    entries: Entries,
}

impl Drop for Inner {
    fn drop(&mut self) {
        let entries = std::mem::take(self.entries.get_mut());
        if !entries.is_empty() {
            release(entries.into_iter().map(|entry| entry.1));
        }
    }
}

/// A shared, mutable map with string keys. Cloning makes another alias, not a copy.
///
/// The type belongs to the alias, as in Go: a function that takes a `map[string]interface {}` sees one, also
/// when it was given a `Values`.
#[derive(Clone)]
pub struct Map(Rc<Inner>);

impl Map {
    /// An empty `map[string]interface {}`.
    pub fn new() -> Map {
        Map::typed(MapType::Any)
    }

    /// An empty map of the given type.
    pub fn typed(kind: MapType) -> Map {
        Map::from_sorted(kind, Vec::new())
    }

    /// A map from entries that are already sorted by key bytes and unique.
    pub fn from_sorted(kind: MapType, entries: Vec<(Text, Value)>) -> Map {
        debug_assert!(entries.is_sorted_by(|a, b| a.0 < b.0));
        Map(Rc::new(Inner {
            kind,
            nil: false,
            alias_of: None,
            entries: RefCell::new(entries),
        }))
    }

    /// A nil map: reads as empty, but is `null` in YAML and JSON, and Go panics when a key is set.
    pub fn nil(kind: MapType) -> Map {
        Map(Rc::new(Inner {
            kind,
            nil: true,
            alias_of: None,
            entries: RefCell::default(),
        }))
    }

    /// True for a nil map.
    pub fn is_nil(&self) -> bool {
        self.0.nil
    }

    /// A map from entries in any order; of entries with one key the last wins.
    pub fn from_entries(kind: MapType, entries: impl IntoIterator<Item = (Text, Value)>) -> Map {
        let map = Map::typed(kind);
        for (key, value) in entries {
            map.set(key, value);
        }
        map
    }

    /// The Go type.
    pub fn kind(&self) -> MapType {
        self.0.kind
    }

    /// Another alias of the same map, of another type.
    #[must_use]
    pub fn as_kind(&self, kind: MapType) -> Map {
        let origin = self.0.alias_of.as_ref().unwrap_or(self);
        if origin.kind() == kind {
            return origin.clone();
        }
        Map(Rc::new(Inner {
            kind,
            nil: self.is_nil(),
            alias_of: Some(origin.clone()),
            entries: RefCell::default(),
        }))
    }

    fn shared(&self) -> &Entries {
        match &self.0.alias_of {
            None => &self.0.entries,
            Some(origin) => &origin.0.entries,
        }
    }

    /// The value under a key.
    pub fn get(&self, key: &[u8]) -> Option<Value> {
        let entries = self.shared().borrow();
        find(&entries, key).ok().map(|at| entries[at].1.clone())
    }

    /// True when the key is there, whatever its value.
    pub fn has(&self, key: &[u8]) -> bool {
        find(&self.shared().borrow(), key).is_ok()
    }

    /// Sets a key; every alias sees it.
    pub fn set(&self, key: Text, value: Value) {
        let mut entries = self.shared().borrow_mut();
        if entries.last().is_none_or(|last| last.0 < key) {
            entries.push((key, value));
            return;
        }
        match find(&entries, key.bytes()) {
            Ok(at) => entries[at].1 = value,
            Err(at) => entries.insert(at, (key, value)),
        }
    }

    /// Removes a key; every alias sees it.
    pub fn remove(&self, key: &[u8]) -> Option<Value> {
        let mut entries = self.shared().borrow_mut();
        find(&entries, key).ok().map(|at| entries.remove(at).1)
    }

    /// The entries in key order. The borrow must end before anything sets a key of this map.
    pub fn entries(&self) -> Ref<'_, Vec<(Text, Value)>> {
        self.shared().borrow()
    }

    /// A copy of the entries as they are now, for walks during which the map may change.
    pub fn snapshot(&self) -> Vec<(Text, Value)> {
        self.shared().borrow().clone()
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.shared().borrow().len()
    }

    /// True when there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A number that stands for this map and all its aliases while it lives.
    pub fn address(&self) -> usize {
        std::ptr::from_ref(self.shared()).addr()
    }

    /// True when both are aliases of one map.
    pub fn same(&self, other: &Map) -> bool {
        std::ptr::eq(self.shared(), other.shared())
    }
}

impl Default for Map {
    fn default() -> Map {
        Map::new()
    }
}

fn find(entries: &[(Text, Value)], key: &[u8]) -> Result<usize, usize> {
    entries.binary_search_by(|entry| entry.0.bytes().cmp(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_see_changes_and_walks_are_sorted() {
        let map = Map::new();
        let alias = map.clone();
        for key in ["b", "a", "c", "a"] {
            alias.set(key.into(), Value::from(key));
        }
        assert_eq!(
            map.entries()
                .iter()
                .map(|e| e.0.lossy().into_owned())
                .collect::<Vec<_>>(),
            ["a", "b", "c"]
        );
        assert!(map.remove(b"b").is_some() && !alias.has(b"b"));
        let typed = map.as_kind(MapType::Values);
        typed.set("t".into(), Value::NIL);
        assert!(map.has(b"t") && typed.same(&map) && typed.as_kind(MapType::Any).same(&map));
    }
}
