//! `Hazard`: what a check tells, still with raw values. Secrets are taken out when it becomes a finding.

use super::Check;
use crate::base::{KeyPath, Level, Place, Side};
use crate::manifest::DocumentId;

/// What two hazards are about.
pub(super) type Subject<'a> = (
    &'static str,
    &'a Option<DocumentId>,
    &'a Option<KeyPath>,
    &'a Option<KeyPath>,
);

/// What makes two hazards the same.
type Identity<'a> = (
    &'static str,
    &'a Option<DocumentId>,
    &'a Option<KeyPath>,
    &'a Option<KeyPath>,
    &'a [String],
    &'a str,
);

/// One hazard of one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hazard {
    /// The check's name.
    pub check: &'static str,
    /// How much it matters here, when the user says nothing else.
    pub level: Level,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The side whose tree `place` is in.
    pub side: Side,
    /// The release it is about, where a check sees several.
    pub release: Option<String>,
    /// The document it is about.
    pub resource: Option<DocumentId>,
    /// The value it is about, from the root chart's values.
    pub value_path: Option<KeyPath>,
    /// The field of the document it is about.
    pub field_path: Option<KeyPath>,
    /// What vanished: names of list elements, keys.
    pub lost: Vec<String>,
    /// The nearest known name.
    pub suggestion: Option<String>,
    /// Where it stands.
    pub place: Option<Place>,
    /// Further places that explain it.
    pub related: Vec<(String, Place)>,
    /// What to do about it.
    pub remedy: Option<String>,
    /// What else makes it this hazard and no other: the element under an index, the object looked up. Two sides
    /// have the same hazard when check, resource, paths and this agree; files and lines may move.
    pub object: String,
    /// True when the baseline has it too.
    pub standing: bool,
}

impl Hazard {
    /// A hazard at the check's own level; the rest is filled in by field.
    pub fn new(check: &Check, message: impl Into<String>) -> Hazard {
        Hazard {
            check: check.name,
            level: check.level,
            message: message.into(),
            side: Side::Candidate,
            release: None,
            resource: None,
            value_path: None,
            field_path: None,
            lost: Vec::new(),
            suggestion: None,
            place: None,
            related: Vec::new(),
            remedy: None,
            object: String::new(),
            standing: false,
        }
    }

    /// What it is about, whatever its object; `None` when its object alone says so.
    pub(super) fn subject(&self) -> Option<Subject<'_>> {
        let is_placed = self.resource.is_some() || self.value_path.is_some() || self.field_path.is_some();
        is_placed.then_some((self.check, &self.resource, &self.value_path, &self.field_path))
    }

    /// What makes it the same hazard on the other side.
    pub(super) fn identity(&self) -> Identity<'_> {
        (
            self.check,
            &self.resource,
            &self.value_path,
            &self.field_path,
            &self.lost,
            &self.object,
        )
    }
}

/// Where checks tell what they found.
#[derive(Debug, Default)]
pub struct Sink {
    /// What was told, in order.
    pub hazards: Vec<Hazard>,
}

impl Sink {
    /// Tells a hazard.
    pub fn tell(&mut self, hazard: Hazard) {
        self.hazards.push(hazard);
    }
}
