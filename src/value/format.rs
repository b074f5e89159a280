//! Padding, signs and precision: the lower half of Go's `fmt` (`fmt/format.go`). It knows bytes and numbers,
//! no values.

use super::float::push_float;
use super::quote;
use super::rune;

/// The flags, width and precision of one verb.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flags {
    pub width: Option<usize>,
    pub precision: Option<usize>,
    pub minus: bool,
    pub plus: bool,
    pub sharp: bool,
    pub space: bool,
    pub zero: bool,
    /// `%+v`: names of struct fields.
    pub plus_v: bool,
    /// `%#v`: Go syntax.
    pub sharp_v: bool,
}

/// Lower or upper case digits, for `%x` and `%X`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Lower,
    Upper,
}

impl Case {
    fn digit(self, value: u64) -> u8 {
        let table: &[u8; 16] = match self {
            Case::Lower => b"0123456789abcdef",
            Case::Upper => b"0123456789ABCDEF",
        };
        table[(value & 15) as usize]
    }

    fn prefix(self) -> u8 {
        match self {
            Case::Lower => b'x',
            Case::Upper => b'X',
        }
    }
}

impl Flags {
    fn pad_byte(&self) -> u8 {
        // Zeros are allowed only to the left.
        if self.zero && !self.minus { b'0' } else { b' ' }
    }

    fn push_padding(&self, out: &mut Vec<u8>, count: usize) {
        out.resize(out.len() + count, self.pad_byte());
    }

    /// Appends bytes, padded to the width in runes.
    pub fn pad(&self, out: &mut Vec<u8>, bytes: &[u8]) {
        let missing = match self.width {
            None | Some(0) => 0,
            Some(width) => width.saturating_sub(rune::count(bytes)),
        };
        if missing == 0 {
            return out.extend_from_slice(bytes);
        }
        if self.minus {
            out.extend_from_slice(bytes);
            self.push_padding(out, missing);
        } else {
            self.push_padding(out, missing);
            out.extend_from_slice(bytes);
        }
    }

    fn without_zero(&self) -> Flags {
        Flags { zero: false, ..*self }
    }

    /// A boolean.
    pub fn boolean(&self, out: &mut Vec<u8>, truth: bool) {
        self.pad(out, if truth { b"true" } else { b"false" });
    }

    /// An integer in base 2, 8, 10 or 16; `number` is the magnitude.
    pub fn integer(&self, out: &mut Vec<u8>, number: u64, negative: bool, base: u64, verb: char, case: Case) {
        let mut least = 0;
        if let Some(precision) = self.precision {
            if precision == 0 && number == 0 {
                return self
                    .without_zero()
                    .push_padding(out, self.width.unwrap_or_default());
            }
            least = precision;
        } else if self.zero && !self.minus {
            least = self.width.unwrap_or_default();
            if negative || self.plus || self.space {
                least = least.saturating_sub(1);
            }
        }
        // Right to left, then turned round.
        let mut text = Vec::with_capacity(24);
        let mut rest = number;
        loop {
            text.push(case.digit(rest % base));
            rest /= base;
            if rest == 0 {
                break;
            }
        }
        if text.len() < least {
            text.resize(least, b'0');
        }
        if self.sharp {
            match base {
                2 => text.extend_from_slice(b"b0"),
                8 if text.last() != Some(&b'0') => text.push(b'0'),
                16 => text.extend_from_slice(&[case.prefix(), b'0']),
                _ => {}
            }
        }
        if verb == 'O' {
            text.extend_from_slice(b"o0");
        }
        if negative {
            text.push(b'-');
        } else if self.plus {
            text.push(b'+');
        } else if self.space {
            text.push(b' ');
        }
        text.reverse();
        // Zeros to the left came with the digits, or a precision cancelled them.
        self.without_zero().pad(out, &text);
    }

    /// `%c`
    pub fn character(&self, out: &mut Vec<u8>, number: u64) {
        self.pad(out, code_point(number).encode_utf8(&mut [0; 4]).as_bytes());
    }

    /// `%q` of an integer.
    pub fn quoted_character(&self, out: &mut Vec<u8>, number: u64) {
        let mut text = Vec::new();
        let mut buffer = [0; 4];
        let rune = code_point(number).encode_utf8(&mut buffer);
        quote::push_quoted(&mut text, rune.as_bytes(), b'\'', self.plus);
        self.pad(out, &text);
    }

