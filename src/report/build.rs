//! From what `compare` found to what a report holds. Here, and nowhere later, secrets are taken out.

use super::model::{ChangeReport, DocumentReport, From, Mark, Provenance, ValueOrigin};
use super::redact::{KnownSecrets, Mask};
use crate::base::{Digest, Side, Sides};
use crate::check::origins::FieldOrigin;
use crate::compare::{CellComparison, Change, DocumentComparison};
use crate::manifest::{Document, Manifest, Rules, canon};
use crate::yaml::Node;

/// The secrets of a cell: those of its Secrets and of the documents that differ. What both sides share byte
/// for byte is not parsed for this unless it is a Secret.
pub fn known_secrets(sides: Sides<Option<&Manifest>>, comparison: Option<&CellComparison>) -> KnownSecrets {
    let mut known = KnownSecrets::new();
    for manifest in Side::BOTH.into_iter().filter_map(|side| *sides.get(side)) {
        for document in &manifest.documents {
            let id = document.id();
            for name in [&id.kind, &id.name].into_iter().chain(&id.namespace) {
                known.public(name);
            }
            if &*id.kind == "Secret" {
                learn(document, &mut known);
            }
        }
    }
    for document in comparison.map_or(&[][..], |cell| &cell.documents) {
        for side in Side::BOTH {
            if let Some(document) = document.documents.get(side) {
                learn(document, &mut known);
            }
        }
    }
    known
}

fn learn(document: &Document, known: &mut KnownSecrets) {
    match document.body() {
        Ok(body) => known.document(&body.node),
        Err(_) => known.unreadable(&String::from_utf8_lossy(document.text())),
    }
}

/// The documents of a cell as a report holds them. `digest` gives the digest of a document's canonical form per
/// side; that of a Secret is dropped, because the value of a short one could be found by trying.
/// `origins` gives where a changed field came from, per side.
pub fn documents<'o>(
    cell: &CellComparison,
    rules: Rules,
    mask: &Mask,
    digest: impl Fn(&DocumentComparison) -> Sides<Option<Digest>>,
    origins: impl Fn(&DocumentComparison, &Change) -> Sides<Option<&'o FieldOrigin>>,
) -> Vec<DocumentReport> {
    cell.documents
        .iter()
        .map(|document| {
            let digest = if &*document.id.kind == "Secret" {
                Sides::default()
            } else {
                digest(document)
            };
            self::document(document, rules, mask, digest, &|change| origins(document, change))
        })
        .collect()
}

fn document<'o>(
    document: &DocumentComparison,
    rules: Rules,
    mask: &Mask,
    digest: Sides<Option<Digest>>,
    origins: &dyn Fn(&Change) -> Sides<Option<&'o FieldOrigin>>,
) -> DocumentReport {
    // The paths of changes lead through the canonical forms.
    let roots = match document.changes.is_empty() {
        true => Sides::default(),
        false => document.documents.as_ref().map(|side| {
            let document = side.as_ref()?;
            canon::canonical(document, rules).ok()
        }),
    };
    DocumentReport {
        id: document.id.clone(),
        verdict: document.verdict,
        hook: document.hook,
        rules: document.rules,
        effects: document.effects.clone(),
        from: document.from.as_ref().map(|from| From {
            release: from.release.to_string(),
            id: from.id.clone(),
            percent: (from.score.clamp(0.0, 1.0) * 100.0).floor() as u8,
        }),
        digest,
        changes: document
            .changes
            .iter()
            .map(|change| {
                let roots = roots.as_ref().map(Option::as_ref);
                self::change(change, document, roots, mask, origins(change))
            })
            .collect(),
        version_labels_only: document.version_labels_only,
        problem: document.problem.as_ref().map(|(side, reason)| {
            let place = reason
                .mark
                .map(|mark| format!("line {} of the ", mark.line))
                .unwrap_or_default();
            mask.text(&format!("{place}{side}'s document: {reason}"))
        }),
    }
}

fn change(
    change: &Change,
    document: &DocumentComparison,
    roots: Sides<Option<&Node>>,
    mask: &Mask,
    origins: Sides<Option<&FieldOrigin>>,
) -> ChangeReport {
    let shown = |side: Side, value: &Option<Node>| {
        value
            .as_ref()
            .map(|value| mask.value(&document.id, *roots.get(side), &change.path, value))
    };
    ChangeReport {
        op: change.op,
        path: mask.path(&change.path),
        before: shown(Side::Baseline, &change.before),
        after: shown(Side::Candidate, &change.after),
        effect: change.effect,
        marks: marks(&origins, mask),
        provenance: origins.map(|origin| origin.map(|origin| provenance(origin, mask))),
    }
}

