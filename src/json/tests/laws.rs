//! Properties that hold for every input.

use proptest::prelude::*;

use super::value::Value;
use crate::json::{Engine, Layout, read, to_json};
use crate::yaml::{Flavor, parse_first, to_yaml};

/// Text as it is found in values, with what is hard to write in it.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9 :#'\"\\\\,\\[\\]{}&*!|>%@`?~.\n\t-]{0,40}",
        "[ a-zé日😀\u{A0}\u{2028}\u{FEFF}\r\n]{0,120}",
        "[-+0-9._:exobTZ]{0,12}",
        "(y|n|yes|no|on|off|true|null|~|<<|=|\\.inf|\\.nan|0o7|0x1F|1_0|2020-01-01)",
        "([a-z]{1,12} {1,2}){0,30}",
    ]
}

fn data() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        (-1.0e15..1.0e15f64).prop_map(|value| Value::Float(value.trunc())),
        any::<f64>()
            .prop_filter("JSON has no others", |value| value.is_finite())
            .prop_map(Value::Float),
        text().prop_map(|text| Value::text(&text)),
    ];
    // go-yaml writes the key `<<` without quotes, which reads as a merge key.
    let key = text().prop_filter("reads as a merge key", |key| key != "<<");
    let key = key.prop_map(String::into_bytes).boxed();
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
            proptest::collection::btree_map(key.clone(), inner, 0..6).prop_map(Value::Map),
        ]
    })
}

/// -0 is written as 0, or as an integer, by design.
fn without_negative_zero(value: &Value) -> Value {
    match value {
        Value::Float(number) => Value::Float(number + 0.0),
        Value::List(items) => Value::List(items.iter().map(without_negative_zero).collect()),
        Value::Map(entries) => Value::Map(
            entries
                .iter()
                .map(|(key, value)| (key.clone(), without_negative_zero(value)))
                .collect(),
        ),
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_written_as_yaml_reads_back(value in data()) {
        for flavor in [Flavor::Plain, Flavor::Pretty] {
            let written = to_yaml(&value, flavor).unwrap();
            let read = parse_first(&written);
            let text = String::from_utf8_lossy(&written).into_owned();
            if flavor == Flavor::Pretty && text.contains('\t') {
                // go-yaml v3 lets a tab stand in a block, where v2's reader may take it for indentation.
                continue;
            }
            prop_assert!(read.is_ok(), "{flavor:?}\n{text}\n{read:?}");
            let read = without_negative_zero(&Value::of_node(&read.unwrap().node));
            prop_assert_eq!(read, without_negative_zero(&value), "{:?}\n{}", flavor, text);
        }
    }

    #[test]
    fn what_is_written_as_json_reads_back(value in data(), escape_html: bool, indent: bool) {
        for engine in [Engine::Classic, Engine::V2] {
            let layout = Layout { escape_html, indent, engine };
            let written = to_json(&value, layout).unwrap();
            let read = read(&written, engine).unwrap();
            prop_assert_eq!(read.error, None);
            prop_assert_eq!(Value::of_node(&read.node), value.clone());
            let serde: serde_json::Value = serde_json::from_slice(&written).unwrap();
            prop_assert_eq!(serde.is_object(), read.node.is_map());
        }
    }

    #[test]
    fn the_yaml_writer_and_json_agree(value in data()) {
        let layout = Layout { escape_html: true, indent: false, engine: Engine::Classic };
        let json = to_json(&value, layout).unwrap();
        let through = parse_first(&json).unwrap();
        let direct = to_yaml(&value, Flavor::Plain).unwrap();
        let staged = to_yaml(&through.node, Flavor::Plain).unwrap();
        prop_assert_eq!(String::from_utf8_lossy(&direct), String::from_utf8_lossy(&staged));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        for engine in [Engine::Classic, Engine::V2] {
            let _ = read(&bytes, engine);
        }
    }

    #[test]
    fn any_json_like_text_is_judged_as_serde_does(text in "[\\[\\]{}:,\"a\\\\u0-9eE.+ tfn-]{0,30}") {
        // serde_json refuses numbers out of range, lone surrogates and depth 128; none fit in here but the first two.
        let ours = read(text.as_bytes(), Engine::V2);
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        if theirs.is_ok() {
            prop_assert!(ours.is_ok(), "{text} {ours:?}");
        }
        if let Err(error) = ours {
            prop_assert!(theirs.is_err(), "{text} {error}");
        }
    }
}

#[test]
fn json_nesting_ends_where_go_ends() {
    let deep = || {
        let good = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        assert!(read(good.as_bytes(), Engine::V2).is_ok());
        let bad = "[".repeat(10_001);
        let classic = read(bad.as_bytes(), Engine::Classic).unwrap_err();
        assert_eq!(classic, "invalid character '[' exceeded max depth");
        assert_eq!(
            read(bad.as_bytes(), Engine::V2).unwrap_err(),
            "exceeded max depth"
        );
    };
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(deep)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn numbers_out_of_range_name_their_path() {
    let text = br#"{"a/b":[1,{"c":[[2],1e400]}]}"#;
    let v2 = read(text, Engine::V2).unwrap();
    assert_eq!(
        v2.error.as_deref(),
        Some("json: cannot unmarshal number 1e400 into .a~1b.1.c.1 of type float64")
    );
    let classic = read(text, Engine::Classic).unwrap();
    assert_eq!(
        classic.error.as_deref(),
        Some("json: cannot unmarshal number 1e400 into Go value of type float64")
    );
}

#[test]
fn the_last_scalar_is_known() {
    use crate::yaml::{Emitter, Sink};
    let mut out = b"before\n".to_vec();
    let mut emitter = Emitter::new(&mut out, Flavor::Plain);
    let mut spans = Vec::new();
    emitter.begin_map().unwrap();
    emitter.key(b"n").unwrap();
    spans.push(emitter.last_scalar());
    emitter.str(b" x").unwrap();
    spans.push(emitter.last_scalar());
    emitter.key(b"t").unwrap();
    emitter.str(b"a\nb\n").unwrap();
    spans.push(emitter.last_scalar());
    emitter.end_map().unwrap();
    emitter.finish();
    let texts: Vec<_> = spans
        .into_iter()
        .map(|span| String::from_utf8_lossy(&out[span]).into_owned())
        .collect();
    assert_eq!(texts, ["\"n\"", "' x'", "|\n  a\n  b\n"]);
}
