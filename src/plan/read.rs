//! `evenkeel.yaml` -> `Config`. Reads on after every problem, so that all of them are told in one run; what
//! a problem makes unusable is left out of the result. The parts of a release are in `read_release`.

use super::captures::Captures;
use super::config::{Config, FILE_NAME, Layout, Platform, Protect};
use super::reader::{Field, Fields, Reader};
use super::{kube_version, names, read_release, read_shared};
use crate::base::{Digest, Level, Problem};
use crate::check;
use crate::dialect::Dialect;
use crate::yaml::{Node, NodeKind};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) const ROOT_KEYS: &[&str] = &[
    "kubeVersion",
    "helmVersion",
    "platforms",
    "releases",
    "baseline",
    "protect",
    "checks",
    "failOn",
];
pub(super) const BASELINE_KEYS: &[&str] = &["kubeVersion", "helmVersion", "platforms", "releases"];
pub(super) const PLATFORM_KEYS: &[&str] = &[
    "kubeVersion",
    "apiVersions",
    "values",
    "set",
    "setString",
    "setJson",
    "setFile",
    "setLiteral",
];

/// Reads a parsed configuration; the result lacks what the problems are about.
pub(super) fn config(
    root: &Node,
    text: &str,
    file: &Arc<str>,
    directory: &Arc<str>,
) -> (Config, Vec<Problem>) {
    let mut reader = Reader::new(file.clone(), text);
    let mut config = Config {
        file: file.clone(),
        directory: directory.clone(),
        layout: empty_layout(),
        baseline: None,
        protect: Vec::new(),
        checks: BTreeMap::new(),
        fail_on: Level::Deny,
        digest: Digest::of("evenkeel config 1", text.as_bytes()),
        cluster: None,
    };
    let whole = Field {
        node: root,
        path: String::new(),
    };
    if root.is_null() {
        reader.problem_with(
            root.mark,
            "the file is empty",
            "run `evenkeel init` for a first one",
        );
    } else if let Some(fields) = reader.map(&whole, ROOT_KEYS) {
        config.layout = top_layout(&mut reader, &fields);
        config.baseline = fields
            .get("baseline")
            .and_then(|field| reader.map(&field, BASELINE_KEYS))
            .map(|fields| layout(&mut reader, &fields, &config.layout));
        config.protect = protect(&mut reader, &fields);
        config.checks = check_levels(&mut reader, &fields);
        config.fail_on = fail_on(&mut reader, &fields).unwrap_or(Level::Deny);
    }
    (config, reader.problems)
}

fn empty_layout() -> Layout {
    Layout {
        kube_version: None,
        dialects: vec![Dialect::NEWEST],
        platforms: Vec::new(),
        releases: Vec::new(),
        releases_are_own: true,
    }
}

fn top_layout(reader: &mut Reader<'_>, fields: &Fields<'_>) -> Layout {
    let layout = layout(reader, fields, &empty_layout());
    if fields.get("releases").is_none() {
        reader.problem_with(
            fields.mark_of("releases"),
            "missing required key `releases`",
            format!("list what to render, or let `evenkeel init` write a first {FILE_NAME}"),
        );
    }
    Layout {
        releases_are_own: true,
        ..layout
    }
}

/// A layout; what it does not say is as in `above`.
fn layout(reader: &mut Reader<'_>, fields: &Fields<'_>, above: &Layout) -> Layout {
    let kube_version = kube_version_of(reader, fields).or_else(|| above.kube_version.clone());
    let dialects = dialects(reader, fields);
    let platforms = match fields.get("platforms") {
        Some(field) => platforms(reader, &field),
        None => above.platforms.clone(),
    };
    let own = fields.get("releases");
    let releases = match &own {
        Some(field) => {
            let items = reader.list(field);
            if matches!(&field.node.kind, NodeKind::List(items) if items.is_empty()) {
                reader.problem(field.node.mark, format!("`{}` lists nothing", field.path));
            }
            items
                .iter()
                .filter_map(|item| read_release::release(reader, item, &platforms))
                .collect()
        }
        None => above.releases.clone(),
    };
    Layout {
        kube_version,
        dialects: dialects.unwrap_or_else(|| above.dialects.clone()),
        platforms,
        releases,
        releases_are_own: own.is_some(),
    }
}

/// The `kubeVersion` of a map.
pub(super) fn kube_version_of(reader: &mut Reader<'_>, fields: &Fields<'_>) -> Option<String> {
    let field = fields.get("kubeVersion")?;
    let version = reader.version(&field)?;
    if let Some(fault) = kube_version::fault(&version) {
        reader.problem_with(
            field.node.mark,
            format!("`{}`: `{version}` {fault}", field.path),
            "write it as your cluster says it, such as v1.36.2",
        );
        return None;
    }
    Some(version)
}

