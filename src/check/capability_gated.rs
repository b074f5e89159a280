//! `capability-gated`: fields that depend on the version or the API list of the cluster.

use super::chance::reaches;
use super::{Check, Hazard, Pass, SideView, Sink};
use crate::base::Level;
use crate::value::AmbientKind;

/// The check.
pub static CHECK: Check = Check {
    name: "capability-gated",
    level: Level::Info,
    audit_only: false,
    explain: "A field of a document depends on .Capabilities: on the version of the cluster, or on which APIs it \
serves. Offline there is no cluster to ask; the version comes from kubeVersion and the APIs from apiVersions of the \
configuration.\n\n\
Where they are not what the cluster has, the comparison looks at documents that the cluster never gets: a ServiceMonitor \
that is missing because monitoring.coreos.com/v1 is not listed, an API version that is chosen for another cluster.\n\n\
Pin kubeVersion, and list the APIs that the cluster serves beyond Kubernetes' own under apiVersions.",
    pass: Pass::Documents(run),
};

fn run(view: &SideView<'_>, sink: &mut Sink) {
    let Some(history) = view.history else {
        return;
    };
    let mut told = Vec::new();
    for reach in reaches(view, AmbientKind::Capability) {
        told.push(reach.document.range());
        let message = format!(
            "{}: {} on .Capabilities",
            reach.document.id(),
            reach.does("depends")
        );
        let range = super::fields::range_of(reach.document, &reach.fields[0]);
        let place = range.and_then(|range| {
            let (_, span) = history.spans(range).next()?;
            history.place(span.frame, span.node)
        });
        sink.tell(Hazard {
            place,
            related: Vec::new(),
            object: cluster(view),
            remedy: Some("pin kubeVersion and apiVersions to what the cluster has".to_owned()),
            ..reach.hazard(&CHECK, history, message)
        });
    }
    // A branch that did not run left nothing in the document that it belongs to.
    let kind = AmbientKind::Capability;
    let branches = history.trace.branches.iter().filter(|branch| {
        let mut ambients = history.ambients(branch.marks);
        ambients.any(|ambient| ambient.kind == kind)
    });
    if branches.clone().next().is_none() {
        return;
    }
    for document in &view.manifest.documents {
        let range = document.range();
        if told.contains(&range) {
            continue;
        }
        let frames: Vec<u32> = history.spans(range).map(|(_, span)| span.frame).collect();
        let Some(branch) = branches.clone().find(|branch| frames.contains(&branch.frame)) else {
            continue;
        };
        sink.tell(Hazard {
            resource: Some(document.id().clone()),
            object: cluster(view),
            place: history.place(branch.frame, branch.node),
            remedy: Some("pin kubeVersion and apiVersions to what the cluster has".to_owned()),
            ..Hazard::new(
                &CHECK,
                format!(
                    "{}: a condition on .Capabilities leaves something out",
                    document.id()
                ),
            )
        });
    }
}

/// What answers: another version of the cluster is another answer.
fn cluster(view: &SideView<'_>) -> String {
    let version = view.kube_version.unwrap_or("no pinned cluster version");
    format!(".Capabilities of {version}")
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    #[test]
    fn a_gated_field_is_told_and_its_neighbour_is_not() {
        let head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: y\n";
        let gate = "{{ if semverCompare \">=1.30-0\" .Capabilities.KubeVersion.Version }}";
        let gated = Case::chart("", &format!("{head}{gate}  z: w\n{{{{ end }}}}"));
        let found = gated.hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        let field = hazard.field_path.as_ref().map(ToString::to_string);
        assert_eq!(field.as_deref(), Some("data.z"));
        let off = gate.replace(">=1.30", ">=1.90");
        let found = Case::chart("", &format!("{head}{off}  z: w\n{{{{ end }}}}")).hazards(&CHECK);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(Case::chart("", head).hazards(&CHECK), []);
    }
}
