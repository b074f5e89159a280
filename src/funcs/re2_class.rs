//! Escapes and character classes of Go's regular expressions (`regexp/syntax/parse.go`).

use super::re2::{Flags, Refusal};
use crate::dialect::Dialect;
use std::fmt::Write as _;

/// A class that no rune is in.
pub(super) const NOTHING: &str = r"[^\x00-\x{10FFFF}]";

const SURROGATES: std::ops::RangeInclusive<u32> = 0xD800..=0xDFFF;

/// The general categories Go knows by these names.
const CATEGORIES: &[&str] = &[
    "C", "Cc", "Cf", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl",
    "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp", "Zs",
];

/// The scripts whose full name has four letters. Other names of four letters are codes, which Go does not
/// know.
const FOUR_LETTERS: &[&str] = &[
    "Ahom", "Cham", "Kawi", "Lisu", "Miao", "Modi", "Newa", "Thai", "Toto",
];

/// The class under the flags.
pub(super) fn folded(class: &str, flags: Flags) -> String {
    if flags.fold {
        format!("(?i:{class})")
    } else {
        class.to_owned()
    }
}

/// A class in brackets at the beginning of the text, and what follows it.
pub(super) fn class(text: &str, flags: Flags, dialect: Dialect) -> Result<(String, &str), Refusal> {
    let mut out = "[".to_owned();
    let mut rest = &text[1..];
    if let Some(after) = rest.strip_prefix('^') {
        out.push('^');
        rest = after;
    }
    let mut first = true;
    while first || !rest.starts_with(']') {
        first = false;
        if rest.len() > 2
            && rest.starts_with("[:")
            && let Some(end) = rest[2..].find(":]")
        {
            let (name, after) = rest.split_at(end + 4);
            if !is_posix(name) {
                return Err(Refusal::new("invalid character class range", name));
            }
            out.push_str(name);
            rest = after;
            continue;
        }
        if let Some((class, after)) = named(rest, dialect)? {
            out.push_str(&class);
            rest = after;
            continue;
        }
        let range = rest;
        let (low, after) = class_char(rest, text)?;
        rest = after;
        let mut high = low;
        if rest.len() >= 2 && rest.starts_with('-') && rest.as_bytes()[1] != b']' {
            (high, rest) = class_char(&rest[1..], text)?;
            if high < low {
                let part = &range[..range.len() - rest.len()];
                return Err(Refusal::new("invalid character class range", part));
            }
        }
        push_range(&mut out, low, high);
    }
    out.push(']');
    Ok((folded(&out, flags), &rest[1..]))
}

/// A range of code points; surrogates stand in no text and are left out.
fn push_range(out: &mut String, low: u32, high: u32) {
    let low = if SURROGATES.contains(&low) { 0xE000 } else { low };
    let high = if SURROGATES.contains(&high) { 0xD7FF } else { high };
    if low <= high {
        write!(out, r"\x{{{low:x}}}-\x{{{high:x}}}").expect("a string takes everything");
    } else {
        out.push_str(NOTHING);
    }
}

fn class_char<'a>(text: &'a str, whole: &str) -> Result<(u32, &'a str), Refusal> {
    match text.chars().next() {
        None => Err(Refusal::new("missing closing ]", whole)),
        Some('\\') => escape(text),
        Some(rune) => Ok((u32::from(rune), &text[rune.len_utf8()..])),
    }
}

fn is_posix(name: &str) -> bool {
    let name = name.trim_start_matches("[:").trim_end_matches(":]");
    matches!(
        name.strip_prefix('^').unwrap_or(name),
        "alnum"
            | "alpha"
            | "ascii"
            | "blank"
            | "cntrl"
            | "digit"
            | "graph"
            | "lower"
            | "print"
            | "punct"
            | "space"
            | "upper"
            | "word"
            | "xdigit"
    )
}

/// `\d`, `\pL`, `\p{Greek}` and their kin, to stand within brackets.
pub(super) fn named(text: &str, dialect: Dialect) -> Result<Option<(String, &str)>, Refusal> {
    let bytes = text.as_bytes();
    if bytes.len() < 2 || bytes[0] != b'\\' {
        return Ok(None);
    }
    let perl = match bytes[1] {
        b'd' => "0-9",
        b'D' => "[^0-9]",
        b's' => r"\t\n\x0C\r\x20",
        b'S' => r"[^\t\n\x0C\r\x20]",
        b'w' => "0-9A-Za-z_",
        b'W' => "[^0-9A-Za-z_]",
        b'p' | b'P' => return unicode(text, dialect).map(Some),
        _ => return Ok(None),
    };
    Ok(Some((perl.to_owned(), &text[2..])))
}

