//! `resource-renamed`: an object has another name, so the old one goes and a new one comes.

use super::{Check, Hazard, Pass, PlatformView, Sink};
use crate::base::{KeyPath, Level};
use crate::compare::Verdict;

/// The check.
pub static CHECK: Check = Check {
    name: "resource-renamed",
    level: Level::Warn,
    audit_only: false,
    explain: "An object of the baseline is gone, and one of the same kind and nearly the same contents is new: to Kubernetes \
these are two objects. The old one is deleted and the new one made, not always in this order; what refers to the old name \
(a Service's DNS name, a ConfigMap in an env, another release) finds nothing any more.\n\n\
For what holds data (claims, StatefulSets, namespaces, definitions) it is a deny: the new object begins empty. \
Where the name ends in a digest of the contents or in a random part, it is told for information.\n\n\
Usual causes: a release or chart was renamed, fullnameOverride came or went, a helper for names was touched. Keep the \
name (fullnameOverride), or plan the move. Hooks are not told: they are made anew each time.",
    pass: Pass::Platform(run),
};

/// Kinds whose new object begins empty.
const STATEFUL: [&str; 5] = [
    "CustomResourceDefinition",
    "Namespace",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "StatefulSet",
];

fn run(view: &PlatformView<'_>, sink: &mut Sink) {
    for cell in &view.cells {
        let documents = cell
            .comparison
            .map_or(&[][..], |comparison| &comparison.documents[..]);
        let renamed = documents
            .iter()
            .filter(|document| document.verdict == Verdict::Renamed && !document.hook);
        for document in renamed {
            let Some(from) = &document.from else { continue };
            // Another API group alone is another way to write the same object.
            let is_other = from.id.name != document.id.name || from.id.namespace != document.id.namespace;
            if !is_other {
                continue;
            }
            let what = if from.id.name == document.id.name {
                format!(
                    "moves from namespace {} to {}",
                    namespace(&from.id),
                    namespace(&document.id)
                )
            } else {
                format!("is called {} now", document.id.name)
            };
            let is_stateful = STATEFUL.contains(&&*document.id.kind);
            let ending = if is_stateful {
                "the new one begins empty"
            } else {
                "a new one is made"
            };
            sink.tell(Hazard {
                release: Some(cell.release.to_owned()),
                level: match () {
                    () if is_stateful => Level::Deny,
                    () if ends_in_digest(&from.id.name, &document.id.name) => Level::Info,
                    () => CHECK.level,
                },
                resource: Some(document.id.clone()),
                field_path: Some(KeyPath::root().key("metadata").key("name")),
                object: from.id.to_string(),
                remedy: Some("keep the name (fullnameOverride), or plan the move".to_owned()),
                ..Hazard::new(
                    &CHECK,
                    format!("{} {what}: the old object goes, {ending}", from.id),
                )
            });
        }
    }
}

/// True for names that differ in a last part that looks like a digest or like chance: they follow their contents.
fn ends_in_digest(before: &str, now: &str) -> bool {
    let (Some((before, old)), Some((now, new))) = (before.rsplit_once('-'), now.rsplit_once('-')) else {
        return false;
    };
    let is_digest = |part: &str| {
        part.len() >= 5
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            && part.bytes().any(|byte| byte.is_ascii_digit())
    };
    before == now && is_digest(old) && is_digest(new)
}

fn namespace(id: &crate::manifest::DocumentId) -> &str {
    id.namespace.as_deref().unwrap_or("-")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, on_release};
    use super::*;

    fn object(kind: &str, name: &str, annotations: &str) -> Case {
        let data = "spec: {a: 1, b: two, c: three, d: [4, 5, 6], e: {f: g, h: i}}";
        Case::chart(
            "",
            &format!(
                "apiVersion: v1\nkind: {kind}\nmetadata:\n  name: {name}\n  annotations: {annotations}\n{data}\n"
            ),
        )
    }

    fn levels(baseline: Case, candidate: Case) -> Vec<Level> {
        let found = on_release(&CHECK, Some(baseline), Some(candidate), |_| None);
        found.into_iter().map(|hazard| hazard.level).collect()
    }

    #[test]
    fn what_holds_data_weighs_more() {
        let plain = "{a: b}";
        assert_eq!(
            levels(
                object("Service", "web", plain),
                object("Service", "web-server", plain)
            ),
            [Level::Warn]
        );
        let claims = |name: &str| object("PersistentVolumeClaim", name, plain);
        assert_eq!(levels(claims("web"), claims("web-server")), [Level::Deny]);
        let named = |name: &str| object("ConfigMap", name, plain);
        assert_eq!(levels(named("env-8f2c1"), named("env-77dk2")), [Level::Info]);
    }

    #[test]
    fn hooks_and_objects_that_keep_their_name_are_not_told() {
        let hook = "{helm.sh/hook: test}";
        assert!(levels(object("Pod", "web-a", hook), object("Pod", "web-b", hook)).is_empty());
        assert!(levels(object("Pod", "web", "{a: b}"), object("Pod", "web", "{a: c}")).is_empty());
        let ingress = |group: &str| {
            let spec = "spec: {a: 1, b: two, c: three, d: [4, 5, 6]}";
            Case::chart(
                "",
                &format!("apiVersion: {group}/v1beta1\nkind: Ingress\nmetadata: {{name: web}}\n{spec}\n"),
            )
        };
        assert!(levels(ingress("extensions"), ingress("networking.k8s.io")).is_empty());
    }
}
