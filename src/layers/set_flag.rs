//! The grammar of `--set`, `--set-string`, `--set-file`, `--set-json` and `--set-literal`
//! (`pkg/strvals/parser.go`, `literal_parser.go`), rune by rune, oddities included.

use crate::value::{Data, List, Map, Value};

/// Reads the JSON value at the start of a text, and tells how many bytes it took.
pub type JsonReader<'a> = dyn FnMut(&str) -> Result<(Value, usize), String> + 'a;

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

/// Applies one expression to the values built so far. `mark` marks each value that is set, given the byte
/// offset of its text in the expression.
///
/// # Errors
/// Helm's own message. What was set before the fault stays set, as in Helm; the caller gives up anyway.
pub fn apply(
    expression: &str,
    values: &Map,
    reader: Reader<'_>,
    mark: &mut dyn FnMut(usize) -> crate::value::Marks,
) -> Result<(), String> {
    let mut parser = Parser {
        text: expression,
        at: 0,
        reader,
        mark,
    };
    loop {
        match parser.key(values, 0) {
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
    reader: Reader<'r>,
    mark: &'a mut dyn FnMut(usize) -> crate::value::Marks,
}

impl Parser<'_, '_> {
    /// One key with its value (`parser.key`).
    fn key(&mut self, data: &Map, nesting: usize) -> Result<(), Stop> {
        let literal = matches!(self.reader, Reader::Literal);
        let stops: &[char] = if literal {
            &['=', '[', '.']
        } else {
            &['=', '[', ',', '.']
        };
        let (key, stop) = self.until(stops);
        match stop {
            None if key.is_empty() => Err(Stop::End),
            None => Err(Stop::Fault(format!("key {} has no value", quoted(&key)))),
            Some('[') => {
                let index = self.index()?;
                let list = match data.get(key.as_bytes()) {
                    None => Vec::new(),
                    Some(value) => as_list(&value).map_err(unparsable)?,
                };
                let (list, end) = self.item(list, index, nesting);
                set(data, &key, List::new(list).into());
                end
            }
            Some('=') => {
                let start = self.at;
                let (value, end) = self.value()?;
                let value = value.with_marks((self.mark)(start));
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
            Some(_) => self.below(data, &key, nesting),
        }
    }

    /// `key.`: a map below.
    fn below(&mut self, data: &Map, key: &str, nesting: usize) -> Result<(), Stop> {
        let nesting = deeper(nesting)?;
        let inner = match data.get(key.as_bytes()) {
            None => Map::new(),
            Some(value) => as_map(&value).map_err(unparsable)?,
        };
        let end = self.key(&inner, nesting);
        if end.is_ok() && inner.is_empty() {
            return Err(Stop::Fault(format!("key map {} has no value", quoted(key))));
        }
        if !inner.is_empty() && data.get(key.as_bytes()).is_none() {
            set(data, key, inner.into());
        }
        end
    }

    /// `[index]` and what follows it (`parser.listItem`): the changed list, and how it ended.
    fn item(&mut self, list: Vec<Value>, index: i64, nesting: usize) -> (Vec<Value>, Result<(), Stop>) {
        let mut list = list;
        let end = self.item_into(&mut list, index, nesting);
        (list, end)
    }

    fn item_into(&mut self, list: &mut Vec<Value>, index: i64, nesting: usize) -> Result<(), Stop> {
        if index < 0 {
            return Err(Stop::Fault(format!("negative {index} index not allowed")));
        }
        let at = usize::try_from(index).unwrap_or(usize::MAX);
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
                let start = self.at;
                // Go swallows the end of input here; the loop above meets it once more.
                let (value, _) = self.value()?;
                put(list, index, value.with_marks((self.mark)(start)))
            }
            Some('[') => {
                let next = self.index()?;
                let nested = match list.get(at) {
                    Some(value) if !value.is_nil() => as_list(value).map_err(unparsable)?,
                    _ => Vec::new(),
                };
                let (nested, end) = self.item(nested, next, nesting);
                end?;
                put(list, index, List::new(nested).into())
            }
            Some(_) => {
                let inner = match list.get(at) {
                    None => Map::new(),
                    Some(value) => match as_map(value) {
                        Ok(map) => map,
                        Err(_) => {
                            let map = Map::new();
                            list[at] = map.clone().into();
                            map
                        }
                    },
                };
                self.key(&inner, nesting)?;
                put(list, index, inner.into())
            }
        }
    }

    /// The value after `=`, and how it ended.
    fn value(&mut self) -> Result<(Value, Result<(), Stop>), Stop> {
        match &mut self.reader {
            Reader::Json(_) => self.json(),
            Reader::Literal => {
                let rest = self.text[self.at..].to_owned();
                self.at = self.text.len();
                Ok((Value::str(rest), Ok(())))
            }
            _ if self.at == self.text.len() => Ok((Value::from(""), Err(Stop::End))),
            _ if self.text[self.at..].starts_with('{') => {
                self.at += 1;
                Ok((self.braces()?, Ok(())))
            }
            _ => {
                let (text, _) = self.until(&[',']);
                Ok((self.read(&text)?, Ok(())))
            }
        }
    }

    /// `{a,b}` (`parser.valList`)
    fn braces(&mut self) -> Result<Value, Stop> {
        let mut items = Vec::new();
        loop {
            let (text, stop) = self.until(&[',', '}']);
            match stop {
                None => return Err(Stop::Fault("list must terminate with '}'".to_owned())),
                Some(stop) => {
                    let start = self.at;
                    let marks = (self.mark)(start - text.len().min(start));
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

    fn json(&mut self) -> Result<(Value, Result<(), Stop>), Stop> {
        if self.blank() {
            return Ok((Value::NIL, Ok(())));
        }
        let Reader::Json(read) = &mut self.reader else {
            unreachable!("only called for --set-json")
        };
        let (value, taken) = read(&self.text[self.at..])?;
        self.at += taken;
        self.blank();
        Ok((value, Ok(())))
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
