//! The keys that releases share with platforms: values, `set*`, API versions.

use super::captures::{self, Captures};
use super::config::ValuesSpec;
use super::path;
use super::reader::{Fields, Reader};
use crate::engine::{SetFlag, SetKind};
use crate::yaml::NodeKind;

/// The `set*` keys in the order in which Helm applies their flags.
const SET_KEYS: [(SetKind, &str); 5] = [
    (SetKind::Json, "setJson"),
    (SetKind::Set, "set"),
    (SetKind::String, "setString"),
    (SetKind::File, "setFile"),
    (SetKind::Literal, "setLiteral"),
];

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
                if let Some(path) = captures::template_of(reader, &item, text, captures) {
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
