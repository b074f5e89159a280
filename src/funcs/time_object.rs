//! `time.Time`, `time.Month` and `time.Weekday` as templates see them.

use super::go_time::{Moment, day_name, month_name};
use super::zones::Zone;
use crate::value::{Data, Object, ObjectKind, Param, Signature, Text, UintKind, Value};

const NONE: &[Param] = &[];
const TIME: &[Param] = &[Param::Time];
const DURATION: &[Param] = &[Param::Named("time.Duration")];
const LAYOUT: &[Param] = &[Param::Str];
const DATE: &[Param] = &[Param::Int, Param::Int, Param::Int];
const LOCATION: &[Param] = &[Param::Named("*time.Location")];

/// What `encoding/json` writes.
const JSON: &[u8] = b"2006-01-02T15:04:05.999999999Z07:00";

impl Moment {
    /// The time as a value.
    pub(super) fn value(self) -> Value {
        Value::object(self)
    }

    /// The time in a value: the parts come back out of its fields, for an object tells nothing else.
    pub(super) fn of_value(value: &Value) -> Option<Moment> {
        let Data::Object(object) = &value.data else {
            return None;
        };
        if object.type_name() != "time.Time" {
            return None;
        }
        let mut moment = Moment::zero();
        for (name, field) in object.fields() {
            match (name.as_str(), &field.data) {
                ("ext", Data::Int(_, seconds)) => moment.seconds = *seconds,
                ("wall", Data::Uint(_, nanos)) => moment.nanos = u32::try_from(*nanos).unwrap_or(0),
                ("monotonic", Data::Int(_, reading)) => moment.monotonic = Some(*reading),
                ("loc", _) => moment.zone = zone_of(&field)?,
                _ => {}
            }
        }
        Some(moment)
    }
}

/// The zone in a `*time.Location`: its name, and its offset where that is fixed.
fn zone_of(value: &Value) -> Option<Zone> {
    let Data::Object(object) = &value.data else {
        return None;
    };
    let fields = object.fields();
    match fields.as_slice() {
        [(_, name), (_, offset)] => match (&name.data, &offset.data) {
            (Data::Str(name), Data::Int(_, offset)) => Some(Zone::Fixed((&*name.lossy()).into(), *offset)),
            (Data::Str(name), _) => Zone::load(name.bytes()),
            _ => None,
        },
        _ => None,
    }
}

impl Object for Moment {
    fn type_name(&self) -> &str {
        "time.Time"
    }

    fn kind(&self) -> ObjectKind {
        ObjectKind::Struct
    }

    fn field(&self, _: &str) -> Option<Value> {
        None
    }

    fn has_method(&self, name: &str) -> bool {
        self.method(name).is_some()
    }

    fn method(&self, name: &str) -> Option<Signature> {
        let params = match name {
            "String" | "GoString" | "Year" | "Month" | "Day" | "Hour" | "Minute" | "Second"
            | "Nanosecond" | "YearDay" | "Weekday" | "Unix" | "UnixMilli" | "UnixMicro" | "UnixNano"
            | "UTC" | "Local" | "Location" | "IsZero" | "IsDST" | "MarshalJSON" | "MarshalText" => NONE,
            "After" | "Before" | "Compare" | "Equal" | "Sub" => TIME,
            "Add" | "Round" | "Truncate" => DURATION,
            "AddDate" => DATE,
            "Format" => LAYOUT,
            "In" => LOCATION,
            _ => return None,
        };
        Some(Signature {
            params,
            variadic: false,
        })
    }

    fn call_method(&self, name: &str, args: &[Value]) -> Result<Value, String> {
        let civil = self.civil();
        let bytes = |text: String| Value::new(Data::Bytes(Text::from(text)));
        Ok(match name {
            "Year" => Value::int(civil.year),
            "Month" => Value::object(Named::Month(civil.month)),
            "Day" => Value::int(civil.day),
            "Hour" => Value::int(civil.hour),
            "Minute" => Value::int(civil.minute),
            "Second" => Value::int(civil.second),
            "Nanosecond" => Value::int(i64::from(self.nanos)),
            "YearDay" => Value::int(civil.year_day()),
            "Weekday" => Value::object(Named::Weekday(civil.weekday())),
            "Unix" => Value::int64(self.seconds),
            "UnixMilli" => Value::int64(wrapped(self.total().div_euclid(1_000_000))),
            "UnixMicro" => Value::int64(wrapped(self.total().div_euclid(1000))),
            "UnixNano" => Value::int64(wrapped(self.total())),
            "UTC" => self.seen_from(Zone::Utc).value(),
            "Local" => self.seen_from(Zone::Local).value(),
            "Location" => Value::object(Location(self.zone.clone())),
            "IsZero" => Value::from(self.is_zero()),
            "IsDST" => Value::from(self.zone.at(self.seconds).2),
            "MarshalJSON" => bytes(format!("\"{}\"", self.json(name)?)),
            "MarshalText" => bytes(self.json(name)?),
            "GoString" => Value::str(self.go_syntax()),
            _ => return self.with_args(name, args),
        })
    }

    fn fields(&self) -> Vec<(String, Value)> {
        let mut fields = vec![
            (
                "wall".to_owned(),
                Value::new(Data::Uint(UintKind::Uint64, u64::from(self.nanos))),
            ),
            ("ext".to_owned(), Value::int64(self.seconds)),
            ("loc".to_owned(), Value::object(Location(self.zone.clone()))),
        ];
        if let Some(reading) = self.monotonic {
            fields.push(("monotonic".to_owned(), Value::int64(reading)));
        }
        fields
    }

