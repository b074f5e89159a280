//! Where the fields of one document of one cell came from.

use super::cluster_state;
use super::render::{self, Outcome, Output};
use super::request::Request;
use super::sides::{self, Opened};
use crate::base::{KeyPath, Place, Problem, Side, Sides, Step};
use crate::check::origins::{self, FieldOrigin};
use crate::dialect::Dialect;
use crate::engine::Engine;
use crate::layers::Written;
use crate::layers::written::{Author, Setting, WrittenLayer};
use crate::manifest::{Document, DocumentId, scalar};
use crate::plan::{Cell, Plan, nearest, wildcard};
use crate::report::blame::{Blame, Covered, FieldBlame};
use crate::report::build;
use crate::report::model::ValueOrigin;
use crate::report::redact::{Mask, Redactor};
use crate::yaml::Node;
use std::collections::BTreeSet;

/// So many candidates are named.
const NAMED: usize = 20;

/// Tells where the field at `path`, and all below it, came from; every field without a path. `resource` is
/// `Kind/name`, each with wildcards. The document of a release is told for each of its platforms.
///
/// # Errors
/// When nothing, or more than one document, is meant; and whatever keeps the cells from rendering.
pub fn blame(
    request: &Request,
    engine: &dyn Engine,
    resource: &str,
    path: Option<&str>,
) -> Result<Blame, Vec<Problem>> {
    let one = |problem: Problem| vec![problem];
    if !engine.knows_ambient() {
        return Err(one(Problem::new(
            "real Helm does not tell where its output came from",
        )
        .remedy("leave --engine out")));
    }
    let path = path.map(parse).transpose().map_err(one)?;
    let opened = sides::candidate(request)?.opened;
    let plan = Plan::of(&opened.config, Side::Candidate, &*opened.tree);
    if !plan.problems.is_empty() {
        return Err(plan.problems);
    }
    let cells: Vec<&Cell> = plan
        .cells
        .iter()
        .filter(|cell| request.selection.takes(cell))
        .collect();
    request.selection.check(&plan.cells)?;
    let found = find(&cells, &opened, plan.dialects[0], engine, resource)?;
    let mut told = Blame::new(found[0].document().id().clone());
    let mut lacking = None;
    for found in &found {
        let teller = Teller::new(found, &opened, plan.dialects[0], request.keep_secrets);
        match teller.fields(path.as_ref()) {
            Ok(fields) => told.add(found.cell.label(), fields),
            Err(problem) => {
                told.without.push(found.cell.label());
                lacking.get_or_insert(problem);
            }
        }
    }
    match lacking {
        Some(problem) if told.parts.is_empty() => Err(one(problem)),
        _ => Ok(told),
    }
}

/// The document that is meant, in one cell.
struct Found<'a> {
    cell: &'a Cell,
    output: Output,
    at: usize,
}

impl Found<'_> {
    fn document(&self) -> &Document {
        &self.output.manifest.documents[self.at]
    }
}

/// The one document of one release that is meant, in every cell that has it.
fn find<'a>(
    cells: &[&'a Cell],
    opened: &Opened,
    dialect: Dialect,
    engine: &dyn Engine,
    resource: &str,
) -> Result<Vec<Found<'a>>, Vec<Problem>> {
    let mut found: Vec<Found<'a>> = Vec::new();
    let mut names = BTreeSet::new();
    let mut failures = Vec::new();
    for cell in cells {
        let output = match render::cell(cell, &opened.tree, dialect, engine) {
            Outcome::Rendered(output) => output,
            Outcome::Failed(failure) => {
                failures.push(Problem {
                    place: failure.place,
                    message: format!("{}: {}", cell.label(), failure.message),
                    remedy: None,
                });
                continue;
            }
        };
        for (at, document) in output.manifest.documents.iter().enumerate() {
            names.insert(document.id().short());
            if is_meant(document.id(), resource) {
                let output = output.clone();
                found.push(Found { cell, output, at });
            }
        }
    }
    let Some(first) = found.first() else {
        // It may be a document of a cell that fails.
        failures.insert(0, unknown(resource, &names));
        return Err(failures);
    };
    let is_same =
        |other: &Found<'_>| other.cell.id == first.cell.id && other.document().id() == first.document().id();
    match found.iter().all(is_same) {
        true => Ok(found),
        false => Err(vec![ambiguous(resource, &found)]),
    }
}

