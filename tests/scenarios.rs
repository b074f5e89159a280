//! Every scenario of `../shared/scenarios` through the real binary: `before/` is committed, `after/` is the
//! working tree, the plans are translated into evenkeel.yaml. Document states and findings have to be as
//! expected; the names of findings are translated by the scenarios' own table.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may fail, and says so"
)]

mod common;

use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The checks of evenkeel that a kind of the scenarios stands for (`names.tsv`).
fn checks(shared: &Path) -> BTreeMap<String, Vec<String>> {
    let table = std::fs::read_to_string(shared.join("scenarios/names.tsv")).unwrap();
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split_once('\t'))
        .map(|(kind, checks)| {
            let names = checks
                .split([',', ' '])
                .filter(|name| !name.is_empty() && *name != "or");
            (kind.to_owned(), names.map(str::to_owned).collect())
        })
        .collect()
}

fn scenarios(shared: &Path) -> Vec<PathBuf> {
    let mut names: Vec<_> = std::fs::read_dir(shared.join("scenarios"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("expect.json").is_file())
        .collect();
    names.sort();
    assert!(!names.is_empty(), "the folder of scenarios is empty");
    names
}

/// Whole: the state of every document, every finding that must appear, none that must not.
#[test]
fn the_native_engine_says_what_it_should() {
    let Some(shared) = common::shared() else {
        return eprintln!("skipped: ../shared/scenarios is not there");
    };
    let checks = checks(&shared);
    let mut faults = Vec::new();
    for scenario in scenarios(&shared) {
        let expect = read(&scenario.join("expect.json"));
        let needs_both = array(&expect["findings"], "must")
            .iter()
            .any(|finding| finding["needs"] == "two engines");
        for helm in ["4.3.1", "3.19.0"] {
            let dialect = &helm[..helm.rfind('.').unwrap()];
            let report = run(&scenario, &["--helm-version", dialect], None);
            let mut found = judge(&expect, helm, &report);
            found.extend(findings(&expect, helm, &report, &checks, false));
            if needs_both {
                let other = if dialect == "4.3" { "3.19" } else { "4.3" };
                let report = run(&scenario, &[], Some([dialect, other]));
                found.extend(findings(&expect, helm, &report, &checks, true));
            }
            let name = scenario.file_name().unwrap().to_string_lossy();
            faults.extend(found.into_iter().map(|fault| format!("{name} ({helm}): {fault}")));
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Real Helm cannot say where a byte came from, so that findings are not asked of it.
#[test]
fn the_witness_gives_every_document_its_state() {
    let (Some(shared), Some(helms)) = (common::shared(), common::helms()) else {
        return eprintln!("skipped: ../shared/scenarios is not there");
    };
    let mut faults = Vec::new();
    for scenario in scenarios(&shared) {
        let mut expect = read(&scenario.join("expect.json"));
        expect["silent"] = json!(false);
        for helm in ["4.3.1", "3.19.0"] {
            let dialect = &helm[..helm.rfind('.').unwrap()];
            let mut arguments = vec!["--engine", "witness", "--helm-version", dialect];
            for helm in &helms {
                arguments.extend(["--helm-bin", helm.to_str().unwrap()]);
            }
            let report = run(&scenario, &arguments, None);
            let name = scenario.file_name().unwrap().to_string_lossy();
            faults.extend(
                judge(&expect, helm, &report)
                    .into_iter()
                    .map(|fault| format!("{name} ({helm}): {fault}")),
            );
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Runs a scenario and gives the JSON report.
fn run(scenario: &Path, arguments: &[&str], dialects: Option<[&str; 2]>) -> Value {
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
    if let Some(dialects) = dialects {
        config.insert("helmVersion".into(), json!(dialects));
        config["baseline"]["helmVersion"] = json!(dialects);
    }
    std::fs::write(
        folder.path().join("evenkeel.yaml"),
        Value::from(config).to_string(),
    )
    .unwrap();
    let mut command = common::evenkeel(folder.path());
    command
        .args(["verify", "--against", "HEAD", "--format", "json"])
        .args(arguments);
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{}: {error}\n{}", scenario.display(), common::text(&output)))
}

/// What is wrong with the findings of a report. What needs two engines is asked where both ran.
fn findings(
    expect: &Value,
    helm: &str,
    report: &Value,
    checks: &BTreeMap<String, Vec<String>>,
    both: bool,
) -> Vec<String> {
    let engine = &expect["engines"][format!("helm-{helm}")]["findings"];
    let stated = if engine.is_null() {
        &expect["findings"]
    } else {
        engine
    };
    let told = report["findings"].as_array().unwrap();
    let mut faults = Vec::new();
    for must in array(stated, "must") {
        let needs_both = must["needs"] == "two engines";
        if !is_built(&must["kind"], checks) {
            continue;
        }
        if must["kind"] == "render-failed" || both != needs_both && needs_both {
            continue;
        }
        let found = told.iter().find(|finding| {
            is_kind(&must["kind"], finding, checks)
                && finding["level"] == level(&must["severity"])
                && fits(must, finding, report)
        });
        if found.is_none() {
            let near: Vec<String> = told
                .iter()
                .filter(|finding| is_kind(&must["kind"], finding, checks))
                .map(Value::to_string)
                .collect();
            faults.push(format!("finding {must} is not told; near: {near:?}"));
        }
    }
    for must_not in array(stated, "must_not") {
        let threshold = must_not["severity_at_least"]
            .as_str()
            .map_or(0, |_| rank(level(&must_not["severity_at_least"])));
        for finding in told {
            let is_meant = (must_not["kind"] == "*" || is_kind(&must_not["kind"], finding, checks))
                && rank(finding["level"].as_str().unwrap()) >= threshold
                && fits(must_not, finding, report);
            let is_due = array(stated, "must")
                .iter()
                .any(|must| is_kind(&must["kind"], finding, checks) && fits(must, finding, report));
            if is_meant && !is_due {
                faults.push(format!("finding {finding} is told against {must_not}"));
            }
        }
    }
    faults
}

/// True when some check for a kind is built.
fn is_built(kind: &Value, checks: &BTreeMap<String, Vec<String>>) -> bool {
    let names = checks.get(&string(kind));
    names.is_some_and(|names| names.iter().any(|name| evenkeel::check::find(name).is_some()))
}

fn is_kind(kind: &Value, finding: &Value, checks: &BTreeMap<String, Vec<String>>) -> bool {
    let check = finding["check"].as_str().unwrap();
    checks
        .get(&string(kind))
        .is_some_and(|names| names.iter().any(|name| name == check))
}

fn level(severity: &Value) -> &'static str {
    match severity.as_str() {
        Some("error") => "deny",
        Some("warning") => "warn",
        _ => "info",
    }
}

fn rank(level: &str) -> usize {
    ["info", "warn", "deny"]
        .iter()
        .position(|known| *known == level)
        .unwrap()
}

/// True when a finding is where the scenario says: release, document, path and file, as far as stated.
fn fits(stated: &Value, finding: &Value, report: &Value) -> bool {
    let release = stated["release"].as_str().is_none_or(|release| {
        array(finding, "cells")
            .iter()
            .any(|cell| cell["release"] == release)
    });
    let document = stated["doc"].as_str().is_none_or(|doc| {
        // A group of documents is told as one finding: its cells hold the document.
        let names_it = finding["resource"].is_object() && name(&finding["resource"]) == *doc;
        names_it || finding["resource"].is_null() && in_cells(doc, finding, report)
    });
    let path = stated["path"].as_str().is_none_or(|path| {
        ["valuePath", "fieldPath"].iter().any(|key| {
            finding[key]
                .as_str()
                .is_some_and(|told| is_below(told, path) || is_below(path, told))
        })
    });
    let is_file = |place: &Value, file: &str| {
        place["file"]
            .as_str()
            .is_some_and(|told| told == file || told.ends_with(&format!("/{file}")))
    };
    let file = stated["file"].as_str().is_none_or(|file| {
        is_file(&finding["place"], file) || array(finding, "related").iter().any(|place| is_file(place, file))
    });
    release && document && path && file
}

fn in_cells(doc: &str, finding: &Value, report: &Value) -> bool {
    let cells = report["cells"].as_array().unwrap().iter();
    cells
        .filter(|cell| {
            array(finding, "cells")
                .iter()
                .any(|told| told["release"] == cell["release"] && told["platform"] == cell["platform"])
        })
        .any(|cell| {
            array(cell, "documents")
                .iter()
                .any(|document| name(&document["id"]) == doc)
        })
}

fn is_below(path: &str, top: &str) -> bool {
    path.strip_prefix(top)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
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
    let related = |a: &str, b: &str| is_below(a, b) || is_below(b, a);
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
