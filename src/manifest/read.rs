//! `Manifest`: all documents of one render or of a set of raw files.

use super::document::{self, Body, Document, Hook, Slot, Unreadable};
use super::glance;
use super::identity::ObjectKey;
use super::scope::{ScopeSource, Scopes};
use super::split::{self, Content, Piece};
use crate::yaml::{Entry, Node, NodeKind, Parsed};
use rustc_hash::FxHashMap;
use std::iter::Peekable;
use std::ops::Range;
use std::sync::Arc;
use std::vec::IntoIter;

/// How deep lists of lists are unrolled.
const LIST_DEPTH: u32 = 8;

/// All documents of one render, in the order of the text.
#[derive(Clone, Debug)]
pub struct Manifest {
    namespace: Arc<str>,
    /// The documents.
    pub documents: Vec<Document>,
    /// Pieces of the text that hold nothing: blank, only comments, or null.
    pub empty: usize,
}

impl Manifest {
    /// Reads what one render printed.
    pub fn read(text: impl Into<Arc<[u8]>>, namespace: &str) -> Manifest {
        Manifest::read_files([(None, text.into())], namespace)
    }

    /// Reads what one render printed, some of whose documents were parsed already; `parsed` tells their ranges in
    /// the order of the text.
    pub fn read_parsed(
        text: impl Into<Arc<[u8]>>,
        parsed: Vec<(Range<usize>, Parsed)>,
        namespace: &str,
    ) -> Manifest {
        Manifest::read_with([(None, text.into())], &mut Known::of(parsed), namespace)
    }

    /// Reads raw files, each with its path in place of a `# Source` line.
    pub fn read_files(
        files: impl IntoIterator<Item = (Option<Arc<str>>, Arc<[u8]>)>,
        namespace: &str,
    ) -> Manifest {
        Manifest::read_with(files, &mut Known::of(Vec::new()), namespace)
    }

    fn read_with(
        files: impl IntoIterator<Item = (Option<Arc<str>>, Arc<[u8]>)>,
        known: &mut Known,
        namespace: &str,
    ) -> Manifest {
        let mut manifest = Manifest {
            namespace: Arc::from(namespace),
            documents: Vec::new(),
            empty: 0,
        };
        let scopes = Scopes::default();
        for (path, text) in files {
            for piece in split::split(&text) {
                manifest.take(&text, &piece, path.as_ref(), known, &scopes);
            }
        }
        let mut own = Scopes::default();
        if manifest
            .documents
            .iter()
            .any(|document| document.scope() == ScopeSource::Assumed)
        {
            manifest.teach(&mut own);
        }
        manifest.settle(&own);
        manifest
    }

    /// The namespace of the release.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Takes over what another render of the same objects has parsed, or will parse, wherever the texts are the
    /// same.
    pub fn share_bodies(&mut self, other: &Manifest) {
        let documents = other.documents.iter();
        let known: FxHashMap<_, &Document> = documents
            .map(|document| ((document.id().key(), document.occurrence()), document))
            .collect();
        for document in &mut self.documents {
            let key = (document.id().key(), document.occurrence());
            if let Some(other) = known.get(&key).copied() {
                document.share_body(other);
            }
        }
    }

    /// Adds the scopes that the CustomResourceDefinitions of this render declare.
    pub fn teach(&self, scopes: &mut Scopes) {
        for document in &self.documents {
            let id = document.id();
            if &*id.kind != "CustomResourceDefinition" || &*id.group != "apiextensions.k8s.io" {
                continue;
            }
            if let Some((group, kind, scope)) = glance::definition(document.text()) {
                scopes.learn(group, kind, scope);
            } else if let Ok(body) = document.body() {
                let text = |path: &[&str]| {
                    path.iter()
                        .try_fold(&body.node, |node, key| node.get(key))
                        .and_then(Node::as_str)
                };
                if let (Some(group), Some(kind), Some(scope)) = (
                    text(&["spec", "group"]),
                    text(&["spec", "names", "kind"]),
                    text(&["spec", "scope"]),
                ) {
                    scopes.learn(group, kind, scope);
                }
            }
        }
    }

    /// Works all identities out again with the scopes of a whole plan.
    pub fn settle(&mut self, scopes: &Scopes) {
        if !scopes.is_empty() {
            for document in &mut self.documents {
                document.settle(&self.namespace, scopes);
            }
        }
        let mut seen: FxHashMap<ObjectKey<'_>, u32> = FxHashMap::default();
        let mut counts = Vec::with_capacity(self.documents.len());
        for document in &self.documents {
            let count = seen.entry(document.id().key()).or_insert(0);
            *count += 1;
            counts.push(*count);
        }
        for (document, count) in self.documents.iter_mut().zip(counts) {
            document.count_as(count);
        }
    }

