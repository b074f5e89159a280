//! Fields that the API server refuses to change in an object that exists.
//!
//! Each row names the function that refuses, in `kubernetes/kubernetes`. Rows say what every served version
//! refuses; a field that some version lets through (with a feature gate, or since a release) is left out.

use crate::base::{KeyPath, Step};
use crate::manifest::DocumentId;
use crate::manifest::canon::same_data;
use crate::manifest::scalar;
use crate::yaml::Node;

/// A field that cannot change.
#[derive(Debug, PartialEq, Eq)]
pub struct Immutable {
    group: &'static str,
    kind: &'static str,
    /// The keys that lead to it; everything below is meant as well.
    path: &'static [&'static str],
    /// Keys below `path` that may change after all.
    but: &'static [&'static str],
    /// What the API server takes the absent field for; absent and this value are no change.
    default: Option<&'static str>,
    /// Only a change from one written value to another is refused; absent keeps what is there.
    only_replaced: bool,
    /// The function that refuses.
    pub source: &'static str,
}

const fn row(
    group: &'static str,
    kind: &'static str,
    path: &'static [&'static str],
    source: &'static str,
) -> Immutable {
    Immutable {
        group,
        kind,
        path,
        but: &[],
        default: None,
        only_replaced: false,
        source,
    }
}

impl Immutable {
    const fn but(mut self, but: &'static [&'static str]) -> Immutable {
        self.but = but;
        self
    }

    const fn default(mut self, default: &'static str) -> Immutable {
        self.default = Some(default);
        self
    }

    const fn only_replaced(mut self) -> Immutable {
        self.only_replaced = true;
        self
    }
}

/// The row by which a change at a path is refused, if one does.
pub fn refused(
    id: &DocumentId,
    path: &KeyPath,
    before: Option<&Node>,
    after: Option<&Node>,
) -> Option<&'static Immutable> {
    let keys: Vec<&str> = path
        .0
        .iter()
        .map(|step| match step {
            Step::Key(key) => key.as_str(),
            Step::Index(_) | Step::Element { .. } => "",
        })
        .collect();
    TABLE
        .iter()
        .filter(|row| row.group == &*id.group && row.kind == &*id.kind)
        .find(|row| row.refuses(&keys, before, after))
}

impl Immutable {
    fn refuses(&self, keys: &[&str], before: Option<&Node>, after: Option<&Node>) -> bool {
        // A change above the field, such as a whole `spec` that comes, changes the field with it.
        let Some(below) = keys.strip_prefix(self.path) else {
            let Some(rest) = self.path.strip_prefix(keys) else {
                return false;
            };
            let (before, after) = (descend(before, rest), descend(after, rest));
            let same = match (before, after) {
                (Some(before), Some(after)) => same_data(before, after),
                (before, after) => before.is_none() && after.is_none(),
            };
            return self.but.is_empty() && !same && self.differs(before, after);
        };
        if below.first().is_some_and(|key| self.but.contains(key)) || below.is_empty() && !self.but.is_empty()
        {
            return false;
        }
        !below.is_empty() || self.differs(before, after)
    }

    fn differs(&self, before: Option<&Node>, after: Option<&Node>) -> bool {
        if self.only_replaced && (before.is_none() || after.is_none()) {
            return false;
        }
        let text = |node: Option<&Node>| match node {
            Some(node) => scalar::text(node),
            None => self.default.map(str::to_owned),
        };
        match (text(before), text(after)) {
            (Some(before), Some(after)) => before != after,
            _ => true,
        }
    }
}

fn descend<'n>(node: Option<&'n Node>, keys: &[&str]) -> Option<&'n Node> {
    keys.iter().try_fold(node?, |node, key| node.get(key))
}

