//! One entry of `releases:` -> `Release`; also the keys that releases share with platforms.

use super::Flags;
use super::config::{Located, Platform, Release, ReleaseSource, ValuesSpec};
use super::glob_text::GlobText;
use super::reader::{Field, Fields, Reader};
use super::template::Template;
use super::{names, path, read};
use crate::base::Problem;
use crate::engine::{SetFlag, SetKind};
use crate::yaml::{Mark, NodeKind};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) const RELEASE_KEYS: &[&str] = &[
    "charts",
    "chart",
    "manifests",
    "exclude",
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

const SOURCES: [&str; 3] = ["charts", "chart", "manifests"];

/// The `set*` keys in the order in which Helm applies their flags.
pub(super) const SET_KEYS: [(SetKind, &str); 5] = [
    (SetKind::Json, "setJson"),
    (SetKind::Set, "set"),
    (SetKind::String, "setString"),
    (SetKind::File, "setFile"),
    (SetKind::Literal, "setLiteral"),
];

/// The captures a template may use, and where they come from.
pub(super) struct Captures {
    names: BTreeSet<String>,
    /// What to say of a capture that is not there.
    source: String,
}

impl Captures {
    /// Those of a platform's own keys.
    pub(super) fn of_platform() -> Captures {
        Captures {
            names: BTreeSet::from(["platform".to_owned()]),
            source: "a platform knows `{platform}` only".to_owned(),
        }
    }
}

/// Reads one release; `None` when it is unusable.
pub(super) fn release(reader: &mut Reader<'_>, field: &Field<'_>, platforms: &[Platform]) -> Option<Release> {
    let fields = reader.map(field, RELEASE_KEYS)?;
    let (source, captures) = source(reader, &fields, !platforms.is_empty())?;
    if matches!(source, ReleaseSource::Manifests { .. }) {
        refuse_chart_keys(reader, &fields);
    }
    let name = required_template(reader, &fields, "name", &captures);
    let release = Release {
        source,
        id: optional_template(reader, &fields, "id", &captures),
        namespace: optional_template(reader, &fields, "namespace", &captures)
            .unwrap_or_else(default_namespace),
        platforms: release_platforms(reader, &fields, platforms),
        kube_version: read::kube_version_of(reader, &fields),
        api_versions: api_versions(reader, &fields),
        values: values(reader, &fields, &captures),
        set: set_flags(reader, &fields),
        flags: Flags {
            include_crds: switch(reader, &fields, "includeCRDs"),
            is_upgrade: switch(reader, &fields, "isUpgrade"),
            no_hooks: switch(reader, &fields, "noHooks"),
            skip_tests: switch(reader, &fields, "skipTests"),
            skip_schema_validation: switch(reader, &fields, "skipSchemaValidation"),
        },
        may_fail: switch(reader, &fields, "mayFail"),
        place: reader.place(fields.mark),
        name: name?,
    };
    Some(release)
}

/// Helm's own default.
fn default_namespace() -> Template {
    Template::parse("default").expect("invariant: a text without braces is a template")
}

fn source(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    with_platforms: bool,
) -> Option<(ReleaseSource, Captures)> {
    let given: Vec<&str> = SOURCES
        .into_iter()
        .filter(|key| fields.get(key).is_some())
        .collect();
    let [key] = given[..] else {
        let (mark, message) = match given.get(1) {
            None => (fields.mark, format!("`{}` says nothing to render", fields.path)),
            Some(second) => (
                fields.mark_of(second),
                format!(
                    "`{}` has {}: only one of them is possible",
                    fields.path,
                    names::listed(given.iter().copied())
                ),
            ),
        };
        reader.problem_with(
            mark,
            message,
            "give it `chart` (one chart), `charts` (a glob) or `manifests` (raw YAML)",
        );
        return None;
    };
    let field = fields.get(key)?;
    if key == "chart" {
        if fields.get("exclude").is_some() {
            reader.problem(
                fields.mark_of("exclude"),
                format!("`{}.exclude` goes with a glob, not with `chart`", fields.path),
            );
        }
        let captures = captures_of(None, with_platforms);
        let mark = field.node.mark;
        let value = template(reader, &field, &captures)?;
        let place = reader.place(mark);
        return Some((ReleaseSource::Chart(Located { value, place }), captures));
    }
    let globs = globs(reader, &field);
    if globs.is_empty() {
        return None;
    }
    let captures = captures_of(Some((key, &globs)), with_platforms);
    if !with_platforms {
        refuse_platform_capture(reader, &globs);
    }
    let exclude = fields
        .get("exclude")
        .map(|field| self::globs(reader, &field))
        .unwrap_or_default();
    let source = match key {
        "charts" => ReleaseSource::Charts { globs, exclude },
        _ => ReleaseSource::Manifests { globs, exclude },
    };
    Some((source, captures))
}

fn refuse_platform_capture(reader: &mut Reader<'_>, globs: &[Located<GlobText>]) {
    for glob in globs {
        if glob.value.captures().any(|name| name == "platform") {
            reader.problems.push(
                Problem::at(
                    glob.place.clone(),
                    format!(
                        "`{}` captures `{{platform}}`, but no `platforms` are configured",
                        glob.value
                    ),
                )
                .remedy("name them under `platforms:`, or call the capture something else"),
            );
        }
    }
}

fn globs(reader: &mut Reader<'_>, field: &Field<'_>) -> Vec<Located<GlobText>> {
    let mut globs = Vec::new();
    for (text, mark) in reader.texts(field) {
        match GlobText::parse(text) {
            Ok(value) => globs.push(Located {
                value,
                place: reader.place(mark),
            }),
            Err(fault) => reader.problem(mark, format!("bad glob `{text}`: {fault}")),
        }
    }
    globs
}

/// What a release binds: the captures that all its globs have, and the platform.
fn captures_of(globs: Option<(&str, &[Located<GlobText>])>, with_platforms: bool) -> Captures {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut source = "`chart` captures nothing".to_owned();
    if let Some((key, globs)) = globs {
        let of = |glob: &Located<GlobText>| glob.value.captures().map(str::to_owned).collect();
        let mut sets = globs.iter().map(of);
        names = sets.next().unwrap_or_default();
        for set in sets {
            names = names.intersection(&set).cloned().collect();
        }
        source = if names.is_empty() {
            format!("`{key}` captures nothing")
        } else {
            let names: Vec<String> = names.iter().map(|name| format!("{{{name}}}")).collect();
            format!(
                "`{key}` captures {}",
                names::listed(names.iter().map(String::as_str))
            )
        };
    }
    if with_platforms {
        names.insert("platform".to_owned());
    }
    Captures { names, source }
}

/// A template whose captures are all known.
fn template(reader: &mut Reader<'_>, field: &Field<'_>, captures: &Captures) -> Option<Template> {
    let text = reader.text(field)?;
    checked_template(reader, field, text, captures)
}

fn checked_template(
    reader: &mut Reader<'_>,
    field: &Field<'_>,
    text: &str,
    captures: &Captures,
) -> Option<Template> {
    let template = match Template::parse(text) {
        Ok(template) => template,
        Err(fault) => {
            reader.problem_with(
                field.node.mark,
                format!("`{}`: {fault} in `{text}`", field.path),
                "`{name}` stands for a capture; write `{{` and `}}` for braces",
            );
            return None;
        }
    };
    let unknown: Vec<&str> = template
        .captures()
        .filter(|name| !captures.names.contains(*name))
        .collect();
    for name in &unknown {
        let near = names::did_you_mean(name, captures.names.iter().map(String::as_str));
        let remedy = if *name == "platform" {
            "no `platforms` are configured: `{platform}` needs them".to_owned()
        } else {
            captures.source.clone()
        };
        reader.problem_with(
            field.node.mark,
            format!("`{}`: nothing binds `{{{name}}}`{near}", field.path),
            remedy,
        );
    }
    unknown.is_empty().then_some(template)
}

fn required_template(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    key: &str,
    captures: &Captures,
) -> Option<Template> {
    if fields.get(key).is_none() {
        let mut remedy = "the release name, as in `helm template NAME CHART`".to_owned();
        if let Some(capture) = captures.names.iter().find(|name| *name != "platform") {
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
    template(reader, &field, captures)
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

/// The `apiVersions` of a map.
pub(super) fn api_versions(reader: &mut Reader<'_>, fields: &Fields<'_>) -> Vec<String> {
    fields
        .get("apiVersions")
        .map(|field| reader.texts(&field))
        .unwrap_or_default()
        .into_iter()
        .map(|(text, _)| text.to_owned())
        .collect()
}

/// The `values` of a map.
pub(super) fn values(reader: &mut Reader<'_>, fields: &Fields<'_>, captures: &Captures) -> Vec<ValuesSpec> {
    let Some(field) = fields.get("values") else {
        return Vec::new();
    };
    let mut values = Vec::new();
    for item in reader.one_or_many(&field) {
        match &item.node.kind {
            NodeKind::Map(_) => values.push(ValuesSpec::Inline(item.node.clone())),
            NodeKind::Str(_) => {
                let Some(text) = reader.text(&item) else {
                    continue;
                };
                let (text, optional) = match text.strip_suffix('?') {
                    Some(path) => (path, true),
                    None => (text, false),
                };
                if let Some(path) = checked_template(reader, &item, text, captures) {
                    let place = reader.place(item.node.mark);
                    values.push(ValuesSpec::File {
                        path,
                        optional,
                        place,
                    });
                }
            }
            _ => reader.wrong_type(&item, "a path or a map of values"),
        }
    }
    values
}

/// The `set*` keys of a map, in the order in which Helm applies their kinds.
pub(super) fn set_flags(reader: &mut Reader<'_>, fields: &Fields<'_>) -> Vec<SetFlag> {
    let mut flags = Vec::new();
    for (kind, key) in SET_KEYS {
        let Some(field) = fields.get(key) else {
            continue;
        };
        if field.node.is_map() {
            reader.problem_with(
                field.node.mark,
                format!("`{}` must be a list of expressions, not a map", field.path),
                format!(
                    "write them as after {} on the command line: [\"a.b=c\"]",
                    kind.flag()
                ),
            );
            continue;
        }
        for (text, mark) in reader.texts(&field) {
            if kind == SetKind::File && !is_single_file(text) {
                reader.problem_with(
                    mark,
                    format!("`{}`: `{text}` does not name one file", field.path),
                    "write one key=path for each file",
                );
                continue;
            }
            let place = Some(reader.place(mark));
            flags.push(SetFlag {
                kind,
                expression: text.to_owned(),
                place,
            });
        }
    }
    flags
}

/// Helm's `--set-file` also takes `a=x,b=y`; one file for each entry lets a path be checked and told.
fn is_single_file(expression: &str) -> bool {
    path::split_set_file(expression).is_some()
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
