//! Instants and their calendar (`time/time.go`): seconds since 1970 in a zone, years without bound, and
//! writing them by a layout.

use super::go_layout::{self, DAYS, Element, MONTHS, Offset};
use super::zones::Zone;

const DAY: i64 = 86_400;

/// Seconds from Go's zero time, the first of January of the year 1, to 1970.
const ZERO: i64 = -62_135_596_800;

/// A `time.Time`.
#[derive(Clone)]
pub(super) struct Moment {
    /// Seconds since 1970.
    pub seconds: i64,
    /// Nanoseconds within the second.
    pub nanos: u32,
    /// Where it is looked at from.
    pub zone: Zone,
    /// The reading of Go's monotonic clock, which `now` has and its text shows.
    pub monotonic: Option<i64>,
}

/// A day and a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Civil {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
}

pub(super) fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

pub(super) fn days_in(month: i64, year: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970 to the first day of a month; months beyond the year carry over. The year is counted from
/// March, so that the leap day is its last.
fn days_before(year: i64, month: i64) -> i64 {
    let year = year + (month - 1).div_euclid(12);
    let month = (month - 1).rem_euclid(12);
    let year = if month < 2 { year - 1 } else { year };
    let from_march = (month + 10) % 12;
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + (from_march * 153 + 2) / 5 - 719_468
}

impl Civil {
    /// Seconds from 1970 in UTC; every part may lie outside its usual range.
    pub(super) fn seconds(self) -> i64 {
        let days = days_before(self.year, self.month) + self.day - 1;
        days * DAY + self.hour * 3600 + self.minute * 60 + self.second
    }

    /// The calendar at seconds since 1970.
    pub(super) fn at(seconds: i64) -> Civil {
        let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let shifted = days + 719_468;
        let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let from_march = (5 * of_year + 2) / 153;
        let month = if from_march < 10 {
            from_march + 3
        } else {
            from_march - 9
        };
        Civil {
            year: year + era * 400 + i64::from(month <= 2),
            month,
            day: of_year - (153 * from_march + 2) / 5 + 1,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
        }
    }

    /// The day of the year, from 1.
    pub(super) fn year_day(self) -> i64 {
        days_before(self.year, self.month) - days_before(self.year, 1) + self.day
    }

    /// The day of the week, 0 for Sunday.
    pub(super) fn weekday(self) -> i64 {
        (days_before(self.year, self.month) + self.day + 3).rem_euclid(7)
    }
}

fn name(names: &[&'static str], at: i64) -> &'static str {
    usize::try_from(at)
        .ok()
        .and_then(|at| names.get(at))
        .copied()
        .unwrap_or_default()
}

/// The name of a month, 1 for January.
pub(super) fn month_name(month: i64) -> &'static str {
    name(&MONTHS, month - 1)
}

/// The name of a day of the week, 0 for Sunday.
pub(super) fn day_name(day: i64) -> &'static str {
    name(&DAYS, day)
}

impl Moment {
    /// Go's zero time.
    pub(super) fn zero() -> Moment {
        Moment::new(ZERO, 0, Zone::Utc)
    }

    pub(super) fn new(seconds: i64, nanos: u32, zone: Zone) -> Moment {
        Moment {
            seconds,
            nanos,
            zone,
            monotonic: None,
        }
    }

    /// The instant of a civil time in a zone (`time.Date`): the offset is looked up as if the time were
    /// UTC, and once more where that lands behind a change of offsets.
    pub(super) fn of(civil: Civil, nanos: u32, zone: Zone) -> Moment {
        let local = civil.seconds();
        let (_, guess, _) = zone.at(local);
        let offset = if guess == 0 { 0 } else { zone.at(local - guess).1 };
        Moment::new(local - offset, nanos, zone)
    }

    /// The same instant seen from elsewhere.
    pub(super) fn seen_from(&self, zone: Zone) -> Moment {
        Moment::new(self.seconds, self.nanos, zone)
    }

    pub(super) fn is_zero(&self) -> bool {
        (self.seconds, self.nanos) == (ZERO, 0)
    }

    /// The calendar in its own zone.
    pub(super) fn civil(&self) -> Civil {
        Civil::at(self.seconds.saturating_add(self.zone.at(self.seconds).1))
    }

    /// Nanoseconds since 1970.
    pub(super) fn total(&self) -> i128 {
        i128::from(self.seconds) * 1_000_000_000 + i128::from(self.nanos)
    }

    fn at_total(&self, total: i128) -> Moment {
        let seconds = total.div_euclid(1_000_000_000);
        let nanos = total.rem_euclid(1_000_000_000);
        Moment {
            seconds: i64::try_from(seconds).unwrap_or(self.seconds),
            nanos: u32::try_from(nanos).unwrap_or(0),
            zone: self.zone.clone(),
            monotonic: self.monotonic,
        }
    }

    /// `Time.Add`
    pub(super) fn plus(&self, nanos: i64) -> Moment {
        let mut moved = self.at_total(self.total() + i128::from(nanos));
        moved.monotonic = self.monotonic.and_then(|reading| reading.checked_add(nanos));
        moved
    }

    /// `Time.Sub`: saturating.
    pub(super) fn since(&self, earlier: &Moment) -> i64 {
        let nanos = self.total() - earlier.total();
        i64::try_from(nanos).unwrap_or(if nanos < 0 { i64::MIN } else { i64::MAX })
    }

    /// `Time.AddDate`
    pub(super) fn plus_date(&self, years: i64, months: i64, days: i64) -> Moment {
        let civil = self.civil();
        let moved = Civil {
            year: civil.year.saturating_add(years),
            month: civil.month.saturating_add(months),
            day: civil.day.saturating_add(days),
            ..civil
        };
        Moment::of(moved, self.nanos, self.zone.clone())
    }

    /// `Time.Truncate` and `Time.Round`: to a multiple of a duration since the zero time.
    pub(super) fn to_multiple(&self, nanos: i64, round: bool) -> Moment {
        let mut moved = self.clone();
        moved.monotonic = None;
        if nanos <= 0 {
            return moved;
        }
        let since_zero = self.total() - i128::from(ZERO) * 1_000_000_000;
        let rest = since_zero.rem_euclid(i128::from(nanos));
        let up = round && rest * 2 >= i128::from(nanos);
        moved.at_total(self.total() - rest + if up { i128::from(nanos) } else { 0 })
    }

    /// `Time.Format`
    pub(super) fn format(&self, layout: &[u8]) -> Vec<u8> {
        let (zone_name, offset, _) = self.zone.at(self.seconds);
        let civil = self.civil();
        let mut out = Vec::with_capacity(layout.len() + 10);
        let mut rest = layout;
        loop {
            let chunk = go_layout::next(rest);
            out.extend_from_slice(chunk.before);
            let Some((element, _)) = chunk.element else {
                return out;
            };
            match element {
                Element::ZoneName if !zone_name.is_empty() => out.extend_from_slice(zone_name.as_bytes()),
                Element::ZoneName => {
                    let plain = Offset {
                        zulu: false,
                        colons: false,
                        parts: 2,
                    };
                    push_offset(&mut out, offset, plain);
                }
                Element::Offset(form) => push_offset(&mut out, offset, form),
                Element::Fraction {
                    digits,
                    separator,
                    trimmed,
                } => push_fraction(&mut out, self.nanos, digits, separator, trimmed),
                _ => push_element(&mut out, element, civil),
            }
            rest = chunk.after;
        }
    }

    /// `Time.String`
    pub(super) fn text(&self) -> String {
        let mut text = self.plain(b"2006-01-02 15:04:05.999999999 -0700 MST");
        if let Some(reading) = self.monotonic {
            let sign = if reading < 0 { '-' } else { '+' };
            let (whole, rest) = (
                reading.unsigned_abs() / 1_000_000_000,
                reading.unsigned_abs() % 1_000_000_000,
            );
            text.push_str(&format!(" m={sign}{whole}.{rest:09}"));
        }
        text
    }

    /// The time by a layout that is text, and so is the result.
    pub(super) fn plain(&self, layout: &[u8]) -> String {
        String::from_utf8_lossy(&self.format(layout)).into_owned()
    }
}

fn push_int(out: &mut Vec<u8>, number: i64, width: usize) {
    if number < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(format!("{:0width$}", number.unsigned_abs()).as_bytes());
}

fn push_element(out: &mut Vec<u8>, element: Element, civil: Civil) {
    let twelve = match civil.hour % 12 {
        0 => 12,
        hour => hour,
    };
    let short = |name: &'static str| &name.as_bytes()[..name.len().min(3)];
    match element {
        Element::Year => push_int(out, civil.year.abs() % 100, 2),
        Element::LongYear => push_int(out, civil.year, 4),
        Element::Month => out.extend_from_slice(short(month_name(civil.month))),
        Element::LongMonth => out.extend_from_slice(month_name(civil.month).as_bytes()),
        Element::NumMonth => push_int(out, civil.month, 0),
        Element::ZeroMonth => push_int(out, civil.month, 2),
        Element::Weekday => out.extend_from_slice(short(day_name(civil.weekday()))),
        Element::LongWeekday => out.extend_from_slice(day_name(civil.weekday()).as_bytes()),
        Element::Day => push_int(out, civil.day, 0),
        Element::UnderDay => out.extend_from_slice(format!("{:2}", civil.day).as_bytes()),
        Element::ZeroDay => push_int(out, civil.day, 2),
        Element::UnderYearDay => out.extend_from_slice(format!("{:3}", civil.year_day()).as_bytes()),
        Element::ZeroYearDay => push_int(out, civil.year_day(), 3),
        Element::Hour => push_int(out, civil.hour, 2),
        Element::Hour12 => push_int(out, twelve, 0),
        Element::ZeroHour12 => push_int(out, twelve, 2),
        Element::Minute => push_int(out, civil.minute, 0),
        Element::ZeroMinute => push_int(out, civil.minute, 2),
        Element::Second => push_int(out, civil.second, 0),
        Element::ZeroSecond => push_int(out, civil.second, 2),
        Element::HalfDay { upper } => out.extend_from_slice(match (civil.hour >= 12, upper) {
            (true, true) => b"PM",
            (false, true) => b"AM",
            (true, false) => b"pm",
            (false, false) => b"am",
        }),
        Element::ZoneName | Element::Offset(_) | Element::Fraction { .. } => {}
    }
}

fn push_offset(out: &mut Vec<u8>, offset: i64, form: Offset) {
    if form.zulu && offset == 0 {
        out.push(b'Z');
        return;
    }
    let minutes = offset / 60;
    out.push(if minutes < 0 { b'-' } else { b'+' });
    let parts = [
        minutes.abs() / 60,
        minutes.abs() % 60,
        if minutes < 0 { -offset } else { offset } % 60,
    ];
    for (at, part) in parts.into_iter().take(form.parts).enumerate() {
        if at > 0 && form.colons {
            out.push(b':');
        }
        push_int(out, part, 2);
    }
}

fn push_fraction(out: &mut Vec<u8>, nanos: u32, digits: usize, separator: u8, trimmed: bool) {
    let all = format!("{nanos:09}");
    let kept = &all[..digits.min(9)];
    let kept = if trimmed { kept.trim_end_matches('0') } else { kept };
    if trimmed && kept.is_empty() {
        return;
    }
    out.push(separator);
    out.extend_from_slice(kept.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_calendar_reads_back(seconds in -400_000_000_000i64..400_000_000_000) {
            let civil = Civil::at(seconds);
            prop_assert_eq!(civil.seconds(), seconds);
            prop_assert!((1..=days_in(civil.month, civil.year)).contains(&civil.day));
            prop_assert!((1..=366).contains(&civil.year_day()));
        }

        #[test]
        fn days_follow_one_another(day in -100_000i64..100_000) {
            let (today, tomorrow) = (Civil::at(day * DAY), Civil::at((day + 1) * DAY));
            prop_assert_eq!((today.weekday() + 1) % 7, tomorrow.weekday());
        }
    }
}
