//! Who else may know a key of the values: conditions, tags, imports, schemas, the text of templates; and the
//! names that a misspelt key may stand for.
//!
//! Invariant: a mention in a text is no read, but enough not to call a key unknown.

use super::{ChartView, live};
use crate::base::{KeyPath, Step};
use crate::chart::Chart;
use crate::chart::metadata::Import;
use crate::engine::History;
use crate::yaml::Node;
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// True when a condition, a tag or an import of a dependency looks at the path, at something below it, or
/// imports something that holds it.
pub(super) fn is_switch(view: &ChartView<'_>, path: &KeyPath) -> bool {
    switches(view.chart, &mut Vec::new(), path)
}

fn switches(chart: &Chart, prefix: &mut Vec<String>, path: &KeyPath) -> bool {
    let keys = keys(path);
    let meets = |prefix: &[String], dotted: &str| {
        let wanted = prefix.iter().map(String::as_str).chain(dotted.split('.'));
        wanted.zip(&keys).all(|(wanted, key)| wanted == *key)
    };
    for entry in chart.metadata.dependencies.iter().flatten() {
        let name = if entry.alias.is_empty() {
            &entry.name
        } else {
            &entry.alias
        };
        let conditions = entry
            .condition
            .split(',')
            .map(str::trim)
            .filter(|path| !path.is_empty());
        let mut tags = entry.tags.iter().flatten().map(|tag| format!("tags.{tag}"));
        if conditions.into_iter().any(|condition| meets(prefix, condition))
            || tags.any(|tag| meets(&[], &tag) || meets(prefix, &tag))
        {
            return true;
        }
        prefix.push(name.clone());
        let imported = entry.import_values.iter().flatten().any(|import| match import {
            Import::Exports(name) => meets(prefix, &format!("exports.{name}")),
            Import::Table { child, .. } => meets(prefix, child),
            Import::Other => false,
        });
        let below = chart
            .dependencies
            .iter()
            .filter(|child| child.metadata.name == entry.name);
        let found = imported || below.into_iter().any(|child| switches(child, prefix, path));
        prefix.pop();
        if found {
            return true;
        }
    }
    false
}

/// True when the schema of a chart that takes part names the key.
pub(super) fn is_in_schema(view: &ChartView<'_>, path: &KeyPath) -> bool {
    live::charts(view).iter().any(|live| {
        let Some(rest) = below(path, &live.path) else {
            return false;
        };
        let schema = live.chart.schema.as_ref();
        let schema = schema.and_then(|schema| serde_json::from_slice::<Json>(schema).ok());
        schema.is_some_and(|schema| names(&schema, &schema, rest, 0))
    })
}

/// How many references and combinations are followed on the way to a key.
const MOST_LEVELS: u32 = 40;

fn names(root: &Json, schema: &Json, path: &[Step], level: u32) -> bool {
    let Some((step, rest)) = path.split_first() else {
        return level > 0;
    };
    if level > MOST_LEVELS {
        return false;
    }
    let below = |part: &Json, rest: &[Step]| names(root, part, rest, level + 1);
    let direct = match step {
        Step::Key(key) => schema
            .get("properties")
            .and_then(|all| all.get(key))
            .is_some_and(|part| below(part, rest)),
        _ => schema.get("items").is_some_and(|part| below(part, rest)),
    };
    let target = schema.get("$ref").and_then(Json::as_str);
    let target = target.and_then(|name| root.pointer(name.strip_prefix('#')?));
    let combined = ["allOf", "anyOf", "oneOf"].iter().any(|name| {
        let parts = schema.get(name).and_then(Json::as_array);
        parts.is_some_and(|parts| parts.iter().any(|part| below(part, path)))
    });
    let conditional = ["if", "then", "else", "not"]
        .iter()
        .any(|name| schema.get(name).is_some_and(|part| below(part, path)));
    direct || combined || conditional || target.is_some_and(|part| below(part, path))
}

/// True when the text of a template speaks of the key below the key above it.
pub(super) fn is_mentioned(view: &ChartView<'_>, path: &KeyPath) -> bool {
    let mut found = false;
    let charts = live::charts(view);
    let inner = charts
        .iter()
        .filter_map(|live| below(path, &live.path))
        .min_by_key(|rest| rest.len());
    let rest = KeyPath(inner.unwrap_or(&path.0).to_vec());
    let keys = keys(&rest);
    let [above @ .., key] = &keys[..] else {
        return false;
    };
    let above = above.last().copied().unwrap_or("Values");
    each_template(view.chart, &mut |text| {
        found = found || mentions(text, above, key);
    });
    found
}

