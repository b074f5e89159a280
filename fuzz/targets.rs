//! What each fuzz target does with its bytes. Nothing here may panic, whatever the bytes are; where there
//! is a law, it is asserted. `tests/regressions.rs` of the main crate runs the same functions on what was
//! found.

use evenkeel::base::{Sides, par::STACK_BYTES};
use evenkeel::chart::archive;
use evenkeel::compare::cell::compare;
use evenkeel::dialect::Dialect;
use evenkeel::engine::{Engine, NativeEngine, RenderJob, SetFlag, SetKind, ValuesInput};
use evenkeel::layers::{Layers, stack::user_values};
use evenkeel::manifest::{Manifest, Rules, canon};
use evenkeel::plan::Plan;
use evenkeel::source::{MemoryTree, SourceTree};
use evenkeel::template::{FuncTable, Limits, parse};
use evenkeel::yaml::{self, Flavor};
use evenkeel::{base::Side, baseline, funcs, json, plan};
use std::io::Write;
use std::sync::{Arc, LazyLock};

/// Parts one input into several texts: no UTF-8 text holds it.
const PART: u8 = 0xff;

const CHART: &str = "apiVersion: v2\nname: app\nversion: 0.1.0\n";

/// A target by name.
pub fn target(name: &str) -> Option<fn(&[u8])> {
    Some(match name {
        "template" => template,
        "yaml" => yaml,
        "manifest" => manifest,
        "set" => set,
        "archive" => archive,
        "chart" => chart,
        "json" => json,
        "toml" => toml,
        "render" => render,
        "config" => config,
        "pin" => pin,
        _ => return None,
    })
}

/// The template parser; what it accepts can be told back.
pub fn template(bytes: &[u8]) {
    static FUNCS: LazyLock<FuncTable> =
        LazyLock::new(|| FuncTable::new(funcs::table(Dialect::V4_3).iter().copied()));
    if let Err(error) = parse("t", bytes.into(), &FUNCS, STACK_BYTES / 4) {
        assert!(!error.to_string().is_empty());
    }
}

/// The reader and writer of YAML: what is written reads as what was written.
pub fn yaml(bytes: &[u8]) {
    let _ = yaml::unmarshal_map(bytes);
    let _ = yaml::unmarshal_list(bytes);
    let first = yaml::parse_first(bytes);
    let stream = yaml::parse_stream(bytes);
    if let (Ok(first), Some(same)) = (&first, stream.documents.first()) {
        assert_eq!(first.node, same.node);
    }
    for document in &stream.documents {
        let _ = yaml::to_yaml(&document.node, Flavor::Pretty);
        let Ok(written) = yaml::to_yaml(&document.node, Flavor::Plain) else {
            continue;
        };
        // go-yaml writes the key `<<` bare, and reads it back as a merge.
        let is_merge = written.windows(3).any(|part| part == b"<<:");
        if let Ok(again) = yaml::parse_first(&written)
            && !is_merge
        {
            let twice = yaml::to_yaml(&again.node, Flavor::Plain).expect("what was read can be written");
            assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&twice));
        }
    }
}

/// Documents, their canonical form, and their comparison with a second text.
pub fn manifest(bytes: &[u8]) {
    let [before, after] = parts(bytes);
    let [before, after] = [before, after].map(|text| Manifest::read(text, "default"));
    for document in before.documents.iter().chain(&after.documents) {
        if let Ok(node) = canon::canonical(document, Rules::default()) {
            canon::encoded(&node);
        }
    }
    let comparison = compare("r", Sides::new(&before, &after), Rules::default());
    assert!(comparison.documents.len() <= before.documents.len() + after.documents.len());
}

/// The expressions of `--set` and its kin: the first byte chooses the flag.
pub fn set(bytes: &[u8]) {
    let Some((&kind, bytes)) = bytes.split_first() else {
        return;
    };
    let tree = MemoryTree::new("tree").file("f", "text");
    let flags: Vec<SetFlag> = bytes
        .split(|&byte| byte == PART)
        .map(|text| SetFlag {
            kind: SetKind::ALL[usize::from(kind) % SetKind::ALL.len()],
            expression: String::from_utf8_lossy(text).into_owned(),
            place: None,
        })
        .collect();
    for (dialect, traced) in [(Dialect::V4_3, true), (Dialect::V3_19, false)] {
        let mut layers = Layers::new(traced);
        if let Ok(values) = user_values(&tree, &[], &flags, dialect, &mut layers) {
            let _ = yaml::to_yaml(&evenkeel::value::Value::from(values), Flavor::Plain);
        }
    }
}

/// Packaged charts: the bytes as they are, and as the content of a proper gzip stream.
pub fn archive(bytes: &[u8]) {
    let _ = archive::unpack(bytes);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    gzip.write_all(bytes).expect("memory takes everything");
    let packed = gzip.finish().expect("memory takes everything");
    if let Ok(files) = archive::unpack(&packed) {
        for file in &files {
            assert!(!file.name.starts_with('/') && !file.name.split('/').any(|part| part == ".."));
        }
    }
    let tree = MemoryTree::new("tree").file("app", packed);
    for dialect in Dialect::ALL {
        let _ = evenkeel::chart::load(&tree, "app", dialect);
    }
}

