//! Comparison as `text/template` does it (`eq`, `lt` and their kin in `funcs.go`), and `reflect.DeepEqual`.

use super::data::{Data, Value};
use super::effort;
use super::object::ObjectKind;
use super::print::sprintf;
use super::types::type_name;
use crate::dialect::Dialect;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

const BAD_TYPE: &str = "invalid type for comparison";
const BAD_PAIR: &str = "incompatible types for comparison";

/// Go's basic kinds: what can be compared with what.
#[derive(Clone, Copy, PartialEq)]
enum Basic<'a> {
    Bool(bool),
    Complex(f64, f64),
    Int(i64),
    Uint(u64),
    Float(f64),
    Str(&'a [u8]),
}

fn basic(value: &Value) -> Option<Basic<'_>> {
    Some(match &value.data {
        Data::Bool(truth) => Basic::Bool(*truth),
        Data::Int(_, number) | Data::Duration(number) => Basic::Int(*number),
        Data::Uint(_, number) => Basic::Uint(*number),
        Data::Float(number) => Basic::Float(*number),
        Data::Complex(parts) => Basic::Complex(parts.0, parts.1),
        Data::Str(text) => Basic::Str(text.bytes()),
        Data::Object(object) if object.kind() == ObjectKind::Int => match object.to_json().data {
            Data::Int(_, number) => Basic::Int(number),
            _ => return None,
        },
        _ => return None,
    })
}

/// `eq a b`.
///
/// # Errors
/// Go's text for values that cannot be compared.
pub fn equal(a: &Value, b: &Value, dialect: Dialect) -> Result<bool, String> {
    match (basic(a), basic(b)) {
        (Some(Basic::Int(a)), Some(Basic::Uint(b))) | (Some(Basic::Uint(b)), Some(Basic::Int(a))) => {
            Ok(u64::try_from(a).is_ok_and(|a| a == b))
        }
        (Some(x), Some(y)) if std::mem::discriminant(&x) == std::mem::discriminant(&y) => Ok(x == y),
        (None, None) => equal_others(a, b, dialect),
        _ if a.is_nil() || b.is_nil() => Ok(false),
        _ => Err(bad_pair(a, b, dialect)),
    }
}

/// Two values of no basic kind.
fn equal_others(a: &Value, b: &Value, dialect: Dialect) -> Result<bool, String> {
    if !a.is_nil() && !b.is_nil() && kind(a) != kind(b) {
        return Err(format!(
            "non-comparable types {}: {}, {}: {}",
            printed(b"%s", a, dialect),
            type_name(a, dialect),
            type_name(b, dialect),
            printed(b"%v", b, dialect)
        ));
    }
    if is_nil(a) || is_nil(b) {
        return Ok(is_nil(a) && is_nil(b));
    }
    match (&a.data, &b.data) {
        (Data::Object(x), Data::Object(y)) if comparable(y.kind()) => {
            Ok(std::rc::Rc::ptr_eq(x, y) || (x.kind() == ObjectKind::Struct && deep_equal(a, b)))
        }
        _ => Err(format!(
            "non-comparable type {}: {}",
            printed(b"%s", b, dialect),
            type_name(b, dialect)
        )),
    }
}

fn comparable(kind: ObjectKind) -> bool {
    matches!(kind, ObjectKind::Struct | ObjectKind::Pointer)
}

fn kind(value: &Value) -> &'static str {
    super::types::kind_name(value)
}

/// Nil in Go's wide sense: nil slices and nil maps too.
fn is_nil(value: &Value) -> bool {
    match &value.data {
        Data::List(list) => list.is_nil(),
        Data::Map(map) => map.is_nil(),
        _ => value.is_nil(),
    }
}

fn printed(format: &[u8], value: &Value, dialect: Dialect) -> String {
    let printed = sprintf(format, std::slice::from_ref(value), dialect, false);
    String::from_utf8_lossy(&printed.bytes).into_owned()
}

fn bad_pair(a: &Value, b: &Value, dialect: Dialect) -> String {
    if dialect.names_compared_types() {
        format!(
            "{BAD_PAIR}: {} and {}",
            type_name(a, dialect),
            type_name(b, dialect)
        )
    } else {
        BAD_PAIR.to_owned()
    }
}

