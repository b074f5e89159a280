//! What a value is, in Go's names (`sprig/reflect.go`).

use super::spec::FuncSpec;
use crate::template::{Call, Param};
use crate::value::Value;
use crate::value::cmp::deep_equal;
use crate::value::types::{kind_name, type_name};
use std::borrow::Cow;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[DEEP_EQUAL, KIND_IS, KIND_OF, TYPE_IS, TYPE_IS_LIKE, TYPE_OF];

const KIND_OF: FuncSpec = FuncSpec::new("kindOf", &[Param::Any], |call| {
    Ok(Value::from(kind_name(call.arg(0))))
});

const KIND_IS: FuncSpec = FuncSpec::new("kindIs", &[Param::Str, Param::Any], |call| {
    Ok(Value::from(
        call.text(0).bytes() == kind_name(call.arg(1)).as_bytes(),
    ))
});

fn type_of(call: &Call<'_>, at: usize) -> Cow<'static, str> {
    type_name(call.arg(at), call.host.dialect())
}

const TYPE_OF: FuncSpec = FuncSpec::new("typeOf", &[Param::Any], |call| {
    Ok(Value::from(&*type_of(call, 0)))
});

const TYPE_IS: FuncSpec = FuncSpec::new("typeIs", &[Param::Str, Param::Any], |call| {
    Ok(Value::from(call.text(0).bytes() == type_of(call, 1).as_bytes()))
});

/// As `typeIs`, or a pointer to that type.
const TYPE_IS_LIKE: FuncSpec = FuncSpec::new("typeIsLike", &[Param::Str, Param::Any], |call| {
    let name = type_of(call, 1);
    let target = call.text(0).bytes();
    let pointee = name
        .strip_prefix('*')
        .is_some_and(|pointee| pointee.as_bytes() == target);
    Ok(Value::from(pointee || name.as_bytes() == target))
});

const DEEP_EQUAL: FuncSpec = FuncSpec::new("deepEqual", &[Param::Any, Param::Any], |call| {
    Ok(Value::from(deep_equal(call.arg(0), call.arg(1))))
});
