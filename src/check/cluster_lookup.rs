//! `cluster-lookup`: fields that depend on what the cluster answers while rendering.

use super::chance::{Reach, reaches};
use super::empty_secret::{is_credential, is_empty};
use super::{Check, Hazard, Pass, SideView, Sink};
use crate::base::{KeyPath, Level};
use crate::value::AmbientKind;

/// The check.
pub static CHECK: Check = Check {
    name: "cluster-lookup",
    level: Level::Warn,
    audit_only: false,
    explain: "A field of a document depends on lookup, which asks the cluster while rendering. Nothing that renders \
offline (helm template, Argo CD, CI) has a cluster to ask: lookup gives nothing there, and the field holds what the \
chart gives for nothing.\n\n\
Where that is a credential, it is empty, and applying the document overwrites the real one: that is denied. Elsewhere \
the finding names the object that is looked up.\n\n\
Give the value in the values or refer to the existing object by name (secretKeyRef), so that the document does not depend \
on who renders it.",
    pass: Pass::Documents(run),
};

const REMEDY: &str =
    "refer to the existing object, or give the value: offline renders have no cluster to ask";

fn run(view: &SideView<'_>, sink: &mut Sink) {
    let Some(history) = view.history else {
        return;
    };
    for reach in reaches(view, AmbientKind::Lookup) {
        let empty = reach
            .fields
            .iter()
            .find(|field| is_empty_credential(&reach, field));
        let (level, answer) = match empty {
            Some(field) => (
                Level::Deny,
                format!("; without a cluster the credential {field} is empty"),
            ),
            None => (CHECK.level, String::new()),
        };
        let message = format!(
            "{}: {} depends on the lookup of {}{answer}",
            reach.document.id(),
            reach.named(),
            looked_up(&reach.ambient.call)
        );
        let first = empty.or(reach.fields.first()).cloned();
        sink.tell(Hazard {
            level,
            object: looked_up(&reach.ambient.call),
            field_path: first,
            remedy: Some(REMEDY.to_owned()),
            ..reach.hazard(&CHECK, history, message)
        });
    }
}

/// The object of a call: `v1/Secret/namespace/name`, as far as it is named.
fn looked_up(call: &str) -> String {
    let named: Vec<&str> = call
        .split('"')
        .skip(1)
        .step_by(2)
        .filter(|part| !part.is_empty())
        .collect();
    named.join("/")
}

fn is_empty_credential(reach: &Reach<'_>, field: &KeyPath) -> bool {
    is_credential(reach.document, field) && is_empty(reach.document, field)
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn secret(value: &str) -> Case {
        Case::chart(
            "",
            &format!(
                "{{{{ $old := lookup \"v1\" \"Secret\" .Release.Namespace \"db\" }}}}apiVersion: v1\nkind: Secret\n\
                 metadata: {{name: db}}\ndata:\n  user: YQ==\n  password: {value}\n"
            ),
        )
    }

    #[test]
    fn an_empty_credential_is_denied_and_others_are_warned_of() {
        let found = secret("{{ dig \"data\" \"password\" \"\" $old | quote }}").hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(hazard.level, Level::Deny);
        assert_eq!(hazard.object, "v1/Secret/n/db");
        let field = hazard.field_path.as_ref().map(ToString::to_string);
        assert_eq!(field.as_deref(), Some("data.password"));
        let found = secret("{{ dig \"data\" \"password\" \"c2VlZA==\" $old | quote }}").hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(hazard.level, Level::Warn);
    }

    #[test]
    fn a_lookup_without_effect_is_silent() {
        assert_eq!(secret("c2VlZA==").hazards(&CHECK), []);
    }
}
