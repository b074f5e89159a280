//! Reviewed differences: which of the differences of a run they accept, and which of them no longer hold.

use super::cell::{CellRun, Settings};
use super::cells::CellPair;
use super::findings;
use crate::base::{Digest, Level, Place, Side, Sides};
use crate::check::{Check, EXPIRED_ACCEPTANCE, Hazard, STALE_ACCEPTANCE};
use crate::compare::{Change, DocumentComparison, Verdict, effect};
use crate::manifest::canon::{self, encoded, same_data};
use crate::manifest::{Document, DocumentId, Rules};
use crate::plan::{Cell, wildcard};
use crate::report::finding::CellRef;
use crate::report::model::Facts;
use crate::report::redact::KnownSecrets;
use crate::yaml::Node;

/// The name of the file, beside the configuration.
pub const FILE_NAME: &str = "evenkeel.accept.yaml";

/// One reviewed difference.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Acceptance {
    pub(super) release: String,
    /// Empty for every platform.
    pub(super) platforms: Vec<String>,
    /// `Kind/name`.
    pub(super) resource: String,
    /// The field; `None` for the document as a whole.
    pub(super) path: Option<String>,
    pub(super) op: Option<String>,
    pub(super) values: Sides<Expected>,
    /// `YYYY-MM-DD`, the last day it holds.
    pub(super) expires: Option<String>,
    pub(super) place: Place,
}

/// What a side's value has to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Expected {
    /// Anything, also nothing.
    #[default]
    Any,
    /// This value.
    Value(Node),
    /// A value of this digest.
    Digest(Digest),
}

impl Expected {
    fn is_met(&self, found: Option<&Node>) -> bool {
        match self {
            Expected::Any => true,
            Expected::Value(node) => found.is_some_and(|found| same_data(found, node)),
            Expected::Digest(digest) => found.is_some_and(|found| digest_of(found) == *digest),
        }
    }

    fn is_met_by(&self, document: Option<&Document>, rules: Rules) -> bool {
        match self {
            Expected::Any => true,
            Expected::Value(_) => false,
            Expected::Digest(digest) => document
                .and_then(|document| canon::digest(document, rules).ok())
                .is_some_and(|found| found == *digest),
        }
    }
}

/// The digest that stands for a value nobody may read in the file.
pub(super) fn digest_of(value: &Node) -> Digest {
    Digest::of("evenkeel accepted value 1", &encoded(value))
}

impl Acceptance {
    fn is_for(&self, release: &str, platform: Option<&str>) -> bool {
        let fits = |pattern: &String| wildcard::fits(pattern, platform.unwrap_or_default());
        wildcard::fits(&self.release, release)
            && (self.platforms.is_empty() || self.platforms.iter().any(fits))
    }

    fn is_of(&self, id: &DocumentId) -> bool {
        wildcard::fits(&self.resource, &id.short())
    }

    fn accepts(&self, change: &Change) -> bool {
        let path = self.path.as_ref();
        path.is_some_and(|path| wildcard::fits(path, &change.path.to_string()))
            && self.op.as_ref().is_none_or(|op| op == change.op.name())
            && self.values.baseline.is_met(change.before.as_ref())
            && self.values.candidate.is_met(change.after.as_ref())
    }

    /// True where the document as a whole is accepted: one that came, went, moved or got another name.
    fn accepts_whole(&self, document: &DocumentComparison, rules: Rules) -> bool {
        let side = |side: Side| document.documents.get(side).as_deref();
        self.path.is_none()
            && self.op.as_deref() == Some(document.verdict.name())
            && self.values.baseline.is_met_by(side(Side::Baseline), rules)
            && self.values.candidate.is_met_by(side(Side::Candidate), rules)
    }

    fn is_over(&self, today: &str) -> bool {
        self.expires.as_deref().is_some_and(|day| day < today)
    }

    fn named(&self) -> String {
        let path = self
            .path
            .as_ref()
            .map(|path| format!(" {path}"))
            .unwrap_or_default();
        format!("{}{path} in {}", self.resource, self.release)
    }
}

/// True for the verdicts that are accepted or not as a whole.
pub(super) fn is_whole(verdict: Verdict) -> bool {
    matches!(
        verdict,
        Verdict::Added | Verdict::Removed | Verdict::Renamed | Verdict::Moved
    )
}

/// The acceptances of a run, and which of them accepted something.
pub(super) struct Acceptances {
    list: Vec<Acceptance>,
    used: Vec<bool>,
    today: String,
}

impl Acceptances {
    pub(super) fn new(list: Vec<Acceptance>, today: &str) -> Acceptances {
        Acceptances {
            used: vec![false; list.len()],
            today: today.to_owned(),
            list,
        }
    }

