//! `Reader`: what the pods of a document refer to. It is kept when the document is gone, so it is small: paths are
//! made when somebody asks.

use super::pods::{self, Container, Pod, named};
use super::provided::{Source, SourceKind};
use crate::base::KeyPath;
use crate::manifest::{Document, DocumentId};
use crate::yaml::{Node, NodeKind};
use std::borrow::Cow;
use std::sync::Arc;

/// A pod of a document, and what it refers to.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Reader {
    /// The document.
    pub(super) id: DocumentId,
    /// True for a hook, which is made anew each time.
    pub(super) is_hook: bool,
    /// The path of the pod's spec.
    pub(super) path: KeyPath,
    /// What restarts it when something changes that it reads; empty for nothing.
    pub(super) reloads: Vec<Arc<str>>,
    /// What it refers to, in the order of the pod.
    pub(super) references: Vec<Reference>,
    /// The variables that containers set by name; only of those that take in whole objects too.
    pub(super) variables: Vec<(ContainerName, Vec<Arc<str>>)>,
}

/// A container, within its pod.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct ContainerName {
    list: Cow<'static, str>,
    /// Its name.
    pub(super) name: Arc<str>,
}

/// One reference to an object.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Reference {
    /// The object.
    pub(super) source: Source,
    /// The key in it; `None` for the whole object.
    pub(super) key: Option<Arc<str>>,
    /// True when the pod starts without it.
    pub(super) is_optional: bool,
    /// How it is read.
    pub(super) via: Via,
}

/// How a pod reads an object.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) enum Via {
    /// As a variable: `valueFrom`.
    Variable(ContainerName, Arc<str>),
    /// As many variables, with a prefix: `envFrom`.
    AllVariables(ContainerName, Arc<str>),
    /// As a single file that is mounted by `subPath`, and never refreshed.
    SubPath(ContainerName, Arc<str>),
    /// As the files of a volume.
    Volume(Arc<str>),
    /// To pull images.
    ImagePull,
    /// To run as.
    Account,
}

/// The readers among the pods of a document.
pub(super) fn readers(document: &Document) -> Vec<Reader> {
    let Some(namespace) = &document.id().namespace else {
        return Vec::new();
    };
    let reader = |pod: &Pod<'_>| {
        let mut reader = Reader {
            id: document.id().clone(),
            is_hook: document.hook().is_some(),
            path: pod.path.clone(),
            reloads: reloads(document, pod),
            references: Vec::new(),
            variables: Vec::new(),
        };
        Collector {
            namespace,
            reader: &mut reader,
        }
        .pod(pod);
        reader
    };
    let readers = pods::pods(document);
    let readers = readers.iter().map(reader);
    readers.filter(|reader| !reader.references.is_empty()).collect()
}

impl Reader {
    /// The path of a reference.
    pub(super) fn field(&self, reference: &Reference) -> KeyPath {
        let container = |name: &ContainerName| self.path.key(&*name.list).join(named(&name.name));
        match &reference.via {
            Via::Variable(of, name) => container(of).key("env").join(named(name)),
            Via::AllVariables(of, _) => container(of).key("envFrom"),
            Via::SubPath(of, _) => container(of).key("volumeMounts"),
            Via::Volume(name) => self.path.key("volumes").join(named(name)),
            Via::ImagePull => self.path.key("imagePullSecrets"),
            Via::Account => self.path.key("serviceAccountName"),
        }
    }

    /// The references to an object.
    pub(super) fn of<'r>(&'r self, source: &'r Source) -> impl Iterator<Item = &'r Reference> {
        self.references
            .iter()
            .filter(move |reference| reference.source == *source)
    }

    /// True when a container sets a variable by name.
    pub(super) fn sets(&self, container: &ContainerName, variable: &str) -> bool {
        let mut known = self.variables.iter().filter(|(name, _)| name == container);
        known.any(|(_, names)| names.iter().any(|name| **name == *variable))
    }
}

/// What the annotations ask Reloader or Wave to restart the pod for: `*` or names.
fn reloads(document: &Document, pod: &Pod<'_>) -> Vec<Arc<str>> {
    let own = document.body().ok().and_then(|body| body.node.get("metadata"));
    let annotations = [own, pod.metadata].into_iter().flatten();
    let annotations = annotations.filter_map(|metadata| metadata.get("annotations"));
    let mut found = Vec::new();
    for entry in annotations.flat_map(Node::entries) {
        let Some(value) = entry.value.string_field() else {
            continue;
        };
        let is_for_all = entry.key.ends_with("reloader.stakater.com/auto")
            || entry.key.ends_with("reloader.stakater.com/search")
            || &*entry.key == "wave.pusher.com/update-on-config-change";
        if is_for_all && &*value == "true" {
            found.push(Arc::from("*"));
        } else if entry.key.ends_with("reloader.stakater.com/reload") {
            found.extend(value.split(',').map(|name| Arc::from(name.trim())));
        }
    }
    found
}

/// An object that a node names: `{name, optional}`.
struct Named {
    name: Arc<str>,
    is_optional: bool,
}

