//! Laws of the canonical form, on data of every shape.

use super::canon::{canonical, digest, rules_needed, same_data};
use super::document::Document;
use super::read::Manifest;
use super::rules::{Rule, Rules};
use super::scalar;
use crate::compare::change::differences;
use crate::yaml::{Node, NodeKind};
use proptest::prelude::*;

#[derive(Clone, Debug, PartialEq)]
enum Data {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(String),
    List(Vec<Data>),
    Map(Vec<(String, Data)>),
}

/// Keys that the rules know and keys that they do not.
const KEYS: [&str; 16] = [
    "a",
    "b",
    "on",
    "1",
    "metadata",
    "labels",
    "spec",
    "template",
    "containers",
    "ports",
    "port",
    "protocol",
    "env",
    "name",
    "volumes",
    "jobTemplate",
];

/// Strings that look like something else.
const STRINGS: [&str; 9] = ["yes", "1.0", "0x1", "null", "a: b", "# c", "é\n\n", "- x", "TCP"];

fn data() -> impl Strategy<Value = Data> {
    let leaf = prop_oneof![
        Just(Data::Null),
        any::<bool>().prop_map(Data::Bool),
        any::<i64>().prop_map(Data::Int),
        (-1000i32..1000).prop_map(|n| Data::Float(f64::from(n) / 8.0)),
        "[ -~]{0,6}".prop_map(Data::Str),
        proptest::sample::select(&STRINGS[..]).prop_map(|text| Data::Str(text.to_owned())),
    ];
    leaf.prop_recursive(6, 48, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Data::List),
            proptest::collection::btree_map(proptest::sample::select(&KEYS[..]), inner, 0..5)
                .prop_map(|map| Data::Map(map.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
        ]
    })
}

/// Writes data as YAML; every choice that means nothing is taken from `style`.
struct Writer {
    style: u64,
}

impl Writer {
    fn choose(&mut self, of: u64) -> u64 {
        self.style = self
            .style
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.style >> 33) % of
    }

    fn scalar(&mut self, data: &Data) -> String {
        match data {
            Data::Null => ["null", "~", "Null"][self.choose(3) as usize].to_owned(),
            Data::Bool(true) => ["true", "yes", "On"][self.choose(3) as usize].to_owned(),
            Data::Bool(false) => ["false", "no", "Off"][self.choose(3) as usize].to_owned(),
            Data::Int(value) if *value >= 0 && self.choose(3) == 0 => format!("0x{value:x}"),
            Data::Int(value) => value.to_string(),
            Data::Float(value) if self.choose(2) == 0 => format!("{value:?}"),
            Data::Float(value) => format!("{value:?}0"),
            Data::Str(text) => self.string(text),
            Data::List(_) | Data::Map(_) => self.flow(data),
        }
    }

    fn string(&mut self, text: &str) -> String {
        if self.choose(2) == 0 && !text.contains('\n') {
            return format!("'{}'", text.replace('\'', "''"));
        }
        let escape = |c: char| match c {
            '"' | '\\' => format!("\\{c}"),
            '\n' => "\\n".to_owned(),
            c => c.to_string(),
        };
        format!("\"{}\"", text.chars().map(escape).collect::<String>())
    }

    fn flow(&mut self, data: &Data) -> String {
        match data {
            Data::List(items) => {
                let items: Vec<String> = items.iter().map(|item| self.scalar(item)).collect();
                format!("[{}]", items.join(", "))
            }
            Data::Map(entries) => {
                let mut parts: Vec<String> = Vec::new();
                for (key, value) in self.shuffled(entries) {
                    let (key, value) = (self.string(&key), self.scalar(&value));
                    parts.push(format!("{key}: {value}"));
                }
                format!("{{{}}}", parts.join(", "))
            }
            _ => self.scalar(data),
        }
    }

    fn shuffled(&mut self, entries: &[(String, Data)]) -> Vec<(String, Data)> {
        let mut entries = entries.to_vec();
        for at in (1..entries.len()).rev() {
            let other = self.choose(at as u64 + 1) as usize;
            entries.swap(at, other);
        }
        entries
    }

    fn block(&mut self, data: &Data, indent: usize, out: &mut String) {
        let pad = " ".repeat(indent);
        let comment = |writer: &mut Writer| ["", " # c", "\n"][writer.choose(8).min(2) as usize];
        match data {
            Data::Map(entries) if !entries.is_empty() && self.choose(6) > 0 => {
                for (key, value) in self.shuffled(entries) {
                    out.push_str(&format!("\n{pad}{}:", self.string(&key)));
                    let step = indent + 1 + self.choose(3) as usize;
                    self.block(&value, step, out);
                }
            }
            Data::List(items) if !items.is_empty() && self.choose(6) > 0 => {
                for item in items {
                    out.push_str(&format!("\n{pad}-"));
                    self.block(item, indent + 2, out);
                }
            }
            _ => {
                out.push(' ');
                out.push_str(&self.flow(data));
                out.push_str(comment(self));
            }
        }
    }
}

fn document(kind: &str, spec: &Data, style: u64) -> Document {
    let mut writer = Writer { style };
    let mut text = format!("{kind}\nmetadata:\n  name: a\nspec:");
    writer.block(spec, 2, &mut text);
    text.push('\n');
    let manifest = Manifest::read(text.as_bytes(), "apps");
    assert_eq!(manifest.documents.len(), 1, "{text}");
    let document = manifest.documents[0].clone();
    assert!(document.body().is_ok(), "{text}\n{:?}", document.body());
    document
}

