//! `Value`: a piece of data as Go holds it, together with its marks.

use super::list::List;
use super::map::Map;
use super::marks::Marks;
use super::object::Object;
use super::text::Text;
use std::rc::Rc;

/// Data and its history. Cloning is cheap: scalars are copied, the rest is shared.
#[derive(Clone, Default)]
pub struct Value {
    /// What it is.
    pub data: Data,
    /// What flowed into it as a whole. A text may know more, piece by piece; elements of lists and maps
    /// carry their own.
    pub marks: Marks,
}

/// Signed integer types that templates can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntKind {
    /// `int`
    Int,
    /// `int64`
    Int64,
    /// `int32` (runes of character constants)
    Int32,
}

/// Unsigned integer types that templates can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UintKind {
    /// `uint8`
    Uint8,
    /// `uint32`
    Uint32,
    /// `uint64`
    Uint64,
}

/// What a value is. `Invalid` and `Nil` are different states: see `helm` issue texts such as
/// `nil pointer evaluating interface {}.b`, which only a `Nil` in a slot gives.
#[derive(Clone, Default)]
pub enum Data {
    /// reflect's zero `Value`: a pipeline, variable or dot that is nil. Never stored in a map or list.
    #[default]
    Invalid,
    /// A nil interface in a slot: an absent or null entry, element or field.
    Nil,
    /// `bool`
    Bool(bool),
    /// A signed integer.
    Int(IntKind, i64),
    /// An unsigned integer.
    Uint(UintKind, u64),
    /// `float64`: every number that was read from YAML or JSON.
    Float(f64),
    /// `string`
    Str(Text),
    /// `[]byte`
    Bytes(Text),
    /// A slice.
    List(List),
    /// A map with string keys.
    Map(Map),
    /// `time.Duration`, in nanoseconds.
    Duration(i64),
    /// `complex128`: only a literal or `printf` ever sees one.
    Complex(Rc<(f64, f64)>),
    /// `time.Time`, a struct, a pointer, or a named type with methods.
    Object(Rc<Box<dyn Object>>),
}

impl Value {
    /// A value without history.
    pub const fn new(data: Data) -> Value {
        Value {
            data,
            marks: Marks::NONE,
        }
    }

    /// The invalid value.
    pub const INVALID: Value = Value::new(Data::Invalid);

    /// A nil in a slot.
    pub const NIL: Value = Value::new(Data::Nil);

    /// The same data with other marks.
    pub fn with_marks(mut self, marks: Marks) -> Value {
        self.marks = marks;
        self
    }

    /// An `int`.
    pub fn int(number: i64) -> Value {
        Value::new(Data::Int(IntKind::Int, number))
    }

    /// An `int64`.
    pub fn int64(number: i64) -> Value {
        Value::new(Data::Int(IntKind::Int64, number))
    }

    /// A `float64`.
    pub fn float(number: f64) -> Value {
        Value::new(Data::Float(number))
    }

    /// A `string`.
    pub fn str(text: impl Into<Text>) -> Value {
        Value::new(Data::Str(text.into()))
    }

    /// An object.
    pub fn object(object: impl Object + 'static) -> Value {
        Value::new(Data::Object(Rc::new(Box::new(object))))
    }

    /// True for both kinds of nil.
    pub fn is_nil(&self) -> bool {
        matches!(self.data, Data::Invalid | Data::Nil)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::str(text)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::new(Data::Bool(truth))
    }
}

impl From<Text> for Value {
    fn from(text: Text) -> Value {
        Value::new(Data::Str(text))
    }
}

impl From<List> for Value {
    fn from(list: List) -> Value {
        Value::new(Data::List(list))
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Value {
        Value::new(Data::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_small() {
        assert_eq!(size_of::<Data>(), 16);
        assert_eq!(size_of::<Value>(), 24);
    }
}
