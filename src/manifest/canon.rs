//! The canonical form of a document: its data with everything set aside that the rules in force name.
//!
//! Two documents are the same to Kubernetes when their canonical forms hold the same data. The form is a
//! node like any other and keeps the marks of the text, so that a difference can be told with its place.
//! Making it twice changes nothing.

use super::document::{Document, Unreadable};
use super::identity::DocumentId;
use super::lexical;
use super::rules::{Rule, Rules};
use super::scope::ScopeSource;
use super::shape::{MapList, Shape};
use crate::base::{Digest, KeyPath, Step};
use crate::yaml::{Entry, Mark, Node, NodeKind, Number};
use std::cell::Cell;
use std::sync::Arc;

/// Labels that hold the version of a chart or of an application.
pub const VERSION_LABELS: &[&str] = &["app.kubernetes.io/version", "chart", "helm.sh/chart"];

/// True when a path leads to a label that holds a version, in a place where labels may change.
pub fn is_version_label(id: &DocumentId, path: &KeyPath) -> bool {
    let mut shape = Shape::of(&id.group, &id.kind);
    for (at, step) in path.0.iter().enumerate() {
        let Step::Key(key) = step else { continue };
        if at + 1 == path.0.len() {
            return shape == Shape::Labels && VERSION_LABELS.contains(&key.as_str());
        }
        shape = shape.child(key);
    }
    false
}

/// The canonical form of a document.
///
/// # Errors
/// When the document cannot be parsed.
pub fn canonical(document: &Document, rules: Rules) -> Result<Node, &Unreadable> {
    form(document, rules).map(|(node, _)| node)
}

/// The canonical form, and the rules that changed something on the way to it: without any of the others the form
/// is the same.
fn form(document: &Document, rules: Rules) -> Result<(Node, Rules), &Unreadable> {
    let id = document.id();
    let namespace = id.namespace.as_ref().filter(|_| {
        rules.has(Rule::ReleaseNamespace)
            && document.scope() != ScopeSource::Assumed
            && document.declared_namespace().is_none_or(str::is_empty)
    });
    let form = Form {
        rules,
        namespace,
        used: Cell::new(Rules::none()),
    };
    let node = &document.body()?.node;
    let shape = Shape::of(&id.group, &id.kind);
    let canonical = form.node(node, shape).unwrap_or_else(|| node.clone());
    Ok((canonical, form.used.get()))
}

/// The digest of a document's canonical form: the same wherever the document stands and however it is
/// written, as far as the rules go; different for any other data.
///
/// # Errors
/// When the document cannot be parsed.
pub fn digest(document: &Document, rules: Rules) -> Result<Digest, &Unreadable> {
    document.body()?;
    Ok(document.digest_under(rules, || {
        let node = canonical(document, rules).expect("the body was read just now");
        let mut bytes = Vec::with_capacity(document.text().len());
        encode(&node, &mut bytes);
        let kept = lexical::RULES.minus(rules);
        if !kept.is_empty() {
            let text = String::from_utf8_lossy(document.text());
            lexical::facts(document, &text, &node).encode(kept, &mut bytes);
        }
        Digest::of("evenkeel document 1", &bytes)
    }))
}

struct Form<'a> {
    rules: Rules,
    /// The namespace to fill in where the document names none.
    namespace: Option<&'a Arc<str>>,
    /// The rules that changed something so far.
    used: Cell<Rules>,
}

