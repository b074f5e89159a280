//! `null-deletes`: a null takes a lower value away.

use super::elements::is_unset;
use super::live::is_off;
use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::Level;
use crate::layers::cover::Cover;
use crate::value::{Data, Value};

/// The check.
pub static CHECK: Check = Check {
    name: "null-deletes",
    level: Level::Info,
    audit_only: false,
    explain: "A null in the values of a release deletes what lower layers say under the key, defaults of the chart \
included. That is Helm's way to take a default away:\n\n\
\x20   livenessProbe:\n\
\x20     httpGet: null\n\n\
It is easy to write one by accident: a key whose children were all commented out holds a null. The finding names what \
is deleted and where it stood. Nothing needs to be done when it is meant.",
    pass: Pass::Layers(run),
};

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    for cover in nulls(view) {
        if !is_gone(view, cover) {
            continue;
        }
        let (below, above) = (
            view.written().layer(&cover.lower),
            view.written().layer(&cover.upper),
        );
        let message = format!(
            "the null for {} in {} deletes {} of {}",
            cover.path,
            above.name(),
            cover.lower.node.kind_name(),
            below.name()
        );
        sink.tell(Hazard {
            value_path: Some(cover.path.clone()),
            place: Some(cover.upper.place.clone()),
            related: vec![("what it deletes".to_owned(), cover.lower.place.clone())],
            ..Hazard::new(&CHECK, message)
        });
    }
}

/// The nulls that stand over something that is set, in charts that take part.
pub(super) fn nulls<'v>(view: &'v ChartView<'_>) -> impl Iterator<Item = &'v Cover> {
    view.covers()
        .values
        .iter()
        .filter(|cover| cover.upper.node.is_null() && !is_unset(&cover.lower.node))
        .filter(|cover| !is_off(view, &cover.path.0))
}

/// True when nothing is left under the path of a null.
pub(super) fn is_gone(view: &ChartView<'_>, cover: &Cover) -> bool {
    let Some(ends) = view.final_values() else {
        return false;
    };
    matches!(ends.at(&cover.path.0), None | Some(Value { data: Data::Nil, .. }))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    #[test]
    fn a_null_over_a_default_deletes_it() {
        let case = |values: &str| {
            Case::chart("a: {b: 1, c: 2, d: ''}\n", "a: {{ toJson .Values }}\n").values("v.yaml", values)
        };
        let found = case("a:\n  b: null\n").hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(
            hazard.message,
            "the null for a.b in v.yaml deletes a number of app/values.yaml"
        );
        assert_eq!(hazard.related[0].1.to_string(), "app/values.yaml:1:5");
        assert_eq!(case("a:\n  d: null\n").hazards(&CHECK), []);
        assert_eq!(case("a:\n  x: null\n").hazards(&CHECK), []);
        assert_eq!(case("a: {b: 2}\n").hazards(&CHECK), []);
    }
}
