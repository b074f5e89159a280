//! The JSON report, schema `evenkeel.report/1`. Its keys are camelCase in a fixed order and never change their
//! meaning; new ones may be added. Wire structs live in `wire`; nothing else serializes a result.
//!
//! One document takes one line, so that two reports can be compared line by line and 40,000 documents stay
//! readable.

mod fill;
mod layout;
mod value;
mod wire;

use super::model::Report;
use super::redact::Shown;
use super::{Format, Style};
use serde::Serialize;
use std::io::{self, Write};

/// This format's row in the table.
pub static FORMAT: Format = Format {
    name: "json",
    about: "everything, for programs (schema/report.schema.json)",
    write,
};

fn write(report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, layout::Layout::default());
    fill::root(report).serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// The JSON Schema of the report, as it is kept in `schema/report.schema.json`.
pub fn schema() -> String {
    let schema = schemars::schema_for!(wire::Root<'static>);
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is plain JSON");
    text.push('\n');
    text
}

/// A value of a document in JSON.
pub(super) fn value(shown: &Shown) -> serde_json::Value {
    serde_json::to_value(value::Value(shown)).unwrap_or(serde_json::Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use std::path::PathBuf;

    fn json(report: &Report) -> String {
        let mut out = Vec::new();
        write(report, &Style::plain(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_sample_is_valid_under_the_schema() {
        let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (name, report) in sample::all() {
            let text = json(&report);
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            let problems: Vec<String> = validator
                .iter_errors(&value)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert_eq!(problems, Vec::<String>::new(), "{name}");
            assert_eq!(json(&report), text, "{name} is not stable");
        }
    }

    #[test]
    fn the_schema_refuses_what_the_report_never_says() {
        let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let good: serde_json::Value = serde_json::from_str(&json(&sample::rich())).unwrap();
        assert!(validator.is_valid(&good));
        for (pointer, bad) in [
            ("/verdict", "fine".into()),
            ("/exitCode", 3.into()),
            ("/schema", "evenkeel.report/2".into()),
            ("/cells/0/status", "fails".into()),
            ("/cells/0/documents/0/verdict", "same".into()),
            ("/findings/0/level", "allow".into()),
            ("/findings/0/fingerprint", "xyz".into()),
        ] {
            let mut value = good.clone();
            *value.pointer_mut(pointer).unwrap() = bad;
            assert!(!validator.is_valid(&value), "{pointer}");
        }
    }

    /// Run with `EVENKEEL_BLESS=1` to write the file anew.
    #[test]
    fn the_committed_schema_is_current() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("schema/report.schema.json");
        if std::env::var_os("EVENKEEL_BLESS").is_some() {
            std::fs::write(&path, schema()).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == schema(),
            "schema/report.schema.json is out of date: EVENKEEL_BLESS=1 cargo test --lib report::json"
        );
    }
}
