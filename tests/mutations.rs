//! The bundled fixture through the real binary: before and after are equal, and each mutation of the merged stack
//! gets exactly the verdict it has to get. Expectations are complete: a surplus difference fails.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may fail, and says so"
)]

mod common;

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Output;

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ai-stack")
}

/// Verifies a folder against the fixture's `before/`, in text and JSON.
fn verify(after: &Path, helm: Option<&Path>) -> (Output, Value) {
    let report = after.with_extension("json");
    let mut command = common::evenkeel(after);
    command.arg("verify");
    if let Some(helm) = helm {
        command.args(["--engine", "witness", "--helm-bin"]).arg(helm);
    }
    command.arg("--candidate").arg(format!("dir:{}", after.display()));
    command
        .arg("--against")
        .arg(format!("dir:{}", fixture().join("before").display()));
    command
        .arg("--verbose")
        .arg("--output")
        .arg(format!("json={}", report.display()));
    let output = command.output().unwrap();
    let json = std::fs::read(&report).unwrap_or_else(|error| panic!("{error}: {}", common::text(&output)));
    (output, serde_json::from_slice(&json).unwrap())
}

#[test]
fn the_merged_stack_equals_the_three_copies() {
    let Some(helm) = common::helm("4.3.1") else {
        return eprintln!("skipped: no Helm");
    };
    let folder = tempfile::tempdir().unwrap();
    let after = folder.path().join("after");
    common::copy(&fixture().join("after"), &after);
    let (output, report) = verify(&after, Some(&helm));
    assert_eq!(output.status.code(), Some(0), "{}", common::text(&output));
    assert_eq!(report["verdict"], "equivalent");
    let documents = &report["summary"]["documents"];
    assert_eq!(
        documents["identical"].as_u64().unwrap() + documents["equivalent"].as_u64().unwrap(),
        403
    );
}

