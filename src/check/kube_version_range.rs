//! `kube-version-range`: a subchart was not made for the cluster that the release is meant for.

use super::live;
use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::Level;
use crate::semver::{Constraints, Version};

/// The check.
pub static CHECK: Check = Check {
    name: "kube-version-range",
    level: Level::Deny,
    audit_only: false,
    explain: "Chart.yaml says for which versions of Kubernetes a chart is made (kubeVersion). Helm compares that of the \
chart it installs with the cluster, and refuses to render when it does not fit. It never looks at the ranges of \
subcharts: those render, and then use API versions that the cluster does not have, or lack ones that it needs.\n\n\
The finding names the subchart, its range and the version that is pinned. Take a version of the subchart that fits the \
cluster, or pin the version that the cluster really has. It is silent when no version is pinned, and where only a \
build suffix of the version (such as -gke.100) keeps it out of the range.",
    pass: Pass::Layers(run),
};

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    let Some(pinned) = &view.job.kube_version else {
        return;
    };
    let Ok(mut version) = Version::parse(pinned) else {
        return;
    };
    version.pre.clear();
    // The root's range is Helm's to check: a render that came this far fits it.
    for live in live::charts(view)
        .into_iter()
        .filter(|live| !live.path.is_empty())
    {
        let range = &live.chart.metadata.kube_version;
        if range.is_empty() {
            continue;
        }
        let fits = Constraints::parse(range).is_ok_and(|range| range.allows(&version));
        if fits {
            continue;
        }
        let path = live.path.join(".");
        let message = format!(
            "the subchart {path} ({}) is made for Kubernetes {range}, and {pinned} is pinned; Helm does not check it",
            live.title()
        );
        sink.tell(Hazard {
            place: Some(live.metadata_place(view, "kubeVersion")),
            object: format!("{path} {range} {pinned}"),
            remedy: Some("take a version of the subchart that is made for the cluster".to_owned()),
            ..Hazard::new(&CHECK, message)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn told(range: &str, pinned: Option<&str>) -> usize {
        let sub = format!("apiVersion: v2\nname: sub\nversion: 1.0.0\nkubeVersion: '{range}'\n");
        let case = Case::chart("", "a: b\n").file("app/charts/sub/Chart.yaml", &sub);
        let pinned = pinned.map(ToOwned::to_owned);
        case.with(|job| job.kube_version = pinned).hazards(&CHECK).len()
    }

    #[test]
    fn a_range_that_misses_the_pinned_version_is_told() {
        assert_eq!(told("<1.30.0-0", Some("v1.36.2")), 1);
        assert_eq!(told(">=1.21.0", Some("v1.36.2")), 0);
        assert_eq!(told(">=1.21.0", Some("v1.29.3-gke.100")), 0);
        assert_eq!(told("<1.30.0-0", None), 0);
    }
}
