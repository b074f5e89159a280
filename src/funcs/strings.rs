//! Cutting, searching and replacing in texts (`sprig/strings.go` over Go's `strings`). Offsets are bytes:
//! a cut may fall into a rune, as in Go. Case, splitting, quoting and wrapping have their own files.

use super::limits::check_bytes;
use super::pieces::{Pieces, piece};
use super::runes;
use super::spec::{Answer, FuncSpec};
use crate::template::{Call, CallError, Param};
use crate::value::{Text, Value};
use memchr::memmem;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[
    ABBREV,
    ABBREVBOTH,
    CONTAINS,
    HAS_PREFIX,
    HAS_SUFFIX,
    HELLO,
    INDENT,
    NINDENT,
    PLURAL,
    REPEAT,
    REPLACE,
    SUBSTR,
    TRIM,
    TRIM_ALL,
    TRIM_PREFIX,
    TRIM_SUFFIX,
    TRUNC,
];

const HELLO: FuncSpec = FuncSpec::new("hello", &[], |_| Ok(Value::from("Hello!")));

const TRIM: FuncSpec = FuncSpec::new("trim", &[Param::Str], trim);

/// `strings.TrimSpace`.
fn trim(call: &mut Call<'_>) -> Answer {
    Ok(Value::from(trimmed(call.text(0), runes::is_space)))
}

const TRIM_ALL: FuncSpec = FuncSpec::new("trimAll", &[Param::Str, Param::Str], trim_all).also(&["trimall"]);

/// `strings.Trim` with the cut set first.
fn trim_all(call: &mut Call<'_>) -> Answer {
    let cutset: Vec<char> = runes::runes(call.text(0).bytes()).map(|rune| rune.1).collect();
    Ok(Value::from(trimmed(call.text(1), |rune| cutset.contains(&rune))))
}

fn trimmed(text: &Text, cut: impl Fn(char) -> bool) -> Text {
    let bytes = text.bytes();
    let mut start = 0;
    let mut end = bytes.len();
    while start < end {
        let (rune, width) = runes::decode(&bytes[start..end]);
        if !cut(rune) {
            break;
        }
        start += width;
    }
    while start < end {
        let (rune, width) = runes::decode_last(&bytes[start..end]);
        if !cut(rune) {
            break;
        }
        end -= width;
    }
    text.slice(start, end)
}

const TRIM_PREFIX: FuncSpec = FuncSpec::new("trimPrefix", &[Param::Str, Param::Str], trim_prefix);

fn trim_prefix(call: &mut Call<'_>) -> Answer {
    let text = call.text(1);
    let prefix = call.text(0);
    let start = if text.bytes().starts_with(prefix.bytes()) {
        prefix.len()
    } else {
        0
    };
    Ok(Value::from(text.slice(start, text.len())))
}

const TRIM_SUFFIX: FuncSpec = FuncSpec::new("trimSuffix", &[Param::Str, Param::Str], trim_suffix);

fn trim_suffix(call: &mut Call<'_>) -> Answer {
    let text = call.text(1);
    let suffix = call.text(0);
    let cut = if text.bytes().ends_with(suffix.bytes()) {
        suffix.len()
    } else {
        0
    };
    Ok(Value::from(text.slice(0, text.len() - cut)))
}

const CONTAINS: FuncSpec = FuncSpec::new("contains", &[Param::Str, Param::Str], |call| {
    let found = memmem::find(call.text(1).bytes(), call.text(0).bytes());
    Ok(Value::from(found.is_some()))
});

const HAS_PREFIX: FuncSpec = FuncSpec::new("hasPrefix", &[Param::Str, Param::Str], |call| {
    Ok(Value::from(
        call.text(1).bytes().starts_with(call.text(0).bytes()),
    ))
});

const HAS_SUFFIX: FuncSpec = FuncSpec::new("hasSuffix", &[Param::Str, Param::Str], |call| {
    Ok(Value::from(call.text(1).bytes().ends_with(call.text(0).bytes())))
});

const PLURAL: FuncSpec = FuncSpec::new("plural", &[Param::Str, Param::Str, Param::Int], |call| {
    let at = if call.int(2) == 1 { 0 } else { 1 };
    Ok(call.take(at))
});

const REPEAT: FuncSpec = FuncSpec::new("repeat", &[Param::Int, Param::Str], repeat);

/// `strings.Repeat`, which panics on a negative count.
fn repeat(call: &mut Call<'_>) -> Answer {
    let count = usize::try_from(call.int(0)).map_err(|_| CallError::own("strings: negative Repeat count"))?;
    let (text, marks) = piece(call, 1);
    check_bytes(call, count, text.len())?;
    if text.spans().is_none() {
        return Ok(Value::from(Text::from(text.bytes().repeat(count))));
    }
    let mut out = Pieces::new();
    for _ in 0..count {
        out.text(&text, marks);
    }
    Ok(out.finish(call))
}

const REPLACE: FuncSpec = FuncSpec::new("replace", &[Param::Str, Param::Str, Param::Str], replace);

/// `strings.ReplaceAll` with the text last.
fn replace(call: &mut Call<'_>) -> Answer {
    let old = call.text(0).clone();
    let (new, new_marks) = piece(call, 1);
    let (text, marks) = piece(call, 2);
    let places: Vec<usize> = if old.is_empty() {
        let starts = runes::runes(text.bytes()).map(|rune| rune.0);
        starts.chain([text.len()]).collect()
    } else {
        memmem::find_iter(text.bytes(), old.bytes()).collect()
    };
    if places.is_empty() {
        return Ok(call.take(2));
    }
    check_bytes(call, places.len(), new.len())?;
    let mut out = Pieces::new();
    let mut done = 0;
    for place in places {
        out.slice(&text, marks, done, place);
        out.text(&new, new_marks);
        done = place + old.len();
    }
    out.slice(&text, marks, done, text.len());
    Ok(out.finish(call))
}

