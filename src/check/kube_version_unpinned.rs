//! `kube-version-unpinned`: nothing says which cluster a release is rendered for.

use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::{Level, Place};
use crate::engine::History;
use crate::value::AmbientKind;

/// The check.
pub static CHECK: Check = Check {
    name: "kube-version-unpinned",
    level: Level::Warn,
    audit_only: false,
    explain: "No kubeVersion is given, so the release is rendered for the version that Helm was built with. That is \
another one in every Helm, and none of them is your cluster's.\n\n\
Where a template of the chart reads .Capabilities, the documents depend on it: they change with the Helm that renders, and \
the comparison looks at what the cluster never gets. That is denied; elsewhere it is a warning.\n\n\
Write kubeVersion into the configuration: for all releases, a platform or a release.",
    pass: Pass::Trace(run),
};

fn run(view: &ChartView<'_>, history: &History, sink: &mut Sink) {
    if view.job.kube_version.is_some() {
        return;
    }
    let kind = AmbientKind::Capability;
    let of = |marks| history.ambients(marks).any(|ambient| ambient.kind == kind);
    let branch = history.trace.branches.iter().find(|branch| of(branch.marks));
    let (level, message, related) = match branch {
        Some(branch) => {
            let place = history.place(branch.frame, branch.node);
            (
                Level::Deny,
                "a template depends on .Capabilities, and no kubeVersion is given",
                place,
            )
        }
        None if history.has_ambient(0..usize::MAX, &[kind]) => (
            Level::Deny,
            "the output depends on .Capabilities, and no kubeVersion is given",
            None,
        ),
        None => (
            Level::Warn,
            "no kubeVersion is given: Helm's own is not your cluster's",
            None,
        ),
    };
    sink.tell(Hazard {
        level,
        place: Some(Place::file(view.job.chart.clone())),
        related: related
            .into_iter()
            .map(|place| ("reads .Capabilities".to_owned(), place))
            .collect(),
        remedy: Some("write kubeVersion into the configuration".to_owned()),
        ..Hazard::new(&CHECK, message)
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn told(template: &str, version: Option<&str>) -> Vec<Level> {
        let case = Case::chart("", template).with(|job| job.kube_version = version.map(ToOwned::to_owned));
        case.hazards(&CHECK).iter().map(|hazard| hazard.level).collect()
    }

    #[test]
    fn it_weighs_more_where_a_template_depends_on_it() {
        let gate = "a: b\n{{ if .Capabilities.APIVersions.Has \"x/v1\" }}c: d{{ end }}\n";
        assert_eq!(told(gate, None), [Level::Deny]);
        assert_eq!(
            told("a: {{ .Capabilities.KubeVersion.Version }}\n", None),
            [Level::Deny]
        );
        assert_eq!(told("a: b\n", None), [Level::Warn]);
        assert_eq!(told(gate, Some("v1.36.0")), []);
    }
}