/// The template and the values behind a field.
pub fn provenance(origin: &FieldOrigin, mask: &Mask) -> Provenance {
    Provenance {
        template: origin.template.clone(),
        values: origin
            .values
            .iter()
            .map(|value| ValueOrigin {
                path: mask.path(&value.path),
                place: value.place.clone(),
                layer: value.layer,
            })
            .collect(),
    }
}

/// What both sides of a field owe to things outside git, once each.
pub fn marks(origins: &Sides<Option<&FieldOrigin>>, mask: &Mask) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for origin in [origins.candidate, origins.baseline].into_iter().flatten() {
        for source in &origin.marks {
            let mark = Mark {
                kind: source.kind,
                call: mask.text(&source.call),
                place: source.place.clone(),
                via: Vec::new(),
            };
            if !marks.contains(&mark) {
                marks.push(mark);
            }
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Verdict, cell};
    use crate::report::model::{Facts, Report};
    use crate::report::outcome::Policy;
    use crate::report::redact::Redactor;
    use crate::report::{FORMATS, Style, sample};

    /// Renders both sides through every format.
    fn told(baseline: &str, candidate: &str) -> (Vec<DocumentReport>, String) {
        let read = |text: &str| Manifest::read(text.as_bytes(), "apps");
        let (baseline, candidate) = (read(baseline), read(candidate));
        let rules = Rules::default();
        let compared = cell::compare("chat", Sides::new(&baseline, &candidate), rules);
        let known = known_secrets(Sides::new(Some(&baseline), Some(&candidate)), Some(&compared));
        let mask = Redactor::with_key([3; 32], true).mask(known);
        let documents = documents(
            &compared,
            rules,
            &mask,
            |_| Sides::default(),
            |_, _| Sides::default(),
        );
        let mut facts: Facts = sample::empty();
        let mut cell = sample::cell("chat", "amd", &[]);
        cell.documents = documents.clone();
        facts.cells.push(cell);
        facts.notes.push(mask.text("near \"CANARY-plain-1\""));
        let report = Report::conclude(facts, &Policy::default());
        let mut out = Vec::new();
        for format in FORMATS {
            for verbose in [false, true] {
                let style = Style {
                    verbose,
                    ..Style::plain()
                };
                (format.write)(&report, &style, &mut out).unwrap();
            }
        }
        (documents, String::from_utf8(out).unwrap())
    }

    fn documents_with(secret: &str, level: &str) -> String {
        format!(
            "---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Secret
  metadata: {{name: db}}
  stringData:
    password: {secret}
    app.conf: |
      level = {level}
      key = {secret}-in-file
---
apiVersion: v1
kind: ConfigMap
metadata: {{name: conf, annotations: {{kubectl.kubernetes.io/last-applied-configuration: '{{\"x\":\"{secret}-applied\"}}'}}}}
data:
  app.yaml: |
    level: {level}
    password: {secret}-line
    url: redis://:{secret}-url@cache
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: chat}}
spec:
  template:
    spec:
      containers:
      - name: chat
        image: chat:{level}
        args: [--token, {secret}-arg, --copy={secret}]
        env:
        - {{name: DB_PASSWORD, value: {secret}-env}}
        - {{name: LEVEL, value: {level}}}
        - {{name: LEVEL, value: {secret}}}
"
        )
    }

    #[test]
    fn nothing_secret_comes_through_any_format() {
        let (documents, text) = told(
            &documents_with("CANARY-plain-1", "info"),
            &documents_with("CANARY-plain-2", "debug"),
        );
        assert!(
            documents
                .iter()
                .all(|document| document.verdict == Verdict::Changed)
        );
        let at = text
            .find("CANARY")
            .and_then(|at| text.get(at.saturating_sub(200)..at + 20));
        assert_eq!(at, None);
        for shown in [
            "chat:debug",
            "level: debug",
            "[redacted ",
            "stringData.password",
            "env[0].value",
        ] {
            assert!(text.contains(shown), "{shown}");
        }
    }

    #[test]
    fn a_secret_that_nobody_can_parse_is_not_quoted() {
        let secret = |value: &str| {
            format!(
                "---\nkind: Secret\nmetadata: {{name: db}}\nstringData:\n  a: {value}\n  b: *CANARY-alias\n  c: \"CANARY-x\n"
            )
        };
        let (documents, text) = told(&secret("CANARY-plain-1"), &secret("CANARY-plain-2"));
        assert_eq!(documents[0].verdict, Verdict::Undecided);
        let at = text
            .find("CANARY")
            .and_then(|at| text.get(at.saturating_sub(200)..at + 20));
        assert_eq!(at, None);
    }

    #[test]
    fn a_document_of_one_side_lists_no_fields() {
        let (documents, text) = told("", &documents_with("CANARY-plain-1", "info"));
        assert_eq!(documents.len(), 3);
        assert!(
            documents
                .iter()
                .all(|document| document.verdict == Verdict::Added && document.changes.is_empty())
        );
        assert!(!text.contains("CANARY"));
    }
}
