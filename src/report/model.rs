//! What a run found, as plain data: no format, no serialization, no colour.
//!
//! Invariant: whatever may quote a chart, a values file or a document is held as `Shown`, `ShownText` or
//! `ShownPath`, and those are only made by a `Mask`. What is absent: raw values of secrets.

use super::finding::Finding;
use super::outcome::{Outcome, Policy};
use super::redact::{Shown, ShownPath, ShownText};
use crate::base::{Digest, Level, Place, Side, Sides};
use crate::dialect::Dialect;
use crate::manifest::{DocumentId, Rules};
use std::collections::BTreeMap;

pub use crate::compare::{Effect, Op, Verdict};

/// A finished run: the facts in a fixed order, and what they amount to.
#[derive(Clone, Debug)]
pub struct Report {
    /// What the run found.
    pub facts: Facts,
    /// What it amounts to.
    pub outcome: Outcome,
}

impl Report {
    /// Sorts the facts and draws the conclusion.
    pub fn conclude(mut facts: Facts, policy: &Policy) -> Report {
        facts.sort();
        let outcome = Outcome::of(&facts, policy);
        Report { facts, outcome }
    }
}

/// What a run found.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The immutable side; none in an audit, which looks at one side for itself.
    pub baseline: Option<BaselineInfo>,
    /// The side under test.
    pub candidate: CandidateInfo,
    /// `native` or `witness`.
    pub engine: &'static str,
    /// The Helm that each side was rendered as.
    pub dialects: Sides<Dialect>,
    /// The canonical rules in force.
    pub rules: Rules,
    /// The platforms in the order of the configuration; the grid's columns.
    pub platforms: Vec<String>,
    /// One entry per cell that was compared.
    pub cells: Vec<CellReport>,
    /// Hazards, once each, with the cells they hold for.
    pub findings: Vec<Finding>,
    /// How many documents an audit looked at.
    pub audited: usize,
    /// How many cells have the same input on both sides.
    pub same_input: usize,
    /// How many further hazards stand on both sides, in releases of which no document changed.
    pub standing: usize,
    /// How many findings comments in values files or acceptances silenced.
    pub silenced: usize,
    /// What the reader should know about the run as a whole.
    pub notes: Vec<ShownText>,
    /// Why the run as a whole cannot decide, whatever its cells say: a pin that no longer holds.
    pub doubts: Vec<ShownText>,
}

impl Facts {
    fn sort(&mut self) {
        self.findings.retain(|finding| finding.level > Level::Allow);
        for cell in &mut self.cells {
            cell.documents
                .sort_by(|a, b| (&a.id, a.verdict, &a.from).cmp(&(&b.id, b.verdict, &b.from)));
        }
        self.cells.sort_by(|a, b| {
            (&a.release, &a.namespace, &a.platform).cmp(&(&b.release, &b.namespace, &b.platform))
        });
        Finding::merge(&mut self.findings);
        self.findings.sort_by(Finding::order);
        let mut seen = BTreeMap::new();
        for finding in &mut self.findings {
            finding.cells.sort();
            finding.cells.dedup();
            finding.seal(&mut seen);
        }
    }
}

/// Where the baseline came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineInfo {
    /// What the user asked for: `origin/main`, a pin's name, `dir:PATH`.
    pub requested: String,
    /// What that turned out to be.
    pub kind: BaselineKind,
    /// The full commit SHA; none for a directory.
    pub sha: Option<String>,
    /// The name of the pin, when it was one.
    pub pin: Option<String>,
    /// True when the commit is not in the clone and the pin's digests stand in for it.
    pub by_digest: bool,
}

/// What a baseline was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaselineKind {
    /// A commit.
    Git,
    /// A pinned commit.
    Pin,
    /// A plain directory.
    Directory,
}

impl BaselineKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            BaselineKind::Git => "git",
            BaselineKind::Pin => "pin",
            BaselineKind::Directory => "directory",
        }
    }
}

/// Where the candidate came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateInfo {
    /// What it was read from.
    pub kind: CandidateKind,
    /// The full commit SHA: HEAD for a working tree; none for a directory.
    pub sha: Option<String>,
    /// True when a working tree differs from its HEAD.
    pub dirty: bool,
}

/// What a candidate was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateKind {
    /// The working tree.
    Worktree,
    /// A commit.
    Git,
    /// A plain directory.
    Directory,
}

impl CandidateKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            CandidateKind::Worktree => "worktree",
            CandidateKind::Git => "git",
            CandidateKind::Directory => "directory",
        }
    }
}