    /// Gives the documents whose every difference is accepted their verdict; takes the accepted differences out
    /// of the others, and the hazards that are about accepted differences alone.
    pub(super) fn apply(&mut self, pairs: &[CellPair], runs: &mut [CellRun], rules: Rules) {
        for (pair, run) in pairs.iter().zip(runs) {
            let ours: Vec<usize> = (0..self.list.len())
                .filter(|at| self.list[*at].is_for(&pair.id, pair.platform.as_deref()))
                .filter(|at| !self.list[*at].is_over(&self.today))
                .collect();
            let Some(comparison) = run.comparison.as_mut().filter(|_| !ours.is_empty()) else {
                continue;
            };
            let mut touched = false;
            for document in &mut comparison.documents {
                let differs = document.verdict == Verdict::Changed || is_whole(document.verdict);
                if differs {
                    touched |= self.judge(document, &ours, rules, &mut run.accepted);
                }
            }
            if touched {
                comparison.regroup(rules);
            }
        }
    }

    fn judge(
        &mut self,
        document: &mut DocumentComparison,
        ours: &[usize],
        rules: Rules,
        accepted: &mut Vec<(DocumentId, Option<String>)>,
    ) -> bool {
        let list = &self.list;
        let of_it: Vec<usize> = ours
            .iter()
            .copied()
            .filter(|at| list[*at].is_of(&document.id))
            .collect();
        if is_whole(document.verdict) {
            let found: Vec<usize> = of_it
                .into_iter()
                .filter(|at| list[*at].accepts_whole(document, rules))
                .collect();
            let is_accepted = !found.is_empty();
            if is_accepted {
                document.verdict = Verdict::Accepted;
                document.effects.clear();
                accepted.push((document.id.clone(), None));
            }
            for at in found {
                self.used[at] = true;
            }
            return is_accepted;
        }
        let mut taken = vec![false; document.changes.len()];
        for at in of_it {
            for (change, taken) in document.changes.iter().zip(&mut taken) {
                if list[at].accepts(change) {
                    *taken = true;
                    self.used[at] = true;
                }
            }
        }
        let paths = document.changes.iter().zip(&taken).filter(|(_, taken)| **taken);
        accepted.extend(paths.map(|(change, _)| (document.id.clone(), Some(change.path.to_string()))));
        if taken.iter().all(|taken| *taken) {
            document.verdict = Verdict::Accepted;
            document.effects.clear();
            accepted.push((document.id.clone(), None));
        } else if taken.contains(&true) {
            let mut taken = taken.into_iter();
            document.changes.retain(|_| !taken.next().unwrap_or(false));
            document.effects = effect::summary(&document.changes);
        } else {
            return false;
        }
        true
    }

    /// Tells the acceptances that are over, and those that accepted nothing though everything in their scope was
    /// compared. `others` are the cells that were not.
    pub(super) fn tell(
        &self,
        others: &[&Cell],
        pairs: &[CellPair],
        failed: &[bool],
        settings: &Settings<'_>,
        facts: &mut Facts,
    ) {
        let mask = settings.redactor.mask(KnownSecrets::new());
        for (acceptance, used) in self.list.iter().zip(&self.used) {
            let here = || {
                pairs
                    .iter()
                    .filter(|pair| acceptance.is_for(&pair.id, pair.platform.as_deref()))
            };
            let is_elsewhere = others
                .iter()
                .any(|cell| acceptance.is_for(&cell.id, cell.platform.as_deref()));
            let is_open = pairs
                .iter()
                .zip(failed)
                .any(|(pair, failed)| *failed && acceptance.is_for(&pair.id, pair.platform.as_deref()));
            let hazard = if acceptance.is_over(&self.today) {
                // Another run looks at the other cells; one that looks at none of them has nothing to say.
                if here().next().is_none() && is_elsewhere {
                    continue;
                }
                let day = acceptance.expires.as_deref().unwrap_or_default();
                let message = format!("the acceptance of {} was good until {day}", acceptance.named());
                hazard(
                    &EXPIRED_ACCEPTANCE,
                    message,
                    "review the difference again, or remove the entry",
                    acceptance,
                )
            } else if *used || is_elsewhere || is_open {
                continue;
            } else {
                let message = format!("the acceptance of {} matches no difference", acceptance.named());
                let remedy = "remove the entry; `evenkeel accept` records what differs now";
                hazard(&STALE_ACCEPTANCE, message, remedy, acceptance)
            };
            let level = settings.levels.level(&hazard);
            if level == Level::Allow {
                continue;
            }
            let nowhere = CellRef {
                release: acceptance.release.clone(),
                platform: String::new(),
            };
            let mut finding = findings::finding(&hazard, level, &nowhere, &mask);
            finding.cells = here()
                .map(|pair| CellRef {
                    release: pair.id.to_string(),
                    platform: pair.platform.as_deref().unwrap_or_default().to_owned(),
                })
                .collect();
            facts.findings.push(finding);
        }
    }
}

fn hazard(check: &Check, message: String, remedy: &str, acceptance: &Acceptance) -> Hazard {
    Hazard {
        place: Some(acceptance.place.clone()),
        remedy: Some(remedy.to_owned()),
        ..Hazard::new(check, message)
    }
}

/// True for a hazard that is about nothing but a difference that was accepted.
pub(super) fn is_accepted(hazard: &Hazard, accepted: &[(DocumentId, Option<String>)]) -> bool {
    let Some(id) = &hazard.resource else { return false };
    let path = hazard.field_path.as_ref().map(ToString::to_string);
    accepted
        .iter()
        .any(|(document, field)| document == id && *field == path)
}