    /// `%U`
    pub fn unicode(&self, out: &mut Vec<u8>, number: u64) {
        let least = self.precision.unwrap_or_default().max(4);
        let mut text = format!("U+{number:0least$X}").into_bytes();
        if self.sharp
            && let Some(rune) = u32::try_from(number).ok().and_then(char::from_u32)
            && rune::is_print(rune)
        {
            text.extend_from_slice(format!(" '{rune}'").as_bytes());
        }
        self.without_zero().pad(out, &text);
    }

    fn truncated<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        let Some(precision) = self.precision else {
            return text;
        };
        let mut end = 0;
        for _ in 0..precision {
            end += rune::decode(&text[end..]).1;
        }
        &text[..end]
    }

    /// `%s`
    pub fn string(&self, out: &mut Vec<u8>, text: &[u8]) {
        self.pad(out, self.truncated(text));
    }

    /// `%q` of a string.
    pub fn quoted(&self, out: &mut Vec<u8>, text: &[u8]) {
        let text = self.truncated(text);
        if self.sharp && quote::can_backquote(text) {
            return self.pad(out, &[b"`", text, b"`"].concat());
        }
        let mut quoted = Vec::with_capacity(text.len() + 2);
        quote::push_quoted(&mut quoted, text, b'"', self.plus);
        self.pad(out, &quoted);
    }

    /// `%x` of a string or bytes.
    pub fn hex(&self, out: &mut Vec<u8>, text: &[u8], case: Case) {
        let text = &text[..self.precision.unwrap_or(usize::MAX).min(text.len())];
        if text.is_empty() {
            return self.push_padding(out, self.width.unwrap_or_default());
        }
        let mut hex = Vec::with_capacity(text.len() * 2 + 2);
        for (index, &byte) in text.iter().enumerate() {
            if index > 0 && self.space {
                hex.push(b' ');
            }
            if self.sharp && (index == 0 || self.space) {
                hex.extend_from_slice(&[b'0', case.prefix()]);
            }
            hex.extend_from_slice(&[case.digit(u64::from(byte >> 4)), case.digit(u64::from(byte))]);
        }
        self.pad(out, &hex);
    }

    /// A float in one of the forms of `strconv.FormatFloat`, with the verb's own precision.
    pub fn float(&self, out: &mut Vec<u8>, number: f64, verb: char, default: Option<usize>) {
        let precision = self.precision.or(default);
        let mut text = vec![b'+'];
        let form = u8::try_from(verb).unwrap_or(b'g');
        push_float(&mut text, number, form, precision);
        if matches!(text.get(1), Some(b'-' | b'+')) {
            text.remove(0);
        }
        if self.space && text[0] == b'+' && !self.plus {
            text[0] = b' ';
        }
        if matches!(text.get(1), Some(b'I' | b'N')) {
            let bare = text[1] == b'N' && !self.space && !self.plus;
            return self.without_zero().pad(out, &text[usize::from(bare)..]);
        }
        if self.sharp && verb != 'b' {
            add_point(&mut text, verb, precision);
        }
        if !self.plus && text[0] == b'+' {
            return self.pad(out, &text[1..]);
        }
        if self.zero && !self.minus && self.width.is_some_and(|width| width > text.len()) {
            // The sign comes before the leading zeros.
            out.push(text[0]);
            self.push_padding(out, self.width.unwrap_or_default() - text.len());
            return out.extend_from_slice(&text[1..]);
        }
        self.pad(out, &text);
    }
}

/// The sharp flag forces a decimal point and keeps trailing zeros (`fmtFloat`).
fn add_point(text: &mut Vec<u8>, verb: char, precision: Option<usize>) {
    let mut digits = match verb {
        'g' | 'G' | 'x' => precision.map_or(6, |p| p as i64),
        _ => 0,
    };
    let mut point = false;
    let mut nonzero = false;
    let mut end = text.len();
    for (index, &byte) in text.iter().enumerate().skip(1) {
        match byte {
            b'.' => point = true,
            b'p' | b'P' => {
                end = index;
                break;
            }
            b'e' | b'E' if !matches!(verb, 'x' | 'X') => {
                end = index;
                break;
            }
            _ => {
                nonzero |= byte != b'0';
                if nonzero {
                    digits -= 1;
                }
            }
        }
    }
    let tail = text.split_off(end);
    if !point {
        // A leading zero counts once.
        if text.len() == 2 && text[1] == b'0' {
            digits -= 1;
        }
        text.push(b'.');
    }
    text.resize(text.len() + usize::try_from(digits).unwrap_or(0), b'0');
    text.extend_from_slice(&tail);
}

fn code_point(number: u64) -> char {
    u32::try_from(number)
        .ok()
        .and_then(char::from_u32)
        .unwrap_or(char::REPLACEMENT_CHARACTER)
}
