//! Every scenario of `../shared/scenarios` through the real binary: `before/` is committed, `after/` is the
//! working tree, the plans are translated into evenkeel.yaml. Document states have to be as expected for
//! all documents; findings belong to checks that are not built yet and are listed by name.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may fail, and says so"
)]

mod common;

use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[test]
fn every_document_gets_the_state_it_should() {
    let (Some(shared), Some(helms)) = (common::shared(), common::helms()) else {
        return eprintln!("skipped: ../shared/scenarios is not there");
    };
    let mut names: Vec<_> = std::fs::read_dir(shared.join("scenarios"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("expect.json").is_file())
        .collect();
    names.sort();
    assert!(!names.is_empty(), "the folder of scenarios is empty");
    let mut faults = Vec::new();
    let mut not_covered = BTreeSet::new();
    for scenario in &names {
        let expect = read(&scenario.join("expect.json"));
        for finding in array(&expect["findings"], "must") {
            not_covered.insert(string(&finding["kind"]));
        }
        for helm in ["4.3.1", "3.19.0"] {
            let found = run(scenario, &helms, &helm[..helm.rfind('.').unwrap()]);
            let name = scenario.file_name().unwrap().to_string_lossy();
            faults.extend(
                judge(&expect, helm, &found)
                    .into_iter()
                    .map(|fault| format!("{name} ({helm}): {fault}")),
            );
        }
    }
    eprintln!(
        "{} scenarios; findings not covered yet: {not_covered:?}",
        names.len()
    );
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Runs a scenario and gives the JSON report.
fn run(scenario: &Path, helms: &[std::path::PathBuf], dialect: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let (before, after) = (scenario.join("before"), scenario.join("after"));
    common::repository(folder.path(), &before, &after);
    let mut config = side(&read(&after.join("plan.json")));
    config.insert("baseline".into(), side(&read(&before.join("plan.json"))).into());
    let platforms: BTreeSet<String> = ["before", "after"]
        .iter()
        .flat_map(|name| array(&read(&scenario.join(name).join("plan.json")), "releases").clone())
        .filter_map(|release| release["platform"].as_str().map(str::to_owned))
        .collect();
    if !platforms.is_empty() {
        let platforms: Map<String, Value> = platforms.into_iter().map(|name| (name, json!({}))).collect();
        config.insert("platforms".into(), platforms.clone().into());
        config["baseline"]["platforms"] = platforms.into();
    }
    std::fs::write(
        folder.path().join("evenkeel.yaml"),
        Value::from(config).to_string(),
    )
    .unwrap();
    let mut command = common::evenkeel(folder.path());
    command.args([
        "verify",
        "--against",
        "HEAD",
        "--format",
        "json",
        "--helm-version",
        dialect,
    ]);
    for helm in helms {
        command.arg("--helm-bin").arg(helm);
    }
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{}: {error}\n{}", scenario.display(), common::text(&output)))
}

/// One side's plan as a layout of evenkeel.yaml.
fn side(plan: &Value) -> Map<String, Value> {
    let releases = array(plan, "releases").iter().map(|release| {
        let mut entry = Map::new();
        let keys = [
            ("id", "id"),
            ("name", "name"),
            ("namespace", "namespace"),
            ("chart", "chart"),
            ("values", "values"),
            ("set", "set"),
            ("set_string", "setString"),
            ("set_json", "setJson"),
            ("kube_version", "kubeVersion"),
            ("api_versions", "apiVersions"),
            ("include_crds", "includeCRDs"),
        ];
        for (from, to) in keys {
            if !release[from].is_null() {
                entry.insert(to.into(), release[from].clone());
            }
        }
        if let Some(platform) = release["platform"].as_str() {
            entry.insert("platforms".into(), json!([platform]));
        }
        Value::from(entry)
    });
    Map::from_iter([("releases".to_owned(), Value::from_iter(releases))])
}

/// One document of the report.
struct Found {
    state: String,
    fields: Vec<String>,
    from: Option<String>,
}

/// What is wrong with a report, measured against what the scenario expects of a Helm.
fn judge(expect: &Value, helm: &str, report: &Value) -> Vec<String> {
    let engine = &expect["engines"][format!("helm-{helm}")];
    let general = |key: &str| {
        if engine[key].is_null() {
            &expect[key]
        } else {
            &engine[key]
        }
    };
    let mut faults = Vec::new();
    let failing = fails(general("render_fails"), report, &mut faults);
    let mut found = documents(report);
    for document in general("documents").as_array().unwrap() {
        let key = format!("{} {}", string(&document["release"]), string(&document["doc"]));
        if failing.contains(&string(&document["release"])) {
            continue;
        }
        let Some(told) = found.remove(&key) else {
            faults.push(format!("{key}: not in the report"));
            continue;
        };
        let mut accepted = vec![string(&document["state"])];
        accepted.extend(array(document, "accept").iter().map(string));
        let chance_and_change = !array(document, "changed_fields").is_empty();
        let states: Vec<&str> = accepted
            .iter()
            .map(|state| match state.as_str() {
                "canonically-identical" => "equivalent",
                "nondeterministic" if chance_and_change => "changed",
                "nondeterministic" => "volatile",
                state => state,
            })
            .collect();
        if !states.contains(&told.state.as_str()) {
            faults.push(format!("{key}: {} instead of {states:?}", told.state));
        }
        if told.state == "changed" {
            let wanted = if chance_and_change {
                "changed_fields"
            } else {
                "fields"
            };
            faults.extend(fields(&key, &told.fields, array(document, wanted)));
        }
        if let Some(from) = document["from"].as_str()
            && told.from.as_deref() != Some(from)
        {
            faults.push(format!("{key}: from {:?} instead of {from}", told.from));
        }
    }
    faults.extend(
        found
            .into_keys()
            .map(|key| format!("{key}: surplus in the report")),
    );
    let silent = expect["silent"] == json!(true);
    if silent && report["exitCode"] != json!(0) {
        faults.push(format!("exit code {} where nothing is wrong", report["exitCode"]));
    }
    if silent && !report["findings"].as_array().unwrap().is_empty() {
        faults.push(format!("findings where nothing is wrong: {}", report["findings"]));
    }
    faults
}

/// The releases whose render has to fail; each must be told with its message and side.
fn fails(expected: &Value, report: &Value, faults: &mut Vec<String>) -> Vec<String> {
    let mut failing = Vec::new();
    for failure in expected.as_array().into_iter().flatten() {
        let release = string(&failure["release"]);
        let side = if failure["side"] == "after" {
            "candidate"
        } else {
            "baseline"
        };
        let cell = report["cells"]
            .as_array()
            .unwrap()
            .iter()
            .find(|cell| cell["release"] == release);
        let told = cell.is_some_and(|cell| {
            cell["status"] == "undecided"
                && cell["error"]["side"] == side
                && cell["error"]["message"]
                    .as_str()
                    .unwrap_or_default()
                    .contains(&string(&failure["message"]))
        });
        if !told {
            faults.push(format!("{release}: its failure on the {side} is not told"));
        }
        failing.push(release);
    }
    failing
}

/// The documents of a report under `release group/version/kind/namespace/name`.
fn documents(report: &Value) -> BTreeMap<String, Found> {
    let mut found = BTreeMap::new();
    for cell in report["cells"].as_array().unwrap() {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for document in cell["documents"].as_array().unwrap() {
            let name = name(&document["id"]);
            let count = seen.entry(name.clone()).or_insert(0);
            *count += 1;
            let suffix = if *count > 1 {
                format!("#{count}")
            } else {
                String::new()
            };
            let fields = array(document, "changes").iter().map(|change| {
                let order = if change["op"] == "reorder" { "[order]" } else { "" };
                format!("{}{order}", string(&change["path"]))
            });
            let told = Found {
                state: string(&document["verdict"]),
                fields: fields.collect(),
                from: document["from"]
                    .is_object()
                    .then(|| self::name(&document["from"]["id"])),
            };
            found.insert(format!("{} {name}{suffix}", string(&cell["release"])), told);
        }
    }
    found
}

fn name(id: &Value) -> String {
    let group = string(&id["group"]);
    let version = string(&id["version"]);
    let api = if group.is_empty() {
        version
    } else {
        format!("{group}/{version}")
    };
    let namespace = id["namespace"].as_str().unwrap_or("-");
    format!(
        "{api}/{}/{namespace}/{}",
        string(&id["kind"]),
        string(&id["name"])
    )
}

/// A stated path covers all below it; a told path that lies above a stated one covers it, too.
fn fields(key: &str, told: &[String], stated: &[Value]) -> Vec<String> {
    let stated: Vec<String> = stated.iter().map(string).collect();
    let below = |path: &str, top: &str| {
        path.strip_prefix(top)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let related = |a: &str, b: &str| below(a, b) || below(b, a);
    let surplus = told
        .iter()
        .filter(|path| !stated.iter().any(|top| related(path, top)));
    let missing = stated
        .iter()
        .filter(|top| !told.iter().any(|path| related(path, top)));
    surplus
        .map(|path| format!("{key}: {path} is told but not stated"))
        .chain(missing.map(|path| format!("{key}: {path} is stated but not told")))
        .collect()
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn array<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    static EMPTY: Vec<Value> = Vec::new();
    value[key].as_array().unwrap_or(&EMPTY)
}
