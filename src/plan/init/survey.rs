//! What a repository holds that matters to a first configuration: charts, YAML files beside them, helmfiles.

use super::super::path;
use crate::source::{EntryKind, SourceTree};
use crate::yaml::{self, Node};
use std::collections::BTreeSet;

/// A look at a repository.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Files outside the inner folders of charts, sorted.
    pub(super) files: BTreeSet<String>,
    /// Charts that are not part of another, sorted by path.
    pub(super) charts: Vec<ChartFolder>,
    /// Charts that a first configuration leaves out, and why.
    pub(super) left_out: Vec<(String, &'static str)>,
}

/// A folder with a Chart.yaml.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ChartFolder {
    /// Its path; empty for the root of the repository.
    pub(super) path: String,
    /// The name its Chart.yaml gives.
    pub(super) name: String,
    /// True when it brings CRDs beside its templates.
    pub(super) crds: bool,
    /// Dependencies that are not in its `charts/` folder.
    pub(super) missing: Vec<String>,
}

/// Folders of a chart that hold no values for it.
const INNER: [&str; 4] = ["templates", "charts", "crds", "files"];

/// Folders whose charts are not for a cluster.
const NOT_DEPLOYED: [&str; 14] = [
    "test", "tests", "testing", "testdata", "fixture", "fixtures", "spec", "example", "examples", "sample",
    "samples", "scaffold", "doc", "docs",
];

/// True for a step of a path that says that what is below is not for a cluster.
pub(super) fn is_not_deployed(step: &str) -> bool {
    step.starts_with(['_', '.']) || NOT_DEPLOYED.contains(&step)
}

/// Looks through a repository. Hidden folders are not looked into, links to folders not followed, and what
/// cannot be read is passed over: the file this leads to is checked by its author.
pub(super) fn survey(tree: &dyn SourceTree) -> Survey {
    let mut survey = Survey::default();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = tree.list(&folder) else {
            continue;
        };
        let is_chart = entries.iter().any(|(name, _)| name == "Chart.yaml");
        if is_chart {
            survey.chart(tree, &folder, &entries);
        }
        for (name, kind) in entries {
            let below = path::join(&folder, &name);
            match kind {
                EntryKind::Directory
                    if name.starts_with('.')
                        || name == "node_modules"
                        || is_chart && INNER.contains(&name.as_str()) => {}
                EntryKind::Directory => folders.push(below),
                EntryKind::File { .. } | EntryKind::Symlink(_) => {
                    survey.files.insert(below);
                }
                EntryKind::Submodule => {}
            }
        }
    }
    survey.charts.sort_by(|a, b| a.path.cmp(&b.path));
    survey.left_out.sort();
    survey
}

impl Survey {
    fn chart(&mut self, tree: &dyn SourceTree, folder: &str, entries: &[(String, EntryKind)]) {
        let has = |name: &str| entries.iter().any(|(entry, _)| entry == name);
        let Some(metadata) = read(tree, &path::join(folder, "Chart.yaml")) else {
            self.left_out
                .push((folder.to_owned(), "its Chart.yaml cannot be read"));
            return;
        };
        let text = |key: &str| metadata.get(key).and_then(Node::as_str);
        let Some(name) = text("name") else {
            self.left_out
                .push((folder.to_owned(), "its Chart.yaml gives no name"));
            return;
        };
        if text("type") == Some("library") {
            self.left_out
                .push((folder.to_owned(), "a library, which renders nothing by itself"));
            return;
        }
        if folder.split('/').any(is_not_deployed) {
            self.left_out
                .push((folder.to_owned(), "its folder says that it is not for a cluster"));
            return;
        }
        let vendored = tree.list(&path::join(folder, "charts")).unwrap_or_default();
        let requirements = read(tree, &path::join(folder, "requirements.yaml"));
        let dependencies = [Some(&metadata), requirements.as_ref()]
            .into_iter()
            .flatten()
            .filter_map(|file| file.get("dependencies"))
            .flat_map(Node::items)
            .filter_map(|dependency| dependency.get("name")?.as_str());
        let missing: BTreeSet<&str> = dependencies
            .filter(|name| !vendored.iter().any(|(file, _)| provides(file, name)))
            .collect();
        self.charts.push(ChartFolder {
            path: folder.to_owned(),
            name: name.to_owned(),
            crds: has("crds"),
            missing: missing.into_iter().map(str::to_owned).collect(),
        });
    }
}

/// True when an entry of `charts/` is a dependency: its folder, or an archive `name-version.tgz`.
fn provides(entry: &str, name: &str) -> bool {
    let Some(rest) = entry.strip_prefix(name) else {
        return false;
    };
    let version = rest.strip_prefix('-').and_then(|rest| rest.strip_suffix(".tgz"));
    rest.is_empty()
        || version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit() || c == 'v'))
}

/// The first document of a YAML file; `None` when it cannot be read.
pub(super) fn read(tree: &dyn SourceTree, path: &str) -> Option<Node> {
    let bytes = tree.read(path).ok()?;
    Some(yaml::parse_first(&bytes).ok()?.node)
}

/// True for the name of a YAML file.
pub(super) fn is_yaml(path: &str) -> bool {
    path.ends_with(".yaml") || path.ends_with(".yml")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemoryTree;

    #[test]
    fn charts_within_charts_and_libraries_are_not_for_the_first_file() {
        let tree = MemoryTree::new("test")
            .file(
                "a/Chart.yaml",
                "name: a\ndependencies: [{ name: db }, { name: mq }]\n",
            )
            .file("a/charts/db-1.2.0.tgz", "")
            .file("a/charts/inner/Chart.yaml", "name: inner\n")
            .file("a/crds/x.yaml", "")
            .file("a/ci/x-values.yaml", "")
            .file("lib/Chart.yaml", "name: lib\ntype: library\n")
            .file("tests/t/Chart.yaml", "name: t\n")
            .file("_skeleton/Chart.yaml", "name: {{ name }}\n")
            .file(".hidden/Chart.yaml", "name: h\n");
        let survey = survey(&tree);
        assert_eq!(
            survey.charts,
            [ChartFolder {
                path: "a".into(),
                name: "a".into(),
                crds: true,
                missing: vec!["mq".into()],
            }]
        );
        let left_out: Vec<&str> = survey.left_out.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(left_out, ["_skeleton", "lib", "tests/t"]);
        assert!(survey.files.contains("a/ci/x-values.yaml"));
        assert!(!survey.files.contains("a/crds/x.yaml"));
    }
}
