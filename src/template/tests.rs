//! The executor as a whole: bounds, chance, and the history of values. What templates print is checked
//! against the vectors measured on real Helm (`tests/vectors.rs`).

use super::*;
use crate::dialect::Dialect;
use crate::value::marks::AmbientKind;
use crate::value::{Data, Map, MapType, Mark, MarkTable, Marks, Origin, Text, Value};
use proptest::prelude::*;
use std::sync::Arc;

static INCLUDE: Func = Func {
    name: "include",
    params: &[Param::Str, Param::Any],
    variadic: false,
    effect: Effect::Pure,
    body: |call| {
        let data = call.take(1);
        let name = call.text(0).clone();
        call.host.execute(&name, data).map(Value::from)
    },
};

static TPL: Func = Func {
    name: "tpl",
    params: &[Param::Str, Param::Any],
    variadic: false,
    effect: Effect::Pure,
    body: |call| {
        let data = call.take(1);
        let source = call.text(0).clone();
        call.host.execute_text("gotpl", &source, data).map(Value::from)
    },
};

static DRAW: Func = Func {
    name: "draw",
    params: &[Param::Int],
    variadic: false,
    effect: Effect::Random,
    body: |call| {
        let mut bytes = [0; 8];
        call.host.random(&mut bytes);
        Ok(Value::str(format!("{:016x}", u64::from_le_bytes(bytes))))
    },
};

static LOOKUP: Func = Func {
    name: "lookup",
    params: &[Param::Str],
    variadic: false,
    effect: Effect::Cluster,
    body: |call| Ok(call.host.ambient().lookup("v1", "Secret", "n", "x")),
};

static PAIR: Func = Func {
    name: "pair",
    params: &[Param::Any, Param::Any],
    variadic: false,
    effect: Effect::Pure,
    body: |call| {
        let map = Map::new();
        map.set("a".into(), call.take(0));
        map.set("b".into(), call.take(1));
        Ok(Value::from(map))
    },
};

static SUM: Func = Func {
    name: "sum",
    params: &[Param::Str],
    variadic: false,
    effect: Effect::Pure,
    body: |call| Ok(Value::str(format!("{}", call.text(0).len()))),
};

struct Seeds(Vec<Vec<u8>>);

impl AmbientSource for Seeds {
    fn now(&mut self) -> (i64, u32) {
        (0, 0)
    }

    fn random(&mut self, seed: &[u8], bytes: &mut [u8]) {
        self.0.push(seed.to_vec());
        let digest = blake3::hash(seed);
        bytes.copy_from_slice(&digest.as_bytes()[..bytes.len()]);
    }

    fn lookup(&mut self, _: &str, _: &str, _: &str, _: &str) -> Value {
        Value::from(Map::new())
    }

    fn host_by_name(&mut self, _: &str) -> String {
        String::new()
    }
}

/// A render of one file over a small values tree, with its trace.
struct Rendered {
    text: Result<Text, Box<ErrorChain>>,
    trace: Trace,
    marks: MarkTable,
    seeds: Vec<Vec<u8>>,
}

impl Rendered {
    fn bytes(&self) -> String {
        self.text.as_ref().expect("no error").lossy().into_owned()
    }

    /// The history of the first piece that holds this text: origins by name, ambients by kind.
    fn history(&self, part: &str) -> (Vec<String>, Vec<String>) {
        let text = self.text.as_ref().expect("no error");
        let at = self.bytes().find(part).expect("the part") + 1;
        let span = text
            .spans()
            .expect("spans")
            .iter()
            .find(|span| span.end as usize >= at)
            .expect("a span");
        (self.names(span.marks), self.names(span.control))
    }

    fn names(&self, marks: Marks) -> Vec<String> {
        let name = |mark: &Mark| match mark {
            Mark::Origin(at) => self.marks.origins[*at as usize].step.to_string(),
            Mark::Ambient(at) => format!("{:?}", self.marks.ambients[*at as usize].kind),
        };
        self.marks.get(marks).iter().map(name).collect()
    }

    fn read(&self, name: &str) -> bool {
        let at = self
            .marks
            .origins
            .iter()
            .position(|origin| &*origin.step == name)
            .expect("an origin");
        self.trace.read[at]
    }
}

