//! `Prober`: asks a tree what stands under a path, and remembers the answers.

use super::path;
use crate::source::{EntryKind, SourceTree};
use crate::yaml::{self, Node};

use std::collections::BTreeMap;

/// What stands under a path, links followed; a link that leads nowhere is a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Probe {
    /// A file that can be read.
    File,
    /// A directory.
    Directory,
    /// Nothing.
    Missing,
    /// Something that cannot be read, and why.
    Fault(String),
}

/// A tree with remembered answers.
pub(super) struct Prober<'t> {
    tree: &'t dyn SourceTree,
    known: BTreeMap<String, Probe>,
}

impl<'t> Prober<'t> {
    pub(super) fn new(tree: &'t dyn SourceTree) -> Prober<'t> {
        Prober {
            tree,
            known: BTreeMap::new(),
        }
    }

    /// The tree.
    pub(super) fn tree(&self) -> &'t dyn SourceTree {
        self.tree
    }

    /// What a user calls the tree.
    pub(super) fn label(&self) -> &'t str {
        self.tree.label()
    }

    /// What stands under a path.
    pub(super) fn probe(&mut self, path: &str) -> Probe {
        if let Some(probe) = self.known.get(path) {
            return probe.clone();
        }
        let probe = self.ask(path);
        self.known.insert(path.to_owned(), probe.clone());
        probe
    }

    fn ask(&self, path: &str) -> Probe {
        if path.is_empty() {
            return Probe::Directory;
        }
        match self.tree.entry(path) {
            Ok(None) => Probe::Missing,
            Ok(Some(EntryKind::File { .. })) => Probe::File,
            Ok(Some(EntryKind::Directory)) => Probe::Directory,
            Ok(Some(EntryKind::Submodule)) => Probe::Fault(
                "a submodule, whose files live in another repository: verify that one, or copy them in"
                    .to_owned(),
            ),
            Ok(Some(EntryKind::Symlink(_))) => self.follow(path),
            Err(error) if error.missing => Probe::Missing,
            Err(error) => Probe::Fault(error.message),
        }
    }

    /// What a link leads to.
    fn follow(&self, path: &str) -> Probe {
        if self.tree.list(path).is_ok() {
            return Probe::Directory;
        }
        match self.tree.read(path) {
            Ok(_) => Probe::File,
            Err(error) if error.missing => Probe::Missing,
            Err(error) => Probe::Fault(error.message),
        }
    }

    /// True for a directory with a Chart.yaml.
    pub(super) fn is_chart(&mut self, directory: &str) -> bool {
        self.probe(&path::join(directory, "Chart.yaml")) == Probe::File
    }

    /// True for a chart in the `charts/` folder of another.
    pub(super) fn is_nested(&mut self, directory: &str) -> bool {
        let parent = path::parent(directory);
        let is_charts = parent == "charts" || parent.ends_with("/charts");
        is_charts && self.is_chart(path::parent(parent))
    }

    /// True for a chart of type `library`.
    pub(super) fn is_library(&self, directory: &str) -> bool {
        let path = path::join(directory, "Chart.yaml");
        let Ok(bytes) = self.tree.read(&path) else {
            return false;
        };
        yaml::parse_first(&bytes)
            .is_ok_and(|parsed| parsed.node.get("type").and_then(Node::as_str) == Some("library"))
    }

    /// The names in a directory; none when it cannot be read.
    pub(super) fn siblings(&mut self, directory: &str) -> Vec<String> {
        self.tree
            .list(directory)
            .unwrap_or_default()
            .into_iter()
            .map(|(name, _)| name)
            .collect()
    }
}
