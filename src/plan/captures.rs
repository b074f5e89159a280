//! Which captures a text may use, and texts that are held to it.

use super::config::Located;
use super::glob_text::GlobText;
use super::names;
use super::reader::{Field, Reader};
use super::template::Template;
use std::collections::BTreeSet;

/// The captures that the keys of a release, or of a platform, may use.
pub(super) struct Captures {
    names: BTreeSet<String>,
    /// What only some of the globs bind.
    partial: BTreeSet<String>,
    with_platforms: bool,
    /// True when nobody can say what is bound, because the globs are broken.
    open: bool,
}

impl Captures {
    /// Those of a release whose globs are broken: any.
    pub(super) fn open() -> Captures {
        Captures {
            names: BTreeSet::new(),
            partial: BTreeSet::new(),
            with_platforms: true,
            open: true,
        }
    }

    /// Those of a platform's own keys.
    pub(super) fn of_platform() -> Captures {
        Captures::of_globs(&[], true)
    }

    /// Those that all the globs of a release bind, and the platform.
    pub(super) fn of_globs(globs: &[Located<GlobText>], with_platforms: bool) -> Captures {
        let mut sets = globs
            .iter()
            .map(|glob| glob.value.names().iter().cloned().collect::<BTreeSet<String>>());
        let mut names = sets.next().unwrap_or_default();
        let mut any = names.clone();
        for set in sets {
            names = names.intersection(&set).cloned().collect();
            any.extend(set);
        }
        if with_platforms {
            names.insert("platform".to_owned());
        }
        Captures {
            partial: any.difference(&names).cloned().collect(),
            names,
            with_platforms,
            open: false,
        }
    }

    /// Adds those of one more glob, which binds them beside the others.
    pub(super) fn and(mut self, glob: &GlobText) -> Captures {
        self.names.extend(glob.names().iter().cloned());
        self
    }

    /// A capture that tells releases apart.
    pub(super) fn example(&self) -> Option<&str> {
        self.names
            .iter()
            .map(String::as_str)
            .find(|name| *name != "platform")
    }

    fn known(&self) -> String {
        if self.names.is_empty() {
            return "nothing is captured here".to_owned();
        }
        let names: Vec<String> = self.names.iter().map(|name| format!("{{{name}}}")).collect();
        format!("known are {}", names::listed(names.iter().map(String::as_str)))
    }
}

/// The template of a text node.
pub(super) fn template(reader: &mut Reader<'_>, field: &Field<'_>, captures: &Captures) -> Option<Template> {
    let text = reader.text(field)?;
    template_of(reader, field, text, captures)
}

/// A text as a template, whose captures all have to be known.
pub(super) fn template_of(
    reader: &mut Reader<'_>,
    field: &Field<'_>,
    text: &str,
    captures: &Captures,
) -> Option<Template> {
    let template = match Template::parse(text) {
        Ok(template) => template,
        Err(fault) => {
            reader.problem_with(
                field.node.mark,
                format!("`{}`: {fault} in `{text}`", field.path),
                "`{name}` stands for a capture; write `\\{` for a brace",
            );
            return None;
        }
    };
    let unknown: BTreeSet<&str> = template
        .captures()
        .filter(|name| !captures.open && !captures.names.contains(*name))
        .collect();
    for name in &unknown {
        let near = names::did_you_mean(name, captures.names.iter().map(String::as_str));
        let remedy = if *name == "platform" && !captures.with_platforms {
            "no `platforms` are configured".to_owned()
        } else if captures.partial.contains(*name) {
            "every glob of the list has to capture it".to_owned()
        } else if field.path.ends_with(".chart") {
            format!("{}; for a glob use `charts`", captures.known())
        } else {
            captures.known()
        };
        reader.problem_with(
            field.node.mark,
            format!("`{}`: nothing binds `{{{name}}}`{near}", field.path),
            remedy,
        );
    }
    unknown.is_empty().then_some(template)
}
