//! JSON text to data, as `json.Unmarshal` into `any`, a map or a slice.
//!
//! The whole text is checked before anything of it counts, as in both engines: an error of syntax leaves
//! nothing, while a number that does not fit leaves its place empty and the rest intact.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Engine;
use super::words::{ENDED, Fault, ended, invalid_character, invalid_escape};
use crate::yaml::{Entry, Mark, Node, NodeKind, Number};

/// How deep both engines go.
const MAX_DEPTH: usize = 10_000;
/// From this many entries on an object finds its keys by hash.
const HASHED_FROM: usize = 16;

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The data.
    pub node: Node,
    /// What Go complains about although it read the rest: the first number that does not fit.
    pub error: Option<String>,
}

/// Reads any JSON.
///
/// # Errors
/// The text of Go's syntax error.
pub fn read(text: &[u8], engine: Engine) -> Result<Read, String> {
    let mut reader = Reader {
        bytes: text,
        engine,
        at: 0,
        line: 1,
        counted: 0,
        column: 1,
        stack: Vec::new(),
        items: Vec::new(),
        entries: Vec::new(),
        range_error: None,
    };
    let node = reader.document()?;
    Ok(Read {
        node,
        error: reader.range_error,
    })
}

/// Reads an object, as into a `map[string]interface {}`; null stays null.
///
/// # Errors
/// The text of Go's error of syntax or of type.
pub fn read_map(text: &[u8], engine: Engine) -> Result<Read, String> {
    read_as(text, engine, "map[string]interface {}", Node::is_map)
}

/// Reads an array, as into a `[]interface {}`; null stays null.
///
/// # Errors
/// The text of Go's error of syntax or of type.
pub fn read_list(text: &[u8], engine: Engine) -> Result<Read, String> {
    read_as(text, engine, "[]interface {}", |node| {
        matches!(node.kind, NodeKind::List(_))
    })
}

fn read_as(text: &[u8], engine: Engine, go_type: &str, fits: impl Fn(&Node) -> bool) -> Result<Read, String> {
    let read = read(text, engine)?;
    if fits(&read.node) {
        return Ok(read);
    }
    let found = match read.node.kind {
        NodeKind::Null => return Ok(read),
        NodeKind::Bool(_) => "bool",
        NodeKind::Number(_) => "number",
        NodeKind::Str(_) => "string",
        NodeKind::List(_) => "array",
        NodeKind::Map(_) => "object",
    };
    Err(format!(
        "json: cannot unmarshal {found} into Go value of type {go_type}"
    ))
}

/// A collection that is open.
struct Open {
    object: bool,
    /// Where its parts begin on the stack of items or of entries.
    base: usize,
    mark: Mark,
    /// The key whose value comes next.
    key: Option<(Arc<str>, Mark)>,
    /// Places of entries by key, once there are many.
    index: Option<FxHashMap<Arc<str>, usize>>,
}

