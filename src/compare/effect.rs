//! `Effect`: what applying a difference does to a running cluster.

use super::change::{Change, Op};
use super::immutable;
use crate::base::{KeyPath, Step};
use crate::manifest::{Document, DocumentId};
use crate::yaml::{Node, NodeKind};
use std::fmt;

/// What applying a difference does; the order is from worst to mildest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Stored data goes away.
    DataLoss,
    /// The API server refuses the update.
    Rejected,
    /// The object is deleted and made anew.
    Recreates,
    /// Configuration changes, and nothing restarts to read it.
    ConfigWithoutRollout,
    /// The pods are replaced.
    RestartsPods,
    /// Any other field changes.
    Spec,
    /// Labels and annotations alone change.
    MetadataOnly,
}

impl Effect {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Effect::DataLoss => "data-loss",
            Effect::Rejected => "rejected",
            Effect::Recreates => "recreates",
            Effect::ConfigWithoutRollout => "config-without-rollout",
            Effect::RestartsPods => "restarts-pods",
            Effect::Spec => "spec",
            Effect::MetadataOnly => "metadata-only",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Works the effect of every change of an object out. `before` and `after` are the whole canonical forms.
pub fn assign(id: &DocumentId, before: &Node, after: &Node, changes: &mut [Change]) {
    for change in changes {
        change.effect = effect(id, before, after, change);
    }
}

/// Works the effect of every change of a hook out. Hooks are made anew each time and never updated
/// (`execHook` in `pkg/action/hooks.go` of Helm), so nothing is refused and nothing running is restarted.
pub fn assign_to_hook(changes: &mut [Change]) {
    for change in changes {
        change.effect = if is_metadata(&change.path) {
            Effect::MetadataOnly
        } else {
            Effect::Spec
        };
    }
}

/// The effects of a list of changes, worst first.
pub fn summary(changes: &[Change]) -> Vec<Effect> {
    let mut effects: Vec<Effect> = changes.iter().map(|change| change.effect).collect();
    effects.sort_unstable();
    effects.dedup();
    effects
}

fn effect(id: &DocumentId, before: &Node, after: &Node, change: &Change) -> Effect {
    let path = &change.path;
    let refused = immutable::refused(id, path, change.before.as_ref(), change.after.as_ref()).is_some()
        || is_sealed(id, before, path)
        || shrinks_claim(id, change);
    if refused {
        return Effect::Rejected;
    }
    if is_metadata(path) {
        Effect::MetadataOnly
    } else if restarts_pods(id, after, path) {
        Effect::RestartsPods
    } else {
        Effect::Spec
    }
}

fn is_metadata(path: &KeyPath) -> bool {
    matches!(path.0.first(), Some(Step::Key(key)) if key == "metadata")
}

/// True below a pod template whose change replaces running pods.
fn restarts_pods(id: &DocumentId, after: &Node, path: &KeyPath) -> bool {
    let in_template = matches!(path.0.as_slice(),
        [Step::Key(spec), rest @ ..] if spec == "spec"
            && rest.first().is_none_or(|step| *step == Step::Key("template".to_owned())));
    let setting = |path: &[&str]| path.iter().try_fold(after, |node, key| node.get(key));
    in_template
        && match (&*id.group, &*id.kind) {
            ("apps" | "extensions", "StatefulSet" | "DaemonSet") => {
                setting(&["spec", "updateStrategy", "type"]).and_then(Node::as_str) != Some("OnDelete")
            }
            ("apps" | "extensions", "Deployment")
            | ("argoproj.io", "Rollout")
            | ("apps.openshift.io", "DeploymentConfig") => !matches!(
                setting(&["spec", "paused"]).map(|node| &node.kind),
                Some(NodeKind::Bool(true))
            ),
            _ => false,
        }
}

/// True for the data of a ConfigMap or Secret that says `immutable: true`
/// (`ValidateConfigMapUpdate`, `ValidateSecretUpdate` in `pkg/apis/core/validation`).
fn is_sealed(id: &DocumentId, before: &Node, path: &KeyPath) -> bool {
    const SEALED: [&str; 4] = ["binaryData", "data", "immutable", "stringData"];
    matches!((&*id.group, &*id.kind), ("", "ConfigMap" | "Secret"))
        && matches!(
            before.get("immutable").map(|node| &node.kind),
            Some(NodeKind::Bool(true))
        )
        && matches!(path.0.first(), Some(Step::Key(key)) if SEALED.contains(&key.as_str()))
}

/// True for a claim that asks for less storage than before
/// (`ValidatePersistentVolumeClaimUpdate` in `pkg/apis/core/validation`).
fn shrinks_claim(id: &DocumentId, change: &Change) -> bool {
    let is_request = &*id.kind == "PersistentVolumeClaim"
        && change.op == Op::Replace
        && change.path.to_string() == "spec.resources.requests.storage";
    let bytes = |node: &Option<Node>| quantity(&crate::manifest::scalar::text(node.as_ref()?)?);
    is_request
        && matches!((bytes(&change.before), bytes(&change.after)), (Some(before), Some(after)) if after < before)
}

/// The size of a quantity such as `10Gi`.
fn quantity(text: &str) -> Option<f64> {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let factor = match &text[end..] {
        "" => 1.0,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "P" => 1e15,
        "E" => 1e18,
        "Ki" => 1024.0,
        "Mi" => 1_048_576.0,
        "Gi" => 1_073_741_824.0,
        "Ti" => 1_099_511_627_776.0,
        "Pi" => 1_125_899_906_842_624.0,
        "Ei" => 1_152_921_504_606_846_976.0,
        _ => return None,
    };
    Some(text[..end].parse::<f64>().ok()? * factor)
}

/// The effects of taking an object away.
pub fn of_removal(document: &Document) -> Vec<Effect> {
    if loses_data(document) {
        vec![Effect::DataLoss]
    } else {
        Vec::new()
    }
}

/// The effects of giving an object another name or namespace: the old one goes, a new one comes.
pub fn of_renaming(document: &Document) -> Vec<Effect> {
    let mut effects = of_removal(document);
    if document.hook().is_none() {
        effects.push(Effect::Recreates);
    }
    effects
}

/// True for an object that holds data and that Helm deletes when it is no longer rendered: hooks are not part of a
/// release, and `helm.sh/resource-policy: keep` keeps the rest (`filterManifestsToKeep`, `pkg/action` of Helm).
fn loses_data(document: &Document) -> bool {
    let id = document.id();
    let holds_data = match (&*id.group, &*id.kind) {
        ("", "Namespace" | "PersistentVolumeClaim" | "Secret") => true,
        ("apiextensions.k8s.io", "CustomResourceDefinition") => {
            !document.source().is_some_and(is_installed_once)
        }
        ("apps", "StatefulSet") => takes_claims_along(document),
        _ => false,
    };
    let keep = || {
        let annotations = document.body().ok()?.node.get("metadata")?.get("annotations")?;
        let policy = annotations.get("helm.sh/resource-policy")?.as_str()?;
        Some(policy.trim().eq_ignore_ascii_case("keep"))
    };
    holds_data && document.hook().is_none() && keep() != Some(true)
}

/// True for a file below `crds/` of a chart or a subchart: Helm never deletes what stands there.
fn is_installed_once(source: &str) -> bool {
    let mut parts = source.split('/').skip(1);
    loop {
        match parts.next() {
            Some("crds") => return true,
            Some("charts") => drop(parts.next()),
            _ => return false,
        }
    }
}

/// True for a StatefulSet whose claims are deleted with it; by default they stay.
fn takes_claims_along(document: &Document) -> bool {
    let policy = || {
        let spec = document.body().ok()?.node.get("spec")?;
        spec.get("volumeClaimTemplates")?.items().first()?;
        spec.get("persistentVolumeClaimRetentionPolicy")?
            .get("whenDeleted")?
            .as_str()
    };
    policy() == Some("Delete")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::change::differences;
    use crate::manifest::{Manifest, Rules, canon};

    fn effects(head: &str, before: &str, after: &str) -> Vec<&'static str> {
        let read = |rest: &str| {
            let text = format!("{head}\nmetadata: {{name: a, labels: {{a: b}}}}\n{rest}\n");
            let document = Manifest::read(text.as_bytes(), "apps").documents[0].clone();
            let node = canon::canonical(&document, Rules::default()).expect("parses");
            (document, node)
        };
        let ((document, a), (_, b)) = (read(before), read(after));
        let mut changes = differences(&a, &b);
        assign(document.id(), &a, &b, &mut changes);
        summary(&changes).into_iter().map(Effect::name).collect()
    }

