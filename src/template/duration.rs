//! The methods of `time.Duration` that templates can call.

use crate::value::print::duration_text;
use crate::value::{Data, Param, Signature, Value};

const NONE: Signature = Signature {
    params: &[],
    variadic: false,
};

const ONE: Signature = Signature {
    params: &[Param::Named("time.Duration")],
    variadic: false,
};

/// The parameters of a method.
pub(super) fn method(name: &str) -> Option<Signature> {
    match name {
        "Abs" | "Hours" | "Microseconds" | "Milliseconds" | "Minutes" | "Nanoseconds" | "Seconds"
        | "String" => Some(NONE),
        "Round" | "Truncate" => Some(ONE),
        _ => None,
    }
}

/// Calls a method.
pub(super) fn call(nanos: i64, name: &str, args: &[Value]) -> Result<Value, String> {
    let unit = match args {
        [
            Value {
                data: Data::Duration(unit),
                ..
            },
        ] => *unit,
        _ => 0,
    };
    let parts = |size: i64| (nanos / size) as f64 + (nanos % size) as f64 / size as f64;
    let duration = |nanos: i64| Value::new(Data::Duration(nanos));
    Ok(match name {
        "Abs" => duration(nanos.saturating_abs()),
        "Hours" => Value::float(parts(3_600_000_000_000)),
        "Minutes" => Value::float(parts(60_000_000_000)),
        "Seconds" => Value::float(parts(1_000_000_000)),
        "Milliseconds" => Value::int64(nanos / 1_000_000),
        "Microseconds" => Value::int64(nanos / 1000),
        "Nanoseconds" => Value::int64(nanos),
        "Truncate" if unit <= 0 => duration(nanos),
        "Truncate" => duration(nanos - nanos % unit),
        "Round" => duration(round(nanos, unit)),
        _ => Value::str(duration_text(nanos)),
    })
}

/// To the nearest multiple, halves away from zero (`Duration.Round`).
fn round(nanos: i64, unit: i64) -> i64 {
    if unit <= 0 {
        return nanos;
    }
    let rest = nanos % unit;
    let base = nanos - rest;
    if rest.unsigned_abs() * 2 < unit.unsigned_abs() {
        return base;
    }
    base.saturating_add(if nanos < 0 { -unit } else { unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_away_from_zero() {
        assert_eq!(round(15, 10), 20);
        assert_eq!(round(-15, 10), -20);
        assert_eq!(round(14, 10), 10);
        assert_eq!(round(i64::MAX, 10), i64::MAX);
    }
}
