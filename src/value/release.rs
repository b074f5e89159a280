//! Letting go of values that are nested without bound: a template can wrap a map into a map a million times,
//! and to drop one level within the other would use up the stack.

use super::data::Value;
use std::cell::{Cell, RefCell};

/// Levels that are dropped within each other.
const MOST_NESTED: usize = 500;

thread_local! {
    static NESTED: Cell<usize> = const { Cell::new(0) };
    static WAITING: RefCell<Vec<Value>> = const { RefCell::new(Vec::new()) };
}

/// Drops what a container held.
pub(super) fn release(values: impl IntoIterator<Item = Value>) {
    let nested = NESTED.get();
    if nested == MOST_NESTED {
        // A thread that ends has no list any more, and no template.
        let _ = WAITING.try_with(|waiting| waiting.borrow_mut().extend(values));
        return;
    }
    NESTED.set(nested + 1);
    drop(values);
    if nested == 0 {
        while let Ok(Some(value)) = WAITING.try_with(|waiting| waiting.borrow_mut().pop()) {
            drop(value);
        }
    }
    NESTED.set(nested);
}

#[cfg(test)]
mod tests {
    use crate::value::{List, Map, Value};

    #[test]
    fn values_of_any_depth_are_let_go() {
        let mut value = Value::NIL;
        for _ in 0..200_000 {
            let map = Map::new();
            map.set("a".into(), value);
            value = Value::from(List::new([Value::from(map)]));
        }
        drop(value);
    }
}
