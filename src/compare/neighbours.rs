//! Which pairs of documents are worth scoring, when there are too many to score all.
//!
//! Documents that share most of their leaves fall into a common bucket with near certainty (minimum hashes,
//! in bands); within a bucket the closest names are taken. The work grows with the number of documents, not
//! with its square.

use super::likeness::Fingerprint;
use rustc_hash::FxHashMap;

/// Up to so many pairs all are worth it.
const ALL_PAIRS: usize = 4096;
/// Two documents meet if they agree in both minimum hashes of one band.
const BANDS: usize = 16;
/// How many neighbours by name a document meets on either side in one bucket.
const REACH: usize = 4;

/// Positions of documents that may be alike, each pair once, sorted.
pub(super) fn pairs(removed: &[&Fingerprint], added: &[&Fingerprint]) -> Vec<(usize, usize)> {
    if removed.len().saturating_mul(added.len()) <= ALL_PAIRS {
        let all = (0..removed.len()).flat_map(|i| (0..added.len()).map(move |j| (i, j)));
        return all.collect();
    }
    let signatures = |prints: &[&Fingerprint]| -> Vec<Vec<u64>> {
        prints.iter().map(|print| signature(&print.leaves)).collect()
    };
    let (ours, theirs) = (signatures(removed), signatures(added));
    let mut by_name: Vec<usize> = (0..added.len()).collect();
    by_name.sort_by_key(|j| &added[*j].name);
    let mut pairs = Vec::new();
    for band in 0..=BANDS {
        let mut buckets: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for j in &by_name {
            buckets.entry(theirs[*j][band]).or_default().push(*j);
        }
        for (i, signature) in ours.iter().enumerate() {
            let Some(bucket) = buckets.get(&signature[band]) else {
                continue;
            };
            let place = bucket.partition_point(|j| added[*j].name < removed[i].name);
            let near = place.saturating_sub(REACH)..(place + REACH).min(bucket.len());
            pairs.extend(bucket[near].iter().map(|j| (i, *j)));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// One hash per band, and one of all leaves together.
fn signature(leaves: &[u64]) -> Vec<u64> {
    let mut least = [u64::MAX; 2 * BANDS];
    let mut all = 0u64;
    for leaf in leaves {
        all = mix(all ^ leaf);
        let mut hash = *leaf;
        for least in &mut least {
            hash = mix(hash);
            *least = (*least).min(hash);
        }
    }
    let bands = least.chunks(2).map(|pair| mix(pair[0].rotate_left(17) ^ pair[1]));
    bands.chain([all]).collect()
}

/// The mixing step of SplitMix64.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prints(suffix: &str, leaves: impl Fn(u64) -> Vec<u64>) -> Vec<Fingerprint> {
        (0..300)
            .map(|number| Fingerprint {
                leaves: leaves(number),
                name: format!("job-{number}-{suffix}"),
            })
            .collect()
    }

    fn met(a: &[Fingerprint], b: &[Fingerprint]) -> (usize, usize) {
        let pairs = pairs(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>());
        (pairs.iter().filter(|(i, j)| i == j).count(), pairs.len())
    }

    #[test]
    fn partners_meet_where_all_are_much_alike_and_where_none_are() {
        let same = |_| (0..40).collect();
        let (right, all) = met(&prints("x", same), &prints("y", same));
        assert!(
            right == 300 && all < 300 * 2 * REACH * (BANDS + 1),
            "{right} of {all}"
        );
        let window = |number| (number..number + 200).collect();
        assert_eq!(met(&prints("x", window), &prints("y", window)).0, 300);
        // Four leaves in five are shared with the partner and with nobody else.
        let own = |own: u64| {
            move |number: u64| {
                (0..50)
                    .map(|k| number * 1000 + k + if k < 10 { own } else { 0 })
                    .collect()
            }
        };
        assert_eq!(met(&prints("x", own(100)), &prints("y", own(200))), (300, 300));
    }
}
