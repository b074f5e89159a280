//! The grammar of `--set`, `--set-string`, `--set-file`, `--set-json` and `--set-literal`
//! (`pkg/strvals/parser.go`, `literal_parser.go`), rune by rune, oddities included.

use crate::base::Step;
use crate::value::{Data, List, Map, Marks, Value};

/// Reads the JSON value at the start of a text, which will stand at the spot, and tells how many bytes it took.
pub type JsonReader<'a> = dyn FnMut(&str, &Spot<'_>) -> Result<(Value, usize), String> + 'a;

/// A place of the values that an expression writes.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    /// The path from the root of the values. An empty key stands for what Helm ignores.
    pub path: &'a [Step],
    /// The marks of the map or list it is in.
    pub parent: Marks,
    /// Byte offset in the expression: of the value's text, or of the key for a map or list on the way to it.
    pub offset: usize,
}

/// Takes note of what an expression writes.
pub trait Recorder {
    /// The marks of a value, of an item in braces, or of a map or list that is made on the way.
    fn mark(&mut self, spot: &Spot<'_>) -> Marks;

    /// A value that was set, whole.
    fn set(&mut self, _spot: &Spot<'_>, _value: &Value) {}
}

/// How the text after `=` becomes a value.
pub enum Reader<'a> {
    /// `--set`: booleans, null and integers are recognised.
    Typed,
    /// `--set-string`
    Text,
    /// `--set-file`: the text is a path; the function reads it.
    File(&'a mut dyn FnMut(&str) -> Result<Value, String>),
    /// `--set-json`: the function reads one JSON value from the start of the text and tells how many bytes it took.
    Json(&'a mut JsonReader<'a>),
    /// `--set-literal`: no escapes, the whole rest is the value.
    Literal,
}

/// Applies one expression to the values built so far.
///
/// # Errors
/// Helm's own message. What was set before the fault stays set, as in Helm; the caller gives up anyway.
pub fn apply(
    expression: &str,
    values: &Map,
    reader: Reader<'_>,
    recorder: &mut dyn Recorder,
) -> Result<(), String> {
    let mut parser = Parser {
        text: expression,
        at: 0,
        path: Vec::new(),
        reader,
        recorder,
    };
    loop {
        parser.path.clear();
        match parser.key(values, Marks::NONE, 0) {
            Ok(()) => {}
            Err(Stop::End) => return Ok(()),
            Err(Stop::Fault(message)) => return Err(message),
        }
    }
}

/// `MaxIndex`
const MAX_INDEX: i64 = 65_536;
/// `MaxNestedNameLevel`
const MAX_NESTING: usize = 30;

/// Why a step ended: Go's `io.EOF`, or an error.
enum Stop {
    End,
    Fault(String),
}

impl From<String> for Stop {
    fn from(message: String) -> Stop {
        Stop::Fault(message)
    }
}

struct Parser<'a, 'r> {
    text: &'a str,
    at: usize,
    /// The keys and indices that lead to what is being set.
    path: Vec<Step>,
    reader: Reader<'r>,
    recorder: &'a mut dyn Recorder,
}

impl Parser<'_, '_> {
    /// The marks of what the path leads to.
    fn mark(&mut self, parent: Marks, offset: usize) -> Marks {
        self.recorder.mark(&Spot {
            path: &self.path,
            parent,
            offset,
        })
    }

    /// The marks of a map or list on the way: its own when it is there, else those of this expression.
    fn on_the_way(&mut self, existing: Option<&Value>, parent: Marks, offset: usize) -> Marks {
        match existing {
            Some(value) if !value.is_nil() => value.marks,
            _ => self.mark(parent, offset),
        }
    }

    /// One key with its value (`parser.key`).
    fn key(&mut self, data: &Map, parent: Marks, nesting: usize) -> Result<(), Stop> {
        let begin = self.at;
        let literal = matches!(self.reader, Reader::Literal);
        let stops: &[char] = if literal {
            &['=', '[', '.']
        } else {
            &['=', '[', ',', '.']
        };
        let (key, stop) = self.until(stops);
        self.path.push(Step::Key(key.clone()));
        match stop {
            None if key.is_empty() => Err(Stop::End),
            None => Err(Stop::Fault(format!("key {} has no value", quoted(&key)))),
            Some('[') => {
                let index = self.index()?;
                let existing = data.get(key.as_bytes());
                let list = match &existing {
                    None => Vec::new(),
                    Some(value) => as_list(value).map_err(unparsable)?,
                };
                let marks = self.on_the_way(existing.as_ref(), parent, begin);
                let (list, end) = self.item(list, index, marks, nesting);
                set(data, &key, Value::from(List::new(list)).with_marks(marks));
                end
            }
            Some('=') => {
                let (value, end) = self.value(parent)?;
                set(data, &key, value);
                end
            }
            Some(',') => {
                set(data, &key, Value::from(""));
                Err(Stop::Fault(format!(
                    "key {} has no value (cannot end with ,)",
                    quoted(&key)
                )))
            }
            Some(_) => {
                let existing = data.get(key.as_bytes());
                let marks = self.on_the_way(existing.as_ref(), parent, begin);
                self.below(data, &key, marks, nesting)
            }
        }
    }

    /// `key.`: a map below, with these marks.
    fn below(&mut self, data: &Map, key: &str, marks: Marks, nesting: usize) -> Result<(), Stop> {
        let nesting = deeper(nesting)?;
        let inner = match data.get(key.as_bytes()) {
            None => Map::new(),
            Some(value) => as_map(&value).map_err(unparsable)?,
        };
        let end = self.key(&inner, marks, nesting);
        if end.is_ok() && inner.is_empty() {
            return Err(Stop::Fault(format!("key map {} has no value", quoted(key))));
        }
        if !inner.is_empty() && data.get(key.as_bytes()).is_none() {
            set(data, key, Value::from(inner).with_marks(marks));
        }
        end
    }

    /// `[index]` and what follows it (`parser.listItem`): the changed list, and how it ended.
    fn item(
        &mut self,
        list: Vec<Value>,
        index: i64,
        parent: Marks,
        nesting: usize,
    ) -> (Vec<Value>, Result<(), Stop>) {
        let mut list = list;
        let end = self.item_into(&mut list, index, parent, nesting);
        (list, end)
    }

    fn item_into(
        &mut self,
        list: &mut Vec<Value>,
        index: i64,
        parent: Marks,
        nesting: usize,
    ) -> Result<(), Stop> {
        // Where the `[` of the index stands.
        let begin = self.text[..self.at].rfind('[').unwrap_or(self.at);
        if index < 0 {
            return Err(Stop::Fault(format!("negative {index} index not allowed")));
        }
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        self.path.push(Step::Index(at));
        let (key, stop) = self.until(&['[', '.', '=']);
        if !key.is_empty() {
            let runes: Vec<String> = key.chars().map(quoted_rune).collect();
            return Err(Stop::Fault(format!(
                "unexpected data at end of array index: [{}]",
                runes.join(" ")
            )));
        }
        match stop {
            None => Err(Stop::End),
            Some('=') => {
                // Go swallows the end of input here; the loop above meets it once more.
                let (value, _) = self.value(parent)?;
                put(list, index, value)
            }
            Some('[') => {
                let next = self.index()?;
                let nested = match list.get(at) {
                    Some(value) if !value.is_nil() => as_list(value).map_err(unparsable)?,
                    _ => Vec::new(),
                };
                let marks = self.on_the_way(list.get(at), parent, begin);
                let (nested, end) = self.item(nested, next, marks, nesting);
                end?;
                put(list, index, Value::from(List::new(nested)).with_marks(marks))
            }
            Some(_) => {
                let (inner, marks) = match list.get(at).map(|value| (as_map(value), value.marks)) {
                    Some((Ok(map), marks)) => (map, marks),
                    found => {
                        let inner = Value::from(Map::new()).with_marks(self.mark(parent, begin));
                        if found.is_some() {
                            list[at] = inner.clone();
                        }
                        (as_map(&inner).map_err(unparsable)?, inner.marks)
                    }
                };
                self.key(&inner, marks, nesting)?;
                put(list, index, Value::from(inner).with_marks(marks))
            }
        }
    }

    /// The value after `=` with its marks, and how it ended.
    fn value(&mut self, parent: Marks) -> Result<(Value, Result<(), Stop>), Stop> {
        let offset = self.at;
        let (value, end) = match &mut self.reader {
            Reader::Json(_) => (self.json(parent)?, Ok(())),
            Reader::Literal => {
                let rest = self.text[self.at..].to_owned();
                self.at = self.text.len();
                (Value::str(rest).with_marks(self.mark(parent, offset)), Ok(()))
            }
            _ if self.at == self.text.len() => {
                let empty = Value::from("").with_marks(self.mark(parent, offset));
                (empty, Err(Stop::End))
            }
            _ if self.text[self.at..].starts_with('{') => {
                self.at += 1;
                let marks = self.mark(parent, offset);
                (self.braces(marks)?.with_marks(marks), Ok(()))
            }
            _ => {
                let (text, _) = self.until(&[',']);
                let value = self.read(&text)?;
                (value.with_marks(self.mark(parent, offset)), Ok(()))
            }
        };
        let spot = Spot {
            path: &self.path,
            parent,
            offset,
        };
        self.recorder.set(&spot, &value);
        Ok((value, end))
    }

    /// `{a,b}` (`parser.valList`); the marks are those of the list.
    fn braces(&mut self, list: Marks) -> Result<Value, Stop> {
        let mut items = Vec::new();
        loop {
            let offset = self.at;
            let (text, stop) = self.until(&[',', '}']);
            match stop {
                None => return Err(Stop::Fault("list must terminate with '}'".to_owned())),
                Some(stop) => {
                    self.path.push(Step::Index(items.len()));
                    let marks = self.mark(list, offset);
                    self.path.pop();
                    items.push(self.read(&text)?.with_marks(marks));
                    if stop == '}' {
                        if self.text[self.at..].starts_with(',') {
                            self.at += 1;
                        }
                        return Ok(List::new(items).into());
                    }
                }
            }
        }
    }

    fn json(&mut self, parent: Marks) -> Result<Value, Stop> {
        let offset = self.at;
        if self.blank() {
            return Ok(Value::NIL.with_marks(self.mark(parent, offset)));
        }
        let Reader::Json(read) = &mut self.reader else {
            unreachable!("only called for --set-json")
        };
        let spot = Spot {
            path: &self.path,
            parent,
            offset: self.at,
        };
        let (value, taken) = read(&self.text[self.at..], &spot)?;
        self.at += taken;
        self.blank();
        Ok(value)
    }

    /// `emptyVal`: takes blanks and one comma; true when nothing else stood there.
    fn blank(&mut self) -> bool {
        while let Some(c) = self.text[self.at..].chars().next() {
            if c != ',' && !c.is_whitespace() {
                return false;
            }
            self.at += c.len_utf8();
            if c == ',' {
                return true;
            }
        }
        true
    }

    fn read(&mut self, text: &str) -> Result<Value, Stop> {
        match &mut self.reader {
            Reader::Typed => Ok(typed(text)),
            Reader::File(read) => Ok(read(text)?),
            _ => Ok(Value::from(text)),
        }
    }

    /// `runesUntil`: the text up to one of the stops, escapes resolved; the stop is consumed.
    fn until(&mut self, stops: &[char]) -> (String, Option<char>) {
        let escapes = !matches!(self.reader, Reader::Literal);
        let mut text = String::new();
        let mut chars = self.text[self.at..].char_indices();
        while let Some((offset, c)) = chars.next() {
            if stops.contains(&c) {
                self.at += offset + c.len_utf8();
                return (text, Some(c));
            }
            match c {
                '\\' if escapes => text.extend(chars.next().map(|(_, next)| next)),
                _ => text.push(c),
            }
        }
        self.at = self.text.len();
        (text, None)
    }

    /// `keyIndex`
    fn index(&mut self) -> Result<i64, Stop> {
        let (text, stop) = self.until(&[']']);
        if stop.is_none() {
            return Err(Stop::Fault("error parsing index: EOF".to_owned()));
        }
        let digits = text.strip_prefix(['+', '-']).unwrap_or(&text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(atoi(&text, "invalid syntax"));
        }
        text.parse().map_err(|_| atoi(&text, "value out of range"))
    }
}

fn atoi(text: &str, why: &str) -> Stop {
    Stop::Fault(format!(
        "error parsing index: strconv.Atoi: parsing {}: {why}",
        quoted(text)
    ))
}

fn deeper(nesting: usize) -> Result<usize, Stop> {
    if nesting < MAX_NESTING {
        return Ok(nesting + 1);
    }
    Err(Stop::Fault(format!(
        "value name nested level is greater than maximum supported nested level of {MAX_NESTING}"
    )))
}

/// `set`: an empty key is ignored.
fn set(data: &Map, key: &str, value: Value) {
    if !key.is_empty() {
        data.set(key.into(), value);
    }
}

/// `setIndex`
fn put(list: &mut Vec<Value>, index: i64, value: Value) -> Result<(), Stop> {
    if index > MAX_INDEX {
        return Err(Stop::Fault(format!(
            "index of {index} is greater than maximum supported index of {MAX_INDEX}"
        )));
    }
    let at = usize::try_from(index).expect("negative indices were refused before");
    if list.len() <= at {
        list.resize(at + 1, Value::NIL);
    }
    list[at] = value;
    Ok(())
}

fn quoted(text: &str) -> String {
    crate::value::quote::quote_str(text.as_bytes())
}

/// A rune as `%q` prints it.
fn quoted_rune(rune: char) -> String {
    let mut out = Vec::new();
    crate::value::quote::push_quoted(&mut out, rune.to_string().as_bytes(), b'\'', false);
    String::from_utf8_lossy(&out).into_owned()
}

fn unparsable(panic: String) -> Stop {
    Stop::Fault(format!("unable to parse key: {panic}"))
}

fn as_list(value: &Value) -> Result<Vec<Value>, String> {
    match &value.data {
        Data::List(list) => Ok(list.items().to_vec()),
        _ => Err(format!(
            "interface conversion: interface {{}} is {}, not []interface {{}}",
            type_of(value)
        )),
    }
}

fn as_map(value: &Value) -> Result<Map, String> {
    match &value.data {
        Data::Map(map) => Ok(map.clone()),
        _ => Err(format!(
            "interface conversion: interface {{}} is {}, not map[string]interface {{}}",
            type_of(value)
        )),
    }
}

fn type_of(value: &Value) -> &'static str {
    match value.data {
        Data::Bool(_) => "bool",
        Data::Int(..) => "int64",
        Data::Float(_) => "float64",
        Data::Str(_) => "string",
        Data::List(_) => "[]interface {}",
        Data::Map(_) => "map[string]interface {}",
        _ => "nil",
    }
}

/// `typedVal`
fn typed(text: &str) -> Value {
    if text.eq_ignore_ascii_case("true") {
        return Value::from(true);
    }
    if text.eq_ignore_ascii_case("false") {
        return Value::from(false);
    }
    if text.eq_ignore_ascii_case("null") {
        return Value::NIL;
    }
    if text == "0" {
        return Value::int64(0);
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if decimal && !text.starts_with('0') => Value::int64(number),
        _ => Value::from(text),
    }
}
