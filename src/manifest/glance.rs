//! Reads a few scalars near the root of a document without parsing it.
//!
//! Most documents of a run are the same bytes on both sides and need no more than a name. A glance answers
//! only for plain block style; whatever is unusual (flow style, anchors, a key twice, escapes) gives `None`,
//! and the caller parses. It never answers otherwise than a parse would.

use super::identity::Head;
use std::str;

/// Paths whose scalars a glance can be asked for.
type Wanted = [&'static [&'static str]];

const HEAD: &Wanted = &[
    &["apiVersion"],
    &["kind"],
    &["metadata", "name"],
    &["metadata", "namespace"],
];

const DEFINITION: &Wanted = &[&["spec", "group"], &["spec", "names", "kind"], &["spec", "scope"]];

/// What a document says about its identity; `None` when only a parse can tell.
pub fn head(text: &[u8]) -> Option<Head> {
    let [api_version, kind, name, namespace] = glance::<4>(text, HEAD)?;
    let kind = kind?;
    if kind.ends_with("List") {
        return None;
    }
    Some(Head {
        api_version: api_version?.to_owned(),
        kind: kind.to_owned(),
        name: Some(name?.to_owned()),
        generate_name: None,
        namespace: namespace.map(str::to_owned),
    })
}

/// Group, kind and scope of a CustomResourceDefinition; `None` when only a parse can tell.
pub fn definition(text: &[u8]) -> Option<(&str, &str, &str)> {
    let [group, kind, scope] = glance::<3>(text, DEFINITION)?;
    Some((group?, kind?, scope?))
}

struct Level {
    /// Column of the keys of this level.
    indent: usize,
    /// The keys that led here.
    depth: usize,
}

fn glance<'a, const N: usize>(text: &'a [u8], wanted: &Wanted) -> Option<[Option<&'a str>; N]> {
    let mut found: [Option<&str>; N] = [None; N];
    let mut opened: Vec<&[&str]> = Vec::new();
    let mut levels: Vec<Level> = Vec::new();
    let mut path: Vec<&str> = Vec::new();
    let mut pending = true;
    let mut after_scalar = false;
    for line in text.split(|byte| *byte == b'\n') {
        let indent = line.iter().take_while(|byte| **byte == b' ').count();
        let content = line[indent..].trim_ascii();
        if content.is_empty() || content[0] == b'#' {
            continue;
        }
        if pending && levels.last().is_none_or(|level| indent > level.indent) {
            levels.push(Level {
                indent,
                depth: path.len(),
            });
        }
        pending = false;
        while levels.last().is_some_and(|level| indent < level.indent) {
            levels.pop();
        }
        let level = levels.last()?;
        path.truncate(level.depth);
        if indent > level.indent {
            if after_scalar {
                return None;
            }
            continue;
        }
        after_scalar = false;
        if content[0] == b'-' && content.get(1).is_none_or(|byte| *byte == b' ') {
            continue;
        }
        let (key, value) = entry(content)?;
        path.push(key);
        let Some(position) = wanted.iter().position(|wanted| wanted.starts_with(&path)) else {
            if !closes_on_its_line(value) {
                return None;
            }
            continue;
        };
        if wanted[position].len() == path.len() {
            if found[position].replace(simple_scalar(value)?).is_some() {
                return None;
            }
            after_scalar = true;
        } else {
            let prefix = &wanted[position][..path.len()];
            if !value.is_empty() || opened.contains(&prefix) {
                return None;
            }
            opened.push(prefix);
            pending = true;
        }
    }
    Some(found)
}

/// Splits `key: value # comment` with a plain key; `None` for anything else.
fn entry(content: &[u8]) -> Option<(&str, &[u8])> {
    let end = content
        .iter()
        .position(|byte| !(byte.is_ascii_alphanumeric() || b"_./-".contains(byte)))?;
    let rest = content[end..].strip_prefix(b":")?;
    if end == 0 || !(rest.is_empty() || rest[0].is_ascii_whitespace()) {
        return None;
    }
    let value = rest.trim_ascii();
    let value = if value.starts_with(b"#") { b"" } else { value };
    Some((str::from_utf8(&content[..end]).ok()?, value))
}

