//! Maps written in the configuration, as files for `-f`. The text is JSON, which Helm reads as the YAML it
//! also is.

use crate::yaml::{Node, NodeKind, Number};
use std::fmt::Write;

/// The text of a map.
pub(super) fn text(node: &Node) -> String {
    let mut text = String::new();
    write_node(&mut text, node);
    text.push('\n');
    text
}

fn write_node(text: &mut String, node: &Node) {
    match &node.kind {
        NodeKind::Null => text.push_str("null"),
        NodeKind::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        NodeKind::Number(number) => write_number(text, *number),
        NodeKind::Str(value) => write_string(text, value),
        NodeKind::List(items) => {
            text.push('[');
            for (position, item) in items.iter().enumerate() {
                text.push_str(if position > 0 { ", " } else { "" });
                write_node(text, item);
            }
            text.push(']');
        }
        NodeKind::Map(entries) => {
            text.push('{');
            for (position, entry) in entries.iter().enumerate() {
                text.push_str(if position > 0 { ", " } else { "" });
                write_string(text, &entry.key);
                text.push_str(": ");
                write_node(text, &entry.value);
            }
            text.push('}');
        }
    }
}

fn write_number(text: &mut String, number: Number) {
    let written = match number {
        Number::Int(value) => write!(text, "{value}"),
        Number::Uint(value) => write!(text, "{value}"),
        // neither JSON nor anything that was read; Helm refuses them
        Number::Float(value) if value.is_nan() => write!(text, ".nan"),
        Number::Float(value) if value.is_infinite() => {
            write!(text, "{}.inf", if value < 0.0 { "-" } else { "" })
        }
        Number::Float(value) => write!(text, "{value:?}"),
    };
    written.expect("writing to a string cannot fail");
}

/// What go-yaml does not take as it stands is escaped; surrogate pairs it would not read, so characters beyond
/// the basic plane stand as they are.
fn write_string(text: &mut String, value: &str) {
    text.push('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\0'..' '
            | '\u{7f}'..'\u{a0}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                write!(text, "\\u{:04x}", u32::from(c)).expect("writing to a string cannot fail");
            }
            c => text.push(c),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Entry, Mark, parse_first};
    use proptest::prelude::*;

    fn node() -> impl Strategy<Value = Node> {
        let leaf = prop_oneof![
            Just(NodeKind::Null),
            any::<bool>().prop_map(NodeKind::Bool),
            any::<i64>().prop_map(|value| NodeKind::Number(Number::Int(value))),
            prop::num::f64::NORMAL.prop_map(|value| NodeKind::Number(Number::Float(value))),
            any::<String>().prop_map(|value| NodeKind::Str(value.into())),
        ];
        leaf.prop_map(Node::new).prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(|items| NodeKind::List(items.into())),
                prop::collection::btree_map(any::<String>(), inner, 0..4).prop_map(|map| {
                    let entries = map.into_iter().map(|(key, value)| Entry {
                        key: key.into(),
                        mark: Mark::default(),
                        value,
                    });
                    NodeKind::Map(entries.collect())
                }),
            ]
            .prop_map(Node::new)
        })
    }

    /// The node without its places.
    fn bare(node: &Node) -> Node {
        Node::new(match &node.kind {
            NodeKind::List(items) => NodeKind::List(items.iter().map(bare).collect()),
            NodeKind::Map(entries) => NodeKind::Map(
                entries
                    .iter()
                    .map(|entry| Entry {
                        key: entry.key.clone(),
                        mark: Mark::default(),
                        value: bare(&entry.value),
                    })
                    .collect(),
            ),
            kind => kind.clone(),
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(node in node()) {
            let parsed = parse_first(text(&node).as_bytes()).unwrap();
            prop_assert_eq!(bare(&parsed.node), node);
        }
    }
}