fn from_node(node: &Node) -> Data {
    match &node.kind {
        NodeKind::Null => Data::Null,
        NodeKind::Bool(value) => Data::Bool(*value),
        NodeKind::Number(crate::yaml::Number::Int(value)) => Data::Int(*value),
        NodeKind::Number(crate::yaml::Number::Uint(_)) => unreachable!("not generated"),
        NodeKind::Number(crate::yaml::Number::Float(value)) => Data::Float(*value),
        NodeKind::Str(text) => Data::Str(text.to_string()),
        NodeKind::List(items) => Data::List(items.iter().map(from_node).collect()),
        NodeKind::Map(entries) => Data::Map(
            entries
                .iter()
                .map(|entry| (entry.key.to_string(), from_node(&entry.value)))
                .collect(),
        ),
    }
}

/// How many leaves there are; empty collections are leaves.
fn leaves(data: &Data) -> usize {
    match data {
        Data::List(items) if !items.is_empty() => items.iter().map(leaves).sum(),
        Data::Map(entries) if !entries.is_empty() => entries.iter().map(|(_, value)| leaves(value)).sum(),
        _ => 1,
    }
}

/// Replaces the n-th leaf by a string that the generator never makes.
fn mutate(data: &mut Data, at: &mut usize) -> bool {
    match data {
        Data::List(items) if !items.is_empty() => items.iter_mut().any(|item| mutate(item, at)),
        Data::Map(entries) if !entries.is_empty() => entries.iter_mut().any(|(_, value)| mutate(value, at)),
        leaf if *at == 0 => {
            *leaf = Data::Str("another value".to_owned());
            true
        }
        _ => {
            *at -= 1;
            false
        }
    }
}

const KINDS: [&str; 4] = [
    "apiVersion: example.com/v1\nkind: Widget",
    "apiVersion: apps/v1\nkind: Deployment",
    "apiVersion: batch/v1\nkind: CronJob",
    "apiVersion: v1\nkind: Service",
];

proptest! {
    #[test]
    fn the_way_of_writing_does_not_matter(
        kind in proptest::sample::select(&KINDS[..]), spec in data(), one in any::<u64>(), two in any::<u64>())
    {
        let (a, b) = (document(kind, &spec, one), document(kind, &spec, two));
        let rules = Rules::default();
        prop_assert_eq!(digest(&a, rules), digest(&b, rules));
        let of_writing = Rules::of(&[
            Rule::Comments, Rule::KeyOrder, Rule::NumberForm, Rule::ScalarStyle, Rule::Whitespace,
        ]);
        let needed = rules_needed(&a, &b, rules);
        prop_assert!(needed.minus(of_writing).is_empty(), "{:?}", needed);
        prop_assert_eq!(needed.is_empty(), a.trimmed_text() == b.trimmed_text());
    }

    #[test]
    fn every_leaf_matters(
        kind in proptest::sample::select(&KINDS[..]), spec in data(), style in any::<u64>(), leaf in 0usize..40)
    {
        let mut other = spec.clone();
        let mut at = leaf % leaves(&spec);
        prop_assert!(mutate(&mut other, &mut at));
        let (a, b) = (document(kind, &spec, style), document(kind, &other, style));
        let rules = Rules::all().without(Rule::VersionLabels);
        prop_assert_ne!(digest(&a, rules), digest(&b, rules));
        let (a, b) = (canonical(&a, rules).expect("parses"), canonical(&b, rules).expect("parses"));
        prop_assert!(!differences(&a, &b).is_empty());
    }

    #[test]
    fn making_the_form_twice_changes_nothing(
        kind in proptest::sample::select(&KINDS[..]), spec in data(), style in any::<u64>())
    {
        let once = canonical(&document(kind, &spec, style), Rules::all()).expect("parses").clone();
        let again = from_node(once.get("spec").unwrap_or(&Node::new(NodeKind::Null)));
        let document = document(kind, &again, style);
        let twice = canonical(&document, Rules::all()).expect("parses");
        prop_assert!(same_data(once.get("spec").expect("a spec"), twice.get("spec").expect("a spec")));
    }

    #[test]
    fn differences_are_none_exactly_where_the_data_are_the_same(
        kind in proptest::sample::select(&KINDS[..]), one in data(), two in data(), style in any::<u64>())
    {
        let rules = Rules::default();
        let (a, b) = (document(kind, &one, style), document(kind, &two, style));
        let (form_a, form_b) = (canonical(&a, rules).expect("parses"), canonical(&b, rules).expect("parses"));
        prop_assert!(differences(&form_a, &form_a).is_empty());
        let same = same_data(&form_a, &form_b);
        prop_assert_eq!(same, differences(&form_a, &form_b).is_empty());
        prop_assert_eq!(same, digest(&a, rules) == digest(&b, rules));
    }

    #[test]
    fn numbers_print_without_losing_anything(value in any::<f64>()) {
        prop_assume!(value.is_finite());
        let text = scalar::number_text(crate::yaml::Number::Float(value));
        prop_assert_eq!(text.parse::<f64>(), Ok(value));
    }
}