fn unicode(text: &str, dialect: Dialect) -> Result<(String, &str), Refusal> {
    let mut negated = text.as_bytes()[1] == b'P';
    let (name, end) = match text[2..].chars().next() {
        None => ("", 2),
        Some('{') => match text.find('}') {
            None => return Err(Refusal::new("invalid character class range", text)),
            Some(end) => (&text[3..end], end + 1),
        },
        Some(rune) => (&text[2..2 + rune.len_utf8()], 2 + rune.len_utf8()),
    };
    let (whole, rest) = text.split_at(end);
    let plain = name.strip_prefix('^').unwrap_or(name);
    negated ^= plain.len() < name.len();
    let class =
        property(plain, dialect).ok_or_else(|| Refusal::new("invalid character class range", whole))?;
    let sign = if negated { "^" } else { "" };
    Ok((format!("[{sign}{class}]"), rest))
}

/// The class of a category or script. Go 1.25 (in Helm 4.3) began to know other names of categories, to
/// disregard case and to count unassigned code points to `C`.
fn property(name: &str, dialect: Dialect) -> Option<String> {
    let loose = dialect >= Dialect::V4_3;
    let spelled = |known: &str| known == name || (loose && known.eq_ignore_ascii_case(name));
    if spelled("Any") {
        return Some(r"\x00-\x{10FFFF}".to_owned());
    }
    if let Some(known) = CATEGORIES.iter().find(|known| spelled(known)) {
        return Some(match *known {
            "C" if !loose => r"\p{Cc}\p{Cf}\p{Co}".to_owned(),
            "Cs" => NOTHING.to_owned(),
            known => format!(r"\p{{{known}}}"),
        });
    }
    if loose {
        let bare: String = name.chars().filter(|rune| !"_- ".contains(*rune)).collect();
        match bare.to_ascii_lowercase().as_str() {
            "assigned" => return Some(r"\P{Cn}".to_owned()),
            "ascii" => return Some(r"\x00-\x7F".to_owned()),
            "cn" | "lc" => return Some(format!(r"\p{{{bare}}}")),
            _ => {}
        }
    }
    if name.is_empty()
        || !name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_- ".contains(&byte))
    {
        return None;
    }
    let is_code = name.len() == 4 && !FOUR_LETTERS.iter().any(|known| spelled(known));
    let cased = loose || is_capitalised(name);
    if !is_code && cased {
        let script = format!(r"\p{{Script={name}}}");
        if regex::Regex::new(&script).is_ok() {
            return Some(script);
        }
    }
    let category = format!(r"\p{{General_Category={name}}}");
    (loose && regex::Regex::new(&category).is_ok()).then_some(category)
}

/// The spelling of Go's names of scripts: `Old_Italic`.
fn is_capitalised(name: &str) -> bool {
    name == "SignWriting"
        || name.split('_').all(|part| {
            let bytes = part.as_bytes();
            bytes.first().is_some_and(u8::is_ascii_uppercase) && bytes[1..].iter().all(u8::is_ascii_lowercase)
        })
}

/// An escape that stands for one rune, and what follows it.
pub(super) fn escape(text: &str) -> Result<(u32, &str), Refusal> {
    let mut runes = text[1..].char_indices();
    let Some((_, first)) = runes.next() else {
        return Err(Refusal::new("trailing backslash at end of expression", ""));
    };
    let mut rest = &text[1 + first.len_utf8()..];
    let number = match first {
        '0'..='7' if first == '0' || rest.starts_with(|rune| ('0'..='7').contains(&rune)) => {
            let mut number = u32::from(first) - u32::from('0');
            for _ in 0..2 {
                let Some(digit) = rest.chars().next().and_then(|rune| rune.to_digit(8)) else {
                    break;
                };
                number = number * 8 + digit;
                rest = &rest[1..];
            }
            number
        }
        'x' => return hexadecimal(text, rest),
        'a' => 7,
        'f' => 12,
        'n' => 10,
        'r' => 13,
        't' => 9,
        'v' => 11,
        _ if first.is_ascii() && !first.is_ascii_alphanumeric() => u32::from(first),
        _ => return Err(invalid_escape(text, rest)),
    };
    Ok((number, rest))
}

fn invalid_escape(text: &str, rest: &str) -> Refusal {
    Refusal::new("invalid escape sequence", &text[..text.len() - rest.len()])
}

/// `\x41` or `\x{1F600}`; `rest` begins behind the `x`. The part an error names ends where Go stopped.
fn hexadecimal<'a>(text: &'a str, rest: &'a str) -> Result<(u32, &'a str), Refusal> {
    let mut runes = rest.chars();
    let mut number = 0;
    let Some(first) = runes.next() else {
        return Err(invalid_escape(text, rest));
    };
    if first != '{' {
        let second = runes.next();
        let digits = first.to_digit(16).zip(second.and_then(|rune| rune.to_digit(16)));
        return match digits {
            Some((high, low)) => Ok((high * 16 + low, runes.as_str())),
            None => Err(invalid_escape(text, runes.as_str())),
        };
    }
    let mut count = 0;
    loop {
        match runes.next() {
            Some('}') if count > 0 => return Ok((number, runes.as_str())),
            Some(rune) => {
                let digit = rune.to_digit(16);
                number = number * 16 + digit.unwrap_or(0);
                if digit.is_none() || number > u32::from(char::MAX) {
                    return Err(invalid_escape(text, runes.as_str()));
                }
                count += 1;
            }
            None => return Err(invalid_escape(text, runes.as_str())),
        }
    }
}