fn parse(text: &str) -> Result<KeyPath, Problem> {
    KeyPath::parse(text).map_err(|(at, expected)| {
        Problem::new(format!("{text}: {expected} was expected at character {}", at + 1))
            .remedy("a path looks like spec.containers[name=app].env[2] or metadata.annotations[\"a.b/c\"]")
    })
}

fn is_meant(id: &DocumentId, resource: &str) -> bool {
    match resource.split_once('/') {
        Some((kind, name)) => wildcard::fits(kind, &id.kind) && wildcard::fits(name, &id.name),
        None => wildcard::fits(resource, &id.name),
    }
}

fn unknown(resource: &str, names: &BTreeSet<String>) -> Problem {
    let problem = Problem::new(format!("no document {resource} in the selected cells"));
    match nearest(resource, names.iter().map(String::as_str)) {
        Some(near) => problem.remedy(format!("did you mean {near}?")),
        None if names.is_empty() => problem,
        None => {
            let named: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
            problem.remedy(format!("there are {}", named.join(", ")))
        }
    }
}

fn ambiguous(resource: &str, found: &[Found<'_>]) -> Problem {
    let name = |found: &Found<'_>| format!("\n  {} in {}", found.document().id(), found.cell.label());
    let mut text: String = found.iter().take(NAMED).map(name).collect();
    if found.len() > NAMED {
        text.push_str(&format!("\n  and {} more", found.len() - NAMED));
    }
    Problem::new(format!("{resource} means more than one document:{text}"))
        .remedy("choose one with the full Kind/name and --release")
}

struct Teller<'a> {
    output: &'a Output,
    document: &'a Document,
    written: Written,
    mask: Mask,
}

impl<'a> Teller<'a> {
    fn new(found: &'a Found<'_>, opened: &Opened, dialect: Dialect, keep_secrets: bool) -> Teller<'a> {
        let output = &found.output;
        let job = found.cell.job(opened.tree.clone(), dialect);
        let written = output.history.as_ref().zip(job).map(|(history, job)| {
            Written::read(
                &*job.tree,
                &history.charts[0].chart,
                &job.values,
                &job.set,
                job.dialect,
            )
        });
        let written = written.unwrap_or_default();
        let mut known = build::known_secrets(Sides::new(None, Some(&output.manifest)), None);
        for document in written.layers.iter().flat_map(|layer| &layer.documents) {
            known.values(&document.node);
        }
        if let Some(state) = &opened.config.cluster {
            cluster_state::learn(&mut known, state, output.history.as_deref());
        }
        Teller {
            output,
            document: found.document(),
            written,
            mask: Redactor::new(keep_secrets).mask(known),
        }
    }

    fn fields(&self, path: Option<&KeyPath>) -> Result<Vec<FieldBlame>, Problem> {
        let body = self.document.body();
        let root = &body
            .map_err(|error| Problem::new(format!("{}: {error}", self.document.id())))?
            .node;
        let mut leaves = Vec::new();
        match path {
            Some(path) => match at(root, path) {
                Some(node) => collect(node, path.clone(), &mut leaves),
                None => return Err(self.no_field(root, path)),
            },
            None => collect(root, KeyPath::root(), &mut leaves),
        }
        Ok(leaves
            .into_iter()
            .map(|(path, node)| self.field(root, &path, node))
            .collect())
    }

    fn no_field(&self, root: &Node, path: &KeyPath) -> Problem {
        let mut leaves = Vec::new();
        collect(root, KeyPath::root(), &mut leaves);
        let known: Vec<String> = leaves.iter().map(|(path, _)| path.to_string()).collect();
        let problem = Problem::new(format!("{} has no field {path}", self.document.id()));
        match nearest(&path.to_string(), known.iter().map(String::as_str)) {
            Some(near) => problem.remedy(format!("did you mean {near}?")),
            None => problem.remedy("without a path, blame tells every field"),
        }
    }

    fn field(&self, root: &Node, path: &KeyPath, node: &Node) -> FieldBlame {
        let history = self.output.history.as_deref();
        let origin = match history {
            Some(history) => origins::of_field(history, self.document, path, None),
            None => self.document.source().map(|file| FieldOrigin {
                template: Some(Place::file(file)),
                ..FieldOrigin::default()
            }),
        };
        let origin = origin.unwrap_or_default();
        let shown = build::provenance(&origin, &self.mask);
        let covered = origin
            .values
            .iter()
            .map(|value| self.covered(&value.path, &value.place));
        let values: Vec<(ValueOrigin, Vec<Covered>)> = shown.values.into_iter().zip(covered).collect();
        FieldBlame {
            path: self.mask.path(path),
            value: self.mask.value(self.document.id(), Some(root), path, node),
            values,
            is_decided: origin.is_decided,
            marks: build::marks(&Sides::new(None, Some(&origin)), &self.mask),
            template: shown.template,
            chain: origin.chain,
        }
    }

    /// What lower layers say of the value.
    fn covered(&self, path: &KeyPath, place: &Place) -> Vec<Covered> {
        let settings = self.written.settings(&path.0);
        let is_own = |other: &Place| (&other.file, other.line) == (&place.file, place.line);
        let Some(own) = settings.iter().rposition(|setting| is_own(&setting.place)) else {
            return Vec::new();
        };
        // What a Secret would hold if nothing covered it is a secret, too, whatever its name in the values.
        let told = match &*self.document.id().kind {
            "Secret" => &KeyPath::root().key("stringData").key("covered"),
            _ => path,
        };
        let below = settings[..own].iter().filter(|setting| !setting.node.is_map());
        below
            .map(|setting| Covered {
                place: place_of_value(self.written.layer(setting), setting),
                layer: layer_name(self.written.layer(setting), &path.0),
                value: self.mask.value(self.document.id(), None, told, &setting.node),
            })
            .collect()
    }
}

