//! `ListType`: what the Kubernetes API makes of a list, field by field. It decides how a difference between two
//! lists is told, never whether there is one: see `shape` for the lists whose order is set aside.
//!
//! Source: the markers `+listType` and `+listMapKey` and the tags `patchStrategy` and `patchMergeKey` in the `types.go`
//! files of `k8s.io/api` at 10b39a39bcee (July 2026, after v1.37.0-beta.0) and of `k8s.io/apimachinery` (`ObjectMeta`), newest
//! version of each kind; where marker and tag differ the marker is taken. Left out: `status`, and kinds that are
//! written by machines (Node, ResourceSlice, CSINode, discovery). A list of a built-in kind without a row is atomic, which is
//! what the API takes a list without a marker for.

use super::scope::is_built_in;
use crate::base::Step;

/// What the API makes of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListType {
    /// Elements are one element when these fields agree; `protocol` is TCP where absent.
    Keyed(&'static [&'static str]),
    /// Scalars, each at most once.
    Set,
    /// One value, replaced as a whole: in order.
    Atomic,
    /// A list of a custom resource: in order, for nobody here knows what its controller makes of it.
    Unknown,
}

/// The list type of a field.
struct Row {
    /// A kind as `group/Kind`, or a type that stands in many kinds.
    owner: &'static str,
    /// The keys that lead there, elements of lists left out.
    path: &'static str,
    list: ListType,
}

const fn keyed(owner: &'static str, path: &'static str, keys: &'static [&'static str]) -> Row {
    let list = ListType::Keyed(keys);
    Row { owner, path, list }
}

const fn set(owner: &'static str, path: &'static str) -> Row {
    let list = ListType::Set;
    Row { owner, path, list }
}

/// Every row, sorted by owner and path.
#[rustfmt::skip]
static ROWS: &[Row] = &[
    keyed("/Service", "spec.ports", &["port", "protocol"]),
    keyed("/ServiceAccount", "secrets", &["name"]),
    keyed("Container", "env", &["name"]),
    keyed("Container", "ports", &["containerPort", "protocol"]),
    keyed("Container", "resources.claims", &["name"]),
    set("Container", "restartPolicyRules.exitCodes.values"),
    keyed("Container", "volumeDevices", &["devicePath"]),
    keyed("Container", "volumeMounts", &["mountPath"]),
    set("Container", "volumeMounts.bindMountOptions"),
    set("JobSpec", "podFailurePolicy.rules.onExitCodes.values"),
    keyed("JobSpec", "scheduling.resourceClaims", &["name"]),
    set("ObjectMeta", "finalizers"),
    keyed("ObjectMeta", "ownerReferences", &["uid"]),
    keyed("PodSpec", "containers", &["name"]),
    keyed("PodSpec", "ephemeralContainers", &["name"]),
    keyed("PodSpec", "evictionResponders", &["name"]),
    keyed("PodSpec", "hostAliases", &["ip"]),
    keyed("PodSpec", "imagePullSecrets", &["name"]),
    keyed("PodSpec", "initContainers", &["name"]),
    keyed("PodSpec", "resourceClaims", &["name"]),
    keyed("PodSpec", "resources.claims", &["name"]),
    keyed("PodSpec", "schedulingGates", &["name"]),
    keyed("PodSpec", "topologySpreadConstraints", &["topologyKey", "whenUnsatisfiable"]),
    keyed("PodSpec", "volumes", &["name"]),
    keyed("admissionregistration.k8s.io/MutatingAdmissionPolicy", "spec.matchConditions", &["name"]),
    keyed("admissionregistration.k8s.io/MutatingWebhookConfiguration", "webhooks", &["name"]),
    keyed("admissionregistration.k8s.io/MutatingWebhookConfiguration", "webhooks.matchConditions", &["name"]),
    keyed("admissionregistration.k8s.io/ValidatingAdmissionPolicy", "spec.matchConditions", &["name"]),
    keyed("admissionregistration.k8s.io/ValidatingAdmissionPolicy", "spec.variables", &["name"]),
    set("admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding", "spec.validationActions"),
    keyed("admissionregistration.k8s.io/ValidatingWebhookConfiguration", "webhooks", &["name"]),
    keyed("admissionregistration.k8s.io/ValidatingWebhookConfiguration", "webhooks.matchConditions", &["name"]),
    set("flowcontrol.apiserver.k8s.io/FlowSchema", "spec.rules.nonResourceRules.nonResourceURLs"),
    set("flowcontrol.apiserver.k8s.io/FlowSchema", "spec.rules.nonResourceRules.verbs"),
    set("flowcontrol.apiserver.k8s.io/FlowSchema", "spec.rules.resourceRules.apiGroups"),
    set("flowcontrol.apiserver.k8s.io/FlowSchema", "spec.rules.resourceRules.namespaces"),
    set("flowcontrol.apiserver.k8s.io/FlowSchema", "spec.rules.resourceRules.resources"),
    set("flowcontrol.apiserver.k8s.io/FlowSchema", "spec.rules.resourceRules.verbs"),
    keyed("scheduling.k8s.io/PodGroup", "spec.resourceClaims", &["name"]),
    keyed("scheduling.k8s.io/Workload", "spec.podGroupTemplates", &["name"]),
    keyed("scheduling.k8s.io/Workload", "spec.podGroupTemplates.resourceClaims", &["name"]),
    set("storage.k8s.io/CSIDriver", "spec.volumeLifecycleModes"),
];

