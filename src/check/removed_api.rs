//! `removed-api`: an API version that the cluster does not serve.

use super::fields::place_of;
use super::{Check, Hazard, Pass, SideView, Sink, api_lifecycle};
use crate::base::{KeyPath, Level};

/// The check.
pub static CHECK: Check = Check {
    name: "removed-api",
    level: Level::Deny,
    audit_only: false,
    explain: "A document is written in an API version that the pinned Kubernetes no longer serves. The install or upgrade \
fails with `no matches for kind`; where the release is installed already, Helm cannot even read its last state.\n\n\
Write the API version that the finding names; fields may have other names there. Where the chart chooses the version by \
.Capabilities, look at kubeVersion and apiVersions of the configuration.",
    pass: Pass::Documents(run),
};

fn run(view: &SideView<'_>, sink: &mut Sink) {
    let Some(minor) = view.kube_version.and_then(api_lifecycle::minor) else {
        return;
    };
    for document in &view.manifest.documents {
        let id = document.id();
        let Some(api) = api_lifecycle::of(id) else {
            continue;
        };
        let Some(removed) = api.removed.filter(|&removed| removed <= minor) else {
            continue;
        };
        let path = KeyPath::root().key("apiVersion");
        sink.tell(Hazard {
            place: place_of(view, document, &path),
            resource: Some(id.clone()),
            field_path: Some(path),
            object: format!("{} 1.{minor}", id.api_version()),
            remedy: Some(api.remedy()),
            ..Hazard::new(
                &CHECK,
                format!(
                    "{id}: {} is gone since Kubernetes 1.{removed}, and 1.{minor} is pinned",
                    id.api_version()
                ),
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn found(api_version: &str, kind: &str, kube_version: &str) -> usize {
        let text = format!("apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a}}\n");
        let case = Case::chart("", &text).with(|job| job.kube_version = Some(kube_version.to_owned()));
        case.hazards(&CHECK).len()
    }

    #[test]
    fn what_the_cluster_does_not_serve_is_told() {
        assert_eq!(found("policy/v1beta1", "PodDisruptionBudget", "v1.25.0"), 1);
        assert_eq!(found("policy/v1beta1", "PodDisruptionBudget", "v1.24.9"), 0);
        assert_eq!(found("policy/v1", "PodDisruptionBudget", "v1.36.2"), 0);
        assert_eq!(found("example.com/v1beta1", "PodDisruptionBudget", "v1.36.2"), 0);
    }
}
