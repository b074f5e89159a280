//! `default-credential`: a password that everybody knows, because the chart ships it.

use super::empty_secret::names_credential;
use super::fields::{place_of, range_of};
use super::pods::{Pod, pods};
use super::{Check, Hazard, Pass, SideView, Sink};
use crate::base::{KeyPath, Level};
use crate::layers::LayerKind;
use crate::manifest::Document;
use crate::value::convert::base64;
use crate::yaml::{Node, NodeKind};

/// The check.
pub static CHECK: Check = Check {
    name: "default-credential",
    level: Level::Warn,
    audit_only: false,
    explain: "A Secret or an environment variable holds a credential whose value is a well-known word (admin, changeme, \
minioadmin, ...), and it comes from the chart: no values file and no --set of yours wrote it. Whoever knows the chart \
knows the password.\n\n\
Set the value, or let the chart use a Secret that exists. What you wrote yourself is not told, whatever it is.",
    pass: Pass::Documents(run),
};

/// What charts ship as passwords, in lower case.
const KNOWN: [&str; 24] = [
    "12345",
    "123456",
    "12345678",
    "admin",
    "admin123",
    "administrator",
    "change-me",
    "change_me",
    "changeit",
    "changeme",
    "default",
    "guest",
    "minio",
    "minio123",
    "minioadmin",
    "mysecretpassword",
    "passw0rd",
    "password",
    "password123",
    "postgres",
    "prom-operator",
    "root",
    "secret",
    "strongpassword",
];

fn run(view: &SideView<'_>, sink: &mut Sink) {
    for document in &view.manifest.documents {
        let mut found = Vec::new();
        if &*document.id().kind == "Secret" && document.id().group.is_empty() {
            if let Ok(body) = document.body() {
                of_secret(&body.node, &mut found);
            }
        } else {
            of_containers(document, &mut found);
        }
        for path in found.into_iter().filter(|path| !is_users(view, document, path)) {
            sink.tell(Hazard {
                resource: Some(document.id().clone()),
                field_path: Some(path.clone()),
                place: place_of(view, document, &path),
                remedy: Some("set a value of your own, or use a Secret that exists".to_owned()),
                ..Hazard::new(
                    &CHECK,
                    format!(
                        "{}: the credential {path} is the one that the chart ships",
                        document.id()
                    ),
                )
            });
        }
    }
}

fn of_secret(node: &Node, found: &mut Vec<KeyPath>) {
    for part in ["data", "stringData"] {
        for entry in node.get(part).map(Node::entries).unwrap_or_default() {
            let NodeKind::Str(text) = &entry.value.kind else {
                continue;
            };
            let is_known = match part {
                "data" => KNOWN
                    .iter()
                    .any(|known| base64(known.as_bytes()) == text.trim().as_bytes()),
                _ => is_known(text),
            };
            if is_known && names_credential(&entry.key) {
                found.push(KeyPath::root().key(part).key(&*entry.key));
            }
        }
    }
}

/// The variables of all containers.
fn of_containers(document: &Document, found: &mut Vec<KeyPath>) {
    for container in pods(document).iter().flat_map(Pod::containers) {
        for variable in container.env() {
            let value = variable.node.get("value").and_then(Node::as_str);
            if names_credential(&variable.name) && value.is_some_and(is_known) {
                found.push(container.variable(&variable.name).key("value"));
            }
        }
    }
}

fn is_known(text: &str) -> bool {
    KNOWN.binary_search(&&*text.trim().to_lowercase()).is_ok()
}

/// True when something that the user wrote flowed into a field, and where nobody knows.
fn is_users(view: &SideView<'_>, document: &Document, path: &KeyPath) -> bool {
    let (Some(history), Some(range)) = (view.history, range_of(document, path)) else {
        return true;
    };
    let mut origins = history
        .spans(range)
        .flat_map(|(_, span)| history.origins(span.marks).collect::<Vec<_>>());
    origins.any(|origin| origin.layer.kind != LayerKind::ChartDefault)
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn secret(values: &str) -> Case {
        Case::chart(
            values,
            "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata:\n  \
             {{ .Values.key }}: {{ .Values.password | b64enc }}\n",
        )
    }

    #[test]
    fn the_words_are_sorted() {
        assert!(KNOWN.is_sorted());
    }

    #[test]
    fn a_password_of_the_chart_is_told_without_its_value() {
        let found = secret("{key: db-password, password: changeme}").hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert!(!hazard.message.contains("changeme"), "{}", hazard.message);
        let pod = Case::chart(
            "password: Admin\n",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: c\n    env:\n    \
             - {name: ROOT_PASSWORD, value: {{ .Values.password }}}\n    - {name: ROOT_USER, value: admin}\n",
        );
        let paths: Vec<_> = pod
            .hazards(&CHECK)
            .into_iter()
            .map(|hazard| hazard.field_path.unwrap().to_string())
            .collect();
        assert_eq!(paths, ["spec.containers[name=c].env[name=ROOT_PASSWORD].value"]);
    }

    #[test]
    fn what_the_user_wrote_and_other_words_are_not() {
        let users = secret("{key: password, password: changeme}").values("my.yaml", "password: admin\n");
        assert_eq!(users.hazards(&CHECK), []);
        assert_eq!(secret("{key: password, password: x7Gq}").hazards(&CHECK), []);
        assert_eq!(secret("{key: user, password: admin}").hazards(&CHECK), []);
    }
}
