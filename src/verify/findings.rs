//! From hazards to findings: the level somebody chose, secrets taken out, the same on many cells told once.

use super::levels::Levels;
use crate::base::Level;
use crate::check::Hazard;
use crate::compare::{CellComparison, Verdict};
use crate::manifest::DocumentId;
use crate::report::finding::{CellRef, Finding, Related};
use crate::report::redact::Mask;

/// The findings of a cell, and how many hazards stand in it that nobody asked for.
pub(super) fn of_cell(
    hazards: &[Hazard],
    comparison: Option<&CellComparison>,
    cell: &CellRef,
    levels: &Levels,
    mask: &Mask,
) -> (Vec<Finding>, usize) {
    let weighs = |hazard: &Hazard| !hazard.standing && levels.level(hazard) > Level::Info;
    // An info explains something else; where nothing else is told, there is nothing to explain.
    let explains = comparison.is_none_or(is_touched) || hazards.iter().any(weighs);
    let mut findings = Vec::new();
    let mut standing = 0;
    for hazard in hazards {
        let level = levels.level(hazard);
        if level == Level::Allow {
            continue;
        }
        if hazard.standing && !comparison.is_none_or(|comparison| stands_behind(hazard, comparison)) {
            standing += 1;
        } else if level > Level::Info || explains {
            findings.push(finding(hazard, level, cell, mask));
        }
    }
    (findings, standing)
}

/// True when something of the release is not simply equal: then what stood before may explain it.
fn is_touched(comparison: &CellComparison) -> bool {
    comparison
        .documents
        .iter()
        .any(|document| document.verdict > Verdict::Equivalent)
}

/// True when a hazard that stood before has a part in what is told: some document of the release changed, or chance
/// wrote its own.
fn stands_behind(hazard: &Hazard, comparison: &CellComparison) -> bool {
    let is_its_own = |id: &DocumentId| hazard.resource.as_ref() == Some(id);
    comparison.documents.iter().any(|document| {
        document.verdict > Verdict::Volatile
            || document.verdict == Verdict::Volatile && is_its_own(&document.id)
    })
}

/// A hazard as a report holds it.
pub(super) fn finding(hazard: &Hazard, level: Level, cell: &CellRef, mask: &Mask) -> Finding {
    let mut finding = Finding::new(hazard.check, level, hazard.side, mask.text(&hazard.message));
    finding.cells = vec![cell.clone()];
    finding.resource = hazard.resource.clone();
    finding.value_path = hazard.value_path.as_ref().map(|path| mask.path(path));
    finding.field_path = hazard.field_path.as_ref().map(|path| mask.path(path));
    finding.lost = hazard.lost.iter().map(|name| mask.text(name)).collect();
    finding.suggestion = hazard.suggestion.as_ref().map(|text| mask.text(text));
    finding.place = hazard.place.clone();
    let related = hazard.related.iter().map(|(label, place)| Related {
        label: mask.text(label),
        place: place.clone(),
    });
    finding.related = related.collect();
    finding.remedy = hazard.remedy.as_ref().map(|text| mask.text(text));
    finding.standing = hazard.standing;
    finding
}
