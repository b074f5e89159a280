//! What people and scripts see of a run: the short forms, and what a terminal gets that a pipe does not.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;
#[path = "common/terminal.rs"]
mod pseudo;

use pseudo::Terminal;
use std::path::Path;
use std::process::{Command, Output};

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

/// A verification with more to tell than a small screen holds.
fn verify_much(folder: &Path) -> Command {
    write(folder, "web/values.yaml", "level: debug\nmore: true\n");
    let mut command = common::evenkeel(folder);
    command.args(["verify", "--against", "HEAD"]).env("TERM", "xterm");
    command
}

const PAGER: &str = "sed 's/^/paged: /'";

#[test]
fn a_pager_shows_what_is_longer_than_the_screen() {
    let folder = repository();
    let command = || {
        let mut command = verify_much(folder.path());
        command.env("PAGER", PAGER);
        command
    };
    let (code, shown) = Terminal::run(&mut command(), 80, 8).end();
    assert!(
        shown.contains("paged: ") && shown.contains("ConfigMap apps/web"),
        "{shown}"
    );
    assert_eq!(code, Some(1), "the verdict's code, not the pager's");
    // It is long enough for one line of it to be lost otherwise.
    for (what, command, rows) in [
        ("it fits", &mut command(), 200),
        ("--no-pager", command().arg("--no-pager"), 8),
        ("CI", command().env("CI", "true"), 8),
        ("a dumb terminal", command().env("TERM", "dumb"), 8),
        ("no pager by name", command().env("EVENKEEL_PAGER", ""), 8),
        ("another format", command().args(["--format", "json"]), 8),
    ] {
        let (code, shown) = Terminal::run(command, 80, rows).end();
        assert!(
            !shown.contains("paged: ") && shown.contains("apps"),
            "{what}: {shown}"
        );
        assert_eq!(code, Some(1), "{what}");
    }
    let piped = command().output().unwrap();
    assert!(!out(&piped).contains("paged: "));
}

#[test]
fn its_own_variable_comes_first_and_a_pager_that_is_not_there_is_no_loss() {
    let folder = repository();
    let mut command = verify_much(folder.path());
    command
        .env("PAGER", "sed 's/^/wrong: /'")
        .env("EVENKEEL_PAGER", PAGER);
    let (_, shown) = Terminal::run(&mut command, 80, 8).end();
    assert!(shown.contains("paged: ") && !shown.contains("wrong: "), "{shown}");
    for pager in ["no-such-pager", "no-such-pager -R"] {
        let mut command = verify_much(folder.path());
        command.env("PAGER", pager);
        let (code, shown) = Terminal::run(&mut command, 80, 8).end();
        assert_eq!(code, Some(1));
        assert!(shown.contains("ConfigMap apps/web"), "{shown}");
    }
}

#[test]
fn explain_audit_and_blame_are_paged_as_well() {
    let folder = repository();
    for args in [
        &["explain"][..],
        &["explain", "list-replaced"],
        &["audit"],
        &["blame", "ConfigMap/web", "data.level", "--release", "web"],
    ] {
        let mut command = common::evenkeel(folder.path());
        command.args(args).env("TERM", "xterm").env("PAGER", PAGER);
        let (_, shown) = Terminal::run(&mut command, 80, 2).end();
        assert!(shown.contains("paged: "), "{args:?}: {shown}");
    }
}

#[test]
fn colours_and_lines_are_as_the_terminal_has_them() {
    let folder = repository();
    let shown = |change: &dyn Fn(&mut Command)| {
        let mut command = verify_much(folder.path());
        command.env("LANG", "C.UTF-8");
        change(&mut command);
        Terminal::run(&mut command, 80, 200).end().1
    };
    let usual = shown(&|_| ());
    assert!(usual.contains("\x1b[") && usual.contains('─'), "{usual}");
    let plain = shown(&|command| {
        command.env("NO_COLOR", "1");
    });
    assert!(!plain.contains('\x1b') && plain.contains('─'), "{plain}");
    for (name, value) in [("LC_ALL", "C"), ("LANG", ""), ("TERM", "dumb")] {
        let ascii = shown(&|command| {
            command.env(name, value);
        });
        assert!(ascii.is_ascii() && ascii.contains("-----"), "{name}: {ascii}");
        assert_eq!(ascii.contains('\x1b'), name != "TERM", "{ascii}");
    }
}

