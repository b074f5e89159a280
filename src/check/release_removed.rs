//! `release-removed`: a release that only the baseline has.

use super::{Check, Hazard, Pass, PlatformCell, PlatformView, Sink};
use crate::base::Level;
use crate::compare::{Effect, Verdict};
use crate::manifest::DocumentId;

/// The check.
pub static CHECK: Check = Check {
    name: "release-removed",
    level: Level::Info,
    audit_only: false,
    explain: "The candidate no longer has a release on this platform. All its documents are told as removed.\n\n\
Nothing uninstalls it by itself where Helm is run by hand; a controller (Argo CD, Flux) prunes it, and everything in it. \
With a claim, a custom resource definition or a namespace among its objects that is a deny: data go with a claim, and with \
a definition all objects of its kind, also those of others. Objects with helm.sh/resource-policy: keep stay.\n\n\
Where nothing was meant to go, look at the patterns of `charts:` and at the ids by which releases pair.",
    pass: Pass::Platform(run),
};

/// Kinds whose removal takes more with it than itself.
const GRAVE: [&str; 5] = [
    "CustomResourceDefinition",
    "Namespace",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "StatefulSet",
];

fn run(view: &PlatformView<'_>, sink: &mut Sink) {
    if view.is_audit {
        return;
    }
    for cell in view.cells.iter().filter(|cell| cell.names.candidate.is_none()) {
        let name = cell.names.baseline.unwrap_or(cell.release);
        let lost = lost(cell);
        let lost: Vec<String> = lost.iter().map(|id| id.short()).collect();
        let message = if lost.is_empty() {
            format!("the release {name} is gone")
        } else {
            format!("the release {name} is gone, and {} with it", lost.join(", "))
        };
        sink.tell(Hazard {
            release: Some(cell.release.to_owned()),
            level: if lost.is_empty() { Level::Info } else { Level::Deny },
            object: name.to_owned(),
            lost,
            remedy: Some("look at what its objects hold before it is uninstalled or pruned".to_owned()),
            ..Hazard::new(&CHECK, message)
        });
    }
}

/// What goes with a release and cannot be made again.
fn lost<'a>(cell: &PlatformCell<'a>) -> Vec<&'a DocumentId> {
    let documents = cell
        .comparison
        .map_or(&[][..], |comparison| &comparison.documents[..]);
    documents
        .iter()
        // Settings that are not installed together hold nothing.
        .filter(|document| !cell.variant && document.verdict == Verdict::Removed)
        .filter(|document| GRAVE.contains(&&*document.id.kind))
        // What is kept, and what is a hook, does not go.
        .filter(|document| document.effects.contains(&Effect::DataLoss))
        .map(|document| &document.id)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::super::testing::on_release;
    use super::*;

    fn claim(annotations: &str) -> Case {
        Case::chart(
            "",
            &format!(
                "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: data\n  annotations: {annotations}\n"
            ),
        )
    }

    fn levels(baseline: Option<Case>, candidate: Option<Case>) -> Vec<Level> {
        let found = on_release(&CHECK, baseline, candidate, |_| None);
        found.into_iter().map(|hazard| hazard.level).collect()
    }

    #[test]
    fn the_level_follows_what_goes_with_it() {
        assert_eq!(levels(Some(claim("{a: b}")), None), [Level::Deny]);
        let kept = claim("{helm.sh/resource-policy: keep}");
        assert_eq!(levels(Some(kept), None), [Level::Info]);
    }

    #[test]
    fn a_release_that_stays_or_is_new_is_not_told() {
        assert!(levels(Some(claim("{a: b}")), Some(claim("{a: c}"))).is_empty());
        assert!(levels(None, Some(claim("{a: c}"))).is_empty());
    }
}
