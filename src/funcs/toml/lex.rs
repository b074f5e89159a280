//! TOML text to items, in the steps of BurntSushi's lexer: its errors name what it saw and where, so the
//! order in which it looks at things is kept.

use crate::value::quote::push_quoted;
use crate::value::rune;

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The text behind a `#`, or a bare key.
    Text,
    String,
    /// A string with escapes.
    EscapedString,
    RawString,
    MultilineString,
    RawMultilineString,
    Bool,
    Integer,
    Float,
    Datetime,
    Array,
    ArrayEnd,
    TableStart,
    TableEnd,
    ArrayTableStart,
    ArrayTableEnd,
    KeyStart,
    KeyEnd,
    CommentStart,
    InlineTableStart,
    InlineTableEnd,
    End,
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub kind: Kind,
    pub text: String,
    pub line: usize,
}

/// An error and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub message: String,
    pub line: usize,
}

/// What the end reads as. A NUL in the text is an error before it could be taken for it.
pub(super) const END: char = '\0';

/// What is said of deeper nesting.
pub(super) const TOO_DEEP: &str = "evenkeel reads at most 500 nested arrays and tables";

/// How deep arrays and inline tables may be nested.
pub(super) const MOST_LEVELS: usize = 500;

pub(super) type Lexed<T = ()> = Result<T, Fault>;

/// The lexer. `newer` is TOML 1.1: line breaks and a last comma in inline tables, `\e`, `\x`.
pub(super) struct Lexer<'t> {
    text: &'t [u8],
    pub(super) newer: bool,
    start: usize,
    at: usize,
    line: usize,
    pub(super) at_end: bool,
    pub(super) escaped: bool,
    level: usize,
    pub(super) items: Vec<Item>,
}

/// All items, and the error that ended them.
pub(super) fn lex(text: &[u8], newer: bool) -> (Vec<Item>, Option<Fault>) {
    let mut lexer = Lexer {
        text,
        newer,
        start: 0,
        at: 0,
        line: 1,
        at_end: false,
        escaped: false,
        level: 0,
        items: Vec::new(),
    };
    let fault = lexer.top().err();
    (lexer.items, fault)
}

fn is_blank(rune: char) -> bool {
    rune == ' ' || rune == '\t'
}

pub(super) fn is_newline(rune: char) -> bool {
    rune == '\n' || rune == '\r'
}

fn is_bare(rune: char) -> bool {
    rune.is_ascii_alphanumeric() || rune == '_' || rune == '-'
}

/// `%q` of a rune.
pub(super) fn quoted(rune: char) -> String {
    let mut out = Vec::new();
    push_quoted(&mut out, rune.encode_utf8(&mut [0; 4]).as_bytes(), b'\'', false);
    String::from_utf8_lossy(&out).into_owned()
}

fn rune_or_end(rune: char) -> String {
    if rune == END {
        "end of file".to_owned()
    } else {
        format!("'{rune}'")
    }
}

