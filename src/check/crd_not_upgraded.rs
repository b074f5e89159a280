//! `crd-not-upgraded`: a definition below `crds/` that changed or left.

use super::{CellView, Check, Hazard, Pass, Sink};
use crate::base::{Level, Place};
use crate::chart::Chart;
use crate::manifest::{Document, Manifest, Rules, canon};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The check.
pub static CHECK: Check = Check {
    name: "crd-not-upgraded",
    level: Level::Warn,
    audit_only: false,
    explain: "Helm installs what stands below crds/ of a chart once, with the first install, and never touches it again: \
an upgrade neither changes nor deletes it. Here such a definition changed or left, and the cluster will go on with the \
old one, while the rest of the chart expects the new.\n\n\
Objects that use a new field are refused or lose it, and a controller may not start.\n\n\
Apply the definitions by hand before the upgrade (kubectl apply --server-side -f crds/), or make them templates.",
    pass: Pass::Comparison(run),
};

fn run(view: &CellView<'_>, sink: &mut Sink) {
    let charts = view
        .sides
        .as_ref()
        .map(|side| side.as_ref().and_then(|side| side.chart));
    let (Some(before), Some(after)) = (charts.baseline, charts.candidate) else {
        return;
    };
    if Arc::ptr_eq(before.chart, after.chart) {
        return;
    }
    let (before, after) = (files(before.chart), files(after.chart));
    for (name, (_, text)) in &before {
        let place = match after.get(name) {
            Some((_, other)) if other == text => continue,
            Some((place, _)) => Some(place.clone()),
            None => None,
        };
        let old = Manifest::read(Arc::clone(text), "");
        let new = after
            .get(name)
            .map(|(_, text)| Manifest::read(Arc::clone(text), ""));
        for document in old.documents.iter().filter(|document| is_definition(document)) {
            let now = new
                .iter()
                .flat_map(|new| &new.documents)
                .find(|now| now.id() == document.id());
            let what = match now {
                Some(now) if same(document, now) => continue,
                Some(_) => "changed",
                None if is_elsewhere(document, &after) => continue,
                None => "left",
            };
            sink.tell(Hazard {
                resource: Some(document.id().clone()),
                object: what.to_owned(),
                place: place.clone(),
                remedy: Some("apply the definitions by hand before the upgrade".to_owned()),
                ..Hazard::new(
                    &CHECK,
                    format!(
                        "{} {what} below crds/, which an upgrade does not touch",
                        document.id()
                    ),
                )
            });
        }
    }
}

/// The files below crds/ of a chart and its subcharts, by chart and name; with their place in the tree.
type Files = BTreeMap<String, (Place, Arc<[u8]>)>;

fn files(chart: &Chart) -> Files {
    let mut found = Files::new();
    collect(chart, "", &mut found);
    found
}

fn collect(chart: &Chart, path: &str, found: &mut Files) {
    for file in chart.files.iter().filter(|file| file.name.starts_with("crds/")) {
        let place = Place::file(format!("{}/{}", chart.location, file.name));
        found.insert(format!("{path}{}", file.name), (place, Arc::clone(&file.data)));
    }
    for child in &chart.dependencies {
        collect(child, &format!("{path}{}/", child.metadata.name), found);
    }
}

fn is_definition(document: &Document) -> bool {
    &*document.id().kind == "CustomResourceDefinition"
}

fn same(before: &Document, after: &Document) -> bool {
    let digest = |document: &Document| canon::digest(document, Rules::default()).ok();
    before.same_text(after) || digest(before).is_some() && digest(before) == digest(after)
}

/// True when a definition moved to another file unchanged.
fn is_elsewhere(document: &Document, after: &Files) -> bool {
    after.values().any(|(_, text)| {
        let manifest = Manifest::read(Arc::clone(text), "");
        manifest
            .documents
            .iter()
            .any(|other| other.id() == document.id() && same(document, other))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, compared};
    use super::*;

    fn case(file: &str, version: &str) -> Case {
        let text = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: a.x}}\n\
             spec: {{group: x, names: {{kind: A}}, scope: Namespaced, versions: [{{name: {version}}}]}}\n"
        );
        Case::chart("", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n").file(file, &text)
    }

    #[test]
    fn a_changed_definition_is_told_and_a_moved_one_is_not() {
        let found = compared(
            &CHECK,
            case("app/crds/a.yaml", "v1"),
            case("app/crds/a.yaml", "v2"),
        );
        let [hazard] = &found[..] else { panic!("{found:?}") };
        let place = hazard.place.as_ref().map(ToString::to_string);
        assert_eq!(place.as_deref(), Some("app/crds/a.yaml"));
        assert_eq!(
            compared(
                &CHECK,
                case("app/crds/a.yaml", "v1"),
                case("app/crds/b.yaml", "v1")
            ),
            []
        );
    }
}