/// The README's first command: no Helm, the same verdict.
#[test]
fn the_native_engine_finds_the_same() {
    for dialect in ["4.3", "3.19"] {
        let mut command = common::evenkeel(Path::new(env!("CARGO_MANIFEST_DIR")));
        command.args([
            "verify",
            "--engine",
            "native",
            "--format",
            "json",
            "--helm-version",
            dialect,
        ]);
        command.args(["--config", "fixtures/ai-stack/after/evenkeel.yaml"]);
        command.args(["--candidate", &format!("dir:{}", env!("CARGO_MANIFEST_DIR"))]);
        command.args(["--against", "dir:fixtures/ai-stack/before"]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", common::text(&output));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["tool"]["engine"], "native");
        assert_eq!(report["summary"]["documents"]["identical"], 148);
        assert_eq!(report["summary"]["documents"]["equivalent"], 255);
        assert_eq!(report["findings"], json!([]), "a pure refactor is silent");
    }
}

#[test]
fn every_mutation_gets_its_verdict() {
    let helm = common::helm("4.3.1");
    let engines = 1 + usize::from(helm.is_some());
    let mut mutations: Vec<_> = std::fs::read_dir(fixture().join("mutations"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    mutations.sort();
    assert!(mutations.len() >= 8);
    let mut faults = Vec::new();
    for mutation in mutations {
        let folder = tempfile::tempdir().unwrap();
        let after = folder.path().join("after");
        common::copy(&fixture().join("after"), &after);
        common::git(&after, &["init", "-q"]);
        common::git(
            &after,
            &["apply", "-p1", mutation.join("change.patch").to_str().unwrap()],
        );
        let expect: Value =
            serde_yaml::from_slice(&std::fs::read(mutation.join("expect.yaml")).unwrap()).unwrap();
        let name = mutation.file_name().unwrap().to_string_lossy().into_owned();
        for helm in [None, helm.as_deref()].into_iter().take(engines) {
            let (output, report) = verify(&after, helm);
            let text = format!("{}{report}", common::text(&output));
            let engine = report["tool"]["engine"].clone();
            faults.extend(
                judge(&expect, &output, &report, &text)
                    .into_iter()
                    .map(|fault| format!("{name} ({engine}): {fault}")),
            );
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn judge(expect: &Value, output: &Output, report: &Value, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if json!(output.status.code()) != expect["exitCode"] || report["verdict"] != expect["verdict"] {
        faults.push(format!("{} with {:?}", report["verdict"], output.status.code()));
    }
    for hidden in list(&expect["mustNotPrint"]) {
        if text.contains(hidden.as_str().unwrap()) {
            faults.push(format!("{hidden} is printed"));
        }
    }
    let mut told = Vec::new();
    for cell in list(&report["cells"]) {
        if cell["status"] != "ok" && !expected_failure(expect, &cell) {
            faults.push(format!(
                "{} on {}: {}",
                cell["release"], cell["platform"], cell["status"]
            ));
        }
        for document in list(&cell["documents"]) {
            if !["identical", "equivalent"].contains(&document["verdict"].as_str().unwrap()) {
                told.push((cell.clone(), document));
            }
        }
    }
    for wanted in list(&expect["undecided"]) {
        for platform in list(&wanted["platforms"]) {
            let is_told = list(&report["cells"]).iter().any(|cell| {
                cell["platform"] == platform && cell["status"] == "undecided" && failure_fits(&wanted, cell)
            });
            if !is_told {
                faults.push(format!(
                    "the failure of {} on {platform} is not told",
                    wanted["release"]
                ));
            }
        }
    }
    for wanted in list(&expect["documents"]) {
        for platform in list(&wanted["platforms"]) {
            let position = told.iter().position(|(cell, document)| {
                cell["platform"] == platform
                    && cell["release"] == wanted["release"]
                    && name(&document["id"]) == wanted["doc"]
            });
            match position {
                None => faults.push(format!("{} on {platform} is not told", wanted["doc"])),
                Some(position) => faults.extend(document(&wanted, &told.remove(position).1)),
            }
        }
    }
    faults.extend(told.iter().map(|(cell, document)| {
        format!(
            "surplus: {} {} on {}",
            document["verdict"],
            name(&document["id"]),
            cell["platform"]
        )
    }));
    faults
}

fn expected_failure(expect: &Value, cell: &Value) -> bool {
    list(&expect["undecided"])
        .iter()
        .any(|wanted| list(&wanted["platforms"]).contains(&cell["platform"]) && failure_fits(wanted, cell))
}

fn failure_fits(wanted: &Value, cell: &Value) -> bool {
    let error = &cell["error"];
    cell["release"] == wanted["release"]
        && error["side"] == wanted["side"]
        && error["message"]
            .as_str()
            .is_some_and(|text| text.contains(wanted["message"].as_str().unwrap()))
        && error["file"] == wanted["file"]
        && error["line"] == wanted["line"]
}

fn document(wanted: &Value, told: &Value) -> Vec<String> {
    let doc = &wanted["doc"];
    let mut faults = Vec::new();
    if told["verdict"] != wanted["state"] {
        faults.push(format!(
            "{doc}: {} instead of {}",
            told["verdict"], wanted["state"]
        ));
    }
    if !wanted["from"].is_null() && json!(name(&told["from"]["id"])) != wanted["from"] {
        faults.push(format!("{doc}: from {}", told["from"]));
    }
    for effect in list(&wanted["effects"]) {
        if !list(&told["effects"]).contains(&effect) {
            faults.push(format!("{doc}: effect {effect} is not told"));
        }
    }
    let changes = list(&told["changes"]);
    if wanted["redacted"] == json!(true) && !changes.iter().all(|change| change["redacted"] == json!(true)) {
        faults.push(format!("{doc}: not redacted"));
    }
    if !wanted["fields"].is_null() {
        let stated: Vec<String> = list(&wanted["fields"])
            .iter()
            .map(|f| f.as_str().unwrap().to_owned())
            .collect();
        let paths: Vec<String> = changes
            .iter()
            .map(|c| c["path"].as_str().unwrap().to_owned())
            .collect();
        let covers = |top: &str, path: &str| {
            path.strip_prefix(top)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        for path in &paths {
            if !stated.iter().any(|top| covers(top, path)) {
                faults.push(format!("{doc}: {path} is told but not stated"));
            }
        }
        for top in &stated {
            if !paths.iter().any(|path| covers(top, path)) {
                faults.push(format!("{doc}: {top} is stated but not told"));
            }
        }
    }
    faults
}

fn name(id: &Value) -> String {
    let text = |key: &str| id[key].as_str().unwrap_or_default().to_owned();
    let api = if text("group").is_empty() {
        text("version")
    } else {
        format!("{}/{}", text("group"), text("version"))
    };
    format!(
        "{api}/{}/{}/{}",
        text("kind"),
        id["namespace"].as_str().unwrap_or("-"),
        text("name")
    )
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}
