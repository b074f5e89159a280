//! `Reader`: takes parsed YAML apart and keeps every problem it meets. Nothing here knows a key of
//! `evenkeel.yaml`; `read` does.

use super::names;
use crate::base::{Place, Problem};
use crate::yaml::{Entry, Mark, Node, NodeKind};
use std::sync::Arc;

/// Reads one file, collecting problems.
pub(super) struct Reader<'t> {
    file: Arc<str>,
    text: &'t str,
    /// Every problem so far.
    pub(super) problems: Vec<Problem>,
}

/// A map whose keys have been checked, with the path that leads to it.
pub(super) struct Fields<'n> {
    entries: &'n [Entry],
    /// The path of the map, such as `releases[2]`; empty for the whole file.
    pub(super) path: String,
    /// Where the map begins.
    pub(super) mark: Mark,
}

/// A value with the path that leads to it.
#[derive(Clone)]
pub(super) struct Field<'n> {
    /// The value.
    pub(super) node: &'n Node,
    /// The path, such as `releases[2].name`.
    pub(super) path: String,
}

impl<'n> Fields<'n> {
    /// The value of a key; `None` when it is absent or null.
    pub(super) fn get(&self, key: &str) -> Option<Field<'n>> {
        let entry = self.entries.iter().find(|entry| &*entry.key == key)?;
        (!entry.value.is_null()).then(|| Field {
            node: &entry.value,
            path: self.path_of(key),
        })
    }

    /// Every entry with its value, also null ones.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'n Entry, Field<'n>)> {
        self.entries.iter().map(|entry| {
            let path = self.path_of(&entry.key);
            (
                entry,
                Field {
                    node: &entry.value,
                    path,
                },
            )
        })
    }

    /// Where a key stands; where the map begins when it is absent.
    pub(super) fn mark_of(&self, key: &str) -> Mark {
        self.entries
            .iter()
            .find(|entry| &*entry.key == key)
            .map_or(self.mark, |entry| entry.mark)
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }
}