impl Form<'_> {
    fn used(&self, rule: Rule) {
        self.used.set(self.used.get().with(rule));
    }

    /// The canonical form of a node; `None` when it is the node itself.
    fn node(&self, node: &Node, shape: Shape) -> Option<Node> {
        let kind = match &node.kind {
            NodeKind::Number(number) => NodeKind::Number(self.number(*number)?),
            NodeKind::List(items) => NodeKind::List(self.list(items, shape)?),
            NodeKind::Map(entries) => NodeKind::Map(self.map(entries, shape)?),
            NodeKind::Null | NodeKind::Bool(_) | NodeKind::Str(_) => return None,
        };
        Some(Node {
            kind,
            mark: node.mark,
        })
    }

    /// A float without a fraction is an integer: that is what Go's JSON encoder makes of it on the way to
    /// the API server.
    fn number(&self, number: Number) -> Option<Number> {
        const LIMIT: f64 = 9_223_372_036_854_775_808.0;
        match number {
            Number::Float(value)
                if self.rules.has(Rule::NumberForm) && value.fract() == 0.0 && value.abs() < LIMIT =>
            {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a whole number within the range of i64"
                )]
                let whole = value as i64;
                self.used(Rule::NumberForm);
                Some(Number::Int(whole))
            }
            _ => None,
        }
    }

    fn list(&self, items: &Arc<[Node]>, shape: Shape) -> Option<Arc<[Node]>> {
        let changed: Vec<Option<Node>> = items.iter().map(|item| self.node(item, shape)).collect();
        changed.iter().any(Option::is_some).then(|| {
            changed
                .into_iter()
                .zip(items.iter())
                .map(|(new, item)| new.unwrap_or_else(|| item.clone()))
                .collect()
        })
    }

    fn map(&self, entries: &Arc<[Entry]>, shape: Shape) -> Option<Arc<[Entry]>> {
        let mut changed = false;
        let mut result: Vec<Entry> = Vec::with_capacity(entries.len() + 1);
        for entry in entries.iter() {
            if self.drops(entry, shape) {
                changed = true;
                continue;
            }
            let mut value = self.node(&entry.value, shape.child(&entry.key));
            if let (true, Some(list)) = (self.rules.has(Rule::MapLists), shape.map_list(&entry.key))
                && let Some(sorted) = sorted(value.as_ref().unwrap_or(&entry.value), list)
            {
                self.used(Rule::MapLists);
                value = Some(sorted);
            }
            changed |= value.is_some();
            result.push(Entry {
                key: Arc::clone(&entry.key),
                mark: entry.mark,
                value: value.unwrap_or_else(|| entry.value.clone()),
            });
        }
        if let (Shape::Metadata, Some(namespace)) = (shape, self.namespace) {
            self.used(Rule::ReleaseNamespace);
            result.retain(|entry| &*entry.key != "namespace");
            result.push(Entry {
                key: Arc::from("namespace"),
                mark: Mark::default(),
                value: Node::new(NodeKind::Str(Arc::clone(namespace))),
            });
            changed = true;
        }
        if self.rules.has(Rule::KeyOrder) && !result.is_sorted_by(|a, b| a.key < b.key) {
            self.used(Rule::KeyOrder);
            result.sort_by(|a, b| a.key.cmp(&b.key));
            changed = true;
        }
        changed.then(|| result.into())
    }

    fn drops(&self, entry: &Entry, shape: Shape) -> bool {
        if self.rules.has(Rule::NullFields) && entry.value.is_null() && shape.drops_null(&entry.key) {
            self.used(Rule::NullFields);
            return true;
        }
        let is_version = self.rules.has(Rule::VersionLabels)
            && shape == Shape::Labels
            && VERSION_LABELS.contains(&&*entry.key);
        if is_version {
            self.used(Rule::VersionLabels);
        }
        is_version
    }
}

/// The list sorted by its keys; `None` where it is sorted already, or where an element lacks its key or
/// shares it with another: such a list is left alone.
fn sorted(node: &Node, list: MapList) -> Option<Node> {
    let items = node.items();
    let mut keyed: Vec<(Vec<String>, &Node)> = items
        .iter()
        .map(|item| Some((element_key(item, list.keys)?, item)))
        .collect::<Option<_>>()?;
    let from = usize::from(list.first_stays).min(keyed.len());
    let mut all: Vec<&Vec<String>> = keyed.iter().map(|(key, _)| key).collect();
    all.sort();
    if all.windows(2).any(|pair| pair[0] == pair[1]) || keyed[from..].is_sorted_by(|a, b| a.0 < b.0) {
        return None;
    }
    keyed[from..].sort_by(|a, b| a.0.cmp(&b.0));
    Some(Node {
        kind: NodeKind::List(keyed.into_iter().map(|(_, item)| item.clone()).collect()),
        mark: node.mark,
    })
}

fn element_key(item: &Node, keys: &[&str]) -> Option<Vec<String>> {
    keys.iter()
        .map(|key| match item.get(key) {
            Some(value) => super::scalar::text(value),
            None if *key == "protocol" => Some("TCP".to_owned()),
            None => None,
        })
        .collect()
}

/// True when two nodes hold the same data; marks do not count, order does.
pub fn same_data(a: &Node, b: &Node) -> bool {
    match (&a.kind, &b.kind) {
        (NodeKind::Null, NodeKind::Null) => true,
        (NodeKind::Bool(a), NodeKind::Bool(b)) => a == b,
        (NodeKind::Number(a), NodeKind::Number(b)) => same_number(*a, *b),
        (NodeKind::Str(a), NodeKind::Str(b)) => a == b,
        (NodeKind::List(a), NodeKind::List(b)) => {
            Arc::ptr_eq(a, b) || a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same_data(a, b))
        }
        (NodeKind::Map(a), NodeKind::Map(b)) => {
            Arc::ptr_eq(a, b)
                || a.len() == b.len()
                    && a.iter()
                        .zip(b.iter())
                        .all(|(a, b)| a.key == b.key && same_data(&a.value, &b.value))
        }
        _ => false,
    }
}

fn same_number(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a == b,
        (Number::Uint(a), Number::Uint(b)) => a == b,
        (Number::Float(a), Number::Float(b)) => a.to_bits() == b.to_bits(),
        _ => false,
    }
}

