//! Letter case and word shape: `upper`, `title`, `snakecase` and their kin (Go's `strings`, goutils 1.1,
//! xstrings 1.5).

use super::runes::{decode, is_lower, is_space, is_title, is_upper, map_runes, to_lower, to_title, to_upper};
use super::spec::FuncSpec;
use super::words::{self, is_connector};
use crate::template::Param;
use crate::value::{Text, Value, rune};

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[
    CAMELCASE, INITIALS, KEBABCASE, LOWER, NOSPACE, SNAKECASE, SWAPCASE, TITLE, UNTITLE, UPPER,
];

const UPPER: FuncSpec = FuncSpec::new("upper", &[Param::Str], |call| {
    Ok(Value::from(map_runes(call.text(0), to_upper)))
});

const LOWER: FuncSpec = FuncSpec::new("lower", &[Param::Str], |call| {
    Ok(Value::from(map_runes(call.text(0), to_lower)))
});

const TITLE: FuncSpec = FuncSpec::new("title", &[Param::Str], |call| {
    let mut before = ' ';
    Ok(Value::from(map_runes(call.text(0), |rune| {
        let first = is_separator(before);
        before = rune;
        if first { to_title(rune) } else { rune }
    })))
});

/// What `strings.Title` takes for the end of a word.
fn is_separator(rune: char) -> bool {
    if rune.is_ascii() {
        return !(rune.is_ascii_alphanumeric() || rune == '_');
    }
    !rune::is_letter(rune) && !rune::is_digit(rune) && is_space(rune)
}

const UNTITLE: FuncSpec = FuncSpec::new("untitle", &[Param::Str], |call| {
    let mut first = true;
    Ok(Value::from(map_runes(call.text(0), |rune| {
        if is_space(rune) {
            first = true;
        } else if first {
            first = false;
            return to_lower(rune);
        }
        rune
    })))
});

const SWAPCASE: FuncSpec = FuncSpec::new("swapcase", &[Param::Str], |call| {
    let mut after_space = true;
    Ok(Value::from(map_runes(call.text(0), |rune| {
        if is_upper(rune) || is_title(rune) {
            after_space = false;
            to_lower(rune)
        } else if is_lower(rune) {
            let first = std::mem::take(&mut after_space);
            if first { to_title(rune) } else { to_upper(rune) }
        } else {
            after_space = is_space(rune);
            rune
        }
    })))
});

/// True for a byte whose code point of the same number is a space: goutils reads texts byte by byte.
fn is_space_byte(byte: u8) -> bool {
    is_space(char::from(byte))
}

const INITIALS: FuncSpec = FuncSpec::new("initials", &[Param::Str], |call| {
    let mut out = Vec::new();
    let mut after_space = true;
    for &byte in call.text(0).bytes() {
        if is_space_byte(byte) {
            after_space = true;
        } else if std::mem::take(&mut after_space) {
            rune::push(&mut out, char::from(byte));
        }
    }
    Ok(Value::from(Text::from(out)))
});

const NOSPACE: FuncSpec = FuncSpec::new("nospace", &[Param::Str], |call| {
    if !call.text(0).bytes().iter().any(|&byte| is_space_byte(byte)) {
        return Ok(call.take(0));
    }
    let mut out = Vec::new();
    for &byte in call.text(0).bytes() {
        if !is_space_byte(byte) {
            rune::push(&mut out, char::from(byte));
        }
    }
    Ok(Value::from(Text::from(out)))
});

const SNAKECASE: FuncSpec = FuncSpec::new("snakecase", &[Param::Str], |call| {
    Ok(Value::from(Text::from(words::joined_lower(
        call.text(0).bytes(),
        '_',
    ))))
});

const KEBABCASE: FuncSpec = FuncSpec::new("kebabcase", &[Param::Str], |call| {
    Ok(Value::from(Text::from(words::joined_lower(
        call.text(0).bytes(),
        '-',
    ))))
});

const CAMELCASE: FuncSpec = FuncSpec::new("camelcase", &[Param::Str], |call| {
    Ok(Value::from(Text::from(pascal(call.text(0).bytes()))))
});

/// `xstrings.ToPascalCase`. It writes one rune late, so that a connector can still be dropped; leading
/// connectors stay, and a text of nothing else ends with one too many.
fn pascal(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut next = || {
        let (rune, width) = decode(rest);
        rest = &rest[width..];
        (width > 0).then_some(rune)
    };
    let Some(mut rune) = next() else {
        return out;
    };
    while is_connector(rune) {
        rune::push(&mut out, rune);
        match next() {
            Some(following) => rune = following,
            None => {
                rune::push(&mut out, rune);
                return out;
            }
        }
    }
    let mut in_capitals = is_upper(rune);
    rune = to_upper(rune);
    while let Some(mut following) = next() {
        if is_connector(rune) {
            if is_connector(following) {
                rune::push(&mut out, rune);
                rune = following;
                continue;
            }
            in_capitals = is_upper(following);
            following = to_upper(following);
        } else {
            if in_capitals {
                if is_upper(following) {
                    following = to_lower(following);
                } else {
                    in_capitals = false;
                }
            }
            rune::push(&mut out, rune);
        }
        rune = following;
    }
    rune::push(&mut out, rune);
    out
}