struct Reader<'a> {
    bytes: &'a [u8],
    engine: Engine,
    at: usize,
    line: u32,
    /// Up to where columns were counted, and the column there.
    counted: usize,
    column: u32,
    stack: Vec<Open>,
    items: Vec<Node>,
    entries: Vec<Entry>,
    range_error: Option<String>,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<Node, String> {
        loop {
            // A value is due here.
            let Some(mut node) = self.value()? else { continue };
            loop {
                if self.stack.is_empty() {
                    self.skip_space();
                    return match self.byte() {
                        Some(_) => self.fail(Fault::AfterTop),
                        None => Ok(node),
                    };
                }
                self.put(node);
                match self.after_value()? {
                    Some(closed) => node = closed,
                    None => break,
                }
            }
        }
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn fail<T>(&self, fault: Fault) -> Result<T, String> {
        match self.bytes.get(self.at..) {
            Some(rest @ [_, ..]) => Err(invalid_character(self.engine, rest, fault)),
            _ => Err(ended(self.engine, fault)),
        }
    }

    fn skip_space(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = self.byte() {
            self.at += 1;
            if byte == b'\n' {
                self.line += 1;
                self.counted = self.at;
                self.column = 1;
            }
        }
    }

    fn mark(&mut self) -> Mark {
        let passed = &self.bytes[self.counted..self.at];
        let characters = passed.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        self.column = self
            .column
            .saturating_add(u32::try_from(characters).unwrap_or(u32::MAX));
        self.counted = self.at;
        Mark {
            line: self.line,
            column: self.column,
            offset: u32::try_from(self.at).unwrap_or(u32::MAX),
        }
    }

    /// A scalar or an empty collection; none when a collection was opened and its first value is due.
    fn value(&mut self) -> Result<Option<Node>, String> {
        self.skip_space();
        let mark = self.mark();
        let kind = match self.byte() {
            Some(b'{') => return self.open(true, mark),
            Some(b'[') => return self.open(false, mark),
            Some(b'"') => NodeKind::Str(Arc::from(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.literal("true", NodeKind::Bool(true))?,
            Some(b'f') => self.literal("false", NodeKind::Bool(false))?,
            Some(b'n') => self.literal("null", NodeKind::Null)?,
            _ => return self.fail(Fault::Value),
        };
        Ok(Some(Node { kind, mark }))
    }

    fn open(&mut self, object: bool, mark: Mark) -> Result<Option<Node>, String> {
        if self.stack.len() >= MAX_DEPTH {
            return self.fail(Fault::Depth);
        }
        self.at += 1;
        self.stack.push(Open {
            object,
            base: if object {
                self.entries.len()
            } else {
                self.items.len()
            },
            mark,
            key: None,
            index: None,
        });
        self.skip_space();
        if self.byte() == Some(if object { b'}' } else { b']' }) {
            return Ok(self.close());
        }
        if object {
            self.key()?;
        }
        Ok(None)
    }

    fn close(&mut self) -> Option<Node> {
        self.at += 1;
        let open = self.stack.pop()?;
        let kind = if open.object {
            NodeKind::Map(self.entries.drain(open.base..).collect())
        } else {
            NodeKind::List(self.items.drain(open.base..).collect())
        };
        Some(Node {
            kind,
            mark: open.mark,
        })
    }

    /// A key and its colon.
    fn key(&mut self) -> Result<(), String> {
        self.skip_space();
        if self.byte() != Some(b'"') {
            return self.fail(Fault::Key);
        }
        let mark = self.mark();
        let key: Arc<str> = Arc::from(self.string()?);
        self.skip_space();
        if self.byte() != Some(b':') {
            return self.fail(Fault::AfterKey);
        }
        self.at += 1;
        if let Some(open) = self.stack.last_mut() {
            open.key = Some((key, mark));
        }
        Ok(())
    }

    /// Adds a value to the innermost collection; of equal keys the last wins.
    fn put(&mut self, value: Node) {
        let Some(open) = self.stack.last_mut() else { return };
        let Some((key, mark)) = open.key.take() else {
            self.items.push(value);
            return;
        };
        let found = match &open.index {
            Some(index) => index.get(&key).copied(),
            None => self.entries[open.base..]
                .iter()
                .position(|entry| entry.key == key)
                .map(|place| open.base + place),
        };
        let entry = Entry { key, mark, value };
        if let Some(place) = found {
            self.entries[place] = entry;
            return;
        }
        if let Some(index) = &mut open.index {
            index.insert(Arc::clone(&entry.key), self.entries.len());
        }
        self.entries.push(entry);
        if open.index.is_none() && self.entries.len() - open.base >= HASHED_FROM {
            let places = self.entries[open.base..].iter().enumerate();
            open.index = Some(
                places
                    .map(|(place, entry)| (Arc::clone(&entry.key), open.base + place))
                    .collect(),
            );
        }
    }

    /// What follows a value in a collection: the collection when it ends, none when a value is due.
    fn after_value(&mut self) -> Result<Option<Node>, String> {
        self.skip_space();
        let object = self.stack.last().is_some_and(|open| open.object);
        match (self.byte(), object) {
            (Some(b','), true) => {
                self.at += 1;
                self.key()?;
                Ok(None)
            }
            (Some(b','), false) => {
                self.at += 1;
                Ok(None)
            }
            (Some(b'}'), true) | (Some(b']'), false) => Ok(self.close()),
            (_, true) => self.fail(Fault::AfterMember),
            (_, false) => self.fail(Fault::AfterElement),
        }
    }

    fn literal(&mut self, word: &'static str, kind: NodeKind) -> Result<NodeKind, String> {
        for expected in word.chars() {
            if self.byte().map(char::from) != Some(expected) {
                return self.fail(Fault::Literal(word, expected));
            }
            self.at += 1;
        }
        Ok(kind)
    }

    fn digits(&mut self, fault: Fault) -> Result<(), String> {
        if !self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.fail(fault);
        }
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<NodeKind, String> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        if self.byte() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits(Fault::Number)?;
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits(Fault::Fraction)?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'-' | b'+')) {
                self.at += 1;
            }
            self.digits(Fault::Exponent)?;
        }
        let text = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default();
        let value: f64 = text.parse().unwrap_or(f64::INFINITY);
        if value.is_finite() {
            return Ok(NodeKind::Number(Number::Float(value)));
        }
        self.out_of_range(text.to_owned());
        Ok(match self.engine {
            Engine::Classic if !self.stack.is_empty() => NodeKind::Null,
            _ => NodeKind::Number(Number::Float(0.0)),
        })
    }

    /// Notes Go's complaint about a number; v2 names the path to it.
    fn out_of_range(&mut self, number: String) {
        if self.range_error.is_some() {
            return;
        }
        let path = match self.engine {
            Engine::Classic => String::new(),
            Engine::V2 => self.path(),
        };
        let last = path.rsplit('.').next().unwrap_or_default();
        let place = if path.is_empty() {
            "Go value".to_owned()
        } else if !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()) {
            // An index, or a key that looks like one.
            format!(".{path}")
        } else {
            format!("Go struct field .{path}")
        };
        let problem = format!("json: cannot unmarshal number {number} into {place} of type float64");
        self.range_error = Some(problem);
    }

    /// The JSON pointer to the value being read, with dots for slashes.
    fn path(&self) -> String {
        let mut steps = Vec::with_capacity(self.stack.len());
        for (depth, open) in self.stack.iter().enumerate() {
            steps.push(match &open.key {
                Some((key, _)) => key.replace('~', "~0").replace('/', "~1"),
                None => {
                    let inner = self.stack[depth + 1..].iter().find(|open| !open.object);
                    let end = inner.map_or(self.items.len(), |open| open.base);
                    (end - open.base).to_string()
                }
            });
        }
        steps.join(".")
    }

    fn string(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut text: Vec<u8> = Vec::new();
        loop {
            let run = self.at;
            while self
                .byte()
                .is_some_and(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\')
            {
                self.at += 1;
            }
            text.extend_from_slice(&self.bytes[run..self.at]);
            match self.byte() {
                None => return Err(ENDED.to_owned()),
                Some(b'"') => break,
                Some(b'\\') => self.escape(&mut text)?,
                Some(_) => return self.fail(Fault::Control),
            }
        }
        self.at += 1;
        // Bytes that are not UTF-8 become U+FFFD one by one.
        Ok(crate::yaml::resolve::replace_invalid(&text).into_owned())
    }

    fn escape(&mut self, text: &mut Vec<u8>) -> Result<(), String> {
        let rest = &self.bytes[self.at..];
        let character = match rest.get(1) {
            None => return Err(self.cut_escape(rest)),
            Some(&byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\x08',
            Some(b'f') => '\x0C',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(text),
            Some(_) => return Err(invalid_escape(self.engine, rest)),
        };
        let mut buffer = [0; 4];
        text.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
        self.at += 2;
        Ok(())
    }

    /// The text for an escape that the end of the input cuts short.
    fn cut_escape(&self, rest: &[u8]) -> String {
        match self.engine {
            Engine::Classic => invalid_escape(self.engine, rest),
            Engine::V2 => ENDED.to_owned(),
        }
    }

    /// `\uXXXX`, with its second half for what needs two; half a pair reads as U+FFFD.
    fn unicode_escape(&mut self, text: &mut Vec<u8>) -> Result<(), String> {
        let rest = &self.bytes[self.at..];
        let Some(first) = hex4(rest) else {
            let digits = rest[2..].iter().take(4);
            if rest.len() < 6 && digits.clone().all(u8::is_ascii_hexdigit) {
                return Err(self.cut_escape(rest));
            }
            return Err(invalid_escape(self.engine, rest));
        };
        self.at += 6;
        let mut code = u32::from(first);
        if first & 0xFC00 == 0xD800
            && let Some(second) = hex4(&rest[6..]).filter(|second| second & 0xFC00 == 0xDC00)
        {
            code = 0x1_0000 + ((code & 0x3FF) << 10) + u32::from(second & 0x3FF);
            self.at += 6;
        }
        let character = char::from_u32(code).unwrap_or('\u{FFFD}');
        let mut buffer = [0; 4];
        text.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
        Ok(())
    }
}

/// The number in a whole `\uXXXX` at the start.
fn hex4(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    let mut value = 0;
    for &digit in digits {
        let digit = char::from(digit).to_digit(16)?;
        value = (value << 4) | u16::try_from(digit).ok()?;
    }
    Some(value)
}
