//! Two questions to a pin: does its commit still render to it, and how does another render compare with it.

use super::record::{Pin, PinnedCell, PinnedDocument, PinnedState};
use crate::base::Digest;
use crate::manifest::{DocumentId, ObjectKey};
use std::collections::BTreeMap;

/// So many lines of a drift are told.
const SHOWN: usize = 20;

/// A commit no longer renders to what was pinned, and nobody edited the pin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// What is known to be different from the day of the pin: `Helm 3.19 -> 4.3`. Empty when nothing is, which
    /// leaves what the pin does not record, such as a downloaded chart.
    pub causes: Vec<String>,
    /// The cells that no longer hold.
    pub cells: Vec<CellDrift>,
}

/// A cell that no longer holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellDrift {
    /// The release's id.
    pub release: String,
    /// The platform.
    pub platform: String,
    /// What is different, document by document; empty where the cell as a whole is.
    pub documents: Vec<(DocumentId, DocumentDrift)>,
    /// Said of the cell as a whole: `is not rendered any more`.
    pub whole: Option<&'static str>,
}

/// How a document differs from its pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentDrift {
    /// It renders differently.
    Changed,
    /// It is rendered but was not pinned.
    Added,
    /// It was pinned but is not rendered.
    Removed,
}

impl DocumentDrift {
    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            DocumentDrift::Changed => "renders differently",
            DocumentDrift::Added => "is new",
            DocumentDrift::Removed => "is gone",
        }
    }
}

impl Drift {
    /// The whole in a sentence or two, followed by the documents, one a line.
    pub fn describe(&self, pin: &Pin) -> String {
        let documents: usize = self.cells.iter().map(|cell| cell.documents.len()).sum();
        let what = match documents {
            0 => format!("{} of its {} cells", self.cells.len(), pin.cells.len()),
            _ => format!("{documents} of its {} documents", pin.document_count()),
        };
        let why = if self.causes.is_empty() {
            "nothing that the pin records has changed, so look at charts that are downloaded".to_owned()
        } else {
            format!("since then: {}", self.causes.join(", "))
        };
        let mut text = format!(
            "the pin {} no longer holds: its commit does not render {what} as it did when it was pinned; {why}",
            pin.name
        );
        let lines: Vec<String> = self.cells.iter().flat_map(CellDrift::lines).collect();
        for line in lines.iter().take(SHOWN) {
            text.push('\n');
            text.push_str(line);
        }
        if lines.len() > SHOWN {
            text.push_str(&format!("\nand {} more", lines.len() - SHOWN));
        }
        text
    }
}

impl CellDrift {
    fn lines(&self) -> Vec<String> {
        let at = match self.platform.as_str() {
            "" => self.release.clone(),
            platform => format!("{} on {platform}", self.release),
        };
        let whole = self.whole.map(|whole| format!("{at} {whole}"));
        let documents = self
            .documents
            .iter()
            .map(|(id, drift)| format!("{} {} ({at})", id.short(), drift.name()));
        whole.into_iter().chain(documents).collect()
    }
}

/// Compares a pin with what its commit renders to now. None when it holds.
pub fn drift(pin: &Pin, now: &Pin) -> Option<Drift> {
    let mut cells = Vec::new();
    for (key, (then, rendered)) in pair_cells(&pin.cells, &now.cells) {
        let whole = match (then.map(|cell| &cell.state), rendered.map(|cell| &cell.state)) {
            (Some(_), None) => Some("is not rendered any more"),
            (None, _) => Some("was not pinned"),
            (Some(PinnedState::Failed(_)), Some(PinnedState::Rendered(_))) => {
                Some("failed when it was pinned")
            }
            (Some(PinnedState::Rendered(_)), Some(PinnedState::Failed(_))) => Some("fails now"),
            (Some(PinnedState::Failed(old)), Some(PinnedState::Failed(new))) if old != new => {
                Some("fails in another way")
            }
            _ => None,
        };
        let documents = match (whole, then, rendered) {
            (None, Some(then), Some(rendered)) => pair(then.documents(), rendered.documents())
                .into_iter()
                .filter_map(|(id, judged)| {
                    let drift = match judged {
                        Judged::Equal | Judged::Volatile => return None,
                        Judged::Changed => DocumentDrift::Changed,
                        Judged::Added => DocumentDrift::Added,
                        Judged::Removed => DocumentDrift::Removed,
                    };
                    Some((id, drift))
                })
                .collect(),
            _ => Vec::new(),
        };
        if whole.is_some() || !documents.is_empty() {
            cells.push(CellDrift {
                release: key.0.to_owned(),
                platform: key.1.to_owned(),
                documents,
                whole,
            });
        }
    }
    (!cells.is_empty()).then(|| Drift {
        causes: causes(pin, now),
        cells,
    })
}

