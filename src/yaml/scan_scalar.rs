//! Scalars: plain, quoted and block (the large tokens of scannerc.go).
//!
//! A scalar that stands in the text as it reads is borrowed; only folded, escaped and indented ones are
//! copied.

use std::borrow::Cow;

use super::error::YamlError;
use super::scan::Scanner;
use super::token::{PLAIN_STOP, Payload, Pos, QUOTED_STOP, Tok, Token, in_class};

type Scanned<T> = Result<T, YamlError>;

/// What was seen between two pieces of a folded scalar.
#[derive(Default)]
struct Gap {
    /// A break (or an escaped one) was seen, so blanks do not count.
    broken: bool,
    first: String,
    more: String,
}

impl Gap {
    /// Writes what the breaks read as and forgets them.
    fn fold_into(&mut self, value: &mut String) {
        if self.first.starts_with('\n') {
            if self.more.is_empty() {
                value.push(' ');
            } else {
                value.push_str(&self.more);
            }
        } else {
            value.push_str(&self.first);
            value.push_str(&self.more);
        }
        self.first.clear();
        self.more.clear();
        self.broken = false;
    }

    fn add(&mut self, line_break: &str) {
        if self.broken {
            self.more.push_str(line_break);
        } else {
            self.first.push_str(line_break);
            self.broken = true;
        }
    }
}

impl<'a> Scanner<'a> {
    fn scalar(&self, start: Pos, end: Pos, value: Cow<'a, str>, plain: bool) -> Token<'a> {
        Token {
            tok: Tok::Scalar { plain },
            start,
            end,
            payload: Payload::Text(value),
        }
    }

    // ---- plain

    pub(super) fn scan_plain_scalar(&mut self) -> Scanned<Token<'a>> {
        let start = self.mark();
        let begin = self.pos;
        let mut end = start;
        let mut folded: Option<String> = None;
        let mut gap = Gap::default();
        let mut blanks = self.pos;
        loop {
            self.need(4)?;
            if self.at_document_indicator() || self.byte(0) == b'#' {
                break;
            }
            let run = self.pos;
            let run_end = self.plain_run_end();
            if run_end > run {
                if gap.broken {
                    let value =
                        folded.get_or_insert_with(|| self.text[begin..end.offset as usize].to_owned());
                    gap.fold_into(value);
                } else if let Some(value) = &mut folded {
                    value.push_str(&self.text[blanks..run]);
                }
                if let Some(value) = &mut folded {
                    value.push_str(&self.text[run..run_end]);
                }
                self.skip_to(run_end);
                end = self.mark();
                self.need(2)?;
            }
            if !self.is_blank() && !self.is_break() {
                break;
            }
            self.need(1)?;
            blanks = self.pos;
            self.skip_plain_gap(&mut gap)?;
            if self.flow_level == 0 && i64::from(self.column) < self.indent + 1 {
                break;
            }
        }
        if gap.broken {
            self.key_allowed = true;
        }
        let value = match folded {
            Some(value) => Cow::Owned(value),
            None => Cow::Borrowed(&self.text[begin..end.offset as usize]),
        };
        Ok(self.scalar(start, end, value, true))
    }

