//! The pods that a document makes: where their specs stand, and the containers in them.
//!
//! Custom resources have no fixed place for a pod; there, whatever holds containers with a name and an image is
//! taken for one. What is absent: what the containers refer to (`reads`), and what their variables come to
//! (`variables`).

use crate::base::{KeyPath, Step};
use crate::manifest::{Document, scope};
use crate::yaml::Node;
use std::sync::Arc;

/// How deep pods are looked for in a custom resource.
const MAX_DEPTH: usize = 12;

/// The lists of containers of a pod.
const LISTS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];

/// The pod that a document is or makes.
pub(super) struct Pod<'a> {
    /// The path of its spec.
    pub(super) path: KeyPath,
    /// Its spec.
    pub(super) spec: &'a Node,
    /// Its own metadata, where it has any.
    pub(super) metadata: Option<&'a Node>,
}

/// A container of a pod.
pub(super) struct Container<'a> {
    /// Its path.
    pub(super) path: KeyPath,
    /// The list it stands in.
    pub(super) list: &'static str,
    /// Its name, which is unique among all containers of the pod; empty where it has none.
    pub(super) name: Arc<str>,
    /// The container.
    pub(super) node: &'a Node,
}

/// An entry of `env`.
pub(super) struct Variable<'a> {
    /// Its name.
    pub(super) name: Arc<str>,
    /// The entry.
    pub(super) node: &'a Node,
}

/// The pods of a document, in the order of the text. Documents without the word are not parsed for it.
pub(super) fn pods(document: &Document) -> Vec<Pod<'_>> {
    let id = document.id();
    if &*id.kind == "CustomResourceDefinition"
        || memchr::memmem::find(document.text(), b"ontainers").is_none()
    {
        return Vec::new();
    }
    let Ok(body) = document.body() else {
        return Vec::new();
    };
    let template: &[&str] = match (&*id.group, &*id.kind) {
        ("", "Pod") => &[],
        ("", "PodTemplate") => &["template"],
        (
            "" | "apps" | "extensions" | "batch",
            "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "ReplicationController" | "Job",
        ) => &["spec", "template"],
        ("batch", "CronJob") => &["spec", "jobTemplate", "spec", "template"],
        (group, _) if scope::is_built_in(group) => return Vec::new(),
        _ => {
            let mut found = Vec::new();
            search(&body.node, None, &KeyPath::root(), &mut found);
            return found;
        }
    };
    let node = template.iter().try_fold(&body.node, |node, key| node.get(key));
    let path = template.iter().fold(KeyPath::root(), |path, key| path.key(*key));
    let pod = node.and_then(|node| {
        Some(Pod {
            path: path.key("spec"),
            spec: node.get("spec")?,
            metadata: node.get("metadata"),
        })
    });
    pod.into_iter().collect()
}

fn search<'a>(node: &'a Node, parent: Option<&'a Node>, path: &KeyPath, found: &mut Vec<Pod<'a>>) {
    let containers = node.get("containers").map(Node::items).unwrap_or_default();
    let is_container = |node: &Node| {
        let text = |key: &str| node.get(key).and_then(Node::as_str);
        text("name").is_some() && text("image").is_some()
    };
    if containers.iter().any(is_container) {
        found.push(Pod {
            path: path.clone(),
            spec: node,
            metadata: parent.and_then(|parent| parent.get("metadata")),
        });
        return;
    }
    if path.0.len() >= MAX_DEPTH {
        return;
    }
    for entry in node.entries() {
        search(&entry.value, Some(node), &path.key(&*entry.key), found);
    }
    for (position, item) in node.items().iter().enumerate() {
        search(item, Some(node), &path.join(Step::Index(position)), found);
    }
}

impl<'a> Pod<'a> {
    /// The containers, those that run first before the others.
    pub(super) fn containers(&self) -> Vec<Container<'a>> {
        let mut found = Vec::new();
        for list in LISTS {
            let items = self.spec.get(list).map(Node::items).unwrap_or_default();
            for (position, node) in items.iter().filter(|item| item.is_map()).enumerate() {
                let name = node.get("name").and_then(Node::string_field);
                let step = match &name {
                    Some(name) => named(name),
                    None => Step::Index(position),
                };
                found.push(Container {
                    path: self.path.key(list).join(step),
                    list,
                    name: name.unwrap_or_default(),
                    node,
                });
            }
        }
        found
    }
}

