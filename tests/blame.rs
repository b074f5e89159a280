//! `evenkeel blame`: what it tells, and that it is true: a value that is said to be in a field changes the field.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may fail, and says what it did"
)]

mod common;

use serde_json::Value;
use std::path::Path;
use std::process::Output;

const TEMPLATE: &str = r#"apiVersion: v1
kind: ConfigMap
metadata:
  name: web
data:
  level: {{ .Values.level | quote }}
  {{- if .Values.debug }}
  debug: "on"
  {{- end }}
  host: {{ include "web.host" . }}
  chance: {{ randAlphaNum 8 }}
"#;
const HELPERS: &str = "{{- define \"web.host\" -}}\nh-{{ .Values.host.name }}\n{{- end }}\n";
const CONFIG: &str = "kubeVersion: v1.36.2
platforms: {amd: {}, arm: {}, edge: {values: [edge.yaml]}}
releases:
- {name: web, chart: web, namespace: apps, values: [web.yaml], set: [host.name=flag]}
";

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "evenkeel.yaml", CONFIG);
    write(root, "web.yaml", "level: warn\nhost: {name: file}\n");
    write(root, "edge.yaml", "debug: true\n");
    write(
        root,
        "web/Chart.yaml",
        "apiVersion: v2\nname: web\nversion: 0.1.0\n",
    );
    write(
        root,
        "web/values.yaml",
        "level: info\nhost:\n  name: chart\ndebug: false\n",
    );
    write(root, "web/templates/_helpers.tpl", HELPERS);
    write(root, "web/templates/map.yaml", TEMPLATE);
    common::git(root, &["init", "-q"]);
    folder
}

fn blame(folder: &Path, args: &[&str]) -> Output {
    let mut command = common::evenkeel(folder);
    command.arg("blame").args(args).output().unwrap()
}

