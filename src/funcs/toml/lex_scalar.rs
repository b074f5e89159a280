//! The scalars of TOML's lexer: strings, numbers, dates, booleans.

use super::lex::{END, Kind, Lexed, Lexer, is_newline, quoted};
use crate::value::quote::quote_str;
use crate::value::rune;

impl Lexer<'_> {
    /// A string whose first mark was read.
    pub(super) fn any_string(&mut self, mark: char) -> Lexed {
        if self.accept(mark)? {
            if self.accept(mark)? {
                self.ignore();
                return self.multiline(mark);
            }
            self.back();
        }
        self.ignore();
        if mark == '"' {
            self.string()
        } else {
            self.raw_string()
        }
    }

    /// Ends a string before its closing marks and drops those.
    fn close(&mut self, kind: Kind, marks: usize) -> Lexed {
        for _ in 0..marks {
            self.back();
        }
        self.emit(kind);
        for _ in 0..marks {
            self.next()?;
        }
        self.ignore();
        Ok(())
    }

    pub(super) fn string(&mut self) -> Lexed {
        loop {
            match self.next()? {
                END => return self.fault("unexpected EOF; expected '\"'".to_owned()),
                rune if is_newline(rune) => {
                    return self.fault_before("strings cannot contain newlines".to_owned());
                }
                '\\' => self.escape()?,
                '"' => {
                    let escaped = std::mem::take(&mut self.escaped);
                    return self.close(
                        if escaped {
                            Kind::EscapedString
                        } else {
                            Kind::String
                        },
                        1,
                    );
                }
                _ => {}
            }
        }
    }

    pub(super) fn raw_string(&mut self) -> Lexed {
        loop {
            match self.next()? {
                END => return self.fault("unexpected EOF; expected \"'\"".to_owned()),
                rune if is_newline(rune) => {
                    return self.fault_before("strings cannot contain newlines".to_owned());
                }
                '\'' => return self.close(Kind::RawString, 1),
                _ => {}
            }
        }
    }

    /// A string in three marks. One or two marks before the closing three belong to it.
    fn multiline(&mut self, mark: char) -> Lexed {
        let raw = mark == '\'';
        let (kind, quote) = if raw {
            (Kind::RawMultilineString, '"')
        } else {
            (Kind::MultilineString, '\'')
        };
        loop {
            match self.next()? {
                END => {
                    let message = format!("unexpected EOF; expected {quote}{mark}{mark}{mark}{quote}");
                    return self.fault(message);
                }
                '\\' if !raw => self.escape_or_break()?,
                rune if rune == mark && self.accept(mark)? => {
                    if !self.accept(mark)? {
                        self.back();
                        continue;
                    }
                    if self.peek()? != mark {
                        self.escaped = false;
                        return self.close(kind, 3);
                    }
                    let current = self.current();
                    let five = mark.to_string().repeat(5);
                    if current.ends_with(&five) && (raw || !current.ends_with(&format!("\\{five}"))) {
                        return self.fault(format!("unexpected {quote}{five}{mark}{quote}"));
                    }
                    self.back();
                    self.back();
                }
                _ => {}
            }
        }
    }

    /// Behind a backslash in a multi-line string: a line break may be escaped.
    fn escape_or_break(&mut self) -> Lexed {
        if is_newline(self.next()?) {
            return Ok(());
        }
        self.back();
        self.escape()
    }

    fn escape(&mut self) -> Lexed {
        self.escaped = true;
        let (digits, words) = match self.next()? {
            'b' | 't' | 'n' | 'f' | 'r' | '"' | ' ' | '\t' | '\\' => return Ok(()),
            'e' if self.newer => return Ok(()),
            'x' if self.newer => (2, "two hexadecimal digits after '\\x'"),
            'u' => (4, "four hexadecimal digits after '\\u'"),
            'U' => (8, "eight hexadecimal digits after '\\U'"),
            rune => {
                let message = format!("invalid escape in string '\\{rune}'");
                return if self.at_end {
                    self.fault_before(message)
                } else {
                    self.fault(message)
                };
            }
        };
        for _ in 0..digits {
            if !self.next()?.is_ascii_hexdigit() {
                let current = quote_str(self.current().as_bytes());
                return self.fault(format!("expected {words}, but got {current} instead"));
            }
        }
        Ok(())
    }

    // ---- numbers, dates, booleans

    /// Takes what belongs and emits it.
    fn run(&mut self, kind: Kind, belongs: impl Fn(char) -> bool) -> Lexed {
        while belongs(self.next()?) {}
        self.back();
        self.emit(kind);
        Ok(())
    }

    pub(super) fn number_or_date(&mut self) -> Lexed {
        if self.next()? == '0' {
            let rune = self.next()?;
            let (name, belongs): (&str, fn(char) -> bool) = match rune {
                '0'..='9' => return self.digits(),
                '_' => return self.decimal(),
                '.' | 'e' | 'E' => return self.float(),
                'b' => ("a binary", |rune| rune == '0' || rune == '1'),
                'o' => ("an octal", |rune| rune.is_digit(8)),
                'x' => ("a hexadecimal", |rune| rune.is_ascii_hexdigit()),
                _ => {
                    self.back();
                    self.emit(Kind::Integer);
                    return Ok(());
                }
            };
            let first = self.peek()?;
            if !belongs(first) {
                return self.fault(format!("not {name} number: '{}{first}'", self.current()));
            }
            return self.run(Kind::Integer, |rune| belongs(rune) || rune == '_');
        }
        self.digits()
    }

    fn digits(&mut self) -> Lexed {
        loop {
            match self.next()? {
                '0'..='9' => {}
                '-' | ':' => return self.datetime(),
                '_' => return self.decimal(),
                '.' | 'e' | 'E' => return self.float(),
                _ => break,
            }
        }
        self.back();
        self.emit(Kind::Integer);
        Ok(())
    }

    fn datetime(&mut self) -> Lexed {
        let belongs = |rune: char| {
            rune.is_ascii_digit() || matches!(rune, '-' | ':' | 'T' | 't' | ' ' | '.' | 'Z' | 'z' | '+')
        };
        self.run(Kind::Datetime, belongs)?;
        if let Some(item) = self.items.last_mut() {
            item.text = item.text.trim().to_owned();
        }
        Ok(())
    }

    fn decimal(&mut self) -> Lexed {
        loop {
            match self.next()? {
                '0'..='9' | '_' => {}
                '.' | 'e' | 'E' => return self.float(),
                _ => break,
            }
        }
        self.back();
        self.emit(Kind::Integer);
        Ok(())
    }

    fn float(&mut self) -> Lexed {
        self.run(Kind::Float, |rune| {
            rune.is_ascii_digit() || matches!(rune, '_' | '.' | '-' | '+' | 'e' | 'E')
        })
    }

    /// A number whose sign was read.
    pub(super) fn signed_number(&mut self) -> Lexed {
        let rune = self.next()?;
        match rune {
            'i' | 'n' => {
                let (second, third) = if rune == 'i' { ('n', 'f') } else { ('a', 'n') };
                if !self.accept(second)? || !self.accept(third)? {
                    return self.fault(format!("invalid float: '{}'", self.current()));
                }
                self.emit(Kind::Float);
                return Ok(());
            }
            '0' => {
                let prefix = self.peek()?;
                if matches!(prefix, 'b' | 'o' | 'x') {
                    return self.fault(format!(
                        "cannot use sign with non-decimal numbers: '{}{prefix}'",
                        self.current()
                    ));
                }
            }
            '.' => return self.fault("floats must start with a digit, not '.'".to_owned()),
            _ => {}
        }
        if rune.is_ascii_digit() {
            return self.decimal();
        }
        self.fault(format!("expected a digit but got {}", quoted(rune)))
    }

    pub(super) fn bool(&mut self) -> Lexed {
        let mut word = String::new();
        loop {
            let rune = self.next()?;
            if rune == END || !rune::is_letter(rune) {
                break;
            }
            word.push(rune);
        }
        self.back();
        if word == "true" || word == "false" {
            self.emit(Kind::Bool);
            return Ok(());
        }
        let word = quote_str(word.as_bytes());
        self.fault(format!("expected value but found {word} instead"))
    }
}
