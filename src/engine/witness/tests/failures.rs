//! What a failure of real Helm tells, and where it points.

use super::*;
use crate::yaml::{Entry, Mark, Node, NodeKind, Number};

#[test]
fn a_failure_is_told_in_helms_words_with_its_place_in_the_tree() {
    let helpers = "{{ define \"outer\" }}\n{{ include \"inner\" . }}{{ end }}\n\
        {{ define \"inner\" }}é{{ .Values.missing.key }}{{ end }}\n";
    let tree = shared(
        chart("kind: X\nv: {{ include \"outer\" . }}\n")
            .file("deploy/web/chart/templates/_helpers.tpl", helpers),
    );
    with_helm(|dialect, engine| {
        let failure = engine
            .render(&job(&tree, "deploy/web/chart", dialect))
            .unwrap_err();
        assert!(
            failure
                .message
                .contains("nil pointer evaluating interface {}.key"),
            "{failure}"
        );
        assert!(!failure.message.starts_with("Error") && !failure.message.contains("--debug"));
        assert!(!failure.internal);
        let helper = "deploy/web/chart/templates/_helpers.tpl";
        // the column of the field that failed, in characters: `é` is one
        assert_eq!(failure.place, Some(Place::new(helper, 3, 32)), "{failure}");
        assert_eq!(
            failure.include_trace,
            [
                "deploy/web/chart/templates/out.yaml:2:7: include \"outer\" .",
                "deploy/web/chart/templates/_helpers.tpl:2:4: include \"inner\" ."
            ]
        );
    });
}

#[test]
fn every_kind_of_failure_has_its_place() {
    let out = "deploy/web/chart/templates/out.yaml";
    let values = "deploy/web/chart/values.yaml";
    let cases = [
        (
            chart("a: 1\nb: {{ required \"need b\" .Values.b }}\n"),
            Some(Place::new(out, 2, 7)),
            "need b",
        ),
        (
            chart("a: 1\n{{ fail \"no\" }}"),
            Some(Place::new(out, 2, 4)),
            "no",
        ),
        (
            chart("a: 1\n{{ if }}"),
            Some(Place::new(out, 2, 0)),
            "missing value for if",
        ),
        (
            chart("a: {{ nothing }}"),
            Some(Place::new(out, 1, 0)),
            "not defined",
        ),
        (chart("a: b: c"), Some(Place::file(out)), "YAML parse error"),
        (
            chart("{{ tpl \"{{ .Values.x.y }}\" . }}"),
            Some(Place::new(out, 1, 4)),
            "gotpl",
        ),
        (
            chart("").file(values, "a: 1\nb: [\n"),
            Some(Place::new(values, 2, 0)),
            "cannot load values.yaml",
        ),
        (
            chart("").file("deploy/web/chart/Chart.yaml", "name: [\n"),
            Some(Place::new("deploy/web/chart/Chart.yaml", 1, 0)),
            "Chart.yaml",
        ),
        (
            chart("").file("deploy/web/chart/values.schema.json", "{\"required\": [\"zzz\"]}"),
            None,
            "zzz",
        ),
    ];
    let cases = cases.map(|(tree, place, words)| (shared(tree), place, words));
    with_helm(|dialect, engine| {
        for (tree, place, words) in &cases {
            let failure = engine
                .render(&job(tree, "deploy/web/chart", dialect))
                .unwrap_err();
            assert!(
                failure.message.contains(words) && !failure.internal,
                "{failure:?}"
            );
            assert_eq!(&failure.place, place, "{dialect}: {failure}");
        }
    });
}

#[test]
fn values_that_cannot_be_read_name_their_file() {
    let tree = shared(
        chart(PRINT)
            .file("bad.yaml", "a: 1\nb: [\n")
            .link("away.yaml", "/etc/hosts"),
    );
    // no map that was read can hold it
    let infinite = Entry {
        key: "a".into(),
        mark: Mark::default(),
        value: Node::new(NodeKind::Number(Number::Float(f64::INFINITY))),
    };
    let mut unreadable = Node::new(NodeKind::Map([infinite].into()));
    (unreadable.mark.line, unreadable.mark.column) = (2, 3);
    with_helm(|dialect, engine| {
        let told = |path: &str| {
            let mut job = job(&tree, "deploy/web/chart", dialect);
            job.values = vec![ValuesInput::File(path.to_string())];
            engine.render(&job).unwrap_err()
        };
        let failure = told("bad.yaml");
        assert!(
            failure.message.starts_with("failed to parse bad.yaml"),
            "{failure}"
        );
        assert_eq!(failure.place, Some(Place::new("bad.yaml", 2, 0)));
        let failure = told("none.yaml");
        assert_eq!(failure.message, "open none.yaml: no such file or directory");
        assert_eq!(failure.place, Some(Place::file("none.yaml")));
        let failure = told("away.yaml");
        assert!(failure.message.contains("leads out of the tree"), "{failure}");
        let mut job = job(&tree, "deploy/web/chart", dialect);
        job.values = vec![ValuesInput::Inline {
            node: unreadable.clone(),
            file: "evenkeel.yaml".into(),
        }];
        let failure = engine.render(&job).unwrap_err();
        assert!(
            failure.message.starts_with("failed to parse inline values: "),
            "{failure}"
        );
        assert_eq!(failure.place, Some(Place::new("evenkeel.yaml", 2, 3)));
        for outside in ["/etc/hosts", "../x", "http://127.0.0.1:9/x"] {
            let failure = told(outside);
            assert!(!failure.message.contains("refused"), "{failure}");
        }
    });
}