#[test]
fn lines_keep_to_the_columns_of_the_terminal() {
    let folder = repository();
    for columns in [60, 80, 100, 160] {
        let mut command = verify_much(folder.path());
        command.env("NO_COLOR", "1").env("LANG", "C.UTF-8");
        let (_, shown) = Terminal::run(&mut command, columns, 200).end();
        for line in shown.lines() {
            assert!(line.chars().count() <= usize::from(columns), "{columns}: {line}");
        }
    }
}

#[test]
fn blame_keeps_to_the_columns_and_shows_no_control_characters() {
    let folder = repository();
    let long = "long ".repeat(30);
    write(
        folder.path(),
        "web/values.yaml",
        &format!("level: \"\\e[2J{long}\"\n"),
    );
    for columns in [60, 80, 120] {
        let mut command = common::evenkeel(folder.path());
        command
            .args([
                "blame",
                "ConfigMap/web",
                "data.level",
                "--release",
                "web",
                "--platform",
                "amd",
            ])
            .envs([("TERM", "xterm"), ("NO_COLOR", "1"), ("LANG", "C.UTF-8")]);
        let (code, shown) = Terminal::run(&mut command, columns, 200).end();
        assert_eq!(code, Some(0), "{shown}");
        assert!(
            shown.contains("printed by") && shown.contains("[2Jlong"),
            "{shown}"
        );
        for line in shown.lines() {
            assert!(line.chars().count() <= usize::from(columns), "{columns}: {line}");
            assert!(!line.contains(char::is_control), "{line:?}");
        }
    }
}

#[test]
fn errors_are_broken_on_a_terminal_and_whole_in_a_log() {
    let folder = repository();
    let mut command = common::evenkeel(folder.path());
    command
        .args(["verify", "--against", "no-such-branch"])
        .env("TERM", "xterm");
    let log = err(&command.output().unwrap());
    assert!(log.starts_with("error: ") && !log.contains('\x1b'), "{log}");
    let (code, shown) = Terminal::run(&mut command, 40, 20).end();
    assert_eq!(code, Some(2));
    assert!(shown.starts_with("\x1b[1;31merror:\x1b[0m "), "{shown}");
    assert!(shown.lines().count() > log.lines().count(), "{shown}");
}

/// A helm that takes its time.
fn slow_helm(folder: &Path) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(".git/helm");
    let text = "#!/bin/sh\ncase $1 in version) printf v4.3.1;; *) sleep 0.4;; esac\n";
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_long_run_tells_how_far_it_is_on_a_terminal() {
    let folder = repository();
    let helm = slow_helm(folder.path());
    let command = || {
        let mut command = common::evenkeel(folder.path());
        command
            .args(["audit", "--jobs", "1", "--engine", "witness", "--helm-bin"])
            .arg(&helm)
            .env("TERM", "xterm");
        command
    };
    let mut run = Terminal::run(&mut command(), 80, 24);
    run.expect("rendering ");
    run.expect("/4 cells, ");
    run.expect("s left");
    let (_, shown) = run.end();
    let (_, rest) = shown.rsplit_once("s left").unwrap();
    assert!(rest.contains("\x1b[2K"), "the bar is cleared: {rest:?}");
    for command in [
        command().arg("--no-progress"),
        command().arg("--quiet"),
        command().env("TERM", "dumb"),
    ] {
        let (_, shown) = Terminal::run(command, 80, 24).end();
        assert!(!shown.contains("rendering "), "{shown}");
    }
    let piped = command().output().unwrap();
    assert!(!err(&piped).contains("rendering "), "{}", err(&piped));
}
