//! Helm 4.3's duration helpers (`pkg/engine/funcs.go`): durations out of texts and numbers of seconds.

use super::spec::{Answer, FuncSpec};
use crate::dialect::Dialect;
use crate::template::{Call, CallError, Param};
use crate::value::number::{NumberError, parse_float};
use crate::value::types::type_name;
use crate::value::{Data, Value, float, quote};

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[
    DAYS,
    HOURS,
    MICROSECONDS,
    MILLISECONDS,
    MINUTES,
    MUST_TO_DURATION,
    NANOSECONDS,
    ROUND_TO,
    SECONDS,
    TRUNCATE_TO,
    WEEKS,
];

const DIALECTS: &[Dialect] = &[Dialect::V4_3];

const SECOND: i64 = 1_000_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

const fn one(name: &'static str, body: super::spec::Body) -> FuncSpec {
    FuncSpec::new(name, &[Param::Any], body).only(DIALECTS)
}

const MUST_TO_DURATION: FuncSpec = one("mustToDuration", |call| {
    let nanos = as_duration(call, 0).map_err(CallError::Own)?;
    Ok(Value::new(Data::Duration(nanos)))
});

const SECONDS: FuncSpec = one("durationSeconds", |call| in_units(call, SECOND, 1.0));
const MINUTES: FuncSpec = one("durationMinutes", |call| in_units(call, MINUTE, 1.0));
const HOURS: FuncSpec = one("durationHours", |call| in_units(call, HOUR, 1.0));
const DAYS: FuncSpec = one("durationDays", |call| in_units(call, HOUR, 24.0));
const WEEKS: FuncSpec = one("durationWeeks", |call| {
    let days = in_units(call, HOUR, 24.0)?;
    Ok(match days.data {
        Data::Float(days) => Value::float(days / 7.0),
        _ => days,
    })
});
const MILLISECONDS: FuncSpec = one("durationMilliseconds", |call| whole(call, 1_000_000));
const MICROSECONDS: FuncSpec = one("durationMicroseconds", |call| whole(call, 1000));
const NANOSECONDS: FuncSpec = one("durationNanoseconds", |call| whole(call, 1));

/// Go's `Duration.Seconds` and its kin: the whole units and the rest apart, then the sum in floats.
#[expect(clippy::cast_precision_loss, reason = "Go converts with float64(n) here")]
fn in_units(call: &mut Call<'_>, unit: i64, divisor: f64) -> Answer {
    let nanos = lenient(call, 0);
    let units = (nanos / unit) as f64 + (nanos % unit) as f64 / unit as f64;
    Ok(Value::float(units / divisor))
}

fn whole(call: &mut Call<'_>, unit: i64) -> Answer {
    let nanos = lenient(call, 0);
    Ok(Value::int64(nanos / unit))
}

const ROUND_TO: FuncSpec = FuncSpec::new("durationRoundTo", &[Param::Any, Param::Any], |call| {
    to_multiple(call, rounded)
})
.only(DIALECTS);

const TRUNCATE_TO: FuncSpec = FuncSpec::new("durationTruncateTo", &[Param::Any, Param::Any], |call| {
    to_multiple(call, |nanos, multiple| {
        if multiple <= 0 {
            nanos
        } else {
            nanos - nanos % multiple
        }
    })
})
.only(DIALECTS);

fn to_multiple(call: &mut Call<'_>, change: impl Fn(i64, i64) -> i64) -> Answer {
    let Ok(nanos) = noted(call, 0) else {
        return Ok(Value::new(Data::Duration(0)));
    };
    let changed = noted(call, 1).map_or(nanos, |multiple| change(nanos, multiple));
    Ok(Value::new(Data::Duration(changed)))
}

/// `Duration.Round`: halves away from zero, saturating.
fn rounded(nanos: i64, multiple: i64) -> i64 {
    if multiple <= 0 {
        return nanos;
    }
    let rest = nanos % multiple;
    let closer_to_zero = rest.unsigned_abs() * 2 < multiple.unsigned_abs();
    if nanos < 0 {
        if closer_to_zero {
            nanos - rest
        } else {
            (nanos - rest).checked_sub(multiple).unwrap_or(i64::MIN)
        }
    } else if closer_to_zero {
        nanos - rest
    } else {
        (nanos - rest).checked_add(multiple).unwrap_or(i64::MAX)
    }
}

