//! Data to YAML text, byte for byte as go-yaml writes it.
//!
//! The layout is that of emitterc.go with the settings Helm has: block style, indentation 2, Unicode. There
//! is no queue of events: whether a collection is empty is known when it is closed, and until then nothing
//! of it was written.

use std::fmt;
use std::ops::Range;

use super::data::{Sink, Source};
use super::float::{format_g, format_json};
use super::order::{self, Order};

/// Keys longer than this (in bytes) are written with `?`.
const SIMPLE_KEY: usize = 128;
/// A key may reach this far in the JSON text between the stages, quotes included.
const JSON_KEY: usize = 1024;
/// How deep the reader between the stages goes.
const MAX_DEPTH: usize = 10_000;
/// Indentation of one level.
const STEP: i64 = 2;

/// Which of Helm's YAML writers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavor {
    /// `toYaml`: `sigs.k8s.io/yaml`, that is encoding/json, then go-yaml v2's reader, then its writer.
    Plain,
    /// `toYamlPretty`: go-yaml v3 with indentation 2.
    Pretty,
}

/// Why data cannot be written. It prints as Go does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmitError(pub(super) String);

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EmitError {}

pub(super) type Emitted = Result<(), EmitError>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    List,
    Map,
}

/// A collection that is open.
struct Frame {
    kind: FrameKind,
    /// Nothing of it was written yet.
    empty: bool,
    /// It is the value of a mapping.
    in_map: bool,
    /// The last key was written without `?`.
    simple: bool,
    /// Indentation around it.
    outer: i64,
}

/// Writes one YAML document into a buffer.
pub struct Emitter<'o> {
    pub(super) out: &'o mut Vec<u8>,
    pub(super) flavor: Flavor,
    pub(super) column: usize,
    pub(super) indent: i64,
    /// The last thing written was white space.
    pub(super) whitespace: bool,
    /// Only indentation and indicators stand on the line.
    pub(super) indention: bool,
    frames: Vec<Frame>,
    unstable: bool,
    pub(super) last: Range<usize>,
}

impl<'o> Emitter<'o> {
    /// Starts a document at the end of the buffer.
    pub fn new(out: &'o mut Vec<u8>, flavor: Flavor) -> Emitter<'o> {
        Emitter {
            last: out.len()..out.len(),
            out,
            flavor,
            column: 0,
            indent: -1,
            whitespace: true,
            indention: true,
            frames: Vec::new(),
            unstable: false,
        }
    }

    /// Where in the buffer the last scalar or key stands, quotes included; an empty collection counts as one.
    pub fn last_scalar(&self) -> Range<usize> {
        self.last.clone()
    }

    /// True when Go's order of keys would have varied between runs for a mapping written so far.
    pub fn order_unstable(&self) -> bool {
        self.unstable
    }

    /// Writes a scalar as it is, without looking whether it reads as something else. For the few Go types
    /// that write themselves so, like times under `Flavor::Pretty`.
    pub fn verbatim(&mut self, text: &str) {
        self.before_value();
        self.write_plain(text, false);
    }

    /// Ends the document with its line break.
    pub fn finish(&mut self) {
        self.write_indent();
    }

    // ---- layout

    pub(super) fn put(&mut self, byte: u8) {
        self.out.push(byte);
        self.column += 1;
    }

    pub(super) fn put_break(&mut self) {
        self.out.push(b'\n');
        self.column = 0;
    }

    pub(super) fn write_indent(&mut self) {
        let indent = usize::try_from(self.indent).unwrap_or(0);
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.put_break();
        }
        while self.column < indent {
            self.put(b' ');
        }
        self.whitespace = true;
        self.indention = true;
    }

    pub(super) fn write_indicator(
        &mut self,
        indicator: &[u8],
        spaced: bool,
        is_space: bool,
        is_indent: bool,
    ) {
        if spaced && !self.whitespace {
            self.put(b' ');
        }
        self.out.extend_from_slice(indicator);
        self.column += indicator.len();
        self.whitespace = is_space;
        self.indention &= is_indent;
    }

    /// The indentation of what is inside; that of a list under a key is the key's own in v2.
    pub(super) fn deeper(&self, flow: bool, indentless: bool) -> i64 {
        match self.indent {
            indent if indent < 0 => {
                if flow {
                    STEP
                } else {
                    0
                }
            }
            indent if indentless => indent,
            indent => indent + STEP,
        }
    }

    /// Writes what stands in front of a value: dash or colon.
    pub(super) fn before_value(&mut self) {
        let indented = self.indention;
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        match frame.kind {
            FrameKind::List => {
                if frame.empty {
                    frame.empty = false;
                    let indentless = self.flavor == Flavor::Plain && frame.in_map && !indented;
                    self.indent = self.deeper(false, indentless);
                }
                self.write_indent();
                self.write_indicator(b"-", true, false, true);
            }
            FrameKind::Map if frame.simple => self.write_indicator(b":", false, false, false),
            FrameKind::Map => {
                self.write_indent();
                self.write_indicator(b":", true, false, true);
            }
        }
    }

