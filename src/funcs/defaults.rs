//! `default`, `empty`, `coalesce` and their kin (`sprig/defaults.go`). They give the chosen value itself,
//! with its own marks.

use super::spec::FuncSpec;
use crate::template::Param;
use crate::value::Value;
use crate::value::truth::is_true;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[ALL, ANY, COALESCE, DEFAULT, EMPTY, TERNARY];

/// sprig's `empty` is the opposite of `text/template`'s truth for every value a template can get hold of
/// (they differ for nil pointers only).
pub(super) fn is_empty(value: &Value) -> bool {
    !is_true(value)
}

const DEFAULT: FuncSpec = FuncSpec::new("default", &[Param::Any, Param::Any], |call| {
    let given = call.args.len() > 1 && !is_empty(call.arg(1));
    Ok(call.take(usize::from(given)))
})
.variadic();

const EMPTY: FuncSpec = FuncSpec::new("empty", &[Param::Any], |call| {
    Ok(Value::from(is_empty(call.arg(0))))
});

const COALESCE: FuncSpec = FuncSpec::new("coalesce", &[Param::Any], |call| {
    let found = call.args.iter().position(|value| !is_empty(value));
    Ok(found.map_or(Value::INVALID, |at| call.take(at)))
})
.variadic();

const ALL: FuncSpec = FuncSpec::new("all", &[Param::Any], |call| {
    Ok(Value::from(!call.args.iter().any(is_empty)))
})
.variadic();

const ANY: FuncSpec = FuncSpec::new("any", &[Param::Any], |call| {
    Ok(Value::from(!call.args.iter().all(is_empty)))
})
.variadic();

const TERNARY: FuncSpec = FuncSpec::new("ternary", &[Param::Any, Param::Any, Param::Bool], |call| {
    let at = if call.bool(2) { 0 } else { 1 };
    Ok(call.take(at))
});