/// `{on: true, off: "false", name: "web", list: [one, two], deep: {leaf: "l"}, unread: "u"}`, all marked.
fn values(marks: &mut MarkTable) -> Value {
    let mut mark = |step: &str| {
        marks.origin(Origin {
            parent: None,
            step: step.into(),
            layer: 0,
            line: 0,
            column: 0,
        })
    };
    let leaf = Map::new();
    leaf.set("leaf".into(), Value::from("l").with_marks(mark("leaf")));
    let items: Vec<Value> = ["one", "two"]
        .map(|item| Value::from(item).with_marks(mark(item)))
        .into();
    let map = Map::typed(MapType::Values);
    for (key, value) in [
        ("deep", Value::from(leaf)),
        ("list", Value::from(crate::value::List::new(items))),
        ("name", Value::from("web")),
        ("off", Value::from("false")),
        ("on", Value::from(true)),
        ("unread", Value::from("u")),
    ] {
        map.set(key.into(), value.with_marks(mark(key)));
    }
    let root = Value::from(map).with_marks(mark("values"));
    let context = Map::new();
    context.set("Values".into(), root);
    Value::from(context)
}

fn table() -> Arc<FuncTable> {
    let rows = [&INCLUDE, &TPL, &DRAW, &LOOKUP, &PAIR, &SUM];
    Arc::new(FuncTable::new(rows.map(|row| (row.name, row))))
}

fn render_with(source: &str, trace: bool, limits: Limits) -> Rendered {
    let mut builder = SetBuilder::new(table(), limits.stack);
    builder.add("f.yaml", source.as_bytes()).expect("a template");
    let set = builder.finish();
    let mut marks = MarkTable::new();
    let data = values(&mut marks);
    let mut seeds = Seeds(Vec::new());
    let options = Options {
        dialect: Dialect::NEWEST,
        trace,
        limits,
    };
    let mut executor = Executor::new(&set, &mut seeds, marks, options);
    let text = executor.execute("f.yaml", data);
    let (trace, marks) = executor.finish();
    Rendered {
        text,
        trace,
        marks,
        seeds: seeds.0,
    }
}

fn render(source: &str) -> Rendered {
    render_with(source, true, Limits::default())
}

/// Runs on a thread with the stack that workers have.
fn on_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn_scoped(scope, run)
            .expect("a thread")
            .join()
            .expect("no panic")
    })
}

fn cause(rendered: &Rendered) -> (&str, bool) {
    let chain = rendered.text.as_ref().expect_err("an error");
    (&chain.cause, chain.limit)
}

#[test]
fn endless_work_ends_with_an_error_that_says_so() {
    let limits = Limits {
        fuel: 10_000,
        ..Limits::default()
    };
    let source = "{{ range 1000000 }}{{ range 1000000 }}{{ end }}{{ end }}";
    let rendered = render_with(source, false, limits);
    assert_eq!(
        cause(&rendered),
        ("the execution takes too long: evenkeel's fuel is spent", true)
    );
}

#[test]
fn large_texts_end_with_an_error_that_says_so() {
    let limits = Limits {
        output: 1 << 16,
        ..Limits::default()
    };
    for source in [
        "{{ range 100000 }}xxxxxxxxxxxxxxxx{{ end }}",
        "{{ $x := \"x\" }}{{ range 64 }}{{ $x = print $x $x }}{{ end }}",
    ] {
        let rendered = render_with(source, false, limits);
        assert!(cause(&rendered).0.contains("than evenkeel allows"));
        assert!(cause(&rendered).1);
    }
}

#[test]
fn endless_recursion_never_overflows_the_stack() {
    for source in [
        "{{ define \"a\" }}{{ template \"a\" . }}{{ end }}{{ template \"a\" . }}",
        "{{ define \"a\" }}{{ if true }}{{ template \"a\" . }}{{ end }}{{ end }}{{ template \"a\" . }}",
        "{{ define \"a\" }}{{ include \"b\" . }}{{ end }}{{ define \"b\" }}{{ include \"a\" . }}{{ end }}{{ include \"a\" . }}",
        "{{ define \"a\" }}{{ tpl \"{{ include \\\"a\\\" . }}\" . }}{{ end }}{{ include \"a\" . }}",
    ] {
        let rendered = render(source);
        assert!(
            cause(&rendered).0.contains("evenkeel's stack"),
            "{}",
            cause(&rendered).0
        );
        assert!(cause(&rendered).1);
    }
}

