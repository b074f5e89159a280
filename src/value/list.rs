//! Go slices. Lists are immutable for templates, for every list function copies, but for one: `sortAlpha`
//! sorts a slice of strings where it stands.

use super::data::Value;
use super::effort;
use super::release::release;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::rc::Rc;

/// The element type of a slice, which decides `typeOf`, argument checks and how it prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElemType {
    /// `[]interface {}`
    Any,
    /// `[]string`
    Str,
    /// `[]int`
    Int,
    /// `[]float64`
    Float,
    /// `[][]interface {}`
    ListOfAny,
    /// `[]uint8`: a byte slice, held as numbers only where a template takes it apart.
    Byte,
    /// `[]map[string]interface {}`
    Map,
    /// A slice of pointers to a named struct.
    Pointer(&'static str),
}

struct Inner {
    elem: ElemType,
    nil: bool,
    items: Box<[Value]>,
    /// The elements in order, once the slice was sorted in place.
    sorted: OnceCell<Box<[Value]>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        if !self.items.is_empty() {
            effort::let_go(size_of_val(&*self.items));
            release(std::mem::take(&mut self.items));
            if let Some(sorted) = self.sorted.take() {
                release(sorted);
            }
        }
    }
}

/// A shared, immutable slice.
#[derive(Clone)]
pub struct List(Rc<Inner>);

impl List {
    /// A `[]interface {}`.
    pub fn new(items: impl Into<Box<[Value]>>) -> List {
        List::typed(ElemType::Any, items)
    }

    /// A slice of the given element type.
    pub fn typed(elem: ElemType, items: impl Into<Box<[Value]>>) -> List {
        let items = items.into();
        effort::hold(size_of_val(&*items));
        List(Rc::new(Inner {
            elem,
            nil: false,
            items,
            sorted: OnceCell::new(),
        }))
    }

    /// A nil slice of the given element type: empty, but `null` in YAML and JSON.
    pub fn nil(elem: ElemType) -> List {
        List(Rc::new(Inner {
            elem,
            nil: true,
            items: Box::new([]),
            sorted: OnceCell::new(),
        }))
    }

    /// The element type.
    pub fn elem(&self) -> ElemType {
        self.0.elem
    }

    /// True for a nil slice.
    pub fn is_nil(&self) -> bool {
        self.0.nil
    }

    /// The elements.
    pub fn items(&self) -> &[Value] {
        self.0.sorted.get().unwrap_or(&self.0.items)
    }

    /// Sorts the slice for everyone who holds it. Sorted once, it stays so.
    pub fn sort_in_place(&self, compare: impl Fn(&Value, &Value) -> Ordering) {
        self.0.sorted.get_or_init(|| {
            let mut items = self.0.items.clone();
            items.sort_by(compare);
            items
        });
    }

    /// True when nobody else holds the slice: it was just made.
    pub fn is_new(&self) -> bool {
        Rc::strong_count(&self.0) == 1
    }

    /// True when both are one and the same slice.
    pub fn same(&self, other: &List) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_sorted_in_place_is_sorted_for_all() {
        let list = List::typed(ElemType::Int, [2, 3, 1].map(Value::int));
        let alias = list.clone();
        let number = |value: &Value| match value.data {
            crate::value::Data::Int(_, number) => number,
            _ => 0,
        };
        list.sort_in_place(|a, b| number(a).cmp(&number(b)));
        assert_eq!(alias.items().iter().map(number).collect::<Vec<_>>(), [1, 2, 3]);
    }
}
