//! The JSON Schema of `evenkeel.yaml`, for editors. These types only describe the file; `read` reads it, because
//! a deserializer stops at the first error and knows no positions. A test holds the keys of both together.

use crate::base::Level;
use crate::check::CHECKS;
use crate::dialect::Dialect;
use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The schema as it is kept in `schema/evenkeel.schema.json`.
pub fn text() -> String {
    let generator = SchemaSettings::draft07().into_generator();
    let mut schema = generator.into_root_schema_for::<File>();
    unwrapped(&mut schema);
    let mut text = serde_json::to_string_pretty(&schema).expect("invariant: a schema is plain JSON");
    text.push('\n');
    text
}

/// Descriptions without the line breaks of the comments they were taken from.
fn unwrapped(schema: &mut Schema) {
    if let Some(serde_json::Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
    transform_subschemas(&mut unwrapped, schema);
}

/// What evenkeel renders and compares.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields, title = "evenkeel.yaml")]
#[expect(dead_code, reason = "describes the file; nothing is read into it")]
struct File {
    /// The cluster version where neither release nor platform says one, such as v1.36.2. Helm's own offline
    /// default is not your cluster.
    kube_version: Option<Version>,
    /// The Helm you deploy with, imitated to the byte; default: the newest known. A list checks that they agree.
    helm_version: Option<OneOrMany<HelmVersion>>,
    /// Named sets of overlays and capabilities, such as nvidia, amd, arm64 or dev, staging, prod. Without it there
    /// is one platform without a name.
    platforms: Option<BTreeMap<String, Option<Platform>>>,
    /// What to render.
    releases: Vec<Release>,
    /// How the old tree is laid out, for changes that move things. What it leaves out is as above.
    baseline: Option<Baseline>,
    /// Objects that may never disappear or be renamed: Kind/name, both with wildcards.
    protect: Option<OneOrMany<String>>,
    /// Levels of checks.
    checks: Option<Checks>,
    /// The lightest level of a finding that fails a run; default: deny.
    fail_on: Option<FailOn>,
}

/// How the old tree is laid out; what it leaves out is as in the rest of the file.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes the file; nothing is read into it")]
struct Baseline {
    /// The cluster version of the baseline.
    kube_version: Option<Version>,
    /// The Helm of the baseline.
    helm_version: Option<OneOrMany<HelmVersion>>,
    /// The platforms of the baseline.
    platforms: Option<BTreeMap<String, Option<Platform>>>,
    /// The releases of the baseline.
    releases: Option<Vec<Release>>,
}

/// A named set of overlays and capabilities.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes the file; nothing is read into it")]
struct Platform {
    /// The cluster version of the platform.
    kube_version: Option<Version>,
    /// API versions the cluster has beyond Helm's own list.
    api_versions: Option<OneOrMany<String>>,
    /// Values for every release on the platform, below the release's own.
    values: Option<OneOrMany<Values>>,
    /// As on Helm's command line, for every release on the platform.
    set: Option<OneOrMany<String>>,
    /// As --set-string.
    set_string: Option<OneOrMany<String>>,
    /// As --set-json.
    set_json: Option<OneOrMany<String>>,
    /// As --set-file, one key=path each.
    set_file: Option<OneOrMany<String>>,
    /// As --set-literal.
    set_literal: Option<OneOrMany<String>>,
}

/// A chart, or raw YAML, with a name, a namespace and values; with globs many of them.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields, transform = one_source)]
#[expect(dead_code, reason = "describes the file; nothing is read into it")]
struct Release {
    /// Every chart folder that a glob matches; {captures} bind folder names for the other keys.
    charts: Option<OneOrMany<String>>,
    /// One chart: a folder or a packaged .tgz. May hold {platform}.
    chart: Option<String>,
    /// Raw YAML files, by glob.
    manifests: Option<OneOrMany<String>>,
    /// Globs of charts or manifests to leave out.
    exclude: Option<OneOrMany<String>>,
    /// A glob of files: one release for each file it matches, its {captures} bind. For charts rendered with one
    /// values file after the other, such as ci values.
    for_each: Option<String>,
    /// The release name, as in `helm template NAME CHART`.
    name: String,
    /// Pairs the two sides when a release is renamed; default: the name.
    id: Option<String>,
    /// The release namespace; default: default.
    namespace: Option<String>,
    /// The platforms it is for; default: all.
    platforms: Option<OneOrMany<String>>,
    /// The cluster version of this release, above platform and file.
    kube_version: Option<Version>,
    /// API versions beyond Helm's own list.
    api_versions: Option<OneOrMany<String>>,
    /// Values files and inline maps, lowest first. Paths are relative to this file and may hold {captures} and
    /// {platform}; a final ? makes a file optional.
    values: Option<OneOrMany<Values>>,
    /// Expressions as on Helm's command line: image.tag=v1. Braces are Helm's, nothing is captured.
    set: Option<OneOrMany<String>>,
    /// As --set-string.
    set_string: Option<OneOrMany<String>>,
    /// As --set-json.
    set_json: Option<OneOrMany<String>>,
    /// As --set-file, one key=path each.
    set_file: Option<OneOrMany<String>>,
    /// As --set-literal.
    set_literal: Option<OneOrMany<String>>,
    /// As --include-crds.
    #[schemars(rename = "includeCRDs")]
    include_crds: Option<bool>,
    /// As --is-upgrade.
    is_upgrade: Option<bool>,
    /// As --no-hooks.
    no_hooks: Option<bool>,
    /// As --skip-tests.
    skip_tests: Option<bool>,
    /// As --skip-schema-validation.
    skip_schema_validation: Option<bool>,
    /// A render that fails alike on both sides is no reason to stop.
    may_fail: Option<bool>,
}

/// Exactly one of `charts`, `chart` and `manifests`.
fn one_source(schema: &mut Schema) {
    let one = ["charts", "chart", "manifests"].map(|key| serde_json::json!({ "required": [key] }));
    schema.insert("oneOf".to_owned(), one.to_vec().into());
}

/// One thing, or a list of them.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "describes the file; nothing is read into it")]
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

/// A values file by path, or a map of values.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "describes the file; nothing is read into it")]
enum Values {
    File(String),
    Inline(BTreeMap<String, serde_json::Value>),
}

/// A version; a number counts as it is written.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "describes the file; nothing is read into it")]
enum Version {
    Text(String),
    Number(f64),
}

struct HelmVersion;

impl JsonSchema for HelmVersion {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "HelmVersion".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let lines: Vec<String> = Dialect::ALL
            .iter()
            .map(|dialect| dialect.name().replace('.', "\\."))
            .collect();
        json_schema!({
            "type": ["string", "number"],
            "pattern": format!("^v?({})(\\..*)?$", lines.join("|")),
            "examples": Dialect::ALL.map(Dialect::name),
        })
    }
}

