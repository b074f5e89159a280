//! What a run concludes: the verdict and the exit code, in this one place.

use super::finding::Finding;
use super::model::{CellReport, CellStatus, Facts, Verdict};
use crate::base::Level;

/// What the user said about strictness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Findings at this level or worse fail the run; none to let every finding pass.
    pub fail_on: Option<Level>,
    /// A document that only moved to another release counts as equal.
    pub allow_moved: bool,
    /// A cell that fails alike on both sides does not hold up the verdict.
    pub allow_failing_alike: bool,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            fail_on: Some(Level::Deny),
            allow_moved: false,
            allow_failing_alike: false,
        }
    }
}

impl Policy {
    /// True for the verdict of a document that counts as equal.
    pub(super) fn passes(&self, verdict: Verdict) -> bool {
        is_equal(verdict) || self.allow_moved && verdict == Verdict::Moved
    }

    /// True for a finding that fails the run.
    pub(super) fn fails(&self, finding: &Finding) -> bool {
        !finding.standing && self.fail_on.is_some_and(|threshold| finding.level >= threshold)
    }
}

/// The verdict of a run, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunVerdict {
    /// Every document counts as equal.
    Equivalent,
    /// Some document does not.
    Differs,
    /// Something could not be rendered or read.
    Undecided,
}

impl RunVerdict {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            RunVerdict::Equivalent => "equivalent",
            RunVerdict::Differs => "differs",
            RunVerdict::Undecided => "undecided",
        }
    }
}

/// Every verdict, from best to worst.
pub(super) const VERDICTS: [Verdict; 10] = [
    Verdict::Identical,
    Verdict::Equivalent,
    Verdict::Volatile,
    Verdict::Accepted,
    Verdict::Moved,
    Verdict::Changed,
    Verdict::Added,
    Verdict::Removed,
    Verdict::Renamed,
    Verdict::Undecided,
];

/// True for the verdicts that count as equal whatever the flags.
pub fn is_equal(verdict: Verdict) -> bool {
    verdict <= Verdict::Accepted
}

/// How many documents got which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DocumentCounts([usize; VERDICTS.len()]);

impl DocumentCounts {
    /// Counts one document.
    pub fn add(&mut self, verdict: Verdict) {
        self.0[verdict as usize] += 1;
    }

    /// Counts the documents of a cell.
    pub fn of(cell: &CellReport) -> DocumentCounts {
        let mut counts = DocumentCounts::default();
        for document in &cell.documents {
            counts.add(document.verdict);
        }
        counts
    }

    /// Adds the counts of another lot.
    pub fn merge(&mut self, other: &DocumentCounts) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }

    /// How many got this verdict.
    pub fn get(&self, verdict: Verdict) -> usize {
        self.0[verdict as usize]
    }

    /// How many there are.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }

    /// How many count as equal whatever the flags.
    pub fn equal(&self) -> usize {
        VERDICTS
            .into_iter()
            .filter(|verdict| is_equal(*verdict))
            .map(|verdict| self.get(verdict))
            .sum()
    }
}

/// What the facts of a run amount to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The worst of everything.
    pub verdict: RunVerdict,
    /// 0 equivalent, 1 a difference or a finding, 2 could not decide.
    pub exit_code: u8,
    /// How many cells there are.
    pub cells: usize,
    /// How many cells could not be compared because the sides fail differently.
    pub cells_undecided: usize,
    /// How many cells fail alike on both sides.
    pub cells_failing_alike: usize,
    /// How many cells differ as a whole, in what a rule that is switched off would set aside.
    pub cells_unruly: usize,
    /// The documents by verdict.
    pub documents: DocumentCounts,
    /// Findings at `deny`, `warn` and `info`, in this order.
    pub findings: [usize; 3],
    /// Findings that make the run fail.
    pub findings_failing: usize,
    /// The policy that was applied.
    pub policy: Policy,
}

