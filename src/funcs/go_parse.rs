//! Reading times by a layout, with Go's errors (`parse` in `time/format.go`).

use super::go_layout::{self, DAYS, Element, MONTHS, Offset};
use super::go_time::{Civil, Moment, days_in, is_leap};
use super::zones::Zone;

/// Why an element could not be read.
enum Fault {
    /// It is not there.
    Bad,
    /// It is there, but out of range: the range's name.
    Range(&'static str),
}

type Read<T> = Result<T, Fault>;

/// What has been read so far.
#[derive(Default)]
struct Reading {
    year: i64,
    month: Option<i64>,
    day: Option<i64>,
    year_day: Option<i64>,
    hour: i64,
    minute: i64,
    second: i64,
    nanos: u32,
    afternoon: Option<bool>,
    utc: bool,
    offset: Option<i64>,
    zone_name: Vec<u8>,
}

/// A time and whether the text said in which zone (otherwise the local one was taken).
pub(super) struct Parsed {
    pub moment: Moment,
    pub zone_given: bool,
}

/// `time.ParseInLocation` in the local zone.
pub(super) fn parse(layout: &[u8], value: &[u8]) -> Result<Parsed, String> {
    let mut reading = Reading::default();
    let (mut rest_layout, mut rest) = (layout, value);
    let refused = |element: &[u8], rest: &[u8]| {
        format!(
            "parsing time {} as {}: cannot parse {} as {}",
            quote(value),
            quote(layout),
            quote(rest),
            quote(element)
        )
    };
    loop {
        let chunk = go_layout::next(rest_layout);
        if let Err(stopped) = skip(&mut rest, chunk.before) {
            return Err(refused(chunk.before, stopped));
        }
        let Some((element, spelled)) = chunk.element else {
            if !rest.is_empty() {
                let extra = quote(rest);
                return Err(format!("parsing time {}: extra text: {extra}", quote(value)));
            }
            break;
        };
        rest_layout = chunk.after;
        let held = rest;
        match reading.read(element, &mut rest, rest_layout) {
            Ok(()) => {}
            Err(Fault::Range(what)) => {
                return Err(format!("parsing time {}: {what} out of range", quote(value)));
            }
            Err(Fault::Bad) => return Err(refused(spelled, held)),
        }
    }
    reading
        .finish()
        .map_err(|what| format!("parsing time {}: {what}", quote(value)))
}

/// Go's `quote` of the package `time`: everything outside printable ASCII byte by byte.
pub(super) fn quote(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for &byte in text {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=0x7f => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out.push('"');
    out
}

/// Skips the literal part of a layout; any run of blanks matches any other. The error is where it stopped.
fn skip<'a>(value: &mut &'a [u8], literal: &[u8]) -> Result<(), &'a [u8]> {
    let mut literal = literal;
    while let Some(&byte) = literal.first() {
        if byte == b' ' {
            if value.first().is_some_and(|first| *first != b' ') {
                return Err(value);
            }
            literal = without_blanks(literal);
            *value = without_blanks(value);
            continue;
        }
        if value.first() != Some(&byte) {
            return Err(value);
        }
        literal = &literal[1..];
        *value = &value[1..];
    }
    Ok(())
}

fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| **byte == b' ').count();
    &text[blanks..]
}

fn is_digit(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(u8::is_ascii_digit)
}

/// Up to `most` digits, or exactly as many.
fn digits(rest: &mut &[u8], most: usize, exact: bool) -> Read<i64> {
    let count = rest
        .iter()
        .take(most)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if count == 0 || (exact && count < most) {
        return Err(Fault::Bad);
    }
    let (number, after) = rest.split_at(count);
    *rest = after;
    Ok(decimal(number))
}

fn decimal(digits: &[u8]) -> i64 {
    digits
        .iter()
        .fold(0, |number, digit| number * 10 + i64::from(digit - b'0'))
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Read<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(count).ok_or(Fault::Bad)?;
    *rest = after;
    Ok(taken)
}

/// One of the names, whole or its first three letters, in any case.
fn one_of(rest: &mut &[u8], names: &[&str], length: usize) -> Read<i64> {
    for (at, name) in (0..).zip(names) {
        let name = &name.as_bytes()[..name.len().min(length)];
        if rest
            .get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
        {
            *rest = &rest[name.len()..];
            return Ok(at);
        }
    }
    Err(Fault::Bad)
}

fn within(number: i64, range: std::ops::RangeInclusive<i64>, name: &'static str) -> Read<i64> {
    if range.contains(&number) {
        Ok(number)
    } else {
        Err(Fault::Range(name))
    }
}

