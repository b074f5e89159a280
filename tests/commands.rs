//! The small commands end to end, without Helm: doctor, completions, man.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use std::path::Path;
use std::process::Output;

fn run(directory: &Path, args: &[&str]) -> Output {
    common::evenkeel(directory)
        .args(args)
        // No helm is to be found, whatever the machine has.
        .env("PATH", "/nowhere")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A repository with one chart and a configuration.
fn repository(config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("evenkeel.yaml", config);
    write("web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 0.1.0\n");
    common::git(folder.path(), &["init", "-q"]);
    common::git(folder.path(), &["add", "-A"]);
    common::git(folder.path(), &["commit", "-q", "-m", "first"]);
    folder
}

const CONFIG: &str = "kubeVersion: v1.36.2\nreleases:\n- {name: web, chart: web, namespace: apps}\n";

#[test]
fn doctor_is_content_with_a_whole_repository() {
    let folder = repository(CONFIG);
    let output = run(folder.path(), &["doctor", "--against", "HEAD"]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{told}");
    for line in [
        "ok      configuration  evenkeel.yaml",
        "ok      cells          1,",
        "ok      baseline       HEAD",
    ] {
        assert!(told.contains(line), "{line} in {told}");
    }
    assert!(told.contains("note    real Helm"), "{told}");
}

#[test]
fn names_that_fit_nothing_are_told_with_those_that_are_there() {
    let folder = repository(
        "kubeVersion: v1.36.2\nplatforms: {amd: {}, nvidia: {}}\nreleases:\n- {name: web, chart: web, namespace: apps}\n",
    );
    for args in [
        &["verify", "--against", "HEAD"][..],
        &["audit"],
        &["render"],
        &["pin", "HEAD"],
    ] {
        let flags = ["--release", "wbe", "--platform", "nvidea"];
        let output = run(folder.path(), &[args, &flags].concat());
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(
            told.contains("no release fits `wbe`, did you mean `web`?"),
            "{told}"
        );
        assert!(told.contains("known are `amd`, `nvidia`"), "{told}");
    }
}

#[test]
fn flags_are_looked_at_before_the_work_begins() {
    let folder = repository(CONFIG);
    let flags = [
        "verify",
        "--against",
        "HEAD",
        "--kube-version",
        "1",
        "--helm-version",
        "2",
    ];
    let told = text(&run(folder.path(), &flags).stderr);
    assert!(
        told.contains("--kube-version 1: it lacks a minor version"),
        "{told}"
    );
    assert!(
        told.contains("--helm-version 2: ") && told.contains("2 errors"),
        "{told}"
    );
    let told = text(&run(folder.path(), &["verify", "--against", "dir:/nowhere"]).stderr);
    assert_eq!(told, "error: /nowhere: there is no such directory\n");
}

#[test]
fn an_id_that_stands_for_many_charts_is_one_error() {
    let folder =
        repository("kubeVersion: v1.36.2\nreleases:\n- {name: all, charts: '{m}', namespace: apps}\n");
    for name in ["a", "b", "c", "d", "e"] {
        let chart = folder.path().join(name);
        std::fs::create_dir(&chart).unwrap();
        std::fs::write(
            chart.join("Chart.yaml"),
            format!("apiVersion: v2\nname: {name}\nversion: 0.1.0\n"),
        )
        .unwrap();
    }
    let told = text(&run(folder.path(), &["audit"]).stderr);
    assert_eq!(told.matches("error: ").count(), 1, "{told}");
    assert!(
        told.contains("evenkeel.yaml:3:3: release id `all` stands for `a` and for `b`, `c`, `d` and 2 more"),
        "{told}"
    );
}

#[test]
fn doctor_names_what_keeps_a_run_from_beginning() {
    let folder = repository("releases:\n- {name: web, chart: wob, namespace: apps}\n");
    let output = run(folder.path(), &["doctor", "--against", "nosuch"]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("broken  cells"), "{told}");
    assert!(told.contains("broken  baseline"), "{told}");
    let outside = tempfile::tempdir().unwrap();
    let output = run(outside.path(), &["doctor"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).starts_with("broken  repository"));
}

#[test]
fn the_manual_is_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["man", "pages"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(folder.path().join("pages/evenkeel-verify.1")).unwrap();
    assert!(page.contains("evenkeel") && page.contains("against"));
    assert!(folder.path().join("pages/evenkeel-checks.7").exists());
}

#[test]
fn completions_go_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let output = run(folder.path(), &["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).contains("verify"), "{shell}");
    }
    assert_eq!(run(folder.path(), &["completions", "csh"]).status.code(), Some(2));
}

/// A helm that passes everything to the real one, and changes a line of what it prints.
fn wrapper(folder: &Path, helm: &Path, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("helm-wrapper");
    std::fs::write(
        &path,
        format!("#!/bin/sh\n{} \"$@\" | {script}\n", helm.display()),
    )
    .unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_witness_names_the_first_line_that_differs() {
    let Some(helms) = common::helms() else { return };
    for (helm, version) in helms.iter().zip(["4.3", "3.19"]) {
        let folder = repository(CONFIG);
        let map = "kind: ConfigMap\nmetadata: {name: web}\ndata: {a: {{ randAlpha 5 }}}\n";
        std::fs::create_dir(folder.path().join("web/templates")).unwrap();
        std::fs::write(folder.path().join("web/templates/map.yaml"), map).unwrap();
        let witness = |helm: &str| {
            let args = ["witness", "web", "--helm-version", version, "--helm-bin", helm];
            let mut command = common::evenkeel(folder.path());
            command.args(args).output().unwrap()
        };
        let output = witness(helm.to_str().unwrap());
        let told = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{}", common::text(&output));
        assert!(
            told.contains("0 differing bytes") && told.contains("1 line"),
            "{told}"
        );
        let output = witness(&wrapper(folder.path(), helm, "sed 's/name: web/name: wob/'"));
        let told = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{}", common::text(&output));
        assert!(told.contains("web differs: line "), "{told}");
        assert!(told.contains("name: wob") && told.contains("name: web"), "{told}");
    }
}
