//! Where the fields that differ came from, on each side. It is worked out while the renders of a cell are at hand,
//! and kept when they are gone.

use super::render::Output;
use crate::base::{KeyPath, Sides};
use crate::check::origins::{self, FieldOrigin};
use crate::compare::{CellComparison, DocumentComparison};
use crate::manifest::{Document, DocumentId, Manifest};
use crate::yaml::Node;
use std::collections::BTreeMap;

/// The origins of a document's changed fields, in the order of the changes.
type Fields = Vec<(KeyPath, Sides<Option<FieldOrigin>>)>;

/// The origins of what differs in a cell, by document.
#[derive(Debug, Default)]
pub(super) struct Provenance(BTreeMap<(DocumentId, u32), Fields>);

impl Provenance {
    /// Follows every changed field of a cell to its origins; none with an engine that keeps no history.
    pub(super) fn of(comparison: &CellComparison, outputs: &Sides<Output>) -> Provenance {
        let mut found = BTreeMap::new();
        let differing = comparison
            .documents
            .iter()
            .filter(|document| !document.changes.is_empty());
        for compared in differing {
            let documents = outputs.as_ref().map(|output| find(&output.manifest, compared));
            let fields = compared.changes.iter().map(|change| {
                let origin = |output: &Output, document: Option<&Document>, value: &Option<Node>| {
                    let history = output.history.as_deref()?;
                    origins::of_field(history, document?, &change.path, Some(value.as_ref()?))
                };
                let sides = Sides::new(
                    origin(&outputs.baseline, documents.baseline, &change.before),
                    origin(&outputs.candidate, documents.candidate, &change.after),
                );
                (change.path.clone(), sides)
            });
            let fields: Fields = fields.collect();
            found.insert((compared.id.clone(), compared.occurrence), fields);
        }
        Provenance(found)
    }

    /// The origins of a changed field.
    pub(super) fn find(&self, document: &DocumentComparison, path: &KeyPath) -> Sides<Option<&FieldOrigin>> {
        // A document's identity is settled after its cell is done: its scope may be known better then.
        let fields = self.0.get(&(document.id.clone(), document.occurrence));
        let field = fields.and_then(|fields| fields.iter().find(|(known, _)| known == path));
        field.map_or_else(Sides::default, |(_, sides)| sides.as_ref().map(Option::as_ref))
    }
}

/// The document of a render that was compared.
pub(super) fn find<'m>(manifest: &'m Manifest, compared: &DocumentComparison) -> Option<&'m Document> {
    let key = (compared.id.key(), compared.occurrence);
    let mut documents = manifest.documents.iter();
    documents.find(|document| (document.id().key(), document.occurrence()) == key)
}