#[test]
fn one_name_may_be_included_in_itself_a_thousand_times() {
    let source = "{{ define \"a\" }}{{ include \"a\" . }}{{ end }}{{ include \"a\" . }}";
    let rendered = on_large_stack(|| {
        let rendered = render_with(source, false, Limits::on_stack_of(64 << 20));
        let chain = rendered.text.expect_err("an error");
        (chain.cause, chain.links.len(), chain.limit)
    });
    let cause = "rendering template has a nested reference name: a: unable to execute template";
    assert_eq!(rendered, (cause.to_owned(), 1002, false));
}

#[test]
fn nested_texts_are_bounded_while_parsing() {
    let table = table();
    for (open, close) in [("{{ if 1 }}", "{{ end }}"), ("{{ ", " }}")] {
        let (open, close) = match open {
            "{{ " => (
                format!("{{{{ {}1", "(".repeat(20_000)),
                format!("{} }}}}", ")".repeat(20_000)),
            ),
            _ => (open.repeat(20_000), close.repeat(20_000)),
        };
        let source = open + &close;
        let error = parse("f", source.as_bytes().into(), &table, 1 << 20).expect_err("an error");
        assert!(error.message.contains("deep") || error.message.contains("depth"));
    }
}

#[test]
fn chance_hangs_on_the_call_and_not_on_its_place() {
    let draws = |source: &str| -> Vec<String> {
        let text = render(source).bytes();
        text.split_whitespace().map(str::to_owned).collect()
    };
    let first = draws("{{ draw 8 }} {{ draw 8 }} {{ draw 9 }}");
    assert_eq!(first.len(), 3);
    assert!(first[0] != first[1] && first[1] != first[2]);
    let moved = draws("{{ if true }}\n\n{{ draw 9 }}{{ end }} {{ draw 8 }} {{ draw 8 }}");
    assert_eq!(moved, [first[2].clone(), first[0].clone(), first[1].clone()]);
    let more = draws("{{ draw 8 }} {{ draw 7 }} {{ draw 8 }} {{ draw 9 }}");
    assert_eq!([&more[0], &more[2], &more[3]], [&first[0], &first[1], &first[2]]);
    assert!(render("{{ draw 8 }}").seeds[0].starts_with(b"draw\08"));
}

#[test]
fn emitted_values_know_their_origin_and_what_decided() {
    let source = "{{ if .Values.on }}{{ with .Values.name }}name={{ . }}{{ end }}{{ end }}";
    let rendered = render(source);
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        rendered.history("web"),
        (named(&["name"]), named(&["name", "on"]))
    );
    assert_eq!(rendered.history("name="), (vec![], named(&["name", "on"])));
    assert!(rendered.read("on") && rendered.read("name") && !rendered.read("unread"));
}

#[test]
fn a_container_is_read_as_a_whole_only_when_it_is_printed() {
    let walked = render("{{ with .Values.deep }}{{ range $.Values.list }}.{{ end }}{{ end }}");
    assert!(walked.read("deep") && walked.read("one") && !walked.read("leaf"));
    let printed = render("{{ .Values.deep }}{{ printf \"%v\" .Values.list }}");
    assert!(printed.read("leaf") && printed.read("two"));
    assert_eq!(printed.history("leaf").0, ["leaf", "deep"]);
}

