//! `deprecated-api`: an API version that the cluster still serves, and will not for long.

use super::fields::place_of;
use super::{Check, Hazard, Pass, SideView, Sink, api_lifecycle};
use crate::base::{KeyPath, Level};

/// The check.
pub static CHECK: Check = Check {
    name: "deprecated-api",
    level: Level::Warn,
    audit_only: false,
    explain: "A document is written in an API version that the pinned Kubernetes serves, but has deprecated. A later version \
of the cluster does not serve it; the finding names that version where it is known.\n\n\
Write the API version that the finding names before the cluster is upgraded: once it is gone, Helm cannot read the state \
of the installed release any more.",
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
        let is_served = api.removed.is_none_or(|removed| removed > minor);
        if api.deprecated > minor || !is_served {
            continue;
        }
        let path = KeyPath::root().key("apiVersion");
        let until = api.removed.map(|removed| format!(", and gone in 1.{removed}"));
        sink.tell(Hazard {
            place: place_of(view, document, &path),
            resource: Some(id.clone()),
            field_path: Some(path),
            object: id.api_version(),
            remedy: Some(api.remedy()),
            ..Hazard::new(
                &CHECK,
                format!(
                    "{id}: {} of {} is deprecated since Kubernetes 1.{}{}",
                    id.api_version(),
                    id.kind,
                    api.deprecated,
                    until.unwrap_or_default()
                ),
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn found(kube_version: &str) -> usize {
        let text = "apiVersion: autoscaling/v2beta2\nkind: HorizontalPodAutoscaler\nmetadata: {name: a}\n";
        let case = Case::chart("", text).with(|job| job.kube_version = Some(kube_version.to_owned()));
        case.hazards(&CHECK).len()
    }

    #[test]
    fn only_between_deprecation_and_removal() {
        assert_eq!(
            [
                found("v1.22.0"),
                found("v1.23.0"),
                found("v1.25.4"),
                found("v1.26.0")
            ],
            [0, 1, 1, 0]
        );
    }
}