    fn take(
        &mut self,
        stream: &Arc<[u8]>,
        piece: &Piece,
        path: Option<&Arc<str>>,
        known: &mut Known,
        scopes: &Scopes,
    ) {
        let source = piece
            .source
            .clone()
            .map(|source| Arc::from(String::from_utf8_lossy(&stream[source])))
            .or_else(|| path.cloned());
        let mut slot = Slot {
            stream: Arc::clone(stream),
            range: piece.body.clone(),
            source,
            hook: None,
        };
        let reason = match piece.content {
            Content::Blank | Content::Comments => {
                self.empty += 1;
                return;
            }
            Content::BadSeparator => Unreadable {
                message: "a document goes on in the line of its `---`, which kubectl refuses".to_owned(),
                mark: None,
            },
            Content::Data => {
                let known = known.take(&slot);
                if known.is_none()
                    && let Some(document) = Document::at_a_glance(&slot, &self.namespace, scopes)
                {
                    self.documents.push(document);
                    return;
                }
                match known.map_or_else(|| document::parse(slot.text()), document::check) {
                    Ok(body) if body.node.is_null() => {
                        self.empty += 1;
                        return;
                    }
                    Ok(body) => {
                        slot.hook = Hook::of(&body.node);
                        self.unroll(&slot, body, None, LIST_DEPTH, scopes);
                        return;
                    }
                    Err(reason) => reason,
                }
            }
        };
        self.documents
            .push(Document::unreadable(&slot, reason, None, &self.namespace, scopes));
    }

    /// Adds a document, or the items of a list: a kind that ends in `List` with a list under `items`, as
    /// kubectl and Helm flatten it (`FlattenListVisitor` of cli-runtime, `UnstructuredJSONScheme` of
    /// apimachinery). `first` is where the items of the outermost list begin.
    fn unroll(&mut self, slot: &Slot, body: Body, first: Option<usize>, depth: u32, scopes: &Scopes) {
        let kind = body.node.get("kind").and_then(Node::as_str).unwrap_or_default();
        let items = body.node.get("items").map(|items| &items.kind);
        let item = first.map(|first| u32::try_from(self.documents.len() - first).unwrap_or(u32::MAX));
        let (Some(item_kind), Some(NodeKind::List(items)), 1..) = (kind.strip_suffix("List"), items, depth)
        else {
            self.documents
                .push(Document::parsed(slot, body, item, &self.namespace, scopes));
            return;
        };
        let first = first.unwrap_or(self.documents.len());
        for node in items.iter() {
            if node.is_map() {
                let body = Body {
                    node: typed_item(node, item_kind, body.node.get("apiVersion")),
                    oddities: body.oddities.clone(),
                };
                self.unroll(slot, body, Some(first), depth - 1, scopes);
            } else {
                let reason = Unreadable {
                    message: format!("{} where an item of a {kind} was expected", node.kind_name()),
                    mark: Some(node.mark),
                };
                let item = u32::try_from(self.documents.len() - first).ok();
                self.documents
                    .push(Document::unreadable(slot, reason, item, &self.namespace, scopes));
            }
        }
    }
}

/// Documents that were parsed already, in the order of the text.
struct Known(Peekable<IntoIter<(Range<usize>, Parsed)>>);

impl Known {
    fn of(parsed: Vec<(Range<usize>, Parsed)>) -> Known {
        Known(parsed.into_iter().peekable())
    }

    /// The data of a document, when they are known.
    fn take(&mut self, slot: &Slot) -> Option<Parsed> {
        while self
            .0
            .next_if(|(range, _)| range.start < slot.range.start)
            .is_some()
        {}
        let is_it = |(range, _): &(Range<usize>, Parsed)| {
            range.start == slot.range.start
                && slot.stream[range.clone()].trim_ascii_end() == slot.text().trim_ascii_end()
        };
        self.0.next_if(is_it).map(|(_, parsed)| parsed)
    }
}

