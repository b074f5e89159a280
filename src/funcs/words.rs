//! How xstrings 1.5 cuts a name into words: `HTTPServer` is `HTTP` and `Server`, `http2xx` is `http` and
//! `2xx`. The rules are its own and have no shorter description than the code.

use super::runes::{self, decode, is_punct, is_space, is_upper, to_lower};
use crate::value::rune::{self, is_letter};

/// What a word is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The end, or nothing but invalid bytes.
    Invalid,
    Number,
    UpperCase,
    Alphabet,
    Connector,
    Punctuation,
    Other,
}

/// `-`, `_` and white space.
pub(super) fn is_connector(rune: char) -> bool {
    rune == '-' || rune == '_' || is_space(rune)
}

/// A letter that is not a CJK character.
fn is_alphabet(rune: char) -> bool {
    is_letter(rune)
        && !matches!(rune, '\u{4E00}'..='\u{9FCC}' | '\u{3400}'..='\u{4D85}' | '\u{20000}'..='\u{2B81D}')
}

/// The next rune that is not invalid, and the width of it and the invalid bytes before it; `before` where
/// there is none.
fn next_valid(text: &[u8], before: char) -> (char, usize) {
    let mut read = 0;
    while read < text.len() {
        let (rune, width) = decode(&text[read..]);
        read += width;
        if rune != runes::INVALID {
            return (rune, read);
        }
    }
    (before, read)
}

/// The length of the run of runes that `belongs` accepts, and the rune that ended it.
fn run(text: &[u8], first: char, belongs: impl Fn(char, usize) -> bool) -> (usize, char) {
    let mut length = 0;
    let mut rune = first;
    while length < text.len() {
        let (next, width) = next_valid(&text[length..], rune);
        rune = next;
        if !belongs(rune, width) {
            break;
        }
        length += width;
    }
    (length, rune)
}

/// The first word: its kind and its length.
fn next_word(text: &[u8]) -> (Kind, usize) {
    if text.is_empty() {
        return (Kind::Invalid, 0);
    }
    let (rune, size) = next_valid(text, runes::INVALID);
    let rest = &text[size..];
    if rune == runes::INVALID {
        return (Kind::Invalid, size);
    }
    if is_connector(rune) {
        (
            Kind::Connector,
            size + run(rest, rune, |rune, _| is_connector(rune)).0,
        )
    } else if is_punct(rune) {
        (
            Kind::Punctuation,
            size + run(rest, rune, |rune, _| is_punct(rune)).0,
        )
    } else if is_upper(rune) {
        (Kind::UpperCase, size + upper_tail(rest, rune))
    } else if is_alphabet(rune) {
        (
            Kind::Alphabet,
            size + run(rest, rune, |rune, _| is_alphabet(rune) && !is_upper(rune)).0,
        )
    } else if rune.is_numeric() {
        (
            Kind::Number,
            size + run(rest, rune, |rune, _| rune.is_numeric()).0,
        )
    } else {
        let other = |rune: char, width: usize| {
            width > 0 && !is_connector(rune) && !is_alphabet(rune) && !rune.is_numeric() && !is_punct(rune)
        };
        (Kind::Other, size + run(rest, rune, other).0)
    }
}

/// What belongs to a word after its first, upper-case letter: either more capitals, but not the one that
/// begins the next word, or small letters.
fn upper_tail(rest: &[u8], first: char) -> usize {
    if rest.is_empty() {
        return 0;
    }
    let (second, width) = next_valid(rest, first);
    if is_upper(second) {
        let mut length = width;
        let mut last_width = width;
        let mut rune = second;
        while length < rest.len() {
            let (next, width) = next_valid(&rest[length..], rune);
            rune = next;
            if !is_upper(rune) {
                break;
            }
            last_width = width;
            length += width;
        }
        if length < rest.len() && is_alphabet(rune) {
            length -= last_width;
        }
        length
    } else if is_alphabet(second) {
        width
            + run(&rest[width..], second, |rune, _| {
                is_alphabet(rune) && !is_upper(rune)
            })
            .0
    } else {
        0
    }
}

/// Words one after the other.
struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    fn next(&mut self) -> (Kind, &'a [u8]) {
        let (kind, length) = next_word(self.rest);
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        (kind, word)
    }
}

/// The words in lower case with `connector` between them (`xstrings.ToSnakeCase`, `ToKebabCase`).
pub(super) fn joined_lower(text: &[u8], connector: char) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 8);
    let mut words = Words { rest: text };
    let (mut kind, mut word) = words.next();
    while !words.rest.is_empty() {
        if kind != Kind::Connector {
            push_lower(&mut out, kind, word, connector);
        }
        let (before, last) = (kind, word);
        (kind, word) = words.next();
        match before {
            Kind::Number => {
                (kind, word) = push_letters_and_numbers(&mut out, &mut words, (kind, word), connector);
                if !matches!(kind, Kind::Invalid | Kind::Punctuation | Kind::Connector) {
                    rune::push(&mut out, connector);
                }
            }
            Kind::Connector => push_lower(&mut out, before, last, connector),
            Kind::Punctuation => {}
            _ if kind != Kind::Number => {
                if !matches!(kind, Kind::Connector | Kind::Punctuation) {
                    rune::push(&mut out, connector);
                }
            }
            _ if words.rest.is_empty() => {}
            _ => (kind, word) = push_number(&mut out, &mut words, word, connector),
        }
    }
    push_lower(&mut out, kind, word, connector);
    out
}

/// A number after letters, with more to come: it belongs to the word before it, unless small letters
/// follow (`Bld4Floor` is `bld4_floor`, `HTTP2xx` is `http_2xx`). Gives the word that comes after.
fn push_number<'a>(
    out: &mut Vec<u8>,
    words: &mut Words<'a>,
    number: &[u8],
    connector: char,
) -> (Kind, &'a [u8]) {
    let (mut kind, mut word) = words.next();
    if kind != Kind::Alphabet {
        push_lower(out, Kind::Number, number, connector);
        if !matches!(kind, Kind::Connector | Kind::Punctuation) {
            rune::push(out, connector);
        }
        return (kind, word);
    }
    rune::push(out, connector);
    push_lower(out, Kind::Number, number, connector);
    (kind, word) = push_letters_and_numbers(out, words, (kind, word), connector);
    if !matches!(kind, Kind::Invalid | Kind::Connector | Kind::Punctuation) {
        rune::push(out, connector);
    }
    (kind, word)
}

fn push_letters_and_numbers<'a>(
    out: &mut Vec<u8>,
    words: &mut Words<'a>,
    first: (Kind, &'a [u8]),
    connector: char,
) -> (Kind, &'a [u8]) {
    let (mut kind, mut word) = first;
    while matches!(kind, Kind::Alphabet | Kind::Number) {
        push_lower(out, kind, word, connector);
        (kind, word) = words.next();
    }
    (kind, word)
}

fn push_lower(out: &mut Vec<u8>, kind: Kind, word: &[u8], connector: char) {
    if !matches!(kind, Kind::UpperCase | Kind::Connector) {
        out.extend_from_slice(word);
        return;
    }
    for (_, rune, _) in runes::runes(word) {
        if is_connector(rune) {
            rune::push(out, connector);
        } else {
            rune::push(out, to_lower(rune));
        }
    }
}
