//! The measured vectors, as far as `template.rs` can render them.

use std::path::PathBuf;

use serde_json::Value as Json;

use super::template::{Stop, render};
use super::value::Value;
use crate::dialect::Dialect;
use crate::json::Engine;

/// The vectors of a family that hold for a dialect; none when the measurements are not there.
fn vectors(name: &str, dialect: Dialect) -> Vec<Json> {
    let root = match std::env::var_os("EVENKEEL_SHARED") {
        Some(root) => PathBuf::from(root),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
    };
    let path = root.join(format!("spec/vectors/{name}.jsonl"));
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is not there", path.display());
        return Vec::new();
    };
    let release = match dialect {
        Dialect::V3_19 => "3.19.0",
        Dialect::V4_3 => "4.3.1",
    };
    text.lines()
        .map(|line| serde_json::from_str::<Json>(line).unwrap())
        .filter(|vector| {
            vector["helm"]
                .as_array()
                .unwrap()
                .iter()
                .any(|helm| helm == release)
        })
        .collect()
}

/// The expected text, before Helm's removal of `<no value>`.
fn expected(vector: &Json) -> Option<Vec<u8>> {
    let text = vector["expect_raw"].as_str().or(vector["expect"].as_str());
    text.map(|text| text.as_bytes().to_vec())
}

fn check(name: &str, at_least: usize) {
    for dialect in Dialect::ALL {
        let vectors = vectors(name, dialect);
        let mut covered = 0;
        let mut left = Vec::new();
        let mut wrong = Vec::new();
        for vector in &vectors {
            let template = vector["template"].as_str().unwrap();
            let values = match &vector["values"] {
                Json::String(text) => serde_json::from_str(text).unwrap(),
                other => other.clone(),
            };
            let mut data = Value::of_json(&values);
            if dialect.is_v4() {
                data = data.without_nulls();
            }
            let found = render(template, &data, Engine::of(dialect));
            let (found, right) = match found {
                Err(Stop::Unknown) => {
                    left.push(template);
                    continue;
                }
                Ok(text) => {
                    let right = expected(vector).as_ref() == Some(&text);
                    (String::from_utf8_lossy(&text).into_owned(), right)
                }
                Err(Stop::Failed(error)) => {
                    let right = vector["expect_error"]
                        .as_str()
                        .is_some_and(|text| text.ends_with(&error));
                    (error, right)
                }
            };
            covered += 1;
            if !right {
                let want = &vector["expect"];
                wrong.push(format!(
                    "{} {template} {values}\n  want {want}\n  have {found:?}",
                    vector["id"]
                ));
            }
        }
        left.dedup();
        println!(
            "{name}, {dialect}: {covered} of {} covered; left: {left:?}",
            vectors.len()
        );
        assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
        assert!(
            vectors.is_empty() || covered >= at_least,
            "only {covered} covered"
        );
    }
}

#[test]
fn yaml_is_written_as_helm_writes_it() {
    check("yaml_emit", 1130);
}

#[test]
fn yaml_is_read_as_helm_reads_it() {
    check("yaml_parse", 370);
}

#[test]
fn json_is_read_and_written_as_helm_does() {
    check("json", 80);
}