/// One release on one platform.
#[derive(Clone, Debug)]
pub struct CellReport {
    /// The release's id, which pairs the two sides.
    pub release: String,
    /// Its namespace, the candidate's where the sides differ.
    pub namespace: String,
    /// The platform; empty where the configuration names none.
    pub platform: String,
    /// The chart's path (or the pattern of raw manifests), the candidate's where the sides differ.
    pub chart: String,
    /// Whether both sides rendered.
    pub status: CellStatus,
    /// True when the configuration lets this release fail alike on both sides.
    pub may_fail: bool,
    /// What failed, per side; the same on both for `FailsAlike`.
    pub errors: Sides<Option<CellError>>,
    /// What Helm wrote to standard error while it succeeded.
    pub warnings: Vec<Warning>,
    /// The rules that it took to set differences of the whole render aside: the order of its documents, ...
    pub rules: Rules,
    /// Such differences that no rule in force sets aside; each is a difference of the cell.
    pub unruly: Rules,
    /// The documents of both sides, once each; none unless the status is `Ok`.
    pub documents: Vec<DocumentReport>,
}

impl CellReport {
    /// The error to tell: the candidate's, else the baseline's.
    pub fn error(&self) -> Option<(Side, &CellError)> {
        [Side::Candidate, Side::Baseline]
            .into_iter()
            .find_map(|side| self.errors.get(side).as_ref().map(|error| (side, error)))
    }
}

/// Whether a cell could be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CellStatus {
    /// Both sides rendered.
    Ok,
    /// A side failed, and the other rendered or failed in another way.
    Undecided,
    /// Both sides failed with the same error.
    FailsAlike,
}

impl CellStatus {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            CellStatus::Ok => "ok",
            CellStatus::Undecided => "undecided",
            CellStatus::FailsAlike => "fails-alike",
        }
    }
}

/// Why one side of a cell did not render.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellError {
    /// Helm's own message where Helm has one.
    pub message: ShownText,
    /// The file it names, in the tree of its side.
    pub place: Option<Place>,
    /// The chain of includes that led there, outermost first.
    pub include_trace: Vec<ShownText>,
}

/// One line that Helm wrote to standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Which side's render said it.
    pub side: Side,
    /// The line.
    pub message: ShownText,
}

/// One document of a cell.
#[derive(Clone, Debug)]
pub struct DocumentReport {
    /// Its identity: the candidate's, the baseline's for `Removed`.
    pub id: DocumentId,
    /// What became of it.
    pub verdict: Verdict,
    /// True for a Helm hook.
    pub hook: bool,
    /// The canonical rules that made two different texts equal.
    pub rules: Rules,
    /// What applying the difference does, worst first.
    pub effects: Vec<Effect>,
    /// For `Moved` and `Renamed`: what it was on the baseline.
    pub from: Option<From>,
    /// Digest of the canonical form, where the side has the document. None for Secrets: the digest of a short
    /// secret can be guessed.
    pub digest: Sides<Option<Digest>>,
    /// The fields that differ.
    pub changes: Vec<ChangeReport>,
    /// True when the changes are nothing but version labels and what follows from them.
    pub version_labels_only: bool,
    /// For `Undecided`: why it could not be read.
    pub problem: Option<ShownText>,
}

/// Where a moved or renamed document was on the baseline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct From {
    /// The release's id.
    pub release: String,
    /// The identity there.
    pub id: DocumentId,
    /// Similarity in percent; 100 for `Moved`.
    pub percent: u8,
}

/// One field that differs.
#[derive(Clone, Debug)]
pub struct ChangeReport {
    /// What happened to it.
    pub op: Op,
    /// Where it is.
    pub path: ShownPath,
    /// The baseline's value.
    pub before: Option<Shown>,
    /// The candidate's value.
    pub after: Option<Shown>,
    /// What applying it does.
    pub effect: Effect,
    /// What in the ambient the values came from.
    pub marks: Vec<Mark>,
    /// The template and the values behind it, per side.
    pub provenance: Sides<Option<Provenance>>,
}

impl ChangeReport {
    /// True when a secret is left out on either side.
    pub fn is_redacted(&self) -> bool {
        [&self.before, &self.after]
            .into_iter()
            .flatten()
            .any(Shown::is_redacted)
    }
}

/// A piece of output that does not come from git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// `random`, `clock`, `lookup`, `host`, `capability` or `map-order`.
    pub kind: &'static str,
    /// The call, such as `randAlphaNum 40`.
    pub call: ShownText,
    /// Where the call stands.
    pub place: Option<Place>,
    /// The functions it flowed through.
    pub via: Vec<String>,
}

impl Mark {
    /// The kinds.
    pub const KINDS: [&'static str; 6] = ["random", "clock", "lookup", "host", "capability", "map-order"];
}

/// Where a field came from on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The template that printed it.
    pub template: Option<Place>,
    /// The values that flowed in.
    pub values: Vec<ValueOrigin>,
}

/// One value that flowed into a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueOrigin {
    /// Its path in the values.
    pub path: ShownPath,
    /// The file and line that set it.
    pub place: Place,
    /// The kind of layer: `values-file`, `set`, `chart-default`, ...
    pub layer: &'static str,
}