fn causes(pin: &Pin, now: &Pin) -> Vec<String> {
    let mut causes = Vec::new();
    let mut compare = |what: &str, then: &str, now: &str| {
        if then != now {
            causes.push(format!("{what} {then} -> {now}"));
        }
    };
    let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "not set".to_owned());
    compare("evenkeel", &pin.evenkeel, &now.evenkeel);
    compare("engine", &pin.engine, &now.engine);
    compare("Helm", pin.dialect.name(), now.dialect.name());
    compare(
        "kube-version",
        &or_none(&pin.kube_version),
        &or_none(&now.kube_version),
    );
    compare("canonical rules", &pin.rules.join(" "), &now.rules.join(" "));
    if pin.config != now.config {
        causes.push("the configuration".to_owned());
    }
    if pin.tree != now.tree {
        causes.push("the tree of the commit".to_owned());
    }
    causes
}

/// How the documents of a cell compare with the pin, by digest alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellJudgement {
    /// The release's id.
    pub release: String,
    /// The platform.
    pub platform: String,
    /// The digest of the error that was pinned, where the pinned cell failed.
    pub failed: Option<Digest>,
    /// The documents of both sides.
    pub documents: Vec<(DocumentId, Judged)>,
}

/// How a document compares with the pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judged {
    /// The same canonical form.
    Equal,
    /// Chance had a part in it on both sides: the digest says nothing.
    Volatile,
    /// Another canonical form; which fields is not known.
    Changed,
    /// Not pinned.
    Added,
    /// Pinned, and not there.
    Removed,
}

/// Judges the cells of a candidate by the digests of a pin. Cells that only one of them has are told with their
/// documents added or removed.
pub fn judge(pin: &Pin, candidate: &[PinnedCell]) -> Vec<CellJudgement> {
    pair_cells(&pin.cells, candidate)
        .into_iter()
        .map(|((release, platform), (then, now))| CellJudgement {
            release: release.to_owned(),
            platform: platform.to_owned(),
            failed: match then.map(|cell| &cell.state) {
                Some(PinnedState::Failed(message)) => Some(*message),
                _ => None,
            },
            documents: pair(
                then.map_or(&[], PinnedCell::documents),
                now.map_or(&[], PinnedCell::documents),
            ),
        })
        .collect()
}

type CellPair<'a> = (Option<&'a PinnedCell>, Option<&'a PinnedCell>);

fn pair_cells<'a>(
    then: &'a [PinnedCell],
    now: &'a [PinnedCell],
) -> BTreeMap<(&'a str, &'a str), CellPair<'a>> {
    let mut pairs: BTreeMap<(&str, &str), CellPair<'a>> = BTreeMap::new();
    for cell in then {
        pairs.entry((&cell.release, &cell.platform)).or_default().0 = Some(cell);
    }
    for cell in now {
        pairs.entry((&cell.release, &cell.platform)).or_default().1 = Some(cell);
    }
    pairs
}

/// Pairs documents by the object they are, the n-th of one object with the n-th.
fn pair(then: &[PinnedDocument], now: &[PinnedDocument]) -> Vec<(DocumentId, Judged)> {
    type Both<'a> = (Vec<&'a PinnedDocument>, Vec<&'a PinnedDocument>);
    let mut objects: BTreeMap<ObjectKey<'_>, Both<'_>> = BTreeMap::new();
    for document in then {
        objects.entry(document.id.key()).or_default().0.push(document);
    }
    for document in now {
        objects.entry(document.id.key()).or_default().1.push(document);
    }
    let mut judged = Vec::new();
    for (then, now) in objects.into_values() {
        for index in 0..then.len().max(now.len()) {
            judged.push(match (then.get(index), now.get(index)) {
                (Some(then), Some(now)) => (now.id.clone(), judge_pair(then, now)),
                (Some(then), None) => (then.id.clone(), Judged::Removed),
                (None, Some(now)) => (now.id.clone(), Judged::Added),
                (None, None) => continue,
            });
        }
    }
    judged.sort();
    judged
}

