//! `--cluster-state`: what `lookup` sees, what is told of it, and that its secrets stay where they are.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use serde_json::Value;
use std::path::Path;
use std::process::Output;

const TEMPLATE: &str = r#"{{- $old := lookup "v1" "Secret" .Release.Namespace "db" }}
{{- $api := lookup "v1" "Secret" .Release.Namespace "api" }}
{{- $dns := lookup "v1" "ConfigMap" "kube-system" "dns" }}
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data:
  level: {{ .Values.level | quote }}
  host: {{ dig "data" "domain" "local" $dns }}
  url: postgres://{{ dig "data" "token" "bm9uZQ==" $api | b64dec }}@db
---
apiVersion: v1
kind: Secret
metadata: {name: db}
data:
  password: {{ dig "data" "password" "" $old | quote }}
{{- if .Values.broken }}{{ fail $api.data.token }}{{ end }}
"#;

/// `CANARY-9a7Kq2` and `CANARY-Zz81`, as Secrets hold them; the second one flows into a ConfigMap alone.
const STATE: &str = "apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Secret
  metadata: {name: db, namespace: apps}
  data: {password: Q0FOQVJZLTlhN0txMg==}
- apiVersion: v1
  kind: Secret
  metadata: {name: api, namespace: apps}
  data: {token: Q0FOQVJZLVp6ODE=}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: dns, namespace: kube-system}
  data: {domain: example.org}
";
const CANARIES: [&str; 2] = ["CANARY", "Q0FOQVJZ"];

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let config = "kubeVersion: v1.36.2\nreleases:\n- {name: web, chart: web, namespace: apps}\n";
    write(root, "evenkeel.yaml", config);
    write(
        root,
        "web/Chart.yaml",
        "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    );
    write(root, "web/values.yaml", "level: info\nbroken: false\n");
    write(root, "web/templates/all.yaml", TEMPLATE);
    write(root, "state/all.yaml", STATE);
    common::git(root, &["init", "-q"]);
    common::git(root, &["add", "-A"]);
    common::git(root, &["commit", "-q", "-m", "first"]);
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    common::evenkeel(folder).args(args).output().unwrap()
}

fn json(folder: &Path, args: &[&str]) -> (Option<i32>, Value) {
    let output = run(folder, &[args, &["--format", "json"]].concat());
    let json = serde_json::from_slice(&output.stdout);
    (
        output.status.code(),
        json.unwrap_or_else(|error| panic!("{error}: {}", common::text(&output))),
    )
}

