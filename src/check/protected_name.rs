//! `protected-name`: an object that the configuration protects goes or has another name.

use super::still_there::StillThere;
use super::{Check, Hazard, Pass, PlatformView, Sink};
use crate::base::Level;
use crate::compare::Verdict;

/// The check.
pub static CHECK: Check = Check {
    name: "protected-name",
    level: Level::Deny,
    audit_only: false,
    explain: "`protect:` of evenkeel.yaml lists names that may never disappear, such as PersistentVolumeClaim/* or \
Deployment/open-webui. The candidate no longer has such an object, or has it under another name or in another namespace.\n\n\
Keep the name, or take it off the list in the same change, where a reviewer sees it. An object that moves to another \
release under its name is not told.",
    pass: Pass::Platform(run),
};

fn run(view: &PlatformView<'_>, sink: &mut Sink) {
    let there = StillThere::of(view);
    for cell in &view.cells {
        let documents = cell
            .comparison
            .map_or(&[][..], |comparison| &comparison.documents[..]);
        for document in documents {
            let (old, what) = match (document.verdict, &document.from) {
                (Verdict::Removed, _) => (&document.id, "is gone".to_owned()),
                (Verdict::Renamed, Some(from)) => (&from.id, format!("is {} now", document.id)),
                _ => continue,
            };
            let Some(pattern) = (view.protects)(old).filter(|_| !there.has(old)) else {
                continue;
            };
            sink.tell(Hazard {
                release: Some(cell.release.to_owned()),
                resource: Some(old.clone()),
                object: pattern.clone(),
                remedy: Some("keep the name, or take it off `protect:` on purpose".to_owned()),
                ..Hazard::new(&CHECK, format!("{old} {what}, and `protect:` has {pattern}"))
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, on_release};
    use super::*;
    use crate::manifest::DocumentId;

    fn service(name: &str) -> Case {
        Case::chart(
            "",
            &format!(
                "apiVersion: v1\nkind: Service\nmetadata: {{name: {name}}}\nspec: {{a: 1, b: two, c: three, d: [4, 5]}}\n"
            ),
        )
    }

    fn protects(id: &DocumentId) -> Option<String> {
        (&*id.name == "web").then(|| "Service/web".to_owned())
    }

    #[test]
    fn a_protected_name_may_not_go() {
        let found = on_release(
            &CHECK,
            Some(service("web")),
            Some(service("web-server")),
            protects,
        );
        assert_eq!(found.len(), 1, "{found:?}");
        let found = on_release(&CHECK, Some(service("web")), None, protects);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn it_may_be_written_in_another_api_group() {
        let ingress = |group: &str| {
            Case::chart(
                "",
                &format!(
                    "apiVersion: {group}/v1beta1\nkind: Ingress\nmetadata: {{name: web}}\nspec: {{a: 1, b: two, c: three}}\n"
                ),
            )
        };
        let (before, after) = (ingress("extensions"), ingress("networking.k8s.io"));
        assert_eq!(on_release(&CHECK, Some(before), Some(after), protects), []);
    }

    #[test]
    fn other_names_may() {
        assert_eq!(
            on_release(
                &CHECK,
                Some(service("api")),
                Some(service("api-server")),
                protects
            ),
            []
        );
        assert_eq!(
            on_release(&CHECK, Some(service("web")), Some(service("web")), protects),
            []
        );
    }
}
