//! `missing-reference`: a pod refers to what nothing provides any more.

use super::leaving::{Bereft, bereft, losses};
use super::provided::SourceKind;
use super::reads::{Reference, Via};
use super::{Check, Hazard, Pass, PlatformView, Sink};
use crate::base::Level;
use std::collections::BTreeSet;

/// The check.
pub static CHECK: Check = Check {
    name: "missing-reference",
    level: Level::Warn,
    audit_only: false,
    explain: "A pod refers to a ConfigMap, a Secret, a key in one or a ServiceAccount that some release of the platform \
provided at the baseline, and nothing provides now. Pods that run go on; the next one that starts waits for the object \
(CreateContainerConfigError, FailedMount), or is not made at all where its ServiceAccount is gone.\n\n\
Objects that no release ever provided are somebody else's and are not told. Secrets that External Secrets, Sealed \
Secrets or cert-manager will make count as provided.\n\n\
Follow the object to its new name, or provide it again. Whoever makes it outside of this configuration from now on can \
allow this check or accept the difference.",
    pass: Pass::Platform(run),
};

fn run(view: &PlatformView<'_>, sink: &mut Sink) {
    let losses = losses(view);
    for bereft in bereft(view, &losses) {
        let hit = bereft.reader.of(&bereft.loss.source);
        let hit: Vec<&Reference> = hit
            .filter(|reference| !reference.is_optional && bereft.loss.hits(reference))
            .collect();
        let Some(first) = hit.first() else { continue };
        let keys: BTreeSet<&str> = hit
            .iter()
            .filter_map(|reference| reference.key.as_deref())
            .collect();
        sink.tell(Hazard {
            release: Some(bereft.release.to_owned()),
            resource: Some(bereft.reader.id.clone()),
            field_path: Some(bereft.reader.field(first)),
            lost: keys.iter().map(|key| (*key).to_owned()).collect(),
            object: bereft.loss.source.to_string(),
            remedy: Some("provide it again, or refer to what takes its place".to_owned()),
            ..Hazard::new(&CHECK, message(&bereft, first, &keys))
        });
    }
}

fn message(bereft: &Bereft<'_>, first: &Reference, keys: &BTreeSet<&str>) -> String {
    let (reader, source) = (&bereft.reader.id, &bereft.loss.source);
    let what = match bereft.loss.is_whole {
        true => format!("{source}, which nothing provides any more"),
        false => {
            let keys: Vec<&str> = keys.iter().copied().collect();
            format!("{} in {source}, which no longer has it", keys.join(", "))
        }
    };
    let what_then = match (&first.via, first.source.kind) {
        (Via::ImagePull, _) => "images may not be pulled",
        (_, SourceKind::ServiceAccount) => "no pod can be made",
        (Via::SubPath(..), _) if !bereft.loss.is_whole => "an empty folder is mounted in its place",
        _ => "the next pod does not start",
    };
    format!("{reader} refers to {what}: {what_then}")
}

#[cfg(test)]
mod tests {
    use super::super::testing::on_platform;
    use super::*;

    const CONFIG: &str = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {A: a, B: b}\n";
    const READER: &str = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: c\n    env:\n    \
        - {name: X, valueFrom: {configMapKeyRef: {name: m, key: A}}}\n    \
        - {name: O, valueFrom: {configMapKeyRef: {name: m, key: B, optional: true}}}\n";

    fn found(releases: &[(&str, &str, &str)]) -> Vec<String> {
        let found = on_platform(&CHECK, releases);
        found.into_iter().map(|hazard| hazard.message).collect()
    }

    #[test]
    fn an_object_that_leaves_another_release_is_missed() {
        assert_eq!(
            found(&[("config", CONFIG, ""), ("app", READER, READER)]),
            [
                "v1/Pod/n/p refers to v1/ConfigMap/n/m, which nothing provides any more: the next pod does not start"
            ]
        );
        let other = CONFIG.replace("name: m", "name: z").replace("A: a", "Z: z");
        assert_eq!(
            found(&[("config", CONFIG, &other), ("app", READER, READER)]).len(),
            1
        );
    }

    #[test]
    fn a_key_that_leaves_is_missed_by_who_reads_it() {
        let less = CONFIG.replace("A: a, ", "");
        assert_eq!(
            found(&[("config", CONFIG, &less), ("app", READER, READER)]),
            [
                "v1/Pod/n/p refers to A in v1/ConfigMap/n/m, which no longer has it: the next pod does not start"
            ]
        );
        let without_b = CONFIG.replace(", B: b", "");
        assert_eq!(
            found(&[("config", CONFIG, &without_b), ("app", READER, READER)]),
            [""; 0]
        );
    }

    #[test]
    fn what_moves_what_was_never_there_and_what_a_controller_makes_is_not_missed() {
        assert_eq!(
            found(&[
                ("config", CONFIG, ""),
                ("other", "", CONFIG),
                ("app", READER, READER)
            ]),
            [""; 0]
        );
        assert_eq!(found(&[("app", READER, READER)]), [""; 0]);
        assert_eq!(found(&[("app", "", READER)]), [""; 0]);
        let renamed = CONFIG.replace("name: m", "name: z");
        let follows = READER.replace("name: m", "name: z");
        assert_eq!(
            found(&[("config", CONFIG, &renamed), ("app", READER, &follows)]),
            [""; 0]
        );
        let secret = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {k: x}\n";
        let sealed = "---\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: s}\n";
        let reader = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  volumes: [{name: v, secret: {secretName: s}}]\n  \
            containers: [{name: c}]\n";
        assert_eq!(
            found(&[(
                "app",
                &(secret.to_owned() + reader),
                &(sealed.to_owned() + reader)
            )]),
            [""; 0]
        );
        assert_eq!(found(&[("app", &(secret.to_owned() + reader), reader)]).len(), 1);
    }
}
