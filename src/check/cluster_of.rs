//! The cluster that manifests make.

use crate::engine::cluster::ClusterState;
use crate::manifest::{Manifest, ScopeSource};

/// The objects that a render makes, for `lookup` to find. What cannot be read is left out.
pub fn cluster_of(manifest: &Manifest) -> ClusterState {
    let mut state = ClusterState::default();
    for document in &manifest.documents {
        if let Ok(body) = document.body() {
            let id = document.id();
            // Of a kind that nobody knows it may be the cluster's.
            let is_assumed =
                document.scope() == ScopeSource::Assumed && document.declared_namespace().is_none();
            let namespace = id.namespace.as_deref().filter(|_| !is_assumed);
            state.add(namespace, &id.name, &body.node);
        }
    }
    state
}
