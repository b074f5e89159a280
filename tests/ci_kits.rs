//! The CI kits, run as CI would run them: the steps of `action.yml` and the script of `ci/gitlab.yml` in a shallow
//! clone, the Helm plugin under both real Helms.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may fail, and says so"
)]

mod common;

use serde_yaml::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CONFIG: &str = "kubeVersion: v1.36.2\nreleases:\n- {name: web, chart: web, namespace: apps}\n";
const CHART: &str = "apiVersion: v2\nname: web\nversion: 0.1.0\n";
const TEMPLATE: &str =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  level: {{ .Values.level | quote }}\n";
const REPORTS: [&str; 6] = [
    "evenkeel.json",
    "evenkeel.md",
    "evenkeel.html",
    "evenkeel.junit.xml",
    "evenkeel.sarif",
    "gl-code-quality-report.json",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A remote whose branch `change` left `main` many commits ago, and a shallow clone of that branch.
struct Clone {
    folder: tempfile::TempDir,
}

impl Clone {
    fn new(level: &str) -> Clone {
        let folder = tempfile::tempdir().unwrap();
        let remote = folder.path().join("remote");
        write(&remote, "evenkeel.yaml", CONFIG);
        write(&remote, "web/Chart.yaml", CHART);
        write(&remote, "web/values.yaml", "level: info\n");
        write(&remote, "web/templates/map.yaml", TEMPLATE);
        let commit = |message: &str| {
            common::git(&remote, &["add", "-A"]);
            common::git(&remote, &["commit", "-q", "--allow-empty", "-m", message]);
        };
        common::git(&remote, &["init", "-q"]);
        commit("first");
        common::git(&remote, &["branch", "change"]);
        for number in 0..40 {
            commit(&format!("main {number}"));
        }
        common::git(&remote, &["checkout", "-q", "change"]);
        for number in 0..40 {
            commit(&format!("change {number}"));
        }
        write(&remote, "web/values.yaml", &format!("level: {level}\n"));
        commit("the change");
        let url = format!("file://{}", remote.display());
        let clone = ["clone", "-q", "--depth", "1", "--branch", "change", &url, "clone"];
        common::git(folder.path(), &clone);
        Clone { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("clone")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap());
        command.env("HOME", self.folder.path());
        command
    }

    /// `scripts/ci-verify.sh` with these arguments.
    fn verify(&self, arguments: &[&str]) -> Output {
        self.command("sh")
            .arg(root().join("scripts/ci-verify.sh"))
            .args(arguments)
            .env("EVENKEEL", env!("CARGO_BIN_EXE_evenkeel"))
            .output()
            .unwrap()
    }

    fn assert_reports(&self, folder: &Path) {
        for name in REPORTS {
            let report = std::fs::read(folder.join(name)).unwrap_or_default();
            assert!(!report.is_empty(), "{name} is not there");
        }
    }
}

#[test]
fn a_shallow_clone_is_deepened_until_the_merge_base_is_there() {
    let clone = Clone::new("debug");
    let output = clone.verify(&["main"]);
    assert_eq!(output.status.code(), Some(1), "{}", common::text(&output));
    assert!(
        common::text(&output).contains("data.level: info → debug"),
        "{}",
        common::text(&output)
    );
    clone.assert_reports(&clone.path().join("evenkeel-reports"));
    let equal = Clone::new("info");
    let output = equal.verify(&["main", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", common::text(&output));
}

#[test]
fn a_baseline_that_is_not_to_be_had_is_no_verdict() {
    let clone = Clone::new("debug");
    for base in ["nosuch", "0123456789012345678901234567890123456789"] {
        let output = clone.verify(&[base]);
        assert_eq!(output.status.code(), Some(2), "{}", common::text(&output));
        assert!(common::text(&output).contains(base), "{}", common::text(&output));
    }
    assert_eq!(clone.verify(&[]).status.code(), Some(2));
}

/// What a step of the action gives GitHub.
fn action_step(id: &str) -> Value {
    let text = std::fs::read_to_string(root().join("action.yml")).unwrap();
    let action: Value = serde_yaml::from_str(&text).unwrap();
    let steps = action["runs"]["steps"].as_sequence().unwrap().clone();
    steps
        .into_iter()
        .find(|step| step["id"].as_str() == Some(id))
        .unwrap()
}

#[test]
fn the_action_tells_verdict_summary_and_annotations() {
    for (level, code, verdict) in [("debug", "1", "differs"), ("info", "0", "equivalent")] {
        let clone = Clone::new(level);
        let step = action_step("verify");
        let [outputs, summary, temporary] =
            ["outputs", "summary", "temp"].map(|name| clone.folder.path().join(name));
        std::fs::create_dir(&temporary).unwrap();
        let output = clone
            .command("bash")
            .args([
                "--noprofile",
                "--norc",
                "-eo",
                "pipefail",
                "-c",
                step["run"].as_str().unwrap(),
            ])
            .env("GITHUB_ACTION_PATH", root())
            .env("GITHUB_OUTPUT", &outputs)
            .env("GITHUB_STEP_SUMMARY", &summary)
            .env("RUNNER_TEMP", &temporary)
            .env("AGAINST", "main")
            .env("ARGS", "--release * --fail-on warn")
            .env("ANNOTATIONS", "true")
            .env("BINARY", env!("CARGO_BIN_EXE_evenkeel"))
            .output()
            .unwrap();
        // The step itself succeeds: reports are kept first, then the last step fails the job.
        assert_eq!(output.status.code(), Some(0), "{}", common::text(&output));
        let told = std::fs::read_to_string(&outputs).unwrap();
        assert!(told.contains(&format!("exit-code={code}\n")), "{told}");
        assert!(told.contains(&format!("verdict={verdict}\n")), "{told}");
        assert!(!std::fs::read_to_string(&summary).unwrap().is_empty());
        clone.assert_reports(&temporary.join("evenkeel-reports"));
    }
}

#[test]
fn the_gitlab_job_ends_as_the_verdict_says() {
    let text = std::fs::read_to_string(root().join("ci/gitlab.yml")).unwrap();
    let job: Value = serde_yaml::from_str(&text).unwrap();
    let script: Vec<&str> = job["evenkeel"]["script"]
        .as_sequence()
        .unwrap()
        .iter()
        .map(|line| line.as_str().unwrap())
        .collect();
    for (level, code) in [("debug", 1), ("info", 0)] {
        let clone = Clone::new(level);
        let tools = clone.folder.path().join("tools");
        std::fs::create_dir(&tools).unwrap();
        // What the image holds.
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_evenkeel"), tools.join("evenkeel")).unwrap();
        std::os::unix::fs::symlink(root().join("scripts/ci-verify.sh"), tools.join("ci-verify")).unwrap();
        let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
        let output = clone
            .command("sh")
            .args(["-ec", &script.join("\n")])
            .env("PATH", path)
            .env("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", common::text(&output));
        let artifacts = &job["evenkeel"]["artifacts"]["reports"];
        for kind in ["junit", "codequality"] {
            assert!(clone.path().join(artifacts[kind].as_str().unwrap()).is_file());
        }
    }
}

#[test]
fn the_helm_plugin_passes_arguments_and_exit_codes_on() {
    let Some(helms) = common::helms() else { return };
    for helm in helms {
        let clone = Clone::new("debug");
        let (tools, plugin) = (
            clone.folder.path().join("tools"),
            clone.folder.path().join("evenkeel"),
        );
        std::fs::create_dir(&tools).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_evenkeel"), tools.join("evenkeel")).unwrap();
        for name in ["plugin.yaml", "scripts/plugin.sh"] {
            std::fs::create_dir_all(plugin.join(name).parent().unwrap()).unwrap();
            std::fs::copy(root().join(name), plugin.join(name)).unwrap();
        }
        let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
        let run = |arguments: &[&str]| {
            let mut command = clone.command(helm.to_str().unwrap());
            command.args(arguments).env("PATH", &path).output().unwrap()
        };
        let output = run(&["plugin", "install", plugin.to_str().unwrap()]);
        assert!(output.status.success(), "{}", common::text(&output));
        let output = run(&["evenkeel", "verify", "--against", "HEAD"]);
        assert_eq!(output.status.code(), Some(0), "{}", common::text(&output));
        write(&clone.path(), "web/values.yaml", "level: other\n");
        let output = run(&["evenkeel", "verify", "--against", "HEAD"]);
        assert_eq!(output.status.code(), Some(1), "{}", common::text(&output));
    }
}
