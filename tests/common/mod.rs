//! What the end-to-end tests share: the real binary, hermetic repositories, where Helm and the shared
//! material are.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "each test file uses a part of it, and a test may fail"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder laid beside the project (`../shared`, or `EVENKEEL_SHARED`); `None` when it is not there.
pub fn shared() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let folder = std::env::var_os("EVENKEEL_SHARED").map_or(beside, PathBuf::from);
    folder.join("scenarios").is_dir().then_some(folder)
}

/// The real Helm of a dialect: `EVENKEEL_HELM_4_3`, or where `scripts/witness.sh` puts it.
pub fn helm(version: &str) -> Option<PathBuf> {
    let (line, _) = version.rsplit_once('.')?;
    let variable = format!("EVENKEEL_HELM_{}", line.replace('.', "_"));
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("target/helm/helm-{version}"));
    let path = std::env::var_os(variable).map_or(fetched, PathBuf::from);
    path.is_file().then_some(path)
}

/// The real Helm of every dialect; `None`, with a note, when one is missing.
pub fn helms() -> Option<Vec<PathBuf>> {
    let found: Option<Vec<_>> = ["4.3.1", "3.19.0"].into_iter().map(helm).collect();
    if found.is_none() {
        eprintln!("skipped: no Helm; scripts/witness.sh fetches it");
    }
    found
}

/// A command of the binary under test, free of the caller's environment.
pub fn evenkeel(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evenkeel"));
    command.current_dir(directory).env_clear();
    for name in ["PATH", "TMPDIR"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", directory);
    command.env(
        "EVENKEEL_CACHE_DIR",
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
    );
    command
}

/// What a command wrote to standard output and to standard error.
pub fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Runs git in a directory, free of the caller's configuration.
pub fn git(directory: &Path, args: &[&str]) {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=test",
            "-c",
            "user.email=test@example.invalid",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(args)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}: {}", text(&output));
}

/// Copies a directory tree, links as links.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            copy(&entry.path(), &target);
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(std::fs::read_link(entry.path()).unwrap(), target).unwrap();
        } else {
            std::fs::write(target, std::fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}

/// A repository whose only commit is `before` and whose working tree is `after`.
pub fn repository(directory: &Path, before: &Path, after: &Path) {
    copy(before, directory);
    git(directory, &["init", "-q"]);
    git(directory, &["add", "-A"]);
    git(directory, &["commit", "-q", "-m", "before"]);
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| name == ".git") {
            continue;
        }
        if path.is_dir() {
            std::fs::remove_dir_all(path).unwrap()
        } else {
            std::fs::remove_file(path).unwrap()
        }
    }
    copy(after, directory);
}
