//! `Footprint`: what the documents of a cell provide and refer to. It is kept when the documents are gone, so
//! that releases can be held against each other.
//!
//! What is absent: the keys of most objects. Where they change, the comparison has the documents; where they do
//! not, nobody asks. Kept are those of objects that a container takes in whole as variables.

use super::provided::{Source, contents, made_by, variables};
use super::reads::{Reader, Via, readers};
use crate::manifest::{DocumentId, Manifest};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the documents of one side of a cell are to those of others.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Footprint {
    /// The objects, in the order of the render.
    pub objects: Vec<DocumentId>,
    /// The pods that refer to something, in the order of the render.
    pub(super) readers: Vec<Reader>,
    /// The Secrets that controllers will make.
    pub(super) made: BTreeSet<Source>,
    /// The variables that objects come to where a container takes them in whole.
    pub(super) variables: BTreeMap<Source, Vec<Arc<str>>>,
}

impl Footprint {
    /// The footprint of a render.
    pub fn of(manifest: &Manifest) -> Footprint {
        let documents = &manifest.documents;
        let readers: Vec<Reader> = documents.iter().flat_map(readers).collect();
        let references = readers.iter().flat_map(|reader| &reader.references);
        let taken_in: BTreeSet<&Source> = references
            .filter(|reference| matches!(reference.via, Via::AllVariables(..)))
            .map(|reference| &reference.source)
            .collect();
        let keys = documents.iter().filter_map(|document| {
            let source = Source::of(document.id()).filter(|source| taken_in.contains(source))?;
            Some((source, variables(&contents(document)).cloned().collect()))
        });
        Footprint {
            variables: keys.collect(),
            objects: documents.iter().map(|document| document.id().clone()).collect(),
            made: documents.iter().flat_map(made_by).collect(),
            readers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_of_what_is_taken_in_whole_are_kept_and_no_others() {
        let text = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {X: x, W: w}\n---\napiVersion: v1\n\
            kind: ConfigMap\nmetadata: {name: b}\ndata: {Z: z}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  \
            volumes: [{name: b, configMap: {name: b}}]\n  containers: [{name: c, envFrom: [{configMapRef: {name: a}}]}]\n";
        let footprint = Footprint::of(&Manifest::read(text.as_bytes().to_vec(), "n"));
        assert_eq!((footprint.objects.len(), footprint.readers.len()), (3, 1));
        let kept: Vec<String> = footprint
            .variables
            .iter()
            .map(|(source, keys)| format!("{source} {}", keys.join(" ")))
            .collect();
        assert_eq!(kept, ["v1/ConfigMap/n/a W X"]);
    }
}
