//! The order of keys: go-yaml's "natural" sort (sorter.go of v2 and v3).
//!
//! v2's comparison is not transitive: `10` < `1a` (a digit before a letter) < `2` < `10`. Go then sorts a
//! randomly ordered list with it, so its output varies from run to run. Here the keys are sorted by bytes
//! first and then merged stably, which picks one of the possible orders, and the cycle is reported.

use std::borrow::Cow;

use super::resolve::replace_invalid;
use super::unicode::{is_digit, is_letter};

/// Which sorter.go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// go-yaml v2.
    V2,
    /// go-yaml v3, which looks at the digit before a difference and so is transitive.
    V3,
}

/// Above this many keys a suspected cycle is reported without being proven.
const PROOF_LIMIT: usize = 1000;

/// Sorts the entries by key; true when Go's own order would vary between runs.
pub(super) fn sort<T>(order: Order, entries: &mut Vec<(&[u8], T)>) -> bool {
    if entries.len() < 2 {
        return false;
    }
    entries.sort_by(|a, b| a.0.cmp(b.0));
    let runes: Vec<Runes<'_>> = entries.iter().map(|(key, _)| Runes::new(key)).collect();
    let suspected = order == Order::V2 && runes.windows(2).any(|pair| may_cycle(&pair[0], &pair[1]));
    let sorted = runes.windows(2).all(|pair| !less(order, &pair[1], &pair[0]));
    if sorted && !suspected {
        return false;
    }
    let places = merge_sort(runes.len(), |a, b| less(order, &runes[a], &runes[b]));
    let unstable = suspected
        && (places.len() > PROOF_LIMIT
            || (0..places.len()).any(|low| {
                places[low + 1..]
                    .iter()
                    .any(|&high| less(order, &runes[high], &runes[places[low]]))
            }));
    let mut slots: Vec<Option<(&[u8], T)>> = entries.drain(..).map(Some).collect();
    entries.extend(places.into_iter().filter_map(|place| slots[place].take()));
    unstable
}

/// Drops entries whose keys read alike once bytes that are not UTF-8 are replaced; the last one stays, as
/// it does when the replaced text is parsed again.
pub(super) fn drop_overwritten<T>(entries: &mut Vec<(&[u8], T)>) {
    if entries.iter().all(|(key, _)| std::str::from_utf8(key).is_ok()) {
        return;
    }
    let texts: Vec<String> = entries
        .iter()
        .map(|(key, _)| replace_invalid(key).into_owned())
        .collect();
    let mut at = 0;
    entries.retain(|_| {
        at += 1;
        !texts[at..].contains(&texts[at - 1])
    });
}

/// Stable bottom-up merge of the places 0.. by a comparison that may be inconsistent, which the standard
/// sorts do not accept.
fn merge_sort(len: usize, less: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut from: Vec<usize> = (0..len).collect();
    let mut into = Vec::with_capacity(len);
    let mut width = 1;
    while width < len {
        into.clear();
        for start in (0..len).step_by(2 * width) {
            let middle = (start + width).min(len);
            let end = (start + 2 * width).min(len);
            let (mut left, mut right) = (start, middle);
            while left < middle && right < end {
                if less(from[right], from[left]) {
                    into.push(from[right]);
                    right += 1;
                } else {
                    into.push(from[left]);
                    left += 1;
                }
            }
            into.extend_from_slice(&from[left..middle]);
            into.extend_from_slice(&from[right..end]);
        }
        std::mem::swap(&mut from, &mut into);
        width *= 2;
    }
    from
}

/// A key as Go's `[]rune`.
enum Runes<'a> {
    Ascii(&'a [u8]),
    Wide(Vec<char>),
}

