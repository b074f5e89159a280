//! `Source`: an object that pods read from, and what there is to read in one.

use crate::manifest::{Document, DocumentId, scope};
use crate::value::convert::base64;
use crate::yaml::Node;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The kinds that pods refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub(super) enum SourceKind {
    /// A ConfigMap.
    ConfigMap,
    /// A Secret.
    Secret,
    /// A ServiceAccount.
    ServiceAccount,
}

/// An object that pods read from, or run as.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub(super) struct Source {
    /// Its kind.
    pub(super) kind: SourceKind,
    /// Its namespace, which is the pod's.
    pub(super) namespace: Arc<str>,
    /// Its name.
    pub(super) name: Arc<str>,
}

impl Source {
    /// The source that a document is, if it is one.
    pub(super) fn of(id: &DocumentId) -> Option<Source> {
        let kind = match (&*id.group, &*id.kind) {
            ("", "ConfigMap") => SourceKind::ConfigMap,
            ("", "Secret") => SourceKind::Secret,
            ("", "ServiceAccount") => SourceKind::ServiceAccount,
            _ => return None,
        };
        Some(Source {
            kind,
            namespace: id.namespace.clone()?,
            name: Arc::clone(&id.name),
        })
    }
}

impl fmt::Display for Source {
    /// As a document's identity is written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            SourceKind::ConfigMap => "ConfigMap",
            SourceKind::Secret => "Secret",
            SourceKind::ServiceAccount => "ServiceAccount",
        };
        write!(f, "v1/{kind}/{}/{}", self.namespace, self.name)
    }
}

/// What stands under each key of a ConfigMap or Secret, in a form that is the same for the same bytes.
pub(super) type Contents = BTreeMap<Arc<str>, Content>;

/// What stands under one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    /// The text, of a Secret in base64.
    text: Vec<u8>,
    /// True for what `envFrom` leaves out: the `binaryData` of a ConfigMap.
    is_binary: bool,
}

/// The contents of a ConfigMap or Secret. `stringData` goes over `data`, as in the API server.
pub(super) fn contents(document: &Document) -> Contents {
    let mut found = Contents::new();
    let Ok(body) = document.body() else {
        return found;
    };
    let is_secret = &*document.id().kind == "Secret";
    let parts = match is_secret {
        true => ["data", "stringData"],
        false => ["binaryData", "data"],
    };
    for part in parts {
        let entries = body.node.get(part).map(Node::entries).unwrap_or_default();
        for entry in entries {
            let text = entry.value.string_field().unwrap_or_default();
            let text = match part {
                "stringData" => base64(text.as_bytes()),
                _ if is_secret => text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect(),
                _ => text.as_bytes().to_vec(),
            };
            let is_binary = part == "binaryData";
            found.insert(Arc::clone(&entry.key), Content { text, is_binary });
        }
    }
    found
}

/// The keys that `envFrom` turns into variables.
pub(super) fn variables(contents: &Contents) -> impl Iterator<Item = &Arc<str>> {
    let texts = contents.iter().filter(|(_, content)| !content.is_binary);
    texts.map(|(key, _)| key)
}

/// The Secrets that the controller of a custom resource will make: those of External Secrets, Sealed Secrets,
/// cert-manager and their kin. What else it names is taken for made as well; that only costs a finding.
pub(super) fn made_by(document: &Document) -> Vec<Source> {
    const PATHS: [&[&str]; 6] = [
        &["metadata", "name"],
        &["spec", "secretName"],
        &["spec", "target", "name"],
        &["spec", "destination", "name"],
        &["spec", "template", "metadata", "name"],
        &["spec", "managedSecretReference", "secretName"],
    ];
    let id = document.id();
    let is_maker = ["Secret", "SecretClaim", "Certificate", "OnePasswordItem"]
        .iter()
        .any(|end| id.kind.ends_with(end));
    if !is_maker || scope::is_built_in(&id.group) {
        return Vec::new();
    }
    let (Ok(body), Some(namespace)) = (document.body(), &id.namespace) else {
        return Vec::new();
    };
    let name = |path: &&[&str]| {
        let node = path.iter().try_fold(&body.node, |node, key| node.get(key))?;
        node.as_str().map(Arc::from)
    };
    let names = PATHS.iter().filter_map(name);
    names
        .map(|name| Source {
            kind: SourceKind::Secret,
            namespace: Arc::clone(namespace),
            name,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Manifest;

    fn read(text: &str) -> Document {
        Manifest::read(text.as_bytes().to_vec(), "n").documents.remove(0)
    }

    #[test]
    fn the_same_bytes_are_the_same_contents_however_they_are_written() {
        let secret = |rest: &str| {
            contents(&read(&format!(
                "apiVersion: v1\nkind: Secret\nmetadata: {{name: a}}\n{rest}\n"
            )))
        };
        assert_eq!(secret("stringData: {k: hello}"), secret("data: {k: aGVsbG8=}"));
        assert_eq!(
            secret("stringData: {k: hello}\ndata: {k: eA==}"),
            secret("data: {k: 'aGVs bG8='}")
        );
        assert_ne!(secret("stringData: {k: hello}"), secret("data: {k: eA==}"));
        let config = contents(&read(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {b: x}\nbinaryData: {c: eA==}\n",
        ));
        let names: Vec<&str> = variables(&config).map(|key| &**key).collect();
        assert_eq!((names, config.len()), (vec!["b"], 2));
    }

    #[test]
    fn controllers_make_secrets_and_the_api_server_does_not() {
        let made = |version: &str, kind: &str, spec: &str| -> Vec<String> {
            let text = format!("apiVersion: {version}\nkind: {kind}\nmetadata: {{name: a}}\nspec: {spec}\n");
            made_by(&read(&text)).iter().map(ToString::to_string).collect()
        };
        assert_eq!(
            made("external-secrets.io/v1", "ExternalSecret", "{target: {name: b}}"),
            ["v1/Secret/n/a", "v1/Secret/n/b"]
        );
        assert_eq!(
            made("cert-manager.io/v1", "Certificate", "{secretName: tls}"),
            ["v1/Secret/n/a", "v1/Secret/n/tls"]
        );
        assert_eq!(made("v1", "Secret", "{secretName: tls}"), [""; 0]);
        assert_eq!(made("example.com/v1", "Widget", "{secretName: tls}"), [""; 0]);
    }
}
