//! A finding: one hazard with a level, a place and a remedy. The checks that make them live elsewhere.

use super::redact::{ShownPath, ShownText};
use crate::base::digest::Hasher;
use crate::base::{Level, Place, Side};
use crate::manifest::DocumentId;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// One hazard. The same hazard on many platforms is one finding with its cells listed.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The check's name: `list-replaced`.
    pub check: String,
    /// How much it matters here.
    pub level: Level,
    /// What is wrong, in one sentence.
    pub message: ShownText,
    /// The side whose tree `place` is in.
    pub side: Side,
    /// The cells it holds for.
    pub cells: Vec<CellRef>,
    /// The document it is about.
    pub resource: Option<DocumentId>,
    /// The value it is about.
    pub value_path: Option<ShownPath>,
    /// The field of the document it is about.
    pub field_path: Option<ShownPath>,
    /// What vanished: names of list elements, keys.
    pub lost: Vec<ShownText>,
    /// The nearest known name.
    pub suggestion: Option<ShownText>,
    /// Where it stands.
    pub place: Option<Place>,
    /// Further places that explain it.
    pub related: Vec<Related>,
    /// What to do about it.
    pub remedy: Option<ShownText>,
    /// True when the baseline has it too.
    pub standing: bool,
    /// 16 hex digits; set when the report is concluded.
    pub fingerprint: String,
}

/// A cell a finding holds for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellRef {
    /// The release's id.
    pub release: String,
    /// The platform; empty where the configuration names none.
    pub platform: String,
}

/// A further place of a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Related {
    /// What is there.
    pub label: ShownText,
    /// Where.
    pub place: Place,
}

impl Finding {
    /// A finding with nothing but its head; the rest is filled in by field.
    pub fn new(check: impl Into<String>, level: Level, side: Side, message: ShownText) -> Finding {
        Finding {
            check: check.into(),
            level,
            message,
            side,
            cells: Vec::new(),
            resource: None,
            value_path: None,
            field_path: None,
            lost: Vec::new(),
            suggestion: None,
            place: None,
            related: Vec::new(),
            remedy: None,
            standing: false,
            fingerprint: String::new(),
        }
    }

    /// The order in which findings are told: what is new before what stands, worst first, then by check and place.
    pub(super) fn order(a: &Finding, b: &Finding) -> Ordering {
        a.head_order(b).then_with(|| a.cells.cmp(&b.cells))
    }

    /// The order by everything but the cells.
    fn head_order(&self, other: &Finding) -> Ordering {
        let head = |finding: &Finding| (finding.standing, Reverse(finding.level));
        head(self)
            .cmp(&head(other))
            .then_with(|| self.check.cmp(&other.check))
            .then_with(|| self.place.cmp(&other.place))
            .then_with(|| self.value_path.cmp(&other.value_path))
            .then_with(|| self.resource.cmp(&other.resource))
            .then_with(|| self.field_path.cmp(&other.field_path))
            .then_with(|| self.message.cmp(&other.message))
            .then_with(|| self.side.cmp(&other.side))
    }

    /// The same hazard on many cells becomes one finding with its cells listed.
    pub(super) fn merge(findings: &mut Vec<Finding>) {
        let head = |a: &Finding, b: &Finding| a.head_order(b).then_with(|| a.lost.cmp(&b.lost));
        findings.sort_by(head);
        findings.dedup_by(|next, first| {
            let same = head(next, first) == Ordering::Equal;
            if same {
                first.cells.append(&mut next.cells);
            }
            same
        });
    }

    /// Sets the fingerprint. It stays while check, file and paths stay: a line number is left out, for it moves
    /// with every edit above it; findings that only a line tells apart are counted in `seen`.
    pub(super) fn seal(&mut self, seen: &mut BTreeMap<String, u32>) {
        let text = |path: &Option<ShownPath>| path.as_ref().map(ShownPath::to_string).unwrap_or_default();
        let mut hasher = Hasher::new("evenkeel finding 1");
        hasher
            .part(self.check.as_bytes())
            .part(self.place.as_ref().map_or("", |place| &place.file).as_bytes())
            .part(text(&self.value_path).as_bytes())
            .part(text(&self.field_path).as_bytes());
        if let Some(id) = &self.resource {
            for part in [
                &*id.group,
                &*id.kind,
                id.namespace.as_deref().unwrap_or(""),
                &*id.name,
            ] {
                hasher.part(part.as_bytes());
            }
        }
        let plain = hasher.finish().hex();
        let count = seen.entry(plain.clone()).or_default();
        if *count > 0 {
            hasher.part(&count.to_le_bytes());
        }
        *count += 1;
        self.fingerprint = hasher.finish().hex()[..16].to_owned();
    }
}
