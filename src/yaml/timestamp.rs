//! Which plain scalars are dates: go-yaml v2's four layouts, as Go's time.Parse reads them.

/// True when go-yaml would resolve the text to a timestamp.
pub(super) fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    let year = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if year != 4 || bytes.get(4) != Some(&b'-') {
        return false;
    }
    let mut reader = Reader(&bytes[4..]);
    is_date(&mut reader, &bytes[..4]).is_some_and(|()| reader.is_rest_of_layout())
}

struct Reader<'a>(&'a [u8]);

/// `-1-2` behind the year.
fn is_date(reader: &mut Reader<'_>, year: &[u8]) -> Option<()> {
    reader.literal(b'-')?;
    let month = reader.number().filter(|month| (1..=12).contains(month))?;
    reader.literal(b'-')?;
    let day = reader.number()?;
    let year = year
        .iter()
        .fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    (1..=days_in(month, year)).contains(&day).then_some(())
}

fn days_in(month: u32, year: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Reader<'_> {
    fn literal(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    /// One or two digits.
    fn number(&mut self) -> Option<u32> {
        let count = self
            .0
            .iter()
            .take(2)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (number, rest) = self.0.split_at(count);
        self.0 = rest;
        (count > 0).then(|| {
            number
                .iter()
                .fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'))
        })
    }

    /// Nothing, ` 15:4:5.999999999`, or `T15:4:5.999999999Z07:00` with either case of `T`.
    fn is_rest_of_layout(&mut self) -> bool {
        match self.0 {
            [] => true,
            [b' ', rest @ ..] => {
                let spaces = rest.iter().take_while(|&&byte| byte == b' ').count();
                self.0 = &rest[spaces..];
                self.time().is_some() && self.0.is_empty()
            }
            [b'T' | b't', rest @ ..] => {
                self.0 = rest;
                self.time().is_some() && self.zone().is_some() && self.0.is_empty()
            }
            _ => false,
        }
    }

    fn time(&mut self) -> Option<()> {
        self.number().filter(|&hour| hour < 24)?;
        self.literal(b':')?;
        self.number().filter(|&minute| minute < 60)?;
        self.literal(b':')?;
        self.number().filter(|&second| second < 60)?;
        if let [b'.' | b',', rest @ ..] = self.0 {
            let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if count > 0 {
                self.0 = &rest[count..];
            }
        }
        Some(())
    }

    /// `Z` or `+07:00`.
    fn zone(&mut self) -> Option<()> {
        if self.literal(b'Z').is_some() {
            return Some(());
        }
        match self.0 {
            [b'+' | b'-', h1, h2, b':', m1, m2, rest @ ..]
                if [h1, h2, m1, m2].iter().all(|digit| digit.is_ascii_digit()) =>
            {
                let hours = (h1 - b'0') * 10 + (h2 - b'0');
                let minutes = (m1 - b'0') * 10 + (m2 - b'0');
                self.0 = rest;
                (hours <= 24 && minutes <= 60).then_some(())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layouts_of_the_original() {
        for text in [
            "2020-01-01",
            "2020-1-1",
            "2020-02-29",
            "2020-01-01 10:00:00",
            "2020-01-01T00:00:00Z",
            "2001-12-14t21:59:43.10-05:00",
            "0001-01-01",
        ] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in [
            "2020-13-01",
            "2021-02-29",
            "2001-12-14 21:59:43.10 -5",
            "2020-01-01T00:00:00",
            "20200-01-01",
            "2020-01",
        ] {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