/// The files of a chart and of a subchart, and how their values come together.
pub fn chart(bytes: &[u8]) {
    let [
        metadata,
        values,
        schema,
        ignore,
        requirements,
        child,
        child_values,
        user,
    ] = parts(bytes);
    let template = "{{ toYaml .Values }}\n{{ toJson .Chart }}\n{{ .Files.AsConfig }}\n";
    let tree = MemoryTree::new("tree")
        .file("app/Chart.yaml", metadata)
        .file("app/values.yaml", values)
        .file("app/values.schema.json", schema)
        .file("app/.helmignore", ignore)
        .file("app/requirements.yaml", requirements)
        .file("app/templates/a.yaml", template)
        .file("app/crds/a.yaml", child_values)
        .file("app/charts/child/Chart.yaml", child)
        .file("app/charts/child/values.yaml", child_values)
        .file("app/charts/child/templates/a.yaml", template)
        .file("user.yaml", user);
    run(tree, vec![ValuesInput::File("user.yaml".to_owned())]);
}

/// Both readers of JSON and its writer.
pub fn json(bytes: &[u8]) {
    for engine in [json::Engine::Classic, json::Engine::V2] {
        let _ = json::read_map(bytes, engine);
        let _ = json::read_list(bytes, engine);
        let Ok(read) = json::read(bytes, engine) else {
            continue;
        };
        let layout = json::Layout {
            escape_html: true,
            indent: false,
            engine,
        };
        if let Ok(written) = json::to_json(&read.node, layout) {
            let again = json::read(&written, engine).expect("what was written is JSON");
            let twice = json::to_json(&again.node, layout).expect("what was read can be written");
            assert_eq!(written, twice);
        }
    }
}

/// TOML, and the other texts that templates read.
pub fn toml(bytes: &[u8]) {
    let template = "{{ $t := .Files.Get \"t\" }}{{ $t | fromToml | toToml }}\n{{ $t | fromToml | toJson }}\n\
                    {{ $t | fromYaml | toToml }}\n{{ $t | fromJson | toToml }}\n{{ $t | fromYamlArray | toJson }}";
    let tree = MemoryTree::new("tree")
        .file("app/Chart.yaml", CHART)
        .file("app/t", bytes)
        .file("app/templates/a.yaml", template);
    run(tree, Vec::new());
}

/// A whole small render: a template, values, and a file of definitions.
pub fn render(bytes: &[u8]) {
    let [template, values, definitions] = parts(bytes);
    let tree = MemoryTree::new("tree")
        .file("app/Chart.yaml", CHART)
        .file("app/values.yaml", values)
        .file("app/templates/_d.tpl", definitions)
        .file("app/templates/a.yaml", template);
    run(tree, Vec::new());
}

/// `evenkeel.yaml`, and the cells it asks for.
pub fn config(bytes: &[u8]) {
    let tree = MemoryTree::new("tree")
        .file("a/Chart.yaml", CHART)
        .file("a/values.yaml", "a: 1\n")
        .file("b/c/Chart.yaml", CHART)
        .file("b/m.yaml", "kind: ConfigMap\n");
    let (config, problems) = plan::parse(bytes, "evenkeel.yaml", "");
    if problems.is_empty() {
        let plan = Plan::of(&config, Side::Candidate, &tree as &dyn SourceTree);
        let _ = plan.problems.len();
    }
}

/// A pinned baseline.
pub fn pin(bytes: &[u8]) {
    if let Err(problems) = baseline::read("baselines/p.yaml", "p", bytes) {
        assert!(!problems.is_empty());
    }
}

/// Bounds that a small input meets in little time.
fn limits() -> Limits {
    Limits {
        fuel: 20_000,
        output: 1 << 18,
        ..Limits::on_stack_of(STACK_BYTES)
    }
}

/// Renders with and without history: the bytes are the same.
fn run(tree: MemoryTree, values: Vec<ValuesInput>) {
    let tree: Arc<dyn SourceTree> = Arc::new(tree);
    for dialect in Dialect::ALL {
        let engine = NativeEngine::with_limits(limits());
        let mut job = RenderJob {
            tree: Arc::clone(&tree),
            chart: "app".to_owned(),
            release: "r".to_owned(),
            namespace: "n".to_owned(),
            values: values.clone(),
            set: Vec::new(),
            kube_version: None,
            api_versions: Vec::new(),
            include_crds: true,
            is_upgrade: false,
            no_hooks: false,
            skip_tests: false,
            skip_schema_validation: false,
            dialect,
            traced: false,
            cluster: None,
        };
        let plain = engine.render(&job);
        job.traced = true;
        let traced = engine.render(&job);
        match (plain, traced) {
            (Ok(plain), Ok(traced)) => {
                assert_eq!(plain.output, traced.output);
                Manifest::read(plain.output, "n");
            }
            // A bound is met a little earlier or later when history is kept.
            (Err(failure), _) | (_, Err(failure)) if failure.internal => {}
            (Err(plain), Err(traced)) => assert_eq!(plain.message, traced.message),
            (plain, traced) => panic!("{:?} but {:?}", plain.map(|_| ()), traced.map(|_| ())),
        }
    }
}

/// The texts of an input; those that it lacks are empty, and the last has the rest.
fn parts<const N: usize>(bytes: &[u8]) -> [&[u8]; N] {
    let mut texts = bytes.splitn(N, |&byte| byte == PART);
    std::array::from_fn(|_| texts.next().unwrap_or_default())
}
