//! `cluster-lookup`: fields that depend on what the cluster answers while rendering.

use super::chance::{Reach, reaches};
use super::declared::{Declared, touches};
use super::empty_secret::{is_credential, is_empty};
use super::{Check, Hazard, Pass, SideView, Sink};
use crate::base::Level;
use crate::compare::{Change, Verdict};
use crate::engine::History;
use crate::value::AmbientKind;
use std::collections::BTreeSet;

/// The check.
pub static CHECK: Check = Check {
    name: "cluster-lookup",
    level: Level::Warn,
    audit_only: false,
    explain: "A field of a document depends on lookup, which asks the cluster while rendering. Nothing that renders \
offline (helm template, Argo CD, CI) has a cluster to ask: lookup gives nothing there, and the field holds what the \
chart gives for nothing.\n\n\
Where that is a credential, it is empty, and applying the document overwrites the real one: that is denied. Elsewhere \
the finding names the object that is looked up. With --cluster-state, lookup sees the objects of exported files; the \
release is then rendered without them as well, and the finding says what is different.\n\n\
Give the value in the values or refer to the existing object by name (secretKeyRef), so that the document does not depend \
on who renders it.",
    pass: Pass::Documents(run),
};

const REMEDY: &str =
    "refer to the existing object, or give the value: offline renders have no cluster to ask";

/// What a difference is about that no single call explains.
const STATE: &str = "declared state";

fn run(view: &SideView<'_>, sink: &mut Sink) {
    let Some(history) = view.history else {
        return;
    };
    let reaches = reaches(view, AmbientKind::Lookup);
    let declared = match Declared::of(view) {
        None => None,
        Some(Ok(declared)) => Some(declared),
        Some(Err(failure)) => {
            let text = format!(
                "without the declared state it does not render: {}",
                failure.message
            );
            sink.tell(Hazard {
                object: STATE.to_owned(),
                place: failure.place,
                remedy: Some(REMEDY.to_owned()),
                ..Hazard::new(&CHECK, text)
            });
            None
        }
    };
    for reach in &reaches {
        tell(reach, declared.as_ref(), history, sink);
    }
    if let Some(declared) = declared {
        tell_others(&declared, &reaches, history, sink);
    }
}

/// Tells the fields of one document that one call reached.
fn tell(reach: &Reach<'_>, declared: Option<&Declared>, history: &History, sink: &mut Sink) {
    let empty = match declared {
        None => Some(reach.document),
        Some(declared) => declared.without(reach.document),
    };
    let empty = empty.and_then(|document| {
        let mut fields = reach.fields.iter();
        fields.find(|field| is_credential(document, field) && is_empty(document, field))
    });
    let (level, mut answer) = match empty {
        Some(field) => (
            Level::Deny,
            format!("; without a cluster the credential {field} is empty"),
        ),
        None => (CHECK.level, String::new()),
    };
    if let Some(declared) = declared {
        let changes = declared.changes(reach.document).iter();
        let changes = changes.filter(|change| is_reached(reach, change));
        let told = declared.told(reach.document.id(), changes);
        answer.push_str("; ");
        answer.push_str(if told.is_empty() {
            "it is the same with and without the declared state"
        } else {
            &told
        });
    }
    let object = looked_up(&reach.ambient.call);
    let message = format!(
        "{}: {} on the lookup of {object}{answer}",
        reach.document.id(),
        reach.does("depends"),
    );
    sink.tell(Hazard {
        level,
        object,
        field_path: empty.or(reach.fields.first()).cloned(),
        remedy: Some(REMEDY.to_owned()),
        ..reach.hazard(&CHECK, history, message)
    });
}

