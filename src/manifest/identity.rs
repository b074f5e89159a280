//! `DocumentId`: which object of the cluster a document is.
//!
//! Two documents with the same group, kind, namespace and name are the same object, whatever version of the
//! API they are written in.

use super::scope::{Scope, ScopeSource, Scopes};
use std::fmt;
use std::sync::Arc;

/// Which object of the cluster a document is, with the version of the API it is written in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct DocumentId {
    /// API group; empty for the core group.
    pub group: Arc<str>,
    /// API version within the group.
    pub version: Arc<str>,
    /// Kind; empty when the document has none.
    pub kind: Arc<str>,
    /// Namespace; `None` for a cluster-scoped kind.
    pub namespace: Option<Arc<str>>,
    /// Name; `prefix*` for a document with `generateName`, empty when it has neither.
    pub name: Arc<str>,
}

/// The part of a [`DocumentId`] that decides whether two documents are the same object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey<'a> {
    /// API group.
    pub group: &'a str,
    /// Kind.
    pub kind: &'a str,
    /// Namespace; `None` for a cluster-scoped kind.
    pub namespace: Option<&'a str>,
    /// Name.
    pub name: &'a str,
}

impl DocumentId {
    /// The part that decides whether two documents are the same object.
    pub fn key(&self) -> ObjectKey<'_> {
        ObjectKey {
            group: &self.group,
            kind: &self.kind,
            namespace: self.namespace.as_deref(),
            name: &self.name,
        }
    }

    /// `group/version`, or the version alone for the core group.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.to_string()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    /// `Kind/name`, as a person writes it.
    pub fn short(&self) -> String {
        format!("{}/{}", self.kind, self.name)
    }
}

impl fmt::Display for DocumentId {
    /// `apiVersion/Kind/namespace/name`, with `-` for the namespace of a cluster-scoped kind.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.group.is_empty() {
            write!(f, "{}/", self.group)?;
        }
        write!(
            f,
            "{}/{}/{}/{}",
            self.version,
            self.kind,
            self.namespace.as_deref().unwrap_or("-"),
            self.name
        )
    }
}

/// What a document says about its identity, before the scope of its kind is looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// `metadata.name`.
    pub name: Option<String>,
    /// `metadata.generateName`.
    pub generate_name: Option<String>,
    /// `metadata.namespace`.
    pub namespace: Option<String>,
}

impl Head {
    /// The API group: what stands before the `/` of `apiVersion`.
    pub fn group(&self) -> &str {
        self.api_version.rsplit_once('/').map_or("", |(group, _)| group)
    }

    /// The identity within a release, and how the scope of the kind is known.
    pub fn identify(&self, release_namespace: &Arc<str>, scopes: &Scopes) -> (DocumentId, ScopeSource) {
        let (scope, source) = scopes.of(self.group(), &self.kind);
        let namespace = match (scope, &self.namespace) {
            (Scope::Cluster, _) => None,
            (Scope::Namespaced, Some(namespace)) if !namespace.is_empty() => {
                Some(Arc::from(namespace.as_str()))
            }
            (Scope::Namespaced, _) => Some(Arc::clone(release_namespace)),
        };
        let name = match (&self.name, &self.generate_name) {
            (Some(name), _) if !name.is_empty() => Arc::from(name.as_str()),
            (_, Some(prefix)) if !prefix.is_empty() => Arc::from(format!("{prefix}*")),
            _ => Arc::from(""),
        };
        let version = self
            .api_version
            .rsplit_once('/')
            .map_or(self.api_version.as_str(), |(_, version)| version);
        let id = DocumentId {
            group: Arc::from(self.group()),
            version: Arc::from(version),
            kind: Arc::from(self.kind.as_str()),
            namespace,
            name,
        };
        (id, source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identify(api_version: &str, kind: &str, name: Option<&str>, namespace: Option<&str>) -> String {
        let head = Head {
            api_version: api_version.into(),
            kind: kind.into(),
            name: name.map(str::to_owned),
            generate_name: Some("run-".into()),
            namespace: namespace.map(str::to_owned),
        };
        head.identify(&Arc::from("apps"), &Scopes::default())
            .0
            .to_string()
    }

    #[test]
    fn the_namespace_is_the_releases_where_absent_and_none_where_the_kind_has_none() {
        assert_eq!(
            identify("apps/v1", "Deployment", Some("a"), None),
            "apps/v1/Deployment/apps/a"
        );
        assert_eq!(identify("v1", "Service", Some("a"), Some("b")), "v1/Service/b/a");
        assert_eq!(
            identify("v1", "Namespace", Some("a"), Some("b")),
            "v1/Namespace/-/a"
        );
        assert_eq!(
            identify("example.com/v1", "Namespace", Some("a"), None),
            "example.com/v1/Namespace/apps/a"
        );
    }

    #[test]
    fn a_generated_name_cannot_be_taken_for_a_given_one() {
        assert_eq!(identify("batch/v1", "Job", None, None), "batch/v1/Job/apps/run-*");
    }
}