#[rustfmt::skip]
static TABLE: &[Immutable] = &[
    row("apiextensions.k8s.io", "CustomResourceDefinition", &["spec", "group"],
        "apiextensions-apiserver validation: ValidateCustomResourceDefinitionUpdate"),
    row("apiextensions.k8s.io", "CustomResourceDefinition", &["spec", "scope"],
        "apiextensions-apiserver validation: ValidateCustomResourceDefinitionUpdate"),
    row("apiextensions.k8s.io", "CustomResourceDefinition", &["spec", "names", "kind"],
        "apiextensions-apiserver validation: ValidateCustomResourceDefinitionUpdate"),
    row("apiextensions.k8s.io", "CustomResourceDefinition", &["spec", "names", "plural"],
        "apiextensions-apiserver validation: ValidateCustomResourceDefinitionUpdate"),
    row("apps", "ControllerRevision", &["data"],
        "pkg/apis/apps/validation: ValidateControllerRevisionUpdate"),
    row("apps", "DaemonSet", &["spec", "selector"], "pkg/registry/apps/daemonset: ValidateUpdate"),
    row("apps", "Deployment", &["spec", "selector"], "pkg/registry/apps/deployment: ValidateUpdate"),
    row("apps", "ReplicaSet", &["spec", "selector"], "pkg/registry/apps/replicaset: ValidateUpdate"),
    row("apps", "StatefulSet", &["spec"], "pkg/apis/apps/validation: ValidateStatefulSetUpdate")
        .but(&["replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit",
               "persistentVolumeClaimRetentionPolicy", "minReadySeconds", "podManagementPolicy", "serviceName"]),
    row("apps", "StatefulSet", &["spec", "podManagementPolicy"],
        "pkg/apis/apps/validation: ValidateStatefulSetUpdate").default("OrderedReady"),
    row("apps", "StatefulSet", &["spec", "serviceName"],
        "pkg/apis/apps/validation: ValidateStatefulSetUpdate").default(""),
    row("batch", "Job", &["spec", "completionMode"],
        "pkg/apis/batch/validation: ValidateJobSpecUpdate").default("NonIndexed"),
    row("batch", "Job", &["spec", "selector"], "pkg/apis/batch/validation: ValidateJobSpecUpdate"),
    row("batch", "Job", &["spec", "template"], "pkg/apis/batch/validation: validatePodTemplateUpdate"),
    row("batch", "Job", &["spec", "podFailurePolicy"], "pkg/apis/batch/validation: ValidateJobSpecUpdate"),
    row("batch", "Job", &["spec", "backoffLimitPerIndex"], "pkg/apis/batch/validation: ValidateJobSpecUpdate"),
    row("batch", "Job", &["spec", "managedBy"], "pkg/apis/batch/validation: ValidateJobSpecUpdate"),
    row("discovery.k8s.io", "EndpointSlice", &["addressType"],
        "pkg/apis/discovery/validation: ValidateEndpointSliceUpdate"),
    row("networking.k8s.io", "IngressClass", &["spec", "controller"],
        "pkg/apis/networking/validation: validateIngressClassSpecUpdate"),
    row("node.k8s.io", "RuntimeClass", &["handler"], "pkg/apis/node/validation: ValidateRuntimeClassUpdate"),
    row("rbac.authorization.k8s.io", "ClusterRoleBinding", &["roleRef"],
        "pkg/apis/rbac/validation: ValidateClusterRoleBindingUpdate"),
    row("rbac.authorization.k8s.io", "RoleBinding", &["roleRef"],
        "pkg/apis/rbac/validation: ValidateRoleBindingUpdate"),
    row("scheduling.k8s.io", "PriorityClass", &["preemptionPolicy"],
        "pkg/apis/scheduling/validation: ValidatePriorityClassUpdate").default("PreemptLowerPriority"),
    row("scheduling.k8s.io", "PriorityClass", &["value"],
        "pkg/apis/scheduling/validation: ValidatePriorityClassUpdate"),
    row("storage.k8s.io", "CSIDriver", &["spec", "attachRequired"],
        "pkg/apis/storage/validation: ValidateCSIDriverUpdate").default("true"),
    row("storage.k8s.io", "CSIDriver", &["spec", "volumeLifecycleModes"],
        "pkg/apis/storage/validation: ValidateCSIDriverUpdate"),
    row("storage.k8s.io", "StorageClass", &["parameters"],
        "pkg/apis/storage/validation: ValidateStorageClassUpdate"),
    row("storage.k8s.io", "StorageClass", &["provisioner"],
        "pkg/apis/storage/validation: ValidateStorageClassUpdate"),
    row("storage.k8s.io", "StorageClass", &["reclaimPolicy"],
        "pkg/apis/storage/validation: ValidateStorageClassUpdate").default("Delete"),
    row("storage.k8s.io", "StorageClass", &["volumeBindingMode"],
        "pkg/apis/storage/validation: ValidateStorageClassUpdate").default("Immediate"),
    row("storage.k8s.io", "VolumeAttributesClass", &["driverName"],
        "pkg/apis/storage/validation: ValidateVolumeAttributesClassUpdate"),
    row("storage.k8s.io", "VolumeAttributesClass", &["parameters"],
        "pkg/apis/storage/validation: ValidateVolumeAttributesClassUpdate"),
    row("", "PersistentVolume", &["spec", "volumeMode"],
        "pkg/apis/core/validation: ValidatePersistentVolumeUpdate").default("Filesystem"),
    row("", "PersistentVolume", &["spec", "csi"], "pkg/apis/core/validation: ValidatePersistentVolumeUpdate"),
    row("", "PersistentVolume", &["spec", "hostPath"], "pkg/apis/core/validation: ValidatePersistentVolumeUpdate"),
    row("", "PersistentVolume", &["spec", "local"], "pkg/apis/core/validation: ValidatePersistentVolumeUpdate"),
    row("", "PersistentVolume", &["spec", "nfs"], "pkg/apis/core/validation: ValidatePersistentVolumeUpdate"),
    row("", "PersistentVolumeClaim", &["spec"], "pkg/apis/core/validation: ValidatePersistentVolumeClaimUpdate")
        .but(&["resources", "storageClassName", "volumeAttributesClassName", "volumeMode", "volumeName"]),
    row("", "PersistentVolumeClaim", &["spec", "storageClassName"],
        "pkg/apis/core/validation: ValidatePersistentVolumeClaimUpdate"),
    row("", "PersistentVolumeClaim", &["spec", "volumeMode"],
        "pkg/apis/core/validation: ValidatePersistentVolumeClaimUpdate").default("Filesystem"),
    row("", "PersistentVolumeClaim", &["spec", "volumeName"],
        "pkg/apis/core/validation: ValidatePersistentVolumeClaimUpdate").only_replaced(),
    row("", "Pod", &["spec"], "pkg/apis/core/validation: ValidatePodUpdate")
        .but(&["activeDeadlineSeconds", "containers", "initContainers", "schedulingGates",
               "terminationGracePeriodSeconds", "tolerations"]),
    row("", "Secret", &["type"], "pkg/apis/core/validation: ValidateSecretUpdate").default("Opaque"),
    row("", "Service", &["spec", "clusterIP"],
        "pkg/apis/core/validation: validateUpgradeDowngradeClusterIPs").only_replaced(),
    row("", "Service", &["spec", "loadBalancerClass"],
        "pkg/apis/core/validation: validateLoadBalancerClassField").only_replaced(),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::change::differences;
    use crate::manifest::{Manifest, Rules, canon};

    fn refusals(kind: &str, before: &str, after: &str) -> Vec<String> {
        let read = |rest: &str| {
            let text = format!("{kind}\nmetadata: {{name: a}}\n{rest}\n");
            let document = Manifest::read(text.as_bytes(), "apps").documents[0].clone();
            let node = canon::canonical(&document, Rules::default()).expect("parses");
            (document, node)
        };
        let ((document, a), (_, b)) = (read(before), read(after));
        differences(&a, &b)
            .iter()
            .filter(|change| {
                refused(
                    document.id(),
                    &change.path,
                    change.before.as_ref(),
                    change.after.as_ref(),
                )
                .is_some()
            })
            .map(|change| change.path.to_string())
            .collect()
    }

    #[test]
    fn selectors_and_claims_are_refused() {
        let deployment = "apiVersion: apps/v1\nkind: Deployment";
        assert_eq!(
            refusals(
                deployment,
                "spec: {replicas: 1, selector: {matchLabels: {a: b}}}",
                "spec: {replicas: 2, selector: {matchLabels: {a: c}}}"
            ),
            ["spec.selector.matchLabels.a"]
        );
        let set = "apiVersion: apps/v1\nkind: StatefulSet";
        assert_eq!(
            refusals(
                set,
                "spec: {replicas: 1, template: {a: 1}}",
                "spec: {replicas: 2, template: {a: 2}, volumeClaimTemplates: [{a: 1}], podManagementPolicy: OrderedReady}"
            ),
            ["spec.volumeClaimTemplates"]
        );
    }

    #[test]
    fn what_stands_above_a_field_counts() {
        let class = "apiVersion: storage.k8s.io/v1\nkind: StorageClass";
        assert_eq!(refusals(class, "reclaimPolicy: Delete", ""), Vec::<String>::new());
        assert_eq!(refusals(class, "reclaimPolicy: Retain", ""), ["reclaimPolicy"]);
        let job = "apiVersion: batch/v1\nkind: Job";
        assert_eq!(refusals(job, "", "spec: {template: {a: 1}}"), ["spec"]);
        assert_eq!(
            refusals(job, "", "spec: {completionMode: NonIndexed}"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_written_address_may_go_but_not_change() {
        let service = "apiVersion: v1\nkind: Service";
        assert_eq!(
            refusals(service, "spec: {clusterIP: None}", "spec: {}"),
            Vec::<String>::new()
        );
        assert_eq!(
            refusals(service, "spec: {clusterIP: None}", "spec: {clusterIP: 10.0.0.1}"),
            ["spec.clusterIP"]
        );
    }
}
