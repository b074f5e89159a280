//! Go's `fmt` for our values: `print`, `println`, `printf` with every verb and flag (`fmt/print.go`).
//!
//! The printer writes bytes. Where asked, it notes which argument wrote which bytes, so that a caller can
//! keep the history of the pieces.

use super::data::{Data, Value};
use super::depth::MOST_LEVELS;
use super::effort;
use super::format::{Case, Flags};
use super::object::{Object, ObjectKind};
use super::types::type_name;
use crate::dialect::Dialect;

/// Bytes that one argument wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// First byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
    /// Number of the argument.
    pub arg: usize,
}

/// What was printed.
#[derive(Debug, Default)]
pub struct Printed {
    /// The text.
    pub bytes: Vec<u8>,
    /// Who wrote what, in order; empty unless asked for.
    pub pieces: Vec<Piece>,
    /// What a reader of the text should know.
    pub notes: Notes,
}

/// What happened while values were printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// An address was printed, which is chance in Go.
    pub address: bool,
    /// A value was nested too deep and is not there as a whole. Go would not have come back.
    pub bottomless: bool,
}

/// `fmt.Sprint`: spaces between operands when neither is a string.
pub fn sprint(args: &[Value], dialect: Dialect, pieces: bool) -> Printed {
    let mut printer = Printer::new(dialect, pieces);
    let mut text_before = true;
    for (number, arg) in args.iter().enumerate() {
        let is_text = matches!(arg.data, Data::Str(_));
        if number > 0 && !is_text && !text_before {
            printer.out.push(b' ');
        }
        printer.operand(number, arg, 'v');
        text_before = is_text;
    }
    printer.finish()
}

/// `fmt.Sprintln`: spaces between all operands, a newline at the end.
pub fn sprintln(args: &[Value], dialect: Dialect, pieces: bool) -> Printed {
    let mut printer = Printer::new(dialect, pieces);
    for (number, arg) in args.iter().enumerate() {
        if number > 0 {
            printer.out.push(b' ');
        }
        printer.operand(number, arg, 'v');
    }
    printer.out.push(b'\n');
    printer.finish()
}

/// `fmt.Sprintf`.
pub fn sprintf(format: &[u8], args: &[Value], dialect: Dialect, pieces: bool) -> Printed {
    let mut printer = Printer::new(dialect, pieces);
    super::printf::run(&mut printer, format, args);
    printer.finish()
}

/// A value as `%v` prints it.
pub fn to_bytes(value: &Value, dialect: Dialect) -> Vec<u8> {
    let mut out = Vec::new();
    push_value(&mut out, value, dialect);
    out
}

/// Appends a value as `%v` prints it.
pub fn push_value(out: &mut Vec<u8>, value: &Value, dialect: Dialect) -> Notes {
    match &value.data {
        Data::Str(text) => out.extend_from_slice(text.bytes()),
        Data::Int(_, number @ 0..) => super::float::push_decimal(out, *number as u64),
        Data::Float(number) => super::float::push_float(out, *number, b'g', None),
        _ => {
            let mut printer = Printer::new(dialect, false);
            std::mem::swap(&mut printer.out, out);
            printer.arg(value, 'v');
            std::mem::swap(&mut printer.out, out);
            return printer.notes;
        }
    }
    Notes::default()
}

/// A value as `{{ }}` hands it to the printer (`printableValue`): pointers are looked through, a value that
/// is not there has its own text, a `String()` found by address is used.
pub fn to_printable(value: &Value, dialect: Dialect) -> Value {
    match &value.data {
        Data::Invalid | Data::Nil => Value::from("<no value>"),
        Data::Object(_) => {
            let mut out = Vec::new();
            push_printable(&mut out, value, dialect);
            Value::from(super::text::Text::new(out))
        }
        _ => value.clone(),
    }
    .with_marks(value.marks)
}

/// Appends a value as `{{ }}` prints it.
pub fn push_printable(out: &mut Vec<u8>, value: &Value, dialect: Dialect) -> Notes {
    match &value.data {
        Data::Invalid | Data::Nil => out.extend_from_slice(b"<no value>"),
        Data::Object(object) => {
            if let Some(text) = object.to_text_by_address() {
                out.extend_from_slice(text.as_bytes());
            } else if object.kind() == ObjectKind::Pointer {
                let mut printer = Printer::new(dialect, false);
                std::mem::swap(&mut printer.out, out);
                printer.fields(object.type_name(), &***object, 'v', 0);
                std::mem::swap(&mut printer.out, out);
                return printer.notes;
            } else {
                return push_value(out, value, dialect);
            }
        }
        _ => return push_value(out, value, dialect),
    }
    Notes::default()
}

