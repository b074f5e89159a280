//! The witness with real Helm where one is at hand, and with programs that only pretend to be.

mod failures;
mod pretenders;

use super::*;
use crate::base::par::Workers;
use crate::engine::SetFlag;
use crate::source::MemoryTree;
use crate::yaml::parse_first;
use std::path::Path;

fn options(helm: &Path, temporary: &Path) -> WitnessOptions {
    WitnessOptions {
        helm_bin: vec![helm.to_path_buf()],
        search_path: None,
        temporary: temporary.to_path_buf(),
    }
}

/// Runs a check with each real Helm there is.
fn with_helm(check: impl Fn(Dialect, &WitnessEngine)) {
    for dialect in Dialect::ALL {
        let Some(helm) = helm_for_tests(dialect) else {
            eprintln!("skipped for Helm {dialect}: run scripts/witness.sh to fetch it");
            continue;
        };
        let temporary = tempfile::tempdir().unwrap();
        let engine = WitnessEngine::new(&options(&helm, temporary.path())).unwrap();
        check(dialect, &engine);
        let home = std::fs::read_dir(&engine.home).unwrap().count();
        assert_eq!(home, 0, "helm left something in its home");
        drop(engine);
        assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 0);
    }
}

fn job(tree: &Arc<dyn SourceTree>, chart: &str, dialect: Dialect) -> RenderJob {
    RenderJob {
        tree: tree.clone(),
        chart: chart.to_string(),
        release: "rel".to_string(),
        namespace: "apps".to_string(),
        values: Vec::new(),
        set: Vec::new(),
        kube_version: None,
        api_versions: Vec::new(),
        include_crds: false,
        is_upgrade: false,
        no_hooks: false,
        skip_tests: false,
        skip_schema_validation: false,
        dialect,
        traced: false,
        cluster: None,
    }
}

const CHART: &str = "apiVersion: v2\nname: webapp\nversion: 0.1.0\n";

fn chart(template: &str) -> MemoryTree {
    MemoryTree::new("test")
        .file("deploy/web/chart/Chart.yaml", CHART)
        .file("deploy/web/chart/values.yaml", "a: 1\n")
        .file("deploy/web/chart/templates/out.yaml", template)
}

fn shared(tree: MemoryTree) -> Arc<dyn SourceTree> {
    Arc::new(tree)
}

const PRINT: &str =
    "kind: ConfigMap\nname: {{ .Release.Name }}.{{ .Release.Namespace }}\nvalues: {{ toJson .Values }}\n";

fn printed(rendered: &Rendered) -> String {
    let output = String::from_utf8(rendered.output.clone()).unwrap();
    let values = output.split_once("values: ").unwrap().1;
    values.lines().next().unwrap().to_string()
}

