//! Telling chance from change by marks: the engine knows which bytes are random, or the clock's, or stand in an
//! order that Go draws anew. Such bytes are the same twice here, and never on a cluster.

use super::render::Output;
use crate::base::Sides;
use crate::compare::{CellComparison, Verdict};
use crate::engine::History;
use crate::manifest::{Manifest, ObjectKey, Rules};
use crate::value::AmbientKind;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// What real Helm gives anew with every render.
const CHANCE: [AmbientKind; 4] = [
    AmbientKind::Random,
    AmbientKind::Clock,
    AmbientKind::Host,
    AmbientKind::MapOrder,
];

/// Marks the documents that are equal here and would not be in two renders of real Helm.
pub(super) fn settle(comparison: &mut CellComparison, outputs: &Sides<Output>, rules: Rules) {
    let histories = outputs.as_ref().map(|output| output.history.as_deref());
    let (Some(baseline), Some(candidate)) = (histories.baseline, histories.candidate) else {
        return;
    };
    if !has_chance(baseline) || !has_chance(candidate) {
        return;
    }
    let known = Sides::new(
        holding_chance(baseline, &outputs.baseline.manifest),
        holding_chance(candidate, &outputs.candidate.manifest),
    );
    for document in &mut comparison.documents {
        if document.verdict > Verdict::Equivalent {
            continue;
        }
        let key = (document.id.key(), document.occurrence);
        if known.baseline.contains(&key) && known.candidate.contains(&key) {
            document.verdict = Verdict::Volatile;
        }
    }
    comparison.regroup(rules);
}

fn has_chance(history: &History) -> bool {
    history
        .marks
        .ambients
        .iter()
        .any(|ambient| CHANCE.contains(&ambient.kind))
}

/// The documents that hold something chance wrote.
fn holding_chance<'m>(history: &History, manifest: &'m Manifest) -> FxHashSet<(ObjectKey<'m>, u32)> {
    let documents = manifest.documents.iter();
    documents
        .filter(|document| chance(history, document.range()).next().is_some())
        .map(|document| (document.id().key(), document.occurrence()))
        .collect()
}

/// The parts of a range that chance wrote.
pub(super) fn chance(history: &History, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    history
        .spans(range)
        .filter(|(_, span)| {
            history
                .ambients(span.marks)
                .any(|ambient| CHANCE.contains(&ambient.kind))
        })
        .map(|(range, _)| range)
}
