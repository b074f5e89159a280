//! `empty-secret`: a credential that is rendered empty.

use super::fields::place_of;
use super::{Check, Hazard, Pass, SideView, Sink};
use crate::base::{KeyPath, Level, Step};
use crate::manifest::Document;
use crate::yaml::{Node, NodeKind};

/// The check.
pub static CHECK: Check = Check {
    name: "empty-secret",
    level: Level::Warn,
    audit_only: false,
    explain: "A Secret holds a key that is named like a credential (password, token, api-key, ...), and its value is \
empty. Applied over a Secret that works, it takes the credential away; for a new one, the service starts with an empty \
password or not at all.\n\n\
Usual causes: a value that moved or was renamed, a --set of CI that is missing in this configuration, a lookup that \
finds no cluster.\n\n\
Set the value, or let the chart use a Secret that exists.",
    pass: Pass::Documents(run),
};

const NAMES: [&str; 10] = [
    "password",
    "passwd",
    "passphrase",
    "token",
    "secret",
    "apikey",
    "accesskey",
    "privatekey",
    "credential",
    "tls.key",
];

fn run(view: &SideView<'_>, sink: &mut Sink) {
    let secrets = view
        .manifest
        .documents
        .iter()
        .filter(|document| &*document.id().kind == "Secret");
    for document in secrets {
        let Ok(body) = document.body() else { continue };
        for part in ["data", "stringData"] {
            let entries = body.node.get(part).map(Node::entries).unwrap_or_default();
            for entry in entries {
                let path = KeyPath::root().key(part).key(&*entry.key);
                if is_credential(document, &path) && is_nothing(&entry.value) {
                    let message = format!("{}: the credential {} is empty", document.id(), entry.key);
                    sink.tell(Hazard {
                        resource: Some(document.id().clone()),
                        place: place_of(view, document, &path),
                        field_path: Some(path),
                        remedy: Some("set the value, or use a Secret that exists".to_owned()),
                        ..Hazard::new(&CHECK, message)
                    });
                }
            }
        }
    }
}

/// True for a field of a Secret that is named like a credential.
pub(super) fn is_credential(document: &Document, path: &KeyPath) -> bool {
    let [Step::Key(part), Step::Key(name)] = &path.0[..] else {
        return false;
    };
    if &*document.id().kind != "Secret" || !matches!(part.as_str(), "data" | "stringData") {
        return false;
    }
    names_credential(name)
}

/// True for a name such as `db-password` or `API_KEY`.
pub(super) fn names_credential(name: &str) -> bool {
    let name: String = name
        .to_lowercase()
        .chars()
        .filter(|c| !"-_".contains(*c))
        .collect();
    NAMES.iter().any(|known| name.ends_with(known))
}

/// True when there is nothing in a field.
pub(super) fn is_empty(document: &Document, path: &KeyPath) -> bool {
    let mut node = match document.body() {
        Ok(body) => &body.node,
        Err(_) => return false,
    };
    for step in &path.0 {
        let Step::Key(key) = step else { return false };
        match node.get(key) {
            Some(below) => node = below,
            None => return false,
        }
    }
    is_nothing(node)
}

fn is_nothing(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Null => true,
        NodeKind::Str(text) => text.trim().is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn secret(kind: &str, entry: &str) -> usize {
        let template = format!("apiVersion: v1\nkind: {kind}\nmetadata: {{name: a}}\ndata:\n  {entry}\n");
        Case::chart("password: ''\n", &template).hazards(&CHECK).len()
    }

    #[test]
    fn an_empty_credential_is_told_and_nothing_else() {
        assert_eq!(
            secret("Secret", "db-password: {{ .Values.password | b64enc | quote }}"),
            1
        );
        assert_eq!(secret("Secret", "API_KEY: {{ .Values.password | b64enc }}"), 1);
        assert_eq!(secret("Secret", "password: eA=="), 0);
        assert_eq!(secret("Secret", "comment: ''"), 0);
        assert_eq!(secret("ConfigMap", "password: ''"), 0);
    }
}
