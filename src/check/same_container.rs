//! The containers of the two sides that are one container.

use super::pods::{Container, Pod, pods};
use super::{PlatformCell, PlatformView};
use crate::base::Sides;
use crate::compare::DocumentComparison;
use std::sync::Arc;

/// A container that both sides have, in a document that differs.
pub(super) struct Pair<'a> {
    /// The release.
    pub(super) cell: &'a PlatformCell<'a>,
    /// What became of the document.
    pub(super) document: &'a DocumentComparison,
    /// The namespace of each side's pod.
    pub(super) namespaces: Sides<&'a Arc<str>>,
    /// The container of each side.
    pub(super) containers: Sides<Container<'a>>,
}

/// Every container that both sides have in documents that differ: by its name in the pod, and where one is left on each
/// side, that one under its new name.
pub(super) fn pairs<'a>(view: &'a PlatformView<'a>) -> Vec<Pair<'a>> {
    let mut found = Vec::new();
    for cell in &view.cells {
        let documents = cell
            .comparison
            .map_or(&[][..], |comparison| &comparison.documents);
        for document in documents.iter().filter(|document| !document.changes.is_empty()) {
            let sides = (&document.documents.baseline, &document.documents.candidate);
            let (Some(before), Some(after)) = sides else {
                continue;
            };
            let namespaces = (before.id().namespace.as_ref(), after.id().namespace.as_ref());
            let (Some(from), Some(to)) = namespaces else {
                continue;
            };
            let olds = pods(before);
            for after in pods(after) {
                let Some(before) = olds.iter().find(|before| before.path == after.path) else {
                    continue;
                };
                let pair = |containers| Pair {
                    cell,
                    document,
                    namespaces: Sides::new(from, to),
                    containers,
                };
                found.extend(same(before, &after).into_iter().map(pair));
            }
        }
    }
    found
}

fn same<'a>(before: &Pod<'a>, after: &Pod<'a>) -> Vec<Sides<Container<'a>>> {
    let mut left: Vec<Container<'_>> = before.containers();
    let (mut pairs, mut new) = (Vec::new(), Vec::new());
    for container in after.containers() {
        match left.iter().position(|other| other.name == container.name) {
            Some(at) => pairs.push(Sides::new(left.remove(at), container)),
            None => new.push(container),
        }
    }
    for list in ["initContainers", "containers"] {
        let of = |container: &Container<'_>| container.list == list;
        if left.iter().filter(|other| of(other)).count() == 1
            && new.iter().filter(|other| of(other)).count() == 1
        {
            let baseline = left.iter().position(of).map(|at| left.remove(at));
            let candidate = new.iter().position(of).map(|at| new.remove(at));
            pairs.extend(
                baseline
                    .zip(candidate)
                    .map(|(before, after)| Sides::new(before, after)),
            );
        }
    }
    pairs
}