impl Lexer<'_> {
    // ---- reading

    pub(super) fn next(&mut self) -> Lexed<char> {
        let rest = &self.text[self.at..];
        let (decoded, width) = rune::decode(rest);
        let Some(rune) = decoded else {
            if width == 0 {
                self.at_end = true;
                return Ok(END);
            }
            return Err(self.fault_here(format!("invalid UTF-8 byte: 0x{:02x}", rest[0])));
        };
        let lone_return = rune == '\r' && rest.get(1) != Some(&b'\n');
        let control = matches!(rune, '\0'..='\x1f' | '\x7f') && !matches!(rune, '\t' | '\r' | '\n');
        if control || lone_return {
            let message = format!(
                "TOML files cannot contain control characters: '0x{:02x}'",
                u32::from(rune)
            );
            return Err(self.fault_here(message));
        }
        if rune == '\n' {
            self.line += 1;
        }
        self.at += width;
        Ok(rune)
    }

    pub(super) fn back(&mut self) {
        if std::mem::take(&mut self.at_end) {
            return;
        }
        let (_, width) = rune::decode_last(&self.text[..self.at]);
        self.at -= width;
        if self.text.get(self.at) == Some(&b'\n') {
            self.line -= 1;
        }
    }

    pub(super) fn peek(&mut self) -> Lexed<char> {
        let rune = self.next()?;
        self.back();
        Ok(rune)
    }

    pub(super) fn accept(&mut self, wanted: char) -> Lexed<bool> {
        if self.next()? == wanted {
            return Ok(true);
        }
        self.back();
        Ok(false)
    }

    pub(super) fn ignore(&mut self) {
        self.start = self.at;
    }

    fn skip_blanks(&mut self) -> Lexed {
        while is_blank(self.next()?) {}
        self.back();
        self.ignore();
        Ok(())
    }

    pub(super) fn current(&self) -> String {
        String::from_utf8_lossy(&self.text[self.start..self.at]).into_owned()
    }

    pub(super) fn emit(&mut self, kind: Kind) {
        let text = self.current();
        self.items.push(Item {
            kind,
            text,
            line: self.line,
        });
        self.start = self.at;
    }

    // ---- errors

    fn fault_here(&self, message: String) -> Fault {
        Fault {
            message,
            line: self.line,
        }
    }

    /// An error about what was just read; a line that ended with the text is not counted.
    pub(super) fn fault<T>(&self, message: String) -> Lexed<T> {
        let ended = self.at_end && self.at >= 1 && self.text[self.at - 1] == b'\n';
        Err(Fault {
            message,
            line: self.line - usize::from(ended),
        })
    }

    /// An error at the line break that was just read.
    pub(super) fn fault_before<T>(&self, message: String) -> Lexed<T> {
        Err(Fault {
            message,
            line: self.line.saturating_sub(1),
        })
    }

    // ---- structure

    fn top(&mut self) -> Lexed {
        loop {
            match self.next()? {
                rune if is_blank(rune) || is_newline(rune) => self.ignore(),
                '#' => self.comment()?,
                '[' => {
                    self.table()?;
                    if self.end_of_line()? {
                        return Ok(());
                    }
                }
                END => {
                    self.emit(Kind::End);
                    return Ok(());
                }
                _ => {
                    self.back();
                    self.key()?;
                    self.value()?;
                    if self.end_of_line()? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// What may follow a table header or a value; true at the end of the text.
    fn end_of_line(&mut self) -> Lexed<bool> {
        loop {
            match self.next()? {
                '#' => {
                    self.comment()?;
                    return Ok(false);
                }
                rune if is_blank(rune) => {}
                rune if is_newline(rune) => {
                    self.ignore();
                    return Ok(false);
                }
                END => {
                    self.emit(Kind::End);
                    return Ok(true);
                }
                rune => {
                    return self.fault(format!(
                        "expected a top-level item to end with a newline, comment, or EOF, but got {} instead",
                        quoted(rune)
                    ));
                }
            }
        }
    }

    fn comment(&mut self) -> Lexed {
        self.ignore();
        self.emit(Kind::CommentStart);
        loop {
            let rune = self.next()?;
            if is_newline(rune) || rune == END {
                break;
            }
        }
        self.back();
        self.emit(Kind::Text);
        Ok(())
    }

    fn table(&mut self) -> Lexed {
        if self.peek()? != '[' {
            self.emit(Kind::TableStart);
            self.table_name()?;
            self.emit(Kind::TableEnd);
            return Ok(());
        }
        self.next()?;
        self.emit(Kind::ArrayTableStart);
        self.table_name()?;
        let rune = self.next()?;
        if rune != ']' {
            return self.fault(format!(
                "expected end of table array name delimiter ']', but got {} instead",
                quoted(rune)
            ));
        }
        self.emit(Kind::ArrayTableEnd);
        Ok(())
    }

    fn table_name(&mut self) -> Lexed {
        loop {
            self.skip_blanks()?;
            match self.peek()? {
                ']' | END => {
                    return self
                        .fault("unexpected end of table name (table names cannot be empty)".to_owned());
                }
                '.' => {
                    return self.fault("unexpected table separator (table names cannot be empty)".to_owned());
                }
                '"' | '\'' => self.quoted_name()?,
                _ => self.bare_name()?,
            }
            self.skip_blanks()?;
            match self.next()? {
                '.' => self.ignore(),
                ']' => return Ok(()),
                rune => {
                    return self.fault(format!(
                        "expected '.' or ']' to end table name, but got {} instead",
                        quoted(rune)
                    ));
                }
            }
        }
    }

    fn bare_name(&mut self) -> Lexed {
        while is_bare(self.next()?) {}
        self.back();
        self.emit(Kind::Text);
        Ok(())
    }

    fn quoted_name(&mut self) -> Lexed {
        self.ignore();
        let mark = self.next()?;
        self.ignore();
        if mark == '"' {
            self.string()
        } else {
            self.raw_string()
        }
    }

    /// A key up to and with its `=`.
    fn key(&mut self) -> Lexed {
        self.skip_blanks()?;
        match self.peek()? {
            '=' | END => return self.fault("unexpected '=': key name appears blank".to_owned()),
            '.' => return self.fault("unexpected '.': keys cannot start with a '.'".to_owned()),
            _ => self.emit(Kind::KeyStart),
        }
        loop {
            self.skip_blanks()?;
            match self.peek()? {
                '=' | END => return self.fault("unexpected '='".to_owned()),
                '.' => return self.fault("unexpected '.'".to_owned()),
                '"' | '\'' => self.quoted_name()?,
                _ => self.bare_name()?,
            }
            self.skip_blanks()?;
            match self.next()? {
                '.' => self.ignore(),
                '=' => {
                    self.emit(Kind::KeyEnd);
                    return Ok(());
                }
                END => return self.fault("unexpected EOF; expected key separator '='".to_owned()),
                rune => {
                    let message = format!("expected '.' or '=', but got {} instead", quoted(rune));
                    return if rune == '\n' {
                        self.fault_before(message)
                    } else {
                        self.fault(message)
                    };
                }
            }
        }
    }

    fn value(&mut self) -> Lexed {
        self.skip_blanks()?;
        let rune = self.next()?;
        match rune {
            '0'..='9' => {
                self.back();
                return self.number_or_date();
            }
            '[' => return self.nested(Self::array),
            '{' => return self.nested(Self::inline_table),
            '"' | '\'' => return self.any_string(rune),
            '.' => return self.fault("floats must start with a digit, not '.'".to_owned()),
            'i' | 'n' => {
                let infinite = self.accept('n')? && self.accept('f')?;
                if infinite || self.accept('a')? && self.accept('n')? {
                    self.emit(Kind::Float);
                    return Ok(());
                }
            }
            '-' | '+' => return self.signed_number(),
            _ => {}
        }
        if rune::is_letter(rune) {
            self.back();
            return self.bool();
        }
        match rune {
            END => self.fault("unexpected EOF; expected value".to_owned()),
            '\n' => self.fault_before(format!("expected value but found {} instead", quoted(rune))),
            _ => self.fault(format!("expected value but found {} instead", quoted(rune))),
        }
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Lexed) -> Lexed {
        self.level += 1;
        if self.level > MOST_LEVELS {
            return self.fault(TOO_DEEP.to_owned());
        }
        self.ignore();
        inner(self)?;
        self.level -= 1;
        Ok(())
    }

    fn array(&mut self) -> Lexed {
        self.emit(Kind::Array);
        loop {
            match self.next()? {
                rune if is_blank(rune) || is_newline(rune) => self.ignore(),
                '#' => self.comment()?,
                ',' => return self.fault("unexpected comma".to_owned()),
                ']' => break,
                _ => {
                    self.back();
                    self.value()?;
                    if self.array_value_end()? {
                        break;
                    }
                }
            }
        }
        self.ignore();
        self.emit(Kind::ArrayEnd);
        Ok(())
    }

    /// Up to the comma or the bracket behind a value; true at the bracket.
    fn array_value_end(&mut self) -> Lexed<bool> {
        loop {
            match self.next()? {
                rune if is_blank(rune) || is_newline(rune) => self.ignore(),
                '#' => self.comment()?,
                ',' => {
                    self.ignore();
                    return Ok(false);
                }
                ']' => return Ok(true),
                rune => {
                    return self.fault(format!(
                        "expected a comma (',') or array terminator (']'), but got {}",
                        rune_or_end(rune)
                    ));
                }
            }
        }
    }

    fn inline_table(&mut self) -> Lexed {
        self.emit(Kind::InlineTableStart);
        loop {
            match self.next()? {
                rune if is_blank(rune) => self.ignore(),
                rune if is_newline(rune) => self.inline_break()?,
                '#' => self.comment()?,
                ',' => return self.fault("unexpected comma".to_owned()),
                '}' => break,
                _ => {
                    self.back();
                    self.key()?;
                    self.value()?;
                    if self.inline_value_end()? {
                        break;
                    }
                }
            }
        }
        self.ignore();
        self.emit(Kind::InlineTableEnd);
        Ok(())
    }

    fn inline_break(&mut self) -> Lexed {
        if self.newer {
            self.ignore();
            return Ok(());
        }
        self.fault_before("newlines not allowed within inline tables".to_owned())
    }

    fn inline_value_end(&mut self) -> Lexed<bool> {
        loop {
            match self.next()? {
                rune if is_blank(rune) => self.ignore(),
                rune if is_newline(rune) => self.inline_break()?,
                '#' => self.comment()?,
                ',' => {
                    self.ignore();
                    self.skip_blanks()?;
                    if self.peek()? != '}' {
                        return Ok(false);
                    }
                    if !self.newer {
                        return self.fault("trailing comma not allowed in inline tables".to_owned());
                    }
                }
                '}' => return Ok(true),
                rune => {
                    return self.fault(format!(
                        "expected a comma or an inline table terminator '}}', but got {} instead",
                        rune_or_end(rune)
                    ));
                }
            }
        }
    }
}