/// The data of a node as bytes, different for different data.
pub fn encoded(node: &Node) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(node, &mut bytes);
    bytes
}

/// Writes data so that no two different nodes give the same bytes.
fn encode(node: &Node, out: &mut Vec<u8>) {
    match &node.kind {
        NodeKind::Null => out.push(b'n'),
        NodeKind::Bool(value) => out.extend([b'b', u8::from(*value)]),
        NodeKind::Number(Number::Int(value)) => tagged(b'i', &value.to_le_bytes(), out),
        NodeKind::Number(Number::Uint(value)) => tagged(b'u', &value.to_le_bytes(), out),
        NodeKind::Number(Number::Float(value)) => tagged(b'f', &value.to_bits().to_le_bytes(), out),
        NodeKind::Str(text) => {
            out.push(b's');
            framed(text.as_bytes(), out);
        }
        NodeKind::List(items) => {
            tagged(b'l', &(items.len() as u64).to_le_bytes(), out);
            for item in items.iter() {
                encode(item, out);
            }
        }
        NodeKind::Map(entries) => {
            tagged(b'm', &(entries.len() as u64).to_le_bytes(), out);
            for entry in entries.iter() {
                framed(entry.key.as_bytes(), out);
                encode(&entry.value, out);
            }
        }
    }
}

fn tagged(tag: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(tag);
    out.extend_from_slice(bytes);
}

/// Writes a byte string with its length before it.
pub(super) fn framed(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    out.extend_from_slice(bytes);
}

/// The rules of `rules` that it takes to make two documents one, given that they are one under all of them.
pub fn rules_needed(a: &Document, b: &Document, rules: Rules) -> Rules {
    const OF_DATA: Rules = Rules::of(&[
        Rule::KeyOrder,
        Rule::MapLists,
        Rule::NullFields,
        Rule::NumberForm,
        Rule::ReleaseNamespace,
        Rule::VersionLabels,
    ]);
    let same_under = |rules: Rules| match (canonical(a, rules), canonical(b, rules)) {
        (Ok(a), Ok(b)) => same_data(&a, &b),
        _ => false,
    };
    let (Ok((node_a, used_a)), Ok((node_b, used_b))) = (form(a, rules), form(b, rules)) else {
        return Rules::none();
    };
    let used = used_a.and(used_b);
    let needed: Rules = OF_DATA
        .iter()
        .filter(|rule| used.has(*rule) && !same_under(rules.without(*rule)))
        .collect();
    let mut written = written_between((a, &node_a), (b, &node_b), rules);
    if needed.has(Rule::NumberForm) || !rules.has(Rule::NumberForm) {
        written = written.without(Rule::NumberForm);
    }
    // Layout is told by columns and counts of lines; what is left over is white space inside of lines.
    if needed.and(written).is_empty() && a.trimmed_text() != b.trimmed_text() {
        written = written.with(Rule::Whitespace);
    }
    needed.and(written.without(Rule::SourceComment))
}

/// Those of some rules by whose facts two documents of the same data are written differently.
pub fn written_otherwise(a: &Document, b: &Document, rules: Rules, asked: Rules) -> Rules {
    if lexical::RULES.minus(asked) == lexical::RULES {
        return Rules::none();
    }
    match (canonical(a, rules), canonical(b, rules)) {
        (Ok(node_a), Ok(node_b)) => written_between((a, &node_a), (b, &node_b), asked),
        _ => Rules::none(),
    }
}

/// As `written_otherwise`, for documents with their canonical forms.
fn written_between(a: (&Document, &Node), b: (&Document, &Node), asked: Rules) -> Rules {
    let text_a = String::from_utf8_lossy(a.0.text());
    let text_b = String::from_utf8_lossy(b.0.text());
    let needed = lexical::facts(a.0, &text_a, a.1).needed(&lexical::facts(b.0, &text_b, b.1));
    needed.minus(Rules::all().minus(asked))
}

#[cfg(test)]
mod tests {
    use super::super::read::Manifest;
    use super::*;

    fn document(text: &str) -> Document {
        let manifest = Manifest::read(text.as_bytes(), "apps");
        assert_eq!(manifest.documents.len(), 1, "{text}");
        manifest.documents[0].clone()
    }

    fn needed(a: &str, b: &str) -> Option<String> {
        let (a, b) = (document(a), document(b));
        let rules = Rules::default();
        let same = same_data(
            &canonical(&a, rules).expect("parses"),
            &canonical(&b, rules).expect("parses"),
        );
        assert_eq!(same, digest(&a, rules) == digest(&b, rules));
        same.then(|| {
            let names: Vec<&str> = rules_needed(&a, &b, rules).iter().map(Rule::name).collect();
            names.join(" ")
        })
    }

