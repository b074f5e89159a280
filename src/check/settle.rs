//! Introduced or standing: what one side's checks found on both sides is compared by what it is about, not by
//! where it stands.

use super::{Hazard, find};
use std::collections::{BTreeMap, BTreeSet};

/// The candidate's hazards, those that the baseline has as well marked as standing. What only the baseline
/// has was mended and is not told. One whose object alone is another weighs what its check weighs, and says
/// what the object was.
pub fn settle(baseline: &[Hazard], mut candidate: Vec<Hazard>) -> Vec<Hazard> {
    let known: BTreeSet<_> = baseline.iter().map(Hazard::identity).collect();
    let objects: BTreeMap<_, _> = baseline
        .iter()
        .filter(|hazard| !hazard.object.is_empty())
        .map(|hazard| (hazard.subject(), hazard.object.as_str()))
        .collect();
    for hazard in &mut candidate {
        hazard.standing |= known.contains(&hazard.identity());
        if hazard.standing || hazard.object.is_empty() {
            continue;
        }
        if let Some(before) = objects.get(&hazard.subject()) {
            let level = find(hazard.check).map_or(hazard.level, |check| check.level);
            hazard.message = format!("{}; at the baseline it was {before}", hazard.message);
            hazard.level = hazard.level.max(level);
        }
    }
    candidate
}