/// The duration, or 0 where there is none.
fn lenient(call: &mut Call<'_>, at: usize) -> i64 {
    noted(call, at).unwrap_or(0)
}

fn noted(call: &mut Call<'_>, at: usize) -> Result<i64, ()> {
    as_duration(call, at).map_err(|message| call.host.note_swallowed(&message))
}

/// Helm's `asDuration`.
fn as_duration(call: &Call<'_>, at: usize) -> Result<i64, String> {
    let value = call.arg(at);
    match &value.data {
        Data::Duration(nanos) => Ok(*nanos),
        Data::Int(_, seconds) => seconds
            .checked_mul(SECOND)
            .ok_or_else(|| format!("duration seconds overflow: {seconds}")),
        Data::Uint(_, seconds) => i64::try_from(*seconds)
            .ok()
            .and_then(|seconds| seconds.checked_mul(SECOND))
            .ok_or_else(|| format!("duration seconds overflow: {seconds}")),
        Data::Float(seconds) => from_seconds(*seconds),
        Data::Str(text) => from_text(text.bytes()),
        Data::Invalid | Data::Nil => Err("invalid duration".to_owned()),
        _ => Err(format!(
            "unsupported duration type {}",
            type_name(value, call.host.dialect())
        )),
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "Go's own conversions; the range is checked"
)]
fn from_seconds(seconds: f64) -> Result<i64, String> {
    const MOST: f64 = i64::MAX as f64;
    let unit = SECOND as f64;
    if !seconds.is_finite() {
        return Err(format!("invalid duration seconds: {}", float::general(seconds)));
    }
    if seconds.abs() > MOST / unit {
        return Err(format!("duration seconds overflow: {}", float::general(seconds)));
    }
    let nanos = seconds * unit;
    if nanos.abs() > MOST {
        return Err(format!(
            "duration nanoseconds overflow: {}",
            float::general(nanos)
        ));
    }
    // The one float at the upper edge is 2^63, which amd64 turns into the smallest number.
    Ok(if nanos >= MOST { i64::MIN } else { nanos as i64 })
}

fn from_text(text: &[u8]) -> Result<i64, String> {
    let lossy = String::from_utf8_lossy(text);
    let trimmed = lossy.trim();
    if trimmed.is_empty() {
        return Err("empty duration".to_owned());
    }
    if let Some(nanos) = parse_duration(trimmed) {
        return Ok(nanos);
    }
    match parse_float(trimmed) {
        Ok(seconds) => from_seconds(seconds),
        Err(NumberError::Syntax | NumberError::Range) => {
            Err(format!("could not parse duration {}", quote::quote_str(text)))
        }
    }
}

/// `time.ParseDuration`: `None` for any of its errors.
pub(super) fn parse_duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let whole_digits = leading_digits(rest);
        let (whole, after) = rest.split_at(whole_digits);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => after.split_at(leading_digits(after)),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let unit_length = after
            .find(|c: char| c == '.' || c.is_ascii_digit())
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_length);
        let unit = unit_nanos(unit)?;
        let whole: u64 = if whole.is_empty() {
            0
        } else {
            whole.parse().ok().filter(|n| *n <= 1 << 63)?
        };
        let nanos = whole
            .checked_mul(unit)?
            .checked_add(fraction_nanos(fraction, unit))?;
        total = total.checked_add(nanos).filter(|total| *total <= 1 << 63)?;
        rest = after;
    }
    if negative {
        return Some(total.wrapping_neg().cast_signed());
    }
    i64::try_from(total).ok()
}

fn leading_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn unit_nanos(name: &str) -> Option<u64> {
    Some(match name {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// The digits behind the point as nanoseconds; digits that no longer fit are dropped (`leadingFraction`).
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "Go computes the fraction in float64"
)]
fn fraction_nanos(digits: &str, unit: u64) -> u64 {
    let mut number: u64 = 0;
    let mut scale = 1.0_f64;
    for digit in digits.bytes() {
        if number > (1 << 63) / 10 {
            break;
        }
        let next = number * 10 + u64::from(digit - b'0');
        if next > 1 << 63 {
            break;
        }
        number = next;
        scale *= 10.0;
    }
    if number == 0 {
        return 0;
    }
    (number as f64 * (unit as f64 / scale)) as u64
}
