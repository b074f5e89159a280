//! A first `evenkeel.yaml` for a repository that was never seen before: a draft that verify accepts as it is,
//! and that says in comments what it could not know. Nothing is rendered and nothing written here.

mod draft;
mod entry;
mod families;
mod flow;
mod gotmpl;
mod groups;
mod helmfile;
mod hints;
mod overlays;
mod raw;
mod survey;

use super::config::FILE_NAME;
use super::load::parse;
use super::matrix::Plan;
use crate::base::{Problem, Side};
use crate::source::SourceTree;

/// A first configuration.
#[derive(Clone, Debug)]
pub struct First {
    /// The text of the file.
    pub text: String,
    /// What was found, a line each, for the terminal.
    pub found: Vec<String>,
    /// What the file itself still lacks to be accepted; empty unless the repository is odd.
    pub problems: Vec<Problem>,
}

/// Drafts a configuration for a repository.
///
/// # Errors
/// When there is nothing to render in it.
pub fn init(tree: &dyn SourceTree) -> Result<First, Problem> {
    let mut draft = draft::draft(tree);
    if draft.entries.is_empty() {
        return Err(Problem::new(format!(
            "nothing to render: no Chart.yaml and no Kubernetes YAML in the {}",
            tree.label()
        ))
        .remedy("hidden folders, tests and examples are not looked into"));
    }
    let (mut text, mut problems) = checked(&draft, tree);
    if !problems.is_empty() {
        draft.tell_all_apart();
        (text, problems) = checked(&draft, tree);
    }
    Ok(First {
        text,
        found: draft.found,
        problems,
    })
}

/// The text of a draft, and what it lacks to be accepted.
fn checked(draft: &draft::Draft, tree: &dyn SourceTree) -> (String, Vec<Problem>) {
    let text = draft.text();
    let (config, mut problems) = parse(text.as_bytes(), FILE_NAME, "");
    problems.extend(Plan::of(&config, Side::Candidate, tree).problems);
    (text, problems)
}

#[cfg(test)]
mod tests;
