//! `map-order-output`: fields that depend on Go's random order of maps.

use super::{Check, Pass, SideView, Sink, chance};
use crate::base::Level;
use crate::value::AmbientKind;

/// The check.
pub static CHECK: Check = Check {
    name: "map-order-output",
    level: Level::Info,
    audit_only: false,
    explain: "A field of a document depends on the order in which Go walks a map, which is another at every run. keys and values give their results in that order. Lists made of them differ from render to render though nothing changed.\n\n\
Example: {{ keys .Values.labels | join \",\" }}. Sort what comes out: {{ keys .Values.labels | sortAlpha | join \",\" }}. A range over a map is sorted by itself.",
    pass: Pass::Documents(run),
};

fn run(view: &SideView<'_>, sink: &mut Sink) {
    chance::tell(
        view,
        &CHECK,
        AmbientKind::MapOrder,
        ("depends", "on the order of a map:"),
        "sort the keys: keys .Values.x | sortAlpha",
        sink,
    );
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    const HEAD: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  quiet: x\n  loud: ";

    #[test]
    fn a_field_that_depends_on_it_is_told() {
        let case = Case::chart(
            "map: {b: 1, a: 2}\n",
            &format!("{HEAD}{}\n", r#"{{ keys .Values.map | join "," | quote }}"#),
        );
        let found = case.hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        let field = hazard.field_path.as_ref().map(ToString::to_string);
        assert_eq!(field.as_deref(), Some("data.loud"));
        assert!(hazard.place.is_some());
    }

    #[test]
    fn a_field_that_does_not_is_silent() {
        let case = Case::chart(
            "map: {b: 1, a: 2}\n",
            &format!(
                "{HEAD}{}\n",
                r#"{{ keys .Values.map | sortAlpha | join "," | quote }}"#
            ),
        );
        assert_eq!(case.hazards(&CHECK), []);
    }
}
