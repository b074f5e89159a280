//! Go's regular expressions, translated for the `regex` crate.
//!
//! Go's own parser (`regexp/syntax/parse.go`) decides what is an expression and how it is refused; what it
//! accepts is written anew in a form that means the same here whatever the differences in notation: every
//! rune as its number, every flag on the piece it governs. Sub-expressions are kept on a stack as in Go,
//! because repetition takes whatever is on top of it.

use super::re2_class;
use crate::dialect::Dialect;
use std::fmt::Write as _;

/// The most repetitions, alone and multiplied through nesting.
const MOST_REPEATS: u32 = 1000;

/// The deepest nesting Go accepts.
const MOST_HEIGHT: usize = 1000;

/// A translated expression.
pub(super) struct Translated {
    /// The expression for the `regex` crate.
    pub pattern: String,
    /// The names of the groups; the first is the whole match.
    pub names: Vec<String>,
}

/// Why Go refuses an expression: code and the part it names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    code: &'static str,
    part: String,
}

impl Refusal {
    pub(super) fn new(code: &'static str, part: &str) -> Refusal {
        Refusal {
            code,
            part: part.to_owned(),
        }
    }

    /// The text of the error.
    pub(super) fn message(&self) -> String {
        format!("error parsing regexp: {}: `{}`", self.code, self.part)
    }
}

/// The flags that `(?imsU)` sets.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    /// `i`
    pub fold: bool,
    /// `m`
    multi: bool,
    /// `s`
    dot_newline: bool,
    /// `U`
    lazy: bool,
}

enum Item {
    /// A finished sub-expression.
    Piece(Piece),
    /// An open group: its head and the flags to return to.
    Open { head: &'static str, flags: Flags },
    /// Alternatives before the open one.
    Bar(Piece),
}

struct Piece {
    text: String,
    /// How many repetitions it needs at least (`repeatIsValid` turned around).
    repeats: u32,
    height: usize,
}

impl Piece {
    fn leaf(text: String) -> Piece {
        Piece {
            text,
            repeats: 0,
            height: 1,
        }
    }
}

/// What Go's regexp finds wrong with an expression; `None` when it takes it.
pub fn pattern_fault(source: &str) -> Option<String> {
    let refusal = translate(source.as_bytes(), Dialect::NEWEST).err()?;
    Some(refusal.message())
}

/// Translates an expression.
pub(super) fn translate(source: &[u8], dialect: Dialect) -> Result<Translated, Refusal> {
    let text = match std::str::from_utf8(source) {
        Ok(text) => text,
        Err(error) => {
            let rest = String::from_utf8_lossy(&source[error.valid_up_to()..]);
            return Err(Refusal::new("invalid UTF-8", &rest));
        }
    };
    let mut parser = Parser {
        whole: text,
        dialect,
        flags: Flags::default(),
        stack: Vec::new(),
        names: vec![String::new()],
    };
    let mut rest = text;
    let mut last_repeat = "";
    while let Some(first) = rest.chars().next() {
        let before = rest;
        let mut repeated = "";
        rest = match first {
            '*' | '+' | '?' => {
                repeated = before;
                parser.repeat(&before[..1], 0, before, &before[1..], last_repeat)?
            }
            '{' => match parse_repeat(before) {
                None => {
                    parser.literal('{');
                    &before[1..]
                }
                Some((counts, after)) => {
                    repeated = before;
                    parser.counted(counts, before, after, last_repeat)?
                }
            },
            _ => parser.step(first, before)?,
        };
        last_repeat = repeated;
    }
    parser.finish()
}

struct Parser<'a> {
    whole: &'a str,
    dialect: Dialect,
    flags: Flags,
    stack: Vec<Item>,
    names: Vec<String>,
}