fn object(node: &Node, key: &str) -> Option<Named> {
    Some(Named {
        name: node.get(key)?.string_field().filter(|name| !name.is_empty())?,
        is_optional: matches!(
            node.get("optional").map(|node| &node.kind),
            Some(NodeKind::Bool(true))
        ),
    })
}

fn text(node: &Node, key: &str) -> Option<Arc<str>> {
    node.get(key)?.string_field()
}

/// What a volume shows of one object.
struct Shown {
    source: Source,
    is_optional: bool,
    /// Key and file; none where all keys are shown under their own names.
    items: Vec<(Arc<str>, Arc<str>)>,
}

struct Collector<'a> {
    namespace: &'a Arc<str>,
    reader: &'a mut Reader,
}

impl Collector<'_> {
    fn pod(&mut self, pod: &Pod<'_>) {
        let containers = pod.containers();
        for container in &containers {
            self.container(container);
        }
        let volumes = pod.spec.get("volumes").map(Node::items).unwrap_or_default();
        for volume in volumes {
            if let Some(name) = text(volume, "name") {
                self.volume(&name, volume, &containers);
            }
        }
        let pulls = pod
            .spec
            .get("imagePullSecrets")
            .map(Node::items)
            .unwrap_or_default();
        for named in pulls.iter().filter_map(|pull| object(pull, "name")) {
            self.tell(SourceKind::Secret, named, None, Via::ImagePull);
        }
        let account = object(pod.spec, "serviceAccountName").or_else(|| object(pod.spec, "serviceAccount"));
        // Every namespace has one of this name.
        if let Some(named) = account.filter(|named| &*named.name != "default") {
            self.tell(SourceKind::ServiceAccount, named, None, Via::Account);
        }
    }

    fn container(&mut self, container: &Container<'_>) {
        let own = ContainerName {
            list: container.list.into(),
            name: Arc::clone(&container.name),
        };
        let env = container.env();
        for variable in &env {
            let Some(from) = variable.node.get("valueFrom") else {
                continue;
            };
            let via = Via::Variable(own.clone(), Arc::clone(&variable.name));
            for (field, kind) in [
                ("configMapKeyRef", SourceKind::ConfigMap),
                ("secretKeyRef", SourceKind::Secret),
            ] {
                let Some(node) = from.get(field) else { continue };
                if let Some(named) = object(node, "name") {
                    self.tell(kind, named, text(node, "key"), via.clone());
                }
            }
        }
        for (kind, named, prefix) in whole_objects(container) {
            self.tell(kind, named, None, Via::AllVariables(own.clone(), prefix));
        }
        if !container.env_from().is_empty() {
            let names = env.into_iter().map(|variable| variable.name).collect();
            self.reader.variables.push((own, names));
        }
    }

    fn volume(&mut self, name: &Arc<str>, volume: &Node, containers: &[Container<'_>]) {
        let shown = self.shown(volume);
        let (mut is_whole, mut is_mounted) = (false, false);
        for container in containers {
            let mounts = container
                .node
                .get("volumeMounts")
                .map(Node::items)
                .unwrap_or_default();
            for mount in mounts
                .iter()
                .filter(|mount| text(mount, "name").as_ref() == Some(name))
            {
                is_mounted = true;
                let Some(file) = text(mount, "subPath").filter(|file| !file.is_empty()) else {
                    is_whole = true;
                    continue;
                };
                let own = ContainerName {
                    list: container.list.into(),
                    name: Arc::clone(&container.name),
                };
                let via = Via::SubPath(own, Arc::clone(&file));
                self.file(&shown, &file, &via);
            }
        }
        if is_whole || !is_mounted {
            for shown in &shown {
                self.files(shown, name);
            }
        }
    }

    /// A file that is mounted by itself: of the objects that list it, else of those that show all they have.
    fn file(&mut self, shown: &[Shown], file: &str, via: &Via) {
        for shown in shown {
            let listed = shown.items.iter().find(|(_, path)| **path == *file);
            let key = match listed {
                Some((key, _)) => Arc::clone(key),
                None if shown.items.is_empty() => Arc::from(file),
                None => continue,
            };
            self.push(shown, Some(key), via.clone());
        }
    }

    fn files(&mut self, shown: &Shown, volume: &Arc<str>) {
        let via = Via::Volume(Arc::clone(volume));
        if shown.items.is_empty() {
            self.push(shown, None, via);
        } else {
            for (key, _) in &shown.items {
                self.push(shown, Some(Arc::clone(key)), via.clone());
            }
        }
    }

    /// What a volume shows of ConfigMaps and Secrets.
    fn shown(&self, volume: &Node) -> Vec<Shown> {
        let mut found = Vec::new();
        let mut show = |node: &Node, secret_name: &str| {
            for (field, kind, name) in [
                ("configMap", SourceKind::ConfigMap, "name"),
                ("secret", SourceKind::Secret, secret_name),
            ] {
                let Some(node) = node.get(field) else { continue };
                let Some(named) = object(node, name) else { continue };
                let items = node.get("items").map(Node::items).unwrap_or_default();
                let items = items
                    .iter()
                    .filter_map(|item| Some((text(item, "key")?, text(item, "path")?)));
                found.push(Shown {
                    source: self.source(kind, named.name),
                    is_optional: named.is_optional,
                    items: items.collect(),
                });
            }
        };
        show(volume, "secretName");
        let projected = volume.get("projected").and_then(|node| node.get("sources"));
        for source in projected.map(Node::items).unwrap_or_default() {
            show(source, "name");
        }
        found
    }

    fn source(&self, kind: SourceKind, name: Arc<str>) -> Source {
        Source {
            kind,
            namespace: Arc::clone(self.namespace),
            name,
        }
    }

    fn push(&mut self, shown: &Shown, key: Option<Arc<str>>, via: Via) {
        self.reader.references.push(Reference {
            source: shown.source.clone(),
            key,
            is_optional: shown.is_optional,
            via,
        });
    }

    fn tell(&mut self, kind: SourceKind, named: Named, key: Option<Arc<str>>, via: Via) {
        let source = self.source(kind, named.name);
        self.reader.references.push(Reference {
            source,
            key,
            is_optional: named.is_optional,
            via,
        });
    }
}

