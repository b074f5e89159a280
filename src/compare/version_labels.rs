//! Documents that differ in nothing but version labels, and what follows from those.
//!
//! A bump of a chart's version touches a label in every document of the release, and a checksum annotation
//! wherever a labelled ConfigMap is hashed. Such documents are told as a group; the verdict stays.

use super::change::{Change, Op};
use super::judge::DocumentComparison;
use super::verdict::Verdict;
use crate::base::Step;
use crate::manifest::{DocumentId, Rule, Rules, canon};

/// Marks the documents of a cell whose changes are version labels alone, or checksums that moved only because
/// of them; where the rule `version-labels` is in force, the latter are equivalent.
pub(super) fn settle(documents: &mut [DocumentComparison], rules: Rules) {
    let excused = checksums_follow_labels(documents);
    for document in documents {
        document.version_labels_only = false;
        if document.verdict != Verdict::Changed {
            continue;
        }
        let id = &document.id;
        let explained = |change: &Change| is_label(id, change) || excused && is_checksum(change);
        if !document.changes.iter().all(explained) {
            continue;
        }
        document.version_labels_only = true;
        if rules.has(Rule::VersionLabels) {
            document.verdict = Verdict::Equivalent;
            document.changes.clear();
            document.effects.clear();
            document.rules = Rules::none().with(Rule::VersionLabels);
        }
    }
}

fn is_label(id: &DocumentId, change: &Change) -> bool {
    matches!(change.op, Op::Replace | Op::Type) && canon::is_version_label(id, &change.path)
}

fn is_checksum(change: &Change) -> bool {
    matches!(change.path.0.as_slice(),
        [.., Step::Key(annotations), Step::Key(key)] if annotations == "annotations" && key.starts_with("checksum/"))
        && change.op == Op::Replace
}

/// True when the ConfigMaps and Secrets of the cell differ, and in version labels alone: then a checksum over
/// them can have moved for no other reason. A volatile one does not count, as a checksum over it is volatile too.
fn checksums_follow_labels(documents: &[DocumentComparison]) -> bool {
    let hashed = |document: &&DocumentComparison| matches!(&*document.id.kind, "ConfigMap" | "Secret");
    let mut differing = documents
        .iter()
        .filter(hashed)
        .filter(|document| !matches!(document.verdict, Verdict::Identical | Verdict::Volatile))
        .filter(|document| document.verdict != Verdict::Equivalent || document.rules.has(Rule::VersionLabels))
        .peekable();
    differing.peek().is_some()
        && differing.all(|document| match document.verdict {
            Verdict::Equivalent => true,
            Verdict::Changed => document
                .changes
                .iter()
                .all(|change| is_label(&document.id, change)),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::super::cell::compare;
    use super::*;
    use crate::base::Sides;
    use crate::manifest::Manifest;

    fn render(version: &str, data: &str, checksum: &str) -> String {
        let labels = format!("labels: {{helm.sh/chart: c-{version}, app: a}}");
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a, {labels}}}\ndata: {{k: {data}}}\n---\n\
             apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a, {labels}}}\nspec:\n  template:\n    metadata:\n      \
             {labels}\n      annotations: {{checksum/config: {checksum}}}\n---\n\
             apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}}\nspec: {{template: {{metadata: {{{labels}}}}}}}\n"
        )
    }

    fn judged(a: &str, b: &str, rules: Rules) -> Vec<(Verdict, bool)> {
        let (a, b) = (
            Manifest::read(a.as_bytes(), "apps"),
            Manifest::read(b.as_bytes(), "apps"),
        );
        compare("r", Sides::new(&a, &b), rules)
            .documents
            .iter()
            .map(|document| (document.verdict, document.version_labels_only))
            .collect()
    }

    #[test]
    fn a_chart_bump_is_a_group_but_not_where_a_label_cannot_change() {
        let (a, b) = (render("1", "x", "aa"), render("2", "x", "bb"));
        assert_eq!(
            judged(&a, &b, Rules::default()),
            [
                (Verdict::Changed, true),
                (Verdict::Changed, true),
                (Verdict::Changed, false)
            ]
        );
        assert_eq!(
            judged(&a, &b, Rules::all()),
            [
                (Verdict::Equivalent, false),
                (Verdict::Equivalent, true),
                (Verdict::Changed, false)
            ]
        );
    }

    #[test]
    fn a_group_is_found_once_chance_is_taken_away() {
        let (a, b) = (render("1", "x", "aa"), render("2", "y", "bb"));
        let (a, b) = (
            Manifest::read(a.as_bytes(), "apps"),
            Manifest::read(b.as_bytes(), "apps"),
        );
        let mut cell = compare("r", Sides::new(&a, &b), Rules::default());
        cell.documents[0].verdict = Verdict::Volatile;
        cell.documents[1].changes.retain(|change| !is_checksum(change));
        cell.regroup(Rules::default());
        assert!(!cell.documents[0].version_labels_only && cell.documents[1].version_labels_only);
    }

    #[test]
    fn a_checksum_that_has_another_cause_is_a_change() {
        let bumped = judged(&render("1", "x", "aa"), &render("2", "y", "bb"), Rules::default());
        assert_eq!(
            bumped[..2],
            [(Verdict::Changed, false), (Verdict::Changed, false)]
        );
        let alone = judged(&render("1", "x", "aa"), &render("1", "x", "bb"), Rules::default());
        assert_eq!(
            alone[..2],
            [(Verdict::Identical, false), (Verdict::Changed, false)]
        );
    }
}
