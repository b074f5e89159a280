//! Vectors that need more than an executor: whole charts, flags, the tables of functions and capabilities, output
//! that varies, and templates that read `.Chart`, `.Files` or `.Capabilities`. They run through
//! `evenkeel template` in process.

use super::{Outcome, expected, needs, version_of};
use evenkeel::cli::template::{Surroundings, Told, call};
use evenkeel::dialect::Dialect;
use evenkeel::engine::NativeEngine;
use evenkeel::funcs;
use evenkeel::source::MemoryTree;
use evenkeel::template::{FuncTable, SetBuilder};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

const HINT: &str = "\n\nUse --debug flag to render out invalid YAML";
const CHART: &str = "apiVersion: v2\nname: c\nversion: 0.1.0\nappVersion: \"1.2.3\"\ndescription: d\n";

/// One vector that was run: its file and id, what Helm told, what we tell.
pub struct Run {
    pub file: &'static str,
    pub id: String,
    pub expected: Outcome,
    pub found: Outcome,
}

/// Runs them all for a dialect.
pub fn run(folder: &Path, files: &[&'static str], dialect: Dialect) -> Vec<Run> {
    let mut runs = Vec::new();
    for file in files {
        for vector in lines(folder, file, dialect).filter(|vector| needs(vector).is_some()) {
            runs.push(Run {
                file,
                id: text(&vector["id"]),
                expected: expected(&vector),
                found: template(&vector, dialect),
            });
        }
    }
    for vector in lines(folder, "charts", dialect) {
        runs.push(Run {
            file: "charts",
            id: text(&vector["id"]),
            expected: expected(&vector),
            found: chart(&vector, dialect),
        });
    }
    for vector in lines(folder, "set_flags", dialect) {
        runs.extend(flags(&vector, dialect));
    }
    for vector in lines(folder, "capabilities", dialect) {
        runs.push(capabilities(&vector, dialect));
    }
    for (number, vector) in lines(folder, "nondeterministic", dialect).enumerate() {
        runs.push(varying(&vector, number, dialect));
    }
    runs.extend(functions(folder, dialect));
    runs
}

fn lines(folder: &Path, file: &str, dialect: Dialect) -> impl Iterator<Item = Json> {
    let text = std::fs::read_to_string(folder.join(format!("{file}.jsonl"))).expect("a vector file");
    let vectors: Vec<Json> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    let version = version_of(dialect);
    vectors.into_iter().filter(move |vector| match &vector["helm"] {
        Json::Array(versions) => versions.iter().any(|known| known == version),
        known => known == version,
    })
}

fn text(value: &Json) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Runs `evenkeel template` over files.
fn told(
    files: &[(&str, &str)],
    arguments: &[&str],
    dialect: Dialect,
    change: impl FnOnce(&mut Surroundings),
) -> Told {
    let tree = files
        .iter()
        .fold(MemoryTree::new("vector"), |tree, (path, text)| {
            tree.file(path, text)
        });
    let mut arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    arguments.push(format!("--helm-version={dialect}"));
    let mut surroundings = Surroundings::of(Arc::new(tree));
    change(&mut surroundings);
    call(&arguments, &NativeEngine::new(), surroundings)
}

/// Standard output, or the error without log lines and without the hint at --debug.
fn outcome(told: Told) -> Outcome {
    if told.code == 0 {
        return Outcome::Text(told.stdout);
    }
    let start = told.stderr.find("Error: ").unwrap_or(0);
    let error = told.stderr[start..].trim_end();
    let error = error.split(HINT).next().unwrap_or_default();
    Outcome::Error(error.trim_end().to_owned())
}

fn chart(vector: &Json, dialect: Dialect) -> Outcome {
    let files = vector["files"].as_object().expect("files");
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str().expect("text")))
        .collect();
    let mut arguments: Vec<&str> = [&vector["release"], &vector["chart"]]
        .into_iter()
        .filter_map(Json::as_str)
        .filter(|argument| !argument.is_empty())
        .collect();
    arguments.extend(
        vector["args"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Json::as_str),
    );
    let stdin = text(&vector["stdin"]);
    let namespace = vector["env"]["HELM_NAMESPACE"].as_str().map(str::to_owned);
    outcome(told(&files, &arguments, dialect, |surroundings| {
        surroundings.stdin = Box::new(move || Ok(stdin.into_bytes()));
        surroundings.namespace = namespace;
    }))
}

/// A template vector in its frame.
fn template(vector: &Json, dialect: Dialect) -> Outcome {
    let template = text(&vector["template"]);
    let values = vector["values"].to_string();
    let fails = vector["expect_error"].is_string();
    let arguments = ["r", "c", "--namespace", "n"];
    if fails {
        let files = [
            ("c/Chart.yaml", CHART),
            ("c/values.yaml", &values),
            ("c/templates/vec.yaml", &template),
        ];
        return outcome(told(&files, &arguments, dialect, |_| {}));
    }
    included(&template, &values, dialect, vector["expect_raw"].is_null())
}

/// What an included template gives, byte for byte; `final_text` takes `<no value>` out, as Helm does at the end.
fn included(template: &str, values: &str, dialect: Dialect, final_text: bool) -> Outcome {
    let files = [
        ("c/Chart.yaml", CHART),
        ("c/values.yaml", values),
        ("c/templates/_vec.tpl", template),
        (
            "c/templates/out.yaml",
            "v: {{ include \"c/templates/_vec.tpl\" . | b64enc }}",
        ),
    ];
    match outcome(told(&files, &["r", "c", "--namespace", "n"], dialect, |_| {})) {
        Outcome::Text(stdout) => {
            let stdout = String::from_utf8_lossy(&stdout).into_owned();
            let encoded = stdout.split_once("\nv:").map_or("", |(_, rest)| rest);
            let bytes = super::base64(encoded.trim());
            if !final_text {
                return Outcome::Text(bytes);
            }
            let text = String::from_utf8_lossy(&bytes).replace("<no value>", "");
            Outcome::Text(text.into_bytes())
        }
        error => error,
    }
}

