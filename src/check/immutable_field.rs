//! `immutable-field`: a change that the API server will refuse.

use super::{CellView, Check, Hazard, Pass, Sink};
use crate::base::Level;
use crate::compare::Effect;

/// The check.
pub static CHECK: Check = Check {
    name: "immutable-field",
    level: Level::Deny,
    audit_only: false,
    explain: "A field changes that Kubernetes does not let change in an object that exists: the selector of a \
Deployment, the volume claim templates of a StatefulSet, the role that a binding refers to, the template of a Job. The \
upgrade stops there with `field is immutable`, and what came before it is applied already.\n\n\
Common causes: a release or chart was renamed and its name stands in selector labels; a chart moved to other labels; \
storage of a StatefulSet was switched on.\n\n\
Keep the old value (fullnameOverride, nameOverride), or plan to delete and recreate the object: without its pods for a \
workload (`kubectl delete --cascade=orphan`), with a plan for the data for claims.",
    pass: Pass::Comparison(run),
};

fn run(view: &CellView<'_>, sink: &mut Sink) {
    for document in &view.comparison.documents {
        for change in document
            .changes
            .iter()
            .filter(|change| change.effect == Effect::Rejected)
        {
            let message = format!(
                "{}: the API server will refuse the change of {}",
                document.id, change.path
            );
            sink.tell(Hazard {
                resource: Some(document.id.clone()),
                field_path: Some(change.path.clone()),
                remedy: Some("keep the old value, or delete and recreate the object on purpose".to_owned()),
                ..Hazard::new(&CHECK, message)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, compared};
    use super::*;

    fn deployment(label: &str, image: &str) -> Case {
        Case::chart(
            "",
            &format!(
                "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a}}\nspec:\n  selector: {{matchLabels: {{app: {label}}}}}\n  \
                 template:\n    metadata: {{labels: {{app: {label}}}}}\n    spec: {{containers: [{{name: c, image: {image}}}]}}\n"
            ),
        )
    }

    #[test]
    fn a_selector_is_refused_and_an_image_is_not() {
        let found = compared(&CHECK, deployment("a", "x:1"), deployment("b", "x:1"));
        let [hazard] = &found[..] else { panic!("{found:?}") };
        let path = hazard.field_path.as_ref().map(ToString::to_string);
        assert_eq!(path.as_deref(), Some("spec.selector.matchLabels.app"));
        assert_eq!(
            compared(&CHECK, deployment("a", "x:1"), deployment("a", "x:2")),
            []
        );
    }
}
