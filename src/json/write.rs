//! Data to JSON text, as `json.Marshal` and its relatives write it.

use std::fmt;
use std::ops::Range;

use super::Engine;
use crate::yaml::float::{format_g, format_json};
use crate::yaml::{Sink, Source};

/// How the text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// `<`, `>` and `&` are escaped (all but `toRawJson`).
    pub escape_html: bool,
    /// One piece per line, two spaces per level (`toPrettyJson`).
    pub indent: bool,
    /// Which encoding/json.
    pub engine: Engine,
}

/// Why data has no JSON text. It prints as Go does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError(String);

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for JsonError {}

type Written = Result<(), JsonError>;

/// Writes JSON into a buffer.
pub struct Writer<'o> {
    out: &'o mut Vec<u8>,
    layout: Layout,
    depth: usize,
    /// The collection that is open has no part yet.
    first: bool,
    /// A key stands in front of the value to come.
    keyed: bool,
    last: usize,
}

impl<'o> Writer<'o> {
    /// Starts at the end of the buffer.
    pub fn new(out: &'o mut Vec<u8>, layout: Layout) -> Writer<'o> {
        Writer {
            last: out.len(),
            out,
            layout,
            depth: 0,
            first: true,
            keyed: false,
        }
    }

    /// Where in the buffer the last scalar stands, quotes included; an empty collection counts as one.
    pub fn last_scalar(&self) -> Range<usize> {
        self.last..self.out.len()
    }

    fn line(&mut self) {
        if self.layout.indent {
            self.out.push(b'\n');
            self.out.extend(std::iter::repeat_n(b' ', 2 * self.depth));
        }
    }

    /// Comma and line in front of an element or a key.
    fn part(&mut self) {
        if self.keyed {
            self.keyed = false;
        } else {
            if self.depth > 0 {
                if !self.first {
                    self.out.push(b',');
                }
                self.line();
            }
            self.first = false;
        }
        self.last = self.out.len();
    }

    fn text(&mut self, text: &str) -> Written {
        self.part();
        self.out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn begin(&mut self, open: u8) -> Written {
        self.part();
        self.out.push(open);
        self.depth += 1;
        self.first = true;
        Ok(())
    }

    fn end(&mut self, close: u8) -> Written {
        self.depth = self.depth.saturating_sub(1);
        if !self.first {
            self.line();
        }
        self.out.push(close);
        self.first = false;
        Ok(())
    }

    fn quoted(&mut self, bytes: &[u8]) {
        self.out.push(b'"');
        for chunk in bytes.utf8_chunks() {
            self.escaped(chunk.valid());
            for _ in chunk.invalid() {
                let replacement = match self.layout.engine {
                    Engine::Classic => "\\ufffd",
                    Engine::V2 => "\u{FFFD}",
                };
                self.out.extend_from_slice(replacement.as_bytes());
            }
        }
        self.out.push(b'"');
    }

    fn escaped(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut run = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            let separator = byte == 0xE2 && bytes[at + 1] == 0x80 && matches!(bytes[at + 2], 0xA8 | 0xA9);
            let html = self.layout.escape_html && matches!(byte, b'<' | b'>' | b'&');
            if byte >= 0x20 && byte != b'"' && byte != b'\\' && !html && !separator {
                continue;
            }
            self.out.extend_from_slice(&bytes[run..at]);
            run = at + 1;
            let short = match byte {
                b'"' | b'\\' => byte,
                0x08 => b'b',
                0x0C => b'f',
                b'\n' => b'n',
                b'\r' => b'r',
                b'\t' => b't',
                _ => {
                    let code = if separator {
                        0x2000 + u32::from(bytes[at + 2] & 0x3F)
                    } else {
                        u32::from(byte)
                    };
                    self.out.extend_from_slice(format!("\\u{code:04x}").as_bytes());
                    run += if separator { 2 } else { 0 };
                    continue;
                }
            };
            self.out.extend_from_slice(&[b'\\', short]);
        }
        self.out.extend_from_slice(&bytes[run..]);
    }
}

impl Sink for Writer<'_> {
    type Error = JsonError;

    fn null(&mut self) -> Written {
        self.text("null")
    }

    fn bool(&mut self, value: bool) -> Written {
        self.text(if value { "true" } else { "false" })
    }

    fn int(&mut self, value: i64) -> Written {
        self.text(&value.to_string())
    }

    fn uint(&mut self, value: u64) -> Written {
        self.text(&value.to_string())
    }

    fn float(&mut self, value: f64) -> Written {
        if !value.is_finite() {
            let text = format_g(value);
            return Err(JsonError(format!("json: unsupported value: {text}")));
        }
        self.text(&format_json(value))
    }

    fn str(&mut self, value: &[u8]) -> Written {
        self.part();
        self.quoted(value);
        Ok(())
    }

    fn begin_list(&mut self) -> Written {
        self.begin(b'[')
    }

    fn end_list(&mut self) -> Written {
        self.end(b']')
    }

    fn begin_map(&mut self) -> Written {
        self.begin(b'{')
    }

    fn key(&mut self, key: &[u8]) -> Written {
        self.part();
        self.quoted(key);
        self.out.push(b':');
        if self.layout.indent {
            self.out.push(b' ');
        }
        self.keyed = true;
        Ok(())
    }

    fn end_map(&mut self) -> Written {
        self.end(b'}')
    }

    fn keeps_field_order(&self) -> bool {
        true
    }

    fn sort<T>(&mut self, entries: &mut Vec<(&[u8], T)>) {
        entries.sort_by(|a, b| a.0.cmp(b.0));
    }
}

/// The data as JSON text, without a line break at the end.
///
/// # Errors
/// For numbers that are not finite.
pub fn to_json<D: Source + ?Sized>(data: &D, layout: Layout) -> Result<Vec<u8>, JsonError> {
    let mut out = Vec::new();
    data.write_to(&mut Writer::new(&mut out, layout))?;
    Ok(out)
}
