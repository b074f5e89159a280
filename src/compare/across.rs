//! What left one release of a platform and turned up in another, or under another name.
//!
//! Works on what the cells left unpaired, in this order: the same identity in another release, then the same
//! kind and much the same contents, best first. Ties go by the order of the cells.

use super::cell::CellComparison;
use super::effect;
use super::judge::{DocumentComparison, From};
use super::likeness::Fingerprint;
use super::neighbours;
use super::verdict::Verdict;
use crate::base::Side;
use crate::manifest::{Document, ObjectKey, Rules, Scope, ScopeSource, Scopes};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// From this share of common leaves on two documents are taken for one that was renamed.
const ALIKE: f64 = 0.7;
/// The same for the names of documents whose contents tell nothing.
const NAMES_ALIKE: f64 = 0.6;

/// A document that only one side has: its cell and its place there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    cell: usize,
    place: usize,
}

/// Finds moved and renamed documents among the cells of one platform. A moved or renamed document is told in
/// the candidate's cell, with where it came from, and no longer in the baseline's.
pub fn settle(cells: &mut [CellComparison], rules: Rules) {
    share_scopes(cells);
    let removed = spots(cells, Verdict::Removed);
    let added = spots(cells, Verdict::Added);
    let moved = moved(cells, &removed, &added);
    let left: BTreeSet<Spot> = moved.iter().map(|pair| pair.0).collect();
    let arrived: BTreeSet<Spot> = moved.iter().map(|pair| pair.1).collect();
    let without = |spots: Vec<Spot>, taken: &BTreeSet<Spot>| -> Vec<Spot> {
        spots.into_iter().filter(|spot| !taken.contains(spot)).collect()
    };
    let renamed = renamed(cells, &without(removed, &left), &without(added, &arrived));
    let mut gone = left;
    for (from, to) in moved {
        tell(cells, from, to, None, rules);
    }
    for (from, to, score) in renamed {
        tell(cells, from, to, Some(score), rules);
        gone.insert(from);
    }
    for (cell, comparison) in cells.iter_mut().enumerate() {
        let mut place = 0..;
        comparison.documents.retain(|_| {
            let place = place.next().unwrap_or_default();
            !gone.contains(&Spot { cell, place })
        });
    }
}

/// Applies the scopes that the definitions of any cell declare to the identities of all.
fn share_scopes(cells: &mut [CellComparison]) {
    let mut scopes = Scopes::default();
    for cell in cells.iter() {
        scopes.extend(&cell.scopes);
    }
    for document in cells.iter_mut().flat_map(|cell| &mut cell.documents) {
        if document.scope == ScopeSource::Assumed {
            let (scope, source) = scopes.of(&document.id.group, &document.id.kind);
            document.scope = source;
            if scope == Scope::Cluster {
                document.id.namespace = None;
            }
        }
    }
}

fn spots(cells: &[CellComparison], verdict: Verdict) -> Vec<Spot> {
    let documents = |cell: usize| cells[cell].documents.iter().enumerate();
    (0..cells.len())
        .flat_map(|cell| documents(cell).map(move |(place, document)| (Spot { cell, place }, document)))
        .filter(|(_, document)| document.verdict == verdict)
        .map(|(spot, _)| spot)
        .collect()
}

fn comparison(cells: &[CellComparison], spot: Spot) -> &DocumentComparison {
    &cells[spot.cell].documents[spot.place]
}

fn document(cells: &[CellComparison], spot: Spot, side: Side) -> Arc<Document> {
    let document = comparison(cells, spot).documents.get(side).as_ref();
    Arc::clone(document.expect("a document that one side alone has is kept"))
}

fn moved(cells: &[CellComparison], removed: &[Spot], added: &[Spot]) -> Vec<(Spot, Spot)> {
    let mut by_key: FxHashMap<ObjectKey<'_>, Vec<Spot>> = FxHashMap::default();
    for spot in removed.iter().rev() {
        by_key
            .entry(comparison(cells, *spot).id.key())
            .or_default()
            .push(*spot);
    }
    let mut pairs = Vec::new();
    for to in added {
        let Some(candidates) = by_key.get_mut(&comparison(cells, *to).id.key()) else {
            continue;
        };
        if let Some(place) = candidates.iter().rposition(|from| from.cell != to.cell) {
            pairs.push((candidates.remove(place), *to));
        }
    }
    pairs
}

