//! Introduced or standing: what one side's checks found on both sides is compared by what it is about, not by
//! where it stands.

use super::hazard::Subject;
use super::{Hazard, find};
use std::collections::{BTreeMap, BTreeSet};

/// The candidate's hazards, those that the baseline has as well marked as standing. What only the baseline
/// has was mended and is not told. One whose object alone is another weighs what its check weighs, and says
/// what the object was.
pub fn settle(baseline: &[Hazard], mut candidate: Vec<Hazard>) -> Vec<Hazard> {
    let known: BTreeSet<_> = baseline.iter().map(Hazard::identity).collect();
    let before = only_objects(baseline);
    let changed: Vec<Option<String>> = {
        let now = only_objects(&candidate);
        let was = |hazard: &Hazard| {
            let subject = hazard.subject()?;
            now.get(&subject)?.as_ref()?;
            before.get(&subject).copied().flatten().map(ToOwned::to_owned)
        };
        candidate.iter().map(was).collect()
    };
    for (hazard, was) in candidate.iter_mut().zip(changed) {
        hazard.standing |= known.contains(&hazard.identity());
        let Some(was) = was.filter(|_| !hazard.standing) else {
            continue;
        };
        if was != hazard.object {
            hazard.message = format!("{}; at the baseline it was {was}", hazard.message);
            hazard.level = find(hazard.check).map_or(hazard.level, |check| check.level);
        }
    }
    candidate
}

/// The object of each subject that has one hazard only; `None` for a subject that has several.
fn only_objects(hazards: &[Hazard]) -> BTreeMap<Subject<'_>, Option<&str>> {
    let mut found = BTreeMap::new();
    for hazard in hazards {
        if let Some(subject) = hazard.subject().filter(|_| !hazard.object.is_empty()) {
            found
                .entry(subject)
                .and_modify(|object| *object = None)
                .or_insert(Some(hazard.object.as_str()));
        }
    }
    found
}
