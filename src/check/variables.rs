//! `Variables`: what the environment of a container comes to, and which `$(NAME)` in it are filled in.
//!
//! The rules are those of the kubelet (`makeEnvironmentVariables` in `pkg/kubelet/kubelet_pods.go`): what `envFrom`
//! takes in is there first, then the entries of `env` one after the other. A `$(NAME)` stands for what was there
//! before it, else it stays as it is written.

use super::pods::Container;
use super::provided::{self, Source, contents};
use super::reads::taken_in;
use super::{Footprint, PlatformView};
use crate::base::Side;
use crate::manifest::Document;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The variables that objects come to where they are taken in whole, as far as the renders of a platform tell.
pub(super) struct Known<'v> {
    cells: BTreeMap<&'v Source, &'v [Arc<str>]>,
    compared: BTreeMap<Source, Vec<Arc<str>>>,
}

impl<'v> Known<'v> {
    /// What is known of a side.
    pub(super) fn of(view: &'v PlatformView<'_>, side: Side) -> Known<'v> {
        let footprints = view.cells.iter().filter_map(|cell| *cell.footprints.get(side));
        let cells = footprints.flat_map(|footprint: &Footprint| &footprint.variables);
        let compared = view.cells.iter().filter_map(|cell| cell.comparison);
        let documents = compared.flat_map(|comparison| &comparison.documents);
        let documents = documents.filter_map(|document| document.documents.get(side).as_deref());
        let keys = |document: &Document| {
            let source = Source::of(document.id())?;
            Some((
                source,
                provided::variables(&contents(document)).cloned().collect(),
            ))
        };
        Known {
            cells: cells.map(|(source, keys)| (source, &keys[..])).collect(),
            compared: documents.filter_map(keys).collect(),
        }
    }

    /// The variables that an object comes to.
    pub(super) fn keys(&self, source: &Source) -> Option<&[Arc<str>]> {
        let compared = self.compared.get(source).map(Vec::as_slice);
        compared.or_else(|| self.cells.get(source).copied())
    }
}

/// The environment of a container.
pub(super) struct Variables {
    /// The entries of `env`, in their order.
    pub(super) entries: Vec<Entry>,
    /// What `envFrom` takes in of objects that are known.
    taken_in: BTreeSet<Arc<str>>,
    /// The objects that nobody knows the keys of.
    pub(super) unknown: BTreeSet<Source>,
}

/// An entry of `env`.
pub(super) struct Entry {
    /// Its name.
    pub(super) name: Arc<str>,
    /// The names that its value refers to.
    pub(super) refers: Vec<String>,
}

impl Variables {
    /// The environment of a container in a namespace.
    pub(super) fn of(container: &Container<'_>, namespace: &Arc<str>, known: &Known<'_>) -> Variables {
        let entry = |variable: super::pods::Variable<'_>| {
            let value = variable.node.get("value").and_then(|value| value.string_field());
            Entry {
                name: variable.name,
                refers: refers(&value.unwrap_or_default()),
            }
        };
        let mut variables = Variables {
            entries: container.env().into_iter().map(entry).collect(),
            taken_in: BTreeSet::new(),
            unknown: BTreeSet::new(),
        };
        for (source, prefix) in taken_in(container, namespace) {
            match known.keys(&source) {
                Some(keys) => {
                    let names = keys.iter().map(|key| Arc::from(format!("{prefix}{key}")));
                    variables.taken_in.extend(names);
                }
                None => {
                    variables.unknown.insert(source);
                }
            }
        }
        variables
    }

    /// Every variable that is known to be there: those of `env` in their order, then the others by name.
    pub(super) fn names(&self) -> Vec<&Arc<str>> {
        let mut seen = BTreeSet::new();
        let entries = self.entries.iter().map(|entry| &entry.name);
        let all = entries.chain(&self.taken_in);
        all.filter(|name| seen.insert(Arc::clone(name))).collect()
    }

    /// The first entry of a name.
    pub(super) fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| &*entry.name == name)
    }

    /// True when a reference in an entry finds its variable.
    pub(super) fn fills_in(&self, entry: &Entry, name: &str) -> bool {
        let before = self
            .entries
            .iter()
            .take_while(|other| !std::ptr::eq(*other, entry));
        self.taken_in.contains(name) || before.into_iter().any(|other| &*other.name == name)
    }
}

/// The names that a text refers to by `$(NAME)`, each once; `$$` stands for `$`, and what is not closed for itself
/// (`third_party/forked/golang/expansion` of Kubernetes).
fn refers(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        rest = &rest[at + 1..];
        if let Some(escaped) = rest.strip_prefix('$') {
            rest = escaped;
        } else if let Some((name, behind)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            if !found.iter().any(|known| known == name) {
                found.push(name.to_owned());
            }
            rest = behind;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read_as_kubernetes_reads_them() {
        assert_eq!(refers("http://$(HOST):$(PORT)/$(HOST)"), ["HOST", "PORT"]);
        assert_eq!(refers("$$(A) $A ${B} $(C"), [""; 0]);
        assert_eq!(refers("$$$(A)$"), ["A"]);
    }
}
