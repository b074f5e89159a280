//! Slash paths (Go's `path`; `path/filepath` says the same on Linux).

use super::spec::FuncSpec;
use crate::template::Param;
use crate::value::{Text, Value};

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[BASE, CLEAN, DIR, EXT, IS_ABS];

const BASE: FuncSpec = FuncSpec::new("base", &[Param::Str], |call| {
    let text = call.text(0);
    let bytes = text.bytes();
    if bytes.is_empty() {
        return Ok(Value::from("."));
    }
    let end = bytes
        .iter()
        .rposition(|&byte| byte != b'/')
        .map_or(0, |last| last + 1);
    if end == 0 {
        return Ok(Value::from("/"));
    }
    let start = memchr::memrchr(b'/', &bytes[..end]).map_or(0, |slash| slash + 1);
    Ok(Value::from(text.slice(start, end)))
})
.also(&["osBase"]);

const CLEAN: FuncSpec = FuncSpec::new("clean", &[Param::Str], |call| {
    Ok(Value::from(cleaned(call.text(0))))
})
.also(&["osClean"]);

const DIR: FuncSpec = FuncSpec::new("dir", &[Param::Str], |call| {
    let text = call.text(0);
    let end = memchr::memrchr(b'/', text.bytes()).map_or(0, |slash| slash + 1);
    Ok(Value::from(cleaned(&text.slice(0, end))))
})
.also(&["osDir"]);

const EXT: FuncSpec = FuncSpec::new("ext", &[Param::Str], |call| {
    let text = call.text(0);
    let name = memchr::memrchr(b'/', text.bytes()).map_or(0, |slash| slash + 1);
    let start = memchr::memrchr(b'.', &text.bytes()[name..]).map_or(text.len(), |dot| name + dot);
    Ok(Value::from(text.slice(start, text.len())))
})
.also(&["osExt"]);

const IS_ABS: FuncSpec = FuncSpec::new("isAbs", &[Param::Str], |call| {
    Ok(Value::from(call.text(0).bytes().starts_with(b"/")))
})
.also(&["osIsAbs"]);

/// `path.Clean`.
fn cleaned(text: &Text) -> Text {
    let bytes = text.bytes();
    let rooted = bytes.starts_with(b"/");
    let mut kept: Vec<&[u8]> = Vec::new();
    for part in bytes.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => match kept.last() {
                Some(last) if *last != b".." => {
                    kept.pop();
                }
                _ if rooted => {}
                _ => kept.push(part),
            },
            _ => kept.push(part),
        }
    }
    let mut out = Vec::with_capacity(bytes.len());
    if rooted {
        out.push(b'/');
    }
    out.extend_from_slice(&kept.join(&b"/"[..]));
    if out.is_empty() {
        return Text::from(".");
    }
    if out == bytes {
        text.clone()
    } else {
        Text::from(out)
    }
}