/// What the API makes of the list at a path of an object.
pub fn list_type(group: &str, kind: &str, path: &[Step]) -> ListType {
    let keys: Vec<&str> = path
        .iter()
        .filter_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Index(_) | Step::Element { .. } => None,
        })
        .collect();
    let unmarked = if is_built_in(group) {
        ListType::Atomic
    } else {
        ListType::Unknown
    };
    let (owner, below) = owner(group, kind, &keys);
    let path = below.join(".");
    let at = ROWS.binary_search_by(|row| (row.owner, row.path).cmp(&(&owner, &path)));
    at.map_or(unmarked, |at| ROWS[at].list)
}

/// The innermost owner of a table row on the way, and the keys below it.
fn owner<'k>(group: &str, kind: &str, keys: &'k [&'k str]) -> (String, &'k [&'k str]) {
    if let ["metadata", below @ ..] = keys {
        return ("ObjectMeta".to_owned(), below);
    }
    let pod: &[&str] = match (group, kind) {
        ("", "Pod") => &["spec"],
        ("", "PodTemplate") => &["template", "spec"],
        ("", "ReplicationController") | ("batch", "Job") => &["spec", "template", "spec"],
        ("apps" | "extensions", "DaemonSet" | "Deployment" | "ReplicaSet" | "StatefulSet") => {
            &["spec", "template", "spec"]
        }
        ("batch", "CronJob") => &["spec", "jobTemplate", "spec", "template", "spec"],
        _ => &[],
    };
    if let Some(below) = keys.strip_prefix(pod).filter(|_| !pod.is_empty()) {
        return match below {
            [
                "containers" | "initContainers" | "ephemeralContainers",
                below @ ..,
            ] if !below.is_empty() => ("Container".to_owned(), below),
            _ => ("PodSpec".to_owned(), below),
        };
    }
    let below = match ((group, kind), keys) {
        (("batch", "Job"), ["spec", below @ ..]) => Some(below),
        (("batch", "CronJob"), ["spec", "jobTemplate", "spec", below @ ..]) => Some(below),
        _ => None,
    };
    match below {
        Some(below) => ("JobSpec".to_owned(), below),
        None => (format!("{group}/{kind}"), keys),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::KeyPath;

    fn at(group: &str, kind: &str, path: &str) -> ListType {
        list_type(group, kind, &KeyPath::parse(path).unwrap().0)
    }

    #[test]
    fn the_table_is_sorted_without_doubles() {
        assert!(ROWS.is_sorted_by(|a, b| (a.owner, a.path) < (b.owner, b.path)));
        let has_key = |row: &Row| !matches!(row.list, ListType::Keyed([]));
        assert!(ROWS.iter().all(has_key));
    }

    #[test]
    fn a_list_is_found_wherever_its_type_stands() {
        let env = ListType::Keyed(&["name"]);
        assert_eq!(at("", "Pod", "spec.containers[0].env"), env);
        assert_eq!(
            at(
                "apps",
                "Deployment",
                "spec.template.spec.initContainers[name=a].env"
            ),
            env
        );
        assert_eq!(
            at(
                "batch",
                "CronJob",
                "spec.jobTemplate.spec.template.spec.containers[name=a].env"
            ),
            env
        );
        let values = "spec.podFailurePolicy.rules[0].onExitCodes.values";
        assert_eq!(at("batch", "Job", values), ListType::Set);
        assert_eq!(
            at("", "Service", "spec.ports"),
            ListType::Keyed(&["port", "protocol"])
        );
        assert_eq!(at("example.com", "Widget", "metadata.finalizers"), ListType::Set);
    }

    #[test]
    fn other_lists_are_in_order_and_those_of_custom_resources_unknown() {
        assert_eq!(at("", "Pod", "spec.containers[0].args"), ListType::Atomic);
        assert_eq!(at("", "Pod", "spec.tolerations"), ListType::Atomic);
        assert_eq!(at("", "ConfigMap", "containers"), ListType::Atomic);
        assert_eq!(at("rbac.authorization.k8s.io", "Role", "rules"), ListType::Atomic);
        assert_eq!(
            at("example.com", "Deployment", "spec.template.spec.containers"),
            ListType::Unknown
        );
    }
}