#[test]
fn the_ambient_leaves_a_mark_on_all_it_touches() {
    for (source, part) in [
        ("{{ (lookup \"x\").data | print \"v\" }}", "<nil>"),
        ("{{ if lookup \"x\" }}a{{ else }}v{{ end }}", "v"),
        (
            "{{ $x := \"v\" }}{{ if lookup \"x\" }}{{ $x = \"w\" }}{{ end }}{{ $x }}",
            "v",
        ),
        (
            "{{ define \"t\" }}{{ if lookup \"x\" }}{{ end }}{{ end }}{{ if include \"t\" . }}{{ else }}v{{ end }}",
            "v",
        ),
        (
            "{{ define \"t\" }}{{ if lookup \"x\" }}{{ else }}abc{{ end }}{{ end }}{{ include \"t\" . | sum }}",
            "3",
        ),
        ("{{ tpl \"{{ if lookup `x` }}{{ else }}v{{ end }}\" . }}", "v"),
        ("{{ range $k, $v := lookup \"x\" }}{{ else }}v{{ end }}", "v"),
        (
            "{{ $d := pair 1 2 }}{{ if not (lookup \"x\") }}{{ $d = pair 3 4 }}{{ end }}{{ $d.a }}",
            "3",
        ),
        ("{{ and (not (lookup \"x\")) \"v\" }}", "v"),
    ] {
        let rendered = render(source);
        let (marks, control) = rendered.history(part);
        let lookup = format!("{:?}", AmbientKind::Lookup);
        assert!(
            marks.contains(&lookup) || control.contains(&lookup),
            "{source}: {marks:?} {control:?}"
        );
    }
}

#[test]
fn neighbours_in_a_container_keep_their_own_marks() {
    let rendered = render("{{ $d := pair .Values.name (draw 8) }}{{ $d.a }} {{ $d.b }}");
    assert_eq!(rendered.history("web").0, ["name"]);
    assert_eq!(rendered.history(" ").0, [] as [&str; 0]);
    let random = rendered
        .bytes()
        .split(' ')
        .next_back()
        .expect("two words")
        .to_owned();
    assert_eq!(rendered.history(&random).0, ["Random"]);
}

#[test]
fn branches_tell_what_decided_them() {
    let rendered = render("{{ if .Values.off }}x{{ end }}{{ if true }}{{ end }}");
    assert_eq!(rendered.trace.branches.len(), 1);
    let branch = rendered.trace.branches[0];
    assert!(branch.taken && branch.decider == trace::Decider::FalseString);
    assert_eq!(rendered.names(branch.marks), ["off"]);
    assert_eq!(
        rendered.trace.place(branch.frame, branch.node),
        Some(("f.yaml", 1, 6))
    );
}

#[test]
fn absent_keys_are_told_once() {
    let rendered = render("{{ range 3 }}{{ $.Values.nmae }}{{ index $.Values \"nmae\" }}{{ end }}");
    assert_eq!(rendered.trace.missing.len(), 1);
    let missing = &rendered.trace.missing[0];
    assert_eq!(missing.key, "nmae");
    assert_eq!(rendered.names(missing.parent), ["values"]);
}

#[test]
fn pieces_of_includes_know_their_frame() {
    let rendered = render("{{ define \"t\" }}[{{ .Values.name }}]{{ end }}{{ include \"t\" . }}");
    let text = rendered.text.as_ref().expect("no error");
    let span = text.spans().expect("spans")[0];
    assert_eq!(rendered.trace.frame_name(span.frame).as_deref(), Some("t"));
    assert_eq!(
        rendered.trace.place(span.frame, span.node),
        Some(("f.yaml", 1, 16))
    );
}

#[test]
fn a_text_parsed_twice_is_parsed_once() {
    let mut builder = SetBuilder::new(table(), 1 << 20);
    builder
        .add(
            "f",
            b"{{ range 3 }}{{ tpl \"{{ $x := 1 }}{{ $x }}\" . }}{{ end }}",
        )
        .expect("a template");
    let set = builder.finish();
    let mut seeds = Seeds(Vec::new());
    let options = Options {
        dialect: Dialect::NEWEST,
        trace: true,
        limits: Limits::default(),
    };
    let mut executor = Executor::new(&set, &mut seeds, MarkTable::new(), options);
    let text = executor.execute("f", Value::INVALID).expect("no error");
    assert_eq!(text.bytes(), b"111");
    assert_eq!(executor.finish().0.units.len(), 2);
}

