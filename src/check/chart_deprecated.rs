//! `chart-deprecated`: Chart.yaml says that the chart is not looked after any more.

use super::live;
use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::Level;

/// The check.
pub static CHECK: Check = Check {
    name: "chart-deprecated",
    level: Level::Info,
    audit_only: false,
    explain: "Chart.yaml of a chart, or of a subchart that takes part, says deprecated: true. Helm prints one line on \
standard error for the chart itself and nothing for subcharts. Its images and API versions will not be brought up to \
date, so the next upgrade of the cluster may be the one that breaks it.\n\n\
It weighs more when a change brings it: a new chart or a new version of one that has been given up. Look into the \
chart's README for its successor.",
    pass: Pass::Layers(run),
};

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    for live in live::charts(view) {
        if !live.chart.metadata.deprecated {
            continue;
        }
        // What stands on both sides is told as `info` at most.
        let level = if view.is_audit { Level::Info } else { Level::Warn };
        sink.tell(Hazard {
            level,
            place: Some(live.metadata_place(view, "deprecated")),
            object: live.chart.metadata.name.clone(),
            remedy: Some("look for its successor before the next upgrade of the cluster".to_owned()),
            ..Hazard::new(&CHECK, format!("the chart {} is deprecated", live.title()))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, introduced};
    use super::*;

    fn case(deprecated: bool, condition: &str) -> Case {
        let sub = format!("apiVersion: v2\nname: sub\nversion: 1.0.0\ndeprecated: {deprecated}\n");
        Case::chart("sub: {run: true}\n", "a: b\n")
            .file(
                "app/Chart.yaml",
                "apiVersion: v2\nname: app\nversion: 0.1.0\ndependencies:\n- {name: sub, version: 1.x.x, condition: sub.run}\n",
            )
            .file("app/charts/sub/Chart.yaml", &sub)
            .values("v.yaml", condition)
    }

    #[test]
    fn a_subchart_that_is_given_up_is_told_when_it_takes_part() {
        let found = introduced(&CHECK, case(false, "{}"), case(true, "{}"));
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(hazard.level, Level::Warn);
        assert_eq!(hazard.message, "the chart sub 1.0.0 is deprecated");
        let place = hazard.place.as_ref().map(ToString::to_string);
        assert_eq!(place.as_deref(), Some("app/charts/sub/Chart.yaml:4:1"));
        assert_eq!(introduced(&CHECK, case(true, "{}"), case(true, "{}")), []);
        assert_eq!(case(true, "sub: {run: false}\n").hazards(&CHECK), []);
        assert_eq!(case(true, "{}").audit().hazards(&CHECK)[0].level, Level::Info);
    }
}