/// `above.key`, `above "key"`, or both names by themselves in one file.
fn mentions(text: &[u8], above: &str, key: &str) -> bool {
    let finds = |needle: &str| {
        memchr::memmem::find_iter(text, needle.as_bytes()).any(|at| {
            let after = text.get(at + needle.len());
            !after.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        })
    };
    if finds(&format!("{above}.{key}")) || finds(&format!("{above} \"{key}\"")) {
        return true;
    }
    if above == "Values" {
        return finds(&format!("Values \"{key}\"")) || (finds("with .Values") && starts_chain(text, key));
    }
    (finds(&format!(".{above}")) || finds(&format!("\"{above}\"")))
        && (finds(&format!("\"{key}\"")) || starts_chain(text, key))
}

/// True when a chain of fields begins with the key: ` .key`, `(.key`, `$x.key`, `).key`.
fn starts_chain(text: &[u8], key: &str) -> bool {
    let needle = format!(".{key}");
    memchr::memmem::find_iter(text, needle.as_bytes()).any(|at| {
        let after = text.get(at + needle.len());
        if after.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            return false;
        }
        let name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let length = text[..at].iter().rev().take_while(name).count();
        length == 0 && text[..at].last() != Some(&b'.') || text[..at - length].ends_with(b"$")
    })
}

/// The name that a key most likely stands for: one that the chart's values hold beside it, or that a template
/// looked for there.
pub(super) fn suggestion(view: &ChartView<'_>, history: &History, path: &KeyPath) -> Option<String> {
    let (Step::Key(key), above) = path.0.split_last()? else {
        return None;
    };
    let mut known = BTreeSet::new();
    let written = view.written();
    if above.is_empty() {
        for layer in written.layers.iter().filter(|layer| !layer.is_users()) {
            known.extend(layer.prefix.first().map(ToString::to_string));
            let nodes = layer.documents.iter().filter(|_| layer.prefix.is_empty());
            known.extend(nodes.flat_map(|document| entries(&document.node)));
        }
        each_template(view.chart, &mut |text| known.extend(read_names(text)));
    }
    for setting in written.settings(above) {
        if !written.layer(&setting).is_users() {
            known.extend(entries(&setting.node));
        }
    }
    for missing in &history.trace.missing {
        let Some(number) = history.marks.origin_number(missing.parent) else {
            continue;
        };
        let parent = u32::try_from(number)
            .ok()
            .and_then(|number| history.origin(number));
        if parent.is_some_and(|parent| parent.path.0 == above) {
            known.insert(missing.key.clone());
        }
    }
    known.remove(key);
    nearest(key, &known)
}

fn entries(node: &Node) -> impl Iterator<Item = String> {
    node.entries().iter().map(|entry| entry.key.to_string())
}

/// The names that follow `.Values.` in a text.
fn read_names(text: &[u8]) -> Vec<String> {
    const PREFIX: &[u8] = b".Values.";
    let name = |at: usize| {
        let rest = &text[at + PREFIX.len()..];
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = rest.iter().take_while(|byte| is_name(byte)).count();
        String::from_utf8_lossy(&rest[..length]).into_owned()
    };
    let found = memchr::memmem::find_iter(text, PREFIX).map(name);
    found.filter(|name| !name.is_empty()).collect()
}

/// The nearest name; one slip in four letters, case and separators aside.
fn nearest(word: &str, known: &BTreeSet<String>) -> Option<String> {
    let plain = |word: &str| word.replace(['-', '_'], "").to_lowercase();
    let word = plain(word);
    let allowed = word.chars().count().div_ceil(4);
    let near = known
        .iter()
        .map(|name| (strsim::damerau_levenshtein(&word, &plain(name)), name));
    let near = near.filter(|(distance, _)| *distance <= allowed);
    near.min().map(|(_, name)| name.clone())
}

fn each_template(chart: &Chart, see: &mut impl FnMut(&[u8])) {
    for file in &chart.templates {
        see(&file.data);
    }
    for child in &chart.dependencies {
        each_template(child, see);
    }
}

fn keys(path: &KeyPath) -> Vec<&str> {
    let keys = path.0.iter();
    keys.filter_map(|step| match step {
        Step::Key(key) => Some(key.as_str()),
        _ => None,
    })
    .collect()
}

/// The rest of a path below the values of a chart.
fn below<'p>(path: &'p KeyPath, prefix: &[String]) -> Option<&'p [Step]> {
    let (head, rest) = path.0.split_at_checked(prefix.len())?;
    let is_it = |(step, key): (&Step, &String)| matches!(step, Step::Key(found) if found == key);
    (!rest.is_empty() && head.iter().zip(prefix).all(is_it)).then_some(rest)
}
