//! The order of kinds in Helm's output (`pkg/release/v1/util/kind_sorter.go`).

use crate::dialect::Dialect;

/// The kinds in the order in which Helm installs them.
const INSTALL_ORDER: [&str; 38] = [
    "PriorityClass",
    "Namespace",
    "NetworkPolicy",
    "ResourceQuota",
    "LimitRange",
    "PodSecurityPolicy",
    "PodDisruptionBudget",
    "ServiceAccount",
    "Secret",
    "SecretList",
    "ConfigMap",
    "StorageClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "CustomResourceDefinition",
    "ClusterRole",
    "ClusterRoleList",
    "ClusterRoleBinding",
    "ClusterRoleBindingList",
    "Role",
    "RoleList",
    "RoleBinding",
    "RoleBindingList",
    "Service",
    "DaemonSet",
    "Pod",
    "ReplicationController",
    "ReplicaSet",
    "Deployment",
    "HorizontalPodAutoscaler",
    "StatefulSet",
    "Job",
    "CronJob",
    "IngressClass",
    "Ingress",
    "APIService",
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
];

/// Known kinds in their order, then the others by name.
pub(super) fn order_of(kind: &str, dialect: Dialect) -> (usize, &str) {
    let known = if dialect.is_v4() {
        &INSTALL_ORDER[..]
    } else {
        &INSTALL_ORDER[..36]
    };
    match known.iter().position(|name| *name == kind) {
        Some(at) => (at, ""),
        None => (INSTALL_ORDER.len(), kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_kinds_come_last_by_name() {
        let order = |kind| order_of(kind, Dialect::V4_3);
        assert!(order("Service") < order("Deployment") && order("Deployment") < order("Widget"));
        assert!(order("") < order("List") && order("APIService") < order(""));
        assert!(order("Widget") > order("MutatingWebhookConfiguration"));
        assert!(
            order_of("MutatingWebhookConfiguration", Dialect::V3_19) < order_of("Widget", Dialect::V3_19)
        );
    }
}
