//! Go's reference layouts: `2006-01-02T15:04:05Z07:00` taken apart (`nextStdChunk` in `time/format.go`).

/// One element of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// `January`
    LongMonth,
    /// `Jan`
    Month,
    /// `1`
    NumMonth,
    /// `01`
    ZeroMonth,
    /// `Monday`
    LongWeekday,
    /// `Mon`
    Weekday,
    /// `2`
    Day,
    /// `_2`
    UnderDay,
    /// `02`
    ZeroDay,
    /// `__2`
    UnderYearDay,
    /// `002`
    ZeroYearDay,
    /// `15`
    Hour,
    /// `3`
    Hour12,
    /// `03`
    ZeroHour12,
    /// `4`
    Minute,
    /// `04`
    ZeroMinute,
    /// `5`
    Second,
    /// `05`
    ZeroSecond,
    /// `2006`
    LongYear,
    /// `06`
    Year,
    /// `PM` or `pm`
    HalfDay { upper: bool },
    /// `MST`
    ZoneName,
    /// `-0700` and its kin.
    Offset(Offset),
    /// `.000`, `,999`
    Fraction {
        digits: usize,
        separator: u8,
        trimmed: bool,
    },
}

/// How an offset is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offset {
    /// `Z` where there is no offset.
    pub zulu: bool,
    /// Colons between the parts.
    pub colons: bool,
    /// Hours only, with minutes, with seconds.
    pub parts: usize,
}

/// The spellings of offsets behind `-` or `Z`, in the order Go tries them.
const OFFSETS: &[(&[u8], bool, usize)] = &[
    (b"070000", false, 3),
    (b"07:00:00", true, 3),
    (b"0700", false, 2),
    (b"07:00", true, 2),
    (b"07", false, 1),
];

/// A layout split at its first element.
pub(super) struct Chunk<'a> {
    pub before: &'a [u8],
    pub element: Option<(Element, &'a [u8])>,
    pub after: &'a [u8],
}

/// The first element of a layout, its spelling and what stands around it.
pub(super) fn next(layout: &[u8]) -> Chunk<'_> {
    for at in 0..layout.len() {
        let Some((element, skipped, length)) = element(&layout[at..]) else {
            continue;
        };
        let (before, rest) = layout.split_at(at + skipped);
        let (spelled, after) = rest.split_at(length - skipped);
        return Chunk {
            before,
            element: Some((element, spelled)),
            after,
        };
    }
    Chunk {
        before: layout,
        element: None,
        after: b"",
    }
}

fn lower_follows(rest: &[u8]) -> bool {
    rest.first().is_some_and(u8::is_ascii_lowercase)
}

/// The element at the very beginning, how many bytes before it are literal, and where it ends.
fn element(text: &[u8]) -> Option<(Element, usize, usize)> {
    let whole = |element, length| Some((element, 0, length));
    match text[0] {
        b'J' if text.starts_with(b"January") => whole(Element::LongMonth, 7),
        b'J' if text.starts_with(b"Jan") && !lower_follows(&text[3..]) => whole(Element::Month, 3),
        b'M' if text.starts_with(b"Monday") => whole(Element::LongWeekday, 6),
        b'M' if text.starts_with(b"Mon") && !lower_follows(&text[3..]) => whole(Element::Weekday, 3),
        b'M' if text.starts_with(b"MST") => whole(Element::ZoneName, 3),
        b'0' => match text.get(1)? {
            b'1' => whole(Element::ZeroMonth, 2),
            b'2' => whole(Element::ZeroDay, 2),
            b'3' => whole(Element::ZeroHour12, 2),
            b'4' => whole(Element::ZeroMinute, 2),
            b'5' => whole(Element::ZeroSecond, 2),
            b'6' => whole(Element::Year, 2),
            b'0' if text.get(2) == Some(&b'2') => whole(Element::ZeroYearDay, 3),
            _ => None,
        },
        b'1' if text.get(1) == Some(&b'5') => whole(Element::Hour, 2),
        b'1' => whole(Element::NumMonth, 1),
        b'2' if text.starts_with(b"2006") => whole(Element::LongYear, 4),
        b'2' => whole(Element::Day, 1),
        b'_' if text.starts_with(b"_2006") => Some((Element::LongYear, 1, 5)),
        b'_' if text.starts_with(b"_2") => whole(Element::UnderDay, 2),
        b'_' if text.starts_with(b"__2") => whole(Element::UnderYearDay, 3),
        b'3' => whole(Element::Hour12, 1),
        b'4' => whole(Element::Minute, 1),
        b'5' => whole(Element::Second, 1),
        b'P' if text.starts_with(b"PM") => whole(Element::HalfDay { upper: true }, 2),
        b'p' if text.starts_with(b"pm") => whole(Element::HalfDay { upper: false }, 2),
        sign @ (b'-' | b'Z') => {
            let found = OFFSETS.iter().find(|offset| text[1..].starts_with(offset.0));
            let &(spelled, colons, parts) = found?;
            let zulu = sign == b'Z';
            let offset = Offset { zulu, colons, parts };
            whole(Element::Offset(offset), spelled.len() + 1)
        }
        separator @ (b'.' | b',') => {
            let &digit = text.get(1).filter(|digit| matches!(**digit, b'0' | b'9'))?;
            let digits = text[1..].iter().take_while(|other| **other == digit).count();
            if text.get(digits + 1).is_some_and(u8::is_ascii_digit) {
                return None;
            }
            let fraction = Element::Fraction {
                digits,
                separator,
                trimmed: digit == b'9',
            };
            whole(fraction, digits + 1)
        }
        _ => None,
    }
}

/// The names of the days, Sunday first.
pub(super) const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// The names of the months.
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
