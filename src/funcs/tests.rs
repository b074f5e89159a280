//! The tables as a whole, and how functions treat marks. What functions answer is checked against the
//! vectors measured on real Helm (`tests/vectors.rs`).

use super::*;
use crate::template::{
    AmbientSource, Call, CallError, Effect, Executor, FuncTable, Host, Limits, Options, SetBuilder,
};
use crate::value::marks::AmbientKind;
use crate::value::{
    Data, List, Map, MapType, Mark, MarkTable, Marks, Origin, Span, Text, TextBuilder, Value,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A host without templates, cluster or clock.
#[derive(Default)]
pub(super) struct Bench {
    pub marks: MarkTable,
    pub noted: Vec<Effect>,
    pub dialect: Option<Dialect>,
}

impl AmbientSource for Bench {
    fn now(&mut self) -> (i64, u32) {
        (0, 0)
    }

    fn random(&mut self, _: &[u8], bytes: &mut [u8]) {
        bytes.fill(7);
    }

    fn lookup(&mut self, _: &str, _: &str, _: &str, _: &str) -> Value {
        Value::from(Map::new())
    }

    fn host_by_name(&mut self, _: &str) -> String {
        String::new()
    }
}

impl Host for Bench {
    fn execute(&mut self, name: &Text, _: Value) -> Result<Text, CallError> {
        Ok(name.clone())
    }

    fn execute_text(&mut self, _: &str, source: &Text, _: Value) -> Result<Text, CallError> {
        Ok(source.clone())
    }

    fn ambient(&mut self) -> &mut dyn AmbientSource {
        self
    }

    fn random(&mut self, bytes: &mut [u8]) {
        bytes.fill(7);
    }

    fn note_ambient(&mut self, effect: Effect) {
        self.noted.push(effect);
    }

    fn note_swallowed(&mut self, _: &str) {}

    fn marks(&mut self) -> &mut MarkTable {
        &mut self.marks
    }

    fn dialect(&self) -> Dialect {
        self.dialect.unwrap_or(Dialect::NEWEST)
    }
}

impl Bench {
    /// Calls a function of the newest dialect.
    pub fn call(&mut self, name: &str, args: impl Into<Vec<Value>>) -> Result<Value, CallError> {
        let (name, func) = find(self.dialect(), name).expect("a function of this name");
        let mut args = args.into();
        (func.body)(&mut Call {
            name,
            args: &mut args,
            host: self,
        })
    }

    fn text(&mut self, name: &str, args: impl Into<Vec<Value>>) -> Text {
        match self.call(name, args).expect("no error").data {
            Data::Str(text) => text,
            _ => panic!("{name} gives no string"),
        }
    }

    /// A text of two pieces of different origin: `ab` and `cd`.
    fn two_pieces(&mut self) -> (Value, Marks, Marks) {
        let mut mark = |step: &str| {
            self.marks.origin(Origin {
                parent: None,
                step: step.into(),
                layer: 0,
                line: 0,
                column: 0,
            })
        };
        let (first, second) = (mark("a"), mark("b"));
        let mut builder = TextBuilder::new();
        builder.push_marked(b"a\nb", pieces::span_of(first));
        builder.push_marked(b"cd", pieces::span_of(second));
        (Value::from(builder.finish()), first, second)
    }
}

fn spans(text: &Text) -> Vec<(u32, Marks)> {
    let pair = |span: &Span| (span.end, span.marks);
    text.spans().unwrap_or_default().iter().map(pair).collect()
}

#[test]
fn names_are_unique_and_families_are_sorted() {
    assert!(FAMILIES.is_sorted_by(|a, b| a.0 < b.0));
    for dialect in Dialect::ALL {
        assert!(table(dialect).is_sorted_by(|a, b| a.0 < b.0));
    }
}

#[test]
fn every_dialect_has_the_functions_of_its_helm() {
    let Some(known) = known_names() else {
        return;
    };
    for (dialect, names) in known {
        for (name, _) in table(dialect) {
            assert!(names.contains(*name), "{name} is no function of Helm {dialect}");
        }
        let funcs = Arc::new(FuncTable::new(table(dialect).iter().copied()));
        let is_defined = |name: &str| {
            let mut set = SetBuilder::new(Arc::clone(&funcs), 1 << 20);
            set.add("t", format!("{{{{ {name} }}}}").as_bytes()).is_ok()
        };
        let missing: Vec<&String> = names.iter().filter(|name| !is_defined(name)).collect();
        assert!(missing.is_empty(), "Helm {dialect} has {missing:?}");
    }
}

/// The functions each dialect has, as found by probing the real binaries; `None` where the shared
/// measurements are not there.
fn known_names() -> Option<Vec<(Dialect, BTreeSet<String>)>> {
    let shared = std::env::var("EVENKEEL_SHARED").unwrap_or_else(|_| "../shared".to_owned());
    let path = format!("{shared}/spec/vectors/functions.jsonl");
    let Ok(lines) = std::fs::read_to_string(&path) else {
        println!("skipped: {path} is not there");
        return None;
    };
    let mut known = Vec::new();
    for line in lines.lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let version = row["helm"].as_str().expect("a version");
        let dialect = match version {
            "3.19.0" => Dialect::V3_19,
            "4.3.1" => Dialect::V4_3,
            _ => continue,
        };
        let names = row["functions"].as_array().expect("a list of names");
        known.push((
            dialect,
            names
                .iter()
                .filter_map(|name| name.as_str().map(str::to_owned))
                .collect(),
        ));
    }
    assert_eq!(known.len(), Dialect::ALL.len());
    Some(known)
}

