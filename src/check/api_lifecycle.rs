//! Which API versions of Kubernetes are deprecated and gone since when.
//!
//! Source: the `APILifecycleDeprecated`, `APILifecycleRemoved` and `APILifecycleReplacement` functions that Kubernetes
//! generates (`zz_generated.prerelease-lifecycle.go` in k8s.io/api at v0.37.0-beta.0; for kinds without a replacement there,
//! the stable version of the same group). From the Deprecated API Migration Guide of Kubernetes come the rows of kinds that have left
//! that module or never were in it: HorizontalPodAutoscaler v2beta1 and v2beta2, PodSecurityPolicy, CustomResourceDefinition,
//! APIService, Endpoints, ComponentStatus. Kinds that nobody puts into a chart (reviews, evictions) are left out.

use crate::manifest::DocumentId;
use crate::semver::Version;

/// One kind in one API version.
#[derive(Debug)]
pub(super) struct Api {
    group: &'static str,
    version: &'static str,
    kind: &'static str,
    /// Minor version of Kubernetes that deprecates it.
    pub(super) deprecated: u64,
    /// Minor version of Kubernetes that no longer serves it, where that is planned or done.
    pub(super) removed: Option<u64>,
    /// The API version to write instead; empty when there is none.
    pub(super) instead: &'static str,
}

const fn row(
    group: &'static str,
    version: &'static str,
    kind: &'static str,
    deprecated: u64,
    removed: Option<u64>,
    instead: &'static str,
) -> Api {
    Api {
        group,
        version,
        kind,
        deprecated,
        removed,
        instead,
    }
}