fn judge_pair(then: &PinnedDocument, now: &PinnedDocument) -> Judged {
    if then.digest == now.digest {
        Judged::Equal
    } else if then.volatile && now.volatile {
        Judged::Volatile
    } else {
        Judged::Changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::record::tests::{document, id, pin};
    use crate::dialect::Dialect;

    fn documents(pin: &mut Pin) -> &mut Vec<PinnedDocument> {
        match &mut pin.cells[0].state {
            PinnedState::Rendered(documents) => documents,
            PinnedState::Failed(_) => panic!("the first cell rendered"),
        }
    }

    fn set_digest(pin: &mut Pin, kind: &str, digest: &str) {
        let documents = documents(pin);
        let found = documents.iter_mut().find(|document| &*document.id.kind == kind);
        found.unwrap().digest = Digest::of("test", digest.as_bytes());
    }

    #[test]
    fn a_pin_holds_for_what_it_was_made_from() {
        assert_eq!(drift(&pin(), &pin()), None);
        let mut now = pin();
        set_digest(&mut now, "Secret", "another draw");
        assert_eq!(drift(&pin(), &now), None, "a volatile document may differ");
        now.evenkeel = "9.9.9".into();
        assert_eq!(
            drift(&pin(), &now),
            None,
            "another version with the same result is no drift"
        );
    }

    #[test]
    fn drift_names_its_causes_and_its_documents() {
        let mut now = pin();
        set_digest(&mut now, "Deployment", "other");
        documents(&mut now).retain(|document| &*document.id.kind != "Service");
        documents(&mut now).push(document("ConfigMap", "new"));
        now.dialect = Dialect::V3_19;
        now.evenkeel = "0.2.0".into();
        let found = drift(&pin(), &now).unwrap();
        assert_eq!(found.causes, ["evenkeel 0.1.0 -> 0.2.0", "Helm 4.3 -> 3.19"]);
        insta::assert_snapshot!(found.describe(&pin()));
    }

    #[test]
    fn cells_that_come_go_or_fail_are_drift() {
        let mut now = pin();
        now.cells[0].state = PinnedState::Failed(Digest::of("test", b"new error"));
        now.cells[1].state = PinnedState::Failed(Digest::of("test", b"other error"));
        let mut third = now.cells[0].clone();
        third.release = "third".into();
        now.cells.push(third);
        let found = drift(&pin(), &now).unwrap();
        let told: Vec<_> = found
            .cells
            .iter()
            .map(|cell| (cell.release.as_str(), cell.whole))
            .collect();
        assert_eq!(
            told,
            [
                ("chat", Some("fails now")),
                ("loki", Some("fails in another way")),
                ("third", Some("was not pinned"))
            ]
        );
        assert!(
            found
                .describe(&pin())
                .contains("look at charts that are downloaded")
        );
    }

    #[test]
    fn documents_are_judged_by_digest_alone() {
        let mut now = pin();
        set_digest(&mut now, "Deployment", "other");
        set_digest(&mut now, "Secret", "other");
        documents(&mut now).push(document("Service", "chat"));
        documents(&mut now).push(document("Service", "added"));
        now.cells.remove(1);
        let judged = judge(&pin(), &now.cells);
        assert_eq!(judged[0].release, "chat");
        assert_eq!(
            judged[0].documents,
            [
                (id("Secret", "chat"), Judged::Volatile),
                (id("Service", "added"), Judged::Added),
                (id("Service", "chat"), Judged::Equal),
                (id("Service", "chat"), Judged::Added),
                (id("Deployment", "chat"), Judged::Changed),
            ]
        );
        assert_eq!(judged[1].release, "loki");
        assert!(judged[1].failed.is_some());
    }

    #[test]
    fn another_api_version_is_the_same_object() {
        let mut now = pin();
        for document in documents(&mut now) {
            document.id.version = "v2".into();
        }
        let judged = judge(&pin(), &now.cells);
        assert!(
            judged[0]
                .documents
                .iter()
                .all(|(_, judged)| *judged == Judged::Equal)
        );
    }
}