/// Tells the documents that differ from what they are without the declared state beyond the fields that are marked:
/// those that are rendered with it alone or without it alone before all.
fn tell_others(declared: &Declared, reaches: &[Reach<'_>], history: &History, sink: &mut Sink) {
    let lookups = history.marks.ambients.iter();
    let lookups: BTreeSet<String> = lookups
        .filter(|ambient| ambient.kind == AmbientKind::Lookup)
        .map(|ambient| looked_up(&ambient.call))
        .collect();
    let lookups: Vec<String> = lookups.into_iter().collect();
    for document in declared.documents() {
        let is_new = |change: &&Change| {
            let mut own = reaches.iter().filter(|reach| *reach.document.id() == document.id);
            !own.any(|reach| is_reached(reach, change))
        };
        let changes: Vec<&Change> = document.changes.iter().filter(is_new).collect();
        let told = match document.verdict {
            Verdict::Added => "it is rendered with the declared state alone".to_owned(),
            Verdict::Removed => "it is rendered without the declared state alone".to_owned(),
            _ => declared.told(&document.id, changes.iter().copied()),
        };
        if told.is_empty() {
            continue;
        }
        sink.tell(Hazard {
            resource: Some(document.id.clone()),
            field_path: changes.first().map(|change| change.path.clone()),
            object: STATE.to_owned(),
            remedy: Some(REMEDY.to_owned()),
            ..Hazard::new(
                &CHECK,
                format!("{}: {told}; looked up is {}", document.id, lookups.join(", ")),
            )
        });
    }
}

fn is_reached(reach: &Reach<'_>, change: &Change) -> bool {
    touches(reach.document, change, &reach.fields)
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

#[cfg(test)]
mod tests {
    use super::super::cluster_of;
    use super::super::testing::Case;
    use super::*;
    use crate::engine::cluster::ClusterState;
    use crate::manifest::Manifest;
    use std::sync::Arc;

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

    /// A cluster with these objects, in namespace `n`.
    fn cluster(texts: &[&str]) -> Arc<ClusterState> {
        let text = texts.join("---\n");
        Arc::new(cluster_of(&Manifest::read(text.as_bytes(), "n")))
    }

    const DB: &str =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: \"n\"}\ndata: {password: c2VlZA==}\n";
    const DOMAIN: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns, namespace: \"n\"}\ndata: {domain: example.org}\n";

    fn told(template: &str, state: &[&str]) -> Vec<(Level, String)> {
        let case = Case::chart("", template).with(|job| job.cluster = Some(cluster(state)));
        let found = case.hazards(&CHECK).into_iter();
        found.map(|hazard| (hazard.level, hazard.message)).collect()
    }

    #[test]
    fn with_a_declared_state_the_finding_says_what_differs() {
        let template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  \
                        host: {{ dig \"data\" \"domain\" \"local\" (lookup \"v1\" \"ConfigMap\" \"n\" \"dns\") }}\n";
        let field = "v1/ConfigMap/n/a: data.host depends on the lookup of v1/ConfigMap/n/dns";
        let differs = "with the declared state data.host is \"example.org\", without it \"local\"";
        assert_eq!(
            told(template, &[DOMAIN]),
            [(Level::Warn, format!("{field}; {differs}"))]
        );
        let same = "it is the same with and without the declared state";
        assert_eq!(told(template, &[DB]), [(Level::Warn, format!("{field}; {same}"))]);
    }

    #[test]
    fn what_a_secret_says_is_not_quoted_and_its_absence_is_denied() {
        let case = secret("{{ dig \"data\" \"password\" \"\" $old | quote }}");
        let found = case
            .with(|job| job.cluster = Some(cluster(&[DB])))
            .hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(hazard.level, Level::Deny);
        let ending = "without a cluster the credential data.password is empty; \
                      with the declared state data.password is another than without it";
        assert!(hazard.message.ends_with(ending), "{}", hazard.message);
    }

    #[test]
    fn documents_that_only_one_state_has_are_told() {
        let template = "{{ if lookup \"v1\" \"ConfigMap\" \"n\" \"dns\" }}apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n\
                        {{ else }}apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n{{ end }}";
        let messages: Vec<String> = told(template, &[DOMAIN]).into_iter().map(|told| told.1).collect();
        let has = |part: &str| messages.iter().any(|message| message.contains(part));
        assert!(
            has(
                "v1/ConfigMap/n/b: it is rendered without the declared state alone; looked up is v1/ConfigMap/n/dns"
            ),
            "{messages:#?}"
        );
        assert!(has("v1/ConfigMap/n/a"), "{messages:#?}");
    }

    #[test]
    fn a_field_of_a_list_is_told_once() {
        let template = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: c\n    \
                        image: {{ dig \"data\" \"domain\" \"local\" (lookup \"v1\" \"ConfigMap\" \"n\" \"dns\") }}/app\n";
        let found = told(template, &[DOMAIN]);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(
            found[0]
                .1
                .contains("spec.containers[name=c].image is \"example.org/app\""),
            "{found:#?}"
        );
    }

    #[test]
    fn a_chart_that_needs_the_cluster_says_so() {
        let template = "{{ $dns := lookup \"v1\" \"ConfigMap\" \"n\" \"dns\" | required \"no dns\" }}apiVersion: v1\n\
                        kind: ConfigMap\nmetadata: {name: a}\ndata: {a: {{ required \"no domain\" ($dns.data).domain }}}\n";
        let found = told(template, &[DOMAIN]);
        assert!(
            found[0]
                .1
                .starts_with("without the declared state it does not render: "),
            "{found:#?}"
        );
        assert_eq!(found.len(), 2, "{found:#?}");
    }

    #[test]
    fn a_lookup_without_effect_is_silent() {
        assert_eq!(secret("c2VlZA==").hazards(&CHECK), []);
    }
}
