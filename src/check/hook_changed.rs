//! `hook-changed`: a hook runs at other events, in another order, or is no hook any more.

use super::{CellView, Check, Hazard, Pass, Sink};
use crate::base::{KeyPath, Level};
use crate::manifest::Hook;
use std::collections::BTreeSet;

/// The check.
pub static CHECK: Check = Check {
    name: "hook-changed",
    level: Level::Info,
    audit_only: false,
    explain: "A hook runs at other events, has another weight or another delete policy, or became an ordinary object of the \
release. Helm runs hooks of one event by weight, then by kind and name, and waits for each: another weight can put a \
migration behind the job that needs it. An object that was a hook and now belongs to the release is in the cluster \
already, without the labels by which Helm knows its own; the upgrade is then refused until it is deleted, and that is warned of.\n\n\
Nothing is wrong with any of it when it is meant.",
    pass: Pass::Comparison(run),
};

fn run(view: &CellView<'_>, sink: &mut Sink) {
    for document in &view.comparison.documents {
        let (Some(before), Some(after)) = (&document.documents.baseline, &document.documents.candidate)
        else {
            continue;
        };
        let Some(before) = before.hook() else { continue };
        let what = differences(before, after.hook());
        // What the hook left in the cluster stands in the way of the release, unless it was cleaned up.
        let level = match after.hook().is_none()
            && !before
                .delete_policies
                .iter()
                .any(|policy| policy == "hook-succeeded")
        {
            true => Level::Warn,
            false => CHECK.level,
        };
        if what.is_empty() {
            continue;
        }
        sink.tell(Hazard {
            resource: Some(document.id.clone()),
            field_path: Some(
                KeyPath::root()
                    .key("metadata")
                    .key("annotations")
                    .key("helm.sh/hook"),
            ),
            level,
            remedy: (level == Level::Warn)
                .then(|| "delete what the hook left in the cluster before the upgrade".to_owned()),
            object: what.join("; "),
            ..Hazard::new(&CHECK, format!("{}: {}", document.id, what.join("; ")))
        });
    }
}

/// What is not as it was, in words.
fn differences(before: &Hook, after: Option<&Hook>) -> Vec<String> {
    let Some(after) = after else {
        return vec![format!(
            "the hook ({}) becomes a part of the release",
            before.events.join(", ")
        )];
    };
    let words = |list: &[String]| {
        let set: BTreeSet<&str> = list.iter().map(String::as_str).collect();
        set.into_iter().collect::<Vec<_>>().join(", ")
    };
    // Without a policy Helm deletes a hook before it is made again.
    let policy = |hook: &Hook| match &hook.delete_policies[..] {
        [] => "before-hook-creation".to_owned(),
        list => words(list),
    };
    let mut found = Vec::new();
    for (what, before, after) in [
        ("events", words(&before.events), words(&after.events)),
        ("weight", before.weight.to_string(), after.weight.to_string()),
        ("delete policy", policy(before), policy(after)),
    ] {
        if before != after {
            found.push(format!("{what} {before} → {after}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, compared};
    use super::*;

    fn job(annotations: &str) -> Case {
        Case::chart(
            "",
            &format!("apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a\n  annotations: {annotations}\n"),
        )
    }

    fn told(before: &str, after: &str) -> Vec<String> {
        let found = compared(&CHECK, job(before), job(after));
        found.into_iter().map(|hazard| hazard.message).collect()
    }

    #[test]
    fn events_weight_and_the_end_of_a_hook_are_told() {
        let hook = "{helm.sh/hook: \"pre-install,pre-upgrade\", helm.sh/hook-weight: \"1\"}";
        let other = "{helm.sh/hook: pre-upgrade, helm.sh/hook-weight: \"-1\"}";
        assert_eq!(
            told(hook, other),
            ["batch/v1/Job/n/a: events pre-install, pre-upgrade → pre-upgrade; weight 1 → -1"]
        );
        let ends = |hook: &str| {
            let found = compared(&CHECK, job(hook), job("{a: b}"));
            found.into_iter().map(|hazard| hazard.level).collect::<Vec<_>>()
        };
        assert_eq!(ends(hook), [Level::Warn]);
        assert_eq!(
            ends("{helm.sh/hook: test, helm.sh/hook-delete-policy: hook-succeeded}"),
            [Level::Info]
        );
    }

    #[test]
    fn the_same_written_otherwise_is_not() {
        let events = |events: &str| format!("{{helm.sh/hook: \"{events}\"}}");
        assert!(
            told(
                &events("pre-install,pre-upgrade"),
                &events("pre-upgrade, pre-install")
            )
            .is_empty()
        );
        let policy = "{helm.sh/hook: test, helm.sh/hook-delete-policy: before-hook-creation}";
        assert!(told(&events("test"), policy).is_empty());
    }

    #[test]
    fn another_annotation_of_a_hook_is_not() {
        assert!(told("{helm.sh/hook: test, a: b}", "{helm.sh/hook: test, a: c}").is_empty());
    }
}