#[test]
fn only_files_of_the_tree_are_set() {
    let tree = shared(chart(PRINT));
    with_helm(|dialect, engine| {
        for path in ["-", "https://127.0.0.1:9/x", "/etc/hosts", "../../etc/hosts"] {
            let mut job = job(&tree, "deploy/web/chart", dialect);
            job.set = vec![SetFlag {
                kind: SetKind::File,
                expression: format!("x={path}"),
                place: None,
            }];
            let failure = engine.render(&job).unwrap_err();
            let words = ["no file of the tree", "leads out of the tree"];
            assert!(
                words.iter().any(|words| failure.message.contains(words)),
                "{failure}"
            );
        }
    });
}

/// A packaged chart.
fn packed(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(
        Vec::new(),
        flate2::Compression::fast(),
    ));
    for (path, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive
            .append_data(&mut header, path, content.as_bytes())
            .unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

#[test]
fn subcharts_and_archives_are_found_by_name_and_alias() {
    let parent = format!(
        "{CHART}dependencies:\n- {{ name: base, version: 0.1.0, alias: db }}\n- {{ name: packed, version: 0.1.0 }}\n"
    );
    let metadata = |name: &str| format!("apiVersion: v2\nname: {name}\nversion: 0.1.0\n");
    let archive = |template: &str| {
        packed(&[
            ("packed/Chart.yaml", &metadata("packed")),
            ("packed/templates/a.yaml", template),
        ])
    };
    let tree = |sub: &str, inside: &str| {
        shared(
            chart("kind: X\n")
                .file("deploy/web/chart/Chart.yaml", &parent)
                .file("deploy/web/chart/charts/folder/Chart.yaml", metadata("base"))
                .file("deploy/web/chart/charts/folder/templates/a.yaml", sub)
                .file("deploy/web/chart/charts/packed-0.1.0.tgz", archive(inside))
                .file("vendor/packed.tgz", archive(inside)),
        )
    };
    let fails = "kind: Y\n{{ fail \"no\" }}\n";
    let (good, aliased, inside) = (
        tree("kind: Y", "kind: Z"),
        tree(fails, "kind: Z"),
        tree("kind: Y", fails),
    );
    with_helm(|dialect, engine| {
        let output = engine
            .render(&job(&good, "deploy/web/chart", dialect))
            .unwrap()
            .output;
        let output = String::from_utf8(output).unwrap();
        assert!(
            output.contains("kind: Y") && output.contains("kind: Z"),
            "{output}"
        );
        let place = |tree, chart| {
            engine
                .render(&job(tree, chart, dialect))
                .unwrap_err()
                .place
                .unwrap()
        };
        let template = "deploy/web/chart/charts/folder/templates/a.yaml";
        assert_eq!(place(&aliased, "deploy/web/chart"), Place::new(template, 2, 4));
        let archive = "deploy/web/chart/charts/packed-0.1.0.tgz";
        assert_eq!(place(&inside, "deploy/web/chart"), Place::file(archive));
        assert_eq!(
            place(&inside, "vendor/packed.tgz"),
            Place::file("vendor/packed.tgz")
        );
    });
}

#[test]
fn a_chart_that_is_not_there_is_told_by_the_tree() {
    let tree = shared(chart(PRINT).submodule("vendor"));
    with_helm(|dialect, engine| {
        let told = |chart: &str| engine.render(&job(&tree, chart, dialect)).unwrap_err();
        assert!(
            told("deploy/nothing")
                .message
                .contains("does not exist in the test")
        );
        assert!(told("vendor/chart").message.contains("submodule"));
    });
}
