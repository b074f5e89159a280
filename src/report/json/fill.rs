//! From the model to the wire, field by field.

use super::value::Value;
use super::wire::{
    Baseline, Candidate, Cell, CellCounts, CellRefWire, Change, DigestPair, Document, DocumentCounts,
    ErrorWire, FindingCounts, FindingWire, From, Id, MarkWire, PlaceWire, ProvenanceWire, RelatedWire, Root,
    SCHEMA, Summary, Tool, ValueOriginWire, WarningWire,
};
use crate::base::{Place, Side};
use crate::manifest::{DocumentId, Rule, Rules};
use crate::report::finding::Finding;
use crate::report::model::{
    CellError, CellReport, CellStatus, ChangeReport, DocumentReport, Mark, Provenance, Report, Verdict,
};

/// The report in wire form.
pub(super) fn root(report: &Report) -> Root<'_> {
    let (facts, outcome) = (&report.facts, &report.outcome);
    let documents = |verdict| outcome.documents.get(verdict);
    Root {
        schema: SCHEMA,
        tool: Tool {
            version: env!("CARGO_PKG_VERSION"),
            engine: facts.engine,
            dialect: facts.dialects.candidate.name(),
            baseline_dialect: facts.dialects.baseline.name(),
        },
        baseline: facts.baseline.as_ref().map(|baseline| Baseline {
            requested: &baseline.requested,
            kind: baseline.kind.name(),
            sha: baseline.sha.as_deref(),
            pin: baseline.pin.as_deref(),
            by_digest: baseline.by_digest,
        }),
        candidate: Candidate {
            kind: facts.candidate.kind.name(),
            sha: facts.candidate.sha.as_deref(),
            dirty: facts.candidate.dirty,
        },
        verdict: outcome.verdict.name(),
        exit_code: outcome.exit_code,
        summary: Summary {
            cells: CellCounts {
                total: outcome.cells,
                undecided: outcome.cells_undecided,
                fails_alike: outcome.cells_failing_alike,
                same_input: (facts.same_input > 0).then_some(facts.same_input),
            },
            documents: DocumentCounts {
                identical: documents(Verdict::Identical),
                equivalent: documents(Verdict::Equivalent),
                volatile: documents(Verdict::Volatile),
                accepted: documents(Verdict::Accepted),
                moved: documents(Verdict::Moved),
                changed: documents(Verdict::Changed),
                added: documents(Verdict::Added),
                removed: documents(Verdict::Removed),
                renamed: documents(Verdict::Renamed),
                undecided: documents(Verdict::Undecided),
            },
            findings: FindingCounts {
                deny: outcome.findings[0],
                warn: outcome.findings[1],
                info: outcome.findings[2],
                standing: facts.standing,
                silenced: (facts.silenced > 0).then_some(facts.silenced),
            },
        },
        canonical_rules: names(facts.rules),
        notes: facts.notes.iter().map(|note| note.as_str()).collect(),
        doubts: facts.doubts.iter().map(|doubt| doubt.as_str()).collect(),
        cells: facts.cells.iter().map(cell).collect(),
        findings: facts.findings.iter().map(finding).collect(),
    }
}

fn cell(cell: &CellReport) -> Cell<'_> {
    let error = cell.error();
    let baseline_error = match (cell.status, error, &cell.errors.baseline) {
        (CellStatus::Undecided, Some((Side::Candidate, _)), Some(other)) => {
            Some(self::error(Side::Baseline, other))
        }
        _ => None,
    };
    Cell {
        release: &cell.release,
        namespace: &cell.namespace,
        platform: platform(&cell.platform),
        chart: &cell.chart,
        status: cell.status.name(),
        error: error.map(|(side, error)| self::error(side, error)),
        baseline_error,
        warnings: cell
            .warnings
            .iter()
            .map(|warning| WarningWire {
                side: warning.side.name(),
                message: warning.message.as_str(),
            })
            .collect(),
        rules: names(cell.rules),
        unruly: names(cell.unruly),
        documents: cell.documents.iter().map(document).collect(),
    }
}

fn names(rules: Rules) -> Vec<&'static str> {
    rules.iter().map(Rule::name).collect()
}

fn platform(name: &str) -> Option<&str> {
    (!name.is_empty()).then_some(name)
}

