//! `Shape`: where in a Kubernetes object a node stands, as far as the canonical form needs to know.
//!
//! Custom resources have no shape beyond their metadata: nobody here knows what their controllers make of
//! a null or of an order.

use super::scope::is_built_in;

/// The place of a node in its object. The elements of a list have the shape of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Nothing is known.
    Opaque,
    /// The root of a custom resource.
    Custom,
    /// The root of a built-in kind without a shape of its own.
    BuiltIn,
    /// The root of a ConfigMap or a Secret.
    Data,
    /// The root of a kind whose `spec.template` is a pod template.
    Workload,
    /// The root of a Job: like a workload, but its template cannot change.
    Job,
    /// The root of a CronJob.
    CronJob,
    /// The root of a Pod.
    Pod,
    /// The root of a Service.
    Service,
    /// The root of a ServiceAccount.
    ServiceAccount,
    /// The root of an Ingress.
    Ingress,
    /// `metadata` of the object itself.
    Metadata,
    /// `metadata.labels` of the object, or of a pod template that may change.
    Labels,
    /// `spec` of a workload.
    WorkloadSpec,
    /// `spec` of a Job.
    JobSpec,
    /// `spec` of a CronJob.
    CronJobSpec,
    /// `spec.jobTemplate` of a CronJob.
    JobTemplate,
    /// `spec` of a Job that a CronJob will make.
    ScheduledJobSpec,
    /// A pod template.
    PodTemplate,
    /// The pod template of a Job.
    FixedPodTemplate,
    /// The pod template of a Job that a CronJob will make.
    ScheduledPodTemplate,
    /// `metadata` of a pod template.
    PodMetadata,
    /// `metadata` of the pod template of a Job.
    FixedPodMetadata,
    /// `spec` of a pod.
    PodSpec,
    /// `spec` of a pod that a CronJob will make.
    ScheduledPodSpec,
    /// A container.
    Container,
    /// A container of a pod that a CronJob will make.
    ScheduledContainer,
    /// `resources` of a container.
    Resources,
    /// An environment variable.
    EnvVar,
    /// `spec` of a Service.
    ServiceSpec,
    /// `spec` of an Ingress.
    IngressSpec,
}

impl Shape {
    /// The shape of an object.
    pub fn of(group: &str, kind: &str) -> Shape {
        match (group, kind) {
            ("" | "apps" | "extensions", "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet")
            | ("", "ReplicationController") => Shape::Workload,
            ("", "ConfigMap" | "Secret") => Shape::Data,
            ("", "Pod") => Shape::Pod,
            ("", "Service") => Shape::Service,
            ("", "ServiceAccount") => Shape::ServiceAccount,
            ("batch", "Job") => Shape::Job,
            ("batch", "CronJob") => Shape::CronJob,
            ("networking.k8s.io" | "extensions", "Ingress") => Shape::Ingress,
            _ if is_built_in(group) => Shape::BuiltIn,
            _ => Shape::Custom,
        }
    }

    /// True at the root of an object.
    fn is_root(self) -> bool {
        self == Shape::Custom || self.is_built_in_root()
    }

    /// True at the root of an object of a built-in kind.
    pub fn is_built_in_root(self) -> bool {
        matches!(
            self,
            Shape::BuiltIn
                | Shape::Data
                | Shape::Workload
                | Shape::Job
                | Shape::CronJob
                | Shape::Pod
                | Shape::Service
                | Shape::ServiceAccount
                | Shape::Ingress
        )
    }