    fn begin(&mut self, kind: FrameKind) -> Emitted {
        self.before_value();
        if self.frames.len() >= MAX_DEPTH {
            return Err(EmitError(format!("yaml: exceeded max depth of {MAX_DEPTH}")));
        }
        let in_map = matches!(self.frames.last(), Some(frame) if frame.kind == FrameKind::Map);
        self.frames.push(Frame {
            kind,
            empty: true,
            in_map,
            simple: true,
            outer: self.indent,
        });
        Ok(())
    }

    fn end(&mut self, open: u8, close: u8) {
        let Some(frame) = self.frames.pop() else { return };
        self.indent = frame.outer;
        if frame.empty {
            self.write_indicator(&[open], true, true, false);
            self.write_indicator(&[close], false, false, false);
            self.last = self.out.len() - 2..self.out.len();
        }
    }

    fn plain(&mut self, text: &str) {
        self.before_value();
        self.write_plain(text, false);
    }

    /// Refuses keys that the reader between the stages would not take for keys.
    fn check_key(&self, key: &[u8]) -> Emitted {
        if self.flavor == Flavor::Pretty {
            return Ok(());
        }
        let long = key.len() * 6 + 2 > JSON_KEY && json_length(key) + 2 > JSON_KEY;
        let broken = key.windows(2).any(|pair| pair == [0xC2, 0x85]);
        if long || broken {
            return Err(EmitError("yaml: did not find expected ',' or '}'".to_owned()));
        }
        Ok(())
    }
}

impl Sink for Emitter<'_> {
    type Error = EmitError;

    fn null(&mut self) -> Emitted {
        self.plain("null");
        Ok(())
    }

    fn bool(&mut self, value: bool) -> Emitted {
        self.plain(if value { "true" } else { "false" });
        Ok(())
    }

    fn int(&mut self, value: i64) -> Emitted {
        self.plain(&value.to_string());
        Ok(())
    }

    fn uint(&mut self, value: u64) -> Emitted {
        self.plain(&value.to_string());
        Ok(())
    }

    fn float(&mut self, value: f64) -> Emitted {
        let text = match self.flavor {
            Flavor::Plain if !value.is_finite() => {
                let text = format_g(value);
                let problem = format!("error marshaling into JSON: json: unsupported value: {text}");
                return Err(EmitError(problem));
            }
            Flavor::Plain => float_through_json(value),
            Flavor::Pretty => match format_g(value).as_str() {
                "+Inf" => ".inf".to_owned(),
                "-Inf" => "-.inf".to_owned(),
                "NaN" => ".nan".to_owned(),
                text => text.to_owned(),
            },
        };
        self.plain(&text);
        Ok(())
    }

    fn str(&mut self, value: &[u8]) -> Emitted {
        self.before_value();
        self.write_string(value)
    }

    fn begin_list(&mut self) -> Emitted {
        self.begin(FrameKind::List)
    }

    fn end_list(&mut self) -> Emitted {
        self.end(b'[', b']');
        Ok(())
    }

    fn begin_map(&mut self) -> Emitted {
        self.begin(FrameKind::Map)
    }

    fn key(&mut self, key: &[u8]) -> Emitted {
        self.check_key(key)?;
        let inner = self.deeper(false, false);
        if let Some(frame) = self.frames.last_mut()
            && frame.empty
        {
            frame.empty = false;
            self.indent = inner;
        }
        self.write_indent();
        let simple = self.write_key(key, SIMPLE_KEY)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.simple = simple;
        }
        Ok(())
    }

    fn end_map(&mut self) -> Emitted {
        self.end(b'{', b'}');
        Ok(())
    }

    fn sort<T>(&mut self, entries: &mut Vec<(&[u8], T)>) {
        let order = match self.flavor {
            Flavor::Plain => {
                order::drop_overwritten(entries);
                Order::V2
            }
            Flavor::Pretty => Order::V3,
        };
        self.unstable |= order::sort(order, entries);
    }
}

/// A finite float64 after JSON text and YAML reader: an integer where its digits fit 64 bits.
fn float_through_json(value: f64) -> String {
    let text = format_json(value);
    if text == "-0" {
        return "0".to_owned();
    }
    if text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok() {
        return text;
    }
    format_g(value)
}

/// Characters of a string in Go's JSON text, without quotes.
fn json_length(bytes: &[u8]) -> usize {
    let text = super::resolve::replace_invalid(bytes);
    text.chars()
        .map(|character| match character {
            '"' | '\\' | '\n' | '\r' | '\t' | '\x08' | '\x0C' => 2,
            '\0'..='\x1F' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => 6,
            _ => 1,
        })
        .sum()
}

/// The data as a YAML document with its final line break.
///
/// # Errors
/// What the flavor cannot write.
pub fn to_yaml<D: Source + ?Sized>(data: &D, flavor: Flavor) -> Result<Vec<u8>, EmitError> {
    let mut out = Vec::new();
    let mut emitter = Emitter::new(&mut out, flavor);
    data.write_to(&mut emitter)?;
    emitter.finish();
    Ok(out)
}