#[test]
fn texts_put_together_keep_the_history_of_their_pieces() {
    let mut bench = Bench::default();
    let (text, first, second) = bench.two_pieces();
    let indented = bench.text("nindent", [Value::int(2), text.clone()]);
    assert_eq!(indented.bytes(), b"\n  a\n  bcd");
    assert_eq!(
        spans(&indented),
        [
            (3, Marks::NONE),
            (5, first),
            (7, Marks::NONE),
            (8, first),
            (10, second)
        ]
    );
    let quoted = bench.text("quote", [text.clone()]);
    assert_eq!(quoted.bytes(), b"\"a\\nbcd\"");
    assert_eq!(
        spans(&quoted),
        [(1, Marks::NONE), (5, first), (7, second), (8, Marks::NONE)]
    );
    let upper = bench.text("upper", [text.clone()]);
    assert_eq!(spans(&upper), [(3, first), (5, second)]);
    let replaced = bench.text(
        "replace",
        [
            Value::from("b"),
            Value::from("x").with_marks(second),
            text.clone(),
        ],
    );
    assert_eq!(replaced.bytes(), b"a\nxcd");
    assert_eq!(spans(&replaced), [(2, first), (5, second)]);
    let joined = bench.text(
        "join",
        [
            Value::from(","),
            Value::from(List::new([Value::from("p").with_marks(first), text.clone()])),
        ],
    );
    assert_eq!(
        spans(&joined),
        [(1, first), (2, Marks::NONE), (5, first), (7, second)]
    );
    assert_eq!(spans(&bench.text("trunc", [Value::int(-1), text])), [(1, second)]);
}

#[test]
fn texts_without_history_stay_without() {
    let mut bench = Bench::default();
    for (name, args) in [
        ("nindent", vec![Value::int(2), Value::from("a\nb")]),
        (
            "replace",
            vec![Value::from("a"), Value::from("b"), Value::from("aa")],
        ),
        ("cat", vec![Value::from("a"), Value::int(1)]),
        ("quote", vec![Value::from("a"), Value::int(1)]),
    ] {
        assert_eq!(bench.text(name, args).spans(), None, "{name}");
    }
}

#[test]
fn only_an_order_that_could_be_another_is_noted() {
    let mut bench = Bench::default();
    let one = Value::from(Map::from_entries(
        crate::value::MapType::Any,
        [("a".into(), Value::NIL)],
    ));
    bench.call("keys", [one.clone()]).unwrap();
    assert_eq!(bench.noted, []);
    let Data::Map(map) = &one.data else { unreachable!() };
    map.set("b".into(), Value::NIL);
    bench.call("keys", [one]).unwrap();
    assert_eq!(bench.noted, [Effect::MapOrder]);
}

#[test]
fn maps_that_hold_themselves_end_in_an_error() {
    let mut bench = Bench::default();
    let map = Map::new();
    map.set("self".into(), Value::from(map.clone()));
    assert!(bench.call("deepCopy", [Value::from(map.clone())]).is_err());
    let other = Map::new();
    other.set("self".into(), Value::from(other.clone()));
    assert!(
        bench
            .call("merge", [Value::from(map), Value::from(other)])
            .is_err()
    );
}