fn dialects(reader: &mut Reader<'_>, fields: &Fields<'_>) -> Option<Vec<Dialect>> {
    let field = fields.get("helmVersion")?;
    let mut dialects = Vec::new();
    for item in reader.one_or_many(&field) {
        let Some(text) = reader.version(&item) else {
            continue;
        };
        match Dialect::parse(&text) {
            Some(dialect) if dialects.contains(&dialect) => reader.problem(
                item.node.mark,
                format!("`{}`: Helm {dialect} is listed already", item.path),
            ),
            Some(dialect) => dialects.push(dialect),
            None => reader.problem_with(
                item.node.mark,
                format!("`{}`: Helm `{text}` is not imitated", item.path),
                format!(
                    "known are {}",
                    names::listed(Dialect::ALL.into_iter().map(Dialect::name))
                ),
            ),
        }
    }
    (!dialects.is_empty()).then_some(dialects)
}

fn platforms(reader: &mut Reader<'_>, field: &Field<'_>) -> Vec<Platform> {
    let Some(fields) = reader.open_map(field) else {
        return Vec::new();
    };
    let mut platforms = Vec::new();
    for (entry, field) in fields.all() {
        if !is_platform_name(&entry.key) {
            reader.problem_with(
                entry.mark,
                format!("`{}` cannot be the name of a platform", entry.key),
                "use letters, digits, `-`, `_` and `.`",
            );
        }
        let place = reader.place(entry.mark);
        let mut platform = Platform {
            name: entry.key.clone(),
            kube_version: None,
            api_versions: Vec::new(),
            values: Vec::new(),
            set: Vec::new(),
            place,
        };
        if !field.node.is_null()
            && let Some(fields) = reader.map(&field, PLATFORM_KEYS)
        {
            platform.kube_version = kube_version_of(reader, &fields);
            platform.api_versions = read_shared::api_versions(reader, &fields);
            platform.set = read_shared::set_flags(reader, &fields);
            let captures = Captures::of_platform();
            platform.values = read_shared::values(reader, &fields, &captures);
        }
        platforms.push(platform);
    }
    platforms
}

/// Letters, digits and a few signs that no glob and no path knows.
pub(super) fn is_platform_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

fn protect(reader: &mut Reader<'_>, fields: &Fields<'_>) -> Vec<Protect> {
    let Some(field) = fields.get("protect") else {
        return Vec::new();
    };
    let mut protect = Vec::new();
    for (text, mark) in reader.texts(&field) {
        match text.split_once('/') {
            Some((kind, name)) if !kind.is_empty() && !name.is_empty() && !name.contains('/') => {
                protect.push(Protect {
                    kind: kind.to_owned(),
                    name: name.to_owned(),
                    place: reader.place(mark),
                });
            }
            _ => reader.problem_with(
                mark,
                format!("`{text}` does not name objects"),
                "write Kind/name, such as Deployment/web or PersistentVolumeClaim/*",
            ),
        }
    }
    protect
}

fn check_levels(reader: &mut Reader<'_>, fields: &Fields<'_>) -> BTreeMap<&'static str, Level> {
    let mut levels = BTreeMap::new();
    let Some(fields) = fields.get("checks").and_then(|field| reader.open_map(&field)) else {
        return levels;
    };
    for (entry, field) in fields.all() {
        let known = check::find(&entry.key);
        if known.is_none() {
            let near = names::did_you_mean(&entry.key, check::CHECKS.iter().map(|check| check.name));
            reader.problem_with(
                entry.mark,
                format!("unknown check `{}`{near}", entry.key),
                "`evenkeel explain` lists the checks",
            );
        }
        let level = level(reader, &field);
        if let (Some(check), Some(level)) = (known, level) {
            levels.insert(check.name, level);
        }
    }
    levels
}

fn level(reader: &mut Reader<'_>, field: &Field<'_>) -> Option<Level> {
    let text = field.node.as_str();
    let level = text.and_then(Level::parse);
    if level.is_none() {
        let message = match text {
            Some(text) => format!("`{}`: unknown level `{text}`", field.path),
            None => format!("`{}` must be a level, not {}", field.path, field.node.kind_name()),
        };
        reader.problem_with(
            field.node.mark,
            message,
            format!(
                "levels are {}",
                names::listed(Level::ALL.into_iter().map(Level::name))
            ),
        );
    }
    level
}

fn fail_on(reader: &mut Reader<'_>, fields: &Fields<'_>) -> Option<Level> {
    let field = fields.get("failOn")?;
    let level = level(reader, &field)?;
    if level == Level::Allow {
        reader.problem_with(
            field.node.mark,
            "`failOn: allow` would fail on what is not even told",
            "use info, warn or deny",
        );
        return None;
    }
    Some(level)
}