fn error(side: Side, error: &CellError) -> ErrorWire<'_> {
    let (file, line, column) = position(error.place.as_ref());
    ErrorWire {
        side: side.name(),
        message: error.message.as_str(),
        file,
        line,
        column,
        include_trace: error.include_trace.iter().map(|frame| frame.as_str()).collect(),
    }
}

fn position(place: Option<&Place>) -> (Option<&str>, Option<u32>, Option<u32>) {
    let known = |number: u32| (number > 0).then_some(number);
    match place {
        Some(place) => (Some(&place.file), known(place.line), known(place.column)),
        None => (None, None, None),
    }
}

fn place(place: &Place) -> PlaceWire<'_> {
    let (_, line, column) = position(Some(place));
    PlaceWire {
        file: &place.file,
        line,
        column,
    }
}

fn id(id: &DocumentId) -> Id<'_> {
    Id {
        group: &id.group,
        version: &id.version,
        kind: &id.kind,
        namespace: id.namespace.as_deref(),
        name: &id.name,
    }
}

fn document(document: &DocumentReport) -> Document<'_> {
    let digest = document.digest.map(|digest| digest.map(|digest| digest.hex()));
    Document {
        id: id(&document.id),
        verdict: document.verdict.name(),
        hook: document.hook,
        rules: names(document.rules),
        effects: document.effects.iter().map(|effect| effect.name()).collect(),
        from: document.from.as_ref().map(|from| From {
            release: &from.release,
            id: id(&from.id),
            score: f64::from(from.percent) / 100.0,
        }),
        digest: DigestPair {
            baseline: digest.baseline,
            candidate: digest.candidate,
        },
        changes: document.changes.iter().map(change).collect(),
        version_labels_only: document.version_labels_only,
        problem: document.problem.as_ref().map(|problem| problem.as_str()),
    }
}

fn change(change: &ChangeReport) -> Change<'_> {
    Change {
        op: change.op.name(),
        path: change.path.to_string(),
        before: change.before.as_ref().map(Value),
        after: change.after.as_ref().map(Value),
        redacted: change.is_redacted(),
        effect: change.effect.name(),
        marks: change.marks.iter().map(mark).collect(),
        baseline: change.provenance.baseline.as_ref().map(provenance),
        candidate: change.provenance.candidate.as_ref().map(provenance),
    }
}

fn mark(mark: &Mark) -> MarkWire<'_> {
    let (file, line, column) = position(mark.place.as_ref());
    MarkWire {
        kind: mark.kind,
        call: mark.call.as_str(),
        file,
        line,
        column,
        via: &mark.via,
    }
}

fn provenance(provenance: &Provenance) -> ProvenanceWire<'_> {
    ProvenanceWire {
        template: provenance.template.as_ref().map(place),
        values: provenance
            .values
            .iter()
            .map(|origin| ValueOriginWire {
                path: origin.path.to_string(),
                file: &origin.place.file,
                line: position(Some(&origin.place)).1,
                layer: origin.layer,
            })
            .collect(),
    }
}

fn finding(finding: &Finding) -> FindingWire<'_> {
    FindingWire {
        check: &finding.check,
        level: finding.level.name(),
        message: finding.message.as_str(),
        side: finding.side.name(),
        cells: finding
            .cells
            .iter()
            .map(|cell| CellRefWire {
                release: &cell.release,
                platform: platform(&cell.platform),
            })
            .collect(),
        resource: finding.resource.as_ref().map(id),
        value_path: finding.value_path.as_ref().map(ToString::to_string),
        field_path: finding.field_path.as_ref().map(ToString::to_string),
        lost: finding.lost.iter().map(|name| name.as_str()).collect(),
        suggestion: finding.suggestion.as_ref().map(|text| text.as_str()),
        place: finding.place.as_ref().map(place),
        related: finding
            .related
            .iter()
            .map(|related| {
                let (_, line, column) = position(Some(&related.place));
                RelatedWire {
                    label: related.label.as_str(),
                    file: &related.place.file,
                    line,
                    column,
                }
            })
            .collect(),
        remedy: finding.remedy.as_ref().map(|text| text.as_str()),
        standing: finding.standing,
        fingerprint: &finding.fingerprint,
    }
}
