//! `optional-reference`: what a pod reads where it is there leaves, and nobody is told.

use super::leaving::{Loss, bereft, losses};
use super::reads::{Reference, Via};
use super::{Check, Hazard, Pass, PlatformView, Sink};
use crate::base::Level;
use crate::compare::Verdict;

/// The check.
pub static CHECK: Check = Check {
    name: "optional-reference",
    level: Level::Warn,
    audit_only: false,
    explain: "A pod reads a ConfigMap or a Secret, or a key in one, with `optional: true`. A release of the platform \
provided it at the baseline, and nothing does now. The kubelet leaves the variables or files out without a word: no \
error, no event, every exit code is 0, and whatever they switched on is off from the next restart on.\n\n\
The document of the pod is often the same on both sides, and the object that leaves is another release's; the loss shows \
only where the reference is followed. References that no release ever served are not told.\n\n\
Provide the object again where the feature is meant to stay on; remove the reference where it is not.",
    pass: Pass::Platform(run),
};

fn run(view: &PlatformView<'_>, sink: &mut Sink) {
    let losses = losses(view);
    for bereft in bereft(view, &losses)
        .into_iter()
        .filter(|bereft| bereft.verdict != Verdict::Added)
    {
        let hit = bereft.reader.of(&bereft.loss.source);
        let hit: Vec<&Reference> = hit
            .filter(|reference| reference.is_optional && bereft.loss.hits(reference))
            .collect();
        let Some(first) = hit.first() else { continue };
        let mut lost: Vec<String> = hit
            .iter()
            .flat_map(|reference| names(reference, bereft.loss))
            .collect();
        lost.sort();
        lost.dedup();
        let (reader, source) = (&bereft.reader.id, &bereft.loss.source);
        let leaves = if bereft.loss.is_whole {
            "leaves"
        } else {
            "loses keys"
        };
        let without = match lost.is_empty() {
            true => "it".to_owned(),
            false => lost.join(", "),
        };
        let message = format!(
            "{source} {leaves}, and {reader} reads it with optional: true: it runs without {without}"
        );
        sink.tell(Hazard {
            release: Some(bereft.release.to_owned()),
            resource: Some(reader.clone()),
            field_path: Some(bereft.reader.field(first)),
            lost,
            object: source.to_string(),
            remedy: Some("provide it again, or remove the reference".to_owned()),
            ..Hazard::new(&CHECK, message)
        });
    }
}

/// What the container sees of a reference: variables or files.
fn names(reference: &Reference, loss: &Loss) -> Vec<String> {
    match (&reference.via, &reference.key) {
        (Via::Variable(_, name), _) => vec![name.to_string()],
        (Via::AllVariables(_, prefix), _) => loss.keys.iter().map(|key| format!("{prefix}{key}")).collect(),
        (_, Some(key)) => vec![key.to_string()],
        (_, None) => loss.keys.iter().map(ToString::to_string).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::on_platform;
    use super::*;

    const CONFIG: &str =
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: sso}\ndata: {MODE: oidc, URL: u}\n";
    const READER: &str = "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  template:\n    spec:\n      \
        containers:\n      - name: c\n        env:\n        \
        - {name: SSO_MODE, valueFrom: {configMapKeyRef: {name: sso, key: MODE, optional: true}}}\n        \
        - {name: TRACE, valueFrom: {configMapKeyRef: {name: outside, key: x, optional: true}}}\n";

    fn found(releases: &[(&str, &str, &str)]) -> Vec<String> {
        let found = on_platform(&CHECK, releases);
        found.into_iter().map(|hazard| hazard.message).collect()
    }

    #[test]
    fn what_leaves_behind_an_optional_reference_is_told() {
        assert_eq!(
            found(&[("config", CONFIG, ""), ("app", READER, READER)]),
            [
                "v1/ConfigMap/n/sso leaves, and apps/v1/Deployment/n/d reads it with optional: true: it runs without SSO_MODE"
            ]
        );
        let all = READER.replace(
            "env:",
            "envFrom: [{prefix: P_, configMapRef: {name: sso, optional: true}}]\n        env:",
        );
        let message = found(&[("config", CONFIG, ""), ("app", &all, &all)]);
        assert!(
            message[0].ends_with("without P_MODE, P_URL, SSO_MODE"),
            "{message:?}"
        );
        let less = CONFIG.replace("MODE: oidc, ", "");
        assert_eq!(
            found(&[("config", CONFIG, &less), ("app", READER, READER)]).len(),
            1
        );
    }

    #[test]
    fn what_stays_what_nobody_reads_and_what_leaves_with_its_reader_is_silent() {
        assert_eq!(
            found(&[("config", CONFIG, CONFIG), ("app", READER, READER)]),
            [""; 0]
        );
        assert_eq!(found(&[("config", CONFIG, ""), ("app", READER, "")]), [""; 0]);
        let other = CONFIG.replace("URL: u", "URL: v");
        assert_eq!(
            found(&[("config", CONFIG, &other), ("app", READER, READER)]),
            [""; 0]
        );
        let must = READER.replace("key: MODE, optional: true", "key: MODE");
        assert_eq!(found(&[("config", CONFIG, ""), ("app", &must, &must)]), [""; 0]);
        assert_eq!(
            found(&[
                ("config", CONFIG, ""),
                ("moved", "", CONFIG),
                ("app", READER, READER)
            ]),
            [""; 0]
        );
    }
}
