//! `Footprint`: what the documents of a cell provide and refer to. It is kept when the documents are gone, so
//! that releases can be held against each other.

use crate::manifest::{DocumentId, Manifest};

/// What the documents of one side of a cell are to those of others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// The objects, in the order of the render.
    pub objects: Vec<DocumentId>,
}

impl Footprint {
    /// The footprint of a render.
    pub fn of(manifest: &Manifest) -> Footprint {
        Footprint {
            objects: manifest
                .documents
                .iter()
                .map(|document| document.id().clone())
                .collect(),
        }
    }
}
