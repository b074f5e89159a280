//! Values to YAML and JSON text and back (`pkg/engine/funcs.go`, `sprig/defaults.go`). Every written
//! scalar keeps its history; what the plain functions swallow is noted.

use super::pieces::span_of;
use super::pretty;
use super::spec::{Answer, FuncSpec};
use crate::dialect::Dialect;
use crate::json::{self, Engine, Layout};
use crate::template::{Call, CallError, Effect, Param};
use crate::value::convert::{self, Refusal, from_node, refusal};
use crate::value::depth::MOST_LEVELS;
use crate::value::{Data, ElemType, List, Map, MapType, Marks, Text, TextBuilder, Value};
use crate::yaml::{self, Emitter, Flavor, Node};
use std::ops::Range;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[
    FROM_JSON,
    FROM_JSON_ARRAY,
    FROM_YAML,
    FROM_YAML_ARRAY,
    MUST_FROM_JSON,
    MUST_TO_JSON,
    MUST_TO_PRETTY_JSON,
    MUST_TO_RAW_JSON,
    MUST_TO_YAML,
    TO_JSON,
    TO_PRETTY_JSON,
    TO_RAW_JSON,
    TO_YAML,
    TO_YAML_PRETTY,
];

/// A written text, or why it was not written: Go's text, or the end of the call.
type Written = Result<Result<Text, String>, CallError>;

/// Written bytes and what is known of pieces of them.
#[derive(Default)]
pub(super) struct Traced {
    pub bytes: Vec<u8>,
    pub pieces: Vec<(Range<usize>, Marks)>,
}

impl Traced {
    /// The text, with spans where any piece has marks.
    pub fn into_text(mut self, length: usize) -> Text {
        self.bytes.truncate(length);
        if self.pieces.is_empty() {
            return Text::from(self.bytes);
        }
        let mut builder = TextBuilder::new();
        let mut done = 0;
        for (piece, marks) in self.pieces {
            let (start, end) = (piece.start.min(length), piece.end.min(length));
            builder.push_bytes(&self.bytes[done..start]);
            builder.push_marked(&self.bytes[start..end], span_of(marks));
            done = end;
        }
        builder.push_bytes(&self.bytes[done..]);
        builder.finish()
    }
}

/// The marks of a written leaf, which what is around it has a part in.
pub(super) fn leaf_marks(call: &mut Call<'_>, leaf: &Value, around: Marks) -> Marks {
    let own = match &leaf.data {
        Data::Str(text) if text.spans().is_some() => total_marks(call, leaf, text),
        _ => leaf.marks,
    };
    call.host.marks().inherited(around, own)
}

/// Everything that flowed into a text or into any piece of it, whatever decided about it included.
fn total_marks(call: &mut Call<'_>, value: &Value, text: &Text) -> Marks {
    let mut all = value.marks;
    let mut last = (Marks::NONE, Marks::NONE);
    for span in text.spans().unwrap_or_default() {
        if (span.marks, span.control) != last {
            last = (span.marks, span.control);
            all = call.join(all, span.marks);
            all = call.join(all, span.control);
        }
    }
    all
}

/// Turns a writer's failure into Go's text.
fn refused(value: &Value, text: String) -> Result<String, CallError> {
    match refusal(value) {
        Some(Refusal::TooDeep) => Err(CallError::own(format!(
            "maps and lists are nested more than {MOST_LEVELS} deep"
        ))),
        Some(Refusal::Go(text)) => Ok(text),
        None => Ok(text),
    }
}

fn write_yaml(call: &mut Call<'_>) -> Written {
    let value = call.take(0);
    let mut out = Traced::default();
    let mut emitter = Emitter::new(&mut out.bytes, Flavor::Plain);
    let pieces = &mut out.pieces;
    let result = convert::write(&value, &mut emitter, &mut |emitter, leaf, around| {
        let marks = leaf_marks(call, leaf, around);
        if !marks.is_none() {
            pieces.push((emitter.last_scalar(), marks));
        }
    });
    if let Err(error) = result {
        let json = refused(&value, String::new())?;
        return Ok(Err(match json.is_empty() {
            true => error.to_string(),
            false => format!("error marshaling into JSON: {json}"),
        }));
    }
    let unstable = emitter.order_unstable();
    emitter.finish();
    if unstable {
        call.host.note_ambient(Effect::MapOrder);
    }
    let length = out.bytes.strip_suffix(b"\n").unwrap_or(&out.bytes).len();
    Ok(Ok(out.into_text(length)))
}

/// YAML as the library writes it, with the newline that `toYaml` takes off.
pub(super) fn yaml_with_last_newline(call: &mut Call<'_>) -> Answer {
    let text = write_yaml(call)?.map_err(CallError::Own)?;
    let mut builder = TextBuilder::new();
    builder.push_text(&text);
    builder.push_bytes(b"\n");
    Ok(Value::from(builder.finish()))
}

fn write_json(call: &mut Call<'_>, escape_html: bool, indent: bool) -> Written {
    let value = call.take(0);
    let engine = Engine::of(call.host.dialect());
    let layout = Layout {
        escape_html,
        indent,
        engine,
    };
    let mut out = Traced::default();
    let mut writer = json::Writer::new(&mut out.bytes, layout);
    let pieces = &mut out.pieces;
    let result = convert::write(&value, &mut writer, &mut |writer, leaf, around| {
        let marks = leaf_marks(call, leaf, around);
        if !marks.is_none() {
            pieces.push((writer.last_scalar(), marks));
        }
    });
    if let Err(error) = result {
        return Ok(Err(refused(&value, error.to_string())?));
    }
    let length = out.bytes.len();
    Ok(Ok(out.into_text(length)))
}

