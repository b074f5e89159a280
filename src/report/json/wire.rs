//! The structs that go over the wire, in the order of their keys. `fill` makes them from the model, which knows
//! nothing of them.

use super::value::Value;
use crate::base::{Level, Side};
use crate::report::model::{BaselineKind, CandidateKind, CellStatus, Effect, Mark, Op, Verdict};
use crate::report::outcome::{RunVerdict, VERDICTS};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

/// The version of the schema, told in every report.
pub(super) const SCHEMA: &str = "evenkeel.report/1";

const EFFECTS: [Effect; 7] = [
    Effect::DataLoss,
    Effect::Rejected,
    Effect::Recreates,
    Effect::ConfigWithoutRollout,
    Effect::RestartsPods,
    Effect::Spec,
    Effect::MetadataOnly,
];

const OPERATIONS: [Op; 5] = [Op::Add, Op::Remove, Op::Replace, Op::Reorder, Op::Type];

/// A JSON Schema that lists the names of an enum.
macro_rules! names {
    ($($function:ident: $all:expr, $name:expr;)*) => {$(
        fn $function(_: &mut SchemaGenerator) -> Schema {
            let names: Vec<&str> = $all.into_iter().map($name).collect();
            json_schema!({ "type": "string", "enum": names })
        }
    )*};
}

names! {
    schema_names: [SCHEMA], |name| name;
    run_verdicts: [RunVerdict::Equivalent, RunVerdict::Differs, RunVerdict::Undecided], RunVerdict::name;
    verdicts: VERDICTS, Verdict::name;
    sides: Side::BOTH, Side::name;
    levels: [Level::Deny, Level::Warn, Level::Info], Level::name;
    statuses: [CellStatus::Ok, CellStatus::Undecided, CellStatus::FailsAlike], CellStatus::name;
    effects: EFFECTS, Effect::name;
    operations: OPERATIONS, Op::name;
    baseline_kinds: [BaselineKind::Git, BaselineKind::Pin, BaselineKind::Directory], BaselineKind::name;
    candidate_kinds: [CandidateKind::Worktree, CandidateKind::Git, CandidateKind::Directory], CandidateKind::name;
    mark_kinds: Mark::KINDS, |kind| kind;
}

fn effect_list(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": effects(generator) })
}