impl<'a> Runes<'a> {
    fn new(key: &'a [u8]) -> Runes<'a> {
        if key.is_ascii() {
            return Runes::Ascii(key);
        }
        let text: Cow<'_, str> = replace_invalid(key);
        Runes::Wide(text.chars().collect())
    }

    fn get(&self, at: usize) -> Option<char> {
        match self {
            Runes::Ascii(bytes) => bytes.get(at).map(|&byte| char::from(byte)),
            Runes::Wide(chars) => chars.get(at).copied(),
        }
    }

    /// The value of the digits from `at` on, after `start`, and where they end.
    fn number(&self, at: usize, start: i64) -> (i64, usize) {
        let mut value = start;
        let mut end = at;
        while let Some(digit) = self.get(end).filter(|&c| is_digit(c)) {
            let digit = i64::from(digit as u32) - i64::from('0' as u32);
            value = value.wrapping_mul(10).wrapping_add(digit);
            end += 1;
        }
        (value, end)
    }
}

/// The first place where the keys differ, and the characters there; none when one is the other's start.
fn difference(a: &Runes<'_>, b: &Runes<'_>) -> Option<(usize, char, char)> {
    let mut at = 0;
    loop {
        let (x, y) = (a.get(at)?, b.get(at)?);
        if x != y {
            return Some((at, x, y));
        }
        at += 1;
    }
}

/// True when two neighbours by bytes show what a cycle needs: behind a common digit, a letter against
/// something else.
fn may_cycle(a: &Runes<'_>, b: &Runes<'_>) -> bool {
    difference(a, b).is_some_and(|(at, x, y)| {
        at > 0 && a.get(at - 1).is_some_and(is_digit) && is_letter(x) != is_letter(y)
    })
}

fn less(order: Order, a: &Runes<'_>, b: &Runes<'_>) -> bool {
    let Some((at, x, y)) = difference(a, b) else {
        let len = |runes: &Runes<'_>| match runes {
            Runes::Ascii(bytes) => bytes.len(),
            Runes::Wide(chars) => chars.len(),
        };
        return len(a) < len(b);
    };
    let (x_letter, y_letter) = (is_letter(x), is_letter(y));
    if x_letter && y_letter {
        return x < y;
    }
    if x_letter || y_letter {
        let behind_digit = order == Order::V3 && at > 0 && a.get(at - 1).is_some_and(is_digit);
        return if behind_digit { x_letter } else { y_letter };
    }
    // A zero behind another digit than zero counts as a digit of a number.
    let mut start = 0;
    if x == '0' || y == '0' {
        let mut digits = (0..at)
            .rev()
            .map_while(|place| a.get(place).filter(|&c| is_digit(c)));
        if digits.any(|digit| digit != '0') {
            start = 1;
        }
    }
    let (x_value, x_end) = a.number(at, start);
    let (y_value, y_end) = b.number(at, start);
    if x_value != y_value {
        return x_value < y_value;
    }
    if x_end != y_end {
        return x_end < y_end;
    }
    x < y
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(order: Order, keys: &[&str]) -> (Vec<String>, bool) {
        let mut entries: Vec<(&[u8], ())> = keys.iter().map(|key| (key.as_bytes(), ())).collect();
        let unstable = sort(order, &mut entries);
        let keys = entries
            .iter()
            .map(|(key, ())| String::from_utf8_lossy(key).into_owned());
        (keys.collect(), unstable)
    }

    #[test]
    fn the_measured_order() {
        let keys = [
            "_a", "1", "2", "02", "10", "AB", "a", "a-b", "a.b", "a_b", "a1b", "aB", "ab", "item2", "item02",
            "item10",
        ];
        let mut shuffled = keys;
        shuffled.reverse();
        let (found, unstable) = sorted(Order::V2, &shuffled);
        assert_eq!(found, keys);
        assert!(!unstable);
    }

    #[test]
    fn cycles_are_reported() {
        assert!(sorted(Order::V2, &["10", "1a", "2"]).1);
        assert!(sorted(Order::V2, &["a10", "a1b", "a2"]).1);
        assert!(!sorted(Order::V2, &["10", "1a"]).1);
        assert!(!sorted(Order::V2, &["1-", "1a", "2"]).1);
        assert_eq!(
            sorted(Order::V3, &["10", "1a", "2"]),
            (vec!["1a".into(), "2".into(), "10".into()], false)
        );
    }

    #[test]
    fn keys_that_read_alike_collapse_to_the_last() {
        let mut entries: Vec<(&[u8], u8)> = vec![(b"\xfe", 1), (b"\xff", 2), (b"a", 3)];
        drop_overwritten(&mut entries);
        assert_eq!(entries, [(&b"\xff"[..], 2), (&b"a"[..], 3)]);
    }
}
