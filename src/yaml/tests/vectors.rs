//! The measured vectors, as far as they need no template engine.

use std::path::PathBuf;

use serde_json::Value as Json;

use super::super::*;

/// Where the shared measurements lie, when they are there.
fn shared(path: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("EVENKEEL_SHARED") {
        Some(root) => PathBuf::from(root),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
    };
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    println!("skipped: {} is not there", found.display());
    None
}

fn vectors(name: &str) -> Vec<Json> {
    let Some(path) = shared(&format!("spec/vectors/{name}.jsonl")) else {
        return Vec::new();
    };
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The text under `x` of the vector's values.
fn input(vector: &Json) -> Option<String> {
    let values = match &vector["values"] {
        Json::String(text) => serde_json::from_str(text).unwrap(),
        other => other.clone(),
    };
    values["x"].as_str().map(str::to_owned)
}

/// Plain JSON of a node, numbers as float64.
fn to_json(node: &Node) -> Json {
    match &node.kind {
        NodeKind::Null => Json::Null,
        NodeKind::Bool(value) => Json::Bool(*value),
        NodeKind::Number(number) => {
            let value = match *number {
                Number::Int(value) => value as f64,
                Number::Uint(value) => value as f64,
                Number::Float(value) => value,
            };
            Json::from(value)
        }
        NodeKind::Str(text) => Json::from(&**text),
        NodeKind::List(items) => items.iter().map(to_json).collect(),
        NodeKind::Map(entries) => {
            let pairs = entries
                .iter()
                .map(|entry| (entry.key.to_string(), to_json(&entry.value)));
            Json::Object(pairs.collect())
        }
    }
}

/// Integers as floats, so that both sides compare by value.
fn as_floats(json: &Json) -> Json {
    match json {
        Json::Number(number) => Json::from(number.as_f64().unwrap()),
        Json::Array(items) => items.iter().map(as_floats).collect(),
        Json::Object(entries) => Json::Object(
            entries
                .iter()
                .map(|(key, value)| (key.clone(), as_floats(value)))
                .collect(),
        ),
        other => other.clone(),
    }
}

/// `{{ fromYaml .Values.x | toJson }}` and the list form.
fn from_yaml(template: &str, text: &str) -> Option<Json> {
    let text = text.as_bytes();
    match template {
        "{{ fromYaml .Values.x | toJson }}" => Some(match unmarshal_map(text) {
            Ok(parsed) if parsed.node.is_null() => serde_json::json!({}),
            Ok(parsed) => to_json(&parsed.node),
            Err(error) => serde_json::json!({ "Error": error }),
        }),
        "{{ fromYamlArray .Values.x | toJson }}" => Some(match unmarshal_list(text) {
            Ok(parsed) if parsed.node.is_null() => serde_json::json!([]),
            Ok(parsed) => to_json(&parsed.node),
            Err(error) => serde_json::json!([error]),
        }),
        _ => None,
    }
}

#[test]
fn yaml_is_read_as_helm_reads_it() {
    let vectors = vectors("yaml_parse");
    let mut covered = 0;
    let mut wrong = Vec::new();
    for vector in &vectors {
        let template = vector["template"].as_str().unwrap();
        let (Some(text), Some(expect)) = (input(vector), vector["expect"].as_str()) else {
            continue;
        };
        let Some(found) = from_yaml(template, &text) else {
            continue;
        };
        covered += 1;
        let expect: Json = serde_json::from_str(expect).unwrap();
        if as_floats(&expect) != found {
            wrong.push(format!(
                "{} {text:?}\n  want {expect}\n  have {found}",
                vector["id"]
            ));
        }
    }
    println!("yaml_parse: {covered} of {} vectors covered", vectors.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(vectors.is_empty() || covered > 350);
}
