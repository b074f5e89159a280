//! `clock-output`: fields that hold the time.

use super::{Check, Pass, SideView, Sink, chance};
use crate::base::Level;
use crate::value::AmbientKind;

/// The check.
pub static CHECK: Check = Check {
    name: "clock-output",
    level: Level::Info,
    audit_only: false,
    explain: "A field of a document holds the time of the render, or something made of it. Every render gives another document; in a pod template that restarts the pods at every upgrade.\n\n\
Example: annotations: {deployed: {{ now }}}. Where the restart is wanted, say so in a value that changes with the release; where it is not, leave the time out.",
    pass: Pass::Documents(run),
};

fn run(view: &SideView<'_>, sink: &mut Sink) {
    chance::tell(
        view,
        &CHECK,
        AmbientKind::Clock,
        ("depends", "on the clock:"),
        "leave the time out, or give it as a value",
        sink,
    );
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    const HEAD: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  quiet: x\n  loud: ";

    #[test]
    fn one_field_depends_and_several_depend() {
        let template = r#"{{ now | date "2006" }}"#;
        let message = |text: &str| {
            let found = Case::chart("a: 1\n", text).hazards(&CHECK);
            found[0].message.clone()
        };
        let message_of = |rest: &str| message(&format!("{HEAD}{template}\n{rest}"));
        assert!(
            message_of("").contains("data.loud depends on"),
            "{}",
            message_of("")
        );
        let two = message_of(&format!("  too: {template}\n"));
        assert!(two.contains("data.loud, data.too depend on"), "{two}");
        let all = message("{{ if now }}kind: ConfigMap\nmetadata: {name: a}\n{{ end }}");
        assert!(all.contains("the whole document depends on"), "{all}");
    }

    #[test]
    fn a_field_that_depends_on_it_is_told() {
        let case = Case::chart(
            "map: {b: 1, a: 2}\n",
            &format!("{HEAD}{}\n", r#"{{ now | date "2006" | quote }}"#),
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
            &format!("{HEAD}{}\n", r#"{{ $unused := now }}still"#),
        );
        assert_eq!(case.hazards(&CHECK), []);
    }
}