#[test]
fn values_of_every_source_reach_helm_in_order() {
    let inline = parse_first(b"{ a: 4, deep: { 'y': \"\\u00e9 \\\"q\\\"\", num: [1.5, null, true] } }")
        .unwrap()
        .node;
    let tree = shared(
        chart(PRINT)
            .file("real/values.yaml", "linked: 1\n")
            .link("deploy/web/values.yaml", "../../real/values.yaml")
            .file("odd, name: \"x\".yaml", "odd: 1\n")
            .file("-dash.yaml", "dash: 1\n")
            .file("deploy/text,file", "content"),
    );
    with_helm(|dialect, engine| {
        let mut job = job(&tree, "deploy/web/chart", dialect);
        job.values = ["deploy/web/values.yaml", "odd, name: \"x\".yaml", "-dash.yaml"]
            .map(|path| ValuesInput::File(path.to_string()))
            .to_vec();
        job.values.push(ValuesInput::Inline {
            node: inline.clone(),
            file: "evenkeel.yaml".into(),
        });
        job.set = [
            (SetKind::File, r"text=deploy/text\,file"),
            (SetKind::Set, "set=5,list={a,b}"),
            (SetKind::String, "string=5"),
            (SetKind::Json, r#"json={"k":[1]}"#),
            (SetKind::Literal, "literal=a,b=c"),
        ]
        .map(|(kind, expression)| SetFlag {
            kind,
            expression: expression.to_string(),
            place: None,
        })
        .to_vec();
        let rendered = engine.render(&job).unwrap();
        assert_eq!(
            printed(&rendered),
            "{\"a\":4,\"dash\":1,\"deep\":{\"num\":[1.5,null,true],\"y\":\"é \\\"q\\\"\"},\"json\":{\"k\":[1]},\
             \"linked\":1,\"list\":[\"a\",\"b\"],\"literal\":\"a,b=c\",\"odd\":1,\"set\":5,\"string\":\"5\",\
             \"text\":\"content\"}"
        );
        assert!(String::from_utf8_lossy(&rendered.output).contains("name: rel.apps"));
        assert_eq!(rendered.warnings, Vec::<String>::new());
    });
}

#[test]
fn flags_reach_helm() {
    let template = "kind: ConfigMap\nv: {{ .Capabilities.KubeVersion.Version }}\nup: {{ .Release.IsUpgrade }}\n\
        has: {{ .Capabilities.APIVersions.Has \"a/v1\" }} {{ .Capabilities.APIVersions.Has \"b/v1,c\" }}\n";
    let tree = shared(
        chart(template)
            .file(
                "deploy/web/chart/crds/crd.yaml",
                "kind: CustomResourceDefinition\n",
            )
            .file(
                "deploy/web/chart/templates/hook.yaml",
                "kind: Job\nmetadata:\n  annotations:\n    helm.sh/hook: pre-install\n",
            ),
    );
    with_helm(|dialect, engine| {
        let mut job = job(&tree, "deploy/web/chart", dialect);
        let plain = String::from_utf8(engine.render(&job).unwrap().output).unwrap();
        assert!(
            plain.contains("kind: Job") && !plain.contains("CustomResource"),
            "{plain}"
        );
        job.kube_version = Some("v1.29.3".into());
        job.api_versions = vec!["a/v1".into(), "b/v1,c".into()];
        (job.include_crds, job.is_upgrade, job.no_hooks) = (true, true, true);
        let output = String::from_utf8(engine.render(&job).unwrap().output).unwrap();
        for expected in [
            "v: v1.29.3",
            "up: true",
            "has: true true",
            "kind: CustomResourceDefinition",
        ] {
            assert!(output.contains(expected), "{expected}: {output}");
        }
        assert!(!output.contains("kind: Job"), "{output}");
    });
}

#[test]
fn links_in_a_chart_lead_where_they_lead_in_the_tree() {
    let tree = shared(
        chart("kind: ConfigMap\nvalues: {{ .Files.Get \"linked.txt\" | quote }}\n---\n{{ include \"common\" . }}\n")
            .file("shared/text", "hello")
            .file("shared/tpl/_common.tpl", "{{ define \"common\" }}kind: Common{{ end }}")
            .link("deploy/web/chart/linked.txt", "../../../shared/text")
            .link("deploy/web/chart/templates/common", "../../../../shared/tpl"),
    );
    with_helm(|dialect, engine| {
        let rendered = engine.render(&job(&tree, "deploy/web/chart", dialect)).unwrap();
        let output = String::from_utf8_lossy(&rendered.output).into_owned();
        assert!(
            output.contains("values: \"hello\"") && output.contains("kind: Common"),
            "{output}"
        );
        assert_eq!(rendered.warnings.len(), 2, "{:?}", rendered.warnings);
        for warning in &rendered.warnings {
            assert!(warning.contains("found symbolic link"), "{warning}");
            assert!(
                warning.contains("deploy/web/chart/") && !warning.contains("evenkeel"),
                "{warning}"
            );
        }
    });
}

#[test]
fn cells_of_many_threads_share_their_charts() {
    let trees: Vec<_> = (0..2)
        .map(|side| shared(chart(PRINT).file("side.yaml", format!("side: {side}\n"))))
        .collect();
    with_helm(|dialect, engine| {
        let jobs: Vec<RenderJob> = (0..12)
            .map(|cell| {
                let mut job = job(&trees[cell % 2], "deploy/web/chart", dialect);
                job.release = format!("rel-{cell}");
                job.values = vec![ValuesInput::File("side.yaml".to_string())];
                job
            })
            .collect();
        let outputs = Workers::new(4)
            .unwrap()
            .map(&jobs, |job| engine.render(job).unwrap().output);
        for (cell, output) in outputs.iter().enumerate() {
            let output = String::from_utf8_lossy(output);
            assert!(output.contains(&format!("name: rel-{cell}.apps")), "{output}");
            assert!(output.contains(&format!("\"side\":{}", cell % 2)), "{output}");
        }
        assert_eq!(engine.layouts.lock().unwrap().len(), 2);
    });
}
