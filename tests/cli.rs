//! The command line end to end: exit codes, failing cells, pins, interruption, reports that are whole or not there.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may fail, and says so"
)]

mod common;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A repository with two small charts: `web`, and `db` with a Secret.
struct Repository {
    folder: tempfile::TempDir,
    helm: PathBuf,
}

const CONFIG: &str = "kubeVersion: v1.36.2\nreleases:\n- charts: '{m}/chart'\n  name: '{m}'\n  namespace: apps\n  values: ['{m}/values.yaml?']\n";
const WEB: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  level: {{ .Values.level | quote }}\n{{- if .Values.broken }}{{ fail \"web is broken\" }}{{ end }}\n";
const DB: &str =
    "apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData:\n  password: {{ .Values.password }}\n";

impl Repository {
    fn new() -> Option<Repository> {
        let Some(helm) = common::helm("4.3.1") else {
            eprintln!("skipped: no Helm; scripts/witness.sh fetches it");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository { folder, helm };
        for (name, template) in [("web", WEB), ("db", DB)] {
            repository.write(
                &format!("{name}/chart/Chart.yaml"),
                &format!("apiVersion: v2\nname: {name}\nversion: 0.1.0\n"),
            );
            repository.write(&format!("{name}/chart/templates/all.yaml"), template);
        }
        repository.write("web/chart/values.yaml", "level: info\nbroken: false\n");
        repository.write("db/chart/values.yaml", "password: CANARY-one\n");
        repository.write("evenkeel.yaml", CONFIG);
        common::git(repository.path(), &["init", "-q"]);
        repository.commit("first");
        Some(repository)
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn commit(&self, message: &str) {
        common::git(self.path(), &["add", "-A"]);
        common::git(self.path(), &["commit", "-q", "-m", message]);
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = common::evenkeel(self.path());
        command
            .args(args)
            .args(["--engine", "witness", "--helm-bin"])
            .arg(&self.helm);
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn json(&self, args: &[&str]) -> (Option<i32>, Value) {
        let output = self.run(&[args, &["--format", "json"]].concat());
        let json = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", common::text(&output)));
        (output.status.code(), json)
    }
}

#[test]
fn exit_codes_tell_the_verdict() {
    let Some(repository) = Repository::new() else {
        return;
    };
    assert_eq!(
        repository.run(&["verify", "--against", "HEAD"]).status.code(),
        Some(0)
    );
    repository.write("web/values.yaml", "level: debug\n");
    assert_eq!(
        repository.run(&["verify", "--against", "HEAD"]).status.code(),
        Some(1)
    );
    let missing = repository.run(&["verify", "--against", "no-such-branch"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(common::text(&missing).contains("no-such-branch"));
    assert_eq!(
        repository
            .run(&["verify", "--against", "HEAD", "--format", "xml"])
            .status
            .code(),
        Some(2)
    );
    assert_eq!(
        repository
            .run(&["verify", "--against", "HEAD", "--release", "nothing*"])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn a_cell_that_breaks_is_undecided_and_the_others_are_reported() {
    let Some(repository) = Repository::new() else {
        return;
    };
    repository.write("web/values.yaml", "broken: true\n");
    let (code, report) = repository.json(&["verify", "--against", "HEAD"]);
    assert_eq!((code, &report["verdict"]), (Some(2), &"undecided".into()));
    let cells = report["cells"].as_array().unwrap();
    let web = cells.iter().find(|cell| cell["release"] == "web").unwrap();
    assert_eq!(web["status"], "undecided");
    assert_eq!(web["error"]["side"], "candidate");
    assert!(
        web["error"]["message"]
            .as_str()
            .unwrap()
            .contains("web is broken")
    );
    assert_eq!(web["error"]["file"], "web/chart/templates/all.yaml");
    assert_eq!(web["error"]["line"], 6);
    assert!(
        web["documents"].as_array().unwrap().is_empty(),
        "a failure is no mass deletion"
    );
    let db = cells.iter().find(|cell| cell["release"] == "db").unwrap();
    assert_eq!(db["documents"][0]["verdict"], "identical");
}

#[test]
fn failing_alike_is_told_apart_and_can_be_allowed() {
    let Some(repository) = Repository::new() else {
        return;
    };
    repository.write("web/values.yaml", "broken: true\n");
    repository.commit("broken");
    let (code, report) = repository.json(&["verify", "--against", "HEAD"]);
    assert_eq!(code, Some(2));
    let cells = report["cells"].as_array().unwrap();
    assert!(cells.iter().any(|cell| cell["status"] == "fails-alike"));
    let (code, _) = repository.json(&["verify", "--against", "HEAD", "--allow-failing-alike"]);
    assert_eq!(code, Some(0));
}

#[test]
fn secrets_appear_in_no_output() {
    let Some(repository) = Repository::new() else {
        return;
    };
    repository.write("db/values.yaml", "password: CANARY-two\n");
    let output = repository.run(&[
        "verify",
        "--against",
        "HEAD",
        "--verbose",
        "--show-secrets",
        "--output",
        "json=r.json",
    ]);
    let text = common::text(&output) + &std::fs::read_to_string(repository.path().join("r.json")).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(!text.contains("CANARY"), "{text}");
    // A template that fails while it holds the secret.
    repository.write(
        "db/chart/templates/bad.yaml",
        "a: {{ .Values.password | int | toString | fail }}\nb: {{ fail .Values.password }}\n",
    );
    let output = repository.run(&["verify", "--against", "HEAD"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        !common::text(&output).contains("CANARY-two"),
        "{}",
        common::text(&output)
    );
}

#[test]
fn several_reports_in_one_run_are_whole() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let output = repository.run(&[
        "verify",
        "--against",
        "HEAD",
        "--output",
        "json=out/a.json",
        "--output",
        "text=b.txt",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", common::text(&output));
    let json: Value =
        serde_json::from_slice(&std::fs::read(repository.path().join("out/a.json")).unwrap()).unwrap();
    assert_eq!(json["schema"], "evenkeel.report/1");
    assert!(
        std::fs::read_to_string(repository.path().join("b.txt"))
            .unwrap()
            .starts_with("equivalent")
    );
    let refused = repository.run(&["verify", "--against", "HEAD", "--output", "json=web"]);
    assert_eq!(refused.status.code(), Some(2), "a directory is no file");
}

#[test]
fn the_same_run_gives_the_same_bytes_at_any_number_of_jobs() {
    let Some(repository) = Repository::new() else {
        return;
    };
    repository.write("web/values.yaml", "level: debug\n");
    let outputs: Vec<_> = ["1", "2", "8"]
        .iter()
        .map(|jobs| {
            repository
                .run(&["verify", "--against", "HEAD", "--format", "json", "--jobs", jobs])
                .stdout
        })
        .collect();
    assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn the_repository_is_left_alone_and_any_subdirectory_will_do() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let state = |repository: &Repository| {
        let output = Command::new("git")
            .args(["status", "--porcelain=v2", "--branch"])
            .current_dir(repository.path())
            .output()
            .unwrap();
        let index = std::fs::read(repository.path().join(".git/index")).unwrap();
        (output.stdout, index)
    };
    repository.write("untracked.yaml", "a: 1\n");
    let before = state(&repository);
    let mut command = repository.command(&["verify", "--against", "HEAD"]);
    let output = command
        .current_dir(repository.path().join("web/chart"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", common::text(&output));
    assert_eq!(before, state(&repository));
}

#[test]
fn two_revisions_in_a_bare_repository() {
    let Some(repository) = Repository::new() else {
        return;
    };
    repository.write("web/values.yaml", "level: debug\n");
    repository.commit("second");
    let bare = tempfile::tempdir().unwrap();
    common::git(
        bare.path(),
        &[
            "clone",
            "-q",
            "--bare",
            repository.path().to_str().unwrap(),
            "bare.git",
        ],
    );
    let mut command = repository.command(&["verify", "--against", "HEAD~1", "--candidate", "HEAD"]);
    let output = command
        .current_dir(bare.path().join("bare.git"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", common::text(&output));
}

#[test]
fn pins_are_checked_and_never_overwritten() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let pin = |more: &[&str]| {
        let args = [&["pin", "HEAD", "--name", "prod"], more].concat();
        repository.run(&args).status.code()
    };
    assert_eq!(pin(&[]), Some(0));
    repository.write("web/values.yaml", "level: debug\n");
    repository.commit("second");
    assert_eq!(pin(&[]), Some(2), "another pin of that name is there");
    assert_eq!(pin(&["--force"]), Some(0));
    let (code, report) = repository.json(&["verify", "--against", "prod"]);
    assert_eq!((code, &report["baseline"]["kind"]), (Some(0), &"pin".into()));

    // Another file than `pin` wrote.
    let path = repository.path().join("baselines/prod.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    let digest = text.lines().find(|line| line.contains("digest: ")).unwrap();
    let tampered = text.replacen(digest, &digest.replace(['a', 'b', 'c'], "0"), 1);
    std::fs::write(&path, tampered).unwrap();
    assert_eq!(
        repository.run(&["verify", "--against", "prod"]).status.code(),
        Some(2)
    );
}

#[test]
fn a_pin_gives_verdicts_by_digest_where_its_commit_is_not() {
    let Some(repository) = Repository::new() else {
        return;
    };
    assert_eq!(
        repository.run(&["pin", "HEAD", "--name", "prod"]).status.code(),
        Some(0)
    );
    repository.commit("pin");
    repository.write("web/values.yaml", "level: debug\n");
    repository.commit("change");
    let clones = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repository.path().display());
    common::git(clones.path(), &["clone", "-q", "--depth", "1", &url, "shallow"]);
    let mut command = repository.command(&["verify", "--against", "prod", "--format", "json"]);
    let output = command
        .current_dir(clones.path().join("shallow"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", common::text(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["documents"]["changed"], 1);
    assert_eq!(report["summary"]["documents"]["equivalent"], 1);
    let mut command = repository.command(&["verify", "--against", "HEAD~2"]);
    let output = command
        .current_dir(clones.path().join("shallow"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        common::text(&output).contains("fetch"),
        "{}",
        common::text(&output)
    );
}

/// Folders that a run made in a temporary directory of its own.
fn left_behind(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("evenkeel")).collect()
}

#[test]
fn interrupted_or_killed_runs_leave_nothing_that_a_later_run_trips_over() {
    let Some(repository) = Repository::new() else {
        return;
    };
    let temporary = tempfile::tempdir().unwrap();
    for signal in ["INT", "TERM", "KILL"] {
        let mut command = repository.command(&["verify", "--against", "HEAD", "--output", "json=r.json"]);
        let mut child = command
            .env("TMPDIR", temporary.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        while left_behind(temporary.path()).is_empty()
            && child.try_wait().unwrap().is_none()
            && Instant::now() < deadline
        {
            std::thread::sleep(Duration::from_millis(2));
        }
        let pid = child.id().to_string();
        Command::new("kill").args(["-s", signal, &pid]).status().unwrap();
        child.wait().unwrap();
        let report = repository.path().join("r.json");
        if report.exists() {
            serde_json::from_slice::<Value>(&std::fs::read(&report).unwrap())
                .expect("a report is whole or not there");
        }
        if signal != "KILL" {
            assert_eq!(
                left_behind(temporary.path()),
                Vec::<String>::new(),
                "after {signal}"
            );
        }
    }
    let mut command = repository.command(&["verify", "--against", "HEAD"]);
    let output = command.env("TMPDIR", temporary.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", common::text(&output));
    assert_eq!(left_behind(temporary.path()), Vec::<String>::new());
}
