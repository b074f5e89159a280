//! The Go types of values: what `%T`, `typeOf`, `kindOf` and error messages call them.

use super::data::{Data, IntKind, UintKind, Value};
use super::list::ElemType;
use super::map::MapType;
use super::object::ObjectKind;
use crate::dialect::Dialect;
use std::borrow::Cow;

/// `interface {}`, the type of a slot.
pub const ANY: &str = "interface {}";

/// The type of a value (`reflect.Type.String`); `<nil>` for both nils.
pub fn type_name(value: &Value, dialect: Dialect) -> Cow<'static, str> {
    Cow::Borrowed(match &value.data {
        Data::Invalid | Data::Nil => "<nil>",
        Data::Bool(_) => "bool",
        Data::Int(kind, _) => int_name(*kind),
        Data::Uint(kind, _) => uint_name(*kind),
        Data::Float(_) => "float64",
        Data::Str(_) => "string",
        Data::Bytes(_) => "[]uint8",
        Data::List(list) => return list_name(list.elem()),
        Data::Map(map) => map_name(map.kind(), dialect),
        Data::Duration(_) => "time.Duration",
        Data::Complex(_) => "complex128",
        Data::Object(object) => return Cow::Owned(object.type_name().to_owned()),
    })
}

/// The kind of a value (`reflect.Kind.String`); `invalid` for both nils.
pub fn kind_name(value: &Value) -> &'static str {
    match &value.data {
        Data::Invalid | Data::Nil => "invalid",
        Data::Bool(_) => "bool",
        Data::Int(kind, _) => int_name(*kind),
        Data::Uint(kind, _) => uint_name(*kind),
        Data::Float(_) => "float64",
        Data::Str(_) => "string",
        Data::Bytes(_) | Data::List(_) => "slice",
        Data::Map(_) => "map",
        Data::Duration(_) => "int64",
        Data::Complex(_) => "complex128",
        Data::Object(object) => match object.kind() {
            ObjectKind::Struct => "struct",
            ObjectKind::Pointer => "ptr",
            ObjectKind::Map => "map",
            ObjectKind::Slice => "slice",
            ObjectKind::Int => "int",
        },
    }
}

/// The type of a map.
pub fn map_name(kind: MapType, dialect: Dialect) -> &'static str {
    match kind {
        MapType::Any => "map[string]interface {}",
        MapType::Str => "map[string]string",
        MapType::Values => dialect.values_type(),
    }
}

/// The type of a slice with elements of this type.
pub fn list_name(elem: ElemType) -> Cow<'static, str> {
    Cow::Borrowed(match elem {
        ElemType::Any => "[]interface {}",
        ElemType::Str => "[]string",
        ElemType::Int => "[]int",
        ElemType::Float => "[]float64",
        ElemType::ListOfAny => "[][]interface {}",
        ElemType::Byte => "[]uint8",
        ElemType::Map => "[]map[string]interface {}",
        ElemType::Pointer(name) => return Cow::Owned(format!("[]*{name}")),
    })
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Int => "int",
        IntKind::Int64 => "int64",
        IntKind::Int32 => "int32",
    }
}

fn uint_name(kind: UintKind) -> &'static str {
    match kind {
        UintKind::Uint8 => "uint8",
        UintKind::Uint32 => "uint32",
        UintKind::Uint64 => "uint64",
    }
}
