//! One entry of `releases:` as `init` writes it.

use super::flow::{block, flow, scalar};
use super::helmfile::Values;
use std::fmt::Write;

/// One entry to be written.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    /// Lines above it.
    pub(super) comments: Vec<String>,
    /// `charts`, `chart` or `manifests`.
    pub(super) key: &'static str,
    /// Its paths or globs.
    pub(super) paths: Vec<String>,
    pub(super) exclude: Vec<String>,
    pub(super) for_each: Option<String>,
    pub(super) name: String,
    pub(super) id: Option<String>,
    /// The id to take when the short one is not enough.
    pub(super) long_id: String,
    pub(super) namespace: Option<String>,
    /// A comment behind the namespace.
    pub(super) namespace_hint: bool,
    pub(super) platforms: Vec<String>,
    pub(super) values: Vec<Values>,
    pub(super) set: Vec<String>,
    pub(super) include_crds: bool,
    /// What ids it gives, as far as they are known.
    pub(super) ids: Vec<String>,
}

impl Entry {
    /// True where the namespace stands for one that is not known.
    pub(super) fn namespace_is_guessed(&self) -> bool {
        self.namespace_hint || self.for_each.is_some()
    }

    /// An id that no other entry has, however long.
    pub(super) fn id_by_path(&mut self) {
        let Some(path) = self.paths.first() else {
            return;
        };
        self.id = Some(match &self.for_each {
            Some(files) if files.starts_with(path.as_str()) => files.clone(),
            Some(files) => format!("{path}:{files}"),
            None => self.long_id.clone(),
        });
    }

    /// Writes the entry.
    pub(super) fn write(&self, text: &mut String) {
        for comment in &self.comments {
            line(text, &format!("  # {comment}"));
        }
        let mut lead = "  - ";
        let mut put = |key: &str, value: &str| {
            line(text, &format!("{lead}{key}: {value}"));
            lead = "    ";
        };
        put("name", &scalar(&self.name));
        if let Some(id) = &self.id {
            put("id", &scalar(id));
        }
        put(self.key, &one_or_list(&self.paths));
        if !self.exclude.is_empty() {
            put("exclude", &one_or_list(&self.exclude));
        }
        if let Some(glob) = &self.for_each {
            put("forEach", &scalar(glob));
        }
        if let Some(namespace) = &self.namespace {
            let hint = if self.namespace_hint {
                "   # yours is not known here"
            } else {
                ""
            };
            put("namespace", &format!("{}{hint}", scalar(namespace)));
        }
        if !self.platforms.is_empty() {
            put("platforms", &list(&self.platforms));
        }
        if !self.values.is_empty() {
            put("values", &values(&self.values));
        }
        if !self.set.is_empty() {
            put("set", &list(&self.set));
        }
        if self.include_crds {
            put("includeCRDs", "true");
        }
    }
}

/// A line longer than this is broken up.
const WIDTH: usize = 110;

fn values(values: &[Values]) -> String {
    let items: Vec<String> = values
        .iter()
        .map(|values| match values {
            Values::Path(path) => scalar(path),
            Values::Inline(map) => flow(map),
        })
        .collect();
    let is_short = |item: &String| item.chars().count() <= WIDTH;
    if items.iter().all(is_short) {
        return broken(&items);
    }
    values.iter().fold(String::new(), |mut text, values| {
        let item = match values {
            Values::Path(path) => scalar(path),
            Values::Inline(map) => block(map, 8),
        };
        let _ = write!(text, "\n      - {item}");
        text
    })
}

fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| scalar(item)).collect();
    broken(&items)
}

fn one_or_list(items: &[String]) -> String {
    match items {
        [item] => scalar(item),
        items => list(items),
    }
}

/// A list on one line, or with a line for each item when it would be long.
fn broken(items: &[String]) -> String {
    let flow = format!("[{}]", items.join(", "));
    if flow.chars().count() <= WIDTH - 16 {
        return flow;
    }
    items.iter().fold(String::new(), |mut text, item| {
        // The key is written by the caller, so the first item begins a new line too.
        let _ = write!(text, "\n      - {item}");
        text
    })
}

/// Adds a line; a list that begins on the next line leaves no blank behind its key.
pub(super) fn line(text: &mut String, line: &str) {
    text.push_str(&line.replace(": \n", ":\n"));
    text.push('\n');
}
