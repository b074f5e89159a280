//! The cluster that manifests make.

use crate::engine::cluster::ClusterState;
use crate::manifest::Manifest;

/// The objects of manifests, whether rendered or printed by `kubectl get -o yaml`, for `lookup` to find. What
/// cannot be read is left out.
pub fn cluster_of(manifest: &Manifest) -> ClusterState {
    let mut state = ClusterState::default();
    for document in &manifest.documents {
        if let Ok(body) = document.body() {
            let id = document.id();
            state.add(id.namespace.as_deref(), &id.name, &body.node);
        }
    }
    state
}
