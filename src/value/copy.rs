//! Deep copies, as mitchellh/copystructure makes them: maps and lists anew, everything else shared.

use super::data::{Data, Value};
use super::list::List;
use super::map::Map;

impl Value {
    /// A copy that shares no map with the original.
    pub fn deep_copy(&self) -> Value {
        let data = match &self.data {
            Data::Map(map) => Data::Map(map.deep_copy()),
            Data::List(list) if !list.items().is_empty() => Data::List(List::typed(
                list.elem(),
                list.items().iter().map(Value::deep_copy).collect::<Vec<_>>(),
            )),
            other => other.clone(),
        };
        Value {
            data,
            marks: self.marks,
        }
    }
}

impl Map {
    /// A copy that shares no map with the original.
    pub fn deep_copy(&self) -> Map {
        let entries = self
            .entries()
            .iter()
            .map(|(key, value)| (key.clone(), value.deep_copy()))
            .collect();
        Map::from_sorted(self.kind(), entries)
    }
}
