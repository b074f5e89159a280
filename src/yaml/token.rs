//! Tokens, and the classes of bytes the scanner tells apart.

use std::borrow::Cow;

use super::node::Mark;

/// A position while scanning; everything counts from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pos {
    pub offset: u32,
    pub line: u32,
    pub column: u32,
}

impl Pos {
    /// The position as others see it; `lead` is what stood in front of the text.
    pub fn mark(self, lead: u32) -> Mark {
        Mark {
            line: self.line + 1,
            column: self.column + 1,
            offset: self.offset + lead,
        }
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tok {
    StreamStart,
    StreamEnd,
    VersionDirective,
    TagDirective,
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias,
    Anchor,
    Tag,
    Scalar { plain: bool },
}

/// What a token carries.
#[derive(Clone, Debug)]
pub(super) enum Payload<'a> {
    Nothing,
    /// A scalar, an anchor or an alias.
    Text(Cow<'a, str>),
    /// Handle and suffix of a tag, handle and prefix of a tag directive.
    Pair(Box<(String, String)>),
    /// Major and minor of a version directive.
    Version(u8, u8),
}

/// One token.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub tok: Tok,
    pub start: Pos,
    pub end: Pos,
    pub payload: Payload<'a>,
}

const BLANK: u8 = 1;
const BREAK_START: u8 = 2;
const FLOW: u8 = 4;
const COLON: u8 = 8;
const QUOTE: u8 = 16;

const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    table[0] = BREAK_START;
    table[b'\n' as usize] = BREAK_START;
    table[b'\r' as usize] = BREAK_START;
    // First bytes of NEL, LS and PS.
    table[0xC2] = BREAK_START;
    table[0xE2] = BREAK_START;
    table[b' ' as usize] = BLANK;
    table[b'\t' as usize] = BLANK;
    table[b',' as usize] = FLOW;
    table[b'?' as usize] = FLOW;
    table[b'[' as usize] = FLOW;
    table[b']' as usize] = FLOW;
    table[b'{' as usize] = FLOW;
    table[b'}' as usize] = FLOW;
    table[b':' as usize] = COLON;
    table[b'\'' as usize] = QUOTE;
    table[b'"' as usize] = QUOTE;
    table[b'\\' as usize] = QUOTE;
    table
};

/// Bytes at which a plain scalar may end.
pub(super) const PLAIN_STOP: u8 = BLANK | BREAK_START | FLOW | COLON;
/// Bytes at which a run inside quotes may end.
pub(super) const QUOTED_STOP: u8 = BREAK_START | QUOTE;
/// Bytes at which a line may end.
pub(super) const LINE_STOP: u8 = BREAK_START;

/// True when the byte is in one of the classes.
#[inline]
pub(super) fn in_class(byte: u8, classes: u8) -> bool {
    CLASS[byte as usize] & classes != 0
}

/// Characters in whole UTF-8.
#[inline]
pub(super) fn count_chars(bytes: &[u8]) -> u32 {
    let continuations = bytes.iter().filter(|&&byte| byte & 0xC0 == 0x80).count();
    u32::try_from(bytes.len() - continuations).unwrap_or(u32::MAX)
}

/// `[0-9A-Za-z_-]`.
pub(super) fn is_alpha(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}