/// What a pair of documents has in common.
struct Match {
    from: Spot,
    to: Spot,
    score: f64,
    same_cell: bool,
    name_score: f64,
}

impl Match {
    /// The best first; ties go to the same release, to the closer name, then to the order of the renders.
    fn order(&self, other: &Match) -> Ordering {
        (other.score.total_cmp(&self.score))
            .then(other.same_cell.cmp(&self.same_cell))
            .then(other.name_score.total_cmp(&self.name_score))
            .then(self.from.cmp(&other.from))
            .then(self.to.cmp(&other.to))
    }
}

fn renamed(cells: &[CellComparison], removed: &[Spot], added: &[Spot]) -> Vec<(Spot, Spot, f64)> {
    let prints = |spots: &[Spot], side: Side| -> BTreeMap<Arc<str>, Vec<(Spot, Fingerprint)>> {
        let mut by_kind: BTreeMap<Arc<str>, Vec<(Spot, Fingerprint)>> = BTreeMap::new();
        for spot in spots {
            let kind = &comparison(cells, *spot).id.kind;
            if let Some(print) = Fingerprint::of(&document(cells, *spot, side)) {
                by_kind.entry(Arc::clone(kind)).or_default().push((*spot, print));
            }
        }
        by_kind
    };
    let removed = prints(removed, Side::Baseline);
    let added = prints(added, Side::Candidate);
    let mut pairs = Vec::new();
    for (kind, from) in &removed {
        if let Some(to) = added.get(kind) {
            pairs.extend(best_pairs(from, to));
        }
    }
    pairs
}

type Prints = [(Spot, Fingerprint)];

fn best_pairs(removed: &Prints, added: &Prints) -> Vec<(Spot, Spot, f64)> {
    let ours: Vec<&Fingerprint> = removed.iter().map(|(_, print)| print).collect();
    let theirs: Vec<&Fingerprint> = added.iter().map(|(_, print)| print).collect();
    let mut matches: Vec<Match> = neighbours::pairs(&ours, &theirs)
        .into_iter()
        .filter_map(|(i, j)| {
            let ((from, a), (to, b)) = (&removed[i], &added[j]);
            let found = Match {
                from: *from,
                to: *to,
                score: a.score(b),
                same_cell: from.cell == to.cell,
                name_score: a.name_score(b),
            };
            let only = removed.len() == 1 && added.len() == 1 && found.same_cell;
            let named = a.is_telling() && b.is_telling() || only || found.name_score >= NAMES_ALIKE;
            (found.score >= ALIKE && named).then_some(found)
        })
        .collect();
    matches.sort_by(Match::order);
    let mut taken = (BTreeSet::new(), BTreeSet::new());
    let mut pairs = Vec::new();
    for found in matches {
        if !taken.0.contains(&found.from) && !taken.1.contains(&found.to) {
            taken.0.insert(found.from);
            taken.1.insert(found.to);
            pairs.push((found.from, found.to, found.score));
        }
    }
    pairs
}

/// Puts the verdict on a pair in the place of the added document.
fn tell(cells: &mut [CellComparison], from: Spot, to: Spot, score: Option<f64>, rules: Rules) {
    let baseline = document(cells, from, Side::Baseline);
    let candidate = document(cells, to, Side::Candidate);
    let release = Arc::clone(&cells[from.cell].release);
    let told = &mut cells[to.cell].documents[to.place];
    let mut pair = DocumentComparison::pair(&baseline, &candidate, rules);
    pair.from = Some(From {
        release,
        id: baseline.id().clone(),
        score: score.unwrap_or(1.0),
    });
    pair.documents.baseline = Some(baseline);
    pair.documents.candidate = Some(candidate);
    if score.is_some() {
        pair.verdict = Verdict::Renamed;
        if let Some(baseline) = &pair.documents.baseline {
            pair.effects = effect::of_renaming(baseline);
        }
    } else if pair.verdict <= Verdict::Equivalent {
        pair.verdict = Verdict::Moved;
    }
    pair.id = told.id.clone();
    pair.scope = told.scope;
    *told = pair;
}

#[cfg(test)]
mod tests {
    use super::super::cell::compare;
    use super::*;
    use crate::base::Sides;
    use crate::manifest::Manifest;