    #[test]
    fn pod_templates_restart_pods_unless_told_otherwise() {
        let head = "apiVersion: apps/v1\nkind: DaemonSet";
        let spec = |rest: &str| format!("spec: {{template: {{spec: {rest}}}}}");
        assert_eq!(effects(head, &spec("{a: 1}"), &spec("{a: 2}")), ["restarts-pods"]);
        let on_delete =
            |rest: &str| format!("spec: {{updateStrategy: {{type: OnDelete}}, template: {{spec: {rest}}}}}");
        assert_eq!(
            effects(head, &on_delete("{a: 1}"), &on_delete("{a: 2}")),
            ["spec"]
        );
        let job = "apiVersion: batch/v1\nkind: Job";
        assert_eq!(effects(job, &spec("{a: 1}"), &spec("{a: 2}")), ["rejected"]);
        let cron = "apiVersion: batch/v1\nkind: CronJob";
        assert_eq!(
            effects(cron, "spec: {schedule: a}", "spec: {schedule: b}"),
            ["spec"]
        );
    }

    #[test]
    fn sealed_data_and_shrinking_claims_are_refused() {
        let config = "apiVersion: v1\nkind: ConfigMap";
        assert_eq!(
            effects(
                config,
                "immutable: true\ndata: {a: b}",
                "immutable: true\ndata: {a: c}"
            ),
            ["rejected"]
        );
        assert_eq!(effects(config, "data: {a: b}", "data: {a: c}"), ["spec"]);
        let claim = "apiVersion: v1\nkind: PersistentVolumeClaim";
        let size = |size: &str| format!("spec: {{resources: {{requests: {{storage: {size}}}}}}}");
        assert_eq!(effects(claim, &size("10Gi"), &size("9G")), ["rejected"]);
        assert_eq!(effects(claim, &size("10Gi"), &size("20Gi")), ["spec"]);
    }

    #[test]
    fn what_holds_data_is_lost_unless_it_is_kept() {
        let read = |annotations: &str| {
            let text = format!(
                "apiVersion: v1\nkind: Secret\nmetadata: {{name: a, annotations: {{{annotations}}}}}\n"
            );
            Manifest::read(text.as_bytes(), "apps").documents[0].clone()
        };
        assert_eq!(of_removal(&read("")), [Effect::DataLoss]);
        assert_eq!(of_removal(&read("helm.sh/resource-policy: keep")), []);
        assert_eq!(
            of_renaming(&read("helm.sh/resource-policy: keep")),
            [Effect::Recreates]
        );
        assert_eq!(of_renaming(&read("helm.sh/hook: test")), []);
    }
}
