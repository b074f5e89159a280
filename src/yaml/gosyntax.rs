//! Data as Go's `%#v` prints it; go-yaml and `sigs.k8s.io/yaml` put it into errors about keys.

use std::fmt::Write;

use super::float::format_g;
use super::node::Number;
use super::resolve::{Scalar, resolve, resolve_tagged};
use super::tree::{Id, RawKind, Tree};
use super::unicode::is_print;

/// Collections nested deeper than this are cut short; the text is for a person to read.
const MAX_DEPTH: u32 = 200;

/// `%#v` of a node as it prints inside a collection.
pub(super) fn format(tree: &Tree<'_>, id: Id) -> String {
    let mut text = String::new();
    push(&mut text, tree, id, 0);
    text
}

/// `%#v` of a node that is an argument of its own, where nil has no type.
pub(super) fn format_argument(tree: &Tree<'_>, id: Id) -> String {
    let text = format(tree, id);
    if text == "interface {}(nil)" {
        "<nil>".to_owned()
    } else {
        text
    }
}

fn push(text: &mut String, tree: &Tree<'_>, id: Id, depth: u32) {
    if depth > MAX_DEPTH {
        text.push_str("...");
        return;
    }
    let raw = tree.raw(id);
    match &raw.kind {
        RawKind::Alias { target, .. } => push(text, tree, *target, depth + 1),
        RawKind::Scalar { value, implicit } => {
            let meaning = match raw.tag.as_deref() {
                None if !implicit => Scalar::Str(value.as_ref().into()),
                None => resolve(value),
                Some(tag) => resolve_tagged(tag, value).unwrap_or(Scalar::Null),
            };
            push_scalar(text, value, &meaning);
        }
        RawKind::Sequence(range) => {
            text.push_str("[]interface {}{");
            for (index, &child) in tree.children[range.clone()].iter().enumerate() {
                if index > 0 {
                    text.push_str(", ");
                }
                push(text, tree, child, depth + 1);
            }
            text.push('}');
        }
        RawKind::Mapping(range) => {
            let mut entries: Vec<(String, String)> = Vec::new();
            for pair in tree.children[range.clone()].chunks_exact(2) {
                let (mut key, mut value) = (String::new(), String::new());
                push(&mut key, tree, pair[0], depth + 1);
                push(&mut value, tree, pair[1], depth + 1);
                match entries.iter_mut().find(|(known, _)| *known == key) {
                    Some(entry) => entry.1 = value,
                    None => entries.push((key, value)),
                }
            }
            entries.sort();
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{key}:{value}"))
                .collect();
            text.push_str("map[interface {}]interface {}{");
            text.push_str(&entries.join(", "));
            text.push('}');
        }
    }
}

fn push_scalar(text: &mut String, written: &str, meaning: &Scalar<'_>) {
    match meaning {
        Scalar::Null => text.push_str("interface {}(nil)"),
        Scalar::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Scalar::Number(Number::Int(value)) => text.push_str(&value.to_string()),
        Scalar::Number(Number::Uint(value)) => text.push_str(&format!("{value:#x}")),
        Scalar::Number(Number::Float(value)) => text.push_str(&format_g(*value)),
        Scalar::Str(value) => push_quoted(text, value),
        Scalar::Timestamp => push_quoted(text, written),
    }
}

/// Go's `strconv.Quote`.
fn push_quoted(text: &mut String, value: &str) {
    text.push('"');
    for character in value.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\x07' => text.push_str("\\a"),
            '\x08' => text.push_str("\\b"),
            '\x0C' => text.push_str("\\f"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\x0B' => text.push_str("\\v"),
            '\0'..='\x1F' | '\x7F' => {
                write!(text, "\\x{:02x}", character as u32)
                    .expect("invariant: writing to a string does not fail");
            }
            _ if is_print(character) => text.push(character),
            '\u{10000}'.. => {
                write!(text, "\\U{:08x}", character as u32)
                    .expect("invariant: writing to a string does not fail");
            }
            _ => {
                write!(text, "\\u{:04x}", character as u32)
                    .expect("invariant: writing to a string does not fail");
            }
        }
    }
    text.push('"');
}