/// The objects that a container takes in whole as variables, with their prefixes.
fn whole_objects(container: &Container<'_>) -> Vec<(SourceKind, Named, Arc<str>)> {
    let mut found = Vec::new();
    for entry in container.env_from() {
        let prefix = text(entry, "prefix").unwrap_or_default();
        for (field, kind) in [
            ("configMapRef", SourceKind::ConfigMap),
            ("secretRef", SourceKind::Secret),
        ] {
            if let Some(named) = entry.get(field).and_then(|node| object(node, "name")) {
                found.push((kind, named, Arc::clone(&prefix)));
            }
        }
    }
    found
}

/// The same as sources of a namespace.
pub(super) fn taken_in(container: &Container<'_>, namespace: &Arc<str>) -> Vec<(Source, Arc<str>)> {
    let source = |(kind, named, prefix): (SourceKind, Named, Arc<str>)| {
        let source = Source {
            kind,
            namespace: Arc::clone(namespace),
            name: named.name,
        };
        (source, prefix)
    };
    whole_objects(container).into_iter().map(source).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Manifest;

    fn told(spec: &str) -> Vec<String> {
        let text = format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n{spec}");
        let manifest = Manifest::read(text.into_bytes(), "n");
        let readers = readers(&manifest.documents[0]);
        let tell = |reader: &Reader| -> Vec<String> {
            let one = |reference: &Reference| {
                let key = reference.key.as_deref().unwrap_or("*");
                let mark = if reference.is_optional { "?" } else { "" };
                format!("{} {key}{mark} {}", reference.source, reader.field(reference))
            };
            reader.references.iter().map(one).collect()
        };
        readers.iter().flat_map(tell).collect()
    }

    #[test]
    fn variables_refer_to_keys_and_whole_objects() {
        let spec = "  containers:\n  - name: c\n    envFrom: [{prefix: P_, configMapRef: {name: all}}]\n    env:\n    \
            - {name: A, value: plain}\n    - {name: B, valueFrom: {secretKeyRef: {name: s, key: k, optional: true}}}\n    \
            - {name: C, valueFrom: {fieldRef: {fieldPath: metadata.name}}}\n";
        assert_eq!(
            told(spec),
            [
                "v1/Secret/n/s k? spec.containers[name=c].env[name=B]",
                "v1/ConfigMap/n/all * spec.containers[name=c].envFrom",
            ]
        );
    }

    #[test]
    fn volumes_show_files_and_single_files_are_told_apart() {
        let spec = "  volumes:\n  - {name: v, configMap: {name: m, items: [{key: k, path: f}, {key: l, path: g}]}}\n  \
            - {name: w, projected: {sources: [{secret: {name: s, optional: true}}, {serviceAccountToken: {}}]}}\n  \
            - {name: x, secret: {secretName: t}}\n  \
            containers:\n  - name: c\n    volumeMounts: [{name: v, subPath: f}, {name: w}, {name: x, subPath: ''}]\n";
        assert_eq!(
            told(spec),
            [
                "v1/ConfigMap/n/m k spec.containers[name=c].volumeMounts",
                "v1/Secret/n/s *? spec.volumes[name=w]",
                "v1/Secret/n/t * spec.volumes[name=x]",
            ]
        );
    }

    #[test]
    fn accounts_and_pull_secrets_are_references_and_the_default_account_is_not() {
        let rest = "  containers: [{name: c}]\n";
        assert_eq!(
            told(&format!(
                "  serviceAccountName: x\n  imagePullSecrets: [{{name: p}}, null]\n{rest}"
            )),
            [
                "v1/Secret/n/p * spec.imagePullSecrets",
                "v1/ServiceAccount/n/x * spec.serviceAccountName"
            ]
        );
        assert_eq!(told(&format!("  serviceAccountName: default\n{rest}")), [""; 0]);
    }
}