/// An item of a list; of a typed list such as `PodList` it need not repeat kind and version
/// (`decodeToList` of apimachinery's `unstructuredJSONScheme`).
fn typed_item(node: &Node, kind: &str, api_version: Option<&Node>) -> Node {
    let absent = |key: &str| node.get(key).and_then(Node::as_str).is_none_or(str::is_empty);
    if kind.is_empty() || !absent("kind") || !absent("apiVersion") {
        return node.clone();
    }
    let entry = |key: &str, value: Node| Entry {
        key: Arc::from(key),
        mark: node.mark,
        value,
    };
    let kind = Node {
        kind: NodeKind::Str(Arc::from(kind)),
        mark: node.mark,
    };
    let head = [
        api_version.map(|version| entry("apiVersion", version.clone())),
        Some(entry("kind", kind)),
    ];
    let rest = node
        .entries()
        .iter()
        .filter(|entry| &*entry.key != "kind" && &*entry.key != "apiVersion")
        .cloned();
    Node {
        kind: NodeKind::Map(head.into_iter().flatten().chain(rest).collect()),
        mark: node.mark,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(manifest: &Manifest) -> Vec<String> {
        manifest
            .documents
            .iter()
            .map(|document| match document.occurrence() {
                1 => document.id().to_string(),
                count => format!("{}#{count}", document.id()),
            })
            .collect()
    }

    fn read(text: &str) -> Manifest {
        Manifest::read(text.as_bytes(), "apps")
    }

    #[test]
    fn the_same_text_is_parsed_once_for_two_renders() {
        let text =
            |name: &str, value: u8| format!("---\nkind: A\nmetadata: {{name: {name}}}\nspec: {value}\n");
        let first = read(&(text("a", 1) + &text("b", 1)));
        let mut second = read(&(text("b", 2) + &text("a", 1)));
        second.share_bodies(&first);
        let body = |manifest: &Manifest, at: usize| {
            let body = manifest.documents[at].body().expect("it parses");
            (std::ptr::from_ref(body), body.node.get("spec").cloned())
        };
        assert_eq!(body(&second, 1).0, body(&first, 0).0);
        assert_ne!(body(&second, 0), body(&first, 1));
    }

    #[test]
    fn a_render_gives_its_documents_in_order() {
        let manifest = read(
            "---\n# Source: c/templates/a.yaml\napiVersion: v1\nkind: Service\nmetadata:\n  name: a\n---\n# Source: c/x\n\
             # only a comment\n---\n# Source: c/templates/b.yaml\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, namespace: b}}\n\
             ---\n~\n---\napiVersion: v1\nkind: Service\nmetadata:\n  name: a\n",
        );
        assert_eq!(
            ids(&manifest),
            [
                "v1/Service/apps/a",
                "apps/v1/Deployment/b/a",
                "v1/Service/apps/a#2"
            ]
        );
        assert_eq!(manifest.empty, 2);
        assert_eq!(manifest.documents[1].source(), Some("c/templates/b.yaml"));
    }

    #[test]
    fn lists_are_unrolled() {
        let manifest = read(
            "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: a}}\n\
             - apiVersion: v1\n  kind: ConfigMapList\n  items:\n  - {metadata: {name: b}}\n  - 3\n\
             - {apiVersion: v1, kind: Secret, metadata: {name: c}}\n",
        );
        assert_eq!(
            ids(&manifest),
            [
                "v1/Secret/apps/a",
                "v1/ConfigMap/apps/b",
                "//apps/",
                "v1/Secret/apps/c"
            ]
        );
        assert!(manifest.documents[2].body().is_err());
        assert_eq!(manifest.documents[3].item(), Some(3));
    }

    #[test]
    fn the_others_are_used_when_one_cannot_be_parsed() {
        let manifest = read(
            "---\n# Source: c/crds/x.yaml\na: [\n---\n- 1\n---\nkind: A\napiVersion: v1\nmetadata: {name: b}\n",
        );
        assert_eq!(ids(&manifest), ["//apps/c/crds/x.yaml", "//apps/", "v1/A/apps/b"]);
        assert!(manifest.documents[0].body().is_err());
        assert!(manifest.documents[1].body().is_err());
    }

    #[test]
    fn a_document_that_is_nested_without_end_is_refused() {
        let deep = format!("kind: A\na: {}{}\n", "[".repeat(3000), "]".repeat(3000));
        let manifest = read(&deep);
        let reason = manifest.documents[0].body().expect_err("too deep");
        assert_eq!(reason.to_string(), "nested more than 500 levels deep");
    }

    #[test]
    fn hooks_are_told_apart() {
        let manifest = read(
            "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a\n  annotations:\n    helm.sh/hook: pre-install, Post-upgrade\n    \
             helm.sh/hook-weight: \"-5\"\n    helm.sh/hook-delete-policy: hook-succeeded\n",
        );
        let hook = manifest.documents[0].hook().expect("a hook");
        assert_eq!(hook.events, ["pre-install", "post-upgrade"]);
        assert_eq!(hook.weight, -5);
        assert_eq!(hook.delete_policies, ["hook-succeeded"]);
    }

    #[test]
    fn a_definition_in_the_render_settles_the_scope_of_its_kind() {
        let manifest = read(
            "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\n---\napiVersion: apiextensions.k8s.io/v1\nkind: \
             CustomResourceDefinition\nmetadata:\n  name: widgets.example.com\nspec:\n  group: example.com\n  scope: Cluster\n  \
             names: {kind: Widget}\n",
        );
        assert_eq!(
            manifest.documents[0].id().to_string(),
            "example.com/v1/Widget/-/a"
        );
        assert_eq!(manifest.documents[0].scope(), ScopeSource::Definition);
    }

    #[test]
    fn a_glance_agrees_with_a_parse() {
        let text =
            "---\n# Source: a\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a-1\n  namespace: b\nspec: {}\n";
        let manifest = read(text);
        let document = &manifest.documents[0];
        let body = document.body().expect("parses");
        let slot = Slot {
            stream: Arc::from(text.as_bytes()),
            range: 0..text.len(),
            source: None,
            hook: None,
        };
        let parsed = Document::parsed(&slot, body.clone(), None, &Arc::from("apps"), &Scopes::default());
        assert_eq!(parsed.id(), document.id());
        assert_eq!(&text[document.offset_of(body.node.mark)..][..10], "apiVersion");
    }
}