/// The state of one printing.
pub(super) struct Printer {
    pub out: Vec<u8>,
    pub flags: Flags,
    dialect: Dialect,
    pieces: Option<Vec<Piece>>,
    notes: Notes,
    /// Set while a bad verb is reported: methods are not called then.
    erroring: bool,
}

impl Printer {
    fn new(dialect: Dialect, pieces: bool) -> Printer {
        Printer {
            out: Vec::new(),
            flags: Flags::default(),
            dialect,
            pieces: pieces.then(Vec::new),
            notes: Notes::default(),
            erroring: false,
        }
    }

    fn finish(self) -> Printed {
        Printed {
            bytes: self.out,
            pieces: self.pieces.unwrap_or_default(),
            notes: self.notes,
        }
    }

    /// True once there is no point in printing on.
    pub fn is_bottomless(&self) -> bool {
        self.notes.bottomless
    }

    pub fn push(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    pub fn push_type(&mut self, value: &Value) {
        let name = type_name(value, self.dialect);
        self.push(&name);
    }

    /// Prints an argument and notes its bytes.
    pub fn operand(&mut self, number: usize, value: &Value, verb: char) {
        let start = self.out.len();
        self.arg(value, verb);
        let end = self.out.len();
        // A width may be a million.
        self.notes.bottomless |= !effort::spend_bytes(end - start);
        if let Some(pieces) = &mut self.pieces
            && end > start
        {
            pieces.push(Piece {
                start,
                end,
                arg: number,
            });
        }
    }

    /// `printArg`: a value at the top.
    pub fn arg(&mut self, value: &Value, verb: char) {
        match (&value.data, verb) {
            (Data::Invalid | Data::Nil, 'T' | 'v') => self.flags.pad(&mut self.out, b"<nil>"),
            (Data::Invalid | Data::Nil, _) => self.bad_verb(value, verb),
            (_, 'T') => {
                let name = type_name(value, self.dialect);
                self.flags.string(&mut self.out, name.as_bytes());
            }
            (_, 'p') => self.pointer(value),
            (Data::Bytes(text), 'v' | 'd') if self.flags.sharp_v => self.go_bytes(text.bytes(), "[]byte"),
            _ => self.value(value, verb, 0),
        }
    }

    /// `%!verb(type=value)`
    fn bad_verb(&mut self, value: &Value, verb: char) {
        self.erroring = true;
        self.push("%!");
        super::rune::push(&mut self.out, verb);
        self.out.push(b'(');
        if value.is_nil() {
            self.push("<nil>");
        } else {
            self.push_type(value);
            self.out.push(b'=');
            self.value(value, 'v', 0);
        }
        self.out.push(b')');
        self.erroring = false;
    }

    /// `printValue`: a value at any depth.
    fn value(&mut self, value: &Value, verb: char, depth: usize) {
        self.notes.bottomless |= depth > MOST_LEVELS || !effort::spend(1);
        if self.notes.bottomless {
            return;
        }
        match &value.data {
            Data::Invalid | Data::Nil => {
                let nil = if self.flags.sharp_v {
                    "interface {}(nil)"
                } else {
                    "<nil>"
                };
                self.push(nil);
            }
            Data::Bool(truth) => match verb {
                't' | 'v' => self.flags.boolean(&mut self.out, *truth),
                _ => self.bad_verb(value, verb),
            },
            Data::Int(_, number) => self.integer(value, number.unsigned_abs(), *number < 0, true, verb),
            Data::Uint(_, number) => self.integer(value, *number, false, false, verb),
            Data::Float(number) => self.float(value, *number, verb),
            Data::Complex(parts) => self.complex(value, **parts, verb),
            Data::Str(text) => {
                self.notes.bottomless |= !effort::spend_bytes(text.len());
                self.string(value, text.bytes(), verb);
            }
            Data::Bytes(text) => match verb {
                's' | 'q' | 'x' | 'X' => self.string(value, text.bytes(), verb),
                _ if self.flags.sharp_v => self.go_bytes(text.bytes(), "[]uint8"),
                _ => self.bytes(text.bytes(), verb),
            },
            Data::Duration(nanos) => {
                let nanos = *nanos;
                self.with_methods(value, verb, Some(duration_text(nanos)), None, |printer| {
                    printer.integer(value, nanos.unsigned_abs(), nanos < 0, true, verb);
                });
            }
            Data::List(list) => {
                if self.refused(value, verb) {
                    return;
                }
                self.open_sequence(value, list.is_nil(), |printer| {
                    for (index, item) in list.items().iter().enumerate() {
                        printer.separate(index);
                        printer.value(item, verb, depth + 1);
                    }
                });
            }
            Data::Map(map) => {
                if self.refused(value, verb) {
                    return;
                }
                let entries = map.entries();
                self.open_map(value, map.is_nil(), |printer| {
                    for (index, (key, item)) in entries.iter().enumerate() {
                        printer.separate(index);
                        printer.value(&Value::from(key.clone()), verb, depth + 1);
                        printer.out.push(b':');
                        printer.value(item, verb, depth + 1);
                    }
                });
            }
            Data::Object(object) => {
                let text = object.to_text();
                let syntax = object.to_go_syntax();
                self.with_methods(value, verb, text, syntax, |printer| {
                    printer.object(value, &***object, verb, depth);
                });
            }
        }
    }

    /// `%w` is no verb for anything that might have methods.
    fn refused(&mut self, value: &Value, verb: char) -> bool {
        let refused = verb == 'w' && !self.erroring;
        if refused {
            self.bad_verb(value, verb);
        }
        refused
    }

    /// `handleMethods`: `String`, `Error` and `GoString`, where the verb takes them.
    fn with_methods(
        &mut self,
        value: &Value,
        verb: char,
        text: Option<String>,
        syntax: Option<String>,
        plain: impl FnOnce(&mut Printer),
    ) {
        if self.erroring {
            return plain(self);
        }
        if self.refused(value, verb) {
            return;
        }
        match (self.flags.sharp_v, text, syntax) {
            (true, _, Some(syntax)) => self.flags.string(&mut self.out, syntax.as_bytes()),
            (false, Some(text), _) if matches!(verb, 'v' | 's' | 'x' | 'X' | 'q') => {
                self.string(value, text.as_bytes(), verb);
            }
            _ => plain(self),
        }
    }

    fn separate(&mut self, index: usize) {
        if index > 0 {
            self.push(if self.flags.sharp_v { ", " } else { " " });
        }
    }

    fn open_sequence(&mut self, value: &Value, nil: bool, items: impl FnOnce(&mut Printer)) {
        if !self.flags.sharp_v {
            self.out.push(b'[');
            items(self);
            return self.out.push(b']');
        }
        self.push_type(value);
        self.go_braces(nil, items);
    }

    fn open_map(&mut self, value: &Value, nil: bool, items: impl FnOnce(&mut Printer)) {
        if !self.flags.sharp_v {
            self.push("map[");
            items(self);
            return self.out.push(b']');
        }
        self.push_type(value);
        self.go_braces(nil, items);
    }

    fn go_braces(&mut self, nil: bool, items: impl FnOnce(&mut Printer)) {
        if nil {
            return self.push("(nil)");
        }
        self.out.push(b'{');
        items(self);
        self.out.push(b'}');
    }

    fn integer(&mut self, value: &Value, number: u64, negative: bool, signed: bool, verb: char) {
        let (flags, out) = (self.flags, &mut self.out);
        // What the verbs for characters see: the bits of the number.
        let bits = if negative { number.wrapping_neg() } else { number };
        match verb {
            'v' if flags.sharp_v && !signed => {
                let flags = Flags { sharp: true, ..flags };
                flags.integer(out, number, false, 16, 'v', Case::Lower);
            }
            'v' | 'd' => flags.integer(out, number, negative, 10, verb, Case::Lower),
            'b' => flags.integer(out, number, negative, 2, verb, Case::Lower),
            'o' | 'O' => flags.integer(out, number, negative, 8, verb, Case::Lower),
            'x' => flags.integer(out, number, negative, 16, verb, Case::Lower),
            'X' => flags.integer(out, number, negative, 16, verb, Case::Upper),
            'c' => flags.character(out, bits),
            'q' => flags.quoted_character(out, bits),
            'U' => flags.unicode(out, bits),
            _ => self.bad_verb(value, verb),
        }
    }

    fn float(&mut self, value: &Value, number: f64, verb: char) {
        match verb {
            'v' => self.flags.float(&mut self.out, number, 'g', None),
            'b' | 'g' | 'G' | 'x' | 'X' => self.flags.float(&mut self.out, number, verb, None),
            'f' | 'e' | 'E' => self.flags.float(&mut self.out, number, verb, Some(6)),
            'F' => self.flags.float(&mut self.out, number, 'f', Some(6)),
            _ => self.bad_verb(value, verb),
        }
    }

    fn complex(&mut self, value: &Value, (real, imaginary): (f64, f64), verb: char) {
        if !matches!(verb, 'v' | 'b' | 'g' | 'G' | 'x' | 'X' | 'f' | 'F' | 'e' | 'E') {
            return self.bad_verb(value, verb);
        }
        let plus = self.flags.plus;
        self.out.push(b'(');
        self.float(value, real, verb);
        self.flags.plus = true;
        self.float(value, imaginary, verb);
        self.push("i)");
        self.flags.plus = plus;
    }

    fn string(&mut self, value: &Value, text: &[u8], verb: char) {
        let (flags, out) = (self.flags, &mut self.out);
        match verb {
            'v' if flags.sharp_v => flags.quoted(out, text),
            'v' | 's' => flags.string(out, text),
            'x' => flags.hex(out, text, Case::Lower),
            'X' => flags.hex(out, text, Case::Upper),
            'q' => flags.quoted(out, text),
            _ => self.bad_verb(value, verb),
        }
    }

    fn bytes(&mut self, bytes: &[u8], verb: char) {
        self.out.push(b'[');
        for (index, &byte) in bytes.iter().enumerate() {
            self.separate(index);
            let byte = Value::new(Data::Uint(super::data::UintKind::Uint8, u64::from(byte)));
            self.value(&byte, verb, 1);
        }
        self.out.push(b']');
    }

    fn go_bytes(&mut self, bytes: &[u8], name: &str) {
        self.push(name);
        self.go_braces(false, |printer| {
            let flags = Flags {
                sharp: true,
                ..printer.flags
            };
            for (index, &byte) in bytes.iter().enumerate() {
                printer.separate(index);
                flags.integer(&mut printer.out, u64::from(byte), false, 16, 'v', Case::Lower);
            }
        });
    }

    fn object(&mut self, value: &Value, object: &dyn Object, verb: char, depth: usize) {
        match object.kind() {
            ObjectKind::Pointer if depth > 0 => self.pointer(value),
            ObjectKind::Pointer => {
                self.out.push(b'&');
                let name = object.type_name().trim_start_matches('*');
                self.fields(name, object, verb, depth);
            }
            ObjectKind::Struct => self.fields(object.type_name(), object, verb, depth),
            ObjectKind::Int => self.value(&object.to_json(), verb, depth),
            ObjectKind::Map => self.open_map(value, false, |printer| {
                for (index, (key, item)) in object.fields().iter().enumerate() {
                    printer.separate(index);
                    printer.value(&Value::from(key.as_str()), verb, depth + 1);
                    printer.out.push(b':');
                    printer.value(item, verb, depth + 1);
                }
            }),
            ObjectKind::Slice => self.open_sequence(value, false, |printer| {
                for (index, (_, item)) in object.fields().iter().enumerate() {
                    printer.separate(index);
                    printer.value(item, verb, depth + 1);
                }
            }),
        }
    }

    fn fields(&mut self, name: &str, object: &dyn Object, verb: char, depth: usize) {
        if self.flags.sharp_v {
            self.push(name);
        }
        self.out.push(b'{');
        for (index, (field, item)) in object.fields().iter().enumerate() {
            self.separate(index);
            if self.flags.plus_v || self.flags.sharp_v {
                self.push(field);
                self.out.push(b':');
            }
            self.value(item, verb, depth + 1);
        }
        self.out.push(b'}');
    }

    /// An address: Go prints where the thing lies in memory. We have one place for all of them and say so.
    fn pointer(&mut self, value: &Value) {
        let pointed = match &value.data {
            Data::List(_) | Data::Map(_) | Data::Bytes(_) => true,
            Data::Object(object) => !matches!(object.kind(), ObjectKind::Struct),
            _ => false,
        };
        if !pointed {
            return self.bad_verb(value, 'p');
        }
        self.notes.address = true;
        self.push("0xc000000000");
    }
}

/// `time.Duration.String`: `1h30m0s`, `1.5ms`, `0s`.
pub fn duration_text(nanos: i64) -> String {
    let magnitude = nanos.unsigned_abs();
    let sign = if nanos < 0 { "-" } else { "" };
    let (unit, size) = match magnitude {
        0 => return "0s".to_owned(),
        1..1_000 => ("ns", 1),
        1_000..1_000_000 => ("µs", 1_000),
        1_000_000..1_000_000_000 => ("ms", 1_000_000),
        _ => return format!("{sign}{}", long_duration(magnitude)),
    };
    format!("{sign}{}{unit}", fraction(magnitude, size))
}

fn long_duration(nanos: u64) -> String {
    const SECOND: u64 = 1_000_000_000;
    let seconds = fraction(nanos % (60 * SECOND), SECOND);
    let minutes = nanos / (60 * SECOND);
    match minutes {
        0 => format!("{seconds}s"),
        1..60 => format!("{minutes}m{seconds}s"),
        _ => format!("{}h{}m{seconds}s", minutes / 60, minutes % 60),
    }
}

fn fraction(number: u64, unit: u64) -> String {
    let digits = unit.ilog10() as usize;
    let rest = number % unit;
    if rest == 0 {
        return (number / unit).to_string();
    }
    let text = format!("{}.{rest:0digits$}", number / unit);
    text.trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (nanos, text) in [
            (0, "0s"),
            (1, "1ns"),
            (1_500, "1.5µs"),
            (2_000_000, "2ms"),
            (5_400_000_000_000, "1h30m0s"),
            (-61_500_000_000, "-1m1.5s"),
            (i64::MIN, "-2562047h47m16.854775808s"),
        ] {
            assert_eq!(duration_text(nanos), text);
        }
    }
}