/// `lt a b`.
///
/// # Errors
/// Go's text for values that have no order.
pub fn less(a: &Value, b: &Value, dialect: Dialect) -> Result<bool, String> {
    let (Some(x), Some(y)) = (basic(a), basic(b)) else {
        return Err(BAD_TYPE.to_owned());
    };
    match (x, y) {
        (Basic::Int(a), Basic::Uint(b)) => Ok(u64::try_from(a).map_or(true, |a| a < b)),
        (Basic::Uint(a), Basic::Int(b)) => Ok(u64::try_from(b).is_ok_and(|b| a < b)),
        (Basic::Int(a), Basic::Int(b)) => Ok(a < b),
        (Basic::Uint(a), Basic::Uint(b)) => Ok(a < b),
        (Basic::Float(a), Basic::Float(b)) => Ok(a.partial_cmp(&b) == Some(Ordering::Less)),
        (Basic::Str(a), Basic::Str(b)) => Ok(a < b),
        (Basic::Bool(_), Basic::Bool(_)) | (Basic::Complex(..), Basic::Complex(..)) => {
            Err(BAD_TYPE.to_owned())
        }
        _ => Err(bad_pair(a, b, dialect)),
    }
}

/// `le a b`: less or equal.
///
/// # Errors
/// As `less`.
pub fn less_or_equal(a: &Value, b: &Value, dialect: Dialect) -> Result<bool, String> {
    Ok(less(a, b, dialect)? || equal(a, b, dialect)?)
}

/// `reflect.DeepEqual`: same types all the way down, nil slices and maps differ from empty ones.
pub fn deep_equal(a: &Value, b: &Value) -> bool {
    equal_below(a, b, 0, &mut FxHashSet::default())
}

/// Maps that are being compared already count as equal, as in Go. The first levels are not remembered: most
/// values end there.
const REMEMBERED_FROM: usize = 8;

/// No file is nested so deep, and no comparison of what is uses up the stack.
const MOST_COMPARED: usize = 20_000;

fn equal_below(a: &Value, b: &Value, level: usize, seen: &mut FxHashSet<(usize, usize)>) -> bool {
    if level > MOST_COMPARED {
        effort::exhaust();
    }
    if !effort::spend(1) {
        return false;
    }
    match (&a.data, &b.data) {
        (Data::Invalid | Data::Nil, Data::Invalid | Data::Nil) => true,
        (Data::Bool(x), Data::Bool(y)) => x == y,
        (Data::Int(k, x), Data::Int(l, y)) => k == l && x == y,
        (Data::Uint(k, x), Data::Uint(l, y)) => k == l && x == y,
        (Data::Float(x), Data::Float(y)) => x == y,
        (Data::Str(x), Data::Str(y)) | (Data::Bytes(x), Data::Bytes(y)) => x == y,
        (Data::Duration(x), Data::Duration(y)) => x == y,
        (Data::Complex(x), Data::Complex(y)) => x == y,
        (Data::List(x), Data::List(y)) => {
            x.same(y)
                || (x.elem() == y.elem()
                    && x.is_nil() == y.is_nil()
                    && x.items().len() == y.items().len()
                    && x.items()
                        .iter()
                        .zip(y.items())
                        .all(|(x, y)| equal_below(x, y, level + 1, seen)))
        }
        (Data::Map(x), Data::Map(y)) => {
            if x.same(y) || level >= REMEMBERED_FROM && !seen.insert((x.address(), y.address())) {
                return true;
            }
            let (left, right) = (x.entries(), y.entries());
            x.kind() == y.kind()
                && x.is_nil() == y.is_nil()
                && left.len() == right.len()
                && left
                    .iter()
                    .zip(right.iter())
                    .all(|(x, y)| x.0 == y.0 && equal_below(&x.1, &y.1, level + 1, seen))
        }
        (Data::Object(x), Data::Object(y)) => {
            std::rc::Rc::ptr_eq(x, y)
                || (x.type_name() == y.type_name() && {
                    let (left, right) = (x.fields(), y.fields());
                    left.len() == right.len()
                        && left
                            .iter()
                            .zip(&right)
                            .all(|(x, y)| x.0 == y.0 && equal_below(&x.1, &y.1, level + 1, seen))
                })
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{List, Map, UintKind};

    #[test]
    fn signs_do_not_matter_between_integers() {
        let byte = Value::new(Data::Uint(UintKind::Uint8, 3));
        assert_eq!(equal(&Value::int(3), &byte, Dialect::NEWEST), Ok(true));
        assert_eq!(equal(&byte, &Value::int(-3), Dialect::NEWEST), Ok(false));
        assert_eq!(less(&Value::int(-3), &byte, Dialect::NEWEST), Ok(true));
        assert_eq!(less(&byte, &Value::int(-3), Dialect::NEWEST), Ok(false));
    }

    #[test]
    fn depth_sees_types() {
        let list = |item: Value| Value::from(List::new([item]));
        assert!(deep_equal(&list(Value::int(1)), &list(Value::int(1))));
        assert!(!deep_equal(&list(Value::int(1)), &list(Value::float(1.0))));
        assert!(!deep_equal(
            &Value::from(List::new([])),
            &Value::from(List::nil(crate::value::ElemType::Any))
        ));
        assert!(deep_equal(&Value::from(Map::new()), &Value::from(Map::new())));
    }
}
