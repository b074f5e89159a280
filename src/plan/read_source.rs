//! What a release is made from: `charts`, `chart` or `manifests`, with `exclude` and `forEach`.

use super::captures::{self, Captures};
use super::config::{Located, ReleaseSource};
use super::glob_text::GlobText;
use super::names;
use super::reader::{Field, Fields, Reader};
use crate::base::Problem;

const SOURCES: [&str; 3] = ["charts", "chart", "manifests"];

/// Reads the source of a release, `None` when there is none to work with, and what the other keys may use.
pub(super) fn source(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    for_each: Option<&Located<GlobText>>,
    with_platforms: bool,
) -> (Option<ReleaseSource>, Captures) {
    let open = (None, Captures::open());
    let Some((key, field)) = only_source(reader, fields) else {
        return open;
    };
    if key == "chart" {
        let captures = with_for_each(Captures::of_globs(&[], with_platforms), for_each);
        if fields.get("exclude").is_some() {
            reader.problem(
                fields.mark_of("exclude"),
                format!("`{}.exclude` goes with a glob, not with `chart`", fields.path),
            );
        }
        let place = reader.place(field.node.mark);
        let chart = captures::template(reader, &field, &captures)
            .map(|value| ReleaseSource::Chart(Located { value, place }));
        return (chart, captures);
    }
    let globs = globs(reader, &field);
    if globs.is_empty() {
        return open;
    }
    if !with_platforms && refuse_platform_capture(reader, &globs) {
        return open;
    }
    let captures = with_for_each(Captures::of_globs(&globs, with_platforms), for_each);
    let exclude = fields
        .get("exclude")
        .map(|field| self::globs(reader, &field))
        .unwrap_or_default();
    let source = match key {
        "charts" => ReleaseSource::Charts { globs, exclude },
        _ => ReleaseSource::Manifests { globs, exclude },
    };
    (Some(source), captures)
}

/// The one key that says what to render.
fn only_source<'n>(reader: &mut Reader<'_>, fields: &Fields<'n>) -> Option<(&'static str, Field<'n>)> {
    let given: Vec<&'static str> = SOURCES
        .into_iter()
        .filter(|key| fields.get(key).is_some())
        .collect();
    if let [key] = given[..] {
        return Some((key, fields.get(key)?));
    }
    let (mark, message) = match given.get(1) {
        None => (
            fields.mark,
            format!("`{}` does not say what to render", fields.path),
        ),
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
    None
}

/// Reads `forEach`.
pub(super) fn for_each(reader: &mut Reader<'_>, fields: &Fields<'_>) -> Option<Located<GlobText>> {
    let field = fields.get("forEach")?;
    reader.text(&field)?;
    let glob = globs(reader, &field).pop()?;
    if glob.value.names().is_empty() {
        reader.problem_with(
            field.node.mark,
            format!(
                "`{}` captures nothing, so its releases could not be told apart",
                field.path
            ),
            "write a capture where the files differ, such as \"ci/{case}-values.yaml\"",
        );
        return None;
    }
    Some(glob)
}

fn with_for_each(captures: Captures, for_each: Option<&Located<GlobText>>) -> Captures {
    match for_each {
        Some(glob) => captures.and(&glob.value),
        None => captures,
    }
}

fn refuse_platform_capture(reader: &mut Reader<'_>, globs: &[Located<GlobText>]) -> bool {
    let before = reader.problems.len();
    for glob in globs {
        if glob.value.names().iter().any(|name| name == "platform") {
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
    reader.problems.len() > before
}

fn globs(reader: &mut Reader<'_>, field: &Field<'_>) -> Vec<Located<GlobText>> {
    let mut globs = Vec::new();
    for (text, mark) in reader.texts(field) {
        match GlobText::parse(text) {
            Ok(value) => globs.push(Located {
                value,
                place: reader.place(mark),
            }),
            Err(fault) => reader.problem(mark, format!("bad glob: {}", fault.message)),
        }
    }
    globs
}