impl<'a> Container<'a> {
    /// The entries of `env` that have a name, in their order.
    pub(super) fn env(&self) -> Vec<Variable<'a>> {
        let items = self.node.get("env").map(Node::items).unwrap_or_default();
        let named = |node: &'a Node| {
            Some(Variable {
                name: node.get("name")?.string_field()?,
                node,
            })
        };
        items.iter().filter_map(named).collect()
    }

    /// The entries of `envFrom`.
    pub(super) fn env_from(&self) -> &'a [Node] {
        self.node.get("envFrom").map(Node::items).unwrap_or_default()
    }

    /// The path of a variable.
    pub(super) fn variable(&self, name: &str) -> KeyPath {
        self.path.key("env").join(named(name))
    }
}

/// The step to the element of a name.
pub(super) fn named(name: &str) -> Step {
    Step::Element {
        key: "name".to_owned(),
        value: name.to_owned(),
    }
}

/// A container as a person calls it.
pub(super) fn title(name: &str) -> String {
    match name {
        "" => "a container".to_owned(),
        name => format!("container {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Manifest;

    fn told(text: &str) -> Vec<String> {
        let manifest = Manifest::read(text.as_bytes().to_vec(), "n");
        let pods = pods(&manifest.documents[0]);
        let containers = pods.iter().flat_map(Pod::containers);
        containers.map(|container| container.path.to_string()).collect()
    }

    #[test]
    fn every_workload_has_its_place() {
        let pod = "spec: {initContainers: [{name: i}], containers: [{name: c}]}";
        let both = |at: &str| {
            [
                format!("{at}.initContainers[name=i]"),
                format!("{at}.containers[name=c]"),
            ]
        };
        assert_eq!(
            told(&format!(
                "apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\n{pod}\n"
            )),
            both("spec")
        );
        for kind in [
            "apps/v1 Deployment",
            "apps/v1 DaemonSet",
            "batch/v1 Job",
            "v1 ReplicationController",
        ] {
            let (version, kind) = kind.split_once(' ').expect("a space");
            let text = format!(
                "apiVersion: {version}\nkind: {kind}\nmetadata: {{name: a}}\nspec: {{template: {{{pod}}}}}\n"
            );
            assert_eq!(told(&text), both("spec.template.spec"), "{kind}");
        }
        let cron = format!(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: a}}\nspec: {{jobTemplate: {{spec: {{template: {{{pod}}}}}}}}}\n"
        );
        assert_eq!(told(&cron), both("spec.jobTemplate.spec.template.spec"));
    }

    #[test]
    fn custom_kinds_are_searched_and_other_lists_of_the_name_are_not_pods() {
        let custom = |rest: &str| {
            told(&format!(
                "apiVersion: example.com/v1\nkind: Runner\nmetadata: {{name: a}}\nspec: {rest}\n"
            ))
        };
        assert_eq!(
            custom("{pools: [{template: {spec: {containers: [{name: c, image: x}]}}}]}"),
            ["spec.pools[0].template.spec.containers[name=c]"]
        );
        assert_eq!(custom("{containers: [{name: c}]}"), [""; 0]);
        assert_eq!(custom("{properties: {containers: {type: array}}}"), [""; 0]);
        let service = "apiVersion: v1\nkind: Service\nmetadata: {name: containers}\nspec: {containers: [{name: c, image: x}]}\n";
        assert_eq!(told(service), [""; 0]);
    }

    #[test]
    fn what_is_not_a_list_is_no_trouble() {
        assert_eq!(
            told("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: {a: b}}\n"),
            [""; 0]
        );
        assert_eq!(
            told("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [x, null]}\n"),
            [""; 0]
        );
        assert_eq!(
            told("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n# containers\n"),
            [""; 0]
        );
    }
}
