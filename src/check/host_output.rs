//! `host-output`: fields that depend on the machine that renders.

use super::{Check, Pass, SideView, Sink, chance};
use crate::base::Level;
use crate::value::AmbientKind;

/// The check.
pub static CHECK: Check = Check {
    name: "host-output",
    level: Level::Info,
    audit_only: false,
    explain: "A field of a document depends on the machine that renders: on what its DNS answers (getHostByName), or on its time zone. A developer, CI and the cluster's controller get different documents from the same chart.\n\n\
Example: {{ getHostByName \"db\" }}. Use the name itself, which the pod resolves, or give the answer as a value. For dates, name the zone: dateInZone \"2006-01-02\" (now) \"UTC\".",
    pass: Pass::Documents(run),
};

fn run(view: &SideView<'_>, sink: &mut Sink) {
    chance::tell(
        view,
        &CHECK,
        AmbientKind::Host,
        ("depends", "on the machine that renders:"),
        "give the answer as a value",
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
            &format!("{HEAD}{}\n", r#"{{ printf "at-%s" (getHostByName "db") }}"#),
        );
        let found = case.hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        let field = hazard.field_path.as_ref().map(ToString::to_string);
        assert_eq!(field.as_deref(), Some("data.loud"));
        assert!(hazard.place.is_some());
    }

    #[test]
    fn a_field_that_does_not_is_silent() {
        let case = Case::chart("map: {b: 1, a: 2}\n", &format!("{HEAD}{}\n", r#"still"#));
        assert_eq!(case.hazards(&CHECK), []);
    }
}
