//! `Scopes`: whether a kind lives in a namespace or in the cluster.
//!
//! Built-in kinds are known; custom ones are known when a CustomResourceDefinition was seen, and are else
//! taken for namespaced, which the caller is told.

use std::collections::BTreeMap;

/// Where the objects of a kind live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Scope {
    /// In a namespace.
    Namespaced,
    /// In the cluster, beside the namespaces.
    Cluster,
}

/// How the scope of a kind is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum ScopeSource {
    /// The kind is Kubernetes' own.
    BuiltIn,
    /// A CustomResourceDefinition of the same render or plan says so.
    Definition,
    /// Nothing says so: taken for namespaced.
    Assumed,
}

/// The scopes of custom kinds, learnt from CustomResourceDefinitions.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Scopes {
    custom: BTreeMap<(String, String), Scope>,
}

impl Scopes {
    /// The scope of a kind, and how it is known.
    pub fn of(&self, group: &str, kind: &str) -> (Scope, ScopeSource) {
        if is_built_in(group) {
            let cluster = CLUSTER_SCOPED.binary_search(&(group, kind)).is_ok();
            let scope = if cluster {
                Scope::Cluster
            } else {
                Scope::Namespaced
            };
            return (scope, ScopeSource::BuiltIn);
        }
        match self.custom.get(&(group.to_owned(), kind.to_owned())) {
            Some(scope) => (*scope, ScopeSource::Definition),
            None => (Scope::Namespaced, ScopeSource::Assumed),
        }
    }

    /// True when no definition was learnt.
    pub fn is_empty(&self) -> bool {
        self.custom.is_empty()
    }

    /// Learns what others have learnt.
    pub fn extend(&mut self, other: &Scopes) {
        let learnt = other.custom.iter().map(|(kind, scope)| (kind.clone(), *scope));
        self.custom.extend(learnt);
    }

    /// Learns the scope of one custom kind, as `spec.scope` of its definition words it. Other words than
    /// `Cluster` and `Namespaced` teach nothing.
    pub fn learn(&mut self, group: &str, kind: &str, scope: &str) {
        let scope = match scope {
            "Cluster" => Scope::Cluster,
            "Namespaced" => Scope::Namespaced,
            _ => return,
        };
        self.custom.insert((group.to_owned(), kind.to_owned()), scope);
    }
}

/// True for a group that the API server itself serves.
pub fn is_built_in(group: &str) -> bool {
    BUILT_IN_GROUPS.binary_search(&group).is_ok()
}

/// Groups of `k8s.io/api`, plus those of the extension and the aggregation layer.
const BUILT_IN_GROUPS: &[&str] = &[
    "",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "extensions",
    "flowcontrol.apiserver.k8s.io",
    "imagepolicy.k8s.io",
    "internal.apiserver.k8s.io",
    "lifecycle.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
];

/// Kinds marked `+genclient:nonNamespaced` in the `types.go` files of `k8s.io/api` (any version of the
/// group), CustomResourceDefinition and APIService of the two other API servers, and PodSecurityPolicy,
/// which older clusters still have.
const CLUSTER_SCOPED: &[(&str, &str)] = &[
    ("", "ComponentStatus"),
    ("", "Namespace"),
    ("", "Node"),
    ("", "PersistentVolume"),
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicy"),
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"),
    ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
    ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
    ("apiregistration.k8s.io", "APIService"),
    ("authentication.k8s.io", "SelfSubjectReview"),
    ("authentication.k8s.io", "TokenReview"),
    ("authorization.k8s.io", "SelfSubjectAccessReview"),
    ("authorization.k8s.io", "SelfSubjectRulesReview"),
    ("authorization.k8s.io", "SubjectAccessReview"),
    ("certificates.k8s.io", "CertificateSigningRequest"),
    ("certificates.k8s.io", "ClusterTrustBundle"),
    ("extensions", "PodSecurityPolicy"),
    ("flowcontrol.apiserver.k8s.io", "FlowSchema"),
    ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"),
    ("imagepolicy.k8s.io", "ImageReview"),
    ("internal.apiserver.k8s.io", "StorageVersion"),
    ("networking.k8s.io", "IPAddress"),
    ("networking.k8s.io", "IngressClass"),
    ("networking.k8s.io", "ServiceCIDR"),
    ("node.k8s.io", "RuntimeClass"),
    ("policy", "PodSecurityPolicy"),
    ("rbac.authorization.k8s.io", "ClusterRole"),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
    ("resource.k8s.io", "DeviceClass"),
    ("resource.k8s.io", "DeviceTaintRule"),
    ("resource.k8s.io", "ResourcePoolStatusRequest"),
    ("resource.k8s.io", "ResourceSlice"),
    ("scheduling.k8s.io", "PriorityClass"),
    ("storage.k8s.io", "CSIDriver"),
    ("storage.k8s.io", "CSINode"),
    ("storage.k8s.io", "StorageClass"),
    ("storage.k8s.io", "VolumeAttachment"),
    ("storage.k8s.io", "VolumeAttributesClass"),
    ("storagemigration.k8s.io", "StorageVersionMigration"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(BUILT_IN_GROUPS.is_sorted());
        assert!(CLUSTER_SCOPED.is_sorted());
        assert!(CLUSTER_SCOPED.iter().all(|(group, _)| is_built_in(group)));
    }

    #[test]
    fn custom_kinds_are_assumed_until_learnt() {
        let mut scopes = Scopes::default();
        let issuer = ("cert-manager.io", "ClusterIssuer");
        assert_eq!(
            scopes.of(issuer.0, issuer.1),
            (Scope::Namespaced, ScopeSource::Assumed)
        );
        scopes.learn(issuer.0, issuer.1, "Cluster");
        assert_eq!(
            scopes.of(issuer.0, issuer.1),
            (Scope::Cluster, ScopeSource::Definition)
        );
        assert_eq!(
            scopes.of("networking.k8s.io", "IngressClass"),
            (Scope::Cluster, ScopeSource::BuiltIn)
        );
    }
}
