//! `Loss`: what pods read from at the baseline and nothing provides any more, within a platform.

use super::provided::{Source, contents};
use super::reads::{Reader, Reference};
use super::{Footprint, PlatformCell, PlatformView};
use crate::compare::{CellComparison, DocumentComparison, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An object that leaves the platform, or keys of one that stays.
pub(super) struct Loss {
    /// The cell that provided it.
    cell: usize,
    /// The object.
    pub(super) source: Source,
    /// The keys that are gone: of an object that leaves, all it had.
    pub(super) keys: BTreeSet<Arc<str>>,
    /// True when the object itself leaves.
    pub(super) is_whole: bool,
}

impl Loss {
    /// True when a reference loses something by it. Whoever takes in what there is only loses with the object.
    pub(super) fn hits(&self, reference: &Reference) -> bool {
        let key = reference.key.as_ref();
        reference.source == self.source && (self.is_whole || key.is_some_and(|key| self.keys.contains(key)))
    }
}

/// Everything that leaves. Objects are only missed where the whole platform was rendered: elsewhere somebody else
/// may provide them.
pub(super) fn losses(view: &PlatformView<'_>) -> Vec<Loss> {
    let failed = |cell: &PlatformCell<'_>| cell.comparison.is_none();
    let sees_all = !view.is_selection && !view.cells.iter().any(failed);
    let there = Provided::of(view);
    let mut found = Vec::new();
    for (at, cell) in view.cells.iter().enumerate() {
        for document in documents(cell.comparison) {
            let Some(baseline) = document.documents.baseline.as_deref() else {
                continue;
            };
            let Some(source) = Source::of(baseline.id()) else {
                continue;
            };
            let had = contents(baseline).into_keys();
            let (is_whole, keys): (bool, BTreeSet<_>) = match there.keys_of(&source) {
                Keys::None if sees_all => (true, had.collect()),
                Keys::Are(now) => (false, had.filter(|key| !now.contains(key)).collect()),
                Keys::None | Keys::Unknown => continue,
            };
            if is_whole || !keys.is_empty() {
                found.push(Loss {
                    cell: at,
                    source,
                    keys,
                    is_whole,
                });
            }
        }
    }
    found
}

/// What the candidate provides.
struct Provided<'v> {
    footprints: Vec<&'v Footprint>,
    objects: BTreeSet<Source>,
    compared: BTreeMap<Source, Option<BTreeSet<Arc<str>>>>,
}

enum Keys<'p> {
    /// Nothing provides the object.
    None,
    /// Something does, and it is what it was, or nobody can say what it holds.
    Unknown,
    Are(&'p BTreeSet<Arc<str>>),
}

impl<'v> Provided<'v> {
    fn of(view: &'v PlatformView<'_>) -> Provided<'v> {
        let footprints: Vec<&Footprint> = view
            .cells
            .iter()
            .filter_map(|cell| cell.footprints.candidate)
            .collect();
        let objects = footprints.iter().flat_map(|footprint| &footprint.objects);
        let mut compared: BTreeMap<_, Option<BTreeSet<_>>> = BTreeMap::new();
        let all = view.cells.iter().flat_map(|cell| documents(cell.comparison));
        for document in all.filter_map(|document| document.documents.candidate.as_deref()) {
            if let Some(source) = Source::of(document.id()) {
                let keys = document.body().is_ok().then(|| contents(document).into_keys());
                let known = compared.entry(source).or_insert_with(|| Some(BTreeSet::new()));
                match (known.as_mut(), keys) {
                    (Some(known), Some(keys)) => known.extend(keys),
                    _ => *known = None,
                }
            }
        }
        Provided {
            objects: objects.filter_map(Source::of).collect(),
            footprints,
            compared,
        }
    }

    fn keys_of(&self, source: &Source) -> Keys<'_> {
        if self
            .footprints
            .iter()
            .any(|footprint| footprint.made.contains(source))
        {
            return Keys::Unknown;
        }
        match self.compared.get(source) {
            Some(Some(keys)) => Keys::Are(keys),
            Some(None) => Keys::Unknown,
            None if self.objects.contains(source) => Keys::Unknown,
            None => Keys::None,
        }
    }
}

/// The documents of a comparison, if there is one.
pub(super) fn documents(comparison: Option<&CellComparison>) -> &[DocumentComparison] {
    comparison.map_or(&[], |comparison| &comparison.documents)
}

/// A pod of the candidate that loses something.
pub(super) struct Bereft<'v> {
    /// The release.
    pub(super) release: &'v str,
    /// The pod.
    pub(super) reader: &'v Reader,
    /// What it loses.
    pub(super) loss: &'v Loss,
    /// What became of its document.
    pub(super) verdict: Verdict,
}

/// Every pod of the candidate that refers to something that leaves. Settings of a chart that are not installed
/// together lose nothing by each other.
pub(super) fn bereft<'v>(view: &'v PlatformView<'_>, losses: &'v [Loss]) -> Vec<Bereft<'v>> {
    let mut by_source: BTreeMap<&Source, Vec<&Loss>> = BTreeMap::new();
    for loss in losses {
        by_source.entry(&loss.source).or_default().push(loss);
    }
    let mut found = Vec::new();
    for (at, cell) in view.cells.iter().enumerate().filter(|_| !losses.is_empty()) {
        let readers = cell
            .footprints
            .candidate
            .map_or(&[][..], |footprint| &footprint.readers);
        for reader in readers {
            let sources: BTreeSet<&Source> = reader
                .references
                .iter()
                .map(|reference| &reference.source)
                .collect();
            let lost = sources
                .iter()
                .filter_map(|source| by_source.get(source))
                .flatten();
            for loss in lost.filter(|loss| loss.cell == at || !cell.variant && !view.cells[loss.cell].variant)
            {
                let verdict = documents(cell.comparison)
                    .iter()
                    .find(|document| document.id == reader.id);
                found.push(Bereft {
                    release: cell.release,
                    reader,
                    loss,
                    verdict: verdict.map_or(Verdict::Added, |document| document.verdict),
                });
            }
        }
    }
    found
}