impl Reading {
    fn read(&mut self, element: Element, rest: &mut &[u8], layout: &[u8]) -> Read<()> {
        match element {
            Element::Year => {
                let two = take(rest, 2)?;
                let year = signed(two).ok_or(Fault::Bad)?;
                self.year = year + if year >= 69 { 1900 } else { 2000 };
            }
            Element::LongYear => {
                if !is_digit(rest, 0) {
                    return Err(Fault::Bad);
                }
                self.year = signed(take(rest, 4)?).ok_or(Fault::Bad)?;
            }
            Element::Month => self.month = Some(one_of(rest, &MONTHS, 3)? + 1),
            Element::LongMonth => self.month = Some(one_of(rest, &MONTHS, usize::MAX)? + 1),
            Element::NumMonth | Element::ZeroMonth => {
                let month = digits(rest, 2, element == Element::ZeroMonth)?;
                self.month = Some(within(month, 1..=12, "month")?);
            }
            Element::Weekday => drop(one_of(rest, &DAYS, 3)?),
            Element::LongWeekday => drop(one_of(rest, &DAYS, usize::MAX)?),
            Element::Day | Element::UnderDay | Element::ZeroDay => {
                if element == Element::UnderDay && rest.first() == Some(&b' ') {
                    *rest = &rest[1..];
                }
                self.day = Some(digits(rest, 2, element == Element::ZeroDay)?);
            }
            Element::UnderYearDay | Element::ZeroYearDay => {
                for _ in 0..2 {
                    if element == Element::UnderYearDay && rest.first() == Some(&b' ') {
                        *rest = &rest[1..];
                    }
                }
                self.year_day = Some(digits(rest, 3, element == Element::ZeroYearDay)?);
            }
            Element::HalfDay { upper } => {
                self.afternoon = match (take(rest, 2)?, upper) {
                    (b"PM", true) | (b"pm", false) => Some(true),
                    // An earlier afternoon stands.
                    (b"AM", true) | (b"am", false) => Some(self.afternoon == Some(true)),
                    _ => return Err(Fault::Bad),
                };
            }
            Element::Offset(offset) => self.offset(offset, rest)?,
            Element::ZoneName => {
                if let Some(after) = rest.strip_prefix(b"UTC") {
                    self.utc = true;
                    *rest = after;
                } else {
                    let length = zone_length(rest).ok_or(Fault::Bad)?;
                    self.zone_name = take(rest, length)?.to_vec();
                }
            }
            _ => self.clock(element, rest, layout)?,
        }
        Ok(())
    }

    fn clock(&mut self, element: Element, rest: &mut &[u8], layout: &[u8]) -> Read<()> {
        match element {
            Element::Hour => self.hour = within(digits(rest, 2, false)?, 0..=23, "hour")?,
            Element::Hour12 | Element::ZeroHour12 => {
                let hour = digits(rest, 2, element == Element::ZeroHour12)?;
                self.hour = within(hour, 0..=12, "hour")?;
            }
            Element::Minute | Element::ZeroMinute => {
                let minute = digits(rest, 2, element == Element::ZeroMinute)?;
                self.minute = within(minute, 0..=59, "minute")?;
            }
            Element::Second | Element::ZeroSecond => {
                let second = digits(rest, 2, element == Element::ZeroSecond)?;
                self.second = within(second, 0..=59, "second")?;
                let follows = go_layout::next(layout).element;
                let in_layout = matches!(follows, Some((Element::Fraction { .. }, _)));
                if !in_layout {
                    self.fraction(rest)?;
                }
            }
            Element::Fraction { trimmed: true, .. } => self.fraction(rest)?,
            Element::Fraction { digits, .. } => self.nanos = nanos(take(rest, digits + 1)?)?,
            _ => {}
        }
        Ok(())
    }

    /// A fraction of any length, where there is one.
    fn fraction(&mut self, rest: &mut &[u8]) -> Read<()> {
        if matches!(rest.first(), Some(b'.' | b',')) && is_digit(rest, 1) {
            let length = 1 + rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            self.nanos = nanos(take(rest, length)?)?;
        }
        Ok(())
    }

    /// `-07:00` and its kin.
    fn offset(&mut self, form: Offset, rest: &mut &[u8]) -> Read<()> {
        if form.zulu && rest.first() == Some(&b'Z') {
            *rest = &rest[1..];
            self.utc = true;
            return Ok(());
        }
        let step = if form.colons { 3 } else { 2 };
        let text = take(rest, 3 + (form.parts - 1) * step)?;
        let mut parts = [0; 3];
        for (at, part) in parts.iter_mut().take(form.parts).enumerate() {
            let start = 1 + at * step;
            if at > 0 && form.colons && text[start - 1] != b':' {
                return Err(Fault::Bad);
            }
            *part = digits(&mut &text[start..], 2, true)?;
        }
        let [hours, minutes, seconds] = parts;
        within(hours, 0..=24, "time zone offset hour")?;
        within(minutes, 0..=60, "time zone offset minute")?;
        within(seconds, 0..=60, "time zone offset second")?;
        let offset = (hours * 60 + minutes) * 60 + seconds;
        self.offset = Some(match text[0] {
            b'+' => offset,
            b'-' => -offset,
            _ => return Err(Fault::Bad),
        });
        Ok(())
    }

