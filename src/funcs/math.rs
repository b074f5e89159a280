//! Integer arithmetic on `int64` that wraps, rounding, and ranges of integers (`sprig/numeric.go`).

use super::convert::{to_float64, to_int64};
use super::limits::check_items;
use super::spec::{Answer, FuncSpec};
use crate::template::{Call, CallError, Param};
use crate::value::{Data, ElemType, List, Value};
use std::fmt::Write;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[
    ADD, ADD1, CEIL, DIV, FLOOR, MAX, MAXF, MIN, MINF, MOD, MUL, ROUND, SEQ, SUB, UNTIL, UNTIL_STEP,
];

/// Folds the integers of all arguments.
fn fold(call: &Call<'_>, combine: impl Fn(i64, i64) -> i64) -> Value {
    let numbers = call.args.iter().map(to_int64);
    Value::int64(numbers.reduce(combine).unwrap_or(0))
}

const ADD: FuncSpec =
    FuncSpec::new("add", &[Param::Any], |call| Ok(fold(call, i64::wrapping_add))).variadic();

const ADD1: FuncSpec = FuncSpec::new("add1", &[Param::Any], |call| {
    Ok(Value::int64(to_int64(call.arg(0)).wrapping_add(1)))
});

const SUB: FuncSpec = FuncSpec::new("sub", &[Param::Any, Param::Any], |call| {
    Ok(fold(call, i64::wrapping_sub))
});

const MUL: FuncSpec = FuncSpec::new("mul", &[Param::Any, Param::Any], |call| {
    Ok(fold(call, i64::wrapping_mul))
})
.variadic();

const DIV: FuncSpec = FuncSpec::new("div", &[Param::Any, Param::Any], |call| {
    divide(call, i64::wrapping_div)
});

const MOD: FuncSpec = FuncSpec::new("mod", &[Param::Any, Param::Any], |call| {
    divide(call, i64::wrapping_rem)
});

fn divide(call: &Call<'_>, combine: impl Fn(i64, i64) -> i64) -> Answer {
    if to_int64(call.arg(1)) == 0 {
        return Err(CallError::own("runtime error: integer divide by zero"));
    }
    Ok(fold(call, combine))
}

const MAX: FuncSpec = FuncSpec::new("max", &[Param::Any, Param::Any], |call| Ok(fold(call, i64::max)))
    .variadic()
    .also(&["biggest"]);

const MIN: FuncSpec =
    FuncSpec::new("min", &[Param::Any, Param::Any], |call| Ok(fold(call, i64::min))).variadic();

const MAXF: FuncSpec = FuncSpec::new("maxf", &[Param::Any, Param::Any], |call| {
    Ok(fold_floats(call, f64::INFINITY, |a, b| {
        if a > b || b.is_sign_negative() && a == b {
            a
        } else {
            b
        }
    }))
})
.variadic();

const MINF: FuncSpec = FuncSpec::new("minf", &[Param::Any, Param::Any], |call| {
    Ok(fold_floats(call, f64::NEG_INFINITY, |a, b| {
        if a < b || a.is_sign_negative() && a == b {
            a
        } else {
            b
        }
    }))
})
.variadic();

/// `math.Max` and `math.Min`: the winning infinity beats NaN, NaN beats all else, and zeros have signs.
fn fold_floats(call: &Call<'_>, winner: f64, choose: impl Fn(f64, f64) -> f64) -> Value {
    let numbers = call.args.iter().map(to_float64);
    let chosen = numbers.reduce(|a, b| {
        if a == winner || b == winner {
            winner
        } else if a.is_nan() || b.is_nan() {
            f64::NAN
        } else {
            choose(a, b)
        }
    });
    Value::float(chosen.unwrap_or(0.0))
}

const FLOOR: FuncSpec = FuncSpec::new("floor", &[Param::Any], |call| {
    Ok(Value::float(to_float64(call.arg(0)).floor()))
});

const CEIL: FuncSpec = FuncSpec::new("ceil", &[Param::Any], |call| {
    Ok(Value::float(to_float64(call.arg(0)).ceil()))
});

const ROUND: FuncSpec = FuncSpec::new("round", &[Param::Any, Param::Int, Param::Float], round).variadic();

/// Rounds up where the fraction, sign included, reaches the threshold: -1.5 becomes -2, and so does -1.6.
fn round(call: &mut Call<'_>) -> Answer {
    let threshold = match call.args.get(2).map(|value| &value.data) {
        Some(Data::Float(number)) => *number,
        _ => 0.5,
    };
    let power = power_of_ten(call.int(1));
    let scaled = power * to_float64(call.arg(0));
    let rounded = if scaled.fract() >= threshold {
        scaled.ceil()
    } else {
        scaled.floor()
    };
    Ok(Value::float(rounded / power))
}

