//! The laws of the engine; what Helm itself prints is compared by the parity suite.

use super::*;
use crate::base::Place;
use crate::engine::SetFlag;
use crate::source::{MemoryTree, SourceTree};
use std::sync::Arc;

const CHART: &str = "apiVersion: v2\nname: c\nversion: 0.1.0\n";

fn job(tree: MemoryTree) -> RenderJob {
    RenderJob {
        tree: Arc::new(tree) as Arc<dyn SourceTree>,
        chart: "app".to_owned(),
        release: "r".to_owned(),
        namespace: "n".to_owned(),
        values: Vec::new(),
        set: Vec::<SetFlag>::new(),
        kube_version: None,
        api_versions: Vec::new(),
        include_crds: false,
        is_upgrade: false,
        no_hooks: false,
        skip_tests: false,
        skip_schema_validation: false,
        dialect: Dialect::V4_3,
        traced: false,
        cluster: None,
    }
}

fn chart(template: &str) -> MemoryTree {
    MemoryTree::new("test")
        .file("app/Chart.yaml", CHART)
        .file(
            "app/templates/_t.tpl",
            "{{ define \"t\" }}\n{{ .Values.x.y }}{{ end }}",
        )
        .file("app/templates/a.yaml", template)
}

#[test]
fn two_renders_give_the_same_bytes() {
    let job = job(chart("a: {{ keys .Values | len }}\nb: {{ now | unixEpoch }}\n"));
    let engine = NativeEngine::new();
    let render = || engine.render(&job).expect("it renders").output;
    assert_eq!(render(), render());
}

#[test]
fn a_failure_has_the_innermost_place_and_the_way_there() {
    let failure = NativeEngine::new()
        .render(&job(chart("ä: {{ include \"t\" . }}")))
        .expect_err("nil pointer");
    assert_eq!(failure.place, Some(Place::new("app/templates/_t.tpl", 2, 11)));
    assert_eq!(
        failure.include_trace,
        ["app/templates/a.yaml:1:7: include \"t\" ."]
    );
    assert!(!failure.internal);
}

#[test]
fn parse_and_yaml_errors_have_a_place() {
    let engine = NativeEngine::new();
    let place = |template: &str| engine.render(&job(chart(template))).expect_err("a failure").place;
    assert_eq!(
        place("a\n{{ nope }}"),
        Some(Place::new("app/templates/a.yaml", 2, 0))
    );
    assert_eq!(place("a: b: c"), Some(Place::new("app/templates/a.yaml", 0, 0)));
}

#[test]
fn an_endless_render_is_our_limit_and_no_fault_of_the_chart() {
    let loops = "{{ define \"loop\" }}{{ template \"loop\" . }}{{ end }}{{ template \"loop\" . }}";
    let run = move || {
        NativeEngine::new()
            .render(&job(chart(loops)))
            .expect_err("a bound")
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run);
    assert!(thread.expect("a thread").join().expect("no panic").internal);
}

#[test]
fn a_traced_render_gives_the_same_bytes_and_knows_their_places() {
    let tree = chart("a: {{ include \"t\" . | trim | quote }}\nk: {{ .Capabilities.KubeVersion.Minor }}\n")
        .file("app/values.yaml", "x:\n  \"y\": 1\n");
    let mut job = job(tree);
    let engine = NativeEngine::new();
    let plain = engine.render(&job).expect("it renders");
    assert!(plain.history.is_none());
    job.traced = true;
    let traced = engine.render(&job).expect("it renders");
    assert_eq!(traced.output, plain.output);
    let history = traced.history.expect("a traced job has one");
    let at = |needle: &[u8]| memchr::memmem::find(&traced.output, needle).expect("it is printed");
    let start = at(b"\"1\"") + 1;
    let (_, span) = history
        .spans(start..start + 1)
        .next()
        .expect("spans cover the output");
    let origins: Vec<String> = history
        .origins(span.marks)
        .map(|origin| format!("{} {}", origin.path, origin.place))
        .collect();
    assert_eq!(origins, ["x.y app/values.yaml:2:8"]);
    let place = history.place(span.frame, span.node);
    assert_eq!(place, Some(Place::new("app/templates/_t.tpl", 2, 4)));
    let chain = history.chain(span.frame);
    let calls: Vec<_> = chain.iter().map(|call| (&*call.file, call.line)).collect();
    assert_eq!(calls, [("app/templates/a.yaml", 1)]);
    let minor = at(b"k: ") + 3;
    assert!(history.has_ambient(minor..minor + 1, &[crate::value::AmbientKind::Capability]));
    assert!(!history.has_ambient(start..start + 1, &[crate::value::AmbientKind::Capability]));
}
