//! The two renders of one release on one platform -> the verdict on each of their documents.
//!
//! Documents pair by identity; several of one identity pair by their order, for that is the order in which
//! they reach the cluster. What finds no partner here may still have one in another release
//! ([`super::across`]).

use super::judge::DocumentComparison;
use super::version_labels;
use crate::base::{Side, Sides};
use crate::manifest::{Manifest, ObjectKey, Rule, Rules, Scopes};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What became of the documents of one cell.
#[derive(Clone, Debug)]
pub struct CellComparison {
    /// The release's id.
    pub release: Arc<str>,
    /// Every document of both sides, once: in the baseline's order, then the candidate's own.
    pub documents: Vec<DocumentComparison>,
    /// The rules that it took to set differences of the whole render aside: the order of its documents, its
    /// empty documents, the sources of identical documents.
    pub rules: Rules,
    /// Such differences that no rule in force sets aside.
    pub unruly: Rules,
    /// The scopes of custom kinds that either side defines.
    pub scopes: Scopes,
}

impl CellComparison {
    /// Works out again which documents differ in version labels alone. To be called by who takes changes away
    /// or gives documents another verdict.
    pub fn regroup(&mut self, rules: Rules) {
        version_labels::settle(&mut self.documents, rules);
    }
}

/// Compares the two renders of a release.
pub fn compare(release: &str, sides: Sides<&Manifest>, rules: Rules) -> CellComparison {
    let baseline = &sides.baseline.documents;
    let candidate = &sides.candidate.documents;
    let mut partners = Partners::of(&sides);
    let mut documents = Vec::with_capacity(baseline.len());
    let mut order = Vec::with_capacity(baseline.len());
    let mut needed = Rules::none();
    for document in baseline {
        let Some(position) = partners.take(document.id().key()) else {
            documents.push(DocumentComparison::alone(Side::Baseline, document));
            continue;
        };
        let partner = &candidate[position];
        order.push(position);
        if document.source() != partner.source() {
            needed = needed.with(Rule::SourceComment);
        }
        documents.push(DocumentComparison::pair(document, partner, rules));
    }
    for position in partners.left_over() {
        documents.push(DocumentComparison::alone(Side::Candidate, &candidate[position]));
    }
    if !order.is_sorted() {
        needed = needed.with(Rule::DocumentOrder);
    }
    if sides.baseline.empty != sides.candidate.empty {
        needed = needed.with(Rule::EmptyDocuments);
    }
    let mut scopes = Scopes::default();
    sides.baseline.teach(&mut scopes);
    sides.candidate.teach(&mut scopes);
    let mut cell = CellComparison {
        release: Arc::from(release),
        documents,
        rules: needed.minus(Rules::all().minus(rules)),
        // Each document tells its own source.
        unruly: needed.minus(rules).without(Rule::SourceComment),
        scopes,
    };
    cell.regroup(rules);
    cell
}

/// The candidate's documents that have no partner yet.
struct Partners<'a> {
    positions: FxHashMap<ObjectKey<'a>, Positions>,
    taken: Vec<bool>,
}

#[derive(Default)]
struct Positions {
    list: Vec<usize>,
    next: usize,
}

