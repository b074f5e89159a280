//! Characters to tokens: go-yaml v2's scannerc.go, of the libyaml lineage.
//!
//! The order of checks is that of the original, since it decides which error a broken text gives. Scalars
//! are in `scan_scalar.rs`, directives, tags and anchors in `scan_tag.rs`, single characters in `scan_char.rs`.

use std::collections::VecDeque;

use super::error::YamlError;
use super::token::{Payload, Pos, Tok, Token};

/// go-yaml's limit for nested flow collections and for nested indentation alike.
const MAX_DEPTH: usize = 10_000;
/// How far a key may reach from its start to its colon.
const MAX_KEY: u32 = 1024;

/// A place where a key without `?` may have begun.
#[derive(Clone, Copy, Default)]
struct SimpleKey {
    possible: bool,
    required: bool,
    /// The scanner waits for its colon before it hands out the token. go-yaml forgets to wait for `[]` and
    /// `{}`: closing an empty collection strikes its opening token off the list.
    listed: bool,
    token: usize,
    mark: Pos,
}

/// Cuts a text into tokens, as far as they are asked for.
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) refused: Option<&'static str>,
    pub(super) lead: u32,
    pub(super) pos: usize,
    pub(super) line: u32,
    pub(super) column: u32,
    tokens: VecDeque<Token<'a>>,
    /// Tokens handed out so far.
    parsed: usize,
    available: bool,
    started: bool,
    pub(super) indent: i64,
    indents: Vec<i64>,
    keys: Vec<SimpleKey>,
    pub(super) key_allowed: bool,
    pub(super) flow_level: usize,
}