/// Level and message of what `cluster-lookup` says.
fn lookups(report: &Value) -> Vec<(String, String)> {
    let findings = report["findings"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    findings
        .filter(|finding| finding["check"] == "cluster-lookup")
        .map(|finding| (text(&finding["level"]), text(&finding["message"])))
        .collect()
}

#[test]
fn an_audit_says_what_the_declared_state_makes_of_a_document() {
    let folder = repository();
    let (_, report) = json(folder.path(), &["audit"]);
    let told = lookups(&report);
    assert!(
        told.iter()
            .all(|(_, message)| !message.contains("declared state")),
        "{told:#?}"
    );
    let (code, report) = json(folder.path(), &["audit", "--cluster-state", "state"]);
    let told = lookups(&report);
    let has = |level: &str, parts: &[&str]| {
        told.iter()
            .any(|(own, message)| own == level && parts.iter().all(|part| message.contains(part)))
    };
    assert!(
        has(
            "warn",
            &["data.host", "v1/ConfigMap/kube-system/dns", "than without it"]
        ),
        "{told:#?}"
    );
    assert!(
        has(
            "deny",
            &["without a cluster the credential data.password is empty"]
        ),
        "{told:#?}"
    );
    assert_eq!(code, Some(1));
    let note = report["notes"][0].as_str().unwrap();
    assert!(note.contains("3 objects"), "{note}");
}

#[test]
fn both_sides_see_the_same_state() {
    let folder = repository();
    let state = ["verify", "--against", "HEAD", "--cluster-state", "state/all.yaml"];
    assert_eq!(run(folder.path(), &state).status.code(), Some(0));
    write(folder.path(), "web/values.yaml", "level: debug\nbroken: false\n");
    let (code, report) = json(folder.path(), &state);
    assert_eq!(code, Some(1));
    let changes = report["cells"][0]["documents"].as_array().unwrap().iter();
    let paths: Vec<&Value> = changes
        .flat_map(|document| document["changes"].as_array().unwrap())
        .map(|change| &change["path"])
        .collect();
    assert_eq!(paths, ["data.level"]);
    let output = run(folder.path(), &["render", "--cluster-state", "state"]);
    assert!(
        common::text(&output).contains("host: example.org"),
        "{}",
        common::text(&output)
    );
    assert!(common::text(&run(folder.path(), &["render"])).contains("host: local"));
}

#[test]
fn secrets_of_the_state_appear_nowhere() {
    let folder = repository();
    let reports = "text json html markdown junit sarif github gitlab";
    for (values, command) in [
        ("level: debug\n", &["verify", "--against", "HEAD"][..]),
        ("level: info\nbroken: true\n", &["verify", "--against", "HEAD"]),
        ("level: info\n", &["audit"]),
        ("level: info\nbroken: true\n", &["audit"]),
    ] {
        write(folder.path(), "web/values.yaml", values);
        // What the candidate makes of the password differs, too.
        let template = TEMPLATE.replace(
            "@db",
            if command[0] == "verify" {
                "@database"
            } else {
                "@db"
            },
        );
        write(folder.path(), "web/templates/all.yaml", &template);
        for format in reports.split(' ') {
            let args = [
                command,
                &["--cluster-state", "state", "--verbose", "--format", format],
            ]
            .concat();
            let text = common::text(&run(folder.path(), &args));
            assert!(
                CANARIES.iter().all(|canary| !text.contains(canary)),
                "{args:?}: {text}"
            );
            assert!(text.len() > 40, "{args:?}: {text}");
        }
    }
    write(folder.path(), "web/values.yaml", "level: info\nbroken: false\n");
    for document in ["ConfigMap/web", "Secret/db"] {
        let text = common::text(&run(
            folder.path(),
            &["blame", document, "--cluster-state", "state"],
        ));
        assert!(CANARIES.iter().all(|canary| !text.contains(canary)), "{text}");
        assert!(text.contains("lookup"), "{text}");
    }
}

#[test]
fn what_cannot_be_used_is_an_error_with_its_place() {
    let folder = repository();
    write(
        folder.path(),
        "bad/a.yaml",
        "kind: Secret\nmetadata: {name: a}\n---\nb: [\n",
    );
    let output = run(folder.path(), &["audit", "--cluster-state", "bad"]);
    let text = common::text(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("bad/a.yaml:1: an object without apiVersion"),
        "{text}"
    );
    assert!(text.contains("bad/a.yaml:5"), "{text}");
    let output = run(folder.path(), &["audit", "--cluster-state", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    let witness = ["audit", "--engine", "witness", "--cluster-state", "state"];
    let output = run(folder.path(), &witness);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        common::text(&output).contains("--cluster-state: real helm"),
        "{}",
        common::text(&output)
    );
}

#[test]
fn a_pin_knows_no_cluster() {
    let folder = repository();
    assert_eq!(
        run(folder.path(), &["pin", "HEAD", "--name", "first"])
            .status
            .code(),
        Some(0)
    );
    let output = run(
        folder.path(),
        &["verify", "--against", "first", "--cluster-state", "state"],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(
        common::text(&output).contains("the pin first"),
        "{}",
        common::text(&output)
    );
    assert_eq!(
        run(folder.path(), &["verify", "--against", "first"])
            .status
            .code(),
        Some(0)
    );
}
