//! Telling chance from change with an engine that cannot say where a byte came from: the cell is rendered a
//! second time, and a field that differs between two renders of one side is chance there. A difference
//! between the sides is `volatile` only where both sides are unstable.

use super::render::{Outcome, Output};
use crate::base::{KeyPath, Side, Sides};
use crate::compare::{CellComparison, Op, Verdict, cell as compare, effect};
use crate::manifest::{DocumentId, ObjectKey, Rules};
use std::collections::BTreeMap;

/// The unstable fields of each document of a side.
type Unstable = BTreeMap<String, Vec<Field>>;

/// A field that differs between two renders of one side.
struct Field {
    path: KeyPath,
    op: Op,
}

impl Field {
    /// True when chance alone may explain a difference there. A value that is replaced whole stands for all below
    /// it; a list that loses, gains or reorders elements does not stand for what is in them.
    fn covers(&self, path: &KeyPath) -> bool {
        *path == self.path || matches!(self.op, Op::Replace | Op::Type) && path.starts_with(&self.path)
    }
}

/// True when some document differs, so that a second render can tell more.
pub(super) fn is_in_question(comparison: &CellComparison) -> bool {
    comparison
        .documents
        .iter()
        .any(|document| document.verdict == Verdict::Changed)
}

/// Marks what only chance makes differ. `again` are the second renders.
pub(super) fn settle(
    comparison: &mut CellComparison,
    first: &Sides<Output>,
    again: &Sides<Outcome>,
    rules: Rules,
) {
    let unstable = |side: Side| match again.get(side) {
        Outcome::Rendered(output) => unstable(first.get(side), output, rules),
        Outcome::Failed(_) => Unstable::new(),
    };
    let unstable = Sides::new(unstable(Side::Baseline), unstable(Side::Candidate));
    for document in &mut comparison.documents {
        if document.verdict != Verdict::Changed {
            continue;
        }
        let key = key(document.id.key(), document.occurrence);
        let covers = |side: Side, path: &KeyPath| {
            let fields = unstable.get(side).get(&key).map_or(&[][..], Vec::as_slice);
            fields.iter().any(|unstable| unstable.covers(path))
        };
        let chance = |path: &KeyPath| covers(Side::Baseline, path) && covers(Side::Candidate, path);
        if document.changes.iter().all(|change| chance(&change.path)) {
            document.verdict = Verdict::Volatile;
            document.effects.clear();
        } else {
            document.changes.retain(|change| !chance(&change.path));
            document.effects = effect::summary(&document.changes);
        }
    }
    comparison.regroup(rules);
}

/// What differs between two renders of one side.
fn unstable(first: &Output, second: &Output, rules: Rules) -> Unstable {
    let sides = Sides::new(&first.manifest, &second.manifest);
    let comparison = compare::compare("", sides, rules);
    let changed = comparison
        .documents
        .into_iter()
        .filter(|document| document.verdict == Verdict::Changed);
    changed
        .map(|document| {
            let fields = document
                .changes
                .iter()
                .map(|change| Field {
                    path: change.path.clone(),
                    op: change.op,
                })
                .collect();
            (key(document.id.key(), document.occurrence), fields)
        })
        .collect()
}

/// The documents that differ between two renders of one side.
pub(super) fn unstable_documents(first: &Output, second: &Output, rules: Rules) -> Vec<DocumentId> {
    let sides = Sides::new(&first.manifest, &second.manifest);
    let comparison = compare::compare("", sides, rules);
    let differs = |verdict| verdict > Verdict::Accepted;
    comparison
        .documents
        .into_iter()
        .filter(|document| differs(document.verdict))
        .map(|document| document.id)
        .collect()
}

fn key(key: ObjectKey<'_>, occurrence: u32) -> String {
    let namespace = key.namespace.unwrap_or_default();
    format!("{}/{}/{namespace}/{}#{occurrence}", key.group, key.kind, key.name)
}
