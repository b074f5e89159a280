//! `wrap` and `wrapWith` (goutils `WrapCustom`): widths are bytes, words end at U+0020 only.

use super::limits::check_bytes;
use super::pieces::{Pieces, piece};
use super::spec::{Answer, FuncSpec};
use crate::template::{Call, Param};
use crate::value::Text;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[WRAP, WRAP_WITH];

const WRAP: FuncSpec = FuncSpec::new("wrap", &[Param::Int, Param::Str], |call| {
    wrapped(call, 1, &Text::from("\n"), false)
});

const WRAP_WITH: FuncSpec = FuncSpec::new("wrapWith", &[Param::Int, Param::Str, Param::Str], |call| {
    let separator = if call.text(1).is_empty() {
        Text::from("\n")
    } else {
        call.text(1).clone()
    };
    wrapped(call, 2, &separator, true)
});

/// Wraps the text at argument `at`. A word longer than a line is broken only when `break_words`.
fn wrapped(call: &mut Call<'_>, at: usize, separator: &Text, break_words: bool) -> Answer {
    let width = usize::try_from(call.int(0).max(1)).unwrap_or(usize::MAX);
    let (text, marks) = piece(call, at);
    let bytes = text.bytes();
    check_bytes(call, bytes.len() / width, separator.len())?;
    let mut out = Pieces::new();
    let mut done = 0;
    while bytes.len() - done > width {
        if bytes[done] == b' ' {
            done += 1;
            continue;
        }
        let line = &bytes[done..=done + width];
        let (end, next) = match memchr::memrchr(b' ', line) {
            Some(space) => (done + space, done + space + 1),
            None if break_words => (done + width, done + width),
            None => match memchr::memchr(b' ', &bytes[done + width..]) {
                Some(space) => (done + width + space, done + width + space + 1),
                None => break,
            },
        };
        out.slice(&text, marks, done, end);
        out.text(separator, crate::value::Marks::NONE);
        done = next;
    }
    out.slice(&text, marks, done, bytes.len());
    Ok(out.finish(call))
}