impl<'a> Parser<'a> {
    /// Everything but repetitions.
    fn step(&mut self, first: char, rest: &'a str) -> Result<&'a str, Refusal> {
        let after = &rest[first.len_utf8()..];
        match first {
            '(' if after.starts_with('?') => return self.perl_group(rest),
            '(' => {
                self.names.push(String::new());
                self.open("(");
            }
            ')' => self.close()?,
            '|' => self.bar(),
            '^' => self.leaf(if self.flags.multi { "(?m:^)" } else { r"\A" }),
            '$' => self.leaf(if self.flags.multi { "(?m:$)" } else { r"\z" }),
            '.' => self.leaf(if self.flags.dot_newline {
                r"[\x00-\x{10FFFF}]"
            } else {
                r"[^\n]"
            }),
            '[' => {
                let (class, after) = re2_class::class(rest, self.flags, self.dialect)?;
                self.push(Piece::leaf(class));
                return Ok(after);
            }
            '\\' => return self.escape(rest),
            _ => self.literal(first),
        }
        Ok(after)
    }

    fn escape(&mut self, rest: &'a str) -> Result<&'a str, Refusal> {
        match rest.as_bytes().get(1) {
            Some(b'A') => self.leaf(r"\A"),
            Some(b'z') => self.leaf(r"\z"),
            Some(b'b') => self.leaf(r"(?-u:\b)"),
            Some(b'B') => self.leaf(r"(?-u:\B)"),
            Some(b'C') => return Err(Refusal::new("invalid escape sequence", &rest[..2])),
            Some(b'Q') => {
                let (literal, after) = rest[2..].split_once(r"\E").unwrap_or((&rest[2..], ""));
                for rune in literal.chars() {
                    self.literal(rune);
                }
                return Ok(after);
            }
            _ => {
                if let Some((class, after)) = re2_class::named(rest, self.dialect)? {
                    let class = re2_class::folded(&format!("[{class}]"), self.flags);
                    self.push(Piece::leaf(class));
                    return Ok(after);
                }
                let (number, after) = re2_class::escape(rest)?;
                match char::from_u32(number) {
                    Some(rune) => self.literal(rune),
                    // A surrogate stands in no text.
                    None => self.leaf(re2_class::NOTHING),
                }
                return Ok(after);
            }
        }
        Ok(&rest[2..])
    }

    fn literal(&mut self, rune: char) {
        let mut text = String::new();
        let number = u32::from(rune);
        let written = if self.flags.fold {
            write!(text, r"(?i:\x{{{number:x}}})")
        } else {
            write!(text, r"\x{{{number:x}}}")
        };
        written.expect("a string takes everything");
        self.push(Piece::leaf(text));
    }

    fn leaf(&mut self, text: &str) {
        self.push(Piece::leaf(text.to_owned()));
    }

    fn push(&mut self, piece: Piece) {
        self.stack.push(Item::Piece(piece));
    }

    fn open(&mut self, head: &'static str) {
        let flags = self.flags;
        self.stack.push(Item::Open { head, flags });
    }

    /// `{n}`, `{n,}`, `{n,m}`.
    fn counted(
        &mut self,
        (least, most): (Option<u32>, Option<Option<u32>>),
        before: &'a str,
        after: &'a str,
        last_repeat: &'a str,
    ) -> Result<&'a str, Refusal> {
        let too_many = || Refusal::new("invalid repeat count", &before[..before.len() - after.len()]);
        let (Some(least), Some(most)) = (least, most) else {
            return Err(too_many());
        };
        if least > MOST_REPEATS || most.is_some_and(|most| most > MOST_REPEATS || most < least) {
            return Err(too_many());
        }
        let counts = match most {
            None => format!("{{{least},}}"),
            Some(most) => format!("{{{least},{most}}}"),
        };
        let after = self.repeat(&counts, most.unwrap_or(least), before, after, last_repeat)?;
        let valid = match self.stack.last_mut() {
            Some(Item::Piece(piece)) => {
                if most == Some(0) {
                    piece.repeats = 0;
                }
                piece.repeats <= MOST_REPEATS || (least < 2 && most.is_some_and(|most| most < 2))
            }
            _ => true,
        };
        if valid {
            Ok(after)
        } else {
            Err(Refusal::new(
                "invalid repeat count",
                &before[..before.len() - after.len()],
            ))
        }
    }

    /// Repeats what is on top of the stack.
    fn repeat(
        &mut self,
        operator: &str,
        times: u32,
        before: &'a str,
        after: &'a str,
        last_repeat: &'a str,
    ) -> Result<&'a str, Refusal> {
        let (lazy, after) = match after.strip_prefix('?') {
            Some(after) => (!self.flags.lazy, after),
            None => (self.flags.lazy, after),
        };
        if !last_repeat.is_empty() {
            let part = &last_repeat[..last_repeat.len() - after.len()];
            return Err(Refusal::new("invalid nested repetition operator", part));
        }
        let Some(Item::Piece(piece)) = self.stack.last_mut() else {
            let part = &before[..before.len() - after.len()];
            return Err(Refusal::new("missing argument to repetition operator", part));
        };
        let lazy = if lazy { "?" } else { "" };
        piece.text = format!("(?:{}){operator}{lazy}", piece.text);
        piece.repeats = piece.repeats.saturating_mul(times.max(1)).max(times);
        piece.height += 1;
        let deep = piece.height > MOST_HEIGHT;
        if deep {
            return Err(self.too_deep());
        }
        Ok(after)
    }

    fn too_deep(&self) -> Refusal {
        Refusal::new("expression nests too deeply", self.whole)
    }