    /// The shape of the value under a key.
    pub fn child(self, key: &str) -> Shape {
        match (self, key) {
            (root, "metadata") if root.is_root() => Shape::Metadata,
            (Shape::Metadata | Shape::PodMetadata, "labels") => Shape::Labels,
            (Shape::Workload, "spec") => Shape::WorkloadSpec,
            (Shape::Job, "spec") => Shape::JobSpec,
            (Shape::CronJob, "spec") => Shape::CronJobSpec,
            (Shape::Pod | Shape::PodTemplate | Shape::FixedPodTemplate, "spec") => Shape::PodSpec,
            (Shape::Service, "spec") => Shape::ServiceSpec,
            (Shape::Ingress, "spec") => Shape::IngressSpec,
            (Shape::WorkloadSpec, "template") => Shape::PodTemplate,
            (Shape::JobSpec, "template") => Shape::FixedPodTemplate,
            (Shape::CronJobSpec, "jobTemplate") => Shape::JobTemplate,
            (Shape::JobTemplate, "spec") => Shape::ScheduledJobSpec,
            (Shape::ScheduledJobSpec, "template") => Shape::ScheduledPodTemplate,
            (Shape::ScheduledPodTemplate, "spec") => Shape::ScheduledPodSpec,
            (Shape::PodTemplate | Shape::ScheduledPodTemplate | Shape::JobTemplate, "metadata") => {
                Shape::PodMetadata
            }
            (Shape::FixedPodTemplate, "metadata") => Shape::FixedPodMetadata,
            (Shape::PodSpec, "containers" | "initContainers" | "ephemeralContainers") => Shape::Container,
            (Shape::ScheduledPodSpec, "containers" | "initContainers") => Shape::ScheduledContainer,
            (Shape::Container | Shape::ScheduledContainer, "resources") => Shape::Resources,
            (Shape::Container | Shape::ScheduledContainer, "env") => Shape::EnvVar,
            _ => Shape::Opaque,
        }
    }

    /// True when a null under this key is the same to the API as no key at all.
    ///
    /// Only fields are named that a typed decoder drops (never keys of free maps, where null becomes an empty
    /// string) and that neither the API server allocates nor a controller writes: for those an upgrade would
    /// tell the two apart, as Helm's three-way merge sends a null as "clear it". So `replicas`, `strategy`,
    /// `nodePort`, `clusterIP`, `caBundle` and their like are missing on purpose.
    pub fn drops_null(self, key: &str) -> bool {
        match self {
            Shape::Metadata => matches!(key, "annotations" | "creationTimestamp" | "labels" | "namespace"),
            Shape::PodMetadata | Shape::FixedPodMetadata => {
                matches!(key, "annotations" | "creationTimestamp" | "labels")
            }
            Shape::Data => matches!(key, "binaryData" | "data" | "immutable" | "status" | "stringData"),
            Shape::ServiceAccount => matches!(key, "imagePullSecrets"),
            Shape::WorkloadSpec => matches!(
                key,
                "minReadySeconds"
                    | "progressDeadlineSeconds"
                    | "revisionHistoryLimit"
                    | "volumeClaimTemplates"
            ),
            Shape::PodSpec | Shape::ScheduledPodSpec => POD_NULLS.binary_search(&key).is_ok(),
            Shape::Container | Shape::ScheduledContainer => CONTAINER_NULLS.binary_search(&key).is_ok(),
            Shape::Resources => matches!(key, "limits" | "requests"),
            Shape::EnvVar => matches!(key, "value" | "valueFrom"),
            Shape::ServiceSpec => matches!(
                key,
                "externalIPs" | "loadBalancerIP" | "loadBalancerSourceRanges" | "selector"
            ),
            Shape::IngressSpec => matches!(key, "defaultBackend" | "ingressClassName" | "rules" | "tls"),
            root => root.is_built_in_root() && key == "status",
        }
    }

    /// The list under this key, when its order means nothing.
    pub fn map_list(self, key: &str) -> Option<MapList> {
        let (keys, first_stays): (&[&str], bool) = match (self, key) {
            (Shape::ServiceSpec, "ports") => (&["port", "protocol"], true),
            (Shape::ServiceAccount, "imagePullSecrets") => (&["name"], false),
            (Shape::ScheduledPodSpec, "imagePullSecrets" | "volumes") => (&["name"], false),
            (Shape::ScheduledContainer, "ports") => (&["containerPort", "protocol"], false),
            _ => return None,
        };
        Some(MapList { keys, first_stays })
    }
}

