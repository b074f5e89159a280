//! What is kept of cells whose both sides have the same input, from one run to the next.
//!
//! Kept are cells with nothing to tell: every document identical, every hazard on both sides, no warning. Of such a
//! cell the rest of a run needs identities, what it is to other releases, and where hazards stand; no text of a
//! hazard and no value is kept, so that there is no secret in the cache. Whatever was read is part of the key.

use super::cell::{CellRun, Settings};
use super::cells::CellPair;
use crate::base::digest::Hasher;
use crate::base::shelf::Shelf;
use crate::base::{Digest, Level, Place, Side, Sides};
use crate::check::{self, Footprint, Hazard};
use crate::compare::{CellComparison, DocumentComparison, Verdict};
use crate::engine::ValuesInput;
use crate::manifest::scope::{ScopeSource, Scopes};
use crate::manifest::{DocumentId, Rules};
use crate::plan::{Cell, Input};
use crate::source::SourceTree;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The cells that are known from other runs.
#[derive(Debug)]
pub(super) struct Cache {
    shelf: Shelf,
}

/// What is kept of a cell.
#[derive(Serialize, Deserialize)]
struct Entry {
    documents: Vec<KnownDocument>,
    scopes: Scopes,
    footprint: Footprint,
    hazards: Vec<KnownHazard>,
}

#[derive(Serialize, Deserialize)]
struct KnownDocument {
    id: DocumentId,
    scope: ScopeSource,
    occurrence: u32,
    hook: bool,
}

/// A hazard that stands on both sides of a cell that is equal: it is counted, and a comment may be for it.
#[derive(Serialize, Deserialize)]
struct KnownHazard {
    check: String,
    level: Level,
    place: Option<Place>,
}

impl Cache {
    /// The cache in a folder; `None` where it would be among the user's files.
    pub(super) fn open(folder: &Path, repository: Option<&Path>) -> Option<Cache> {
        let is_inside = |root: &Path| {
            let real = root.canonicalize();
            folder.starts_with(root) || real.is_ok_and(|real| is_below(folder, &real))
        };
        let is_usable = folder.is_absolute() && !repository.is_some_and(is_inside);
        is_usable.then(|| Cache {
            shelf: Shelf::new(folder),
        })
    }

    /// What became of a cell of that input.
    pub(super) fn get(&self, key: &Digest, pair: &CellPair) -> Option<CellRun> {
        let entry: Entry = postcard::from_bytes(&self.shelf.get(key)?).ok()?;
        entry.into_run(pair)
    }

    /// Keeps what became of a cell, if there is nothing to tell of it.
    pub(super) fn put(&self, key: &Digest, run: &CellRun) {
        let bytes = Entry::of(run).and_then(|entry| postcard::to_allocvec(&entry).ok());
        if let Some(bytes) = bytes {
            self.shelf.put(key, &bytes);
        }
    }

    /// Keeps the cache within its bounds.
    pub(super) fn trim(&self) {
        self.shelf.trim();
    }
}

/// True for a path below a directory, with links resolved as far as the path exists.
fn is_below(path: &Path, directory: &Path) -> bool {
    let known = path.ancestors().find_map(|path| path.canonicalize().ok());
    known.is_some_and(|known| known.starts_with(directory))
}

impl Entry {
    fn of(run: &CellRun) -> Option<Entry> {
        let comparison = run.comparison.as_ref()?;
        let is_quiet = comparison
            .documents
            .iter()
            .all(|document| document.verdict == Verdict::Identical)
            && comparison.rules.is_empty()
            && comparison.unruly.is_empty()
            && run.hazards.iter().all(|hazard| hazard.standing)
            && Side::BOTH
                .iter()
                .all(|side| run.failures.get(*side).is_none() && run.warnings.get(*side).is_empty());
        if !is_quiet || run.footprints.baseline != run.footprints.candidate {
            return None;
        }
        let documents = comparison.documents.iter().map(|document| KnownDocument {
            id: document.id.clone(),
            scope: document.scope,
            occurrence: document.occurrence,
            hook: document.hook,
        });
        let hazards = run.hazards.iter().map(|hazard| KnownHazard {
            check: hazard.check.to_owned(),
            level: hazard.level,
            place: hazard.place.clone(),
        });
        Some(Entry {
            documents: documents.collect(),
            scopes: comparison.scopes.clone(),
            footprint: run.footprints.candidate.clone()?,
            hazards: hazards.collect(),
        })
    }

    fn into_run(self, pair: &CellPair) -> Option<CellRun> {
        let hazards = self.hazards.into_iter().map(|known| {
            let hazard = Hazard::new(check::find(&known.check)?, String::new());
            Some(Hazard {
                level: known.level,
                place: known.place,
                standing: true,
                ..hazard
            })
        });
        let documents = self.documents.into_iter().map(|known| {
            DocumentComparison::new(
                known.id,
                known.scope,
                known.occurrence,
                known.hook,
                Verdict::Identical,
            )
        });
        Some(CellRun {
            hazards: hazards.collect::<Option<_>>()?,
            comparison: Some(CellComparison {
                release: pair.id.clone(),
                documents: documents.collect(),
                rules: Rules::none(),
                unruly: Rules::none(),
                scopes: self.scopes,
            }),
            footprints: Sides::new(Some(self.footprint.clone()), Some(self.footprint)),
            same_input: true,
            secrets_unknown: true,
            ..CellRun::default()
        })
    }
}

/// The digest of all that a pair of one input is made from: this evenkeel, the settings of the run and of the cell,
/// and the content of its files; `None` for what is not cached.
pub(super) fn key(pair: &CellPair, settings: &Settings<'_>) -> Option<Digest> {
    let (baseline, candidate) = (pair.cells.baseline.as_ref()?, pair.cells.candidate.as_ref()?);
    if settings.is_audit
        || settings.records_baseline
        || settings.cluster.is_some()
        || candidate.cluster.is_some()
    {
        return None;
    }
    let mut hasher = Hasher::new("evenkeel cell 1");
    for part in [
        env!("CARGO_PKG_VERSION"),
        env!("EVENKEEL_SOURCES"),
        settings.engine.name(),
        baseline.source(),
    ] {
        hasher.part(part.as_bytes());
    }
    let of_run = (
        &settings.dialects,
        &settings.other_dialects,
        &settings.rules,
        &settings.levels,
    );
    hasher.part(format!("{of_run:?}").as_bytes());
    // With the places of its settings, which hazards tell; where the release itself is defined, nobody asks.
    let cell = Cell {
        place: Place::file(""),
        ..candidate.clone()
    };
    hasher.part(format!("{cell:?}").as_bytes());
    add_files(&cell, &*settings.trees.candidate, &mut hasher)?;
    Some(hasher.finish())
}

fn add_files(cell: &Cell, tree: &dyn SourceTree, hasher: &mut Hasher) -> Option<()> {
    let paths: Vec<&str> = match &cell.input {
        Input::Manifests(paths) => paths.iter().map(String::as_str).collect(),
        Input::Chart(chart) => {
            let values = chart.values.iter().filter_map(|values| match values {
                ValuesInput::File(path) => Some(path.as_str()),
                ValuesInput::Inline { .. } => None,
            });
            values.chain([chart.path.as_str()]).collect()
        }
    };
    for path in paths {
        hasher.part(tree.identity(path).ok()?.bytes());
    }
    Some(())
}
