//! `evenkeel init`: writes a first configuration for a repository it has never seen. What the repository does not say
//! it takes from flags; where there are none and somebody sits at the terminal, it asks.

use super::args::InitArgs;
use super::ask::{Asker, attended};
use super::exit::Exit;
use super::{request, ui};
use crate::base::Problem;
use crate::base::atomic::{self, Existing};
use crate::plan::config::FILE_NAME;
use crate::plan::init::choices::{helm_version, kube_version, namespace, platform};
use crate::plan::init::{self, Choices, First, Guesses};
use crate::source::{Repository, SourceTree};
use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::path::Path;

pub(super) fn run(args: &InitArgs) -> Result<Exit, Vec<Problem>> {
    let one = |problem| vec![problem];
    let choices = choices(args)?;
    let repository = Repository::discover(&request::directory()?).map_err(one)?;
    let tree = repository.work_tree("working tree").map_err(one)?;
    let path = repository.root().join(FILE_NAME);
    if args.stdout {
        let first = init::init(&tree, &choices).map_err(one)?;
        ui::print(first.text.as_bytes()).map_err(one)?;
        return told(&first, true);
    }
    if !args.has_flags() && attended() {
        let mut asker = Asker::new(std::io::stdin().lock(), std::io::stderr());
        let Some(choices) = interview(&tree, path.exists(), &mut asker).map_err(one)? else {
            ui::tell("nothing was written");
            return Ok(Exit::Equivalent);
        };
        let first = init::init(&tree, &choices).map_err(one)?;
        write(&first, &path, Existing::Replace)?;
        return told(&first, false);
    }
    if path.exists() && !args.force {
        let problem = Problem::new(format!("{} is there already", path.display()))
            .remedy("`evenkeel init --stdout` shows what would be written; --force replaces the file");
        return Err(one(problem));
    }
    let first = init::init(&tree, &choices).map_err(one)?;
    let existing = match args.force {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    write(&first, &path, existing)?;
    told(&first, true)
}

fn write(first: &First, path: &Path, existing: Existing) -> Result<(), Vec<Problem>> {
    let one = |problem| vec![problem];
    atomic::write(path, existing, |out| out.write_all(first.text.as_bytes()))
        .map_err(|error| one(Problem::new(format!("{}: {error}", path.display()))))?;
    ui::print(format!("wrote {}\n", path.display()).as_bytes()).map_err(one)
}

/// Tells what was found, unless it is known, and what to do now.
fn told(first: &First, found: bool) -> Result<Exit, Vec<Problem>> {
    for line in first.found.iter().filter(|_| found) {
        ui::tell(line);
    }
    if first.problems.is_empty() {
        ui::tell(&format!(
            "next: read {FILE_NAME}, then `evenkeel verify --against HEAD`"
        ));
        return Ok(Exit::Equivalent);
    }
    Err(first.problems.clone())
}

/// What the flags choose.
fn choices(args: &InitArgs) -> Result<Choices, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut flag = |name: &str, fault: String| problems.push(Problem::new(format!("--{name}: {fault}")));
    let mut choices = Choices::default();
    if let Some(text) = &args.kube_version {
        match kube_version(text) {
            Ok(version) => choices.kube_version = Some(version),
            Err(fault) => flag("kube-version", fault),
        }
    }
    if let Some(text) = &args.helm_version {
        match helm_version(text) {
            Ok(dialect) => choices.dialect = Some(dialect),
            Err(fault) => flag("helm-version", fault),
        }
    }
    if let Some(text) = &args.namespace {
        match namespace(text) {
            Ok(name) => choices.namespace = Some(name),
            Err(fault) => flag("namespace", fault),
        }
    }
    for text in &args.platform {
        match platform(text) {
            Ok(name) => {
                choices.platforms.get_or_insert_default().insert(name);
            }
            Err(fault) => flag("platform", fault),
        }
    }
    if problems.is_empty() {
        Ok(choices)
    } else {
        Err(problems)
    }
}

/// What the user chooses; `None` when the file that is there shall stay.
fn interview<R: BufRead, W: Write>(
    tree: &dyn SourceTree,
    exists: bool,
    asker: &mut Asker<R, W>,
) -> Result<Option<Choices>, Problem> {
    let (first, guesses) = init::look(tree)?;
    if exists && !asker.yes(&format!("{FILE_NAME} is there already. Replace it?"))? {
        return Ok(None);
    }
    for line in &first.found {
        ui::tell(line);
    }
    ui::tell("Enter takes what stands in brackets; the file can be changed at any time.");
    questions(&guesses, asker).map(Some)
}

fn questions<R: BufRead, W: Write>(guesses: &Guesses, asker: &mut Asker<R, W>) -> Result<Choices, Problem> {
    let mut choices = Choices::default();
    let known = match &guesses.kube_version {
        Some((version, file)) => format!("{version}, as in {file}"),
        None => "left open; v1.36.2, say".to_owned(),
    };
    choices.kube_version = asker.ask("Kubernetes version of the cluster", &known, kube_version)?;
    let known = match &guesses.dialect_from {
        Some(file) => format!("{}, as in {file}", guesses.dialect),
        None => guesses.dialect.to_string(),
    };
    choices.dialect = asker.ask("Helm that deploys, 3.19 or 4.3", &known, helm_version)?;
    let known = match guesses.platforms.is_empty() {
        true => "none".to_owned(),
        false => Vec::from_iter(guesses.platforms.iter().map(String::as_str)).join(", "),
    };
    choices.platforms = asker.ask("Platforms", &known, platforms)?;
    if let Some(known) = &guesses.namespace {
        choices.namespace = asker.ask("Namespace of the charts", known, namespace)?;
    }
    Ok(choices)
}

/// Names between commas or spaces.
fn platforms(text: &str) -> Result<BTreeSet<String>, String> {
    text.split([',', ' '])
        .filter(|name| !name.is_empty())
        .map(platform)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::source::MemoryTree;

    fn asked(answers: &str, exists: bool) -> (Result<Option<Choices>, Problem>, String) {
        let tree = MemoryTree::new("test").file("web/Chart.yaml", "name: web\nversion: 0.1.0\n");
        let mut out = Vec::new();
        let answer = interview(&tree, exists, &mut Asker::new(answers.as_bytes(), &mut out));
        (answer, String::from_utf8(out).unwrap())
    }

    #[test]
    fn enter_takes_what_was_found() {
        let (choices, shown) = asked("\n\n\n\n", false);
        assert_eq!(choices, Ok(Some(Choices::default())));
        assert_eq!(shown.matches("]: ").count(), 4, "{shown}");
        assert!(shown.contains("Namespace of the charts [default]: "), "{shown}");
    }

    #[test]
    fn answers_become_choices() {
        let (choices, shown) = asked("1\nv1.33.1\n3.19\namd, arm64\napps\n", false);
        assert!(shown.contains("lacks a minor version"), "{shown}");
        let choices = choices.unwrap().unwrap();
        assert_eq!(choices.kube_version.as_deref(), Some("v1.33.1"));
        assert_eq!(choices.dialect, Some(Dialect::V3_19));
        assert_eq!(
            choices.platforms,
            Some(["amd", "arm64"].map(str::to_owned).into())
        );
        assert_eq!(choices.namespace.as_deref(), Some("apps"));
    }

    #[test]
    fn a_file_that_is_there_stays_unless_told_otherwise() {
        assert_eq!(asked("\n", true).0, Ok(None));
        assert_eq!(asked("y\n\n\n\n\n", true).0, Ok(Some(Choices::default())));
        assert!(asked("y\n", true).0.is_err());
    }
}