/// A list that the API merges by key (see `list_types`) and to whose order nothing in a cluster gives a meaning. The
/// `imagePullSecrets` of a ServiceAccount are atomic to the API; they are handed to pods, where they are merged by name.
///
/// Two facts make the table short. The order of such lists in a pod template does reach the API server (the
/// patch holds `$setElementOrder`, `diffLists` in `strategicpatch/patch.go` of apimachinery), and controllers
/// compare templates with `DeepEqual` (`EqualIgnoreHash` in `deployment_util.go`), so a reordered `volumes`
/// restarts every pod of a Deployment, and a Job refuses it. Only a CronJob, whose template is used for jobs to
/// come, is indifferent. And the first port of a Service is the value of `<NAME>_SERVICE_PORT` in every pod
/// (`FromServices` in `pkg/kubelet/envvars`), so it stays first.
#[derive(Clone, Copy, Debug)]
pub struct MapList {
    /// The fields that make an element unique; `protocol` is TCP where absent.
    pub keys: &'static [&'static str],
    /// The first element has a meaning of its own.
    pub first_stays: bool,
}

const POD_NULLS: &[&str] = &[
    "affinity",
    "dnsConfig",
    "hostAliases",
    "hostname",
    "imagePullSecrets",
    "initContainers",
    "nodeSelector",
    "overhead",
    "priorityClassName",
    "readinessGates",
    "runtimeClassName",
    "schedulingGates",
    "securityContext",
    "subdomain",
    "tolerations",
    "topologySpreadConstraints",
    "volumes",
];

const CONTAINER_NULLS: &[&str] = &[
    "args",
    "command",
    "env",
    "envFrom",
    "imagePullPolicy",
    "lifecycle",
    "livenessProbe",
    "ports",
    "readinessProbe",
    "resources",
    "securityContext",
    "startupProbe",
    "volumeDevices",
    "volumeMounts",
    "workingDir",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn at(group: &str, kind: &str, path: &[&str]) -> Shape {
        path.iter()
            .fold(Shape::of(group, kind), |shape, key| shape.child(key))
    }

    #[test]
    fn tables_are_sorted() {
        assert!(POD_NULLS.is_sorted() && CONTAINER_NULLS.is_sorted());
    }

    #[test]
    fn shapes_follow_the_object() {
        let pod = ["spec", "template", "spec"];
        assert_eq!(at("apps", "Deployment", &pod), Shape::PodSpec);
        assert_eq!(at("example.com", "Deployment", &pod), Shape::Opaque);
        let scheduled = ["spec", "jobTemplate", "spec", "template", "spec", "containers"];
        assert_eq!(at("batch", "CronJob", &scheduled), Shape::ScheduledContainer);
        assert_eq!(
            at("example.com", "Widget", &["metadata", "labels"]),
            Shape::Labels
        );
        assert_eq!(
            at("batch", "Job", &["spec", "template", "metadata", "labels"]),
            Shape::Opaque
        );
    }

    #[test]
    fn a_null_in_free_data_is_kept() {
        assert!(!at("", "ConfigMap", &["data"]).drops_null("a"));
        assert!(at("", "ConfigMap", &[]).drops_null("data"));
        assert!(!at("apps", "Deployment", &["spec"]).drops_null("replicas"));
        assert!(!at("example.com", "Widget", &[]).drops_null("status"));
        assert!(at("policy", "PodDisruptionBudget", &[]).drops_null("status"));
    }

    #[test]
    fn lists_without_order_have_the_keys_of_the_api() {
        use super::super::list_types::{ListType, list_type};
        let scheduled = ["spec", "jobTemplate", "spec", "template", "spec"];
        let container = [&scheduled[..], &["containers"]].concat();
        for (group, kind, path, list) in [
            ("", "Service", &["spec"][..], "ports"),
            ("batch", "CronJob", &scheduled, "volumes"),
            ("batch", "CronJob", &scheduled, "imagePullSecrets"),
            ("batch", "CronJob", &container, "ports"),
        ] {
            let keys = at(group, kind, path).map_list(list).unwrap().keys;
            let steps: Vec<_> = path
                .iter()
                .chain([&list])
                .map(|key| crate::base::Step::Key((*key).to_owned()))
                .collect();
            assert_eq!(list_type(group, kind, &steps), ListType::Keyed(keys), "{list}");
        }
    }

    #[test]
    fn the_order_of_a_running_pods_volumes_is_kept() {
        assert!(
            at("apps", "Deployment", &["spec", "template", "spec"])
                .map_list("volumes")
                .is_none()
        );
        assert!(
            at(
                "batch",
                "CronJob",
                &["spec", "jobTemplate", "spec", "template", "spec"]
            )
            .map_list("volumes")
            .is_some()
        );
    }
}