    fn config(rest: &str) -> String {
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: apps\n{rest}")
    }

    #[test]
    fn each_rule_is_named_when_it_is_needed_and_only_then() {
        let base = config("data:\n  a: \"1\"\n  b: x\n");
        for (other, rules) in [
            ("data:\n  a: \"1\"\n  b: x\n", ""),
            ("data:\n  b: x\n  a: \"1\"\n", "key-order"),
            ("data:\n  a: '1'\n  b: x\n", "scalar-style"),
            ("data:\n  a: \"1\"\n  b: |-\n    x\n", "scalar-style"),
            ("data: {a: \"1\", b: x}\n", "scalar-style whitespace"),
            ("data:\n    a: \"1\"\n    b: x\n", "whitespace"),
            ("data:\n  a: \"1\"\n\n  b: x\n", "whitespace"),
            ("data:\n  a: \"1\" \n  b: x\n", "whitespace"),
            ("data:\n  # c\n  a: \"1\"\n  b: x # d\n", "comments"),
            ("binaryData:\ndata:\n  a: \"1\"\n  b: x\n", "null-fields"),
        ] {
            assert_eq!(needed(&base, &config(other)).as_deref(), Some(rules), "{other}");
        }
        let bare = base.replace("  namespace: apps\n", "");
        assert_eq!(needed(&base, &bare).as_deref(), Some("release-namespace"));
        let windows = base.replace('\n', "\r\n");
        assert_eq!(needed(&base, &windows).as_deref(), Some("whitespace"));
    }

    #[test]
    fn numbers_have_many_forms() {
        let text =
            |number: &str| format!("apiVersion: v1\nkind: A\nmetadata: {{name: a}}\nspec:\n  n: {number}\n");
        for (other, rules) in [
            ("2.0", "number-form"),
            ("0.2e1", "number-form"),
            ("0x2", "scalar-style"),
        ] {
            assert_eq!(
                needed(&text("2"), &text(other)).as_deref(),
                Some(rules),
                "{other}"
            );
        }
        assert_eq!(
            needed(&text("1.5"), &text("1.50")).as_deref(),
            Some("number-form")
        );
        assert_eq!(
            needed(&text("true"), &text("yes")).as_deref(),
            Some("scalar-style")
        );
        assert_eq!(needed(&text("2"), &text("\"2\"")), None);
        assert_eq!(needed(&text("2"), &text("2.5")), None);
        assert_eq!(needed(&text("~"), &text("")).as_deref(), Some("scalar-style"));
        assert_eq!(needed(&text("\"\""), &text("")), None);
        assert_eq!(needed(&text("9007199254740993"), &text("9007199254740992")), None);
    }

    #[test]
    fn null_is_not_absent_where_it_means_something() {
        assert_eq!(needed(&config("data:\n  a:\n"), &config("data: {}\n")), None);
        assert_eq!(
            needed(&config("data:\n  a:\n"), &config("data:\n  a: \"\"\n")),
            None
        );
        assert_eq!(needed(&config("data: {}\n"), &config("")), None);
    }

    #[test]
    fn the_first_port_of_a_service_has_a_meaning() {
        let service = |ports: &str| {
            format!("apiVersion: v1\nkind: Service\nmetadata: {{name: a}}\nspec:\n  ports: [{ports}]\n")
        };
        let (a, b, c) = ("{port: 1}", "{port: 2}", "{port: 2, protocol: UDP}");
        let text = |list: &[&str]| service(&list.join(", "));
        assert_eq!(
            needed(&text(&[a, b, c]), &text(&[a, c, b])).as_deref(),
            Some("map-lists")
        );
        assert_eq!(needed(&text(&[a, b]), &text(&[b, a])), None);
        assert_eq!(needed(&text(&[a, b, b]), &text(&[b, a, b])), None);
    }

    #[test]
    fn a_rule_switched_off_keeps_its_difference() {
        let base = document(&config("data:\n  a: \"1\"\n  b: x\n"));
        for (other, rule) in [
            ("data:\n  b: x\n  a: \"1\"\n", Rule::KeyOrder),
            ("data:\n  a: '1'\n  b: x\n", Rule::ScalarStyle),
            ("data:\n    a: \"1\"\n    b: x\n", Rule::Whitespace),
            ("data:\n  # c\n  a: \"1\"\n  b: x # d\n", Rule::Comments),
            ("binaryData:\ndata:\n  a: \"1\"\n  b: x\n", Rule::NullFields),
        ] {
            let other = document(&config(other));
            let digests = |rules| (digest(&base, rules), digest(&other, rules));
            let (a, b) = digests(Rules::default());
            assert_eq!(a, b);
            let (a, b) = digests(Rules::default().without(rule));
            assert_ne!(a, b, "{rule}");
        }
    }
}
