//! `evenkeel init` with a terminal and without: what is asked, what flags answer, and that nothing is left half-written.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;
#[path = "common/terminal.rs"]
mod pseudo;

use pseudo::Terminal;
use std::path::Path;
use std::process::Command;

const FILE: &str = "evenkeel.yaml";

fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let chart = folder.path().join("web/chart");
    std::fs::create_dir_all(&chart).unwrap();
    std::fs::write(
        chart.join("Chart.yaml"),
        "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    )
    .unwrap();
    for platform in ["amd", "nvidia"] {
        let path = folder.path().join(format!("web/values-{platform}.yaml"));
        std::fs::write(path, "a: 1\n").unwrap();
    }
    common::git(folder.path(), &["init", "-q"]);
    common::git(folder.path(), &["add", "-A"]);
    common::git(folder.path(), &["commit", "-q", "-m", "first"]);
    folder
}

fn init(folder: &Path, flags: &[&str]) -> Command {
    let mut command = common::evenkeel(folder);
    command.arg("init").args(flags).env("TERM", "xterm");
    command
}

fn written(folder: &Path) -> String {
    std::fs::read_to_string(folder.join(FILE)).unwrap()
}

/// The names of what lies at the top, without git's.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != ".git")
        .collect();
    names.sort();
    names
}

#[test]
fn a_terminal_is_asked_and_enter_takes_what_was_found() {
    let folder = repository();
    let mut run = Terminal::run(&mut init(folder.path(), &[]), 80, 24);
    for question in [
        "Kubernetes version of the cluster [",
        "Helm that deploys, 3.19 or 4.3 [4.3]: ",
        "Platforms [amd, nvidia]: ",
        "Namespace of the charts [default]: ",
    ] {
        run.expect(question);
        run.keys("\n");
    }
    let (code, shown) = run.end();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("wrote ") && shown.contains("next: "), "{shown}");
    let unasked = common::text(&init(folder.path(), &["--stdout"]).output().unwrap());
    assert!(unasked.starts_with(&written(folder.path())), "{unasked}");
}

#[test]
fn answers_are_in_the_file_and_verify_accepts_it() {
    let folder = repository();
    let mut run = Terminal::run(&mut init(folder.path(), &[]), 80, 24);
    run.expect("Kubernetes version");
    run.keys("1\n");
    run.expect("lacks a minor version");
    run.keys("v1.33.1\n");
    run.expect("Helm that");
    run.keys("3.19\n");
    run.expect("Platforms");
    run.keys("nvidia\n");
    run.expect("Namespace");
    run.keys("apps\n");
    assert_eq!(run.end().0, Some(0));
    let text = written(folder.path());
    for line in [
        "kubeVersion: v1.33.1",
        "helmVersion: \"3.19\"",
        "  nvidia: {}",
        "namespace: apps",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(!text.contains("amd: {}"), "{text}");
    let verified = common::evenkeel(folder.path())
        .args(["verify", "--against", "HEAD"])
        .output()
        .unwrap();
    assert!(
        common::text(&verified).contains("no chart rendered a document"),
        "{}",
        common::text(&verified)
    );
}

#[test]
fn a_file_that_is_there_is_replaced_on_demand_only() {
    let folder = repository();
    std::fs::write(folder.path().join(FILE), "mine\n").unwrap();
    for (answer, code) in [("\n", 0), ("\u{4}", 2)] {
        let mut run = Terminal::run(&mut init(folder.path(), &[]), 80, 24);
        run.expect("is there already. Replace it? [y/N]: ");
        run.keys(answer);
        let (ended, shown) = run.end();
        assert_eq!(ended, Some(code), "{shown}");
        assert!(shown.contains("nothing was written"), "{shown}");
        assert_eq!(written(folder.path()), "mine\n");
    }
    let mut run = Terminal::run(&mut init(folder.path(), &[]), 80, 24);
    run.expect("[y/N]: ");
    run.keys("y\n\n\n\n\n");
    assert_eq!(run.end().0, Some(0));
    assert!(written(folder.path()).contains("releases:"));
}

#[test]
fn whoever_leaves_leaves_nothing_behind() {
    let folder = repository();
    let before = files(folder.path());
    let mut run = Terminal::run(&mut init(folder.path(), &[]), 80, 24);
    run.expect("Kubernetes version");
    run.keys("v1.33.1\n");
    run.expect("Helm that");
    run.keys("\u{4}");
    let (code, shown) = run.end();
    assert_eq!(code, Some(2), "{shown}");
    assert!(shown.contains("--yes"), "{shown}");
    let mut run = Terminal::run(&mut init(folder.path(), &[]), 80, 24);
    run.expect("Kubernetes version");
    let id = run.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let (code, _) = run.end();
    assert_ne!(code, Some(0));
    assert_eq!(files(folder.path()), before);
}

#[test]
fn flags_answer_and_nobody_is_asked() {
    for flags in [
        &["--yes"][..],
        &["--kube-version", "v1.33.1"],
        &[
            "--platform",
            "amd,nvidia",
            "--namespace",
            "apps",
            "--helm-version",
            "3.19",
        ],
    ] {
        let folder = repository();
        let (code, shown) = Terminal::run(&mut init(folder.path(), flags), 80, 24).end();
        assert_eq!(code, Some(0), "{shown}");
        assert!(!shown.contains("]: "), "{shown}");
        let on_terminal = written(folder.path());
        let output = init(folder.path(), &[flags, &["--force"]].concat())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", common::text(&output));
        assert_eq!(written(folder.path()), on_terminal, "{flags:?}");
        if flags.len() > 2 {
            assert!(on_terminal.contains("namespace: apps\n") && on_terminal.contains("\"3.19\""));
        }
    }
}

#[test]
fn without_a_terminal_nobody_is_asked_either() {
    let folder = repository();
    let output = init(folder.path(), &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", common::text(&output));
    let again = init(folder.path(), &[]).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(common::text(&again).contains("--force replaces the file"));
}

#[test]
fn wrong_flags_are_told_all_at_once_and_nothing_is_written() {
    let folder = repository();
    let before = files(folder.path());
    let flags = [
        "--kube-version",
        "1",
        "--helm-version",
        "2",
        "--platform",
        "a/b",
        "--namespace",
        "A",
    ];
    let output = init(folder.path(), &flags).output().unwrap();
    let told = common::text(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    for flag in [
        "--kube-version",
        "--helm-version",
        "--platform",
        "--namespace",
        "4 errors",
    ] {
        assert!(told.contains(flag), "{flag} in {told}");
    }
    let none = init(folder.path(), &["--platform", "arm64"]).output().unwrap();
    assert_eq!(none.status.code(), Some(0), "{}", common::text(&none));
    std::fs::remove_file(folder.path().join(FILE)).unwrap();
    assert_eq!(files(folder.path()), before);
}