/// Every row, sorted by group, version and kind.
#[rustfmt::skip]
static APIS: &[Api] = &[
    row("", "v1", "ComponentStatus", 19, None, ""),
    row("", "v1", "Endpoints", 33, None, "discovery.k8s.io/v1"),
    row("admissionregistration.k8s.io", "v1alpha1", "MutatingAdmissionPolicy", 35, Some(38), "admissionregistration.k8s.io/v1"),
    row("admissionregistration.k8s.io", "v1alpha1", "MutatingAdmissionPolicyBinding", 35, Some(38), "admissionregistration.k8s.io/v1"),
    row("admissionregistration.k8s.io", "v1alpha1", "ValidatingAdmissionPolicy", 29, Some(32), "admissionregistration.k8s.io/v1"),
    row("admissionregistration.k8s.io", "v1alpha1", "ValidatingAdmissionPolicyBinding", 29, Some(32), "admissionregistration.k8s.io/v1"),
    row("admissionregistration.k8s.io", "v1beta1", "MutatingAdmissionPolicy", 37, Some(40), "admissionregistration.k8s.io/v1"),
    row("admissionregistration.k8s.io", "v1beta1", "MutatingAdmissionPolicyBinding", 37, Some(40), "admissionregistration.k8s.io/v1"),
    row("admissionregistration.k8s.io", "v1beta1", "MutatingWebhookConfiguration", 16, Some(22), "admissionregistration.k8s.io/v1"),
    row("admissionregistration.k8s.io", "v1beta1", "ValidatingAdmissionPolicy", 31, Some(34), "admissionregistration.k8s.io/v1"),
    row("admissionregistration.k8s.io", "v1beta1", "ValidatingAdmissionPolicyBinding", 31, Some(34), "admissionregistration.k8s.io/v1"),
    row("admissionregistration.k8s.io", "v1beta1", "ValidatingWebhookConfiguration", 16, Some(22), "admissionregistration.k8s.io/v1"),
    row("apiextensions.k8s.io", "v1beta1", "CustomResourceDefinition", 16, Some(22), "apiextensions.k8s.io/v1"),
    row("apiregistration.k8s.io", "v1beta1", "APIService", 19, Some(22), "apiregistration.k8s.io/v1"),
    row("apps", "v1beta1", "ControllerRevision", 8, Some(16), "apps/v1"),
    row("apps", "v1beta1", "Deployment", 8, Some(16), "apps/v1"),
    row("apps", "v1beta1", "StatefulSet", 8, Some(16), "apps/v1"),
    row("apps", "v1beta2", "ControllerRevision", 9, Some(16), "apps/v1"),
    row("apps", "v1beta2", "DaemonSet", 9, Some(16), "apps/v1"),
    row("apps", "v1beta2", "Deployment", 9, Some(16), "apps/v1"),
    row("apps", "v1beta2", "ReplicaSet", 9, Some(16), "apps/v1"),
    row("apps", "v1beta2", "StatefulSet", 9, Some(16), "apps/v1"),
    row("autoscaling", "v2beta1", "HorizontalPodAutoscaler", 22, Some(25), "autoscaling/v2"),
    row("autoscaling", "v2beta2", "HorizontalPodAutoscaler", 23, Some(26), "autoscaling/v2"),
    row("batch", "v1beta1", "CronJob", 21, Some(25), "batch/v1"),
    row("certificates.k8s.io", "v1alpha1", "ClusterTrustBundle", 34, Some(37), "certificates.k8s.io/v1"),
    row("certificates.k8s.io", "v1beta1", "CertificateSigningRequest", 19, Some(22), "certificates.k8s.io/v1"),
    row("certificates.k8s.io", "v1beta1", "ClusterTrustBundle", 37, Some(40), "certificates.k8s.io/v1"),
    row("certificates.k8s.io", "v1beta1", "PodCertificateRequest", 37, Some(40), "certificates.k8s.io/v1"),
    row("coordination.k8s.io", "v1alpha2", "LeaseCandidate", 35, Some(38), ""),
    row("coordination.k8s.io", "v1beta1", "Lease", 19, Some(22), "coordination.k8s.io/v1"),
    row("coordination.k8s.io", "v1beta1", "LeaseCandidate", 36, Some(39), ""),
    row("discovery.k8s.io", "v1beta1", "EndpointSlice", 21, Some(25), "discovery.k8s.io/v1"),
    row("extensions", "v1beta1", "DaemonSet", 8, Some(16), "apps/v1"),
    row("extensions", "v1beta1", "Deployment", 8, Some(16), "apps/v1"),
    row("extensions", "v1beta1", "Ingress", 14, Some(22), "networking.k8s.io/v1"),
    row("extensions", "v1beta1", "NetworkPolicy", 9, Some(16), "networking.k8s.io/v1"),
    row("extensions", "v1beta1", "PodSecurityPolicy", 11, Some(16), "policy/v1beta1"),
    row("extensions", "v1beta1", "ReplicaSet", 8, Some(16), "apps/v1"),
    row("flowcontrol.apiserver.k8s.io", "v1beta1", "FlowSchema", 23, Some(26), "flowcontrol.apiserver.k8s.io/v1beta3"),
    row("flowcontrol.apiserver.k8s.io", "v1beta1", "PriorityLevelConfiguration", 23, Some(26), "flowcontrol.apiserver.k8s.io/v1beta3"),
    row("flowcontrol.apiserver.k8s.io", "v1beta2", "FlowSchema", 26, Some(29), "flowcontrol.apiserver.k8s.io/v1beta3"),
    row("flowcontrol.apiserver.k8s.io", "v1beta2", "PriorityLevelConfiguration", 26, Some(29), "flowcontrol.apiserver.k8s.io/v1beta3"),
    row("flowcontrol.apiserver.k8s.io", "v1beta3", "FlowSchema", 29, Some(32), "flowcontrol.apiserver.k8s.io/v1"),
    row("flowcontrol.apiserver.k8s.io", "v1beta3", "PriorityLevelConfiguration", 29, Some(32), "flowcontrol.apiserver.k8s.io/v1"),
    row("networking.k8s.io", "v1beta1", "IPAddress", 34, Some(37), "networking.k8s.io/v1"),
    row("networking.k8s.io", "v1beta1", "Ingress", 19, Some(22), "networking.k8s.io/v1"),
    row("networking.k8s.io", "v1beta1", "IngressClass", 19, Some(22), "networking.k8s.io/v1"),
    row("networking.k8s.io", "v1beta1", "ServiceCIDR", 34, Some(37), "networking.k8s.io/v1"),
    row("node.k8s.io", "v1beta1", "RuntimeClass", 22, Some(25), "node.k8s.io/v1"),
    row("policy", "v1beta1", "PodDisruptionBudget", 21, Some(25), "policy/v1"),
    row("policy", "v1beta1", "PodSecurityPolicy", 21, Some(25), ""),
    row("rbac.authorization.k8s.io", "v1beta1", "ClusterRole", 17, Some(22), "rbac.authorization.k8s.io/v1"),
    row("rbac.authorization.k8s.io", "v1beta1", "ClusterRoleBinding", 17, Some(22), "rbac.authorization.k8s.io/v1"),
    row("rbac.authorization.k8s.io", "v1beta1", "Role", 17, Some(22), "rbac.authorization.k8s.io/v1"),
    row("rbac.authorization.k8s.io", "v1beta1", "RoleBinding", 17, Some(22), "rbac.authorization.k8s.io/v1"),
    row("resource.k8s.io", "v1alpha3", "DeviceTaintRule", 36, Some(39), "resource.k8s.io/v1"),
    row("resource.k8s.io", "v1beta1", "DeviceClass", 35, Some(38), "resource.k8s.io/v1"),
    row("resource.k8s.io", "v1beta1", "ResourceClaim", 35, Some(38), "resource.k8s.io/v1"),
    row("resource.k8s.io", "v1beta1", "ResourceClaimTemplate", 35, Some(38), "resource.k8s.io/v1"),
    row("resource.k8s.io", "v1beta1", "ResourceSlice", 35, Some(38), "resource.k8s.io/v1"),
    row("resource.k8s.io", "v1beta2", "DeviceClass", 36, Some(39), "resource.k8s.io/v1"),
    row("resource.k8s.io", "v1beta2", "DeviceTaintRule", 39, Some(42), "resource.k8s.io/v1"),
    row("resource.k8s.io", "v1beta2", "ResourceClaim", 36, Some(39), "resource.k8s.io/v1"),
    row("resource.k8s.io", "v1beta2", "ResourceClaimTemplate", 36, Some(39), "resource.k8s.io/v1"),
    row("resource.k8s.io", "v1beta2", "ResourceSlice", 36, Some(39), "resource.k8s.io/v1"),
    row("scheduling.k8s.io", "v1beta1", "PodGroup", 40, Some(43), ""),
    row("scheduling.k8s.io", "v1beta1", "PriorityClass", 14, Some(22), "scheduling.k8s.io/v1"),
    row("scheduling.k8s.io", "v1beta1", "Workload", 40, Some(43), ""),
    row("storage.k8s.io", "v1alpha1", "CSIStorageCapacity", 21, Some(24), "storage.k8s.io/v1beta1"),
    row("storage.k8s.io", "v1alpha1", "VolumeAttachment", 21, Some(24), "storage.k8s.io/v1"),
    row("storage.k8s.io", "v1alpha1", "VolumeAttributesClass", 32, Some(35), "storage.k8s.io/v1"),
    row("storage.k8s.io", "v1beta1", "CSIDriver", 19, Some(22), "storage.k8s.io/v1"),
    row("storage.k8s.io", "v1beta1", "CSINode", 17, Some(22), "storage.k8s.io/v1"),
    row("storage.k8s.io", "v1beta1", "CSIStorageCapacity", 24, Some(27), "storage.k8s.io/v1"),
    row("storage.k8s.io", "v1beta1", "StorageClass", 19, Some(22), "storage.k8s.io/v1"),
    row("storage.k8s.io", "v1beta1", "VolumeAttachment", 19, Some(22), "storage.k8s.io/v1"),
    row("storage.k8s.io", "v1beta1", "VolumeAttributesClass", 34, Some(37), "storage.k8s.io/v1"),
    row("storagemigration.k8s.io", "v1beta1", "StorageVersionMigration", 37, Some(40), "storagemigration.k8s.io/v1"),
];