impl Outcome {
    /// Draws the conclusion.
    pub(super) fn of(facts: &Facts, policy: &Policy) -> Outcome {
        let mut documents = DocumentCounts::default();
        let mut excused = true;
        for cell in &facts.cells {
            documents.merge(&DocumentCounts::of(cell));
            excused &= match cell.status {
                CellStatus::Ok => true,
                CellStatus::Undecided => false,
                CellStatus::FailsAlike => cell.may_fail || policy.allow_failing_alike,
            };
        }
        let with_status = |status| facts.cells.iter().filter(|cell| cell.status == status).count();
        let failing = facts.findings.iter().filter(|finding| policy.fails(finding));
        let mut outcome = Outcome {
            verdict: RunVerdict::Equivalent,
            exit_code: 0,
            cells: facts.cells.len(),
            cells_undecided: with_status(CellStatus::Undecided),
            cells_failing_alike: with_status(CellStatus::FailsAlike),
            cells_unruly: facts.cells.iter().filter(|cell| !cell.unruly.is_empty()).count(),
            documents,
            findings: [Level::Deny, Level::Warn, Level::Info]
                .map(|level| facts.findings.iter().filter(|f| f.level == level).count()),
            findings_failing: failing.count(),
            policy: *policy,
        };
        let decided = excused
            && facts.doubts.is_empty()
            && documents.get(Verdict::Undecided) == 0
            && (documents.total() > 0 || facts.baseline.is_none() && !facts.cells.is_empty());
        outcome.verdict = if !decided {
            RunVerdict::Undecided
        } else if outcome.differing() + outcome.cells_unruly > 0 {
            RunVerdict::Differs
        } else {
            RunVerdict::Equivalent
        };
        outcome.exit_code = match outcome.verdict {
            RunVerdict::Equivalent if outcome.findings_failing == 0 => 0,
            RunVerdict::Equivalent | RunVerdict::Differs => 1,
            RunVerdict::Undecided => 2,
        };
        outcome
    }

    /// How many documents count as a difference under the policy.
    pub fn differing(&self) -> usize {
        let moved = if self.policy.allow_moved {
            self.documents.get(Verdict::Moved)
        } else {
            0
        };
        self.documents.total() - self.documents.equal() - self.documents.get(Verdict::Undecided) - moved
    }