/// The text of a scalar that is a string beyond doubt and ends on its line.
fn simple_scalar(value: &[u8]) -> Option<&str> {
    let quote = *value.first()?;
    if quote == b'"' || quote == b'\'' {
        let end = value[1..].iter().position(|byte| *byte == quote)? + 1;
        let inner = &value[1..end];
        let rest = &value[end + 1..];
        let commented = rest.trim_ascii_start().starts_with(b"#") && rest[0] != b'#';
        return (!inner.contains(&b'\\') && (rest.is_empty() || commented))
            .then(|| str::from_utf8(inner).ok())?;
    }
    let end = value
        .iter()
        .position(|byte| byte.is_ascii_whitespace())
        .unwrap_or(value.len());
    let rest = value[end..].trim_ascii_start();
    if !rest.is_empty() && !rest.starts_with(b"#") {
        return None;
    }
    let plain = str::from_utf8(&value[..end]).ok()?;
    let safe = plain.starts_with(|c: char| c.is_ascii_alphabetic())
        && plain
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._/-".contains(&byte));
    (safe && !RESOLVED.contains(&plain.to_ascii_lowercase().as_str())).then_some(plain)
}

/// Words that YAML 1.1 does not read as strings.
const RESOLVED: &[&str] = &["false", "n", "no", "null", "off", "on", "true", "y", "yes"];

/// False when a value may go on in the next lines at any indentation: a quoted scalar or a flow collection
/// that is not closed.
fn closes_on_its_line(value: &[u8]) -> bool {
    let last = value.last().copied();
    match value.first().copied() {
        Some(quote @ (b'"' | b'\'')) => value.len() > 1 && last == Some(quote),
        Some(b'{') => last == Some(b'}'),
        Some(b'[') => last == Some(b']'),
        Some(b'&' | b'*' | b'!' | b'?') => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<String> {
        head(text.as_bytes()).map(|head| {
            format!(
                "{} {} {} {}",
                head.api_version,
                head.kind,
                head.namespace.as_deref().unwrap_or("-"),
                head.name.expect("a glance gives a name")
            )
        })
    }

    #[test]
    fn plain_block_style_is_told() {
        let text = "# c\napiVersion: apps/v1\nkind: Deployment # d\nmetadata:\n  labels:\n    name: no\n  name: \"web\"\n\
                    \n  namespace: 'shop'\nspec:\n  template:\n    metadata:\n      name: x\n  list:\n  - name: y\nrules:\n- kind: z\n";
        assert_eq!(told(text).as_deref(), Some("apps/v1 Deployment shop web"));
        assert_eq!(
            told(&text.replace('\n', "\r\n")).as_deref(),
            Some("apps/v1 Deployment shop web")
        );
        let indented = "  apiVersion: v1\n  kind: Pod\n  metadata:\n        name: a\n";
        assert_eq!(told(indented).as_deref(), Some("v1 Pod - a"));
    }

    #[test]
    fn everything_else_is_left_to_the_parser() {
        let base = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n";
        assert_eq!(told(base).as_deref(), Some("v1 Pod - a"));
        for text in [
            "apiVersion: v1\nkind: Pod\nkind: Job\nmetadata:\n  name: a\n",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n",
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: 1\n",
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: on\n",
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n    b\n",
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n\t b\n",
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: >-\n    b\n",
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: \"a\\n\"\n",
            "apiVersion: v1\nkind: Pod\nmetadata:\n  generateName: a\n",
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nmetadata:\n  name: b\n",
            "apiVersion: v1\nkind: PodList\nmetadata:\n  name: a\n",
            "a: \"b\nkind: Pod\napiVersion: v1\nmetadata:\n  name: a\nc: d\"\n",
            "\"apiVersion\": v1\nkind: Pod\nmetadata:\n  name: a\n",
            "<<: *a\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n",
            "- kind: Pod\n",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }

    #[test]
    fn a_definition_tells_its_scope() {
        let text = "kind: CustomResourceDefinition\nspec:\n  group: example.com\n  names:\n    kind: Widget\n    plural: w\n\
                    \n  scope: Cluster\n  versions:\n  - name: v1\n    scope: x\n";
        assert_eq!(
            definition(text.as_bytes()),
            Some(("example.com", "Widget", "Cluster"))
        );
    }
}
