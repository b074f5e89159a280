//! The witness with real Helm where one is at hand, and with programs that only pretend to be.

use super::*;
use crate::base::par::Workers;
use crate::engine::SetFlag;
use crate::source::MemoryTree;
use crate::yaml::parse_first;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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

/// A program in the place of helm.
fn pretender(folder: &Path, script: &str) -> PathBuf {
    let path = folder.join("helm");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn the_wrong_helm_is_refused_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let told = |options: &WitnessOptions| WitnessEngine::new(options).err().unwrap().to_string();
    let mut nothing = options(folder.path(), folder.path());
    assert!(told(&nothing).contains("is not a program"));
    nothing.helm_bin.clear();
    nothing.search_path = Some(folder.path().join("empty").into_os_string());
    let missing = told(&nothing);
    assert!(
        missing.contains("no `helm` on the search path") && missing.contains("--helm-bin"),
        "{missing}"
    );

    pretender(folder.path(), "echo v3.12.0");
    nothing.search_path = Some(folder.path().as_os_str().to_os_string());
    let engine = WitnessEngine::new(&nothing).unwrap();
    let problem = engine.require(Dialect::V4_3).unwrap_err().to_string();
    assert!(
        problem.contains("Helm 4.3 is wanted") && problem.contains("is Helm v3.12.0"),
        "{problem}"
    );
    let failure = engine
        .render(&job(&shared(chart("")), "deploy/web/chart", Dialect::V4_3))
        .unwrap_err();
    assert!(failure.internal, "{failure}");

    pretender(folder.path(), "echo v3.19.7");
    let engine = WitnessEngine::new(&nothing).unwrap();
    assert_eq!(engine.require(Dialect::V3_19).unwrap(), "v3.19.7");
    let problem = engine.require(Dialect::V4_3).unwrap_err().to_string();
    assert!(problem.contains("helmVersion: \"3.19\""), "{problem}");

    let helm = pretender(folder.path(), "echo hello");
    assert!(told(&options(&helm, folder.path())).contains("does not answer `helm version`"));
}

#[test]
fn a_helm_that_crashes_or_is_killed_is_no_fault_of_the_chart() {
    let folder = tempfile::tempdir().unwrap();
    let tree = shared(chart(""));
    for (end, words) in [
        ("exit 2", "code 2: fatal error"),
        ("kill -9 $$", "was killed"),
        ("exit 1", ""),
    ] {
        let script =
            format!("[ \"$1\" = version ] && echo v4.3.1 && exit 0\necho 'fatal error: x' >&2; {end}");
        let helm = pretender(folder.path(), &script);
        let engine = WitnessEngine::new(&options(&helm, folder.path())).unwrap();
        let failure = engine
            .render(&job(&tree, "deploy/web/chart", Dialect::V4_3))
            .unwrap_err();
        assert_eq!(failure.internal, !words.is_empty(), "{failure}");
        assert!(failure.message.contains(words), "{failure}");
    }
}

#[test]
fn nothing_of_the_environment_reaches_helm() {
    let folder = tempfile::tempdir().unwrap();
    let script = "[ \"$1\" = version ] && echo v4.3.1 && exit 0\nenv";
    let helm = pretender(folder.path(), script);
    let engine = WitnessEngine::new(&options(&helm, folder.path())).unwrap();
    let rendered = engine
        .render(&job(&shared(chart("")), "deploy/web/chart", Dialect::V4_3))
        .unwrap();
    let output = String::from_utf8(rendered.output).unwrap();
    let private = engine.private.path().to_str().unwrap();
    for line in output.lines() {
        let (name, value) = line.split_once('=').unwrap();
        let fixed = [
            "TZ",
            "GOGC",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "http_proxy",
            "https_proxy",
        ];
        // what a shell sets for itself
        let of_shell = ["PWD", "OLDPWD", "SHLVL", "_", "PATH"];
        let known = fixed.contains(&name) || of_shell.contains(&name) || value.starts_with(private);
        assert!(known, "{line}");
    }
    assert!(output.contains("KUBECONFIG=") && output.contains("HELM_CONFIG_HOME="));
}

const INTERRUPTED: &str = "EVENKEEL_TEST_INTERRUPTED";

/// The other half of `a_signal_leaves_nothing_behind`: a run that hangs in helm.
#[test]
fn hangs_in_helm_when_told_to() {
    let Some(folder) = std::env::var_os(INTERRUPTED).map(PathBuf::from) else {
        return;
    };
    let script = format!(
        "[ \"$1\" = version ] && echo v4.3.1 && exit 0\necho $$ > {}\nexec sleep 60",
        folder.join("pid").display()
    );
    let helm = pretender(&folder, &script);
    let engine = WitnessEngine::new(&options(&helm, &folder)).unwrap();
    let rendered = engine.render(&job(&shared(chart("")), "deploy/web/chart", Dialect::V4_3));
    panic!("helm came back: {rendered:?}");
}

fn eventually(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what} did not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn private_folders(parent: &Path) -> usize {
    let entries = std::fs::read_dir(parent).unwrap().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().contains("evenkeel-"))
        .count()
}

#[test]
fn a_signal_leaves_nothing_behind() {
    for (signal, code) in [
        ("INT", Some(130)),
        ("TERM", Some(130)),
        ("HUP", Some(130)),
        ("KILL", None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut run = Command::new(std::env::current_exe().unwrap())
            .args([
                "engine::witness::tests::hangs_in_helm_when_told_to",
                "--exact",
                "--nocapture",
            ])
            .env(INTERRUPTED, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let pid_file = folder.path().join("pid");
        let pid = || {
            std::fs::read_to_string(&pid_file)
                .unwrap_or_default()
                .trim()
                .to_string()
        };
        eventually("the start of helm", || !pid().is_empty());
        let (helm, itself) = (pid(), run.id().to_string());
        assert_eq!(private_folders(folder.path()), 1);
        let send = |signal: &str, pid: &str| {
            let status = Command::new("kill")
                .args([&format!("-{signal}"), pid])
                .stderr(Stdio::null())
                .status();
            status.unwrap().success()
        };
        assert!(send(signal, &itself));
        assert_eq!(run.wait().unwrap().code(), code, "{signal}");
        if signal == "KILL" {
            assert_eq!(private_folders(folder.path()), 1, "nobody could clean up");
            send("KILL", &helm);
            let next = PrivateDir::create(folder.path()).unwrap();
            assert_eq!(private_folders(folder.path()), 1, "the next run did");
            drop(next);
        }
        let alive = || Path::new("/proc").join(&helm).join("exe").exists();
        eventually("the end of helm", || !alive());
        assert_eq!(private_folders(folder.path()), 0, "{signal}");
    }
}