impl<'t> Reader<'t> {
    /// A reader of a file; `text` is what its nodes were read from.
    pub(super) fn new(file: Arc<str>, text: &'t str) -> Reader<'t> {
        Reader {
            file,
            text,
            problems: Vec::new(),
        }
    }

    /// A position of the file.
    pub(super) fn place(&self, mark: Mark) -> Place {
        Place::new(self.file.clone(), mark.line, mark.column)
    }

    /// Records a problem.
    pub(super) fn problem(&mut self, mark: Mark, message: impl Into<String>) {
        self.problems.push(Problem::at(self.place(mark), message));
    }

    /// Records a problem with what to do about it.
    pub(super) fn problem_with(&mut self, mark: Mark, message: impl Into<String>, remedy: impl Into<String>) {
        self.problems
            .push(Problem::at(self.place(mark), message).remedy(remedy));
    }

    /// A map with any keys.
    pub(super) fn open_map<'n>(&mut self, field: &Field<'n>) -> Option<Fields<'n>> {
        match &field.node.kind {
            NodeKind::Map(entries) => Some(Fields {
                entries,
                path: field.path.clone(),
                mark: field.node.mark,
            }),
            _ => {
                self.wrong_type(field, "a map");
                None
            }
        }
    }

    /// A map with known keys; unknown ones are problems.
    pub(super) fn map<'n>(&mut self, field: &Field<'n>, known: &[&str]) -> Option<Fields<'n>> {
        let fields = self.open_map(field)?;
        for entry in fields.entries {
            if !known.contains(&&*entry.key) {
                self.unknown_key(entry, &fields.path, known);
            }
        }
        Some(fields)
    }

    fn unknown_key(&mut self, entry: &Entry, path: &str, known: &[&str]) {
        let place = if path.is_empty() {
            String::new()
        } else {
            format!(" in `{path}`")
        };
        match names::nearest(&entry.key, known.iter().copied()) {
            Some(name) => self.problem(
                entry.mark,
                format!("unknown key `{}`{place}, did you mean `{name}`?", entry.key),
            ),
            None => self.problem_with(
                entry.mark,
                format!("unknown key `{}`{place}", entry.key),
                format!("known keys are {}", names::listed(known.iter().copied())),
            ),
        }
    }

    /// The elements of a list.
    pub(super) fn list<'n>(&mut self, field: &Field<'n>) -> Vec<Field<'n>> {
        match &field.node.kind {
            NodeKind::List(items) => elements(items, &field.path),
            _ => {
                self.wrong_type(field, "a list");
                Vec::new()
            }
        }
    }

    /// The elements of a list, or the one thing that stands where a list may.
    pub(super) fn one_or_many<'n>(&mut self, field: &Field<'n>) -> Vec<Field<'n>> {
        match &field.node.kind {
            NodeKind::List(items) => elements(items, &field.path),
            _ => vec![field.clone()],
        }
    }

    /// A text that is not empty.
    pub(super) fn text<'n>(&mut self, field: &Field<'n>) -> Option<&'n str> {
        match &field.node.kind {
            NodeKind::Str(text) if text.is_empty() => {
                self.problem(field.node.mark, format!("`{}` is empty", field.path));
                None
            }
            NodeKind::Str(text) => Some(text),
            _ => {
                self.wrong_type(field, "a string");
                None
            }
        }
    }

    /// Texts, one or a list of them.
    pub(super) fn texts<'n>(&mut self, field: &Field<'n>) -> Vec<(&'n str, Mark)> {
        if field.node.is_map() {
            self.wrong_type(field, "a string or a list of strings");
            return Vec::new();
        }
        self.one_or_many(field)
            .iter()
            .filter_map(|item| Some((self.text(item)?, item.node.mark)))
            .collect()
    }

    /// A version: a text, or a number as it is written (`1.30` is not `1.3`).
    pub(super) fn version(&mut self, field: &Field<'_>) -> Option<String> {
        if let NodeKind::Number(_) = field.node.kind {
            let written = self.written(field.node.mark);
            if written.starts_with(|c: char| c.is_ascii_digit()) {
                return Some(written.to_owned());
            }
            self.problem_with(
                field.node.mark,
                format!("`{}` must be a string, not a number", field.path),
                "put it in quotes: YAML reads 1.30 as the number 1.3",
            );
            return None;
        }
        self.text(field).map(str::to_owned)
    }

    /// A boolean.
    pub(super) fn boolean(&mut self, field: &Field<'_>) -> Option<bool> {
        match &field.node.kind {
            NodeKind::Bool(value) => Some(*value),
            _ => {
                self.wrong_type(field, "true or false");
                None
            }
        }
    }

    /// Records that something of another type was expected.
    pub(super) fn wrong_type(&mut self, field: &Field<'_>, wanted: &str) {
        let what = if field.path.is_empty() {
            "the file".to_owned()
        } else {
            format!("`{}`", field.path)
        };
        let message = format!("{what} must be {wanted}, not {}", field.node.kind_name());
        let written = self.written(field.node.mark);
        match field.node.kind {
            NodeKind::Bool(_) | NodeKind::Number(_) | NodeKind::Null
                if wanted == "a string" && !written.is_empty() =>
            {
                let remedy = format!("put it in quotes: \"{written}\"");
                self.problem_with(field.node.mark, message, remedy);
            }
            _ => self.problem(field.node.mark, message),
        }
    }

    /// The plain scalar at a position, as written.
    fn written(&self, mark: Mark) -> &'t str {
        let rest = self.text.get(mark.offset as usize..).unwrap_or_default();
        let end = rest
            .find(|c: char| c.is_whitespace() || ",]}\"'".contains(c))
            .unwrap_or(rest.len());
        &rest[..end]
    }
}

fn elements<'n>(items: &'n [Node], path: &str) -> Vec<Field<'n>> {
    items
        .iter()
        .enumerate()
        .map(|(index, node)| Field {
            node,
            path: format!("{path}[{index}]"),
        })
        .collect()
}
