//! Dates (`sprig/date.go`): the clock, layouts, zones, durations between times.

use super::durations::parse_duration;
use super::go_parse;
use super::go_time::Moment;
use super::spec::{Answer, FuncSpec};
use super::zones::Zone;
use crate::template::{Call, CallError, Effect, Param};
use crate::value::number::{NumberError, parse_int};
use crate::value::print::duration_text;
use crate::value::{Data, IntKind, Text, Value};

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[
    AGO,
    DATE,
    DATE_IN_ZONE,
    DATE_MODIFY,
    DURATION,
    DURATION_ROUND,
    HTML_DATE,
    HTML_DATE_IN_ZONE,
    MUST_DATE_MODIFY,
    MUST_TO_DATE,
    NOW,
    TO_DATE,
    UNIX_EPOCH,
];

const HTML: &[u8] = b"2006-01-02";

const SECOND: i64 = 1_000_000_000;

/// What the monotonic clock of a Go process shows at `now`: it counts from the start of the process, and
/// a process renders shortly after its start. It is printed with the time.
const READING: i64 = 100_000_000;

fn clock(call: &mut Call<'_>) -> Moment {
    call.host.note_ambient(Effect::Clock);
    let (seconds, nanos) = call.host.ambient().now();
    Moment::new(seconds, nanos, Zone::Local)
}

const NOW: FuncSpec = FuncSpec::new("now", &[], |call| {
    let mut now = clock(call);
    now.monotonic = Some(READING);
    Ok(now.value())
})
.effect(Effect::Clock);

const DATE: FuncSpec = FuncSpec::new("date", &[Param::Str, Param::Any], |call| {
    let layout = call.text(0).clone();
    in_zone(call, layout.bytes(), 1, Zone::Local)
})
.effect(Effect::Host);

const DATE_IN_ZONE: FuncSpec = FuncSpec::new("dateInZone", &[Param::Str, Param::Any, Param::Str], |call| {
    let layout = call.text(0).clone();
    let zone = named_zone(call, 2);
    in_zone(call, layout.bytes(), 1, zone)
})
.also(&["date_in_zone"])
.effect(Effect::Clock);

const HTML_DATE: FuncSpec = FuncSpec::new("htmlDate", &[Param::Any], |call| {
    in_zone(call, HTML, 0, Zone::Local)
})
.effect(Effect::Host);

const HTML_DATE_IN_ZONE: FuncSpec = FuncSpec::new("htmlDateInZone", &[Param::Any, Param::Str], |call| {
    let zone = named_zone(call, 1);
    in_zone(call, HTML, 0, zone)
})
.effect(Effect::Clock);

/// The zone of a name; an unknown one is UTC, silently.
fn named_zone(call: &mut Call<'_>, at: usize) -> Zone {
    let name = call.text(at);
    match Zone::load(name.bytes()) {
        Some(zone) => zone,
        None => {
            let message = format!("unknown time zone {}", name.lossy());
            call.host.note_swallowed(&message);
            Zone::Utc
        }
    }
}

fn in_zone(call: &mut Call<'_>, layout: &[u8], at: usize, zone: Zone) -> Answer {
    if matches!(zone, Zone::Local) {
        call.host.note_ambient(Effect::Host);
    }
    let moment = match time_of(call.arg(at), true) {
        Some(moment) => moment,
        None => clock(call),
    };
    Ok(Value::from(Text::from(moment.seen_from(zone).format(layout))))
}

/// A time, or an integer as seconds since 1970. Everything else, floats included, stands for now.
fn time_of(value: &Value, runes: bool) -> Option<Moment> {
    match &value.data {
        Data::Int(IntKind::Int32, _) if !runes => None,
        Data::Int(_, seconds) => Some(Moment::new(*seconds, 0, Zone::Local)),
        _ => Moment::of_value(value),
    }
}

const TO_DATE: FuncSpec = FuncSpec::new("toDate", &[Param::Str, Param::Str], |call| match to_date(call) {
    Err(CallError::Own(message)) => {
        call.host.note_swallowed(&message);
        Ok(Moment::zero().value())
    }
    other => other,
})
.effect(Effect::Host);

const MUST_TO_DATE: FuncSpec =
    FuncSpec::new("mustToDate", &[Param::Str, Param::Str], to_date).effect(Effect::Host);

/// A text without a zone is a time in the zone of the host.
fn to_date(call: &mut Call<'_>) -> Answer {
    let parsed = go_parse::parse(call.text(0).bytes(), call.text(1).bytes())?;
    if !parsed.zone_given {
        call.host.note_ambient(Effect::Host);
    }
    Ok(parsed.moment.value())
}

const DATE_MODIFY: FuncSpec =
    FuncSpec::new("dateModify", &[Param::Str, Param::Time], |call| {
        match modified(call) {
            Err(CallError::Own(message)) => {
                call.host.note_swallowed(&message);
                Ok(call.take(1))
            }
            other => other,
        }
    })
    .also(&["date_modify"]);

