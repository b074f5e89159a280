//! `toYamlPretty`: values as go-yaml v3 sees them, without the detour over JSON. Structs show their own
//! field names in lower case, bytes are a list of numbers, durations a text.

use super::data::{Traced, leaf_marks};
use super::toml::is_exported;
use crate::template::{Call, CallError, Effect};
use crate::value::depth::MOST_LEVELS;
use crate::value::effort;
use crate::value::print::duration_text;
use crate::value::{Data, Marks, Object, ObjectKind, Text, Value};
use crate::yaml::{EmitError, Emitter, Flavor, Sink};
use std::ops::Range;

/// Why a value was not written.
enum Failure {
    /// The writer's error, which `toYamlPretty` swallows.
    Swallowed(String),
    /// A panic of go-yaml, or a bound of ours.
    Fatal(CallError),
}

impl From<EmitError> for Failure {
    fn from(error: EmitError) -> Failure {
        Failure::Swallowed(error.to_string())
    }
}

/// Writes the first argument.
pub(super) fn write(call: &mut Call<'_>) -> Result<Result<Text, String>, CallError> {
    let value = call.take(0);
    let mut out = Traced::default();
    let mut walk = Walk {
        emitter: Emitter::new(&mut out.bytes, Flavor::Pretty),
        pieces: &mut out.pieces,
        call,
    };
    match walk.value(&value, Marks::NONE, 0) {
        Ok(()) => {}
        Err(Failure::Swallowed(message)) => return Ok(Err(message)),
        Err(Failure::Fatal(error)) => return Err(error),
    }
    let unstable = walk.emitter.order_unstable();
    walk.emitter.finish();
    if unstable {
        call.host.note_ambient(Effect::MapOrder);
    }
    let length = out.bytes.strip_suffix(b"\n").unwrap_or(&out.bytes).len();
    Ok(Ok(out.into_text(length)))
}

struct Walk<'w, 'c> {
    emitter: Emitter<'w>,
    pieces: &'w mut Vec<(Range<usize>, Marks)>,
    call: &'w mut Call<'c>,
}

impl Walk<'_, '_> {
    fn value(&mut self, value: &Value, around: Marks, level: usize) -> Result<(), Failure> {
        let length = match &value.data {
            Data::Str(text) => text.len(),
            _ => 0,
        };
        // A line is indented by its level.
        if level > MOST_LEVELS || !effort::spend_bytes(4 + 2 * level + length) {
            let message = format!("maps and lists are nested more than {MOST_LEVELS} deep");
            return Err(Failure::Fatal(CallError::Own(message)));
        }
        let emitter = &mut self.emitter;
        match &value.data {
            Data::Invalid | Data::Nil => emitter.null()?,
            Data::Bool(truth) => emitter.bool(*truth)?,
            Data::Int(_, number) => emitter.int(*number)?,
            Data::Uint(_, number) => emitter.uint(*number)?,
            Data::Float(number) => emitter.float(*number)?,
            Data::Duration(nanos) => emitter.str(duration_text(*nanos).as_bytes())?,
            Data::Str(text) => emitter.str(text.bytes())?,
            Data::Complex(_) => {
                let message = "cannot marshal type: complex128".to_owned();
                return Err(Failure::Fatal(CallError::Own(message)));
            }
            Data::Bytes(_) | Data::List(_) => {
                let items = super::lists::elements(value).unwrap_or_default();
                emitter.begin_list()?;
                for item in items.iter() {
                    self.value(item, value.marks, level + 1)?;
                }
                self.emitter.end_list()?;
                return Ok(());
            }
            Data::Map(map) => {
                let entries = map.entries();
                let mut sorted: Vec<(&[u8], &Value)> =
                    entries.iter().map(|entry| (entry.0.bytes(), &entry.1)).collect();
                emitter.begin_map()?;
                emitter.sort(&mut sorted);
                for (key, item) in sorted {
                    self.emitter.key(key)?;
                    self.value(item, value.marks, level + 1)?;
                }
                self.emitter.end_map()?;
                return Ok(());
            }
            Data::Object(object) => return self.object(&***object, value.marks, around, level),
        }
        self.note(value, around);
        Ok(())
    }

    fn object(
        &mut self,
        object: &dyn Object,
        marks: Marks,
        around: Marks,
        level: usize,
    ) -> Result<(), Failure> {
        if object.kind() == ObjectKind::Int {
            return self.value(&object.to_json().with_marks(marks), around, level);
        }
        match (object.type_name(), object.to_json().data) {
            ("time.Time", Data::Str(text)) => self.emitter.verbatim(&text.lossy()),
            // What marshals itself as text in JSON does so here.
            (_, Data::Str(text)) => self.emitter.str(text.bytes())?,
            _ => return self.parts(object, marks, level),
        }
        self.note(&Value::NIL.with_marks(marks), around);
        Ok(())
    }

    fn parts(&mut self, object: &dyn Object, marks: Marks, level: usize) -> Result<(), Failure> {
        let fields = object.fields();
        if object.kind() == ObjectKind::Slice {
            self.emitter.begin_list()?;
            for (_, item) in &fields {
                self.value(item, marks, level + 1)?;
            }
            self.emitter.end_list()?;
            return Ok(());
        }
        self.emitter.begin_map()?;
        for (name, item) in &fields {
            let name = match object.kind() {
                ObjectKind::Map => name.clone(),
                _ if is_exported(name) => name.to_lowercase(),
                _ => continue,
            };
            self.emitter.key(name.as_bytes())?;
            self.value(item, marks, level + 1)?;
        }
        self.emitter.end_map()?;
        Ok(())
    }

    fn note(&mut self, leaf: &Value, around: Marks) {
        let marks = leaf_marks(self.call, leaf, around);
        if !marks.is_none() {
            self.pieces.push((self.emitter.last_scalar(), marks));
        }
    }
}