/// Where the value itself stands; a flag has one place for all that it says.
fn place_of_value(layer: &WrittenLayer, setting: &Setting) -> Place {
    match layer.author {
        Author::Set(_) => setting.place.clone(),
        Author::Chart | Author::File | Author::Inline => layer.place(setting.node.mark),
    }
}

fn layer_name(layer: &WrittenLayer, path: &[Step]) -> &'static str {
    match layer.author {
        Author::Chart if layer.is_parent_chart(path) => "parent-chart",
        Author::Chart => "chart-default",
        Author::File | Author::Inline => "values-file",
        Author::Set(kind) => kind.flag().trim_start_matches('-'),
    }
}

/// The node at a path.
fn at<'n>(root: &'n Node, path: &KeyPath) -> Option<&'n Node> {
    path.0.iter().try_fold(root, |node, step| match step {
        Step::Key(key) => node.get(key),
        Step::Index(position) => node.items().get(*position),
        Step::Element { key, value } => {
            let has_it = |item: &&Node| item.get(key).and_then(scalar::text).as_ref() == Some(value);
            node.items().iter().find(has_it)
        }
    })
}

/// The leaves below a node; elements by name where every one has a name of its own.
fn collect<'n>(node: &'n Node, path: KeyPath, leaves: &mut Vec<(KeyPath, &'n Node)>) {
    if node.entries().is_empty() && node.items().is_empty() {
        leaves.push((path, node));
        return;
    }
    for entry in node.entries() {
        collect(&entry.value, path.key(&*entry.key), leaves);
    }
    let names: Vec<Option<&str>> = node
        .items()
        .iter()
        .map(|item| item.get("name").and_then(Node::as_str))
        .collect();
    let distinct: BTreeSet<&str> = names.iter().flatten().copied().collect();
    for (position, item) in node.items().iter().enumerate() {
        let step = match names[position].filter(|_| distinct.len() == names.len()) {
            Some(name) => Step::Element {
                key: "name".to_owned(),
                value: name.to_owned(),
            },
            None => Step::Index(position),
        };
        collect(item, path.join(step), leaves);
    }
}
