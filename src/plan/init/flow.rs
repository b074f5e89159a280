//! Data and texts as YAML.

use crate::yaml::{self, Node, NodeKind, Number};

/// Data on one line.
pub(super) fn flow(node: &Node) -> String {
    match &node.kind {
        NodeKind::Null => "null".to_owned(),
        NodeKind::Bool(value) => value.to_string(),
        NodeKind::Number(Number::Int(value)) => value.to_string(),
        NodeKind::Number(Number::Uint(value)) => value.to_string(),
        NodeKind::Number(Number::Float(value)) => format!("{value:?}"),
        NodeKind::Str(text) => scalar(text),
        NodeKind::List(items) => {
            let items: Vec<String> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        NodeKind::Map(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|entry| format!("{}: {}", scalar(&entry.key), flow(&entry.value)))
                .collect();
            if entries.is_empty() {
                return "{}".to_owned();
            }
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// Data in block style, each line behind this many spaces; the first line goes behind what stands there.
pub(super) fn block(node: &Node, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let nested = |value: &Node, step: usize| match &value.kind {
        NodeKind::Map(entries) if !entries.is_empty() => {
            format!("\n{}{}", " ".repeat(indent + step), block(value, indent + step))
        }
        NodeKind::List(items) if !items.is_empty() => {
            format!("\n{}{}", " ".repeat(indent + step), block(value, indent + step))
        }
        _ => format!(" {}", plain(value)),
    };
    let lines: Vec<String> = match &node.kind {
        NodeKind::Map(entries) if !entries.is_empty() => entries
            .iter()
            .map(|entry| format!("{}:{}", scalar(&entry.key), nested(&entry.value, 2)))
            .collect(),
        NodeKind::List(items) if !items.is_empty() => items
            .iter()
            .map(|item| format!("- {}", block(item, indent + 2)))
            .collect(),
        _ => vec![plain(node)],
    };
    lines.join(&format!("\n{pad}"))
}

/// A scalar, or an empty collection.
fn plain(node: &Node) -> String {
    match node.as_str() {
        Some(text) => scalar(text),
        None => flow(node),
    }
}

/// A text as a scalar that reads back as that text, with quotes only where needed.
pub(super) fn scalar(text: &str) -> String {
    let plain = !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_./=@+".contains(c))
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_' || c == '/');
    let reads_back = |text: &str| {
        yaml::parse_first(text.as_bytes()).is_ok_and(|parsed| parsed.node.as_str() == Some(text))
    };
    if plain && reads_back(text) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if (c as u32) < 0x20 || matches!(c as u32, 0x7f..=0x9f | 0xfeff | 0xfffe | 0xffff) => {
                quoted.push_str(&format!("\\u{:04x}", c as u32));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Entry, Mark};
    use proptest::prelude::*;

    #[test]
    fn quotes_where_they_are_needed() {
        assert_eq!(scalar("charts/web"), "charts/web");
        assert_eq!(scalar("values.yaml?"), "\"values.yaml?\"");
        assert_eq!(scalar("{chart}"), "\"{chart}\"");
        assert_eq!(scalar("on"), "\"on\"");
        assert_eq!(scalar("1.30"), "\"1.30\"");
        assert_eq!(scalar(""), "\"\"");
    }

    fn data() -> impl Strategy<Value = Node> {
        let leaf = prop_oneof![
            "\\PC{0,6}".prop_map(|text| NodeKind::Str(text.into())),
            any::<i64>().prop_map(|value| NodeKind::Number(Number::Int(value))),
            any::<bool>().prop_map(NodeKind::Bool),
            Just(NodeKind::Null),
        ]
        .prop_map(Node::new);
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4)
                    .prop_map(|items| Node::new(NodeKind::List(items.into()))),
                prop::collection::btree_map("[a-z:# ]{1,5}", inner, 0..4).prop_map(|entries| {
                    let entries = entries.into_iter().map(|(key, value)| Entry {
                        key: key.into(),
                        mark: Mark::default(),
                        value,
                    });
                    Node::new(NodeKind::Map(entries.collect()))
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_text_reads_back(text in "\\PC*") {
            let written = format!("[{}]", scalar(&text));
            let parsed = yaml::parse_first(written.as_bytes()).unwrap();
            prop_assert_eq!(parsed.node.items()[0].as_str(), Some(text.as_str()));
        }

        #[test]
        fn all_data_read_back(node in data()) {
            for written in [format!("x: {}\n", flow(&node)), format!("x:\n  - {}\n", block(&node, 4))] {
                let parsed = yaml::parse_first(written.as_bytes()).unwrap().node;
                let read = parsed.get("x").unwrap();
                let read = if written.starts_with("x:\n") { &read.items()[0] } else { read };
                prop_assert_eq!(flow(read), flow(&node), "{}", written);
            }
        }
    }
}