/// What the plain functions do with a failure: it is noted, and the text is empty.
fn swallowed(call: &mut Call<'_>, written: Written) -> Answer {
    Ok(Value::from(written?.unwrap_or_else(|message| {
        call.host.note_swallowed(&message);
        Text::default()
    })))
}

/// What the `must` functions do with it.
fn raised(written: Written) -> Answer {
    written?.map(Value::from).map_err(CallError::Own)
}

const TO_YAML: FuncSpec = FuncSpec::new("toYaml", &[Param::Any], |call| {
    let written = write_yaml(call);
    swallowed(call, written)
});

const MUST_TO_YAML: FuncSpec =
    FuncSpec::new("mustToYaml", &[Param::Any], |call| raised(write_yaml(call))).only(&[Dialect::V4_3]);

const TO_YAML_PRETTY: FuncSpec = FuncSpec::new("toYamlPretty", &[Param::Any], |call| {
    let written = pretty::write(call);
    swallowed(call, written)
});

const TO_JSON: FuncSpec = FuncSpec::new("toJson", &[Param::Any], |call| {
    let written = write_json(call, true, false);
    swallowed(call, written)
});

const MUST_TO_JSON: FuncSpec = FuncSpec::new("mustToJson", &[Param::Any], |call| {
    raised(write_json(call, true, false))
});

const TO_PRETTY_JSON: FuncSpec = FuncSpec::new("toPrettyJson", &[Param::Any], |call| {
    let written = write_json(call, true, true);
    swallowed(call, written)
});

const MUST_TO_PRETTY_JSON: FuncSpec = FuncSpec::new("mustToPrettyJson", &[Param::Any], |call| {
    raised(write_json(call, true, true))
});

const TO_RAW_JSON: FuncSpec = FuncSpec::new("toRawJson", &[Param::Any], |call| {
    raised(write_json(call, false, false))
});

const MUST_TO_RAW_JSON: FuncSpec = FuncSpec::new("mustToRawJson", &[Param::Any], |call| {
    raised(write_json(call, false, false))
});

/// Data that was read, and what was wrong with it.
struct Found {
    node: Option<Node>,
    error: Option<String>,
}

impl From<Result<json::Read, String>> for Found {
    fn from(read: Result<json::Read, String>) -> Found {
        match read {
            Ok(read) => Found {
                node: Some(read.node),
                error: read.error,
            },
            Err(error) => Found {
                node: None,
                error: Some(error),
            },
        }
    }
}

impl From<Result<yaml::Parsed, String>> for Found {
    fn from(parsed: Result<yaml::Parsed, String>) -> Found {
        match parsed {
            Ok(parsed) => Found {
                node: Some(parsed.node),
                error: None,
            },
            Err(error) => Found {
                node: None,
                error: Some(error),
            },
        }
    }
}

/// A map, into which an error goes under the key `Error`.
fn map_of(call: &mut Call<'_>, found: Found, null: Map) -> Value {
    let value = match &found.node {
        Some(node) if node.is_null() => Value::from(null),
        Some(node) => from_node(node),
        None => Value::from(Map::new()),
    };
    if let Some(error) = found.error {
        call.host.note_swallowed(&error);
        if let Data::Map(map) = &value.data {
            map.set("Error".into(), Value::str(error));
        }
    }
    value
}

/// A list, in place of which an error stands as its only element.
fn list_of(call: &mut Call<'_>, found: Found, null: List) -> Value {
    if let Some(error) = found.error {
        call.host.note_swallowed(&error);
        return Value::from(List::new([Value::str(error)]));
    }
    match &found.node {
        Some(node) if !node.is_null() => from_node(node),
        _ => Value::from(null),
    }
}

/// Null leaves Go's map as it was: empty. With `fromJson` it becomes a nil one.
const FROM_YAML: FuncSpec = FuncSpec::new("fromYaml", &[Param::Str], |call| {
    let found = yaml::unmarshal_map(call.text(0).bytes()).into();
    Ok(map_of(call, found, Map::new()))
});

const FROM_YAML_ARRAY: FuncSpec = FuncSpec::new("fromYamlArray", &[Param::Str], |call| {
    let found = yaml::unmarshal_list(call.text(0).bytes()).into();
    Ok(list_of(call, found, List::new([])))
});

const FROM_JSON: FuncSpec = FuncSpec::new("fromJson", &[Param::Str], |call| {
    let found = json::read_map(call.text(0).bytes(), Engine::of(call.host.dialect())).into();
    Ok(map_of(call, found, Map::nil(MapType::Any)))
});

const FROM_JSON_ARRAY: FuncSpec = FuncSpec::new("fromJsonArray", &[Param::Str], |call| {
    let found = json::read_list(call.text(0).bytes(), Engine::of(call.host.dialect())).into();
    Ok(list_of(call, found, List::nil(ElemType::Any)))
});

const MUST_FROM_JSON: FuncSpec = FuncSpec::new("mustFromJson", &[Param::Str], |call| {
    let read = json::read(call.text(0).bytes(), Engine::of(call.host.dialect())).map_err(CallError::Own)?;
    match read.error {
        Some(error) => Err(CallError::Own(error)),
        None => Ok(from_node(&read.node)),
    }
});
