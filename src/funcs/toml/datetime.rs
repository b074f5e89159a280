//! TOML's dates and times: what Go's `time.ParseInLocation` makes of the library's layouts, with the
//! library's check for missing zeros. The machine's time zone is UTC.

use crate::funcs::moment::{Moment, Zone, unix_seconds};
use crate::value::Value;
use crate::value::quote::quote_str;

/// What a layout consists of.
#[derive(Clone, Copy)]
enum Layout {
    DateTimeZone,
    DateTime,
    Date,
    Time,
}

/// The layouts, in the order in which they are tried; TOML 1.1 lets seconds be left out.
const LAYOUTS: &[(Layout, bool)] = &[
    (Layout::DateTimeZone, true),
    (Layout::DateTime, true),
    (Layout::Date, true),
    (Layout::Time, true),
    (Layout::DateTimeZone, false),
    (Layout::DateTime, false),
    (Layout::Time, false),
];

/// Reads a date, a time or both.
pub(super) fn parse(text: &str, newer: bool) -> Result<Value, String> {
    let text: String = text
        .chars()
        .map(|rune| match rune {
            'z' => 'Z',
            't' | ' ' => 'T',
            _ => rune,
        })
        .collect();
    let found = LAYOUTS
        .iter()
        .filter(|layout| newer || layout.1)
        .find_map(|&(layout, seconds)| read(&text, layout, seconds));
    // Go takes an hour of one digit; TOML does not.
    match found {
        Some((moment, true)) => Ok(Value::object(moment)),
        _ => Err(format!("invalid datetime: {}", quote_str(text.as_bytes()))),
    }
}

struct Reader<'t> {
    rest: &'t [u8],
}

impl Reader<'_> {
    fn mark(&mut self, mark: u8) -> Option<()> {
        let (first, rest) = self.rest.split_first()?;
        (*first == mark).then(|| self.rest = rest)
    }

    /// Exactly this many digits.
    fn digits(&mut self, count: usize) -> Option<u32> {
        let (digits, rest) = self.rest.split_at_checked(count)?;
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        self.rest = rest;
        Some(
            digits
                .iter()
                .fold(0, |number, digit| number * 10 + u32::from(digit - b'0')),
        )
    }

    /// The digits of a fraction as nanoseconds; digits beyond the ninth are dropped.
    fn fraction(&mut self) -> u32 {
        if !matches!(self.rest, [b'.', b'0'..=b'9', ..]) {
            return 0;
        }
        let length = self.rest[1..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let digits = &self.rest[1..=length];
        self.rest = &self.rest[length + 1..];
        let digit = |at: usize| digits.get(at).map_or(0, |digit| u32::from(digit - b'0'));
        (0..9).fold(0, |number, at| number * 10 + digit(at))
    }

    fn zone(&mut self) -> Option<Zone> {
        if self.mark(b'Z').is_some() {
            return Some(Zone::utc());
        }
        let negative = match self.rest.first()? {
            b'+' => false,
            b'-' => true,
            _ => return None,
        };
        self.rest = &self.rest[1..];
        let hours = self.digits(2).filter(|hours| *hours <= 24)?;
        self.mark(b':')?;
        let minutes = self.digits(2).filter(|minutes| *minutes <= 60)?;
        let offset = i32::try_from((hours * 60 + minutes) * 60).ok()?;
        Some(match offset {
            // The offset of the machine's own zone stands for that zone.
            0 => Zone::utc(),
            _ => Zone::fixed("", if negative { -offset } else { offset }),
        })
    }
}

/// The moment, and whether every number has all its digits.
fn read(text: &str, layout: Layout, with_seconds: bool) -> Option<(Moment, bool)> {
    let mut reader = Reader {
        rest: text.as_bytes(),
    };
    let (mut year, mut month, mut day) = (0, 1, 1);
    if !matches!(layout, Layout::Time) {
        year = i64::from(reader.digits(4)?);
        reader.mark(b'-')?;
        month = reader.digits(2).filter(|month| (1..=12).contains(month))?;
        reader.mark(b'-')?;
        day = reader.digits(2)?;
        if !matches!(layout, Layout::Date) {
            reader.mark(b'T')?;
        }
    }
    let (mut hour, mut minute, mut second, mut nanos) = (0, 0, 0, 0);
    let mut complete = true;
    if !matches!(layout, Layout::Date) {
        complete = matches!(reader.rest, [_, b'0'..=b'9', ..]);
        hour = reader
            .digits(if complete { 2 } else { 1 })
            .filter(|hour| *hour < 24)?;
        reader.mark(b':')?;
        minute = reader.digits(2).filter(|minute| *minute < 60)?;
        if with_seconds {
            reader.mark(b':')?;
            second = reader.digits(2).filter(|second| *second < 60)?;
            nanos = reader.fraction();
        }
    }
    let zone = match layout {
        Layout::DateTimeZone => reader.zone()?,
        Layout::DateTime => Zone::fixed("datetime-local", 0),
        Layout::Date => Zone::fixed("date-local", 0),
        Layout::Time => Zone::fixed("time-local", 0),
    };
    if !reader.rest.is_empty() {
        return None;
    }
    let days = unix_seconds(year, month, day, 0)?;
    let time = i64::from(hour * 3600 + minute * 60 + second);
    let seconds = days + time - i64::from(zone.offset);
    Some((Moment { seconds, nanos, zone }, complete))
}
