//! Text to tokens (`text/template/parse/lex.go`).
//!
//! Tokens carry positions only; lines are counted where a message needs them.

use crate::value::quote::quote_str;
use crate::value::rune;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Error,
    Bool,
    /// A printable ASCII character that means nothing by itself, such as a comma.
    Char,
    CharConstant,
    Complex,
    Assign,
    Declare,
    Eof,
    Field,
    Identifier,
    LeftDelim,
    LeftParen,
    Number,
    Pipe,
    RawString,
    RightDelim,
    RightParen,
    Space,
    Str,
    Text,
    Variable,
    // Keywords; messages show them in angle brackets.
    Block,
    Break,
    Continue,
    Define,
    Dot,
    Else,
    End,
    If,
    Nil,
    Range,
    Template,
    With,
}

impl Kind {
    fn is_keyword(self) -> bool {
        matches!(
            self,
            Kind::Block
                | Kind::Break
                | Kind::Continue
                | Kind::Define
                | Kind::Dot
                | Kind::Else
                | Kind::End
                | Kind::If
                | Kind::Nil
                | Kind::Range
                | Kind::Template
                | Kind::With
        )
    }

    fn keyword(word: &[u8]) -> Option<Kind> {
        Some(match word {
            b"block" => Kind::Block,
            b"break" => Kind::Break,
            b"continue" => Kind::Continue,
            b"define" => Kind::Define,
            b"else" => Kind::Else,
            b"end" => Kind::End,
            b"if" => Kind::If,
            b"nil" => Kind::Nil,
            b"range" => Kind::Range,
            b"template" => Kind::Template,
            b"with" => Kind::With,
            b"true" | b"false" => Kind::Bool,
            _ => return None,
        })
    }
}

/// A token: a range of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// Splits a source into tokens, one at a time.
pub(super) struct Lexer<'a> {
    source: &'a [u8],
    start: usize,
    at: usize,
    parens: usize,
    inside: bool,
    error: String,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn has_left_trim(rest: &[u8]) -> bool {
    matches!(rest, [b'-', space, ..] if is_space(*space))
}

fn has_right_trim(rest: &[u8]) -> bool {
    matches!(rest, [space, b'-', ..] if is_space(*space))
}

fn is_alphanumeric(decoded: Option<char>) -> bool {
    decoded.is_some_and(|c| c == '_' || rune::is_letter(c) || rune::is_digit(c))
}

impl<'a> Lexer<'a> {
    pub fn new(source: &'a [u8]) -> Lexer<'a> {
        Lexer {
            source,
            start: 0,
            at: 0,
            parens: 0,
            inside: false,
            error: String::new(),
        }
    }

    /// The text of a token.
    pub fn text(&self, token: Token) -> &'a [u8] {
        &self.source[token.start..token.end]
    }

    /// A token as messages show it (`item.String`).
    pub fn describe(&self, token: Token) -> String {
        let text = self.text(token);
        match token.kind {
            Kind::Eof => "EOF".to_owned(),
            Kind::Error => self.error.clone(),
            kind if kind.is_keyword() => format!("<{}>", String::from_utf8_lossy(text)),
            _ if text.len() > 10 => {
                let mut end = 0;
                for _ in 0..10 {
                    end += rune::decode(&text[end..]).1;
                }
                format!("{}...", quote_str(&text[..end]))
            }
            _ => quote_str(text),
        }
    }

    /// The message of the error token.
    pub fn error(&self) -> &str {
        &self.error
    }

    /// The next token.
    pub fn next(&mut self) -> Token {
        if self.inside {
            self.inside_action()
        } else {
            self.outside()
        }
    }