type Scanned<T> = Result<T, YamlError>;

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str, refused: Option<&'static str>, lead: u32) -> Scanner<'a> {
        Scanner {
            text,
            bytes: text.as_bytes(),
            refused,
            lead,
            pos: 0,
            line: 0,
            column: 0,
            tokens: VecDeque::new(),
            parsed: 0,
            available: false,
            started: false,
            indent: -1,
            indents: Vec::new(),
            keys: Vec::new(),
            key_allowed: true,
            flow_level: 0,
        }
    }

    /// The next token, left in place.
    pub fn peek(&mut self) -> Scanned<(Tok, Pos, Pos)> {
        if !self.available {
            self.fetch_more()?;
        }
        let token = &self.tokens[0];
        Ok((token.tok, token.start, token.end))
    }

    /// Takes the token that was peeked at.
    pub fn take(&mut self) -> Token<'a> {
        self.available = false;
        self.parsed += 1;
        self.tokens
            .pop_front()
            .expect("invariant: a token is taken only after a peek")
    }

    /// What stood in front of the text.
    pub fn lead(&self) -> u32 {
        self.lead
    }

    fn push(&mut self, tok: Tok, start: Pos, end: Pos, payload: Payload<'a>) {
        self.tokens.push_back(Token {
            tok,
            start,
            end,
            payload,
        });
    }

    /// Passes `count` characters as a token of their own.
    fn push_indicator(&mut self, tok: Tok, count: usize) {
        let start = self.mark();
        for _ in 0..count {
            self.skip();
        }
        let end = self.mark();
        self.push(tok, start, end, Payload::Nothing);
    }

    /// Fetches until the first token cannot turn out to be a key any more.
    fn fetch_more(&mut self) -> Scanned<()> {
        loop {
            if !self.tokens.is_empty() {
                // Only keys that are still possible are kept apart; the oldest decides.
                let head = self.parsed;
                let Some(index) = self.head_key(head) else { break };
                if !self.key_is_valid(index)? {
                    break;
                }
            }
            self.fetch_next()?;
        }
        self.available = true;
        Ok(())
    }

    /// The possible key that begins with the token of that number.
    fn head_key(&self, token: usize) -> Option<usize> {
        let index = self.keys.partition_point(|key| key.token < token);
        (index..self.keys.len())
            .take_while(|&at| self.keys[at].token == token)
            .find(|&at| self.keys[at].possible && self.keys[at].listed)
    }

    fn fetch_next(&mut self) -> Scanned<()> {
        self.need(1)?;
        if !self.started {
            return self.fetch_stream_start();
        }
        self.scan_to_next_token()?;
        self.unroll_indent(i64::from(self.column));
        self.need(4)?;
        if self.pos >= self.bytes.len() {
            return self.fetch_stream_end();
        }
        let first = self.byte(0);
        if self.column == 0 {
            if first == b'%' {
                return self.fetch_directive();
            }
            if self.at_document_indicator() {
                let tok = if first == b'-' {
                    Tok::DocumentStart
                } else {
                    Tok::DocumentEnd
                };
                return self.fetch_document_indicator(tok);
            }
        }
        let flow = self.flow_level > 0;
        match first {
            b'[' => self.fetch_flow_start(Tok::FlowSequenceStart),
            b'{' => self.fetch_flow_start(Tok::FlowMappingStart),
            b']' => self.fetch_flow_end(Tok::FlowSequenceEnd),
            b'}' => self.fetch_flow_end(Tok::FlowMappingEnd),
            b',' => self.fetch_flow_entry(),
            b'-' if self.is_blankz(1) => self.fetch_block_entry(),
            b'?' if flow || self.is_blankz(1) => self.fetch_key(),
            b':' if flow || self.is_blankz(1) => self.fetch_value(),
            b'*' => self.fetch_anchor(Tok::Alias),
            b'&' => self.fetch_anchor(Tok::Anchor),
            b'!' => self.fetch_tag(),
            b'|' if !flow => self.fetch_block_scalar(true),
            b'>' if !flow => self.fetch_block_scalar(false),
            b'\'' => self.fetch_flow_scalar(true),
            b'"' => self.fetch_flow_scalar(false),
            b'-' => self.fetch_plain_scalar(),
            b'?' | b':' if !flow => self.fetch_plain_scalar(),
            b' ' | b'\t' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' | b'?' | b':' => {
                self.fail("found character that cannot start any token")
            }
            _ => self.fetch_plain_scalar(),
        }
    }

    /// Whether a key may still be one: on one line and not too long. A required one must be.
    fn key_is_valid(&mut self, index: usize) -> Scanned<bool> {
        let key = self.keys[index];
        if !key.possible {
            return Ok(false);
        }
        if key.mark.line < self.line || key.mark.column + MAX_KEY < self.column {
            if key.required {
                return self.fail("could not find expected ':'");
            }
            self.keys[index].possible = false;
            return Ok(false);
        }
        Ok(true)
    }

    fn save_key(&mut self) -> Scanned<()> {
        if !self.key_allowed {
            return Ok(());
        }
        let key = SimpleKey {
            possible: true,
            listed: true,
            required: self.flow_level == 0 && self.indent == i64::from(self.column),
            token: self.parsed + self.tokens.len(),
            mark: self.mark(),
        };
        self.remove_key()?;
        if let Some(last) = self.keys.last_mut() {
            *last = key;
        }
        Ok(())
    }

    fn remove_key(&mut self) -> Scanned<()> {
        let Some(last) = self.keys.last_mut() else {
            return Ok(());
        };
        if last.possible {
            if last.required {
                return self.fail("could not find expected ':'");
            }
            last.possible = false;
        }
        Ok(())
    }

    /// Opens a block collection when the column is deeper than the indentation; `at` is the place of
    /// its token in the queue, the end when absent.
    fn roll_indent(&mut self, column: u32, at: Option<usize>, tok: Tok, mark: Pos) -> Scanned<()> {
        if self.flow_level > 0 || self.indent >= i64::from(column) {
            return Ok(());
        }
        self.indents.push(self.indent);
        self.indent = i64::from(column);
        if self.indents.len() > MAX_DEPTH {
            return self.fail(&format!("exceeded max depth of {MAX_DEPTH}"));
        }
        let token = Token {
            tok,
            start: mark,
            end: mark,
            payload: Payload::Nothing,
        };
        self.insert(at, token);
        Ok(())
    }

    /// Puts a token into the queue, at the end without a place.
    fn insert(&mut self, at: Option<usize>, token: Token<'a>) {
        match at {
            Some(index) => self.tokens.insert(index, token),
            None => self.tokens.push_back(token),
        }
    }

    /// Closes the block collections deeper than the column.
    fn unroll_indent(&mut self, column: i64) {
        if self.flow_level > 0 {
            return;
        }
        while self.indent > column {
            let mark = self.mark();
            self.push(Tok::BlockEnd, mark, mark, Payload::Nothing);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    fn fetch_stream_start(&mut self) -> Scanned<()> {
        self.keys.push(SimpleKey::default());
        self.started = true;
        let mark = self.mark();
        self.push(Tok::StreamStart, mark, mark, Payload::Nothing);
        Ok(())
    }

    fn fetch_stream_end(&mut self) -> Scanned<()> {
        if self.column != 0 {
            self.column = 0;
            self.line += 1;
        }
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        let mark = self.mark();
        self.push(Tok::StreamEnd, mark, mark, Payload::Nothing);
        Ok(())
    }

    fn fetch_directive(&mut self) -> Scanned<()> {
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        let token = self.scan_directive()?;
        self.tokens.push_back(token);
        Ok(())
    }

    fn fetch_document_indicator(&mut self, tok: Tok) -> Scanned<()> {
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        self.push_indicator(tok, 3);
        Ok(())
    }

    fn fetch_flow_start(&mut self, tok: Tok) -> Scanned<()> {
        self.save_key()?;
        self.keys.push(SimpleKey {
            token: self.parsed + self.tokens.len(),
            mark: self.mark(),
            ..SimpleKey::default()
        });
        self.flow_level += 1;
        if self.flow_level > MAX_DEPTH {
            return self.fail(&format!("exceeded max depth of {MAX_DEPTH}"));
        }
        self.key_allowed = true;
        self.push_indicator(tok, 1);
        Ok(())
    }

    fn fetch_flow_end(&mut self, tok: Tok) -> Scanned<()> {
        self.remove_key()?;
        if self.flow_level > 0 {
            self.flow_level -= 1;
            if let (Some(inner), Some(outer)) = (self.keys.pop(), self.keys.last_mut())
                && inner.token == outer.token
            {
                outer.listed = false;
            }
        }
        self.key_allowed = false;
        self.push_indicator(tok, 1);
        Ok(())
    }

    fn fetch_flow_entry(&mut self) -> Scanned<()> {
        self.remove_key()?;
        self.key_allowed = true;
        self.push_indicator(Tok::FlowEntry, 1);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Scanned<()> {
        if self.flow_level == 0 {
            if !self.key_allowed {
                return self.fail("block sequence entries are not allowed in this context");
            }
            self.roll_indent(self.column, None, Tok::BlockSequenceStart, self.mark())?;
        }
        self.remove_key()?;
        self.key_allowed = true;
        self.push_indicator(Tok::BlockEntry, 1);
        Ok(())
    }

    fn fetch_key(&mut self) -> Scanned<()> {
        if self.flow_level == 0 {
            if !self.key_allowed {
                return self.fail("mapping keys are not allowed in this context");
            }
            self.roll_indent(self.column, None, Tok::BlockMappingStart, self.mark())?;
        }
        self.remove_key()?;
        self.key_allowed = self.flow_level == 0;
        self.push_indicator(Tok::Key, 1);
        Ok(())
    }

    fn fetch_value(&mut self) -> Scanned<()> {
        let last = self.keys.len() - 1;
        if self.key_is_valid(last)? {
            let key = self.keys[last];
            let token = Token {
                tok: Tok::Key,
                start: key.mark,
                end: key.mark,
                payload: Payload::Nothing,
            };
            // A token that is gone already has no place in front of it.
            let at = key.token.checked_sub(self.parsed);
            self.insert(at, token);
            self.roll_indent(key.mark.column, at, Tok::BlockMappingStart, key.mark)?;
            self.keys[last].possible = false;
            self.key_allowed = false;
        } else {
            if self.flow_level == 0 {
                if !self.key_allowed {
                    return self.fail("mapping values are not allowed in this context");
                }
                self.roll_indent(self.column, None, Tok::BlockMappingStart, self.mark())?;
            }
            self.key_allowed = self.flow_level == 0;
        }
        self.push_indicator(Tok::Value, 1);
        Ok(())
    }

    fn fetch_anchor(&mut self, tok: Tok) -> Scanned<()> {
        self.save_key()?;
        self.key_allowed = false;
        let token = self.scan_anchor(tok)?;
        self.tokens.push_back(token);
        Ok(())
    }

    fn fetch_tag(&mut self) -> Scanned<()> {
        self.save_key()?;
        self.key_allowed = false;
        let token = self.scan_tag()?;
        self.tokens.push_back(token);
        Ok(())
    }

    fn fetch_block_scalar(&mut self, literal: bool) -> Scanned<()> {
        self.remove_key()?;
        self.key_allowed = true;
        let token = self.scan_block_scalar(literal)?;
        self.tokens.push_back(token);
        Ok(())
    }

    fn fetch_flow_scalar(&mut self, single: bool) -> Scanned<()> {
        self.save_key()?;
        self.key_allowed = false;
        let token = self.scan_flow_scalar(single)?;
        self.tokens.push_back(token);
        Ok(())
    }

    fn fetch_plain_scalar(&mut self) -> Scanned<()> {
        self.save_key()?;
        self.key_allowed = false;
        let token = self.scan_plain_scalar()?;
        self.tokens.push_back(token);
        Ok(())
    }

    /// Passes white space, comments and breaks. Tabs count only where no key may begin.
    fn scan_to_next_token(&mut self) -> Scanned<()> {
        loop {
            self.need(1)?;
            // go-yaml looks for a second byte order mark at the start of its window only.
            if self.pos == 0 && self.text.starts_with('\u{FEFF}') {
                self.skip();
            }
            self.need(1)?;
            while self.byte(0) == b' '
                || (self.byte(0) == b'\t' && (self.flow_level > 0 || !self.key_allowed))
            {
                self.pos += 1;
                self.column += 1;
                self.need(1)?;
            }
            self.skip_comment()?;
            if !self.is_break() {
                return Ok(());
            }
            self.need(2)?;
            self.read_break();
            if self.flow_level == 0 {
                self.key_allowed = true;
            }
        }
    }
}
