//! `evenkeel.accept.yaml` -> acceptances. Every problem is told with its place, not the first; what the entries say
//! is then read by a deserializer, and the expected values as Kubernetes reads YAML.

use super::acceptance::{Acceptance, Expected};
use crate::base::{Digest, Place, Problem, Sides};
use crate::plan::nearest;
use crate::yaml::{self, Mark, Node, NodeKind, OddityKind};
use serde::Deserialize;

const KEYS: &[&str] = &[
    "release",
    "platforms",
    "resource",
    "path",
    "op",
    "before",
    "after",
    "reason",
    "author",
    "expires",
];
const OPS: &[&str] = &[
    "add", "remove", "replace", "reorder", "type", "added", "removed", "renamed", "moved",
];

/// An entry as it is written; `before` and `after` are read with the rules of Kubernetes instead.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    release: String,
    #[serde(default)]
    platforms: Platforms,
    resource: String,
    path: Option<String>,
    op: Option<String>,
    #[serde(rename = "before")]
    _before: Option<serde_yaml::Value>,
    #[serde(rename = "after")]
    _after: Option<serde_yaml::Value>,
    #[serde(rename = "reason")]
    _reason: String,
    #[serde(rename = "author")]
    _author: Option<String>,
    expires: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(untagged)]
enum Platforms {
    #[default]
    All,
    One(String),
    Some(Vec<String>),
}

