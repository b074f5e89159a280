//! Folders of plain Kubernetes YAML, which no chart renders.

use super::super::path::{join, parent};
use super::helmfile::is_helmfile;
use super::survey::{Survey, is_not_deployed, is_yaml};
use crate::source::SourceTree;
use crate::yaml;
use std::collections::{BTreeMap, BTreeSet};

/// A release of raw YAML.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Manifests {
    /// What matches its files.
    pub(super) globs: Vec<String>,
    /// Its name; with a capture for several folders.
    pub(super) name: String,
}

/// Folders of manifests, and folders that hold them but were left out, with the reason.
#[derive(Debug, Default)]
pub(super) struct Raw {
    pub(super) releases: Vec<Manifests>,
    pub(super) left_out: Vec<(String, &'static str)>,
}

/// API groups whose objects are for tools on a desk, not for a cluster.
const TOOLS: [&str; 6] = [
    "kustomize.config.k8s.io",
    "kind.x-k8s.io",
    "skaffold/",
    "k3d.io",
    "ctlptl.dev",
    "config.kubernetes.io",
];

/// Folder names that say nothing about what is in them.
const GENERIC: [&str; 8] = [
    "manifests",
    "manifest",
    "k8s",
    "kubernetes",
    "yaml",
    "deploy",
    "resources",
    "base",
];

/// Folders whose YAML is for the people who work on the repository.
const FOR_PEOPLE: [&str; 8] = [
    "ansible",
    "hack",
    "playbooks",
    "roles",
    "script",
    "scripts",
    "tool",
    "tools",
];

/// Files are only read up to this size: what is larger is data.
const MOST_BYTES: usize = 1 << 20;

/// Finds folders of manifests outside of charts.
pub(super) fn raw(tree: &dyn SourceTree, survey: &Survey) -> Raw {
    let mut raw = Raw::default();
    let mut folders: BTreeMap<&str, (Vec<&str>, usize)> = BTreeMap::new();
    for file in survey.files.iter().filter(|file| is_yaml(file)) {
        let folder = parent(file);
        let inside = survey
            .charts
            .iter()
            .any(|chart| chart.path.is_empty() || file.starts_with(&join(&chart.path, "")));
        let left_out = survey
            .left_out
            .iter()
            .any(|(path, _)| file.starts_with(&join(path, "")));
        let aside = folder
            .split('/')
            .any(|step| is_not_deployed(step) || FOR_PEOPLE.contains(&step));
        if inside || left_out || aside || is_helmfile(file) {
            continue;
        }
        let (manifests, others) = folders.entry(folder).or_default();
        if is_manifest(tree, file) {
            manifests.push(file);
        } else {
            *others += 1;
        }
    }
    let mut pure: BTreeMap<&str, Vec<(&str, Vec<String>)>> = BTreeMap::new();
    for (folder, (manifests, others)) in folders {
        if manifests.is_empty() {
            continue;
        }
        if survey.files.contains(&join(folder, "kustomization.yaml")) {
            raw.left_out.push((
                folder.to_owned(),
                "kustomize builds it, which evenkeel does not run",
            ));
            continue;
        }
        let globs = if others == 0 {
            let ends: BTreeSet<&str> = manifests
                .iter()
                .filter_map(|file| file.rsplit('.').next())
                .collect();
            ends.iter().map(|end| join(folder, &format!("*.{end}"))).collect()
        } else {
            manifests.iter().map(|file| (*file).to_owned()).collect()
        };
        pure.entry(parent(folder)).or_default().push((folder, globs));
    }
    for (above, folders) in pure {
        let alike = folders.len() > 2
            && !above.is_empty()
            && folders
                .iter()
                .all(|(folder, globs)| globs[..] == [join(folder, "*.yaml")]);
        if alike {
            raw.releases.push(Manifests {
                globs: vec![format!("{above}/{{app}}/*.yaml")],
                name: "{app}".to_owned(),
            });
            continue;
        }
        for (folder, globs) in folders {
            raw.releases.push(Manifests {
                globs,
                name: name_of(folder),
            });
        }
    }
    raw
}

fn name_of(folder: &str) -> String {
    let telling = folder
        .rsplit('/')
        .find(|step| !step.is_empty() && !GENERIC.contains(step))
        .or_else(|| folder.rsplit('/').find(|step| !step.is_empty()));
    telling.unwrap_or("manifests").to_owned()
}

/// True for a file of nothing but Kubernetes objects.
fn is_manifest(tree: &dyn SourceTree, file: &str) -> bool {
    let Ok(bytes) = tree.read(file) else {
        return false;
    };
    if bytes.len() > MOST_BYTES {
        return false;
    }
    let stream = yaml::parse_stream(&bytes);
    let mut documents = stream
        .documents
        .iter()
        .map(|document| &document.node)
        .filter(|node| !node.is_null())
        .peekable();
    stream.error.is_none()
        && documents.peek().is_some()
        && documents.all(|node| {
            let text = |key: &str| node.get(key).and_then(yaml::Node::as_str);
            text("kind").is_some()
                && text("apiVersion")
                    .is_some_and(|version| !TOOLS.iter().any(|tool| version.starts_with(tool)))
        })
}

#[cfg(test)]
mod tests {
    use super::super::survey::survey;
    use super::*;
    use crate::source::MemoryTree;

    const OBJECT: &str = "apiVersion: v1\nkind: ConfigMap\n";

    #[test]
    fn folders_of_objects_are_releases() {
        let tree = MemoryTree::new("test")
            .file("deploy/a/x.yaml", OBJECT)
            .file("deploy/a/y.yml", OBJECT)
            .file("web/manifests/x.yaml", OBJECT)
            .file("web/manifests/settings.yaml", "a: 1\n")
            .file("kind.yaml", "apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\n")
            .file(
                "custom/kustomization.yaml",
                "kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\n",
            )
            .file("custom/x.yaml", OBJECT)
            .file("tests/x.yaml", OBJECT)
            .file("templated.yaml", "apiVersion: v1\nkind: {{ kind }}\n")
            .file("chart/Chart.yaml", "name: c\n")
            .file("chart/extra.yaml", OBJECT);
        let raw = raw(&tree, &survey(&tree));
        assert_eq!(
            raw.releases,
            [
                Manifests {
                    globs: vec!["deploy/a/*.yaml".into(), "deploy/a/*.yml".into()],
                    name: "a".into()
                },
                Manifests {
                    globs: vec!["web/manifests/x.yaml".into()],
                    name: "web".into()
                }
            ]
        );
        assert_eq!(raw.left_out[0].0, "custom");
    }

    #[test]
    fn folders_alike_are_one_entry() {
        let mut tree = MemoryTree::new("test");
        for app in ["a", "b", "c"] {
            tree = tree.file(&format!("apps/{app}/x.yaml"), OBJECT);
        }
        let raw = raw(&tree, &survey(&tree));
        assert_eq!(raw.releases[0].globs, ["apps/{app}/*.yaml"]);
        assert_eq!(raw.releases[0].name, "{app}");
    }
}
