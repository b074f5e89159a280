//! `hook-added`: an object that was part of the release became a hook.

use super::{CellView, Check, Hazard, Pass, Sink};
use crate::base::{KeyPath, Level};

/// The check.
pub static CHECK: Check = Check {
    name: "hook-added",
    level: Level::Deny,
    audit_only: false,
    explain: "An object gets the annotation helm.sh/hook, and was an ordinary part of the release before. Helm does not \
manage hooks: it makes them at their event and forgets them. The next upgrade sees that the object left the release and \
deletes it; with an event such as post-install the hook is not even made again by an upgrade, and with a delete policy it \
goes as soon as it is there. `helm uninstall` leaves it behind.\n\n\
For a Job that is run at a point of the release that is what one wants, and it is warned of only. For anything that lives \
longer take the annotation out, and use weights of ordinary objects or an init container where the order matters.",
    pass: Pass::Comparison(run),
};

/// Kinds that run to their end.
const RUNS: [&str; 2] = ["Job", "Pod"];

fn run(view: &CellView<'_>, sink: &mut Sink) {
    for document in &view.comparison.documents {
        let (Some(before), Some(after)) = (&document.documents.baseline, &document.documents.candidate)
        else {
            continue;
        };
        let (None, Some(hook)) = (before.hook(), after.hook()) else {
            continue;
        };
        let events = hook.events.join(", ");
        sink.tell(Hazard {
            level: if RUNS.contains(&&*document.id.kind) {
                Level::Warn
            } else {
                Level::Deny
            },
            resource: Some(document.id.clone()),
            field_path: Some(
                KeyPath::root()
                    .key("metadata")
                    .key("annotations")
                    .key("helm.sh/hook"),
            ),
            object: events.clone(),
            remedy: Some("take helm.sh/hook out, or make the hook an object of its own".to_owned()),
            ..Hazard::new(
                &CHECK,
                format!(
                    "{} becomes a hook ({events}): it leaves the release, and the upgrade deletes it",
                    document.id
                ),
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, compared};
    use super::*;

    fn object(kind: &str, annotations: &str) -> Case {
        Case::chart(
            "",
            &format!("apiVersion: v1\nkind: {kind}\nmetadata:\n  name: a\n  annotations: {annotations}\n"),
        )
    }

    #[test]
    fn an_object_that_leaves_the_release_is_told() {
        let found = compared(
            &CHECK,
            object("Service", "{a: b}"),
            object("Service", "{helm.sh/hook: post-install}"),
        );
        assert_eq!(
            found.iter().map(|hazard| hazard.level).collect::<Vec<_>>(),
            [Level::Deny]
        );
        let found = compared(
            &CHECK,
            object("Job", "{a: b}"),
            object("Job", "{helm.sh/hook: pre-upgrade}"),
        );
        assert_eq!(
            found.iter().map(|hazard| hazard.level).collect::<Vec<_>>(),
            [Level::Warn]
        );
    }

    #[test]
    fn a_hook_that_was_one_and_another_annotation_are_not() {
        let hook = |event: &str| object("Service", &format!("{{helm.sh/hook: {event}}}"));
        assert_eq!(compared(&CHECK, hook("post-install"), hook("post-upgrade")), []);
        assert_eq!(
            compared(&CHECK, object("Service", "{a: b}"), object("Service", "{a: c}")),
            []
        );
    }
}
