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
