//! `config-without-rollout`: configuration changes, and the pods that read it go on with what they read before.

use super::stale::{Stale, stale};
use super::{Check, Hazard, Pass, PlatformView, Sink};
use crate::base::Level;

/// The check.
pub static CHECK: Check = Check {
    name: "config-without-rollout",
    level: Level::Warn,
    audit_only: false,
    explain: "A ConfigMap or a Secret changes, a workload reads what changes, and its pod template does not change: \
nothing restarts. A variable (env, envFrom) and a file that is mounted by subPath are read when a container starts and \
never again, so the pods go on with the old value while `kubectl get configmap` shows the new one; at some later restart \
they change all at once, and nobody knows why.\n\n\
Files of a volume are refreshed after a while; whether the process reads them again is its own matter. That is told for \
information.\n\n\
Silent where the template moves, as with a checksum annotation, where an annotation asks Reloader or Wave for the \
restart, and for jobs and hooks, which start anew anyway.\n\n\
Add a checksum annotation to the pod template, or restart the workload: kubectl rollout restart.",
    pass: Pass::Platform(run),
};

fn run(view: &PlatformView<'_>, sink: &mut Sink) {
    for stale in stale(view) {
        let hazard = hazard(&stale);
        sink.tell(hazard);
    }
}

fn hazard(stale: &Stale<'_>) -> Hazard {
    let (reader, id) = (&stale.reader.id, &stale.config.id);
    let keys: Vec<&str> = stale.keys.iter().map(|key| &**key).collect();
    let keys = keys.join(", ");
    let appears = stale.config.documents.baseline.is_none();
    let what = if appears { "appears" } else { "changes" };
    let message = match stale.never_refreshed {
        true => format!(
            "{reader} reads {keys} of {id}, which {what}, and nothing restarts it: its pods go on as they started"
        ),
        false => format!(
            "{reader} mounts {keys} of {id}, which {what}, and nothing restarts it: the files are refreshed, the process may \
             not read them again"
        ),
    };
    Hazard {
        level: if stale.never_refreshed {
            CHECK.level
        } else {
            Level::Info
        },
        release: Some(stale.release.to_owned()),
        resource: Some(reader.clone()),
        field_path: Some(stale.reader.field(stale.first)),
        object: id.to_string(),
        remedy: Some(remedy(stale)),
        ..Hazard::new(&CHECK, message)
    }
}