const SUBSTR: FuncSpec = FuncSpec::new("substr", &[Param::Int, Param::Int, Param::Str], substr);

fn substr(call: &mut Call<'_>) -> Answer {
    let (start, end) = (call.int(0), call.int(1));
    let text = call.text(2);
    let length = i64::try_from(text.len()).unwrap_or(i64::MAX);
    let part = if start < 0 {
        slice_to(text, end)
    } else if end < 0 || end > length {
        slice_between(text, start, length)
    } else {
        slice_between(text, start, end)
    };
    Ok(Value::from(part?))
}

/// Go's `text[:end]`.
fn slice_to(text: &Text, end: i64) -> Result<Text, CallError> {
    match usize::try_from(end) {
        Ok(at) if at <= text.len() => Ok(text.slice(0, at)),
        Ok(at) => Err(CallError::own(format!(
            "runtime error: slice bounds out of range [:{at}] with length {}",
            text.len()
        ))),
        Err(_) => Err(CallError::own(format!(
            "runtime error: slice bounds out of range [:{end}]"
        ))),
    }
}

/// Go's `text[start:end]` where both are not negative and the end lies within the text.
fn slice_between(text: &Text, start: i64, end: i64) -> Result<Text, CallError> {
    match (usize::try_from(start), usize::try_from(end)) {
        (Ok(from), Ok(to)) if from <= to => Ok(text.slice(from, to)),
        _ => Err(CallError::own(format!(
            "runtime error: slice bounds out of range [{start}:{end}]"
        ))),
    }
}

const TRUNC: FuncSpec = FuncSpec::new("trunc", &[Param::Int, Param::Str], trunc);

fn trunc(call: &mut Call<'_>) -> Answer {
    let count = call.int(0);
    let text = call.text(1);
    let kept = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
    let part = if kept >= text.len() {
        text.clone()
    } else if count < 0 {
        text.slice(text.len() - kept, text.len())
    } else {
        text.slice(0, kept)
    };
    Ok(Value::from(part))
}

const ABBREV: FuncSpec = FuncSpec::new("abbrev", &[Param::Int, Param::Str], |call| {
    let width = call.int(0);
    if width < 4 {
        return Ok(call.take(1));
    }
    abbreviate(call, 0, width, 1)
});

const ABBREVBOTH: FuncSpec = FuncSpec::new("abbrevboth", &[Param::Int, Param::Int, Param::Str], |call| {
    let (left, right) = (call.int(0), call.int(1));
    if right < 4 || left > 0 && right < 7 {
        return Ok(call.take(2));
    }
    abbreviate(call, left, right, 2)
});

/// `goutils.AbbreviateFull` for the text at argument `at`; its widths are checked by the callers.
fn abbreviate(call: &mut Call<'_>, offset: i64, width: i64, at: usize) -> Answer {
    let (text, marks) = piece(call, at);
    let length = i64::try_from(text.len()).unwrap_or(i64::MAX);
    if length <= width {
        return Ok(call.take(at));
    }
    let room = width - 3;
    let mut offset = offset.min(length);
    if length.wrapping_sub(offset) < room {
        offset = length - room;
    }
    let (start, end) = match offset {
        ..=4 => (0, room),
        _ if offset + room < length => (offset, offset + room - 3),
        _ => (length - room, length),
    };
    let index = |at: i64| usize::try_from(at).unwrap_or(0);
    let mut out = Pieces::new();
    if offset > 4 {
        out.literal(b"...");
    }
    out.slice(&text, marks, index(start), index(end));
    if end < length {
        out.literal(b"...");
    }
    Ok(out.finish(call))
}

const INDENT: FuncSpec = FuncSpec::new("indent", &[Param::Int, Param::Str], |call| indented(call, b""));

const NINDENT: FuncSpec = FuncSpec::new("nindent", &[Param::Int, Param::Str], |call| indented(call, b"\n"));

/// Pads every line, empty ones and the one after a final newline included.
fn indented(call: &mut Call<'_>, before: &[u8]) -> Answer {
    let width = usize::try_from(call.int(0)).map_err(|_| CallError::own("strings: negative Repeat count"))?;
    let (text, marks) = piece(call, 1);
    let bytes = text.bytes();
    let breaks = memchr::memchr_iter(b'\n', bytes);
    check_bytes(call, breaks.clone().count() + 1, width)?;
    let pad = vec![b' '; width];
    if text.spans().is_none() {
        let mut out = Vec::with_capacity(bytes.len() + (breaks.clone().count() + 1) * width + 1);
        out.extend_from_slice(before);
        out.extend_from_slice(&pad);
        let mut done = 0;
        for at in breaks {
            out.extend_from_slice(&bytes[done..=at]);
            out.extend_from_slice(&pad);
            done = at + 1;
        }
        out.extend_from_slice(&bytes[done..]);
        return Ok(Value::from(Text::from(out)));
    }
    let mut out = Pieces::new();
    out.literal(before);
    out.literal(&pad);
    let mut done = 0;
    for at in breaks {
        out.slice(&text, marks, done, at + 1);
        out.literal(&pad);
        done = at + 1;
    }
    out.slice(&text, marks, done, bytes.len());
    Ok(out.finish(call))
}
