//! TOML items to values, in the steps of BurntSushi's parser. A table that is only implied by a longer
//! name may still be written out once; which names are taken is decided as there.

use super::datetime;
use super::lex::{self, Fault, Item, Kind, MOST_LEVELS, TOO_DEEP};
use crate::value::effort;
use crate::value::number::{NumberError, parse_float, parse_int};
use crate::value::quote::quote_str;
use crate::value::{ElemType, List, Map, MapType, Text, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Why a text is not read.
pub(super) enum Failure {
    /// The library's error, as it prints.
    Told(String),
    /// A panic of the library.
    Panic(String),
}

/// A table under construction.
type Table = BTreeMap<String, Held>;

/// What stands under a key.
enum Held {
    Value(Value),
    Table(Table),
    Tables(Vec<Table>),
}

/// A name with its parts.
type Key = Vec<String>;

/// Reads a document into a map.
pub(super) fn parse(text: &[u8], newer: bool) -> Result<Value, Failure> {
    let text = match text {
        [0xff, 0xfe, rest @ ..] | [0xfe, 0xff, rest @ ..] | [0xef, 0xbb, 0xbf, rest @ ..] => rest,
        _ => text,
    };
    if text.iter().take(6).any(|&byte| byte == 0) {
        let message = "files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8";
        return Err(Failure::Told(format!("toml: line 1: {message}")));
    }
    let (items, fault) = lex::lex(text, newer);
    let mut parser = Parser {
        items: items.into_iter(),
        fault,
        newer,
        context: Key::new(),
        key: String::new(),
        line: 0,
        root: Table::new(),
        arrays: FxHashSet::default(),
        implicit: FxHashSet::default(),
    };
    parser.document()?;
    Ok(finished(parser.root))
}

fn finished(table: Table) -> Value {
    let entries = table
        .into_iter()
        .map(|(key, held)| (Text::from(key), held.finish()))
        .collect();
    Value::from(Map::from_sorted(MapType::Any, entries))
}

impl Held {
    fn finish(self) -> Value {
        match self {
            Held::Value(value) => value,
            Held::Table(table) => finished(table),
            Held::Tables(tables) => {
                let tables: Vec<Value> = tables.into_iter().map(finished).collect();
                Value::from(List::typed(ElemType::Map, tables))
            }
        }
    }
}

/// A name as it prints: parts that are not bare are quoted.
pub(super) fn written(key: &[impl AsRef<str>]) -> String {
    let parts: Vec<String> = key.iter().map(|part| written_part(part.as_ref())).collect();
    parts.join(".")
}

/// One part of a name.
pub(super) fn written_part(part: &str) -> String {
    let bare = |rune: char| rune.is_ascii_alphanumeric() || rune == '_' || rune == '-';
    if !part.is_empty() && part.chars().all(bare) {
        return part.to_owned();
    }
    let mut out = Vec::new();
    super::write::push_quoted(&mut out, part.as_bytes());
    String::from_utf8_lossy(&out).into_owned()
}

struct Parser {
    items: std::vec::IntoIter<Item>,
    fault: Option<Fault>,
    newer: bool,
    /// The table that keys go to.
    context: Key,
    /// The key being read.
    key: String,
    /// The line errors about keys name.
    line: usize,
    root: Table,
    /// Names that hold an array.
    arrays: FxHashSet<String>,
    /// Names of tables that nobody wrote out.
    implicit: FxHashSet<String>,
}

type Parsed<T = ()> = Result<T, Failure>;

impl Parser {
    fn next(&mut self) -> Parsed<Item> {
        if let Some(item) = self.items.next() {
            return Ok(item);
        }
        if self.fault.as_ref().is_some_and(|fault| fault.message == TOO_DEEP) {
            return Err(Failure::Panic(TOO_DEEP.to_owned()));
        }
        let fault = self.fault.take().unwrap_or(Fault {
            message: "unexpected EOF".to_owned(),
            line: self.line,
        });
        self.fail(fault.line, &fault.message)
    }

    /// The next item, whose line later errors will name.
    fn next_marked(&mut self) -> Parsed<Item> {
        let item = self.next()?;
        self.line = item.line;
        Ok(item)
    }

    fn fail<T>(&self, line: usize, message: &str) -> Parsed<T> {
        let last = match (self.key.is_empty(), self.context.is_empty()) {
            (true, _) => written(&self.context),
            (false, true) => self.key.clone(),
            (false, false) => format!("{}.{}", written(&self.context), self.key),
        };
        let last = match last.is_empty() {
            true => String::new(),
            false => format!(" (last key {})", quote_str(last.as_bytes())),
        };
        Err(Failure::Told(format!("toml: line {line}{last}: {message}")))
    }

    fn fail_at_key<T>(&self, message: &str) -> Parsed<T> {
        self.fail(self.line, message)
    }

    fn document(&mut self) -> Parsed {
        loop {
            let item = self.next()?;
            match item.kind {
                Kind::End => return Ok(()),
                Kind::CommentStart => {
                    self.next()?;
                }
                Kind::TableStart | Kind::ArrayTableStart => {
                    let array = item.kind == Kind::ArrayTableStart;
                    let end = if array {
                        Kind::ArrayTableEnd
                    } else {
                        Kind::TableEnd
                    };
                    let name = self.name_until(end)?;
                    self.add_context(&name, array)?;
                    self.note_type("", false);
                }
                _ => {
                    let outer = self.context.clone();
                    self.dotted_key()?;
                    let item = self.next()?;
                    let (held, array) = self.value(&item, false)?;
                    let key = self.key.clone();
                    self.set_value(&key, held)?;
                    self.note_type(&key, array);
                    self.context = outer;
                    self.key = String::new();
                }
            }
        }
    }

    fn name_until(&mut self, end: Kind) -> Parsed<Key> {
        let mut name = Key::new();
        let mut item = self.next_marked()?;
        while item.kind != end && item.kind != Kind::End {
            name.push(self.key_part(&item)?);
            item = self.next()?;
        }
        Ok(name)
    }

    /// Reads a key up to its `=`: the last part becomes the current key, the others a context.
    fn dotted_key(&mut self) -> Parsed<Key> {
        let mut name = self.name_until(Kind::KeyEnd)?;
        self.key = name.pop().unwrap_or_default();
        for part in &name {
            let mut context = self.context.clone();
            context.push(part.clone());
            self.implicit.insert(written(&context));
            self.add_context(&context, false)?;
        }
        Ok(name)
    }

    fn key_part(&mut self, item: &Item) -> Parsed<String> {
        match item.kind {
            Kind::Text => Ok(item.text.clone()),
            _ => self.string(item),
        }
    }

    // ---- names

    /// The table of a path, through the last table of every array of tables.
    fn table_at(&mut self, path: &[String]) -> Result<&mut Table, usize> {
        let mut table = &mut self.root;
        for (depth, part) in path.iter().enumerate() {
            table = match table.get_mut(part) {
                Some(Held::Table(inner)) => inner,
                Some(Held::Tables(tables)) => tables.last_mut().ok_or(depth)?,
                _ => return Err(depth),
            };
        }
        Ok(table)
    }

    fn add_context(&mut self, name: &[String], array: bool) -> Parsed {
        let Some((last, parents)) = name.split_last() else {
            return Ok(());
        };
        // Each step starts at the root again, as the library's does.
        let steps = parents.len() as u64;
        if parents.len() > MOST_LEVELS || !effort::spend(steps * steps) {
            return Err(Failure::Panic(TOO_DEEP.to_owned()));
        }
        for depth in 0..parents.len() {
            let (above, part) = (&parents[..depth], &parents[depth]);
            let known = match self.table_at(above) {
                Ok(table) => table.contains_key(part),
                Err(_) => true,
            };
            if !known {
                self.implicit.insert(written(&parents[..=depth]));
                if let Ok(table) = self.table_at(above) {
                    table.insert(part.clone(), Held::Table(Table::new()));
                }
            }
            if self.table_at(&parents[..=depth]).is_err() {
                let message = format!(
                    "Key '{}' was already created as a hash.",
                    written(&parents[..=depth])
                );
                return self.fail_at_key(&message);
            }
        }
        self.context = parents.to_vec();
        if array {
            let taken = match self.table_at(parents) {
                Ok(table) => {
                    match table
                        .entry(last.clone())
                        .or_insert_with(|| Held::Tables(Vec::new()))
                    {
                        Held::Tables(tables) => {
                            tables.push(Table::new());
                            false
                        }
                        _ => true,
                    }
                }
                Err(_) => true,
            };
            if taken {
                let message = format!(
                    "Key '{}' was already created and cannot be used as an array.",
                    written(name)
                );
                return self.fail_at_key(&message);
            }
        } else {
            self.set_value(last, Held::Table(Table::new()))?;
        }
        self.context.push(last.clone());
        Ok(())
    }

    /// Sets a key of the context, once.
    fn set_value(&mut self, key: &str, held: Held) -> Parsed {
        let context = self.context.clone();
        let table = match self.table_at(&context) {
            Ok(table) => table,
            Err(depth) => {
                let name = written(&context[..=depth.min(context.len() - 1)]);
                return self.fail_at_key(&format!("Key '{name}' has already been defined."));
            }
        };
        if !table.contains_key(key) {
            table.insert(key.to_owned(), held);
            return Ok(());
        }
        let mut name = context.clone();
        name.push(key.to_owned());
        let name = written(&name);
        let implied = self.implicit.remove(&name);
        let array = self.arrays.contains(&name);
        // BurntSushi 1.5 lets an array replace whatever was there.
        if !implied && (self.newer || !array) {
            return self.fail_at_key(&format!("Key '{name}' has already been defined."));
        }
        // A table that was implied is there already; an array replaces what its inline tables left.
        if array && let Ok(table) = self.table_at(&context) {
            table.insert(key.to_owned(), held);
        }
        Ok(())
    }

    fn note_type(&mut self, key: &str, array: bool) {
        let mut name = self.context.clone();
        if !key.is_empty() || name.is_empty() {
            name.push(key.to_owned());
        }
        let name = written(&name);
        if array {
            self.arrays.insert(name);
        } else {
            self.arrays.remove(&name);
        }
    }

    // ---- values

    /// A value, and whether it is an array.
    fn value(&mut self, item: &Item, in_array: bool) -> Parsed<(Held, bool)> {
        let value = match item.kind {
            Kind::Integer => self.integer(item)?,
            Kind::Float => self.float(item)?,
            Kind::Bool => Value::from(item.text == "true"),
            Kind::Datetime => match datetime::parse(&item.text, self.newer) {
                Ok(time) => time,
                Err(message) => return self.fail(item.line, &message),
            },
            Kind::Array => return Ok((Held::Value(self.array(item)?), true)),
            Kind::InlineTableStart => return Ok((Held::Table(self.inline_table(in_array)?), false)),
            _ => Value::str(self.string(item)?),
        };
        Ok((Held::Value(value), false))
    }

    fn array(&mut self, _: &Item) -> Parsed<Value> {
        let key = self.key.clone();
        self.note_type(&key, true);
        let mut items = Vec::new();
        loop {
            let item = self.next()?;
            match item.kind {
                Kind::ArrayEnd => return Ok(Value::from(List::new(items))),
                Kind::CommentStart => {
                    self.next()?;
                }
                _ => items.push(self.value(&item, true)?.0.finish()),
            }
        }
    }

    fn inline_table(&mut self, in_array: bool) -> Parsed<Table> {
        let mut top = Table::new();
        let (outer, outer_key) = (self.context.clone(), self.key.clone());
        let mut own = outer.clone();
        own.push(std::mem::take(&mut self.key));
        self.implicit.insert(written(&own));
        self.context.clone_from(&own);
        self.add_context(&own, in_array)?;
        loop {
            let item = self.next()?;
            match item.kind {
                Kind::InlineTableEnd => break,
                Kind::CommentStart => {
                    self.next()?;
                    continue;
                }
                _ => {}
            }
            let parents = self.dotted_key()?;
            let item = self.next()?;
            let (held, array) = self.value(&item, false)?;
            let key = self.key.clone();
            let copy = held.copied();
            self.set_value(&key, copy)?;
            self.note_type(&key, array);
            let mut table = &mut top;
            for part in parents {
                let inner = table.entry(part).or_insert_with(|| Held::Table(Table::new()));
                match inner {
                    Held::Table(inner) => table = inner,
                    _ => {
                        let context = quote_str(written(&self.context).as_bytes());
                        return self.fail_at_key(&format!("{context} is not a table"));
                    }
                }
            }
            table.insert(key, held);
            self.context.clone_from(&own);
        }
        self.context = outer;
        self.key = outer_key;
        Ok(top)
    }

    fn integer(&mut self, item: &Item) -> Parsed<Value> {
        let text = &item.text;
        let told = |what: &str| format!("Invalid integer {}: {what}", quote_str(text.as_bytes()));
        if !underscores_fit(text) {
            return self.fail(item.line, &told("underscores must be surrounded by digits"));
        }
        if has_leading_zero(text) {
            return self.fail(item.line, &told("cannot have leading zeroes"));
        }
        match parse_int(text, 0) {
            Ok(number) => Ok(Value::int64(number)),
            Err(NumberError::Range) => self.fail(item.line, &format!("{text} is out of range for int64")),
            Err(NumberError::Syntax) => Err(Failure::Panic(format!(
                "BUG: Expected integer value, but got '{text}'.\n\n"
            ))),
        }
    }

    fn float(&mut self, item: &Item) -> Parsed<Value> {
        let text = &item.text;
        let told = |what: &str| format!("Invalid float {}: {what}", quote_str(text.as_bytes()));
        let mut parts = text
            .split(['.', 'e', 'E'])
            .filter(|part| !part.is_empty())
            .peekable();
        let first = parts.peek().copied().unwrap_or_default();
        if !parts.all(underscores_fit) {
            return self.fail(item.line, &told("underscores must be surrounded by digits"));
        }
        if has_leading_zero(first) {
            return self.fail(item.line, &told("cannot have leading zeroes"));
        }
        if !points_are_followed_by_digits(text) {
            return self.fail(item.line, &told("'.' must be followed by one or more digits"));
        }
        let plain = text.replace('_', "");
        let number = match plain.as_str() {
            "+nan" => Ok(f64::NAN),
            "-nan" => Ok(-f64::NAN),
            _ => parse_float(&plain),
        };
        match number {
            Ok(number) => Ok(Value::float(number)),
            Err(NumberError::Range) => self.fail(item.line, &format!("{text} is out of range for float64")),
            Err(NumberError::Syntax) => {
                let message = format!("Invalid float value: {}", quote_str(text.as_bytes()));
                self.fail(item.line, &message)
            }
        }
    }

    fn string(&mut self, item: &Item) -> Parsed<String> {
        let text = &item.text;
        match item.kind {
            Kind::EscapedString => self.unescaped(item, text),
            Kind::MultilineString => {
                let text = without_escaped_breaks(without_first_break(text));
                self.unescaped(item, &text)
            }
            Kind::RawMultilineString => Ok(without_first_break(text).to_owned()),
            _ => Ok(text.clone()),
        }
    }

    fn unescaped(&mut self, item: &Item, text: &str) -> Parsed<String> {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('\\') {
            out.push_str(&rest[..at]);
            let kind = rest[at + 1..].chars().next().unwrap_or_default();
            let digits = match kind {
                'x' => 2,
                'u' => 4,
                'U' => 8,
                _ => 0,
            };
            let end = at + 1 + kind.len_utf8() + digits;
            let code = rest.get(end - digits..end).unwrap_or_default();
            out.push(match kind {
                'b' => '\u{8}',
                't' => '\t',
                'n' => '\n',
                'f' => '\u{c}',
                'r' => '\r',
                'e' => '\u{1b}',
                'x' | 'u' | 'U' => match u32::from_str_radix(code, 16).ok().and_then(char::from_u32) {
                    Some(rune) => rune,
                    None => {
                        let message = format!("Escaped character '\\u{code}' is not valid UTF-8.");
                        return self.fail(item.line, &message);
                    }
                },
                ' ' | '\t' => return self.fail(item.line, &format!("invalid escape: '\\{kind}'")),
                _ => kind,
            });
            rest = rest.get(end..).unwrap_or_default();
        }
        out.push_str(rest);
        Ok(out)
    }
}

impl Held {
    /// The same again; maps are made anew.
    fn copied(&self) -> Held {
        match self {
            Held::Value(value) => Held::Value(value.clone()),
            Held::Table(table) => Held::Table(copied(table)),
            Held::Tables(tables) => Held::Tables(tables.iter().map(copied).collect()),
        }
    }
}

fn copied(table: &Table) -> Table {
    table
        .iter()
        .map(|(key, held)| (key.clone(), held.copied()))
        .collect()
}

/// Every underscore stands behind a digit, and a digit stands at the end.
fn underscores_fit(text: &str) -> bool {
    if matches!(text, "nan" | "+nan" | "-nan" | "inf" | "+inf" | "-inf") {
        return true;
    }
    let mut fits = false;
    for rune in text.chars() {
        if rune == '_' && !fits {
            return false;
        }
        fits = rune.is_ascii_hexdigit();
    }
    fits
}

fn has_leading_zero(text: &str) -> bool {
    match text.as_bytes() {
        [b'0', b'b' | b'o' | b'x', ..] => false,
        [b'0', _, ..] => true,
        [b'-' | b'+', b'0', _, ..] => true,
        _ => false,
    }
}

fn points_are_followed_by_digits(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit_after = |at: usize| bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
    bytes
        .iter()
        .enumerate()
        .all(|(at, &byte)| byte != b'.' || digit_after(at))
}

fn without_first_break(text: &str) -> &str {
    text.strip_prefix('\n')
        .or_else(|| text.strip_prefix("\r\n"))
        .unwrap_or(text)
}

/// Drops each backslash before a line break together with all white space behind it.
fn without_escaped_breaks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut from = 0;
    while let Some(found) = rest[from..].find('\\') {
        let at = from + found;
        if rest[at + 1..].starts_with('\\') {
            from = at + 2;
            continue;
        }
        let white = rest[at + 1..].len() - rest[at + 1..].trim_start_matches([' ', '\t', '\r', '\n']).len();
        let end = at + 1 + white;
        if !rest[at..end].contains('\n') {
            from = at + 1;
            continue;
        }
        out.push_str(&rest[..at]);
        rest = &rest[end..];
        from = 0;
    }
    out.push_str(rest);
    out
}
