//! Introduced or standing: what one side's checks found on both sides is compared by what it is about, not by
//! where it stands.

use super::Hazard;
use std::collections::BTreeSet;

/// The candidate's hazards, those that the baseline has as well marked as standing. What only the baseline
/// has was mended and is not told.
pub fn settle(baseline: &[Hazard], mut candidate: Vec<Hazard>) -> Vec<Hazard> {
    let known: BTreeSet<_> = baseline.iter().map(Hazard::identity).collect();
    for hazard in &mut candidate {
        hazard.standing |= known.contains(&hazard.identity());
    }
    candidate
}
