//! Go's `time.Time`: a point in time with the zone it is told in.

use crate::value::{Object, ObjectKind, Value};
use std::any::Any;
use std::borrow::Cow;
use std::fmt::Write;

/// A time zone at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Zone {
    /// Its abbreviation; empty where there is none.
    pub name: Cow<'static, str>,
    /// Seconds east of UTC.
    pub offset: i32,
}

impl Zone {
    pub fn utc() -> Zone {
        Zone::fixed("UTC", 0)
    }

    pub fn fixed(name: &'static str, offset: i32) -> Zone {
        Zone {
            name: Cow::Borrowed(name),
            offset,
        }
    }
}

/// A point in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Seconds since 1970 in UTC.
    pub seconds: i64,
    /// Nanoseconds behind that second.
    pub nanos: u32,
    /// The zone it is told in.
    pub zone: Zone,
}

/// A date and a time of day.
pub(crate) struct Civil {
    pub year: i64,
    pub month: u32,
    pub day: u32,
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
}

impl Moment {
    /// Date and time in the moment's own zone.
    pub fn civil(&self) -> Civil {
        let local = self.seconds + i64::from(self.zone.offset);
        let of_day = u32::try_from(local.rem_euclid(86_400)).unwrap_or(0);
        let (year, month, day) = date_of(local.div_euclid(86_400));
        Civil {
            year,
            month,
            day,
            hour: of_day / 3600,
            minute: of_day / 60 % 60,
            second: of_day % 60,
        }
    }

    /// `2006-01-02` and `15:04:05.999999999` with something in between.
    fn date_and_time(&self, between: char) -> String {
        let Civil {
            year,
            month,
            day,
            hour,
            minute,
            second,
        } = self.civil();
        let fraction = self.fraction();
        format!("{year:04}-{month:02}-{day:02}{between}{hour:02}:{minute:02}:{second:02}{fraction}")
    }

    /// The nanoseconds behind a point, without zeros at the end.
    fn fraction(&self) -> String {
        if self.nanos == 0 {
            return String::new();
        }
        format!(".{:09}", self.nanos).trim_end_matches('0').to_owned()
    }

    fn offset(&self, between: &str) -> String {
        let sign = if self.zone.offset < 0 { '-' } else { '+' };
        let minutes = self.zone.offset.unsigned_abs() / 60;
        format!("{sign}{:02}{between}{:02}", minutes / 60, minutes % 60)
    }

    /// `time.RFC3339Nano`.
    pub fn rfc3339(&self) -> String {
        let mut text = self.date_and_time('T');
        match self.zone.offset {
            0 => text.push('Z'),
            _ => text.push_str(&self.offset(":")),
        }
        text
    }

    /// As BurntSushi writes it: a moment read from TOML without a zone gets none.
    pub fn to_toml(&self) -> String {
        let text = self.date_and_time('T');
        let (date, time) = text.split_at(text.find('T').unwrap_or(text.len()));
        match &*self.zone.name {
            "datetime-local" => text,
            "date-local" => date.to_owned(),
            "time-local" => time.trim_start_matches('T').to_owned(),
            _ => self.rfc3339(),
        }
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

    fn fields(&self) -> Vec<(String, Value)> {
        vec![
            ("wall".to_owned(), Value::int64(i64::from(self.nanos))),
            ("ext".to_owned(), Value::int64(self.seconds)),
            ("loc".to_owned(), Value::str(self.zone.name.to_string())),
        ]
    }

    /// `2006-01-02 15:04:05.999999999 -0700 MST`
    fn to_text(&self) -> Option<String> {
        let mut text = self.date_and_time(' ');
        let offset = self.offset("");
        let name = if self.zone.name.is_empty() {
            &offset
        } else {
            &*self.zone.name
        };
        write!(text, " {offset} {name}").ok()?;
        Some(text)
    }

    fn to_json(&self) -> Value {
        Value::str(self.rfc3339())
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

/// Seconds since 1970 at a time of a day; `None` where the month has no such day.
pub(crate) fn unix_seconds(year: i64, month: u32, day: u32, of_day: i64) -> Option<i64> {
    if day == 0 || day > days_in(year, month) {
        return None;
    }
    Some(days_before(year, month, day) * 86_400 + of_day)
}

fn days_in(year: i64, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date, in years that begin in March and eras of 400 years.
fn days_before(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = i64::from((153 * ((month + 9) % 12) + 2) / 5 + day - 1);
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn date_of(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let number = |number: i64| u32::try_from(number).unwrap_or(0);
    let day = number(of_year - (153 * shifted + 2) / 5 + 1);
    let month = number(if shifted < 10 { shifted + 3 } else { shifted - 9 });
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn dates_and_days_are_one_to_one(days in -4_000_000_i64..4_000_000) {
            let (year, month, day) = date_of(days);
            prop_assert_eq!(unix_seconds(year, month, day, 0), Some(days * 86_400));
            let (next_year, next_month, next_day) = date_of(days + 1);
            prop_assert!((next_year, next_month, next_day) > (year, month, day));
        }
    }
}