struct Checks;

impl JsonSchema for Checks {
    fn schema_name() -> Cow<'static, str> {
        "Checks".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let levels = Level::ALL.map(Level::name);
        let properties: serde_json::Map<String, serde_json::Value> = CHECKS
            .iter()
            .map(|check| {
                let schema = serde_json::json!({ "enum": levels, "default": check.level.name() });
                (check.name.to_owned(), schema)
            })
            .collect();
        json_schema!({
            "description": "Levels of checks, by name.",
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        })
    }
}

struct FailOn;

impl JsonSchema for FailOn {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "FailOn".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "enum": [Level::Info.name(), Level::Warn.name(), Level::Deny.name()] })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{read, read_release};
    use super::*;
    use crate::yaml::{self, Node, NodeKind, Number};
    use serde_json::Value;
    use std::path::Path;

    fn json(node: &Node) -> Value {
        match &node.kind {
            NodeKind::Null => Value::Null,
            NodeKind::Bool(value) => (*value).into(),
            NodeKind::Number(Number::Int(value)) => (*value).into(),
            NodeKind::Number(Number::Uint(value)) => (*value).into(),
            NodeKind::Number(Number::Float(value)) => (*value).into(),
            NodeKind::Str(text) => (&**text).into(),
            NodeKind::List(items) => items.iter().map(json).collect(),
            NodeKind::Map(entries) => entries
                .iter()
                .map(|entry| (entry.key.to_string(), json(&entry.value)))
                .collect(),
        }
    }

    #[test]
    fn the_schema_takes_what_the_reader_takes_and_refuses_what_it_refuses() {
        let schema = serde_json::from_str(&text()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let fits = |text: &str| validator.is_valid(&json(&yaml::parse_first(text.as_bytes()).unwrap().node));
        let good = [
            super::super::tests::DOCUMENTED,
            "kubeVersion: 1.30\nhelmVersion: [4.3, '3.19.0']\nplatforms: { a: }\nreleases: [{ chart: c, name: web, values: { a: 1 } }]",
        ];
        let bad = [
            "releases: [{ chart: c, name: web }]\nkubeVersions: v1.36.2",
            "releases: [{ chart: c }]",
            "releases: [{ chart: c, charts: d, name: web }]",
            "releases: [{ name: web }]",
            "releases: [{ chart: c, name: web, set: { a: b } }]",
            "releases: [{ chart: c, name: web }]\nchecks: { unread-keys: warn }",
            "releases: [{ chart: c, name: web }]\nchecks: { unread-key: error }",
            "releases: [{ chart: c, name: web }]\nhelmVersion: '2.17'",
            "releases: [{ chart: c, name: web }]\nfailOn: allow",
            "kubeVersion: v1.36.2",
        ];
        for text in good {
            assert!(fits(text), "{text}");
            assert!(
                super::super::parse(text.as_bytes(), "f", "").1.is_empty(),
                "{text}"
            );
        }
        for text in bad {
            assert!(!fits(text), "{text}");
            assert!(
                !super::super::parse(text.as_bytes(), "f", "").1.is_empty(),
                "{text}"
            );
        }
    }

    #[test]
    fn the_committed_schema_is_current() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/evenkeel.schema.json");
        if std::env::var_os("EVENKEEL_BLESS").is_some() {
            std::fs::write(&path, text()).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == text(),
            "schema/evenkeel.schema.json is old; write it anew with: EVENKEEL_BLESS=1 cargo test --lib plan::schema"
        );
    }

    #[test]
    fn the_schema_knows_the_keys_that_the_reader_knows() {
        let schema: serde_json::Value = serde_json::from_str(&text()).unwrap();
        let keys = |map: &serde_json::Value| -> Vec<String> {
            let mut keys: Vec<String> = map["properties"].as_object().unwrap().keys().cloned().collect();
            keys.sort();
            keys
        };
        let sorted = |keys: &[&str]| {
            let mut keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
            keys.sort();
            keys
        };
        assert_eq!(keys(&schema), sorted(read::ROOT_KEYS));
        let definitions = &schema["definitions"];
        assert_eq!(keys(&definitions["Baseline"]), sorted(read::BASELINE_KEYS));
        assert_eq!(keys(&definitions["Platform"]), sorted(read::PLATFORM_KEYS));
        assert_eq!(keys(&definitions["Release"]), sorted(read_release::RELEASE_KEYS));
    }
}
