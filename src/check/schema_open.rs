//! `schema-open`: the schema of a chart's values lets a misspelt key through.

use super::elements::in_a_row;
use super::{ChartView, Check, Hazard, Pass, Sink, live};
use crate::base::{Level, Place};
use serde_json::Value as Json;

/// The check.
pub static CHECK: Check = Check {
    name: "schema-open",
    level: Level::Info,
    audit_only: true,
    explain: "A chart has a values.schema.json, and Helm refuses values that it does not allow. A schema lists the \
properties of an object, but lets every other key through unless it says so. Then persistance.enabled passes as well as \
persistence.enabled, and does nothing.\n\n\
Write additionalProperties: false beside properties (unevaluatedProperties: false where allOf or a reference adds \
some). The root needs the names of the subcharts and global as properties. Only an audit tells this.",
    pass: Pass::Layers(run),
};

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    for live in live::charts(view) {
        let Some(schema) = &live.chart.schema else {
            continue;
        };
        let Ok(schema) = serde_json::from_slice::<Json>(schema) else {
            continue;
        };
        let mut open = Vec::new();
        collect(&schema, "", &mut open);
        if open.is_empty() {
            continue;
        }
        let names: Vec<String> = open
            .iter()
            .map(|path| match path.as_str() {
                "" => "the root".to_owned(),
                path => path.to_owned(),
            })
            .collect();
        let message = format!(
            "the schema of {} lets unknown keys through at {}",
            live.title(),
            in_a_row(&names)
        );
        sink.tell(Hazard {
            place: Some(Place::file(format!("{}/values.schema.json", live.chart.location))),
            object: live.path.join("."),
            remedy: Some("write additionalProperties: false beside properties".to_owned()),
            ..Hazard::new(&CHECK, message)
        });
    }
}

/// The objects with listed properties that take any other key as well, by their path in the values.
fn collect(schema: &Json, path: &str, open: &mut Vec<String>) {
    let Some(properties) = schema.get("properties").and_then(Json::as_object) else {
        return;
    };
    let closes = |key: &str| schema.get(key).is_some_and(|found| *found != Json::Bool(true));
    let is_closed = ["additionalProperties", "unevaluatedProperties", "propertyNames"]
        .into_iter()
        .any(closes);
    if !is_closed && !properties.is_empty() {
        open.push(path.to_owned());
    }
    for (name, below) in properties {
        let path = match path {
            "" => name.clone(),
            path => format!("{path}.{name}"),
        };
        collect(below, &path, open);
        if let Some(items) = below.get("items") {
            collect(items, &format!("{path}[]"), open);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn told(schema: &str) -> Vec<String> {
        let case = Case::chart("", "a: b\n")
            .file("app/values.schema.json", schema)
            .audit();
        case.hazards(&CHECK)
            .into_iter()
            .map(|hazard| hazard.message)
            .collect()
    }

    #[test]
    fn open_objects_are_told_by_path() {
        let schema = r#"{"properties": {"a": {"additionalProperties": false, "properties": {"b": {}}},
            "l": {"items": {"properties": {"c": {}}}}, "free": {"type": "object"}}}"#;
        assert_eq!(
            told(schema),
            ["the schema of app 0.1.0 lets unknown keys through at the root and l[]"]
        );
    }

    #[test]
    fn closed_schemas_and_free_maps_are_fine() {
        let closed = r#"{"additionalProperties": false, "properties": {"m": {"type": "object"},
            "n": {"additionalProperties": {"type": "string"}, "properties": {"x": {}}}}}"#;
        assert_eq!(told(closed), Vec::<String>::new());
        assert_eq!(told("{}"), Vec::<String>::new());
    }
}