    fn config(name: &str, data: &str) -> String {
        format!("---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata:\n  k: |\n{data}")
    }

    fn lines(numbers: std::ops::Range<usize>) -> String {
        numbers.map(|number| format!("    line {number}\n")).collect()
    }

    fn told(cells: &[(&str, String, String)]) -> Vec<String> {
        let mut cells: Vec<CellComparison> = cells
            .iter()
            .map(|(release, a, b)| {
                let (a, b) = (
                    Manifest::read(a.as_bytes(), "apps"),
                    Manifest::read(b.as_bytes(), "apps"),
                );
                compare(release, Sides::new(&a, &b), Rules::default())
            })
            .collect();
        settle(&mut cells, Rules::default());
        let mut told = Vec::new();
        for cell in &cells {
            for document in &cell.documents {
                let from = document.from.as_ref().map_or(String::new(), |from| {
                    format!(" from {} {} {:.2}", from.release, from.id.name, from.score)
                });
                told.push(format!(
                    "{} {} {}{from}",
                    cell.release, document.verdict, document.id.name
                ));
            }
        }
        told
    }

    #[test]
    fn the_same_object_in_another_release_moved() {
        let (a, b) = (config("a", &lines(0..4)), config("b", &lines(4..8)));
        assert_eq!(
            told(&[
                ("one", [a.as_str(), &b].concat(), String::new()),
                (
                    "two",
                    String::new(),
                    [a.as_str(), &config("b", &lines(4..9))].concat()
                ),
            ]),
            ["two moved a from one a 1.00", "two changed b from one b 1.00"]
        );
    }

    #[test]
    fn much_the_same_object_under_another_name_was_renamed() {
        let before = [config("a", &lines(0..10)), config("b", &lines(20..30))].concat();
        let after = [
            config("x", &lines(20..30)),
            config("w", &lines(0..9)),
            config("z", &lines(50..60)),
        ]
        .concat();
        assert_eq!(
            told(&[("one", before, after)]),
            [
                "one renamed x from one b 1.00",
                "one renamed w from one a 0.95",
                "one added z"
            ]
        );
    }

    #[test]
    fn a_definition_in_one_release_settles_the_scope_in_another() {
        let widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\n";
        let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: w\nspec:\n  \
                          group: example.com\n  scope: Cluster\n  names:\n    kind: Widget\n";
        let cell = |release: &str, namespace: &str, a: &str, b: &str| {
            let read = |text: &str| Manifest::read(text.as_bytes(), namespace);
            compare(release, Sides::new(&read(a), &read(b)), Rules::default())
        };
        let mut cells = vec![
            cell("crds", "x", definition, definition),
            cell("one", "x", widget, ""),
            cell("two", "z", "", widget),
        ];
        settle(&mut cells, Rules::default());
        assert!(cells[1].documents.is_empty());
        assert_eq!(cells[2].documents[0].verdict, Verdict::Moved);
        assert_eq!(cells[2].documents[0].id.to_string(), "example.com/v1/Widget/-/a");
    }

    #[test]
    fn contents_that_tell_nothing_need_a_like_name() {
        let account =
            |name: &str| format!("---\napiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: {name}\n");
        let (before, after) = (
            [account("web-server"), account("worker")].concat(),
            [account("mail"), account("web-server-sa")].concat(),
        );
        assert_eq!(
            told(&[("one", before, after)]),
            [
                "one removed worker",
                "one added mail",
                "one renamed web-server-sa from one web-server 1.00"
            ]
        );
        assert_eq!(
            told(&[("one", account("a"), account("z"))]),
            ["one renamed z from one a 1.00"]
        );
    }

    #[test]
    fn random_names_pair_up_also_when_there_are_many() {
        let side = |suffix: &str| -> String {
            (0..200)
                .map(|number| config(&format!("job-{number}-{suffix}"), &lines(number..number + 6)))
                .collect()
        };
        let lines = told(&[("one", side("x7f"), side("k2j"))]);
        assert_eq!(lines.len(), 200);
        let paired = |line: &&String| {
            let words: Vec<&str> = line.split(' ').collect();
            words[1] == "renamed" && words[2].trim_end_matches("k2j") == words[5].trim_end_matches("x7f")
        };
        assert_eq!(lines.iter().filter(paired).count(), 200);
    }
}
