//! `keep-changed`: `helm.sh/resource-policy: keep` came or went.

use super::{CellView, Check, Hazard, Pass, Sink};
use crate::base::{KeyPath, Level};
use crate::manifest::Document;

/// The check.
pub static CHECK: Check = Check {
    name: "keep-changed",
    level: Level::Info,
    audit_only: false,
    explain: "An object with the annotation helm.sh/resource-policy: keep stays in the cluster when its release is \
uninstalled, or when the chart stops making it.\n\n\
On what holds data (claims, secrets, definitions, namespaces) gaining it protects the data; that is told for information. \
Losing it there is warned of: the next time the object leaves the release, the data go with it.\n\n\
On other objects gaining it is warned of: where the chart makes the object only while a switch is on, turning the switch \
off no longer removes it, and the feature stays on.\n\n\
Only the annotation as it is rendered counts.",
    pass: Pass::Comparison(run),
};

const POLICY: &str = "helm.sh/resource-policy";
const HOLDS_DATA: [&str; 5] = [
    "CustomResourceDefinition",
    "Namespace",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Secret",
];

fn run(view: &CellView<'_>, sink: &mut Sink) {
    for document in &view.comparison.documents {
        let sides = (&document.documents.baseline, &document.documents.candidate);
        let (Some(before), Some(after)) = sides else {
            continue;
        };
        let (before, after) = (keeps(before), keeps(after));
        if before == after {
            continue;
        }
        let holds_data = HOLDS_DATA.contains(&&*document.id.kind);
        let level = if holds_data == after {
            Level::Info
        } else {
            Level::Warn
        };
        if !holds_data && !after {
            continue;
        }
        let what = match (after, holds_data) {
            (true, true) => "stays when its release goes",
            (true, false) => "stays when the chart stops making it: a switch that removed it no longer does",
            (false, _) => "goes with its release from now on, and its data with it",
        };
        sink.tell(Hazard {
            level,
            resource: Some(document.id.clone()),
            field_path: Some(KeyPath::root().key("metadata").key("annotations").key(POLICY)),
            ..Hazard::new(&CHECK, format!("{} {what}", document.id))
        });
    }
}

/// True when Helm leaves the object where it is.
fn keeps(document: &Document) -> bool {
    let policy = || {
        let node = &document.body().ok()?.node;
        node.get("metadata")?.get("annotations")?.get(POLICY)?.as_str()
    };
    policy().is_some_and(|policy| policy.trim().eq_ignore_ascii_case("keep"))
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

    fn level(kind: &str, before: &str, after: &str) -> Option<Level> {
        let found = compared(&CHECK, object(kind, before), object(kind, after));
        found.first().map(|hazard| hazard.level)
    }

    #[test]
    fn the_level_follows_what_is_kept() {
        let keep = "{helm.sh/resource-policy: keep, a: b}";
        assert_eq!(level("PersistentVolumeClaim", "{a: b}", keep), Some(Level::Info));
        assert_eq!(level("PersistentVolumeClaim", keep, "{a: b}"), Some(Level::Warn));
        assert_eq!(level("ConfigMap", "{a: b}", keep), Some(Level::Warn));
        assert_eq!(level("ConfigMap", keep, "{a: b}"), None);
        assert_eq!(
            level("ConfigMap", keep, "{helm.sh/resource-policy: keep, a: c}"),
            None
        );
    }
}