    /// True when nothing at all was compared, which is never a pass.
    pub fn is_empty(&self) -> bool {
        self.documents.total() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{Rule, Rules};
    use crate::report::finding::Finding;
    use crate::report::model::Report;
    use crate::report::redact::ShownText;
    use crate::report::sample;

    fn outcome(verdicts: &[Verdict], policy: &Policy, change: impl FnOnce(&mut Facts)) -> (RunVerdict, u8) {
        let mut facts = sample::empty();
        facts.cells.push(sample::cell("chat", "amd", verdicts));
        change(&mut facts);
        let outcome = Report::conclude(facts, policy).outcome;
        (outcome.verdict, outcome.exit_code)
    }

    fn plain(verdicts: &[Verdict]) -> (RunVerdict, u8) {
        outcome(verdicts, &Policy::default(), |_| {})
    }

    #[test]
    fn the_worst_document_decides() {
        let equal = [
            Verdict::Identical,
            Verdict::Equivalent,
            Verdict::Volatile,
            Verdict::Accepted,
        ];
        assert_eq!(plain(&equal), (RunVerdict::Equivalent, 0));
        for verdict in [
            Verdict::Moved,
            Verdict::Changed,
            Verdict::Added,
            Verdict::Removed,
            Verdict::Renamed,
        ] {
            assert_eq!(plain(&[Verdict::Identical, verdict]), (RunVerdict::Differs, 1));
        }
        assert_eq!(
            plain(&[Verdict::Changed, Verdict::Undecided]),
            (RunVerdict::Undecided, 2)
        );
    }

    #[test]
    fn a_cell_can_differ_as_a_whole() {
        let unruly = outcome(&[Verdict::Identical], &Policy::default(), |facts| {
            facts.cells[0].unruly = Rules::of(&[Rule::DocumentOrder]);
        });
        assert_eq!(unruly, (RunVerdict::Differs, 1));
    }

    #[test]
    fn nothing_compared_is_never_a_pass() {
        assert_eq!(plain(&[]), (RunVerdict::Undecided, 2));
        let no_cells = outcome(&[], &Policy::default(), |facts| facts.cells.clear());
        assert_eq!(no_cells, (RunVerdict::Undecided, 2));
    }

    #[test]
    fn moved_documents_pass_when_allowed() {
        let policy = Policy {
            allow_moved: true,
            ..Policy::default()
        };
        assert_eq!(
            outcome(&[Verdict::Moved], &policy, |_| {}),
            (RunVerdict::Equivalent, 0)
        );
        let both = outcome(&[Verdict::Moved, Verdict::Added], &policy, |_| {});
        assert_eq!(both, (RunVerdict::Differs, 1));
    }

    #[test]
    fn failing_alike_holds_up_unless_somebody_said_so() {
        let alike = |facts: &mut Facts, may_fail| {
            let mut cell = sample::cell("broken", "amd", &[]);
            cell.status = CellStatus::FailsAlike;
            cell.may_fail = may_fail;
            facts.cells.push(cell);
        };
        let policy = Policy::default();
        let equal = [Verdict::Identical];
        assert_eq!(
            outcome(&equal, &policy, |f| alike(f, false)),
            (RunVerdict::Undecided, 2)
        );
        assert_eq!(
            outcome(&equal, &policy, |f| alike(f, true)),
            (RunVerdict::Equivalent, 0)
        );
        let policy = Policy {
            allow_failing_alike: true,
            ..policy
        };
        assert_eq!(
            outcome(&equal, &policy, |f| alike(f, false)),
            (RunVerdict::Equivalent, 0)
        );
        let undecided = outcome(&equal, &policy, |facts| {
            let mut cell = sample::cell("broken", "amd", &[]);
            cell.status = CellStatus::Undecided;
            cell.may_fail = true;
            facts.cells.push(cell);
        });
        assert_eq!(undecided, (RunVerdict::Undecided, 2));
    }

    #[test]
    fn findings_count_from_the_threshold_unless_they_stand() {
        let run = |level, standing, fail_on| {
            let policy = Policy {
                fail_on,
                ..Policy::default()
            };
            outcome(&[Verdict::Identical], &policy, |facts| {
                let mut finding = Finding::new(
                    "list-replaced",
                    level,
                    crate::base::Side::Candidate,
                    ShownText::ours("gone"),
                );
                finding.standing = standing;
                facts.findings.push(finding);
            })
        };
        assert_eq!(
            run(Level::Deny, false, Some(Level::Deny)),
            (RunVerdict::Equivalent, 1)
        );
        assert_eq!(
            run(Level::Warn, false, Some(Level::Deny)),
            (RunVerdict::Equivalent, 0)
        );
        assert_eq!(
            run(Level::Warn, false, Some(Level::Warn)),
            (RunVerdict::Equivalent, 1)
        );
        assert_eq!(
            run(Level::Deny, true, Some(Level::Info)),
            (RunVerdict::Equivalent, 0)
        );
        assert_eq!(run(Level::Deny, false, None), (RunVerdict::Equivalent, 0));
        assert_eq!(
            run(Level::Allow, false, Some(Level::Info)),
            (RunVerdict::Equivalent, 0)
        );
    }

    #[test]
    fn a_doubt_about_the_run_holds_up_everything() {
        let doubtful = outcome(&[Verdict::Identical], &Policy::default(), |facts| {
            facts.doubts.push(ShownText::ours("the pin no longer holds"));
        });
        assert_eq!(doubtful, (RunVerdict::Undecided, 2));
    }
}
