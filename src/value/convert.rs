//! Between parsed data and values: nodes become values as Helm's decoders make them, values are handed to
//! the writers as `encoding/json` sees them.

use super::data::{Data, Value};
use super::depth::MOST_LEVELS;
use super::effort;
use super::list::{ElemType, List};
use super::map::{Map, MapType};
use super::marks::Marks;
use super::object::Object;
use super::text::Text;
use crate::yaml::{Node, NodeKind, Number, Sink, Source};

/// A value as Go holds decoded data: every number a `float64`, mappings in key order.
pub fn from_node(node: &Node) -> Value {
    effort::spend(1);
    match &node.kind {
        NodeKind::Null => Value::NIL,
        NodeKind::Bool(truth) => Value::from(*truth),
        NodeKind::Number(number) => Value::float(as_float(*number)),
        NodeKind::Str(text) => Value::from(&**text),
        NodeKind::List(items) => {
            let items: Vec<Value> = items.iter().map(from_node).collect();
            Value::from(List::new(items))
        }
        NodeKind::Map(entries) => {
            let mut sorted: Vec<(Text, Value)> = entries
                .iter()
                .map(|entry| (Text::from(&*entry.key), from_node(&entry.value)))
                .collect();
            sorted.sort_by(|a, b| a.0.cmp(&b.0));
            Value::from(Map::from_sorted(MapType::Any, sorted))
        }
    }
}

/// A number as `float64`.
#[expect(clippy::cast_precision_loss, reason = "Go reads every number as float64")]
pub fn as_float(number: Number) -> f64 {
    match number {
        Number::Int(number) => number as f64,
        Number::Uint(number) => number as f64,
        Number::Float(number) => number,
    }
}

impl Source for Value {
    fn write_to<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        write(self, sink, &mut |_, _, _| {})
    }
}

/// Writes a value as `encoding/json` sees it and reports every scalar and every empty container, after it
/// was written, together with the marks of the container around it.
///
/// # Errors
/// What the writer refuses. Where encoding/json itself would refuse (`refusal` tells), the writer is asked
/// to write a number that it must refuse.
pub fn write<S: Sink>(
    value: &Value,
    sink: &mut S,
    leaf: &mut impl FnMut(&S, &Value, Marks),
) -> Result<(), S::Error> {
    write_at(value, Marks::NONE, 0, sink, leaf)
}

fn write_at<S: Sink>(
    value: &Value,
    around: Marks,
    level: usize,
    sink: &mut S,
    leaf: &mut impl FnMut(&S, &Value, Marks),
) -> Result<(), S::Error> {
    // A line is indented by its level.
    if level > MOST_LEVELS || !effort::spend(1 + level as u64 / 2) {
        return sink.float(f64::NAN);
    }
    match &value.data {
        Data::Invalid | Data::Nil => sink.null()?,
        Data::Bool(truth) => sink.bool(*truth)?,
        Data::Int(_, number) | Data::Duration(number) => sink.int(*number)?,
        Data::Uint(_, number) => sink.uint(*number)?,
        Data::Float(number) => sink.float(*number)?,
        Data::Complex(_) => sink.float(f64::NAN)?,
        Data::Str(text) => {
            if !effort::spend_bytes(text.len()) {
                return sink.float(f64::NAN);
            }
            sink.str(text.bytes())?;
        }
        Data::Bytes(text) => sink.str(&base64(text.bytes()))?,
        Data::List(list) if list.is_nil() => sink.null()?,
        Data::List(list) if list.elem() == ElemType::Byte => sink.str(&base64(&bytes_of(list)))?,
        Data::List(list) if !list.items().is_empty() => {
            sink.begin_list()?;
            for item in list.items() {
                write_at(item, value.marks, level + 1, sink, leaf)?;
            }
            return sink.end_list();
        }
        Data::List(_) => {
            sink.begin_list()?;
            sink.end_list()?;
        }
        Data::Map(map) if map.is_nil() => sink.null()?,
        Data::Map(map) if !map.is_empty() => {
            let entries = map.entries();
            let mut sorted: Vec<(&[u8], &Value)> =
                entries.iter().map(|entry| (entry.0.bytes(), &entry.1)).collect();
            sink.begin_map()?;
            sink.sort(&mut sorted);
            for (key, item) in sorted {
                sink.key(key)?;
                write_at(item, value.marks, level + 1, sink, leaf)?;
            }
            return sink.end_map();
        }
        Data::Map(_) => {
            sink.begin_map()?;
            sink.end_map()?;
        }
        Data::Object(object) => return write_object(&***object, value.marks, level, sink, leaf),
    }
    leaf(sink, value, around);
    Ok(())
}

/// An object is what it shows of itself; its marks are those of all it shows.
fn write_object<S: Sink>(
    object: &dyn Object,
    marks: Marks,
    level: usize,
    sink: &mut S,
    leaf: &mut impl FnMut(&S, &Value, Marks),
) -> Result<(), S::Error> {
    if sink.keeps_field_order()
        && let Some(fields) = object.json_fields()
    {
        sink.begin_map()?;
        for (key, mut item) in fields {
            if item.marks.is_none() {
                item.marks = marks;
            }
            sink.key(key.as_bytes())?;
            write_at(&item, marks, level + 1, sink, leaf)?;
        }
        return sink.end_map();
    }
    let mut shown = object.to_json();
    if shown.marks.is_none() {
        shown.marks = marks;
    }
    write_at(&shown, marks, level + 1, sink, leaf)
}