/// Small templates out of a few parts, mostly valid.
fn template() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_owned()),
        Just("{{ . }}".to_owned()),
        Just("{{ .Values.name }}".to_owned()),
        Just("{{ .a.b }}".to_owned()),
        Just("{{ $x := 3 }}{{ $x }}".to_owned()),
        Just("{{ $x = 1 }}".to_owned()),
        Just("{{- include \"t\" . -}}".to_owned()),
        Just("{{ template \"t\" }}".to_owned()),
        Just("{{ tpl \"{{ . }}\" .Values }}".to_owned()),
        Just("{{ printf \"%d-%v-%5.2q\" 1 .Values.list . }}".to_owned()),
        Just("{{ index .Values.list 1 }}".to_owned()),
        Just("{{ and . (or 0 (draw 3)) }}".to_owned()),
        Just("{{ break }}".to_owned()),
        Just("{{ eq 1 2 | not | print }}".to_owned()),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        (
            proptest::collection::vec(inner, 0..4),
            prop_oneof![
                Just(("{{ if .Values }}", "{{ end }}")),
                Just(("{{ range .Values.list }}", "{{ else }}e{{ end }}")),
                Just(("{{ range $i, $e := .Values }}", "{{ end }}")),
                Just(("{{ with .Values.deep }}", "{{ end }}")),
                Just(("{{ range 3 }}", "{{ continue }}{{ end }}")),
                Just(("{{ define \"t\" }}", "{{ end }}")),
            ],
        )
            .prop_map(|(parts, (open, close))| format!("{open}{}{close}", parts.concat()))
    })
}

proptest! {
    #[test]
    fn any_bytes_parse_or_fail(source in proptest::collection::vec(any::<u8>(), 0..60)) {
        let _ = parse("f", source.into(), &table(), 1 << 20);
    }

    #[test]
    fn any_tokens_parse_or_fail(parts in proptest::collection::vec(
        prop_oneof![
            Just("{{"), Just("}}"), Just("{{-"), Just("- }}"), Just(" "), Just("\n"), Just("if"), Just("else"),
            Just("end"), Just("range"), Just("$x"), Just(":="), Just(","), Just("="), Just("."), Just(".a"),
            Just("("), Just(")"), Just("|"), Just("\"a\""), Just("`b`"), Just("'c'"), Just("1"), Just("0x1p-2"),
            Just("1+2i"), Just("nil"), Just("true"), Just("define"), Just("block"), Just("template"),
            Just("break"), Just("print"), Just("/*"), Just("*/"), Just("\u{e9}"), Just("with"),
        ], 0..30)) {
        let source = parts.concat();
        if let Ok(unit) = parse("f", source.as_bytes().into(), &table(), 1 << 20) {
            for definition in &unit.definitions {
                let _ = unit.text_of(definition.root);
            }
        }
    }

    #[test]
    fn small_templates_end_and_tracing_changes_no_byte(source in template()) {
        let table = table();
        if parse("f.yaml", source.as_bytes().into(), &table, 1 << 20).is_ok() {
            let limits = Limits { fuel: 20_000, ..Limits::default() };
            let traced = render_with(&source, true, limits);
            let plain = render_with(&source, false, limits);
            match (&traced.text, &plain.text) {
                (Ok(a), Ok(b)) => {
                    prop_assert_eq!(a.bytes(), b.bytes());
                    prop_assert!(b.spans().is_none());
                    let spans = a.spans().expect("spans");
                    prop_assert!(spans.is_sorted_by(|a, b| a.end < b.end));
                    prop_assert_eq!(spans.last().map_or(0, |span| span.end as usize), a.len());
                }
                (Err(a), Err(b)) => prop_assert_eq!(a.go_text(), b.go_text()),
                _ => prop_assert!(false, "tracing changes the outcome"),
            }
        }
    }
}

#[test]
fn data_of_the_invalid_value_prints_as_no_value() {
    let mut builder = SetBuilder::new(table(), 1 << 20);
    builder.add("f", b"{{ . }}").expect("a template");
    let set = builder.finish();
    let mut seeds = Seeds(Vec::new());
    let options = Options {
        dialect: Dialect::NEWEST,
        trace: false,
        limits: Limits::default(),
    };
    let mut executor = Executor::new(&set, &mut seeds, MarkTable::new(), options);
    let text = executor.execute("f", Value::new(Data::Nil)).expect("no error");
    assert_eq!(text.bytes(), b"<no value>");
}
