//! What people and scripts see of a run: the short forms, and what a terminal gets that a pipe does not.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use std::path::Path;
use std::process::Output;

const CONFIG: &str = "kubeVersion: v1.36.2\nplatforms: {amd: {}, arm64: {}}\nreleases:\n- charts: '{m}/chart'\n  name: '{m}'\n  namespace: apps\n  values: ['{m}/values.yaml?']\n";
const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  level: {{ .Values.level | quote }}\n{{- if .Values.more }}\n  more: x\n{{- end }}\n{{- if .Values.broken }}{{ fail \"web is broken\" }}{{ end }}\n";

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A repository with the charts `web` and `db`, on two platforms.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "evenkeel.yaml", CONFIG);
    for name in ["web", "db"] {
        write(
            root,
            &format!("{name}/chart/Chart.yaml"),
            &format!("apiVersion: v2\nname: {name}\nversion: 0.1.0\n"),
        );
        write(root, &format!("{name}/chart/templates/all.yaml"), MAP);
        write(
            root,
            &format!("{name}/chart/values.yaml"),
            "level: info\nmore: false\nbroken: false\n",
        );
    }
    common::git(root, &["init", "-q"]);
    common::git(root, &["add", "-A"]);
    common::git(root, &["commit", "-q", "-m", "first"]);
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    common::evenkeel(folder).args(args).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn names_are_for_scripts() {
    let folder = repository();
    let verify = ["verify", "--against", "HEAD", "--name-only"];
    let same = run(folder.path(), &verify);
    assert_eq!((same.status.code(), out(&same).as_str()), (Some(0), ""));
    write(folder.path(), "web/values.yaml", "level: debug\n");
    let changed = run(folder.path(), &verify);
    assert_eq!(changed.status.code(), Some(1));
    assert_eq!(
        out(&changed),
        "ConfigMap apps/web\tweb@amd\nConfigMap apps/web\tweb@arm64\n"
    );
    assert_eq!(err(&changed), "");
    write(folder.path(), "db/values.yaml", "broken: true\n");
    let broken = run(folder.path(), &verify);
    assert_eq!(broken.status.code(), Some(2));
    assert_eq!(out(&broken), out(&changed));
    assert!(
        err(&broken).contains("2 cells could not be compared"),
        "{}",
        err(&broken)
    );
}

#[test]
fn stat_counts_fields_and_shows_none() {
    let folder = repository();
    write(folder.path(), "web/values.yaml", "level: CANARY\nmore: true\n");
    let output = run(folder.path(), &["verify", "--against", "HEAD", "--stat"]);
    let told = out(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        told.contains("\n changed  1~ 1+  ConfigMap apps/web (web on amd and arm64)\n"),
        "{told}"
    );
    assert!(told.contains(" web ") && !told.contains("CANARY"), "{told}");
    let full = out(&run(folder.path(), &["verify", "--against", "HEAD"]));
    assert!(full.contains("CANARY"), "{full}");
}

#[test]
fn one_form_at_a_time() {
    let folder = repository();
    for flags in [
        ["--stat", "--name-only"],
        ["--stat", "--format=json"],
        ["--name-only", "--quiet"],
    ] {
        let output = run(
            folder.path(),
            &[&["verify", "--against", "HEAD"][..], &flags].concat(),
        );
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(err(&output).contains("cannot be used with"), "{}", err(&output));
    }
    let output = run(folder.path(), &["audit", "--format", "xml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("github, gitlab, html"), "{}", err(&output));
}
