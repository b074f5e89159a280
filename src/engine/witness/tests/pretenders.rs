//! Programs in the place of helm: the wrong one, one that crashes, one that hangs.

use super::*;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A program in the place of helm. A child writes it: a program that is open for writing in this process, or in
/// one that another test is just starting, cannot be run.
fn pretender(folder: &Path, script: &str) -> PathBuf {
    let path = folder.join("helm");
    let status = Command::new("sh")
        .args([
            "-c",
            "printf '#!/bin/sh\n%s\n' \"$1\" > \"$0\" && chmod 755 \"$0\"",
        ])
        .arg(&path)
        .arg(script)
        .status();
    assert!(status.unwrap().success());
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
                "engine::witness::tests::pretenders::hangs_in_helm_when_told_to",
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
            let next = PrivateDir::create(folder.path(), |_| {}).unwrap();
            assert_eq!(private_folders(folder.path()), 1, "the next run did");
            drop(next);
        }
        let alive = || Path::new("/proc").join(&helm).join("exe").exists();
        eventually("the end of helm", || !alive());
        assert_eq!(private_folders(folder.path()), 0, "{signal}");
    }
}