    fn rest(&self) -> &'a [u8] {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    fn emit(&mut self, kind: Kind) -> Token {
        let token = Token {
            kind,
            start: self.start,
            end: self.at,
        };
        self.start = self.at;
        token
    }

    fn fail(&mut self, message: impl Into<String>) -> Token {
        self.error = message.into();
        let token = Token {
            kind: Kind::Error,
            start: self.start,
            end: self.start,
        };
        self.at = self.source.len();
        self.start = self.at;
        self.inside = false;
        token
    }

    /// Text up to the next action, or the action's delimiter; comments vanish.
    fn outside(&mut self) -> Token {
        loop {
            let Some(open) = memchr::memmem::find(self.rest(), b"{{") else {
                self.at = self.source.len();
                let kind = if self.at > self.start {
                    Kind::Text
                } else {
                    Kind::Eof
                };
                return self.emit(kind);
            };
            if open > 0 {
                let delim = self.at + open;
                self.at = delim;
                if has_left_trim(&self.source[delim + 2..]) {
                    while self.at > self.start && is_space(self.source[self.at - 1]) {
                        self.at -= 1;
                    }
                }
                let text = self.emit(Kind::Text);
                self.at = delim;
                self.start = delim;
                if text.end > text.start {
                    return text;
                }
            }
            let marker = if has_left_trim(&self.source[self.at + 2..]) {
                2
            } else {
                0
            };
            if !self.source[self.at + 2 + marker..].starts_with(b"/*") {
                self.at += 2;
                let token = self.emit(Kind::LeftDelim);
                self.inside = true;
                self.at += marker;
                self.start = self.at;
                self.parens = 0;
                return token;
            }
            self.at += 2 + marker;
            self.start = self.at;
            if let Some(error) = self.comment() {
                return error;
            }
        }
    }

    fn comment(&mut self) -> Option<Token> {
        self.at += 2;
        let Some(close) = memchr::memmem::find(self.rest(), b"*/") else {
            return Some(self.fail("unclosed comment"));
        };
        self.at += close + 2;
        let Some(trim) = self.right_delim() else {
            return Some(self.fail("comment ends before closing delimiter"));
        };
        self.at += if trim { 4 } else { 2 };
        if trim {
            self.skip_spaces();
        }
        self.start = self.at;
        None
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    /// At a closing delimiter? `Some(true)` when it trims.
    fn right_delim(&self) -> Option<bool> {
        let rest = self.rest();
        if has_right_trim(rest) && rest[2..].starts_with(b"}}") {
            Some(true)
        } else {
            rest.starts_with(b"}}").then_some(false)
        }
    }

    fn close(&mut self, trim: bool) -> Token {
        if trim {
            self.at += 2;
            self.start = self.at;
        }
        self.at += 2;
        let token = self.emit(Kind::RightDelim);
        if trim {
            self.skip_spaces();
            self.start = self.at;
        }
        self.inside = false;
        token
    }

    fn inside_action(&mut self) -> Token {
        if let Some(trim) = self.right_delim() {
            if self.parens > 0 {
                return self.fail("unclosed left paren");
            }
            return self.close(trim);
        }
        let Some(byte) = self.peek() else {
            return self.fail("unclosed action");
        };
        if is_space(byte) {
            return self.space();
        }
        match byte {
            b'=' | b'|' | b'(' => {
                self.at += 1;
                self.parens += usize::from(byte == b'(');
                self.emit(match byte {
                    b'=' => Kind::Assign,
                    b'|' => Kind::Pipe,
                    _ => Kind::LeftParen,
                })
            }
            b':' if self.rest().get(1) == Some(&b'=') => {
                self.at += 2;
                self.emit(Kind::Declare)
            }
            b':' => self.fail("expected :="),
            b'"' => self.quoted(b'"', Kind::Str, "unterminated quoted string"),
            b'\'' => self.quoted(b'\'', Kind::CharConstant, "unterminated character constant"),
            b'`' => self.raw(),
            b'$' => self.field_or_variable(Kind::Variable),
            b'.' if self.rest().get(1).is_some_and(|next| !next.is_ascii_digit()) => {
                self.field_or_variable(Kind::Field)
            }
            b'.' | b'+' | b'-' | b'0'..=b'9' => self.number(),
            b')' => {
                self.at += 1;
                if self.parens == 0 {
                    return self.fail("unexpected right paren");
                }
                self.parens -= 1;
                self.emit(Kind::RightParen)
            }
            _ => self.word_or_char(),
        }
    }

    fn word_or_char(&mut self) -> Token {
        let (decoded, width) = rune::decode(self.rest());
        if is_alphanumeric(decoded) {
            return self.identifier();
        }
        match decoded {
            Some(' '..='~') => {
                self.at += width;
                self.emit(Kind::Char)
            }
            _ => self.fail(format!(
                "unrecognized character in action: {}",
                describe_rune(decoded)
            )),
        }
    }

    fn space(&mut self) -> Token {
        let mut count = 0;
        while self.peek().is_some_and(is_space) {
            self.at += 1;
            count += 1;
        }
        // The last space may belong to a closing delimiter that trims.
        let last = &self.source[self.at - 1..];
        if has_right_trim(last) && last[2..].starts_with(b"}}") {
            self.at -= 1;
            if count == 1 {
                return self.close(true);
            }
        }
        self.emit(Kind::Space)
    }

    /// Skips letters, digits and underscores.
    fn word(&mut self) {
        loop {
            let (decoded, width) = rune::decode(self.rest());
            if !is_alphanumeric(decoded) {
                return;
            }
            self.at += width;
        }
    }

    fn identifier(&mut self) -> Token {
        self.word();
        if !self.at_terminator() {
            return self.bad_character();
        }
        let word = &self.source[self.start..self.at];
        self.emit(Kind::keyword(word).unwrap_or(Kind::Identifier))
    }

    fn field_or_variable(&mut self, kind: Kind) -> Token {
        self.at += 1;
        if self.at_terminator() {
            let bare = if kind == Kind::Variable { kind } else { Kind::Dot };
            return self.emit(bare);
        }
        self.word();
        if !self.at_terminator() {
            return self.bad_character();
        }
        self.emit(kind)
    }

    fn bad_character(&mut self) -> Token {
        let (decoded, _) = rune::decode(self.rest());
        self.fail(format!("bad character {}", describe_rune(decoded)))
    }

    /// May a word end here? Catches `$x+2` and the like.
    fn at_terminator(&self) -> bool {
        match self.peek() {
            None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'.' | b',' | b'|' | b':' | b')' | b'(') => true,
            Some(b'}') => self.rest().starts_with(b"}}"),
            Some(_) => false,
        }
    }

    fn quoted(&mut self, mark: u8, kind: Kind, error: &str) -> Token {
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'\\') if !matches!(self.rest().get(1), None | Some(b'\n')) => self.at += 2,
                None | Some(b'\\' | b'\n') => return self.fail(error),
                Some(byte) => {
                    self.at += 1;
                    if byte == mark {
                        return self.emit(kind);
                    }
                }
            }
        }
    }

    fn raw(&mut self) -> Token {
        match memchr::memchr(b'`', &self.rest()[1..]) {
            None => self.fail("unterminated raw quoted string"),
            Some(close) => {
                self.at += close + 2;
                self.emit(Kind::RawString)
            }
        }
    }

    fn number(&mut self) -> Token {
        if !self.scan_number() {
            return self.bad_number();
        }
        if !matches!(self.peek(), Some(b'+' | b'-')) {
            return self.emit(Kind::Number);
        }
        // A complex constant such as 1+2i: no spaces, and it must end in i.
        if !self.scan_number() || self.source[self.at - 1] != b'i' {
            return self.bad_number();
        }
        self.emit(Kind::Complex)
    }

    fn bad_number(&mut self) -> Token {
        let text = quote_str(&self.source[self.start..self.at]);
        self.fail(format!("bad number syntax: {text}"))
    }

    fn accept(&mut self, valid: &[u8]) -> bool {
        let found = self.peek().is_some_and(|byte| valid.contains(&byte));
        self.at += usize::from(found);
        found
    }

    fn accept_run(&mut self, valid: &[u8]) {
        while self.accept(valid) {}
    }

    /// Not a perfect scanner, as Go's: what it lets through wrongly, reading the number refuses.
    fn scan_number(&mut self) -> bool {
        let mut digits: &[u8] = b"0123456789_";
        self.accept(b"+-");
        if self.accept(b"0") {
            if self.accept(b"xX") {
                digits = b"0123456789abcdefABCDEF_";
            } else if self.accept(b"oO") {
                digits = b"01234567_";
            } else if self.accept(b"bB") {
                digits = b"01_";
            }
        }
        self.accept_run(digits);
        if self.accept(b".") {
            self.accept_run(digits);
        }
        let exponent: &[u8] = match digits.len() {
            11 => b"eE",
            23 => b"pP",
            _ => b"",
        };
        if self.accept(exponent) {
            self.accept(b"+-");
            self.accept_run(b"0123456789_");
        }
        self.accept(b"i");
        let (decoded, width) = rune::decode(self.rest());
        if is_alphanumeric(decoded) {
            self.at += width;
            return false;
        }
        true
    }
}

/// A rune as `%#U` prints it.
fn describe_rune(decoded: Option<char>) -> String {
    let c = decoded.unwrap_or(char::REPLACEMENT_CHARACTER);
    if rune::is_print(c) {
        format!("U+{:04X} '{c}'", u32::from(c))
    } else {
        format!("U+{:04X}", u32::from(c))
    }
}