fn flags(vector: &Json, dialect: Dialect) -> Vec<Run> {
    let id = text(&vector["id"]);
    let values = text(&vector["chart_values"]);
    let given = vector["files"].as_object().expect("files");
    let mut files: Vec<(&str, &str)> = given
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str().expect("text")))
        .collect();
    files.extend([
        ("c/Chart.yaml", CHART),
        ("c/values.yaml", values.as_str()),
        (
            "c/templates/o.yaml",
            "v: {{ toJson .Values | b64enc }}\nt: {{ if hasKey .Values \"a\" }}{{ typeOf .Values.a | b64enc }}{{ end }}\n",
        ),
    ]);
    let mut arguments = vec!["r", "c"];
    arguments.extend(
        vector["args"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Json::as_str),
    );
    let run = |expected, found| Run {
        file: "set_flags",
        id: id.clone(),
        expected,
        found,
    };
    let found = outcome(told(&files, &arguments, dialect, |_| {}));
    let stdout = match found {
        Outcome::Text(stdout) if vector["expect_error"].is_null() => {
            String::from_utf8_lossy(&stdout).into_owned()
        }
        found => return vec![run(expected_of_flags(vector), found)],
    };
    let line = |key: &str| {
        let line = stdout.lines().find_map(|line| line.strip_prefix(key));
        Outcome::Text(super::base64(line.unwrap_or_default().trim()))
    };
    let wanted = |key: &str| Outcome::Text(text(&vector[key]).into_bytes());
    vec![
        run(expected_of_flags(vector), line("v:")),
        run(wanted("type_of_a"), line("t:")),
    ]
}

fn expected_of_flags(vector: &Json) -> Outcome {
    match vector["expect_error"].as_str() {
        Some(error) => Outcome::Error(error.to_owned()),
        None => Outcome::Text(text(&vector["expect_values_json"]).into_bytes()),
    }
}

fn capabilities(vector: &Json, dialect: Dialect) -> Run {
    let found = included("{{ toJson .Capabilities }}", "{}", dialect, true);
    let mut told: Json = match &found {
        Outcome::Text(json) => serde_json::from_slice(json).expect("JSON"),
        Outcome::Error(error) => Json::from(error.as_str()),
    };
    // The vectors tell what they tell; Helm's own version is no part of it.
    let wanted = &vector["capabilities"];
    if let (Json::Object(told), Json::Object(wanted)) = (&mut told, wanted) {
        told.retain(|key, _| wanted.contains_key(key));
        if let (Some(Json::Object(told)), Some(Json::Object(wanted))) =
            (told.get_mut("KubeVersion"), wanted.get("KubeVersion"))
        {
            told.retain(|key, _| wanted.contains_key(key));
        }
    }
    Run {
        file: "capabilities",
        id: dialect.to_string(),
        expected: Outcome::Text(wanted.to_string().into_bytes()),
        found: Outcome::Text(told.to_string().into_bytes()),
    }
}

/// Output that Helm itself was seen to vary: ours has to be one of what was seen.
fn varying(vector: &Json, number: usize, dialect: Dialect) -> Run {
    let found = included(
        &text(&vector["template"]),
        &vector["values"].to_string(),
        dialect,
        true,
    );
    let observed: Vec<Outcome> = vector["observed"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|seen| Outcome::Text(text(seen).into_bytes()))
        .collect();
    // Not every order that can be was seen: the lines have to be those of an order that was.
    let sorted = |outcome: &Outcome| match outcome {
        Outcome::Text(text) => {
            let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
            lines.sort();
            lines.join(&b'\n')
        }
        Outcome::Error(error) => error.clone().into_bytes(),
    };
    let seen = observed.iter().find(|seen| sorted(seen) == sorted(&found));
    let expected = if seen.is_some() {
        found.clone()
    } else {
        observed[0].clone()
    };
    Run {
        file: "nondeterministic",
        id: number.to_string(),
        expected,
        found,
    }
}

/// The functions of a Helm, no more and no fewer of all that any Helm has.
fn functions(folder: &Path, dialect: Dialect) -> Vec<Run> {
    let every = std::fs::read_to_string(folder.join("functions.jsonl")).expect("the probed functions");
    let mut names = BTreeSet::new();
    let mut known = BTreeSet::new();
    for line in every.lines() {
        let row: Json = serde_json::from_str(line).expect("a line of JSON");
        let listed: Vec<String> = row["functions"]
            .as_array()
            .into_iter()
            .flatten()
            .map(text)
            .collect();
        if row["helm"] == version_of(dialect) {
            known.extend(listed.iter().cloned());
        }
        names.extend(listed);
    }
    let table = Arc::new(FuncTable::new(funcs::table(dialect).iter().copied()));
    let is_there = |name: &str| {
        let mut builder = SetBuilder::new(Arc::clone(&table), 1 << 20);
        let source = format!("{{{{ if false }}}}{{{{ {name} 1 }}}}{{{{ end }}}}");
        match builder.add("f", source.as_bytes()) {
            Ok(()) => true,
            Err(error) => !error.to_string().contains("not defined"),
        }
    };
    let told = |there: bool| Outcome::Text(if there { "there" } else { "not there" }.into());
    let runs = names.iter().map(|name| Run {
        file: "functions",
        id: name.clone(),
        expected: told(known.contains(name)),
        found: told(is_there(name)),
    });
    runs.collect()
}