fn remedy(stale: &Stale<'_>) -> String {
    let document = stale.config.documents.candidate.as_deref();
    let file = document
        .filter(|_| stale.is_own)
        .and_then(|document| document.source()?.rsplit_once("/templates/"));
    match file {
        Some((_, file)) => format!(
            "annotate the pod template: checksum/config: {{{{ include (print $.Template.BasePath \"/{file}\") . | sha256sum }}}}"
        ),
        None => "restart it after the upgrade: kubectl rollout restart".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::on_platform;
    use super::*;

    fn config(data: &str) -> String {
        format!(
            "---\n# Source: app/templates/config.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: m}}\ndata: {{{data}}}\n"
        )
    }

    fn workload(kind: &str, annotations: &str, pod: &str) -> String {
        format!(
            "---\napiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: w}}\nspec:\n  template:\n    \
             metadata: {{annotations: {{{annotations}}}}}\n    spec: {{{pod}}}\n"
        )
    }

    const BY_KEY: &str =
        "containers: [{name: c, env: [{name: X, valueFrom: {configMapKeyRef: {name: m, key: A}}}]}]";
    const WHOLE: &str = "containers: [{name: c, envFrom: [{configMapRef: {name: m}}]}]";
    const FILES: &str = "volumes: [{name: v, projected: {sources: [{configMap: {name: m}}]}}], \
        containers: [{name: c, volumeMounts: [{name: v, mountPath: /x}]}]";
    const ONE_FILE: &str = "volumes: [{name: v, configMap: {name: m}}], \
        containers: [{name: c, volumeMounts: [{name: v, mountPath: /x, subPath: A}]}]";

    /// What is said where `A` of the map changes and `B` does not.
    fn found(before: &str, after: &str) -> Vec<(Level, String)> {
        let (old, new) = (config("A: x, B: x"), config("A: z, B: x"));
        let found = on_platform(&CHECK, &[("r", &(old + before), &(new + after))]);
        found
            .into_iter()
            .map(|hazard| (hazard.level, hazard.message))
            .collect()
    }

    fn level(pod: &str) -> Option<Level> {
        let workload = workload("Deployment", "", pod);
        found(&workload, &workload).first().map(|(level, _)| *level)
    }

    #[test]
    fn what_is_read_at_the_start_alone_is_warned_of() {
        let workload = workload("Deployment", "", BY_KEY);
        assert_eq!(
            found(&workload, &workload),
            [(
                Level::Warn,
                "apps/v1/Deployment/n/w reads A of v1/ConfigMap/n/m, which changes, and nothing restarts it: its pods go on as \
                 they started"
                    .to_owned()
            )]
        );
        assert_eq!(level(WHOLE), Some(Level::Warn));
        assert_eq!(level(ONE_FILE), Some(Level::Warn));
        assert_eq!(level(FILES), Some(Level::Info));
    }

    #[test]
    fn a_key_that_does_not_change_and_another_map_are_silent() {
        assert_eq!(level(&BY_KEY.replace("key: A", "key: B")), None);
        assert_eq!(level(&WHOLE.replace("name: m", "name: z")), None);
        assert_eq!(level(&ONE_FILE.replace("subPath: A", "subPath: B")), None);
    }

    #[test]
    fn whatever_starts_anew_is_silent() {
        let moves = |sum: &str| workload("Deployment", sum, WHOLE);
        assert_eq!(found(&moves("checksum/m: '1'"), &moves("checksum/m: '2'")), []);
        let labelled = moves("").replace("{name: w}", "{name: w, labels: {a: b}}");
        assert_eq!(
            found(&moves(""), &labelled).len(),
            1,
            "labels of the object restart nothing"
        );
        let reloaded = moves("reloader.stakater.com/auto: 'true'");
        assert_eq!(found(&reloaded, &reloaded), []);
        let by_name = moves("configmap.reloader.stakater.com/reload: 'z,m'");
        assert_eq!(found(&by_name, &by_name), []);
        assert_eq!(found("", &moves("")), []);
        let job = workload("Job", "", WHOLE).replace("apps/v1", "batch/v1");
        assert_eq!(found(&job, &job), []);
        let hook = moves("").replace("{name: w}", "{name: w, annotations: {helm.sh/hook: test}}");
        assert_eq!(found(&hook, &hook), []);
    }

    #[test]
    fn a_map_of_another_release_counts_and_the_remedy_follows() {
        let workload = workload("StatefulSet", "", WHOLE);
        let (old, new) = (config("A: x"), config("A: x, C: x"));
        let far = on_platform(&CHECK, &[("config", &old, &new), ("app", &workload, &workload)]);
        assert!(far[0].message.contains("reads C of"), "{far:?}");
        assert!(
            far[0]
                .remedy
                .as_ref()
                .is_some_and(|remedy| remedy.contains("kubectl")),
            "{far:?}"
        );
        assert_eq!(far[0].release.as_deref(), Some("app"));
        let near = on_platform(&CHECK, &[("app", &(old + &workload), &(new + &workload))]);
        let remedy = near[0].remedy.as_deref().unwrap_or_default();
        assert!(remedy.contains("\"/config.yaml\") . | sha256sum }}"), "{remedy}");
    }

    #[test]
    fn a_map_that_appears_is_told_only_where_it_could_be_missing() {
        let both = |optional: &str| {
            let pod = WHOLE.replace("name: m", &format!("name: m{optional}"));
            let workload = workload("Deployment", "", &pod);
            on_platform(&CHECK, &[("r", &workload, &(config("A: x") + &workload))]).len()
        };
        assert_eq!((both(", optional: true"), both("")), (1, 0));
    }

    #[test]
    fn the_same_secret_in_other_words_is_silent() {
        let pod = "containers: [{name: c, envFrom: [{secretRef: {name: s}}]}]";
        let secret = |data: &str| {
            format!("---\napiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\n{data}\n")
                + &workload("Deployment", "", pod)
        };
        let found =
            |before: &str, after: &str| on_platform(&CHECK, &[("r", &secret(before), &secret(after))]).len();
        assert_eq!(found("stringData: {k: hello}", "data: {k: aGVsbG8=}"), 0);
        assert_eq!(found("stringData: {k: hello}", "data: {k: eA==}"), 1);
    }
}
