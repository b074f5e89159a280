//! `dialect-disagreement`: the Helms that were asked for make different documents of one release.

use super::{ChartView, Check, Hazard, Pass, SideView, Sink};
use crate::base::{Level, Place, Sides};
use crate::compare::cell::compare;
use crate::compare::verdict::Verdict;
use crate::dialect::Dialect;
use crate::engine::RenderJob;
use crate::engine::capabilities::KubeVersion;
use crate::manifest::{Manifest, Rules};

/// The check.
pub static CHECK: Check = Check {
    name: "dialect-disagreement",
    level: Level::Deny,
    audit_only: false,
    explain: "helmVersion lists several Helms, and they do not make the same documents of this release: one deploys \
something else than the other. Who upgrades Helm, or mixes a laptop with a controller that brings its own, changes the \
cluster without changing a file.\n\n\
Usual causes: a values file of several documents (Helm 3 reads the first, Helm 4 merges all), a null over the values of a \
subchart, numbers that are printed otherwise.\n\n\
Both render for one version of Kubernetes: that their own defaults differ is told by kube-version-unpinned.\n\n\
Write what both read alike, or list one Helm only.",
    pass: Pass::Documents(run),
};

fn run(view: &SideView<'_>, sink: &mut Sink) {
    let Some(chart) = &view.chart else {
        return;
    };
    for &other in chart.other_dialects {
        disagreement(chart, other, sink);
    }
}

fn disagreement(chart: &ChartView<'_>, other: Dialect, sink: &mut Sink) {
    let version = chart.job.kube_version.clone();
    let version = version.unwrap_or_else(|| KubeVersion::default_of(chart.job.dialect).version);
    let render = |dialect: Dialect| {
        let job = RenderJob {
            kube_version: Some(version.clone()),
            traced: false,
            dialect,
            ..chart.job.clone()
        };
        (chart.again)(&job)
    };
    let own = chart.job.dialect;
    let (Ok(ours), theirs) = (render(own), render(other)) else {
        return;
    };
    let theirs = match theirs {
        Ok(theirs) => theirs,
        Err(failure) => {
            let message = format!("Helm {own} renders it and Helm {other} does not: {failure}");
            sink.tell(Hazard {
                object: format!("fails in {other}"),
                place: failure
                    .place
                    .or_else(|| Some(Place::file(chart.job.chart.clone()))),
                remedy: Some("write what both read alike".to_owned()),
                ..Hazard::new(&CHECK, message)
            });
            return;
        }
    };
    if ours.output == theirs.output {
        return;
    }
    let read = |output: Vec<u8>| Manifest::read(output, &chart.job.namespace);
    let (ours, theirs) = (read(ours.output), read(theirs.output));
    let compared = compare(&chart.job.release, Sides::new(&ours, &theirs), Rules::default());
    for document in &compared.documents {
        let first = document.changes.first().map(|change| change.path.clone());
        let what = match document.verdict {
            Verdict::Identical | Verdict::Equivalent => continue,
            Verdict::Added => format!("only Helm {other} makes it"),
            Verdict::Removed => format!("only Helm {own} makes it"),
            _ => match &first {
                Some(field) => format!("Helm {own} and Helm {other} disagree over {field}"),
                None => format!("Helm {own} and Helm {other} disagree over it"),
            },
        };
        sink.tell(Hazard {
            resource: Some(document.id.clone()),
            field_path: first,
            object: other.to_string(),
            place: Some(Place::file(chart.job.chart.clone())),
            remedy: Some("write what both read alike".to_owned()),
            ..Hazard::new(&CHECK, format!("{}: {what}", document.id))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    const TEMPLATE: &str =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: {{ .Values.x }}\n";

    #[test]
    fn documents_that_differ_are_denied() {
        let case = |values: &str| {
            let case = Case::chart("x: a\n", TEMPLATE).values("v.yaml", values);
            case.other_dialects(&[Dialect::V3_19])
        };
        let found = case("x: b\n---\nx: c\n").hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        let field = hazard.field_path.as_ref().map(ToString::to_string);
        assert_eq!((field.as_deref(), hazard.level), (Some("data.x"), Level::Deny));
        assert_eq!(case("x: c\n").hazards(&CHECK), []);
    }

    #[test]
    fn clusters_that_nobody_pinned_are_no_disagreement() {
        let template = TEMPLATE.replace(".Values.x", ".Capabilities.KubeVersion.Version");
        let case = Case::chart("", &template).with(|job| job.kube_version = None);
        assert_eq!(case.other_dialects(&[Dialect::V3_19]).hazards(&CHECK), []);
    }
}