fn bytes_of(list: &List) -> Vec<u8> {
    let byte = |item: &Value| match item.data {
        Data::Uint(_, number) => u8::try_from(number).unwrap_or(u8::MAX),
        _ => 0,
    };
    list.items().iter().map(byte).collect()
}

/// Standard base 64 with padding, as JSON and `b64enc` write it.
pub fn base64(bytes: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            out.push(match at <= chunk.len() {
                true => ALPHABET[(group >> (18 - 6 * at) & 63) as usize],
                false => b'=',
            });
        }
    }
    out
}

/// Why `encoding/json` cannot write a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Go's own text.
    Go(String),
    /// It is nested deeper than is written here, although it holds no cycle.
    TooDeep,
}

/// The first reason not to write a value, in the order of writing; to be asked after a writer failed.
pub fn refusal(value: &Value) -> Option<Refusal> {
    let mut above = Vec::new();
    find_refusal(value, &mut above)
}

fn find_refusal(value: &Value, above: &mut Vec<Data>) -> Option<Refusal> {
    if !effort::spend(1) {
        return Some(Refusal::TooDeep);
    }
    let told = |text: String| Some(Refusal::Go(format!("json: unsupported {text}")));
    match &value.data {
        Data::Complex(_) => told("type: complex128".to_owned()),
        Data::Float(number) if !number.is_finite() => {
            told(format!("value: {}", super::float::general(*number)))
        }
        Data::Map(map) => {
            let cycle = |data: &Data| matches!(data, Data::Map(other) if other.same(map));
            if above.iter().any(cycle) {
                return told("value: encountered a cycle via map[string]interface {}".to_owned());
            }
            if above.len() > MOST_LEVELS {
                return Some(Refusal::TooDeep);
            }
            above.push(value.data.clone());
            let found = map
                .snapshot()
                .iter()
                .find_map(|entry| find_refusal(&entry.1, above));
            above.pop();
            found
        }
        Data::List(_) if above.len() > MOST_LEVELS => Some(Refusal::TooDeep),
        Data::List(list) => {
            above.push(value.data.clone());
            let found = list.items().iter().find_map(|item| find_refusal(item, above));
            above.pop();
            found
        }
        Data::Object(object) => find_refusal(&object.to_json(), above),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{self, Engine, Layout};
    use crate::value::cmp::deep_equal;
    use crate::yaml::{Entry, Mark};
    use proptest::prelude::*;

    fn layout() -> Layout {
        Layout {
            escape_html: true,
            indent: false,
            engine: Engine::V2,
        }
    }

    #[test]
    fn cycles_are_named() {
        let test = || {
            let map = Map::new();
            map.set("a".into(), Value::from(List::new([Value::from(map.clone())])));
            let value = Value::from(map);
            assert!(json::to_json(&value, layout()).is_err());
            let text = "json: unsupported value: encountered a cycle via map[string]interface {}";
            assert_eq!(refusal(&value), Some(Refusal::Go(text.to_owned())));
        };
        let thread = std::thread::Builder::new()
            .stack_size(16 << 20)
            .spawn(test)
            .unwrap();
        thread.join().unwrap();
    }

    #[test]
    fn leaves_are_told_with_what_is_around_them() {
        let around = Marks(2);
        let list = Value::from(List::new([
            Value::int(1),
            Value::from(Map::new()).with_marks(Marks(4)),
        ]));
        let mut told = Vec::new();
        let mut out = Vec::new();
        let mut writer = json::Writer::new(&mut out, layout());
        write(&list.with_marks(around), &mut writer, &mut |_, leaf, around| {
            told.push((leaf.marks, around));
        })
        .unwrap();
        assert_eq!(told, [(Marks::NONE, around), (Marks(4), around)]);
    }

    fn leaf() -> impl Strategy<Value = NodeKind> {
        prop_oneof![
            Just(NodeKind::Null),
            any::<bool>().prop_map(NodeKind::Bool),
            any::<i32>().prop_map(|number| NodeKind::Number(Number::Int(number.into()))),
            any::<f64>()
                .prop_filter("finite", |number| number.is_finite())
                .prop_map(|number| NodeKind::Number(Number::Float(number))),
            ".*".prop_map(|text: String| NodeKind::Str(text.into())),
        ]
    }

    fn tree() -> impl Strategy<Value = NodeKind> {
        leaf().prop_recursive(3, 20, 5, |inner| {
            let entry = |(key, kind): (String, NodeKind)| Entry {
                key: key.into(),
                mark: Mark::default(),
                value: Node::new(kind),
            };
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4)
                    .prop_map(|items| NodeKind::List(items.into_iter().map(Node::new).collect())),
                proptest::collection::btree_map(".{0,3}", inner, 0..4)
                    .prop_map(move |entries| NodeKind::Map(entries.into_iter().map(entry).collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_as_json_reads_back(kind in tree()) {
            let value = from_node(&Node::new(kind));
            let text = json::to_json(&value, layout()).unwrap();
            let read = json::read(&text, Engine::V2).unwrap();
            prop_assert!(deep_equal(&from_node(&read.node), &value));
            prop_assert_eq!(refusal(&value), None);
        }
    }
}
