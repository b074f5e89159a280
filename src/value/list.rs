//! Go slices. Lists are immutable for templates: every list function copies.

use super::data::Value;
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
}

struct Inner {
    elem: ElemType,
    nil: bool,
    items: Box<[Value]>,
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
        List(Rc::new(Inner {
            elem,
            nil: false,
            items: items.into(),
        }))
    }

    /// A nil slice of the given element type: empty, but `null` in YAML and JSON.
    pub fn nil(elem: ElemType) -> List {
        List(Rc::new(Inner {
            elem,
            nil: true,
            items: Box::new([]),
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
        &self.0.items
    }

    /// True when both are one and the same slice.
    pub fn same(&self, other: &List) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}