    /// Takes the pieces above the topmost bar or parenthesis and makes one of them.
    fn concatenated(&mut self) -> Piece {
        let inner = |item: &Item| matches!(item, Item::Piece(_));
        let start = self
            .stack
            .iter()
            .rposition(|item| !inner(item))
            .map_or(0, |at| at + 1);
        let mut whole = Piece::leaf(String::new());
        let count = self.stack.len() - start;
        for item in self.stack.drain(start..) {
            if let Item::Piece(piece) = item {
                whole.text.push_str(&piece.text);
                whole.repeats = whole.repeats.max(piece.repeats);
                whole.height = whole.height.max(piece.height + usize::from(count > 1));
            }
        }
        whole
    }

    /// All alternatives above the topmost parenthesis as one piece.
    fn alternatives(&mut self) -> Piece {
        let last = self.concatenated();
        match self.stack.pop() {
            Some(Item::Bar(before)) => joined(before, &last),
            Some(other) => {
                self.stack.push(other);
                last
            }
            None => last,
        }
    }

    fn bar(&mut self) {
        let before = self.alternatives();
        self.stack.push(Item::Bar(before));
    }

    fn close(&mut self) -> Result<(), Refusal> {
        let mut inner = self.alternatives();
        let Some(Item::Open { head, flags }) = self.stack.pop() else {
            return Err(Refusal::new("unexpected )", self.whole));
        };
        self.flags = flags;
        inner.text = format!("{head}{})", inner.text);
        inner.height += usize::from(head == "(");
        if inner.height > MOST_HEIGHT {
            return Err(self.too_deep());
        }
        self.push(inner);
        Ok(())
    }

    fn finish(mut self) -> Result<Translated, Refusal> {
        let whole = self.alternatives();
        if !self.stack.is_empty() {
            return Err(Refusal::new("missing closing )", self.whole));
        }
        Ok(Translated {
            pattern: whole.text,
            names: self.names,
        })
    }

    /// `(?P<name>`, `(?<name>`, `(?flags)`, `(?flags:`.
    fn perl_group(&mut self, rest: &'a str) -> Result<&'a str, Refusal> {
        let bytes = rest.as_bytes();
        let name_start = if bytes.len() > 4 && bytes[2..4] == *b"P<" {
            Some(4)
        } else {
            (bytes.len() > 3 && bytes[2] == b'<').then_some(3)
        };
        if let Some(start) = name_start {
            let Some(end) = rest.find('>') else {
                return Err(Refusal::new("invalid named capture", rest));
            };
            let name = rest.get(start..end).unwrap_or_default();
            let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            if name.is_empty() || !name.bytes().all(word) {
                return Err(Refusal::new("invalid named capture", &rest[..=end]));
            }
            self.names.push(name.to_owned());
            self.open("(");
            return Ok(&rest[end + 1..]);
        }
        let mut flags = self.flags;
        let (mut on, mut seen) = (true, false);
        let mut after = rest;
        for (at, rune) in rest.char_indices().skip(2) {
            after = &rest[at + rune.len_utf8()..];
            match rune {
                'i' => flags.fold = on,
                'm' => flags.multi = on,
                's' => flags.dot_newline = on,
                'U' => flags.lazy = on,
                '-' if on => {
                    on = false;
                    seen = false;
                    continue;
                }
                ':' | ')' if on || seen => {
                    if rune == ':' {
                        self.open("(?:");
                    }
                    self.flags = flags;
                    return Ok(after);
                }
                _ => {
                    let part = &rest[..rest.len() - after.len()];
                    return Err(Refusal::new("invalid or unsupported Perl syntax", part));
                }
            }
            seen = true;
        }
        if after.len() == rest.len() {
            after = "";
        }
        let part = &rest[..rest.len() - after.len()];
        Err(Refusal::new("invalid or unsupported Perl syntax", part))
    }
}

fn joined(before: Piece, last: &Piece) -> Piece {
    Piece {
        text: format!("{}|{}", before.text, last.text),
        repeats: before.repeats.max(last.repeats),
        height: before.height.max(last.height + 1),
    }
}

type Counts = (Option<u32>, Option<Option<u32>>);

/// The counts of `{n}`, `{n,}`, `{n,m}` and what follows; a count that is far too great is `None`.
/// What has no such form is no repetition.
fn parse_repeat(text: &str) -> Option<(Counts, &str)> {
    let (least, rest) = parse_count(&text[1..])?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some(((least, Some(least)), rest));
    }
    let rest = rest.strip_prefix(',')?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some(((least, Some(None)), rest));
    }
    let (most, rest) = parse_count(rest)?;
    let rest = rest.strip_prefix('}')?;
    Some(((least, most.map(Some)), rest))
}

/// A number without leading zeros.
fn parse_count(text: &str) -> Option<(Option<u32>, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    if number.is_empty() || (number.len() > 1 && number.starts_with('0')) {
        return None;
    }
    Some((number.parse().ok(), rest))
}
