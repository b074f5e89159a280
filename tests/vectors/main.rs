//! Template vectors measured on the real binaries: `spec/vectors/*.jsonl` of the shared material.
//!
//! Every line that names one of our dialects is run in the frame described at the top of the
//! specification: chart `c`, release `r`, namespace `n`, the template as `templates/_vec.tpl` rendered
//! through `include`; a template that must fail stands in `templates/vec.yaml` instead.
//! `fixtures/parity/vector-gaps.txt` lists what still differs; a gap that closes fails the test until its
//! line is removed.

#![expect(
    clippy::print_stdout,
    reason = "counts and skips are what a reader of a test log looks for"
)]

mod whole;

use evenkeel::dialect::Dialect;
use evenkeel::engine::layout::{exec_failure, parse_failure};
use evenkeel::funcs;
use evenkeel::template::{AmbientSource, Executor, FuncTable, Limits, Options, SetBuilder};
use evenkeel::value::{List, Map, MapType, MarkTable, Text, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// The files whose lines are template vectors.
const FILES: &[&str] = &[
    "aliasing",
    "compare",
    "dates",
    "defaults",
    "dicts",
    "fmt",
    "json",
    "lists",
    "nil",
    "numbers",
    "regex",
    "semver",
    "strings",
    "template",
    "toml",
    "yaml_emit",
    "yaml_parse",
];

/// Parts of the context that only the whole chain builds.
const NEEDS: &[&str] = &[".Chart", ".Capabilities", ".Files"];

const STACK: usize = 256 << 20;

struct Quiet;

impl AmbientSource for Quiet {
    fn now(&mut self) -> (i64, u32) {
        (1_700_000_000, 0)
    }

    fn random(&mut self, seed: &[u8], bytes: &mut [u8]) {
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = seed[at % seed.len()];
        }
    }

    fn lookup(&mut self, _: &str, _: &str, _: &str, _: &str) -> Value {
        Value::from(Map::new())
    }

    fn host_by_name(&mut self, _: &str) -> String {
        String::new()
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    Text(Vec<u8>),
    Error(String),
}

#[test]
fn vectors() {
    let Some(folder) = folder() else {
        return;
    };
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || run(&folder))
        .expect("a thread")
        .join()
        .expect("no panic");
}

fn folder() -> Option<PathBuf> {
    let shared = std::env::var("EVENKEEL_SHARED").unwrap_or_else(|_| "../shared".to_owned());
    let folder = PathBuf::from(shared).join("spec/vectors");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} is not there", folder.display());
    None
}

fn run(folder: &std::path::Path) {
    let gaps: BTreeSet<String> = std::fs::read_to_string("fixtures/parity/vector-gaps.txt")
        .expect("the list of gaps")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split("  ").next().unwrap_or_default().to_owned())
        .collect();
    let mut failed = BTreeMap::new();
    let verbose = std::env::var("VECTORS").ok();
    for dialect in Dialect::ALL {
        let table = FuncTable::new(funcs::table(dialect).iter().copied());
        let table = Arc::new(table.with_values_methods(funcs::values::METHODS));
        for file in FILES {
            if verbose
                .as_ref()
                .is_some_and(|only| !only.is_empty() && only != file)
            {
                continue;
            }
            let mut counts = (0, 0);
            let lines = std::fs::read_to_string(folder.join(format!("{file}.jsonl"))).expect("a vector file");
            for line in lines.lines() {
                let vector: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
                let versions = vector["helm"].as_array().expect("versions");
                if !versions.iter().any(|version| version == version_of(dialect)) {
                    continue;
                }
                // These run through the whole chain.
                if needs(&vector).is_some() {
                    continue;
                }
                let expected = expected(&vector);
                let found = render(&vector, &table, dialect);
                if found == expected {
                    counts.0 += 1;
                    continue;
                }
                counts.1 += 1;
                let id = format!("{file} {} {dialect}", vector["id"].as_str().expect("an id"));
                if verbose.is_some() {
                    println!(
                        "{id}\n  {}\n  want {}\n  have {}",
                        vector["template"],
                        show(&expected),
                        show(&found)
                    );
                }
                failed.insert(id, (expected, found));
            }
            println!("{dialect} {file}: {} passed, {} failed", counts.0, counts.1);
        }
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for run in whole::run(folder, FILES, dialect) {
            let counts = counts.entry(run.file).or_default();
            if run.found == run.expected {
                counts.0 += 1;
                continue;
            }
            counts.1 += 1;
            let id = format!("{} {} {dialect}", run.file, run.id);
            failed.insert(id, (run.expected, run.found));
        }
        for (file, counts) in counts {
            println!(
                "{dialect} {file} (whole): {} passed, {} failed",
                counts.0, counts.1
            );
        }
    }
    if verbose.is_some() {
        return;
    }
    let new: Vec<_> = failed.iter().filter(|(id, _)| !gaps.contains(*id)).collect();
    for (id, (expected, found)) in &new {
        println!("{id}\n  want {}\n  have {}", show(expected), show(found));
    }
    let closed: Vec<_> = gaps.iter().filter(|gap| !failed.contains_key(*gap)).collect();
    assert!(
        new.is_empty(),
        "{} vectors fail that are no known gaps",
        new.len()
    );
    assert!(
        closed.is_empty(),
        "gaps that closed, remove their lines: {closed:?}"
    );
}