/// A report of `evenkeel verify` or `evenkeel audit`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "evenkeel report")]
pub(super) struct Root<'a> {
    /// The version of this format.
    #[schemars(schema_with = "schema_names")]
    pub(super) schema: &'static str,
    /// What made the report.
    pub(super) tool: Tool,
    /// The immutable side; null in an audit.
    pub(super) baseline: Option<Baseline<'a>>,
    /// The side under test.
    pub(super) candidate: Candidate<'a>,
    /// The worst of all cells and documents.
    #[schemars(schema_with = "run_verdicts")]
    pub(super) verdict: &'static str,
    /// 0 equivalent, 1 a difference or a finding, 2 could not decide.
    #[schemars(range(max = 2))]
    pub(super) exit_code: u8,
    /// Counts.
    pub(super) summary: Summary,
    /// The rules of the canonical form in force, by name.
    pub(super) canonical_rules: Vec<&'static str>,
    /// What to know about the run as a whole.
    pub(super) notes: Vec<&'a str>,
    /// Why the run as a whole cannot decide; empty when it can.
    pub(super) doubts: Vec<&'a str>,
    /// One entry per release and platform.
    pub(super) cells: Vec<Cell<'a>>,
    /// Hazards.
    pub(super) findings: Vec<FindingWire<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tool {
    /// The version of evenkeel.
    pub(super) version: &'static str,
    /// `native` or `witness`.
    pub(super) engine: &'static str,
    /// The Helm that the candidate was rendered as.
    pub(super) dialect: &'static str,
    /// The Helm that the baseline was rendered as.
    pub(super) baseline_dialect: &'static str,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Baseline<'a> {
    /// What was asked for.
    pub(super) requested: &'a str,
    /// What it turned out to be.
    #[schemars(schema_with = "baseline_kinds")]
    pub(super) kind: &'static str,
    /// Full commit SHA; null for a directory.
    pub(super) sha: Option<&'a str>,
    /// Name of the pin; null when it was none.
    pub(super) pin: Option<&'a str>,
    /// True when the pin's digests stand in for a commit that is not in the clone.
    pub(super) by_digest: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Candidate<'a> {
    /// What it was read from.
    #[schemars(schema_with = "candidate_kinds")]
    pub(super) kind: &'static str,
    /// Full commit SHA, HEAD for a working tree; null for a directory.
    pub(super) sha: Option<&'a str>,
    /// True when the working tree differs from HEAD.
    pub(super) dirty: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Summary {
    pub(super) cells: CellCounts,
    pub(super) documents: DocumentCounts,
    pub(super) findings: FindingCounts,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CellCounts {
    pub(super) total: usize,
    /// Cells that fail on one side, or differently on both.
    pub(super) undecided: usize,
    /// Cells that fail alike on both sides.
    pub(super) fails_alike: usize,
    /// Cells with the same input on both sides: the same files, settings and Helm; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) same_input: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DocumentCounts {
    pub(super) identical: usize,
    pub(super) equivalent: usize,
    pub(super) volatile: usize,
    pub(super) accepted: usize,
    pub(super) moved: usize,
    pub(super) changed: usize,
    pub(super) added: usize,
    pub(super) removed: usize,
    pub(super) renamed: usize,
    pub(super) undecided: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FindingCounts {
    pub(super) deny: usize,
    pub(super) warn: usize,
    pub(super) info: usize,
    /// Further hazards that stand on both sides, in releases of which no document changed.
    pub(super) standing: usize,
    /// Findings that comments in values files or acceptances silenced; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) silenced: Option<usize>,
}

/// One release on one platform.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cell<'a> {
    /// The release's id.
    pub(super) release: &'a str,
    pub(super) namespace: &'a str,
    /// Null where the configuration names no platforms.
    pub(super) platform: Option<&'a str>,
    /// Path of the chart.
    pub(super) chart: &'a str,
    #[schemars(schema_with = "statuses")]
    pub(super) status: &'static str,
    /// The candidate's error, else the baseline's; null when both sides rendered.
    pub(super) error: Option<ErrorWire<'a>>,
    /// The baseline's error when the candidate fails with another one.
    pub(super) baseline_error: Option<ErrorWire<'a>>,
    /// What Helm wrote to standard error while it succeeded.
    pub(super) warnings: Vec<WarningWire<'a>>,
    /// The rules that it took to set differences of the whole render aside.
    pub(super) rules: Vec<&'static str>,
    /// Such differences that no rule in force sets aside.
    pub(super) unruly: Vec<&'static str>,
    pub(super) documents: Vec<Document<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ErrorWire<'a> {
    #[schemars(schema_with = "sides")]
    pub(super) side: &'static str,
    /// Helm's own message where Helm has one.
    pub(super) message: &'a str,
    pub(super) file: Option<&'a str>,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
    /// The chain of includes that led there, outermost first.
    pub(super) include_trace: Vec<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WarningWire<'a> {
    #[schemars(schema_with = "sides")]
    pub(super) side: &'static str,
    pub(super) message: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Id<'a> {
    /// API group; empty for the core group.
    pub(super) group: &'a str,
    pub(super) version: &'a str,
    pub(super) kind: &'a str,
    /// Null for a cluster-scoped kind.
    pub(super) namespace: Option<&'a str>,
    pub(super) name: &'a str,
}

/// One Kubernetes object. An added or removed one lists no changes.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    pub(super) id: Id<'a>,
    #[schemars(schema_with = "verdicts")]
    pub(super) verdict: &'static str,
    /// True for a Helm hook.
    pub(super) hook: bool,
    /// The canonical rules that made two different texts equal.
    pub(super) rules: Vec<&'static str>,
    /// What applying the difference does, worst first.
    #[schemars(schema_with = "effect_list")]
    pub(super) effects: Vec<&'static str>,
    /// For `moved` and `renamed`: what it was on the baseline.
    pub(super) from: Option<From<'a>>,
    pub(super) digest: DigestPair,
    pub(super) changes: Vec<Change<'a>>,
    /// True when the changes are nothing but version labels.
    pub(super) version_labels_only: bool,
    /// For `undecided`: why it could not be read.
    pub(super) problem: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct From<'a> {
    /// The release's id.
    pub(super) release: &'a str,
    pub(super) id: Id<'a>,
    /// Similarity from 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(super) score: f64,
}

/// BLAKE3 of the canonical form; null where the side lacks the document, and for Secrets.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DigestPair {
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub(super) baseline: Option<String>,
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub(super) candidate: Option<String>,
}

/// One field that differs.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Change<'a> {
    #[schemars(schema_with = "operations")]
    pub(super) op: &'static str,
    /// Dots and brackets; elements of keyed lists by key: `containers[name=app]`.
    pub(super) path: String,
    pub(super) before: Option<Value<'a>>,
    pub(super) after: Option<Value<'a>>,
    /// True when a secret is left out on either side.
    pub(super) redacted: bool,
    #[schemars(schema_with = "effects")]
    pub(super) effect: &'static str,
    /// What in the ambient the value came from.
    pub(super) marks: Vec<MarkWire<'a>>,
    /// Where the baseline's value came from.
    pub(super) baseline: Option<ProvenanceWire<'a>>,
    /// Where the candidate's value came from.
    pub(super) candidate: Option<ProvenanceWire<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MarkWire<'a> {
    #[schemars(schema_with = "mark_kinds")]
    pub(super) kind: &'static str,
    /// The call, such as `randAlphaNum 40`.
    pub(super) call: &'a str,
    pub(super) file: Option<&'a str>,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
    /// The functions it flowed through.
    pub(super) via: &'a [String],
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlaceWire<'a> {
    /// Path in the side's tree.
    pub(super) file: &'a str,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProvenanceWire<'a> {
    pub(super) template: Option<PlaceWire<'a>>,
    pub(super) values: Vec<ValueOriginWire<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ValueOriginWire<'a> {
    /// Path in the values.
    pub(super) path: String,
    pub(super) file: &'a str,
    pub(super) line: Option<u32>,
    /// The kind of layer: `values-file`, `set`, `chart-default`, ...
    pub(super) layer: &'static str,
}

/// One hazard; the same one on many platforms is one finding.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Finding")]
pub(super) struct FindingWire<'a> {
    pub(super) check: &'a str,
    #[schemars(schema_with = "levels")]
    pub(super) level: &'static str,
    pub(super) message: &'a str,
    /// The side whose tree `place` is in.
    #[schemars(schema_with = "sides")]
    pub(super) side: &'static str,
    pub(super) cells: Vec<CellRefWire<'a>>,
    pub(super) resource: Option<Id<'a>>,
    pub(super) value_path: Option<String>,
    pub(super) field_path: Option<String>,
    /// What vanished.
    pub(super) lost: Vec<&'a str>,
    /// The nearest known name.
    pub(super) suggestion: Option<&'a str>,
    pub(super) place: Option<PlaceWire<'a>>,
    pub(super) related: Vec<RelatedWire<'a>>,
    pub(super) remedy: Option<&'a str>,
    /// True when the baseline has it too.
    pub(super) standing: bool,
    /// Stable while check, file and paths stay.
    #[schemars(regex(pattern = "^[0-9a-f]{16}$"))]
    pub(super) fingerprint: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CellRefWire<'a> {
    pub(super) release: &'a str,
    pub(super) platform: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RelatedWire<'a> {
    pub(super) label: &'a str,
    pub(super) file: &'a str,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
}
