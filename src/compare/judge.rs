//! Two documents that are taken for the same object -> the verdict on them.

use super::change::{self, Change, Op};
use super::effect::{self, Effect};
use super::verdict::Verdict;
use crate::base::{KeyPath, Side, Sides, Step};
use crate::manifest::{Document, DocumentId, Rule, Rules, ScopeSource, Unreadable, canon};
use std::sync::Arc;

/// What became of one document.
#[derive(Clone, Debug)]
pub struct DocumentComparison {
    /// Its identity: the candidate's where it has the document, else the baseline's.
    pub id: DocumentId,
    /// How the scope of its kind is known.
    pub scope: ScopeSource,
    /// 1 for the first document of its identity in the render, 2 for the second, ...
    pub occurrence: u32,
    /// The verdict.
    pub verdict: Verdict,
    /// True when it is a Helm hook on either side.
    pub hook: bool,
    /// The canonical rules that it took to call different texts equal.
    pub rules: Rules,
    /// The fields that differ, sorted by path; none for a document that only one side has.
    pub changes: Vec<Change>,
    /// What applying the difference does, worst first.
    pub effects: Vec<Effect>,
    /// Where the baseline has it, when that is under another name or in another release.
    pub from: Option<From>,
    /// True when the changes are version labels, and checksums that moved only because of them.
    pub version_labels_only: bool,
    /// For `Undecided`: the side that cannot be parsed, and why.
    pub problem: Option<(Side, Unreadable)>,
    /// The documents; left out where they are identical.
    pub documents: Sides<Option<Arc<Document>>>,
}

/// Where the baseline had a moved or renamed document.
#[derive(Clone, Debug, PartialEq)]
pub struct From {
    /// The release's id.
    pub release: Arc<str>,
    /// The identity there.
    pub id: DocumentId,
    /// How alike the two are, from 0 to 1.
    pub score: f64,
}

impl DocumentComparison {
    /// One of which there is nothing to tell but the verdict.
    pub fn new(
        id: DocumentId,
        scope: ScopeSource,
        occurrence: u32,
        hook: bool,
        verdict: Verdict,
    ) -> DocumentComparison {
        DocumentComparison {
            id,
            scope,
            occurrence,
            verdict,
            hook,
            rules: Rules::none(),
            changes: Vec::new(),
            effects: Vec::new(),
            from: None,
            version_labels_only: false,
            problem: None,
            documents: Sides::default(),
        }
    }

    fn of(document: &Document, verdict: Verdict) -> DocumentComparison {
        let id = document.id().clone();
        let is_hook = document.hook().is_some();
        DocumentComparison::new(id, document.scope(), document.occurrence(), is_hook, verdict)
    }

    /// A document that only one side has.
    pub fn alone(side: Side, document: &Document) -> DocumentComparison {
        let verdict = match side {
            Side::Baseline => Verdict::Removed,
            Side::Candidate => Verdict::Added,
        };
        let mut alone = DocumentComparison::of(document, verdict);
        if side == Side::Baseline {
            alone.effects = effect::of_removal(document);
        }
        if let Err(reason) = document.body() {
            alone.verdict = Verdict::Undecided;
            alone.problem = Some((side, reason.clone()));
        }
        *alone.documents.get_mut(side) = Some(Arc::new(document.detached()));
        alone
    }

    /// Judges two documents that are taken for the same object.
    pub fn pair(baseline: &Document, candidate: &Document, rules: Rules) -> DocumentComparison {
        let mut pair = DocumentComparison::of(candidate, Verdict::Identical);
        pair.hook |= baseline.hook().is_some();
        let same_source = rules.has(Rule::SourceComment) || baseline.source() == candidate.source();
        if same_source && baseline.same_text(candidate) {
            return pair;
        }
        pair.documents = Sides::new(
            Some(Arc::new(baseline.detached())),
            Some(Arc::new(candidate.detached())),
        );
        let forms = canon::canonical(baseline, rules)
            .map_err(|reason| (Side::Baseline, reason.clone()))
            .and_then(|before| match canon::canonical(candidate, rules) {
                Ok(after) => Ok((before, after)),
                Err(reason) => Err((Side::Candidate, reason.clone())),
            });
        let (before, after) = match forms {
            Ok(forms) => forms,
            Err(problem) => {
                pair.verdict = Verdict::Undecided;
                pair.problem = Some(problem);
                return pair;
            }
        };
        pair.changes = change::differences(&before, &after);
        if baseline.hook().is_some() && candidate.hook().is_some() {
            effect::assign_to_hook(&mut pair.changes);
        } else {
            effect::assign(candidate.id(), &before, &after, &mut pair.changes);
        }
        if pair.changes.is_empty() {
            let kept = canon::written_otherwise(baseline, candidate, rules, Rules::all().minus(rules));
            pair.changes = kept.iter().map(written_otherwise).collect();
        }
        if !pair.changes.is_empty() {
            pair.verdict = Verdict::Changed;
            pair.effects = effect::summary(&pair.changes);
        } else if baseline.trimmed_text() != candidate.trimmed_text() {
            pair.verdict = Verdict::Equivalent;
            pair.rules = canon::rules_needed(baseline, candidate, rules);
        }
        pair
    }
}

/// A difference in writing that the rules in force do not set aside, under a path that no data can have.
fn written_otherwise(rule: Rule) -> Change {
    Change {
        op: Op::Replace,
        path: KeyPath(vec![Step::Key(format!("# {rule}"))]),
        before: None,
        after: None,
        effect: Effect::MetadataOnly,
    }
}