/// What is known of a document's API version; nothing when it is not deprecated in any version.
pub(super) fn of(id: &DocumentId) -> Option<&'static Api> {
    let key = (&*id.group, &*id.version, &*id.kind);
    let found = APIS.binary_search_by(|api| (api.group, api.version, api.kind).cmp(&key));
    found.ok().map(|at| &APIS[at])
}

impl Api {
    /// What to write instead: the first API version on the way that is not deprecated itself.
    pub(super) fn remedy(&self) -> String {
        let mut api = self;
        let next = |api: &Api| {
            let (group, version) = api.instead.rsplit_once('/').unwrap_or(("", api.instead));
            APIS.iter()
                .find(|other| (other.group, other.version, other.kind) == (group, version, api.kind))
        };
        while let Some(newer) = next(api) {
            api = newer;
        }
        if api.instead.is_empty() {
            format!("there is no other API for {}: do without it", self.kind)
        } else if (self.group, self.kind) == ("", "Endpoints") {
            format!("write EndpointSlices of {}", api.instead)
        } else {
            format!("write apiVersion: {}", api.instead)
        }
    }
}

/// The minor version of a cluster, such as 36 for `v1.36.2`.
pub(super) fn minor(kube_version: &str) -> Option<u64> {
    let version = Version::parse(kube_version).ok()?;
    (version.major == 1).then_some(version.minor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_sorted_and_make_sense() {
        assert!(APIS.is_sorted_by(|a, b| (a.group, a.version, a.kind) < (b.group, b.version, b.kind)));
        for api in APIS {
            assert!(
                api.removed.is_none_or(|removed| removed > api.deprecated),
                "{api:?}"
            );
            assert_ne!(api.instead, format!("{}/{}", api.group, api.version), "{api:?}");
        }
    }

    #[test]
    fn the_remedy_is_no_deprecated_version() {
        let remedy = |group: &str, version: &str, kind: &str| {
            let api = APIS
                .iter()
                .find(|api| (api.group, api.version, api.kind) == (group, version, kind));
            api.unwrap().remedy()
        };
        assert_eq!(
            remedy("flowcontrol.apiserver.k8s.io", "v1beta1", "FlowSchema"),
            "write apiVersion: flowcontrol.apiserver.k8s.io/v1"
        );
        assert!(remedy("extensions", "v1beta1", "PodSecurityPolicy").contains("do without"));
    }

    #[test]
    fn the_minor_version_of_a_vendor_is_read() {
        assert_eq!(minor("v1.31.2-gke.100"), Some(31));
        assert_eq!(minor("2.0.0"), None);
    }
}
