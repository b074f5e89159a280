//! Values to TOML text as BurntSushi's encoder writes them: scalars first, then tables, keys sorted, two
//! spaces per level.

use super::parse::{written, written_part};
use crate::funcs::moment::Moment;
use crate::value::depth::MOST_LEVELS;
use crate::value::effort;
use crate::value::float::push_float;
use crate::value::print::duration_text;
use crate::value::{Data, Object, ObjectKind, Value};
use std::rc::Rc;

/// Why a value is not written.
pub(super) enum Failure {
    /// The library's error, as it prints.
    Told(String),
    /// A panic, or a bound of ours.
    Panic(String),
}

fn told<T>(message: &str) -> Result<T, Failure> {
    Err(Failure::Told(message.to_owned()))
}

/// What TOML calls a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    /// Nothing: it is left out.
    Nil,
    Scalar,
    Array,
    Table,
    Tables,
}

/// An entry of a table: its key and its value.
type Entry = (String, Value);

/// Writes a value; `exponents` lets floats have them (BurntSushi 1.6).
pub(super) fn to_toml(value: &Value, exponents: bool) -> Result<Vec<u8>, Failure> {
    if value.is_nil() {
        return Err(Failure::Panic(
            "reflect: call of reflect.Value.Type on zero Value".to_owned(),
        ));
    }
    let mut writer = Writer {
        out: Vec::new(),
        exponents,
    };
    writer.encode(&mut Vec::new(), value)?;
    Ok(writer.out)
}

struct Writer {
    out: Vec<u8>,
    exponents: bool,
}

type Written = Result<(), Failure>;

fn type_of(value: &Value, level: usize) -> Result<Type, Failure> {
    if level > MOST_LEVELS || !effort::spend(1) {
        return Err(Failure::Panic(format!(
            "maps and lists are nested more than {MOST_LEVELS} deep"
        )));
    }
    Ok(match &value.data {
        Data::Invalid | Data::Nil => Type::Nil,
        Data::Complex(_) => return told("unsupported type: complex128"),
        Data::Map(map) => {
            if map.is_nil() {
                Type::Nil
            } else {
                Type::Table
            }
        }
        Data::List(list) if list.is_nil() => Type::Nil,
        Data::List(list) => type_of_items(list.items(), level)?,
        Data::Bytes(_) => Type::Array,
        Data::Object(object) => type_of_object(&***object, level)?,
        _ => Type::Scalar,
    })
}

/// Every element is looked at, down to the last scalar: a nil among them is an error.
fn type_of_items(items: &[Value], level: usize) -> Result<Type, Failure> {
    let mut all_tables = !items.is_empty();
    for item in items {
        match type_of(item, level + 1)? {
            Type::Nil => return told("toml: cannot encode array with nil element"),
            kind => all_tables &= kind == Type::Table,
        }
    }
    Ok(if all_tables { Type::Tables } else { Type::Array })
}

fn type_of_object(object: &dyn Object, level: usize) -> Result<Type, Failure> {
    if text_of(object).is_some() || moment(object).is_some() {
        return Ok(Type::Scalar);
    }
    Ok(match object.kind() {
        ObjectKind::Slice => {
            let items: Vec<Value> = object.fields().into_iter().map(|field| field.1).collect();
            type_of_items(&items, level)?
        }
        _ => Type::Table,
    })
}

fn moment(object: &dyn Object) -> Option<&Moment> {
    object.as_any().and_then(|any| any.downcast_ref())
}

/// The text of an object that marshals itself as text.
fn text_of(object: &dyn Object) -> Option<String> {
    match (object.kind(), object.to_json().data) {
        (ObjectKind::Pointer | ObjectKind::Struct, Data::Str(text)) => Some(text.lossy().into_owned()),
        _ => None,
    }
}

fn elements(value: &Value) -> Vec<Value> {
    crate::funcs::lists::elements(value)
        .unwrap_or_default()
        .into_owned()
}

/// The entries of a table: of a map sorted, of a struct in its order, embedded structs as if their fields
/// were its own.
fn entries(value: &Value) -> Vec<Entry> {
    match &value.data {
        Data::Map(map) => {
            let entries = map.entries();
            entries
                .iter()
                .map(|entry| (entry.0.lossy().into_owned(), entry.1.clone()))
                .collect()
        }
        Data::Object(object) => fields(object),
        _ => Vec::new(),
    }
}

fn fields(object: &Rc<Box<dyn Object>>) -> Vec<Entry> {
    let mut all = Vec::new();
    for (name, value) in object.fields() {
        match &value.data {
            Data::Object(inner) if object.embeds(&name) => all.extend(fields(inner)),
            _ if object.kind() == ObjectKind::Map || is_exported(&name) => all.push((name, value)),
            _ => {}
        }
    }
    all
}

