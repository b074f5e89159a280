//! `random-output`: fields that are drawn by chance.

use super::{Check, Pass, SideView, Sink, chance};
use crate::base::Level;
use crate::value::AmbientKind;

/// The check.
pub static CHECK: Check = Check {
    name: "random-output",
    level: Level::Info,
    audit_only: false,
    explain: "A field of a document is drawn by chance: a password, a name, a certificate. Every render gives another value, so every upgrade changes the object, and pods that use it restart or lose what the old value opened.\n\n\
In a comparison such fields are held still, and only chance that is on both sides is passed over.\n\n\
Example: password: {{ randAlphaNum 16 }}. Read the value that is in use with lookup before drawing a new one, or give it in the values or in a Secret of its own.",
    pass: Pass::Documents(run),
};

fn run(view: &SideView<'_>, sink: &mut Sink) {
    chance::tell(
        view,
        &CHECK,
        AmbientKind::Random,
        ("comes", "from chance:"),
        "keep the value: read it back with lookup, or give it in the values",
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
            &format!("{HEAD}{}\n", r#"{{ randAlphaNum 8 | quote }}"#),
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
            &format!("{HEAD}{}\n", r#"{{ $unused := randAlphaNum 8 }}still"#),
        );
        assert_eq!(case.hazards(&CHECK), []);
    }
}