/// `math.Pow(10, exponent)` in Go's own steps, whose last bit can differ from other libraries: repeated
/// squaring of 10 = 0.625 * 2^4, and one division for a negative exponent.
fn power_of_ten(exponent: i64) -> f64 {
    let mut rest = exponent.unsigned_abs();
    let (mut base, mut base_exponent) = (0.625_f64, 4_i64);
    let (mut power, mut power_exponent) = (1.0_f64, 0_i64);
    while rest > 0 {
        if base_exponent > 1 << 12 {
            return if exponent > 0 { f64::INFINITY } else { 0.0 };
        }
        if rest & 1 == 1 {
            power *= base;
            power_exponent += base_exponent;
        }
        base *= base;
        base_exponent <<= 1;
        if base < 0.5 {
            base += base;
            base_exponent -= 1;
        }
        rest >>= 1;
    }
    if exponent < 0 {
        power = 1.0 / power;
        power_exponent = -power_exponent;
    }
    scale_by_two(power, power_exponent)
}

/// `number * 2^exponent`; the steps stay exact until the last one.
fn scale_by_two(number: f64, exponent: i64) -> f64 {
    let mut number = number;
    let mut exponent = exponent.clamp(-4000, 4000);
    while exponent > 1000 {
        number *= 2.0_f64.powi(1000);
        exponent -= 1000;
    }
    while exponent < -900 {
        number *= 2.0_f64.powi(-900);
        exponent += 900;
    }
    number * 2.0_f64.powi(i32::try_from(exponent).unwrap_or(0))
}

const UNTIL: FuncSpec = FuncSpec::new("until", &[Param::Int], |call| {
    let count = call.int(0);
    range(call, 0, count, if count < 0 { -1 } else { 1 }).map(integers)
});

const UNTIL_STEP: FuncSpec = FuncSpec::new("untilStep", &[Param::Int, Param::Int, Param::Int], |call| {
    range(call, call.int(0), call.int(1), call.int(2)).map(integers)
});

fn integers(numbers: Vec<i64>) -> Value {
    let items: Vec<Value> = numbers.into_iter().map(Value::int).collect();
    Value::from(List::typed(ElemType::Int, items))
}

/// The integers from `start` up to but without `stop`; none when the step points the other way.
fn range(call: &Call<'_>, start: i64, stop: i64, step: i64) -> Result<Vec<i64>, CallError> {
    if step == 0 || start == stop || (stop > start) != (step > 0) {
        return Ok(Vec::new());
    }
    let count = stop.abs_diff(start).div_ceil(step.unsigned_abs());
    check_items(call, count)?;
    let number = |at: u64| start.wrapping_add(step.wrapping_mul(at.cast_signed()));
    Ok((0..count).map(number).collect())
}

const SEQ: FuncSpec = FuncSpec::new("seq", &[Param::Int], seq).variadic();

/// As the shell's `seq`, in one line: both ends belong to it. More than three arguments give nothing.
fn seq(call: &mut Call<'_>) -> Answer {
    let (start, end, step) = match call.args.len() {
        1 => (1, call.int(0), None),
        2 => (call.int(0), call.int(1), None),
        3 => (call.int(0), call.int(2), Some(call.int(1))),
        _ => return Ok(Value::from("")),
    };
    let toward = if end < start { -1 } else { 1 };
    if end < start && step.is_some_and(|step| step > 0) {
        return Ok(Value::from(""));
    }
    let numbers = range(call, start, end.wrapping_add(toward), step.unwrap_or(toward))?;
    let mut text = String::new();
    for (at, number) in numbers.iter().enumerate() {
        let gap = if at > 0 { " " } else { "" };
        write!(text, "{gap}{number}").map_err(|_| CallError::own("out of memory"))?;
    }
    Ok(Value::str(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_are_the_nearest_numbers_where_they_are_exact() {
        for exponent in 0..=22 {
            assert_eq!(
                power_of_ten(exponent),
                format!("1e{exponent}").parse::<f64>().unwrap()
            );
        }
        assert_eq!(power_of_ten(-2), 0.01);
        assert_eq!(power_of_ten(400), f64::INFINITY);
        assert_eq!(power_of_ten(-400), 0.0);
        assert_eq!(power_of_ten(i64::MIN), 0.0);
    }
}