/// Reads the file; `file` is what messages call it.
///
/// # Errors
/// Every problem of the file.
pub(super) fn read(bytes: &[u8], file: &str) -> Result<Vec<Acceptance>, Vec<Problem>> {
    let place = |mark: Mark| Place::new(file, mark.line, mark.column);
    let stream = yaml::parse_stream(bytes);
    if let Some(error) = &stream.error {
        let place = error.mark().map_or_else(|| Place::file(file), place);
        return Err(vec![Problem::at(place, format!("not readable as YAML: {error}"))]);
    }
    let mut problems = Vec::new();
    let Some(document) = stream
        .documents
        .first()
        .filter(|document| !document.node.is_null())
    else {
        return Ok(Vec::new());
    };
    for oddity in &document.oddities {
        if let OddityKind::DuplicateKey { key, .. } = &oddity.kind {
            problems.push(Problem::at(
                place(oddity.mark),
                format!("key `{key}` stands twice in one entry"),
            ));
        }
    }
    if !matches!(document.node.kind, NodeKind::List(_)) {
        let message = format!(
            "the file must be a list of entries, not {}",
            document.node.kind_name()
        );
        problems.push(
            Problem::at(place(document.node.mark), message).remedy("begin each entry with `- release:`"),
        );
        return Err(problems);
    }
    for item in document.node.items() {
        check(item, &place, &mut problems);
    }
    if stream.documents.len() > 1 {
        problems.push(Problem::at(
            place(stream.documents[1].node.mark),
            "a second YAML document",
        ));
    }
    if !problems.is_empty() {
        problems.sort();
        problems.dedup();
        return Err(problems);
    }
    let entries: Vec<Entry> = serde_yaml::from_slice(bytes).map_err(|error| {
        let at = error.location().map_or_else(
            || Place::file(file),
            |at| Place::new(file, number(at.line()), number(at.column())),
        );
        vec![Problem::at(at, error.to_string())]
    })?;
    let both = entries.into_iter().zip(document.node.items());
    Ok(both
        .map(|(entry, node)| acceptance(entry, node, place(node.mark)))
        .collect())
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn acceptance(entry: Entry, node: &Node, place: Place) -> Acceptance {
    Acceptance {
        release: entry.release,
        platforms: match entry.platforms {
            Platforms::All => Vec::new(),
            Platforms::One(one) => vec![one],
            Platforms::Some(many) => many,
        },
        resource: entry.resource,
        path: entry.path,
        op: entry.op,
        values: Sides::new(expected(node.get("before")), expected(node.get("after"))),
        expires: entry.expires,
        place,
    }
}

fn expected(node: Option<&Node>) -> Expected {
    match node {
        None => Expected::Any,
        Some(node) => match digest(node) {
            Some(digest) => Expected::Digest(digest),
            None => Expected::Value(node.clone()),
        },
    }
}

/// `{digest: HEX}`, and nothing else in it.
fn digest(node: &Node) -> Option<Digest> {
    match node.entries() {
        [entry] if &*entry.key == "digest" => Digest::from_hex(entry.value.as_str()?),
        _ => None,
    }
}

/// Collects what is wrong with an entry.
fn check(item: &Node, place: &dyn Fn(Mark) -> Place, problems: &mut Vec<Problem>) {
    if !item.is_map() {
        let message = format!("an entry must be a map, not {}", item.kind_name());
        problems.push(Problem::at(place(item.mark), message));
        return;
    }
    for entry in item.entries().iter().filter(|entry| !KEYS.contains(&&*entry.key)) {
        let problem = match nearest(&entry.key, KEYS.iter().copied()) {
            Some(near) => Problem::at(
                place(entry.mark),
                format!("unknown key `{}`, did you mean `{near}`?", entry.key),
            ),
            None => Problem::at(place(entry.mark), format!("unknown key `{}`", entry.key))
                .remedy(format!("known keys are {}", KEYS.join(", "))),
        };
        problems.push(problem);
    }
    for key in ["release", "resource", "reason"] {
        if item.get(key).is_none_or(Node::is_null) {
            problems.push(Problem::at(place(item.mark), format!("the entry has no `{key}`")));
        }
    }
    for key in ["release", "resource", "path", "op", "reason", "author", "expires"] {
        let Some(value) = item.get(key).filter(|value| !value.is_null()) else {
            continue;
        };
        match value.as_str().map(str::trim) {
            None => problems.push(
                Problem::at(
                    place(value.mark),
                    format!("`{key}` must be a string, not {}", value.kind_name()),
                )
                .remedy("put it in quotes"),
            ),
            Some("") => problems.push(Problem::at(place(value.mark), format!("`{key}` is empty"))),
            Some(text) => check_text(key, text, place(value.mark), problems),
        }
    }
    if let Some(platforms) = item.get("platforms") {
        let listed = match &platforms.kind {
            NodeKind::List(items) => items.iter().all(|item| item.as_str().is_some()),
            _ => platforms.as_str().is_some(),
        };
        if !listed {
            problems.push(Problem::at(
                place(platforms.mark),
                "`platforms` must be a list of names",
            ));
        }
    }
    check_whole(item, place, problems);
}

fn check_text(key: &str, text: &str, place: Place, problems: &mut Vec<Problem>) {
    match key {
        "op" if !OPS.contains(&text) => {
            let near = nearest(text, OPS.iter().copied());
            let near = near
                .map(|near| format!(", did you mean `{near}`?"))
                .unwrap_or_default();
            problems.push(
                Problem::at(place, format!("unknown op `{text}`{near}"))
                    .remedy(format!("known are {}", OPS.join(", "))),
            );
        }
        "expires" if !is_day(text) => {
            problems.push(Problem::at(place, format!("`{text}` is no date")).remedy("write YYYY-MM-DD"));
        }
        _ => {}
    }
}

/// A document as a whole has an op that says so and no path; a field has a path.
fn check_whole(item: &Node, place: &dyn Fn(Mark) -> Place, problems: &mut Vec<Problem>) {
    let op = item.get("op").and_then(Node::as_str).unwrap_or_default();
    let is_whole = ["added", "removed", "renamed", "moved"].contains(&op);
    match item.get("path") {
        Some(path) if is_whole => problems.push(
            Problem::at(
                place(path.mark),
                format!("a document that was {op} is accepted as a whole"),
            )
            .remedy("leave `path` out"),
        ),
        None if !is_whole => problems
            .push(Problem::at(place(item.mark), "the entry has no `path`").remedy(
                "name the field, or give `op` added, removed, renamed or moved for a whole document",
            )),
        _ => {}
    }
}

/// True for `YYYY-MM-DD`, a day that exists.
pub(super) fn is_day(text: &str) -> bool {
    text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let found = read(text.as_bytes(), "a.yaml").expect_err("problems");
        found
            .iter()
            .map(|problem| {
                let place = problem.place.as_ref().map(ToString::to_string);
                format!("{}: {}", place.unwrap_or_default(), problem.message)
            })
            .collect()
    }

    #[test]
    fn an_entry_is_read() {
        let text = "# why\n- release: web\n  platforms: [amd]\n  resource: ConfigMap/web\n  path: data.level\n  \
                    op: replace\n  before: \"1\"\n  after: 2\n  reason: r\n  expires: 2030-01-31\n";
        let found = read(text.as_bytes(), "a.yaml").expect("it is well-formed");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place, Place::new("a.yaml", 2, 3));
        assert_eq!(found[0].expires.as_deref(), Some("2030-01-31"));
        assert!(matches!(&found[0].values.baseline, Expected::Value(node) if node.as_str() == Some("1")));
        assert!(matches!(&found[0].values.candidate, Expected::Value(node) if node.as_str().is_none()));
        assert_eq!(read(b"# nothing yet\n", "a.yaml"), Ok(Vec::new()));
    }

    #[test]
    fn every_problem_is_told_with_its_place() {
        let text = "- release: web\n  resorce: x\n  path: a\n  reason: ''\n- resource: x\n  release: 3\n  op: replaces\n  \
                    reason: r\n  expires: 2030-02-31\n- 7\n";
        assert_eq!(
            problems(text),
            [
                "a.yaml:1:3: the entry has no `resource`",
                "a.yaml:2:3: unknown key `resorce`, did you mean `resource`?",
                "a.yaml:4:11: `reason` is empty",
                "a.yaml:5:3: the entry has no `path`",
                "a.yaml:6:12: `release` must be a string, not a number",
                "a.yaml:7:7: unknown op `replaces`, did you mean `replace`?",
                "a.yaml:9:12: `2030-02-31` is no date",
                "a.yaml:10:3: an entry must be a map, not a number",
            ]
        );
        assert_eq!(
            problems("release: web\n"),
            ["a.yaml:1:1: the file must be a list of entries, not a map"]
        );
    }
}
