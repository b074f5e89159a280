//! `data-without-keep`: something that holds data leaves, and nothing keeps it.

use super::still_there::StillThere;
use super::{Check, Hazard, Pass, PlatformView, Sink};
use crate::base::Level;
use crate::compare::{Effect, Verdict};

/// The check.
pub static CHECK: Check = Check {
    name: "data-without-keep",
    level: Level::Deny,
    audit_only: false,
    explain: "A claim, a Secret, a custom resource definition or a namespace is no longer rendered, and had no annotation \
helm.sh/resource-policy: keep at the baseline. The upgrade deletes it: the volume behind a claim with it (unless its storage \
class retains), every object of a definition's kind, everything in a namespace. A StatefulSet is told where its claims are deleted with it \
(persistentVolumeClaimRetentionPolicy, whenDeleted: Delete), and a definition below crds/ is not: Helm leaves those.\n\n\
Where the data should stay, release the annotation first and take the object out in a later change: Helm looks at the \
state that is installed. A release that goes as a whole is told by release-removed.",
    pass: Pass::Platform(run),
};

fn run(view: &PlatformView<'_>, sink: &mut Sink) {
    let there = StillThere::of(view);
    let stays = view.cells.iter().filter(|cell| cell.names.candidate.is_some());
    for cell in stays {
        let documents = cell
            .comparison
            .map_or(&[][..], |comparison| &comparison.documents[..]);
        let lost = documents.iter().filter(|document| {
            document.verdict == Verdict::Removed
                && document.effects.contains(&Effect::DataLoss)
                && !there.has(&document.id)
        });
        for document in lost {
            sink.tell(Hazard {
                release: Some(cell.release.to_owned()),
                resource: Some(document.id.clone()),
                remedy: Some(
                    "release helm.sh/resource-policy: keep first, then take the object out".to_owned(),
                ),
                ..Hazard::new(
                    &CHECK,
                    format!("{} is gone and was not kept: the upgrade deletes it", document.id),
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, on_release};
    use super::*;

    const OTHER: &str = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n";

    fn with(kind: &str, annotations: &str) -> Case {
        let object =
            format!("apiVersion: v1\nkind: {kind}\nmetadata:\n  name: data\n  annotations: {annotations}\n");
        Case::chart("", &format!("{OTHER}---\n{object}"))
    }

    fn count(baseline: Case) -> usize {
        on_release(&CHECK, Some(baseline), Some(Case::chart("", OTHER)), |_| None).len()
    }

    #[test]
    fn data_that_nothing_keeps_is_told() {
        assert_eq!(count(with("PersistentVolumeClaim", "{a: b}")), 1);
        assert_eq!(count(with("Secret", "{a: b}")), 1);
    }

    #[test]
    fn a_stateful_set_is_told_when_its_claims_go_with_it() {
        let set = |policy: &str| {
            let text = format!(
                "{OTHER}---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: db}}\nspec:\n  \
                 volumeClaimTemplates: [{{metadata: {{name: data}}}}]\n  persistentVolumeClaimRetentionPolicy: {{{policy}}}\n"
            );
            count(Case::chart("", &text))
        };
        assert_eq!(set("whenDeleted: Delete"), 1);
        assert_eq!(set("whenScaled: Delete"), 0);
    }

    #[test]
    fn definitions_below_crds_stay_and_those_of_templates_do_not() {
        let text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.x}\n\
                    spec: {group: x, names: {kind: A}, scope: Cluster}\n";
        let at = |path: &str| {
            let case = Case::chart("", OTHER).file(path, text);
            count(case.with(|job| job.include_crds = true))
        };
        assert_eq!(at("app/crds/a.yaml"), 0);
        assert_eq!(at("app/templates/crds/a.yaml"), 1);
    }

    #[test]
    fn one_of_two_of_the_same_name_may_go() {
        let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: data}\n";
        let found = on_release(
            &CHECK,
            Some(Case::chart("", &format!("{secret}---\n{secret}"))),
            Some(Case::chart("", secret)),
            |_| None,
        );
        assert_eq!(found, []);
    }

    #[test]
    fn what_is_kept_is_a_hook_or_holds_no_data_is_not() {
        assert_eq!(
            count(with("PersistentVolumeClaim", "{helm.sh/resource-policy: keep}")),
            0
        );
        assert_eq!(count(with("Secret", "{helm.sh/hook: pre-install}")), 0);
        assert_eq!(count(with("ConfigMap", "{a: b}")), 0);
    }
}
