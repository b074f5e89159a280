//! `StillThere`: what the candidate renders on a platform, for checks that tell what is gone.

use super::PlatformView;
use crate::manifest::DocumentId;
use std::collections::BTreeSet;

/// Kind, namespace, name. Another API group is another way to write the same object (an Ingress of `extensions`),
/// and of an object that was rendered twice one may go without a loss.
type Name<'a> = (&'a str, Option<&'a str>, &'a str);

/// The objects that the candidate renders on a platform.
pub(super) struct StillThere<'a>(BTreeSet<Name<'a>>);

impl<'a> StillThere<'a> {
    /// Those of a platform.
    pub(super) fn of(view: &'a PlatformView<'_>) -> StillThere<'a> {
        let footprints = view.cells.iter().filter_map(|cell| cell.footprints.candidate);
        StillThere(
            footprints
                .flat_map(|footprint| &footprint.objects)
                .map(name)
                .collect(),
        )
    }

    /// True when an object of this kind, namespace and name is among them.
    pub(super) fn has(&self, id: &DocumentId) -> bool {
        self.0.contains(&name(id))
    }
}

fn name(id: &DocumentId) -> Name<'_> {
    (&id.kind, id.namespace.as_deref(), &id.name)
}

#[cfg(test)]
mod tests {
    use super::super::testing::platform;
    use super::*;
    use crate::manifest::Manifest;

    #[test]
    fn the_api_group_does_not_part_them_and_the_namespace_does() {
        let text = |group: &str, namespace: &str| {
            format!("apiVersion: {group}/v1\nkind: Ingress\nmetadata: {{name: a, namespace: {namespace}}}\n")
        };
        let id = |text: String| Manifest::read(text.into_bytes(), "n").documents[0].id().clone();
        platform(&[("one", "", &text("networking.k8s.io", "x"))], |view| {
            let there = StillThere::of(view);
            assert!(there.has(&id(text("extensions", "x"))));
            assert!(!there.has(&id(text("extensions", "y"))));
        });
    }
}