    fn to_text(&self) -> Option<String> {
        Some(self.text())
    }

    fn to_go_syntax(&self) -> Option<String> {
        Some(self.go_syntax())
    }

    fn to_json(&self) -> Value {
        Value::str(self.plain(JSON))
    }
}

/// Go's `int64` of a greater number.
#[expect(clippy::cast_possible_truncation, reason = "Go wraps around here")]
fn wrapped(number: i128) -> i64 {
    number as i64
}

impl Moment {
    fn with_args(&self, name: &str, args: &[Value]) -> Result<Value, String> {
        let other = || {
            args.first()
                .and_then(Moment::of_value)
                .unwrap_or_else(Moment::zero)
        };
        let number = |at: usize| match args.get(at).map(|arg| &arg.data) {
            Some(Data::Int(_, number) | Data::Duration(number)) => *number,
            _ => 0,
        };
        Ok(match name {
            "After" => Value::from(self.total() > other().total()),
            "Before" => Value::from(self.total() < other().total()),
            "Equal" => Value::from(self.total() == other().total()),
            "Compare" => Value::int(match self.total().cmp(&other().total()) {
                std::cmp::Ordering::Less => -1,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => 1,
            }),
            "Sub" => Value::new(Data::Duration(self.since(&other()))),
            "Add" => self.plus(number(0)).value(),
            "Round" => self.to_multiple(number(0), true).value(),
            "Truncate" => self.to_multiple(number(0), false).value(),
            "AddDate" => self.plus_date(number(0), number(1), number(2)).value(),
            "In" => match args.first().and_then(zone_of) {
                Some(zone) => self.seen_from(zone).value(),
                None => return Err("time: missing Location in call to Time.In".to_owned()),
            },
            "Format" => match args.first().map(|arg| &arg.data) {
                Some(Data::Str(layout)) => Value::from(Text::from(self.format(layout.bytes()))),
                _ => Value::from(""),
            },
            _ => Value::str(self.text()),
        })
    }

    fn json(&self, name: &str) -> Result<String, String> {
        if !(0..10_000).contains(&self.civil().year) {
            return Err(format!("Time.{name}: year outside of range [0,9999]"));
        }
        Ok(self.plain(JSON))
    }

    /// `GoString`
    fn go_syntax(&self) -> String {
        let civil = self.civil();
        let zone = match &self.zone {
            Zone::Utc => "time.UTC".to_owned(),
            Zone::Local => "time.Local".to_owned(),
            other => format!(
                "time.Location({})",
                super::go_parse::quote(other.name().as_bytes())
            ),
        };
        format!(
            "time.Date({}, time.{}, {}, {}, {}, {}, {}, {zone})",
            civil.year,
            month_name(civil.month),
            civil.day,
            civil.hour,
            civil.minute,
            civil.second,
            self.nanos
        )
    }
}

/// `*time.Location`
struct Location(Zone);

impl Object for Location {
    fn type_name(&self) -> &str {
        "*time.Location"
    }

    fn kind(&self) -> ObjectKind {
        ObjectKind::Pointer
    }

    fn field(&self, _: &str) -> Option<Value> {
        None
    }

    fn has_method(&self, name: &str) -> bool {
        name == "String"
    }

    fn method(&self, name: &str) -> Option<Signature> {
        (name == "String").then_some(Signature {
            params: NONE,
            variadic: false,
        })
    }

    fn call_method(&self, _: &str, _: &[Value]) -> Result<Value, String> {
        Ok(Value::from(self.0.name()))
    }

    fn fields(&self) -> Vec<(String, Value)> {
        let offset = match &self.0 {
            Zone::Fixed(_, offset) => Value::int(*offset),
            _ => Value::NIL,
        };
        vec![
            ("name".to_owned(), Value::from(self.0.name())),
            ("zone".to_owned(), offset),
        ]
    }

    fn to_text(&self) -> Option<String> {
        Some(self.0.name().to_owned())
    }

    fn to_json(&self) -> Value {
        crate::value::Map::new().into()
    }
}

/// A named integer with a name for each number.
enum Named {
    Month(i64),
    Weekday(i64),
}

impl Named {
    fn name(&self) -> &'static str {
        match *self {
            Named::Month(month) => month_name(month),
            Named::Weekday(day) => day_name(day),
        }
    }

    fn number(&self) -> i64 {
        match *self {
            Named::Month(number) | Named::Weekday(number) => number,
        }
    }
}

impl Object for Named {
    fn type_name(&self) -> &str {
        match self {
            Named::Month(_) => "time.Month",
            Named::Weekday(_) => "time.Weekday",
        }
    }

    fn kind(&self) -> ObjectKind {
        ObjectKind::Int
    }

    fn field(&self, _: &str) -> Option<Value> {
        None
    }

    fn has_method(&self, name: &str) -> bool {
        name == "String"
    }

    fn method(&self, name: &str) -> Option<Signature> {
        (name == "String").then_some(Signature {
            params: NONE,
            variadic: false,
        })
    }

    fn call_method(&self, _: &str, _: &[Value]) -> Result<Value, String> {
        Ok(Value::from(self.name()))
    }

    fn fields(&self) -> Vec<(String, Value)> {
        vec![("number".to_owned(), Value::int(self.number()))]
    }

    fn to_text(&self) -> Option<String> {
        Some(self.name().to_owned())
    }

    fn to_json(&self) -> Value {
        Value::int(self.number())
    }
}
