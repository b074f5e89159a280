//! `null-ineffective`: a null that was to take a value away and does not.

use super::null_deletes::{is_gone, nulls};
use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::Level;

/// The check.
pub static CHECK: Check = Check {
    name: "null-ineffective",
    level: Level::Warn,
    audit_only: false,
    explain: "A null deletes a lower value in some places and does nothing in others, and Helm 3 and Helm 4 differ in \
where. A null that a parent chart writes for a value of its subchart deletes it in Helm 3 and is ignored in Helm 4. A \
null for the whole table of a subchart never deletes the defaults of that subchart. A null of a values file does \
nothing where a later layer writes a map under the same key, for the map merges with the default again.\n\n\
Whoever wrote the null believes that the value is gone; the pods get it all the same. The finding names the value that \
stays and where it stands. Delete it in the values of the release, key by key, or switch the feature off by its own \
switch.",
    pass: Pass::Layers(run),
};

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    for cover in nulls(view) {
        let written = view.written();
        let is_overwritten = written
            .settings(&cover.path.0)
            .last()
            .is_some_and(|last| last.layer > cover.upper.layer);
        if is_overwritten || is_gone(view, cover) || view.final_values().is_none() {
            continue;
        }
        let (below, above) = (written.layer(&cover.lower), written.layer(&cover.upper));
        let message = format!(
            "the null for {} in {} does nothing in Helm {}: {} of {} stays",
            cover.path,
            above.name(),
            view.job.dialect,
            cover.lower.node.kind_name(),
            below.name()
        );
        sink.tell(Hazard {
            value_path: Some(cover.path.clone()),
            place: Some(cover.upper.place.clone()),
            related: vec![("what stays".to_owned(), cover.lower.place.clone())],
            remedy: Some(
                "write the null into the values of the release, for each key that is to go".to_owned(),
            ),
            ..Hazard::new(&CHECK, message)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;
    use crate::dialect::Dialect;

    fn case(parent: &str, user: &str) -> Case {
        Case::chart(parent, "a: {{ toJson .Values }}\n")
            .file(
                "app/charts/sub/Chart.yaml",
                "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
            )
            .file("app/charts/sub/values.yaml", "a: 1\nm: {x: 1}\n")
            .values("v.yaml", user)
    }

    #[test]
    fn the_dialects_differ_over_the_null_of_a_parent_chart() {
        let null = || case("sub: {a: null}\n", "{}");
        let found = null().hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(
            hazard.message,
            "the null for sub.a in app/values.yaml does nothing in Helm 4.3: a number of app/charts/sub/values.yaml stays"
        );
        assert_eq!(null().dialect(Dialect::V3_19).hazards(&CHECK), []);
    }

    #[test]
    fn a_user_deletes_keys_but_no_subchart() {
        assert_eq!(case("", "sub: {a: null}\n").hazards(&CHECK), []);
        let whole = case("sub: {a: 2}\n", "sub: null\n").hazards(&CHECK);
        assert_eq!(whole.len(), 1);
        let file = case("", "sub: {m: null}\n").values("w.yaml", "sub: {m: {y: 2}}\n");
        assert_eq!(file.hazards(&CHECK), []);
    }
}
