//! A first `evenkeel.yaml` for a repository that was never seen before: a draft that verify accepts as it is,
//! and that says in comments what it could not know. Nothing is rendered and nothing written here.

pub mod choices;
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

pub use choices::{Choices, Guesses};

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

/// What would be written, and what of it is a guess.
///
/// # Errors
/// When there is nothing to render in the repository.
pub fn look(tree: &dyn SourceTree) -> Result<(First, Guesses), Problem> {
    let draft = drafted(tree, &Choices::default())?;
    let guesses = draft.guesses();
    Ok((finished(draft, tree), guesses))
}

/// Drafts a configuration for a repository, with what its owner chose.
///
/// # Errors
/// When there is nothing to render in it.
pub fn init(tree: &dyn SourceTree, choices: &Choices) -> Result<First, Problem> {
    Ok(finished(drafted(tree, choices)?, tree))
}

fn drafted(tree: &dyn SourceTree, choices: &Choices) -> Result<draft::Draft, Problem> {
    let draft = draft::draft(tree, choices);
    if !draft.entries.is_empty() {
        return Ok(draft);
    }
    if choices.platforms.is_some() {
        return Err(Problem::new(format!(
            "nothing to render on these platforms in the {}",
            tree.label()
        ))
        .remedy("without --platform, those that are found are taken"));
    }
    Err(Problem::new(format!(
        "nothing to render: no Chart.yaml and no Kubernetes YAML in the {}",
        tree.label()
    ))
    .remedy("hidden folders, tests and examples are not looked into"))
}

/// The text of a draft; with longer ids where the short ones do not do.
fn finished(mut draft: draft::Draft, tree: &dyn SourceTree) -> First {
    let (mut text, mut problems) = checked(&draft, tree);
    if !problems.is_empty() {
        draft.tell_all_apart();
        (text, problems) = checked(&draft, tree);
    }
    First {
        text,
        found: draft.found,
        problems,
    }
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
