//! Things that are costly to make out of a text and asked for again and again: compiled expressions,
//! constraints, time zones. One memory per thread; values are shared, never changed.

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Remembers what was made of the latest texts; when it is full it forgets all of them.
pub(super) struct Memo<T> {
    known: RefCell<FxHashMap<Box<[u8]>, Rc<T>>>,
    most: usize,
}

impl<T> Memo<T> {
    pub(super) fn new(most: usize) -> Memo<T> {
        Memo {
            known: RefCell::default(),
            most,
        }
    }

    /// What was made of this text, made now if it is not known.
    pub(super) fn get(&self, key: &[u8], make: impl FnOnce() -> T) -> Rc<T> {
        if let Some(known) = self.known.borrow().get(key) {
            return Rc::clone(known);
        }
        let made = Rc::new(make());
        let mut known = self.known.borrow_mut();
        if known.len() >= self.most {
            known.clear();
        }
        known.insert(key.into(), Rc::clone(&made));
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_memory_starts_anew() {
        let memo = Memo::new(2);
        for key in [b"a", b"b", b"a", b"c"] {
            assert_eq!(*memo.get(key, || key[0]), key[0]);
        }
        assert_eq!(memo.known.borrow().len(), 1);
        assert_eq!(*memo.get(b"c", || unreachable!()), b'c');
    }
}
