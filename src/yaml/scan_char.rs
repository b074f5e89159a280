//! Single characters: looking, passing, counting columns (the macros of libyaml's yaml_private.h).

use super::error::YamlError;
use super::scan::Scanner;
use super::token::{LINE_STOP, Pos, count_chars, in_class};

type Scanned<T> = Result<T, YamlError>;

impl<'a> Scanner<'a> {
    /// The byte `ahead` of the position; 0 behind the end.
    #[inline]
    pub(super) fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    /// Fails when fewer than `count` characters are left and what follows was refused by the reader.
    #[inline]
    pub(super) fn need(&self, count: u32) -> Scanned<()> {
        match self.refused {
            None => Ok(()),
            Some(problem) => {
                let rest = &self.bytes[self.pos..];
                if rest.len() < count as usize * 4 && count_chars(rest) < count {
                    Err(super::reader::refusal(problem))
                } else {
                    Ok(())
                }
            }
        }
    }

    #[inline]
    pub(super) fn mark(&self) -> Pos {
        Pos {
            offset: u32::try_from(self.pos).unwrap_or(u32::MAX),
            line: self.line,
            column: self.column,
        }
    }

    /// Passes one character.
    #[inline]
    pub(super) fn skip(&mut self) {
        self.column += 1;
        self.pos += match self.byte(0) {
            0x00..=0x7F => usize::from(self.pos < self.bytes.len()),
            0x80..=0xDF => 2,
            0xE0..=0xEF => 3,
            _ => 4,
        };
    }

    /// Passes the bytes up to `end`, which stand on one line.
    #[inline]
    pub(super) fn skip_to(&mut self, end: usize) {
        self.column += count_chars(&self.bytes[self.pos..end]);
        self.pos = end;
    }

    /// Bytes of the line break `ahead`, 0 when there is none; CR LF counts as CR.
    #[inline]
    pub(super) fn break_width(&self, ahead: usize) -> usize {
        match self.byte(ahead) {
            b'\n' | b'\r' => 1,
            0xC2 if self.byte(ahead + 1) == 0x85 => 2,
            0xE2 if self.byte(ahead + 1) == 0x80 && matches!(self.byte(ahead + 2), 0xA8 | 0xA9) => 3,
            _ => 0,
        }
    }

    #[inline]
    pub(super) fn is_break(&self) -> bool {
        self.break_width(0) > 0
    }

    #[inline]
    pub(super) fn is_blank(&self) -> bool {
        matches!(self.byte(0), b' ' | b'\t')
    }

    /// Blank, break or end.
    #[inline]
    pub(super) fn is_blankz(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), b' ' | b'\t' | 0) || self.break_width(ahead) > 0
    }

    /// Passes a line break and tells how it reads: LS and PS stay, all others are a line feed.
    pub(super) fn read_break(&mut self) -> &'a str {
        let start = self.pos;
        let width = self.break_width(0);
        let read = match (self.byte(0), self.byte(1)) {
            (b'\r', b'\n') => {
                self.pos += 2;
                "\n"
            }
            _ if width == 3 => {
                self.pos += 3;
                &self.text[start..self.pos]
            }
            _ => {
                self.pos += width;
                "\n"
            }
        };
        if width > 0 {
            self.column = 0;
            self.line += 1;
        }
        read
    }

    /// Where the line ends, from `from` on.
    pub(super) fn line_end(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            while at < self.bytes.len() && !in_class(self.bytes[at], LINE_STOP) {
                at += 1;
            }
            if at >= self.bytes.len() || self.break_width(at - self.pos) > 0 {
                return at;
            }
            at += 1;
        }
    }

    /// Passes the comment at the position, if there is one.
    pub(super) fn skip_comment(&mut self) -> Scanned<()> {
        if self.byte(0) == b'#' {
            self.skip_to(self.line_end(self.pos));
            self.need(1)?;
        }
        Ok(())
    }

    /// True at `---` or `...` in the first column.
    pub(super) fn at_document_indicator(&self) -> bool {
        self.column == 0
            && (self.bytes[self.pos..].starts_with(b"---") || self.bytes[self.pos..].starts_with(b"..."))
            && self.is_blankz(3)
    }

    /// A scanner error at the position; go-yaml prints its line unless it is the first.
    pub(super) fn fail<T>(&self, problem: &str) -> Scanned<T> {
        let line = if self.line == 0 { 0 } else { self.line + 1 };
        Err(YamlError::at_line(problem, line, self.mark().mark(self.lead)))
    }
}
