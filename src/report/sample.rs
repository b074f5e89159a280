//! The reports that every format's tests share.

use super::model::*;
use crate::base::{Digest, Sides};
use crate::dialect::Dialect;

/// A run without a cell.
pub(super) fn empty() -> Facts {
    Facts {
        baseline: BaselineInfo {
            requested: "origin/main".into(),
            kind: BaselineKind::Git,
            sha: Some("4f1c9a2be07d3f6a58e1b0c7d9246f8a13e5b7c0".into()),
            pin: None,
            by_digest: false,
        },
        candidate: CandidateInfo {
            kind: CandidateKind::Worktree,
            sha: Some("b83d0e5f1a2c4967d8e0f1a2b3c4d5e6f7089abc".into()),
            dirty: true,
        },
        engine: "native",
        dialects: Sides::new(Dialect::V4_3, Dialect::V4_3),
        rules: ["key-order", "comments", "document-order"]
            .map(String::from)
            .to_vec(),
        platforms: ["nvidia", "amd", "arm64"].map(String::from).to_vec(),
        cells: Vec::new(),
        findings: Vec::new(),
        notes: Vec::new(),
        doubts: Vec::new(),
    }
}

/// A cell of one ConfigMap per verdict.
pub(super) fn cell(release: &str, platform: &str, verdicts: &[Verdict]) -> CellReport {
    CellReport {
        release: release.into(),
        namespace: "apps".into(),
        platform: platform.into(),
        chart: format!("{release}/chart"),
        status: CellStatus::Ok,
        may_fail: false,
        errors: Sides::default(),
        warnings: Vec::new(),
        documents: verdicts
            .iter()
            .enumerate()
            .map(|(index, verdict)| document("ConfigMap", &format!("{release}-{index}"), *verdict))
            .collect(),
    }
}

/// A document without changes.
pub(super) fn document(kind: &str, name: &str, verdict: Verdict) -> DocumentReport {
    let digest = Digest::of("sample", name.as_bytes());
    DocumentReport {
        id: DocumentId {
            group: if kind == "Deployment" { "apps" } else { "" }.into(),
            version: "v1".into(),
            kind: kind.into(),
            namespace: Some("apps".into()),
            name: name.into(),
        },
        verdict,
        hook: false,
        rules: Vec::new(),
        effects: Vec::new(),
        from: None,
        digest: Sides::new(
            (verdict != Verdict::Added).then_some(digest),
            (verdict != Verdict::Removed).then_some(digest),
        ),
        changes: Vec::new(),
        version_labels_only: false,
        problem: None,
    }
}