impl<'a> Partners<'a> {
    fn of(sides: &Sides<&'a Manifest>) -> Partners<'a> {
        let mut positions: FxHashMap<ObjectKey<'_>, Positions> = FxHashMap::default();
        for (at, document) in sides.candidate.documents.iter().enumerate() {
            positions.entry(document.id().key()).or_default().list.push(at);
        }
        Partners {
            positions,
            taken: vec![false; sides.candidate.documents.len()],
        }
    }

    fn take(&mut self, key: ObjectKey<'a>) -> Option<usize> {
        let positions = self.positions.get_mut(&key)?;
        let at = *positions.list.get(positions.next)?;
        positions.next += 1;
        self.taken[at] = true;
        Some(at)
    }

    fn left_over(&self) -> impl Iterator<Item = usize> {
        let taken = self.taken.iter().enumerate();
        taken.filter(|(_, taken)| !**taken).map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::verdict::Verdict;
    use super::*;

    fn told_under(baseline: &str, candidate: &str, rules: Rules) -> (Vec<String>, CellComparison) {
        let baseline = Manifest::read(baseline.as_bytes(), "apps");
        let candidate = Manifest::read(candidate.as_bytes(), "apps");
        let cell = compare("r", Sides::new(&baseline, &candidate), rules);
        let lines = cell
            .documents
            .iter()
            .map(|document| {
                format!(
                    "{} {}#{}",
                    document.verdict,
                    document.id.short(),
                    document.occurrence
                )
            })
            .collect();
        (lines, cell)
    }

    fn told(baseline: &str, candidate: &str) -> Vec<String> {
        told_under(baseline, candidate, Rules::default()).0
    }

    fn config(source: &str, name: &str, data: &str) -> String {
        format!(
            "---\n# Source: {source}\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata:\n  k: {data}\n"
        )
    }

    #[test]
    fn each_document_is_told_once() {
        let (a, b, c) = (
            config("x", "a", "1"),
            config("x", "b", "\"2\""),
            config("x", "c", "3"),
        );
        assert_eq!(
            told(
                &[a.as_str(), &b, &c].concat(),
                &[
                    &config("y", "a", "1"),
                    &config("x", "b", "'2'"),
                    &config("x", "d", "x")
                ]
                .map(String::as_str)
                .concat()
            ),
            [
                "identical ConfigMap/a#1",
                "equivalent ConfigMap/b#1",
                "removed ConfigMap/c#1",
                "added ConfigMap/d#1"
            ]
        );
    }

    #[test]
    fn an_api_version_alone_does_not_part_two_documents() {
        let a = "apiVersion: apps/v1beta1\nkind: Deployment\nmetadata:\n  name: a\n";
        let b = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n";
        let (lines, cell) = told_under(a, b, Rules::default());
        assert_eq!(lines, ["changed Deployment/a#1"]);
        assert_eq!(cell.documents[0].changes[0].path.to_string(), "apiVersion");
    }

    #[test]
    fn documents_of_one_identity_pair_in_order() {
        let (one, two) = (config("x", "a", "\"1\""), config("x", "a", "\"2\""));
        assert_eq!(
            told(&[one.as_str(), &two].concat(), &[two.as_str(), &one].concat()),
            ["changed ConfigMap/a#1", "changed ConfigMap/a#2"]
        );
        assert_eq!(
            told(&[one.as_str(), &two].concat(), &one),
            ["identical ConfigMap/a#1", "removed ConfigMap/a#2"]
        );
    }

    #[test]
    fn unreadable_documents_are_undecided_unless_the_bytes_agree() {
        let broken = "---\n# Source: x\nkind: [\n";
        assert_eq!(told(broken, broken), ["identical /x#1"]);
        assert_eq!(told(broken, "---\n# Source: x\nkind: {\n"), ["undecided /x#1"]);
        let (lines, cell) = told_under("", broken, Rules::default());
        assert_eq!(lines, ["undecided /x#1"]);
        assert_eq!(
            cell.documents[0].problem.as_ref().map(|problem| problem.0),
            Some(Side::Candidate)
        );
    }

    #[test]
    fn rules_of_the_whole_render_can_be_switched_off() {
        let (a, b) = (config("x", "a", "1"), config("x", "b", "2"));
        let (before, after) = ([a.as_str(), &b].concat(), [b.as_str(), "---\n# c\n", &a].concat());
        let (lines, cell) = told_under(&before, &after, Rules::default());
        assert_eq!(lines, ["identical ConfigMap/a#1", "identical ConfigMap/b#1"]);
        let used: Vec<&str> = cell.rules.iter().map(Rule::name).collect();
        assert_eq!(used, ["document-order", "empty-documents"]);
        assert!(cell.unruly.is_empty());
        let strict = Rules::default().without(Rule::DocumentOrder);
        assert!(
            told_under(&before, &after, strict)
                .1
                .unruly
                .has(Rule::DocumentOrder)
        );
        let strict = Rules::default().without(Rule::SourceComment);
        assert_eq!(
            told_under(&a, &config("y", "a", "1"), strict).0,
            ["changed ConfigMap/a#1"]
        );
    }

    #[test]
    fn blank_lines_in_a_kept_block_scalar_are_data() {
        let text = |tail: &str| format!("kind: A\nmetadata:\n  name: a\nk: |+\n  x\n{tail}---\nkind: B\n");
        assert_eq!(told(&text(""), &text("\n"))[0], "changed A/a#1");
        let clipped = |tail: &str| text(tail).replace("|+", "|");
        assert_eq!(told(&clipped(""), &clipped("\n"))[0], "identical A/a#1");
    }

    #[test]
    fn comparing_a_render_with_itself_finds_nothing() {
        let text = [
            config("x", "a", "1"),
            config("x", "a", "1"),
            config("y", "b", "{"),
        ]
        .concat();
        let (_, cell) = told_under(&text, &text, Rules::none());
        assert!(
            cell.documents
                .iter()
                .all(|document| document.verdict == Verdict::Identical)
        );
        assert!(cell.rules.is_empty() && cell.unruly.is_empty());
    }
}