    /// Day of the year against month and day.
    fn date(&self) -> Result<(i64, i64), &'static str> {
        let Some(mut year_day) = self.year_day else {
            return Ok((self.month.unwrap_or(1), self.day.unwrap_or(1)));
        };
        let mut found = None;
        if is_leap(self.year) {
            if year_day == 60 {
                found = Some((2, 29));
            } else if year_day > 60 {
                year_day -= 1;
            }
        }
        if !(1..=365).contains(&year_day) {
            return Err("day-of-year out of range");
        }
        let (month, day) = found.unwrap_or_else(|| {
            let (mut month, mut day) = (1, year_day);
            // A year without a leap day.
            while day > days_in(month, 1) {
                day -= days_in(month, 1);
                month += 1;
            }
            (month, day)
        });
        if self.month.is_some_and(|other| other != month) {
            return Err("day-of-year does not match month");
        }
        if self.day.is_some_and(|other| other != day) {
            return Err("day-of-year does not match day");
        }
        Ok((month, day))
    }

    fn finish(self) -> Result<Parsed, &'static str> {
        let hour = match self.afternoon {
            Some(true) if self.hour < 12 => self.hour + 12,
            Some(false) if self.hour == 12 => 0,
            _ => self.hour,
        };
        let (month, day) = self.date()?;
        if day < 1 || day > days_in(month, self.year) {
            return Err("day out of range");
        }
        let civil = Civil {
            year: self.year,
            month,
            day,
            hour,
            minute: self.minute,
            second: self.second,
        };
        let nanos = self.nanos;
        let name = String::from_utf8_lossy(&self.zone_name);
        // Go keeps "no offset" as -1 second, so this one offset is none.
        let given = self.offset.filter(|offset| *offset != -1);
        let moment = match given {
            _ if self.utc => Moment::of(civil, nanos, Zone::Utc),
            Some(offset) => {
                let seconds = civil.seconds() - offset;
                let local = Zone::Local.at(seconds);
                let is_local = local.1 == offset && (name.is_empty() || *name == *local.0);
                let fixed = || Zone::Fixed((&*name).into(), offset);
                Moment::new(seconds, nanos, if is_local { Zone::Local } else { fixed() })
            }
            None if !name.is_empty() => {
                let hours = match name.strip_prefix("GMT") {
                    Some(hours) if !hours.is_empty() => signed(hours.as_bytes()).unwrap_or(0),
                    _ => 0,
                };
                Moment::new(civil.seconds(), nanos, Zone::Fixed((&*name).into(), hours * 3600))
            }
            None => Moment::of(civil, nanos, Zone::Local),
        };
        Ok(Parsed {
            moment,
            zone_given: self.utc || given.is_some() || !name.is_empty(),
        })
    }
}

/// Digits with or without a sign.
fn signed(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text.first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = decimal(digits);
    Some(if negative { -number } else { number })
}

/// A point or comma and digits; more than nine are cut.
fn nanos(text: &[u8]) -> Read<u32> {
    if !matches!(text.first(), Some(b'.' | b',')) {
        return Err(Fault::Bad);
    }
    let digits = &text[1..text.len().min(10)];
    let number = signed(digits).ok_or(Fault::Bad)?;
    let mut number = u32::try_from(number).map_err(|_| Fault::Range("fractional second"))?;
    for _ in digits.len()..9 {
        number *= 10;
    }
    Ok(number)
}

/// How long the abbreviation of a zone at the beginning is (`parseTimeZone`).
fn zone_length(text: &[u8]) -> Option<usize> {
    if text.len() < 3 {
        return None;
    }
    if text.starts_with(b"ChST") || text.starts_with(b"MeST") {
        return Some(4);
    }
    if let Some(rest) = text.strip_prefix(b"GMT") {
        return Some(3 + offset_length(rest));
    }
    if matches!(text[0], b'+' | b'-') {
        let length = offset_length(text);
        return (length > 0).then_some(length);
    }
    match text
        .iter()
        .take(6)
        .take_while(|byte| byte.is_ascii_uppercase())
        .count()
    {
        5 if text[4] == b'T' => Some(5),
        4 if text[3] == b'T' || text.starts_with(b"WITA") => Some(4),
        3 => Some(3),
        _ => None,
    }
}

/// How long a signed number of at most 23 hours is, 0 where there is none.
fn offset_length(text: &[u8]) -> usize {
    if !matches!(text.first(), Some(b'+' | b'-')) {
        return 0;
    }
    let digits = text[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = text[1..=digits].iter().try_fold(0u64, |number, digit| {
        number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
    });
    match number {
        Some(0..=23) if digits > 0 => digits + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_reads_back(seconds in -60_000_000_000i64..250_000_000_000, nanos in 0u32..1_000_000_000) {
            let moment = Moment::new(seconds, nanos, Zone::Fixed("".into(), 5400));
            for layout in ["2006-01-02T15:04:05.999999999Z07:00", "Mon, _2 Jan 2006 3:4:5.000000000 pm -0700"] {
                let text = moment.format(layout.as_bytes());
                let read = parse(layout.as_bytes(), &text).map(|parsed| parsed.moment.total());
                prop_assert_eq!(read, Ok(moment.total()));
            }
        }

        #[test]
        fn reading_never_panics(layout in "[ 0-9JanMoSTPpmZ:_.,-]{0,12}", value in "[ 0-9JanMoSTPpmGUCZ:_.,+-]{0,12}") {
            let _ = parse(layout.as_bytes(), value.as_bytes());
        }
    }
}
