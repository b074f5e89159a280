//! Chance against change, end to end: what chance wrote is never a change, and hides none.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may fail, and says so"
)]

mod common;

use serde_json::{Value, json};
use std::path::Path;

/// A Secret with a drawn password and a checksum of it, beside an object of an API that is gone.
const CHART: [(&str, &str); 4] = [
    ("app/Chart.yaml", "apiVersion: v2\nname: app\nversion: 0.1.0\n"),
    (
        "app/templates/secret.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: app}\nstringData:\n  password: {{ randAlphaNum 12 }}\n  user: admin\n",
    ),
    (
        "app/templates/old.yaml",
        "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: app}\nspec: {minAvailable: 1}\n",
    ),
    (
        "evenkeel.yaml",
        "kubeVersion: v1.36.2\nreleases:\n- {name: app, chart: app, namespace: apps}\n",
    ),
];

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in CHART {
        write(folder.path(), name, text);
    }
    common::git(folder.path(), &["init", "-q"]);
    common::git(folder.path(), &["add", "-A"]);
    common::git(folder.path(), &["commit", "-q", "-m", "first"]);
    folder
}

fn report(folder: &Path, args: &[&str]) -> Value {
    let mut command = common::evenkeel(folder);
    command.args(["verify", "--format", "json"]).args(args);
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", common::text(&output)))
}

fn strings(values: &Value, key: &str) -> Vec<String> {
    let values = values.as_array().unwrap().iter();
    values
        .map(|value| value[key].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn chance_is_explained_and_what_stands_beside_it_is_counted_only() {
    let folder = repository();
    let (name, text) = CHART[1];
    write(folder.path(), name, &format!("# a comment\n{text}"));
    let report = report(folder.path(), &["--against", "HEAD"]);
    assert_eq!(report["verdict"], "equivalent");
    // The password is told to be chance; that the other object's API is gone is no news, and is not about chance.
    assert!(strings(&report["findings"], "check").contains(&"random-output".to_owned()));
    assert!(!strings(&report["findings"], "check").contains(&"removed-api".to_owned()));
}

#[test]
fn a_change_beside_chance_is_a_change_field_by_field() {
    let folder = repository();
    let (name, text) = CHART[1];
    write(folder.path(), name, &text.replace("admin", "root"));
    let report = report(folder.path(), &["--against", "HEAD"]);
    assert_eq!(report["verdict"], "differs");
    let documents = &report["cells"][0]["documents"];
    let secret = documents
        .as_array()
        .unwrap()
        .iter()
        .find(|document| document["id"]["kind"] == "Secret")
        .unwrap();
    assert_eq!(secret["verdict"], "changed");
    assert_eq!(strings(&secret["changes"], "path"), ["stringData.user"]);
}

/// Of the volatile cases of the corpus, every so many-th.
const STEP: usize = 5;

#[test]
fn no_volatile_case_of_the_corpus_differs_from_itself() {
    let Some(shared) = common::shared() else {
        eprintln!("skipped: no shared material");
        return;
    };
    let corpus = shared.join("corpus");
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(corpus.join("cases.jsonl")).unwrap();
    let cases = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let is_plain = |case: &Value| {
        let empty = |key: &str| case[key].as_array().is_none_or(Vec::is_empty);
        case["volatile"] == true
            && case["expect"] == "ok"
            && [
                "set",
                "set_string",
                "set_json",
                "set_file",
                "set_literal",
                "flags",
            ]
            .into_iter()
            .all(empty)
    };
    let mut sides = [Vec::new(), Vec::new()];
    for (number, case) in cases.filter(is_plain).step_by(STEP).enumerate() {
        let copy = |path: &Value| {
            let path = path.as_str().unwrap();
            std::fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            std::fs::copy(corpus.join(path), folder.path().join(path)).unwrap();
        };
        copy(&case["chart"]);
        let mut values = case["values"].as_array().unwrap().clone();
        values.iter().for_each(copy);
        for side in &mut sides {
            // A platform of its own: the charts are no neighbours.
            side.push(json!({
                "id": format!("c{number}"), "name": case["release"], "namespace": case["namespace"],
                "chart": case["chart"], "kubeVersion": case["kube_version"], "values": values,
                "platforms": [format!("p{number}")],
            }));
            // The sides differ in this alone, so that none is taken for the other unrendered.
            values.push(json!("empty.yaml"));
        }
    }
    let [baseline, candidate] = sides;
    let count = candidate.len();
    let platforms: serde_json::Map<String, Value> = (0..count)
        .map(|number| (format!("p{number}"), json!({})))
        .collect();
    let config = json!({
        "kubeVersion": "v1.36.2", "platforms": platforms, "releases": candidate, "baseline": {"releases": baseline},
    });
    write(folder.path(), "evenkeel.yaml", &config.to_string());
    write(folder.path(), "empty.yaml", "# nothing\n");
    let report = report(folder.path(), &["--against", "dir:.", "--candidate", "dir:."]);
    let cells = report["cells"].as_array().unwrap();
    assert!(count > 20 && cells.len() == count, "{count} cases");
    let mut volatile = 0;
    for cell in cells {
        assert_eq!(cell["status"], "ok", "{}", cell["chart"]);
        for document in cell["documents"].as_array().unwrap() {
            let verdict = document["verdict"].as_str().unwrap();
            assert!(
                ["identical", "equivalent", "volatile"].contains(&verdict),
                "{} {}: {verdict}",
                cell["chart"],
                document["id"]
            );
            volatile += usize::from(verdict == "volatile");
        }
    }
    eprintln!("{count} cases, {volatile} volatile documents");
    assert!(volatile >= count / 2, "{volatile} of {count}");
}