#[test]
fn great_results_end_in_an_error() {
    let mut bench = Bench::default();
    assert!(
        bench
            .call("repeat", [Value::int(1 << 40), Value::from("abc")])
            .is_err()
    );
    assert!(bench.call("until", [Value::int(i64::MAX)]).is_err());
    assert!(
        bench
            .call("indent", [Value::int(i64::MAX), Value::from("a")])
            .is_err()
    );
    assert!(
        bench
            .call(
                "untilStep",
                [Value::int(i64::MIN), Value::int(i64::MAX), Value::int(1)]
            )
            .is_err()
    );
}

/// Executes a template over a map with the keys `x` and `y`, each with an origin of its own. Gives the text
/// and, for every piece of it, the steps and kinds of ambient that flowed into it.
fn executed(source: &str) -> (String, Vec<(String, Vec<String>)>) {
    let mut marks = MarkTable::new();
    let mut entry = |key: &str| {
        let origin = marks.origin(Origin {
            parent: None,
            step: key.into(),
            layer: 0,
            line: 0,
            column: 0,
        });
        (
            Text::from(key),
            Value::from(format!("v{key}").as_str()).with_marks(origin),
        )
    };
    let data = Value::from(Map::from_entries(MapType::Any, [entry("x"), entry("y")]));
    let funcs = Arc::new(FuncTable::new(table(Dialect::NEWEST).iter().copied()));
    let mut builder = SetBuilder::new(funcs, 1 << 20);
    builder.add("t", source.as_bytes()).expect("a template");
    let set = builder.finish();
    let options = Options {
        dialect: Dialect::NEWEST,
        trace: true,
        limits: Limits::on_stack_of(1 << 20),
    };
    let mut bench = Bench::default();
    let mut executor = Executor::new(&set, &mut bench, marks, options);
    let text = executor.execute("t", data).expect("no error");
    let (_, marks) = executor.finish();
    let named = |mark: &Mark| match mark {
        Mark::Origin(at) => marks.origins[*at as usize].step.to_string(),
        Mark::Ambient(at) => match marks.ambients[*at as usize].kind {
            AmbientKind::MapOrder => "order".to_owned(),
            kind => format!("{kind:?}"),
        },
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    for span in text.spans().expect("a history") {
        let end = span.end as usize;
        let piece = String::from_utf8_lossy(&text.bytes()[start..end]).into_owned();
        pieces.push((piece, marks.get(span.marks).iter().map(named).collect()));
        start = end;
    }
    (text.lossy().into_owned(), pieces)
}

/// The marks of the piece that holds a text.
fn marks_of(source: &str, wanted: &str) -> Vec<String> {
    let (text, pieces) = executed(source);
    let found = pieces.into_iter().find(|piece| piece.0.contains(wanted));
    found
        .unwrap_or_else(|| panic!("no piece of {text:?} holds {wanted:?}"))
        .1
}

#[test]
fn sorting_ends_what_the_order_of_a_map_had_to_do_with_a_list() {
    assert!(marks_of("{{ keys . | join \",\" }}", "x").contains(&"order".to_owned()));
    for source in [
        "{{ keys . | sortAlpha | join \",\" }}",
        "{{ $k := keys . }}{{ $_ := sortAlpha $k }}{{ sortAlpha $k | toYaml }}",
        "x{{ len (keys .) }}",
        "x{{ has \"x\" (values .) }}",
    ] {
        assert!(!marks_of(source, "x").contains(&"order".to_owned()), "{source}");
    }
}

#[test]
fn written_data_keeps_where_each_scalar_came_from() {
    for source in [
        "{{ toYaml . | nindent 2 }}",
        "{{ toJson . }}",
        "{{ toPrettyJson . }}",
        "{{ toYamlPretty . }}",
    ] {
        assert_eq!(marks_of(source, "vx"), ["x"], "{source}");
        assert_eq!(marks_of(source, "vy"), ["y"], "{source}");
    }
    assert_eq!(marks_of("{{ toYaml . | sha256sum }}", ""), ["x", "y"]);
    assert_eq!(marks_of("{{ .x | b64enc }}", ""), ["x"]);
    assert_eq!(marks_of("{{ .z | default .y }}", "vy"), ["y"]);
}
