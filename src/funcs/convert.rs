//! Numbers out of anything (`spf13/cast` 1.7 as sprig uses it): what cannot be read is 0, silently.

use super::show::strval;
use super::spec::FuncSpec;
use crate::template::Param;
use crate::value::number::{NumberError, parse_float, parse_int};
use crate::value::{Data, Text, Value};

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[ATOI, FLOAT64, INT, INT64, TO_DECIMAL, TO_STRING];

const INT: FuncSpec = FuncSpec::new("int", &[Param::Any], |call| Ok(Value::int(to_int64(call.arg(0)))));

const INT64: FuncSpec = FuncSpec::new("int64", &[Param::Any], |call| {
    Ok(Value::int64(to_int64(call.arg(0))))
});

const FLOAT64: FuncSpec = FuncSpec::new("float64", &[Param::Any], |call| {
    Ok(Value::float(to_float64(call.arg(0))))
});

/// `strconv.Atoi` without its error, which leaves the nearest number where the text is out of range.
const ATOI: FuncSpec = FuncSpec::new("atoi", &[Param::Str], |call| {
    let bytes = call.text(0).bytes();
    Ok(Value::int(match parsed_int(bytes, 10) {
        Ok(number) => number,
        Err(NumberError::Range) if bytes.starts_with(b"-") => i64::MIN,
        Err(NumberError::Range) => i64::MAX,
        Err(NumberError::Syntax) => 0,
    }))
});

const TO_DECIMAL: FuncSpec = FuncSpec::new("toDecimal", &[Param::Any], |call| {
    let text = strval(call, call.arg(0))?;
    Ok(Value::int64(parsed_int(text.bytes(), 8).unwrap_or(0)))
});

const TO_STRING: FuncSpec = FuncSpec::new("toString", &[Param::Any], |call| {
    Ok(match &call.arg(0).data {
        Data::Str(_) => call.take(0),
        _ => Value::from(strval(call, call.arg(0))?),
    })
});

/// `cast.ToInt64` and `cast.ToInt`.
pub(super) fn to_int64(value: &Value) -> i64 {
    match &value.data {
        Data::Bool(truth) => i64::from(*truth),
        Data::Int(_, number) => *number,
        Data::Uint(_, number) => number.cast_signed(),
        Data::Float(number) => truncated(*number),
        Data::Str(text) => parsed_int(without_zero_decimals(text), 0).unwrap_or(0),
        Data::Object(object) => match (object.type_name(), object.to_json().data) {
            ("time.Month" | "time.Weekday", Data::Int(_, number)) => number,
            _ => 0,
        },
        _ => 0,
    }
}

/// `cast.ToFloat64`.
#[expect(clippy::cast_precision_loss, reason = "Go converts with float64(n) here")]
pub(super) fn to_float64(value: &Value) -> f64 {
    match &value.data {
        Data::Float(number) => *number,
        Data::Uint(_, number) => *number as f64,
        Data::Str(text) => parsed_float(text),
        _ => to_int64(value) as f64,
    }
}

/// Go's `int64(f)` on amd64: what does not fit becomes the smallest number.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn truncated(number: f64) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if (-LIMIT..LIMIT).contains(&number) {
        number as i64
    } else {
        i64::MIN
    }
}

/// cast's `trimZeroDecimal`: `12.000` is `12`, `12.5` stays. It looks at dots and zeros from the end only,
/// so `12.0.` is 12 as well.
fn without_zero_decimals(text: &Text) -> &[u8] {
    let bytes = text.bytes();
    let mut found_zero = false;
    for (at, byte) in bytes.iter().enumerate().rev() {
        match byte {
            b'.' if found_zero => return &bytes[..at],
            b'.' => {}
            b'0' => found_zero = true,
            _ => break,
        }
    }
    bytes
}

fn parsed_int(bytes: &[u8], base: u32) -> Result<i64, NumberError> {
    let text = std::str::from_utf8(bytes).map_err(|_| NumberError::Syntax)?;
    parse_int(text, base)
}

fn parsed_float(text: &Text) -> f64 {
    let read = std::str::from_utf8(text.bytes())
        .ok()
        .and_then(|text| parse_float(text).ok());
    read.unwrap_or(0.0)
}
