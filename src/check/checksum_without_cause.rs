//! `checksum-without-cause`: a checksum annotation moved, and the object that it hashes did not.

use super::chance::is_checksum;
use super::checksum_follows;
use super::fields::{place_of, range_of};
use super::{CellView, Check, Hazard, Pass, SideView, Sink};
use crate::base::{KeyPath, Level};
use crate::compare::change::Change;
use crate::compare::judge::DocumentComparison;
use crate::compare::verdict::Verdict;
use crate::manifest::Document;

/// The check.
pub static CHECK: Check = Check {
    name: "checksum-without-cause",
    level: Level::Warn,
    audit_only: false,
    explain: "A checksum annotation of a pod template is another one, so the pods restart; but the objects made by the \
template that it hashes are what they were. The hash is of the text: a comment, a blank line, the end of a line or \
another draw of chance moves it, and the cluster sees none of them.\n\n\
The restart is real. Where it must not happen, put the text back as it was; in a chart of your own, hash the values that \
matter and not the whole file.",
    pass: Pass::Comparison(run),
};

fn run(view: &CellView<'_>, sink: &mut Sink) {
    let Some(candidate) = &view.sides.candidate else {
        return;
    };
    for compared in &view.comparison.documents {
        let Some(document) = compared.documents.candidate.as_deref() else {
            continue;
        };
        for change in compared.changes.iter().filter(|change| is_checksum(&change.path)) {
            if change.before.is_none() || change.after.is_none() {
                continue;
            }
            let files = hashed_files(candidate, document, &change.path);
            let hashed = |file: &String| hashed(candidate, file);
            let objects: Vec<&Document> = files.iter().flat_map(hashed).collect();
            let rests = |object: &&&Document| rests(object, &view.comparison.documents);
            let moved: Vec<&&Document> = objects.iter().filter(|object| !rests(object)).collect();
            if !moved.is_empty() {
                sink.tell(follows(compared, change, &moved));
                continue;
            }
            if objects.is_empty() || has_gone(view, &files) {
                continue;
            }
            let named: Vec<String> = objects.iter().map(|object| object.id().to_string()).collect();
            let message = format!(
                "{}: {} moves and restarts pods, though {} did not change",
                compared.id,
                change.path,
                named.join(", ")
            );
            sink.tell(Hazard {
                resource: Some(compared.id.clone()),
                field_path: Some(change.path.clone()),
                remedy: Some(
                    "put the text of the hashed template back as it was, or accept the restart".to_owned(),
                ),
                place: place_of(candidate, document, &change.path),
                ..Hazard::new(&CHECK, message)
            });
        }
    }
}

/// A checksum that moves because what it hashes does: the restart has its cause.
fn follows(compared: &DocumentComparison, change: &Change, moved: &[&&Document]) -> Hazard {
    let named: Vec<String> = moved.iter().map(|object| object.id().to_string()).collect();
    let message = format!(
        "{}: {} moves because {} changed, and restarts pods",
        compared.id,
        change.path,
        named.join(", ")
    );
    Hazard {
        resource: Some(compared.id.clone()),
        field_path: Some(change.path.clone()),
        ..Hazard::new(&checksum_follows::CHECK, message)
    }
}

/// The file names in the action that wrote a field: `include (print $.Template.BasePath "/config.yaml") .`.
fn hashed_files(view: &SideView<'_>, document: &Document, path: &KeyPath) -> Vec<String> {
    let text = || {
        let history = view.history?;
        let spans = history.spans(range_of(document, path)?);
        let texts = spans.filter_map(|(_, span)| Some(history.trace.unit(span.frame)?.text_of(span.node)));
        Some(texts.collect::<String>())
    };
    let text = text().unwrap_or_default();
    let quoted = text.split('"').skip(1).step_by(2);
    let files = quoted.filter(|part| part.ends_with(".yaml") || part.ends_with(".yml"));
    files
        .map(|part| format!("/{}", part.trim_start_matches('/')))
        .collect()
}

/// The documents of a template file.
fn hashed<'a>(view: &SideView<'a>, file: &str) -> Vec<&'a Document> {
    let all = view.manifest.documents.iter();
    all.filter(|document| document.source().is_some_and(|source| source.ends_with(file)))
        .collect()
}

/// True when a document is what it was at the baseline.
fn rests(object: &Document, compared: &[DocumentComparison]) -> bool {
    let is_it =
        |other: &&DocumentComparison| other.id == *object.id() && other.occurrence == object.occurrence();
    let found = compared.iter().find(is_it);
    found.is_some_and(|found| {
        matches!(
            found.verdict,
            Verdict::Identical | Verdict::Equivalent | Verdict::Volatile
        )
    })
}

/// True when the hashed templates made more documents at the baseline.
fn has_gone(view: &CellView<'_>, files: &[String]) -> bool {
    let (Some(before), Some(now)) = (&view.sides.baseline, &view.sides.candidate) else {
        return true;
    };
    let count = |side: &SideView<'_>| files.iter().map(|file| hashed(side, file).len()).sum::<usize>();
    count(before) != count(now)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, compared};
    use super::*;

    fn case(config: &str) -> Case {
        let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations:\n    checksum/config: \
            {{ include (print $.Template.BasePath \"/config.yaml\") . | sha256sum }}\n";
        let config =
            format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c}}\ndata:\n  a: {config}\n");
        Case::chart("", pod).file("app/templates/config.yaml", &config)
    }

    #[test]
    fn a_comment_moves_a_checksum_without_cause() {
        let found = compared(&CHECK, case("b"), case("b # c"));
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert!(hazard.message.contains("ConfigMap"), "{}", hazard.message);
    }

    #[test]
    fn a_change_is_a_cause() {
        let found = compared(&CHECK, case("b"), case("c"));
        let checks: Vec<&str> = found.iter().map(|hazard| hazard.check).collect();
        assert_eq!(checks, ["checksum-follows"]);
        assert_eq!(compared(&CHECK, case("b"), case("b")), []);
    }
}