    /// Where the run of characters that belong to a plain scalar ends.
    fn plain_run_end(&self) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = self.pos;
        loop {
            while at < bytes.len() && !in_class(bytes[at], PLAIN_STOP) {
                at += 1;
            }
            let ahead = at - self.pos;
            let stop = match self.byte(ahead) {
                0 | b' ' | b'\t' => true,
                b':' => self.is_blankz(ahead + 1),
                b',' | b'?' | b'[' | b']' | b'{' | b'}' => self.flow_level > 0,
                _ => self.break_width(ahead) > 0,
            };
            if stop {
                return at;
            }
            at += 1;
        }
    }

    fn skip_plain_gap(&mut self, gap: &mut Gap) -> Scanned<()> {
        let indent = self.indent + 1;
        loop {
            if self.is_blank() {
                if gap.broken && i64::from(self.column) < indent && self.byte(0) == b'\t' {
                    return self.fail("found a tab character that violates indentation");
                }
                self.skip();
            } else if self.is_break() {
                self.need(2)?;
                let line_break = self.read_break();
                gap.add(line_break);
            } else {
                return Ok(());
            }
            self.need(1)?;
        }
    }

    // ---- quoted

    pub(super) fn scan_flow_scalar(&mut self, single: bool) -> Scanned<Token<'a>> {
        let start = self.mark();
        self.skip();
        let begin = self.pos;
        let quote = if single { b'\'' } else { b'"' };
        let run_end = self.quoted_run_end(quote);
        let borrowed = self.text.as_bytes().get(run_end) == Some(&quote)
            && !(single && self.text.as_bytes().get(run_end + 1) == Some(&quote));
        let value = if borrowed {
            self.skip_to(run_end);
            Cow::Borrowed(&self.text[begin..run_end])
        } else {
            Cow::Owned(self.quoted_value(single, quote)?)
        };
        self.skip();
        let end = self.mark();
        Ok(self.scalar(start, end, value, false))
    }

    /// Where a run that reads as it stands ends: at the quote, an escape, a break or the end.
    fn quoted_run_end(&self, quote: u8) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = self.pos;
        loop {
            while at < bytes.len() && !in_class(bytes[at], QUOTED_STOP) {
                at += 1;
            }
            let ahead = at - self.pos;
            let stop = match self.byte(ahead) {
                0 => true,
                b'\\' => quote == b'"',
                byte @ (b'\'' | b'"') => byte == quote,
                _ => self.break_width(ahead) > 0,
            };
            if stop {
                return at;
            }
            at += 1;
        }
    }

    /// A quoted scalar that has to be built; ends at the closing quote.
    fn quoted_value(&mut self, single: bool, quote: u8) -> Scanned<String> {
        let mut value = String::new();
        let mut gap = Gap::default();
        loop {
            self.need(4)?;
            if self.at_document_indicator() {
                return self.fail("found unexpected document indicator");
            }
            if self.byte(0) == 0 {
                return self.fail("found unexpected end of stream");
            }
            gap.broken = false;
            while !self.is_blankz(0) {
                match self.byte(0) {
                    b'\'' if single && self.byte(1) == b'\'' => {
                        value.push('\'');
                        self.skip_to(self.pos + 2);
                    }
                    byte if byte == quote => break,
                    b'\\' if !single && self.break_width(1) > 0 => {
                        self.need(3)?;
                        self.skip();
                        self.read_break();
                        gap.broken = true;
                        break;
                    }
                    b'\\' if !single => self.read_escape(&mut value)?,
                    _ => {
                        let from = self.pos;
                        self.skip();
                        value.push_str(&self.text[from..self.pos]);
                    }
                }
                self.need(2)?;
            }
            self.need(1)?;
            if self.byte(0) == quote {
                return Ok(value);
            }
            let blanks = self.pos;
            let mut blanks_end = self.pos;
            while self.is_blank() || self.is_break() {
                if self.is_blank() {
                    self.skip();
                    if !gap.broken {
                        blanks_end = self.pos;
                    }
                } else {
                    self.need(2)?;
                    let line_break = self.read_break();
                    gap.add(line_break);
                }
                self.need(1)?;
            }
            if gap.broken {
                gap.fold_into(&mut value);
            } else {
                value.push_str(&self.text[blanks..blanks_end]);
            }
        }
    }

    /// One escape of a double-quoted scalar.
    fn read_escape(&mut self, value: &mut String) -> Scanned<()> {
        let length = match self.byte(1) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            other => {
                let Some(character) = simple_escape(other) else {
                    return self.fail("found unknown escape character");
                };
                value.push(character);
                self.skip();
                self.skip();
                return Ok(());
            }
        };
        self.skip();
        self.skip();
        self.need(length)?;
        let mut code = 0u32;
        for ahead in 0..length as usize {
            let Some(digit) = char::from(self.byte(ahead)).to_digit(16) else {
                return self.fail("did not find expected hexdecimal number");
            };
            code = (code << 4) | digit;
        }
        let Some(character) = char::from_u32(code) else {
            return self.fail("found invalid Unicode character escape code");
        };
        value.push(character);
        self.skip_to(self.pos + length as usize);
        Ok(())
    }

    // ---- block

    pub(super) fn scan_block_scalar(&mut self, literal: bool) -> Scanned<Token<'a>> {
        let start = self.mark();
        self.skip();
        let (chomping, increment) = self.scan_block_header()?;
        let mut end = self.mark();
        let mut indent = match increment {
            0 => 0,
            step if self.indent >= 0 => self.indent + step,
            step => step,
        };
        let mut value = String::new();
        let mut first_break = "";
        let mut breaks = String::new();
        let mut leading_blank = false;
        self.scan_block_breaks(&mut indent, &mut breaks, &mut end)?;
        self.need(1)?;
        while i64::from(self.column) == indent && self.byte(0) != 0 {
            let trailing_blank = self.is_blank();
            if !literal && !leading_blank && !trailing_blank && first_break.starts_with('\n') {
                if breaks.is_empty() {
                    value.push(' ');
                }
            } else {
                value.push_str(first_break);
            }
            value.push_str(&breaks);
            breaks.clear();
            leading_blank = self.is_blank();
            let line = self.pos;
            self.skip_to(self.line_end(self.pos));
            value.push_str(&self.text[line..self.pos]);
            self.need(2)?;
            first_break = if self.is_break() { self.read_break() } else { "" };
            self.scan_block_breaks(&mut indent, &mut breaks, &mut end)?;
        }
        if chomping != Chomping::Strip {
            value.push_str(first_break);
        }
        if chomping == Chomping::Keep {
            value.push_str(&breaks);
        }
        Ok(self.scalar(start, end, Cow::Owned(value), false))
    }

    /// The indicators behind `|` or `>`, up to the first line.
    fn scan_block_header(&mut self) -> Scanned<(Chomping, i64)> {
        self.need(1)?;
        let mut chomping = self.scan_chomping();
        if chomping.is_some() {
            self.need(1)?;
        }
        let mut increment = 0;
        if self.byte(0).is_ascii_digit() {
            if self.byte(0) == b'0' {
                return self.fail("found an indentation indicator equal to 0");
            }
            increment = i64::from(self.byte(0) - b'0');
            self.skip();
            self.need(1)?;
            if chomping.is_none() {
                chomping = self.scan_chomping();
            }
        }
        self.need(1)?;
        while self.is_blank() {
            self.skip();
            self.need(1)?;
        }
        self.skip_comment()?;
        if self.byte(0) != 0 && !self.is_break() {
            return self.fail("did not find expected comment or line break");
        }
        if self.is_break() {
            self.need(2)?;
            self.read_break();
        }
        Ok((chomping.unwrap_or(Chomping::Clip), increment))
    }

    fn scan_chomping(&mut self) -> Option<Chomping> {
        let chomping = match self.byte(0) {
            b'+' => Chomping::Keep,
            b'-' => Chomping::Strip,
            _ => return None,
        };
        self.skip();
        Some(chomping)
    }

    /// Passes empty lines and indentation; finds out the indentation when it is not known yet.
    fn scan_block_breaks(&mut self, indent: &mut i64, breaks: &mut String, end: &mut Pos) -> Scanned<()> {
        *end = self.mark();
        let mut deepest = 0;
        loop {
            self.need(1)?;
            while (*indent == 0 || i64::from(self.column) < *indent) && self.byte(0) == b' ' {
                self.pos += 1;
                self.column += 1;
                self.need(1)?;
            }
            deepest = deepest.max(i64::from(self.column));
            if (*indent == 0 || i64::from(self.column) < *indent) && self.byte(0) == b'\t' {
                return self.fail("found a tab character where an indentation space is expected");
            }
            if !self.is_break() {
                break;
            }
            self.need(2)?;
            breaks.push_str(self.read_break());
            *end = self.mark();
        }
        if *indent == 0 {
            *indent = deepest.max(self.indent + 1).max(1);
        }
        Ok(())
    }
}

/// What becomes of the breaks behind a block scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Clip,
    Strip,
    Keep,
}

/// Escapes of one letter. `\/` is not among them: go-yaml v2 has YAML 1.1's list.
fn simple_escape(letter: u8) -> Option<char> {
    Some(match letter {
        b'0' => '\0',
        b'a' => '\x07',
        b'b' => '\x08',
        b't' | b'\t' => '\t',
        b'n' => '\n',
        b'v' => '\x0B',
        b'f' => '\x0C',
        b'r' => '\r',
        b'e' => '\x1B',
        b' ' => ' ',
        b'"' => '"',
        b'\'' => '\'',
        b'\\' => '\\',
        b'N' => '\u{85}',
        b'_' => '\u{A0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        _ => return None,
    })
}