fn show(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
        Outcome::Error(text) => format!("error {text:?}"),
    }
}

fn version_of(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::V3_19 => "3.19.0",
        Dialect::V4_3 => "4.3.1",
    }
}

fn needs(vector: &serde_json::Value) -> Option<String> {
    let template = vector["template"].as_str().expect("a template");
    let part = NEEDS.iter().find(|part| template.contains(**part))?;
    Some((*part).to_owned())
}

fn expected(vector: &serde_json::Value) -> Outcome {
    if let Some(error) = vector["expect_error"].as_str() {
        return Outcome::Error(error.to_owned());
    }
    if let Some(text) = vector["expect_b64"].as_str() {
        return Outcome::Text(base64(text));
    }
    let text = vector["expect_raw"].as_str().or(vector["expect"].as_str());
    Outcome::Text(text.expect("an expectation").as_bytes().to_vec())
}

fn base64(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for byte in text.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

fn render(vector: &serde_json::Value, table: &Arc<FuncTable>, dialect: Dialect) -> Outcome {
    let template = vector["template"].as_str().expect("a template");
    // Helm strips a byte order mark when it loads a file.
    let template = template.trim_start_matches('\u{feff}').as_bytes();
    let fails = vector["expect_error"].is_string();
    let files: &[(&str, &[u8])] = if fails {
        &[("c/templates/vec.yaml", template)]
    } else {
        &[
            (
                "c/templates/out.yaml",
                b"{{ include \"c/templates/_vec.tpl\" . }}",
            ),
            ("c/templates/_vec.tpl", template),
        ]
    };
    let limits = Limits::on_stack_of(STACK);
    let mut builder = SetBuilder::new(Arc::clone(table), limits.stack);
    for (name, source) in files {
        if let Err(error) = builder.add(name, source) {
            return Outcome::Error(format!("Error: {}", parse_failure(&error)));
        }
    }
    let set = builder.finish();
    // The history of values must not change a byte.
    let mut outcomes = [true, false].map(|trace| {
        let options = Options {
            dialect,
            trace,
            limits,
        };
        let mut ambient = Quiet;
        let mut executor = Executor::new(&set, &mut ambient, MarkTable::new(), options);
        match executor.execute(files[0].0, context(vector, files[0].0, dialect)) {
            Ok(text) => Outcome::Text(text.bytes().to_vec()),
            // The measured text lost the white space at its end.
            Err(chain) => {
                let text = format!("Error: {}", exec_failure(&chain, dialect));
                Outcome::Error(text.trim_end().to_owned())
            }
        }
    });
    assert_eq!(outcomes[0], outcomes[1], "tracing changes the text");
    std::mem::replace(&mut outcomes[0], Outcome::Text(Vec::new()))
}

fn context(vector: &serde_json::Value, file: &str, dialect: Dialect) -> Value {
    let entry = |key: &str, value: Value| (Text::from(key), value);
    let values = Map::typed(MapType::Values);
    if let serde_json::Value::Object(object) = &vector["values"] {
        for (key, value) in object {
            if !(dialect.is_v4() && value.is_null()) {
                values.set(key.as_str().into(), to_value(value, dialect.is_v4()));
            }
        }
    }
    let release = [
        entry("IsInstall", true.into()),
        entry("IsUpgrade", false.into()),
        entry("Name", "r".into()),
        entry("Namespace", "n".into()),
        entry("Revision", Value::int(1)),
        entry("Service", "Helm".into()),
    ];
    let template = [
        entry("BasePath", "c/templates".into()),
        entry("Name", file.into()),
    ];
    let context = [
        entry("Release", Map::from_entries(MapType::Any, release).into()),
        entry("Subcharts", Map::new().into()),
        entry("Template", Map::from_entries(MapType::Values, template).into()),
        entry("Values", values.into()),
    ];
    // The data of a file is a `Values`; what a parent sees of it under `.Subcharts` is a plain map.
    Map::from_entries(MapType::Values, context).into()
}

/// Numbers are floats, as YAML leaves them; `clean` drops nulls from maps, as Helm 4 does with defaults.
fn to_value(json: &serde_json::Value, clean: bool) -> Value {
    match json {
        serde_json::Value::Null => Value::NIL,
        serde_json::Value::Bool(truth) => Value::from(*truth),
        serde_json::Value::Number(number) => Value::float(number.as_f64().expect("a float")),
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(items) => {
            let items: Vec<Value> = items.iter().map(|item| to_value(item, false)).collect();
            Value::from(List::new(items))
        }
        serde_json::Value::Object(entries) => {
            let map = Map::new();
            for (key, value) in entries {
                if !(clean && value.is_null()) {
                    map.set(key.as_str().into(), to_value(value, clean));
                }
            }
            Value::from(map)
        }
    }
}
