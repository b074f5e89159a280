//! One entry of `releases:` -> `Release`.

use super::captures::{self, Captures};
use super::config::{Platform, Release, ReleaseSource};
use super::reader::{Field, Fields, Reader};
use super::template::Template;
use super::{Flags, names, read, read_shared, read_source};
use crate::yaml::{Mark, NodeKind};
use std::sync::Arc;

pub(super) const RELEASE_KEYS: &[&str] = &[
    "charts",
    "chart",
    "manifests",
    "exclude",
    "forEach",
    "name",
    "id",
    "namespace",
    "platforms",
    "kubeVersion",
    "apiVersions",
    "values",
    "set",
    "setString",
    "setJson",
    "setFile",
    "setLiteral",
    "includeCRDs",
    "isUpgrade",
    "noHooks",
    "skipTests",
    "skipSchemaValidation",
    "mayFail",
];

/// Keys that say nothing about raw YAML.
const CHART_ONLY: &[&str] = &[
    "forEach",
    "apiVersions",
    "values",
    "set",
    "setString",
    "setJson",
    "setFile",
    "setLiteral",
    "includeCRDs",
    "isUpgrade",
    "noHooks",
    "skipTests",
    "skipSchemaValidation",
];

/// Reads one release; `None` when it is unusable.
pub(super) fn release(reader: &mut Reader<'_>, field: &Field<'_>, platforms: &[Platform]) -> Option<Release> {
    let fields = reader.map(field, RELEASE_KEYS)?;
    let for_each = read_source::for_each(reader, &fields);
    let (source, captures) = read_source::source(reader, &fields, for_each.as_ref(), !platforms.is_empty());
    if matches!(source, Some(ReleaseSource::Manifests { .. })) {
        refuse_chart_keys(reader, &fields);
    }
    let name = required_template(reader, &fields, "name", &captures);
    let id = optional_template(reader, &fields, "id", &captures);
    let namespace = optional_template(reader, &fields, "namespace", &captures);
    let release = Release {
        for_each,
        id,
        namespace: namespace.unwrap_or_else(default_namespace),
        platforms: release_platforms(reader, &fields, platforms),
        kube_version: read::kube_version_of(reader, &fields),
        api_versions: read_shared::api_versions(reader, &fields),
        values: read_shared::values(reader, &fields, &captures),
        set: read_shared::set_flags(reader, &fields),
        flags: Flags {
            include_crds: switch(reader, &fields, "includeCRDs"),
            is_upgrade: switch(reader, &fields, "isUpgrade"),
            no_hooks: switch(reader, &fields, "noHooks"),
            skip_tests: switch(reader, &fields, "skipTests"),
            skip_schema_validation: switch(reader, &fields, "skipSchemaValidation"),
        },
        may_fail: switch(reader, &fields, "mayFail"),
        place: reader.place(fields.mark),
        source: source?,
        name: name?,
    };
    Some(release)
}

/// Helm's own default.
fn default_namespace() -> Template {
    Template::parse("default").expect("invariant: a text without braces is a template")
}

fn required_template(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    key: &str,
    captures: &Captures,
) -> Option<Template> {
    if fields.get(key).is_none() {
        let mut remedy = "the release name, as in `helm template NAME CHART`".to_owned();
        if let Some(capture) = captures.example() {
            remedy = format!("such as `{key}: \"{{{capture}}}\"`");
        }
        reader.problem_with(
            fields.mark_of(key),
            format!("missing required key `{key}` in `{}`", fields.path),
            remedy,
        );
    }
    optional_template(reader, fields, key, captures)
}

fn optional_template(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    key: &str,
    captures: &Captures,
) -> Option<Template> {
    let field = fields.get(key)?;
    captures::template(reader, &field, captures)
}

fn release_platforms(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    platforms: &[Platform],
) -> Option<Vec<Arc<str>>> {
    let field = fields.get("platforms")?;
    let mut chosen: Vec<Arc<str>> = Vec::new();
    let asked = reader.texts(&field);
    if matches!(&field.node.kind, NodeKind::List(items) if items.is_empty()) {
        reader.problem_with(
            field.node.mark,
            format!("`{}` is empty: the release would never be rendered", field.path),
            "leave the key out for all platforms",
        );
    }
    for (name, mark) in asked {
        match platforms.iter().find(|platform| &*platform.name == name) {
            Some(platform) if chosen.contains(&platform.name) => {
                reader.problem(mark, format!("platform `{name}` is listed already"));
            }
            Some(platform) => chosen.push(platform.name.clone()),
            None => unknown_platform(reader, name, mark, platforms),
        }
    }
    Some(chosen)
}

fn unknown_platform(reader: &mut Reader<'_>, name: &str, mark: Mark, platforms: &[Platform]) {
    let known = || platforms.iter().map(|platform| &*platform.name);
    let near = names::did_you_mean(name, known());
    let remedy = if platforms.is_empty() {
        "no `platforms` are configured".to_owned()
    } else {
        format!("configured are {}", names::listed(known()))
    };
    reader.problem_with(mark, format!("unknown platform `{name}`{near}"), remedy);
}

fn switch(reader: &mut Reader<'_>, fields: &Fields<'_>, key: &str) -> bool {
    fields
        .get(key)
        .and_then(|field| reader.boolean(&field))
        .unwrap_or(false)
}

fn refuse_chart_keys(reader: &mut Reader<'_>, fields: &Fields<'_>) {
    for key in CHART_ONLY {
        if fields.get(key).is_some() {
            reader.problem_with(
                fields.mark_of(key),
                format!("`{}.{key}` means nothing for raw `manifests`", fields.path),
                "raw YAML is compared as it stands: remove the key, or use `chart`",
            );
        }
    }
}
