//! `addf`, `subf`, `mulf`, `divf`: exact decimals in between (`shopspring/decimal` 1.4), floats at the ends.

use super::convert::to_float64;
use super::spec::{Answer, FuncSpec};
use crate::base::digits::shortest;
use crate::template::{Call, CallError, Param};
use crate::value::Value;
use num_bigint::{BigInt, Sign};

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[ADD1F, ADDF, DIVF, MULF, SUBF];

/// Digits after the point of a quotient that does not come out even.
const DIVISION_PRECISION: i32 = 16;

/// `value * 10^exponent`
struct Decimal {
    value: BigInt,
    exponent: i32,
}

const ADDF: FuncSpec = FuncSpec::new("addf", &[Param::Any], |call| {
    let floats = floats(call);
    calculate(0.0, &floats, |a, b| Ok(add(a, b)))
})
.variadic();

const ADD1F: FuncSpec = FuncSpec::new("add1f", &[Param::Any], |call| {
    calculate(to_float64(call.arg(0)), &[1.0], |a, b| Ok(add(a, b)))
});

const SUBF: FuncSpec = FuncSpec::new("subf", &[Param::Any, Param::Any], |call| {
    let floats = floats(call);
    calculate(floats[0], &floats[1..], |a, mut b| {
        b.value = -b.value;
        Ok(add(a, b))
    })
})
.variadic();

const MULF: FuncSpec = FuncSpec::new("mulf", &[Param::Any, Param::Any], |call| {
    let floats = floats(call);
    calculate(floats[0], &floats[1..], |a, b| {
        let exponent = a.exponent + b.exponent;
        Ok(Decimal {
            value: a.value * b.value,
            exponent,
        })
    })
})
.variadic();

const DIVF: FuncSpec = FuncSpec::new("divf", &[Param::Any, Param::Any], |call| {
    let floats = floats(call);
    calculate(floats[0], &floats[1..], divide)
})
.variadic();

fn floats(call: &Call<'_>) -> Vec<f64> {
    call.args.iter().map(to_float64).collect()
}

fn calculate(
    first: f64,
    others: &[f64],
    combine: impl Fn(Decimal, Decimal) -> Result<Decimal, CallError>,
) -> Answer {
    let mut result = from_float(first)?;
    for other in others {
        result = combine(result, from_float(*other)?)?;
    }
    Ok(Value::float(to_float(&result)))
}

/// The shortest decimal that reads back as the number.
fn from_float(number: f64) -> Result<Decimal, CallError> {
    if !number.is_finite() {
        let name = match number {
            f64::INFINITY => "+Inf",
            f64::NEG_INFINITY => "-Inf",
            _ => "NaN",
        };
        return Err(CallError::own(format!("Cannot create a Decimal from {name}")));
    }
    let (digits, exponent) = shortest(number.abs());
    let value = digits.parse::<BigInt>();
    let value = value.map_err(|_| CallError::own(format!("Cannot create a Decimal from {digits}")))?;
    let behind_first = i32::try_from(digits.len()).unwrap_or(i32::MAX) - 1;
    Ok(Decimal {
        value: if number < 0.0 { -value } else { value },
        exponent: exponent - behind_first,
    })
}

/// The nearest float; both languages read decimal text exactly.
fn to_float(decimal: &Decimal) -> f64 {
    format!("{}e{}", decimal.value, decimal.exponent)
        .parse()
        .unwrap_or(f64::NAN)
}

fn ten_to_the(exponent: i32) -> BigInt {
    BigInt::from(10).pow(exponent.unsigned_abs())
}

fn add(a: Decimal, b: Decimal) -> Decimal {
    let exponent = a.exponent.min(b.exponent);
    let value = a.value * ten_to_the(a.exponent - exponent) + b.value * ten_to_the(b.exponent - exponent);
    Decimal { value, exponent }
}

/// `Decimal.DivRound`: 16 digits after the point, halves away from zero.
fn divide(a: Decimal, b: Decimal) -> Result<Decimal, CallError> {
    if b.value.sign() == Sign::NoSign {
        return Err(CallError::own("decimal division by 0"));
    }
    let shift = a.exponent - b.exponent + DIVISION_PRECISION;
    let (dividend, divisor) = if shift < 0 {
        (a.value, b.value * ten_to_the(shift))
    } else {
        (a.value * ten_to_the(shift), b.value)
    };
    let quotient = &dividend / &divisor;
    let remainder = &dividend - &quotient * &divisor;
    let mut value = quotient;
    if (remainder.magnitude() * 2u32) >= *divisor.magnitude() {
        let negative = (dividend.sign() == Sign::Minus) != (divisor.sign() == Sign::Minus);
        value += if negative { -1 } else { 1 };
    }
    Ok(Decimal {
        value,
        exponent: -DIVISION_PRECISION,
    })
}