const MUST_DATE_MODIFY: FuncSpec =
    FuncSpec::new("mustDateModify", &[Param::Str, Param::Time], modified).also(&["must_date_modify"]);

fn modified(call: &mut Call<'_>) -> Answer {
    let nanos = go_duration(call.text(0))?;
    Ok(time(call, 1).plus(nanos).value())
}

/// A `Param::Time` argument.
fn time(call: &Call<'_>, at: usize) -> Moment {
    Moment::of_value(call.arg(at)).unwrap_or_else(Moment::zero)
}

/// `time.ParseDuration` with its errors.
fn go_duration(text: &Text) -> Result<i64, String> {
    let whole = text.lossy();
    parse_duration(&whole).ok_or_else(|| why_no_duration(text.bytes()))
}

fn why_no_duration(text: &[u8]) -> String {
    let shown = go_parse::quote(text);
    let mut rest = match text.first() {
        Some(b'-' | b'+') => &text[1..],
        _ => text,
    };
    let count = |rest: &[u8], wanted: fn(&u8) -> bool| rest.iter().take_while(|byte| wanted(byte)).count();
    while !rest.is_empty() {
        let whole = count(rest, u8::is_ascii_digit);
        rest = &rest[whole..];
        let mut fraction = 0;
        if rest.first() == Some(&b'.') {
            fraction = count(&rest[1..], u8::is_ascii_digit);
            rest = &rest[1 + fraction..];
        }
        if whole + fraction == 0 {
            break;
        }
        let unit = count(rest, |byte| *byte != b'.' && !byte.is_ascii_digit());
        let (unit, after) = rest.split_at(unit);
        if unit.is_empty() {
            return format!("time: missing unit in duration {shown}");
        }
        let known = ["ns", "us", "\u{b5}s", "\u{3bc}s", "ms", "s", "m", "h"];
        if !known.iter().any(|known| known.as_bytes() == unit) {
            return format!("time: unknown unit {} in duration {shown}", go_parse::quote(unit));
        }
        rest = after;
    }
    format!("time: invalid duration {shown}")
}

const AGO: FuncSpec = FuncSpec::new("ago", &[Param::Any], |call| {
    let now = clock(call);
    let then = time_of(call.arg(0), false).unwrap_or_else(|| now.clone());
    Ok(Value::str(duration_text(to_second(now.since(&then)))))
})
.effect(Effect::Clock);

/// `Duration.Round(time.Second)`: halves away from zero, saturating.
fn to_second(nanos: i64) -> i64 {
    let rest = nanos % SECOND;
    let cut = nanos - rest;
    if rest.abs() * 2 < SECOND {
        return cut;
    }
    cut.checked_add(SECOND * nanos.signum())
        .unwrap_or(if nanos < 0 { i64::MIN } else { i64::MAX })
}

/// Seconds in a text or an `int64`; everything else is none, a plain number too.
const DURATION: FuncSpec = FuncSpec::new("duration", &[Param::Any], |call| {
    let seconds = match &call.arg(0).data {
        Data::Int(IntKind::Int64, seconds) => *seconds,
        Data::Str(text) => {
            let text = text.lossy();
            match parse_int(&text, 10) {
                Ok(seconds) => seconds,
                Err(NumberError::Range) if text.starts_with('-') => i64::MIN,
                Err(NumberError::Range) => i64::MAX,
                Err(NumberError::Syntax) => 0,
            }
        }
        _ => 0,
    };
    Ok(Value::str(duration_text(seconds.wrapping_mul(SECOND))))
});

/// The largest unit that is exceeded, not merely reached; the sign is lost.
const DURATION_ROUND: FuncSpec = FuncSpec::new("durationRound", &[Param::Any], |call| {
    let nanos = match &call.arg(0).data {
        Data::Str(text) => match go_duration(text) {
            Ok(nanos) => nanos,
            Err(message) => {
                call.host.note_swallowed(&message);
                0
            }
        },
        Data::Int(IntKind::Int64, nanos) => *nanos,
        Data::Object(_) => match Moment::of_value(call.arg(0)) {
            Some(then) => clock(call).since(&then),
            None => 0,
        },
        _ => 0,
    };
    let units: [(u64, &str); 6] = [
        (365 * 24 * 3600, "y"),
        (30 * 24 * 3600, "mo"),
        (24 * 3600, "d"),
        (3600, "h"),
        (60, "m"),
        (1, "s"),
    ];
    let magnitude = nanos.unsigned_abs();
    let second = SECOND.unsigned_abs();
    let exceeded = units.iter().find(|unit| magnitude > unit.0 * second);
    Ok(match exceeded {
        Some((size, name)) => Value::str(format!("{}{name}", magnitude / (size * second))),
        None => Value::from("0s"),
    })
})
.effect(Effect::Clock);

const UNIX_EPOCH: FuncSpec = FuncSpec::new("unixEpoch", &[Param::Time], |call| {
    Ok(Value::str(time(call, 0).seconds.to_string()))
});
