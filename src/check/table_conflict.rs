//! `table-conflict`: a map takes the place of a plain value, or a plain value that of a map.

use super::elements::{in_a_row, is_unset};
use super::live::is_off;
use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::Level;
use crate::layers::cover::Cover;
use crate::yaml::NodeKind;

/// The check.
pub static CHECK: Check = Check {
    name: "table-conflict",
    level: Level::Deny,
    audit_only: false,
    explain: "One layer holds a map under a key and another holds a plain value or a list. Helm cannot merge the two: \
the higher one takes the place of the lower one as a whole, in some places with a warning on standard error, in most \
without.\n\n\
\x20   resources:            # the chart        resources: small     # the overlay\n\
\x20     limits: {...}\n\n\
All keys of the map are gone, and a template that reads one of them fails or renders nothing. The reverse gives a \
template a map where it prints a text: the manifest then holds map[size:1Gi].\n\n\
Give the key one shape in all layers. Empty values (an empty map, an empty text, null) are no conflict, for charts \
use them to say that nothing is set.",
    pass: Pass::Layers(run),
};

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    for cover in &view.covers().values {
        let (lower, upper) = (&cover.lower.node, &cover.upper.node);
        let is_conflict = lower.is_map() != upper.is_map() && !is_unset(lower) && !upper.is_null();
        if is_conflict && !is_off(view, &cover.path.0) {
            tell(view, cover, sink);
        }
    }
}

fn tell(view: &ChartView<'_>, cover: &Cover, sink: &mut Sink) {
    let (lower, upper) = (&cover.lower.node, &cover.upper.node);
    let (below, above) = (
        view.written().layer(&cover.lower),
        view.written().layer(&cover.upper),
    );
    let keys: Vec<String> = lower
        .entries()
        .iter()
        .map(|entry| entry.key.to_string())
        .collect();
    let are = if keys.len() == 1 { "is" } else { "are" };
    let gone = match keys.is_empty() {
        true => String::new(),
        false => format!(": {} {are} gone", in_a_row(&keys)),
    };
    let message = format!(
        "{} has {} for {} where {} has {}{gone}",
        above.name(),
        upper.kind_name(),
        cover.path,
        below.name(),
        lower.kind_name()
    );
    let is_default = !below.is_users();
    // Charts that take a switch or a map have the switch as the default.
    let invites =
        is_default && (upper.is_map() && !matches!(lower.kind, NodeKind::Str(_) | NodeKind::List(_)));
    sink.tell(Hazard {
        level: if invites || (is_default && view.is_audit) {
            Level::Warn
        } else {
            Level::Deny
        },
        value_path: Some(cover.path.clone()),
        lost: keys,
        place: Some(cover.upper.place.clone()),
        related: vec![("what it takes the place of".to_owned(), cover.lower.place.clone())],
        remedy: Some(format!("give {} one shape in all layers", cover.path)),
        ..Hazard::new(&CHECK, message)
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn told(defaults: &str, values: &str) -> Vec<(Level, Vec<String>)> {
        let case = Case::chart(defaults, "a: {{ toJson .Values }}\n").values("v.yaml", values);
        let told = |hazard: Hazard| (hazard.level, hazard.lost);
        case.hazards(&CHECK).into_iter().map(told).collect()
    }

    #[test]
    fn maps_and_plain_values_do_not_mix() {
        let lost = vec!["b".to_owned(), "c".to_owned()];
        assert_eq!(told("a: {b: 1, c: 2}", "a: x"), [(Level::Deny, lost)]);
        assert_eq!(told("a: x", "a: {b: 1}"), [(Level::Deny, Vec::new())]);
        assert_eq!(told("a: true", "a: {b: 1}"), [(Level::Warn, Vec::new())]);
    }

    #[test]
    fn empty_values_are_no_conflict() {
        for (defaults, values) in [
            ("a: {}", "a: x"),
            ("a: ''", "a: {b: 1}"),
            ("a: false", "a: {b: 1}"),
            ("a: {b: 1}", "a: {}"),
            ("a: {b: 1}", "a: {b: 2}"),
            ("a: {b: 1}", "a: null"),
        ] {
            assert_eq!(told(defaults, values), [], "{defaults} {values}");
        }
    }
}