/// True for the name of a field that Go's encoders see.
pub(in crate::funcs) fn is_exported(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

impl Writer {
    fn push(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn newline(&mut self) {
        if !self.out.is_empty() {
            self.out.push(b'\n');
        }
    }

    fn indent(&mut self, key: &[String]) {
        let width = 2 * key.len().saturating_sub(1);
        self.out.resize(self.out.len() + width, b' ');
    }

    fn encode(&mut self, key: &mut Vec<String>, value: &Value) -> Written {
        if let Data::Complex(_) = value.data {
            return told(&format!(
                "unsupported type for key '{}': complex128",
                written(key)
            ));
        }
        match type_of(value, key.len())? {
            Type::Nil => Ok(()),
            Type::Table => self.table(key, value),
            Type::Tables => self.tables(key, value),
            Type::Scalar | Type::Array => self.key_value(key, value, false),
        }
    }

    fn tables(&mut self, key: &mut Vec<String>, value: &Value) -> Written {
        if key.is_empty() {
            return told("toml: top-level values must be Go maps or structs");
        }
        for item in elements(value) {
            self.newline();
            self.indent(key);
            let header = format!("[[{}]]", written(key));
            self.push(&header);
            self.newline();
            self.entries(key, &item, false)?;
        }
        Ok(())
    }

    fn table(&mut self, key: &mut Vec<String>, value: &Value) -> Written {
        if key.len() == 1 {
            self.newline();
        }
        if !key.is_empty() {
            self.indent(key);
            let header = format!("[{}]", written(key));
            self.push(&header);
            self.newline();
        }
        self.entries(key, value, false)
    }

    /// The entries of a table: scalars and arrays first, then tables.
    fn entries(&mut self, key: &mut Vec<String>, value: &Value, inline: bool) -> Written {
        let (mut direct, mut below) = (Vec::new(), Vec::new());
        for entry in entries(value) {
            match type_of(&entry.1, key.len() + 1)? {
                Type::Table | Type::Tables => below.push(entry),
                _ => direct.push(entry),
            }
        }
        if inline {
            self.push("{");
        }
        let more = !below.is_empty();
        self.group(key, &direct, inline, more)?;
        self.group(key, &below, inline, false)?;
        if inline {
            self.push("}");
        }
        Ok(())
    }

    fn group(&mut self, key: &mut Vec<String>, entries: &[Entry], inline: bool, more: bool) -> Written {
        for (at, (name, value)) in entries.iter().enumerate() {
            if type_of(value, key.len() + 1)? == Type::Nil {
                continue;
            }
            if inline {
                self.key_value(std::slice::from_ref(name), value, true)?;
                if more || at + 1 < entries.len() {
                    self.push(", ");
                }
            } else {
                key.push(name.clone());
                self.encode(key, value)?;
                key.pop();
            }
        }
        Ok(())
    }

    fn key_value(&mut self, key: &[String], value: &Value, inline: bool) -> Written {
        let Some(name) = key.last() else {
            return self.element(value);
        };
        self.indent(key);
        let name = written_part(name);
        self.push(&name);
        self.push(" = ");
        self.element(value)?;
        if !inline {
            self.newline();
        }
        Ok(())
    }

    fn element(&mut self, value: &Value) -> Written {
        match &value.data {
            Data::Str(text) => push_quoted(&mut self.out, text.bytes()),
            Data::Bool(truth) => self.push(if *truth { "true" } else { "false" }),
            Data::Int(_, number) => self.push(&number.to_string()),
            Data::Uint(_, number) => self.push(&number.to_string()),
            Data::Float(number) => self.float(*number),
            Data::Duration(nanos) => push_quoted(&mut self.out, duration_text(*nanos).as_bytes()),
            Data::Object(object) => {
                if let Some(moment) = moment(&***object) {
                    self.push(&moment.to_toml());
                } else if let Some(text) = text_of(&***object) {
                    push_quoted(&mut self.out, text.as_bytes());
                } else if object.kind() == ObjectKind::Slice {
                    self.array(value)?;
                } else {
                    self.entries(&mut Vec::new(), value, true)?;
                }
            }
            Data::Map(_) => self.entries(&mut Vec::new(), value, true)?,
            _ => self.array(value)?,
        }
        Ok(())
    }

    fn array(&mut self, value: &Value) -> Written {
        self.push("[");
        for (at, item) in elements(value).iter().enumerate() {
            if at > 0 {
                self.push(", ");
            }
            self.element(item)?;
        }
        self.push("]");
        Ok(())
    }

    /// A float always shows that it is one.
    fn float(&mut self, number: f64) {
        if number.is_nan() || number.is_infinite() {
            let sign = if number.is_sign_negative() { "-" } else { "" };
            let word = if number.is_nan() { "nan" } else { "inf" };
            return self.push(&format!("{sign}{word}"));
        }
        let start = self.out.len();
        push_float(
            &mut self.out,
            number,
            if self.exponents { b'g' } else { b'f' },
            None,
        );
        if !self.out[start..].iter().any(|byte| matches!(byte, b'.' | b'e')) {
            self.push(".0");
        }
    }
}

/// A string in double quotes.
pub(super) fn push_quoted(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for &byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\x08' => out.extend_from_slice(b"\\b"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\x0c' => out.extend_from_slice(b"\\f"),
            b'\r' => out.extend_from_slice(b"\\r"),
            0..0x20 | 0x7f => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}