fn told(folder: &Path, args: &[&str]) -> String {
    let output = blame(folder, args);
    assert_eq!(output.status.code(), Some(0), "{}", common::text(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_field_leads_to_its_template_its_value_and_what_that_covers() {
    let folder = repository();
    assert_eq!(
        told(folder.path(), &["ConfigMap/web", "data.level"]),
        "v1/ConfigMap/apps/web (web@amd, web@arm, web@edge)

data.level: warn
  printed by  web/templates/map.yaml:6:13
  value       level in web.yaml:1:8 (values-file)
              covers info in web/values.yaml:1:8 (chart-default)
"
    );
    let host = told(
        folder.path(),
        &["ConfigMap/web", "data.host", "--platform", "amd"],
    );
    for line in [
        "  printed by  web/templates/_helpers.tpl:2:1",
        "  called from web/templates/map.yaml:10:12",
        "covers file in web.yaml:2:14 (values-file)",
        "covers chart in web/values.yaml:3:9 (chart-default)",
    ] {
        assert!(host.contains(line), "{line} in {host}");
    }
    // The host stands one line lower on the platform that has a field more.
    let all = told(folder.path(), &["web", "data.host"]);
    assert!(all.contains("(web@amd, web@arm, web@edge)"), "{all}");
    let chance = told(folder.path(), &["web", "data.chance", "--platform", "amd"]);
    assert!(
        chance.contains("  random      randAlphaNum 8 in web/templates/map.yaml:11:"),
        "{chance}"
    );
}

#[test]
fn a_field_of_some_platforms_is_told_with_the_others_named() {
    let folder = repository();
    let debug = told(folder.path(), &["ConfigMap/web", "data.debug"]);
    assert!(debug.starts_with("v1/ConfigMap/apps/web (web@edge)\n"), "{debug}");
    assert!(
        debug.contains("  decided by  debug in edge.yaml:1:8 (values-file)"),
        "{debug}"
    );
    assert!(debug.ends_with("\nnot in web@amd, web@arm\n"), "{debug}");
    // A whole document differs on the platform that has one field more.
    let whole = told(folder.path(), &["ConfigMap/web"]);
    assert!(
        whole.contains("(web@amd, web@arm)\n") && whole.contains("(web@edge)\n"),
        "{whole}"
    );
}

#[test]
fn what_is_not_there_is_named_with_its_nearest() {
    let folder = repository();
    for (args, message) in [
        (&["ConfigMap/wob"][..], "did you mean ConfigMap/web?"),
        (&["ConfigMap/web", "data.lvel"], "did you mean data.level?"),
        (&["ConfigMap/web", "data["], "a path looks like"),
    ] {
        let output = blame(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            common::text(&output).contains(message),
            "{args:?}: {}",
            common::text(&output)
        );
    }
}

#[test]
fn a_cell_that_fails_is_told_beside_what_is_not_there_and_keeps_nothing_else_back() {
    let folder = repository();
    let failing = format!("{TEMPLATE}{{{{- if .Values.debug }}}}{{{{ fail \"no edge\" }}}}{{{{ end }}}}\n");
    write(folder.path(), "web/templates/map.yaml", &failing);
    let output = blame(folder.path(), &["ConfigMap/wob"]);
    let text = common::text(&output);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text.contains("no document ConfigMap/wob") && text.contains("no edge"),
        "{text}"
    );
    told(folder.path(), &["ConfigMap/web", "data.level"]);
}

#[test]
fn several_documents_are_never_told_as_one() {
    let folder = repository();
    let second = TEMPLATE.replace("name: web", "name: web-2");
    write(folder.path(), "web/templates/second.yaml", &second);
    let output = blame(folder.path(), &["ConfigMap/web*", "data.level"]);
    assert_eq!(output.status.code(), Some(2));
    let text = common::text(&output);
    assert!(text.contains("v1/ConfigMap/apps/web-2 in web@edge"), "{text}");
    told(folder.path(), &["ConfigMap/web", "data.level"]);
}

/// Charts of the shared corpus with values files, and so many fields of each.
const CHARTS: usize = 13;
const FIELDS_OF_A_CHART: usize = 5;

#[test]
fn a_blamed_value_that_changes_changes_the_field() {
    let Some(shared) = common::shared() else {
        eprintln!("skipped: no shared material");
        return;
    };
    let cases = std::fs::read_to_string(shared.join("corpus/cases.jsonl")).unwrap();
    let cases: Vec<Value> = cases
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut by_owner: Vec<&Value> = Vec::new();
    for case in &cases {
        let owner = |case: &Value| {
            case["chart"]
                .as_str()
                .unwrap()
                .split('/')
                .nth(1)
                .map(str::to_owned)
        };
        let is_plain = case["expect"] == "ok"
            && case["volatile"] == false
            && case["values"].as_array().is_some_and(|files| !files.is_empty())
            && case["set"].as_array().is_some_and(Vec::is_empty)
            && case["flags"].as_array().is_some_and(Vec::is_empty);
        if is_plain && by_owner.last().is_none_or(|last| owner(last) != owner(case)) {
            by_owner.push(case);
        }
    }
    let step = by_owner.len() / CHARTS;
    let trial = |case: &Value| {
        let trial = Trial::new(&shared.join("corpus"), case);
        let fields = trial.fields();
        let wrong = fields
            .iter()
            .filter(|(resource, field)| !trial.changes(resource, field))
            .map(|(resource, field)| format!("{} {resource} {}", trial.name, field["path"]));
        (fields.len(), wrong.collect::<Vec<_>>())
    };
    let told: Vec<_> = std::thread::scope(|scope| {
        let chosen = by_owner.iter().step_by(step).take(CHARTS);
        let threads: Vec<_> = chosen.map(|case| scope.spawn(|| trial(case))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let fields: usize = told.iter().map(|(fields, _)| fields).sum();
    let wrong: Vec<String> = told.into_iter().flat_map(|(_, wrong)| wrong).collect();
    eprintln!("{fields} fields of {CHARTS} charts");
    assert!(fields >= 50, "{fields}");
    // The keys of a map carry the map's origin, also the few that a template added to it.
    assert!(wrong.len() <= fields / 50, "{}", wrong.join("\n"));
    eprintln!("{}", wrong.join("\n"));
}

/// A chart of the corpus in a repository of its own.
struct Trial {
    folder: tempfile::TempDir,
    name: String,
    values: Vec<String>,
}

impl Trial {
    fn new(corpus: &Path, case: &Value) -> Trial {
        let folder = tempfile::tempdir().unwrap();
        let chart = case["chart"].as_str().unwrap();
        std::fs::copy(corpus.join(chart), folder.path().join("chart.tgz")).unwrap();
        let mut values = Vec::new();
        for (at, file) in case["values"].as_array().unwrap().iter().enumerate() {
            let name = format!("v{at}.yaml");
            std::fs::copy(corpus.join(file.as_str().unwrap()), folder.path().join(&name)).unwrap();
            values.push(name);
        }
        let trial = Trial {
            folder,
            name: case["id"].as_str().unwrap().to_owned(),
            values,
        };
        common::git(trial.folder.path(), &["init", "-q"]);
        trial.configure(None);
        trial
    }

    fn configure(&self, set: Option<&str>) {
        let set = set.map_or(String::new(), |set| {
            format!("  setJson: [{}]\n", serde_json::json!(set))
        });
        let config = format!(
            "kubeVersion: v1.36.2\nreleases:\n- name: rel\n  namespace: ns\n  chart: chart.tgz\n  values: {:?}\n{set}",
            self.values
        );
        write(self.folder.path(), "evenkeel.yaml", &config);
    }

    /// What blame tells of a document or a field; nothing when there is no such thing.
    fn blame(&self, args: &[&str]) -> Result<Vec<Value>, String> {
        let output = blame(self.folder.path(), &[args, &["--format", "json"]].concat());
        if output.status.code() != Some(0) {
            return Err(common::text(&output));
        }
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        let parts = told["parts"].as_array().unwrap();
        match &parts[..] {
            [part] => Ok(part["fields"].as_array().unwrap().clone()),
            _ => Err("the chart has this document twice".to_owned()),
        }
    }

    /// Fields that values flowed into, spread over the chart's documents.
    fn fields(&self) -> Vec<(String, Value)> {
        let output = common::evenkeel(self.folder.path())
            .arg("render")
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let mut found = Vec::new();
        for document in serde_yaml::Deserializer::from_str(&text) {
            let Ok(document) = <serde_yaml::Value as serde::Deserialize>::deserialize(document) else {
                continue;
            };
            let (Some(kind), Some(name)) = (document["kind"].as_str(), document["metadata"]["name"].as_str())
            else {
                continue;
            };
            let resource = format!("{kind}/{name}");
            let fits = |field: &&Value| {
                let values = field["values"].as_array().unwrap();
                let path = field["path"].as_str().unwrap();
                !path.starts_with("metadata.labels")
                    && !values.is_empty()
                    && field["decidedOnly"] == false
                    && field["value"]["redacted"].is_null()
                    && values
                        .iter()
                        .all(|value| !value["path"].as_str().unwrap().contains(['[', '"']))
            };
            let fields = self.blame(&[&resource]).unwrap_or_default();
            if let Some(field) = fields.iter().rfind(fits) {
                found.push((resource, field.clone()));
            }
            if found.len() == FIELDS_OF_A_CHART {
                break;
            }
        }
        found
    }

    /// True when another value at one of the blamed paths gives another field.
    fn changes(&self, resource: &str, field: &Value) -> bool {
        let path = field["path"].as_str().unwrap();
        let changed = field["values"].as_array().unwrap().iter().any(|value| {
            let value = value["path"].as_str().unwrap();
            [
                "\"ablated\"",
                "4711",
                "true",
                "false",
                "{\"ablated\":\"x\"}",
                "[\"ablated\"]",
            ]
            .iter()
            .any(|other| {
                self.configure(Some(&format!("{value}={other}")));
                match self.blame(&[resource, path]) {
                    Ok(now) => now.len() != 1 || now[0]["value"] != field["value"],
                    // Not there any more, against not rendered.
                    Err(error) => error.contains("has no field") || error.contains("no document"),
                }
            })
        });
        self.configure(None);
        changed
    }
}
