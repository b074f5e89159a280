//! What a declared cluster makes of the documents of a side: they are held against a render without it.

use super::SideView;
use crate::base::{KeyPath, Sides, Step};
use crate::compare::cell::compare;
use crate::compare::{CellComparison, Change, DocumentComparison, Op};
use crate::engine::{RenderFailure, RenderJob};
use crate::manifest::{Document, DocumentId, Manifest, Rules, scalar};
use crate::value::AmbientKind;
use crate::yaml::Node;

/// Longer values are not quoted.
const QUOTED: usize = 60;

/// What is the case without the declared cluster (the baseline), and with it (the candidate).
pub(super) struct Declared {
    comparison: CellComparison,
    without: Manifest,
    /// True when nothing that was looked up can be a secret.
    is_open: bool,
}

impl Declared {
    /// Renders the side without its cluster; `None` where none is declared or nothing was looked up.
    pub(super) fn of(view: &SideView<'_>) -> Option<Result<Declared, RenderFailure>> {
        let chart = view.chart.as_ref()?;
        chart.job.cluster.as_ref()?;
        let ambients = view.history?.marks.ambients.iter();
        let mut lookups = ambients
            .filter(|ambient| ambient.kind == AmbientKind::Lookup)
            .peekable();
        lookups.peek()?;
        let is_plain = |call: &str| call.starts_with("lookup \"") && !call.contains("\"Secret\"");
        let is_open = lookups.all(|lookup| is_plain(&lookup.call));
        let job = RenderJob {
            traced: false,
            cluster: None,
            ..chart.job.clone()
        };
        Some((chart.again)(&job).map(|rendered| {
            let without = Manifest::read(rendered.output, &job.namespace);
            let sides = Sides::new(&without, view.manifest);
            Declared {
                comparison: compare(&job.release, sides, Rules::default()),
                without,
                is_open,
            }
        }))
    }

    /// The document as it is without the cluster.
    pub(super) fn without(&self, document: &Document) -> Option<&Document> {
        let same =
            |other: &&Document| other.id() == document.id() && other.occurrence() == document.occurrence();
        self.without.documents.iter().find(same)
    }

    /// What became of every document.
    pub(super) fn documents(&self) -> &[DocumentComparison] {
        &self.comparison.documents
    }

    /// The changes of a document, in the order of their paths.
    pub(super) fn changes(&self, document: &Document) -> &[Change] {
        let same = |other: &&DocumentComparison| {
            other.id == *document.id() && other.occurrence == document.occurrence()
        };
        let found = self.comparison.documents.iter().find(same);
        found.map_or(&[], |found| &found.changes)
    }

    /// Some changes of a document as words; empty for none.
    pub(super) fn told<'c>(&self, id: &DocumentId, changes: impl IntoIterator<Item = &'c Change>) -> String {
        let mut changes = changes.into_iter();
        let Some(first) = changes.next() else {
            return String::new();
        };
        let path = &first.path;
        let text = match first.op {
            Op::Add => format!("{path} is there with the declared state alone"),
            Op::Remove => format!("{path} is there without the declared state alone"),
            _ => match (quoted(&first.after), quoted(&first.before)) {
                (Some(with), Some(without)) if self.is_open && &*id.kind != "Secret" => {
                    format!("with the declared state {path} is {with}, without it {without}")
                }
                _ => format!("with the declared state {path} is another than without it"),
            },
        };
        match changes.count() {
            0 => text,
            1 => format!("{text} (and 1 more field)"),
            more => format!("{text} (and {more} more fields)"),
        }
    }
}

/// True when a change is about one of these fields of a document, about what it is in or about what is in it. The fields
/// name elements of lists by their position.
pub(super) fn touches(document: &Document, change: &Change, fields: &[KeyPath]) -> bool {
    let path = by_position(document, &change.path);
    let mut fields = fields.iter();
    fields.any(|field| path.starts_with(field) || field.starts_with(&path))
}

/// The path with elements of lists by position, as far as the document has them.
fn by_position(document: &Document, path: &KeyPath) -> KeyPath {
    let mut node = document.body().ok().map(|body| &body.node);
    let mut steps = Vec::with_capacity(path.0.len());
    for step in &path.0 {
        let items = node.map(Node::items).unwrap_or_default();
        let at = match step {
            Step::Element { key, value } => items
                .iter()
                .position(|item| item.get(key).and_then(scalar::text).as_ref() == Some(value)),
            Step::Index(at) => Some(*at),
            Step::Key(_) => None,
        };
        node = match (step, at) {
            (Step::Key(key), _) => node.and_then(|node| node.get(key)),
            (_, Some(at)) => items.get(at),
            _ => None,
        };
        steps.push(at.map_or_else(|| step.clone(), Step::Index));
    }
    KeyPath(steps)
}

/// A short value in quotes.
fn quoted(value: &Option<Node>) -> Option<String> {
    let text = scalar::text(value.as_ref()?)?;
    (text.chars().count() <= QUOTED).then(|| format!("{text:?}"))
}
