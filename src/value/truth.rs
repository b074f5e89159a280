//! Truth as `text/template` sees it (`IsTrue`): the zero of a type is false.

use super::data::{Data, Value};
use super::object::ObjectKind;

/// True unless the value is the zero of its type, nil, or empty.
pub fn is_true(value: &Value) -> bool {
    match &value.data {
        Data::Invalid | Data::Nil => false,
        Data::Bool(truth) => *truth,
        Data::Int(_, number) | Data::Duration(number) => *number != 0,
        Data::Uint(_, number) => *number != 0,
        Data::Float(number) => *number != 0.0,
        Data::Str(text) | Data::Bytes(text) => !text.is_empty(),
        Data::List(list) => !list.items().is_empty(),
        Data::Map(map) => !map.is_empty(),
        Data::Complex(parts) => **parts != (0.0, 0.0),
        Data::Object(object) => match object.kind() {
            ObjectKind::Struct | ObjectKind::Pointer => true,
            ObjectKind::Int => is_true(&object.to_json()),
            ObjectKind::Map | ObjectKind::Slice => object.count().is_some_and(|count| count > 0),
        },
    }
}

/// True for a non-empty string that a person may read as false.
pub fn reads_as_false(value: &Value) -> bool {
    let Data::Str(text) = &value.data else {
        return false;
    };
    let bytes = text.bytes();
    bytes.len() <= 5
        && ["false", "0", "no", "off", "null"]
            .iter()
            .any(|word| bytes.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{List, Map};

    #[test]
    fn zeros_are_false() {
        for value in [
            Value::INVALID,
            Value::NIL,
            Value::from(false),
            Value::int(0),
            Value::float(0.0),
            Value::from(""),
            Value::from(List::new([])),
            Value::from(Map::new()),
        ] {
            assert!(!is_true(&value));
        }
        for value in [
            Value::from("false"),
            Value::int(-1),
            Value::from(List::new([Value::NIL])),
        ] {
            assert!(is_true(&value));
        }
        assert!(reads_as_false(&Value::from("Off")) && !reads_as_false(&Value::from("offer")));
    }
}
