//! Every command of README.md and docs/ is run, and what it prints is held against what the page shows.
//!
//! A page's blocks ```` ```console ```` are one shell session: a line `$ command` is run by bash, the lines below it are
//! what it prints. `…` stands for any text within a line, and alone on a line for any lines. A command fails the test
//! unless it exits with 0, or with N where its output begins with `[exit N]`. The session runs in a repository with the bundled fixture:
//! the three copied stacks under the tag `stacks`, the merged stack as the commit after it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may fail, and says so"
)]

mod common;

use std::path::Path;
use std::process::Command;

struct Step {
    line: usize,
    command: String,
    code: i32,
    expected: Vec<String>,
}

/// The session of a page.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut within = false;
    for (number, line) in text.lines().enumerate() {
        match line.trim_end() {
            "```console" => within = true,
            "```" => within = false,
            _ if !within => {}
            line => match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step {
                    line: number + 1,
                    command: command.to_owned(),
                    code: 0,
                    expected: Vec::new(),
                }),
                (None, Some(step)) if step.command.ends_with('\\') => {
                    step.command = format!("{}\n{line}", step.command);
                }
                (None, Some(step)) => match line
                    .strip_prefix("[exit ")
                    .and_then(|rest| rest.strip_suffix(']'))
                {
                    Some(code) => step.code = code.parse().unwrap(),
                    None => step.expected.push(line.to_owned()),
                },
                (None, None) => panic!("line {}: output of no command", number + 1),
            },
        }
    }
    for step in &mut steps {
        while step.expected.last().is_some_and(String::is_empty) {
            step.expected.pop();
        }
    }
    steps
}

/// Whether printed lines are the expected ones.
fn fits(expected: &[String], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "…" => (0..=printed.len()).any(|skip| fits(rest, &printed[skip..])),
        Some((first, rest)) => printed
            .split_first()
            .is_some_and(|(line, others)| line_fits(first, line) && fits(rest, others)),
    }
}

fn line_fits(expected: &str, line: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut left) = line.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    for (at, part) in parts.iter().enumerate() {
        let found = if at + 1 == parts.len() {
            left.rfind(part)
        } else {
            left.find(part)
        };
        let Some(found) = found else { return false };
        left = &left[found + part.len()..];
    }
    left.is_empty()
}

/// The repository that the sessions run in.
fn repository(folder: &Path) {
    let stack = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ai-stack");
    common::repository(folder, &stack.join("before"), &stack.join("after"));
    common::git(folder, &["tag", "stacks"]);
    common::git(folder, &["add", "-A"]);
    common::git(folder, &["commit", "-q", "-m", "merge the stacks"]);
}

fn run_page(page: &Path) {
    let text = std::fs::read_to_string(page).unwrap();
    let steps = steps(&text);
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    let binary = Path::new(env!("CARGO_BIN_EXE_evenkeel"));
    let helm = common::helm("4.3.1");
    let tools = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(binary, tools.path().join("evenkeel")).unwrap();
    if let Some(helm) = &helm {
        std::os::unix::fs::symlink(helm, tools.path().join("helm")).unwrap();
    }
    for step in steps {
        let needs_helm = step.command.contains("evenkeel witness") || step.command.contains("engine witness");
        if needs_helm && helm.is_none() {
            eprintln!(
                "skipped: {}: no Helm; scripts/witness.sh fetches it",
                step.command
            );
            continue;
        }
        let output = Command::new("bash")
            .args(["-c", &format!("{{ {}\n}} 2>&1", step.command)])
            .current_dir(folder.path())
            .env_clear()
            .env(
                "PATH",
                format!("{}:{}", tools.path().display(), std::env::var("PATH").unwrap()),
            )
            .env("HOME", folder.path().join(".git"))
            .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "reader")))
            .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|name| (name, "reader@example.com")))
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
        let place = format!("{}:{}", page.display(), step.line);
        assert_eq!(
            output.status.code(),
            Some(step.code),
            "{place}: {}\n{printed}",
            step.command
        );
        assert!(
            fits(&step.expected, &lines),
            "{place}: {} prints\n{printed}",
            step.command
        );
    }
}

#[test]
fn every_command_of_the_pages_does_what_they_show() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md")];
    for entry in std::fs::read_dir(root.join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    assert!(pages.len() > 3);
    for page in pages {
        run_page(&page);
    }
}

/// The indented block behind a line of a page, as far as it goes.
fn indented<'t>(text: &'t str, line: &str) -> Vec<&'t str> {
    let mut lines = text.lines().skip_while(|found| *found != line);
    assert!(lines.next().is_some(), "{line:?} is not in the page");
    let mut block: Vec<&str> = lines
        .skip_while(|line| line.is_empty())
        .take_while(|line| line.is_empty() || line.starts_with("    "))
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .collect();
    while block.last().is_some_and(|line| line.is_empty()) {
        block.pop();
    }
    block
}

/// What a command of the binary prints to standard output, and its exit code.
fn printed(folder: &Path, command: &str) -> (String, Option<i32>) {
    let output = common::evenkeel(folder)
        .args(command.split(' ').skip(1))
        .output()
        .unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

fn assert_fits(expected: &[&str], printed: &str) {
    let expected: Vec<String> = expected.iter().map(|line| (*line).to_owned()).collect();
    let lines: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
    assert!(
        fits(&expected, &lines),
        "the README shows\n{}\nand it prints\n{printed}",
        expected.join("\n")
    );
}

/// The first thing that anyone sees: the merged stack, with the selector of a StatefulSet changed.
#[test]
fn the_sample_at_the_top_is_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    common::copy(&root.join("fixtures/ai-stack/after"), folder.path());
    let config = folder.path().join("evenkeel.yaml");
    let text = std::fs::read_to_string(&config).unwrap();
    // Its baseline is the stack itself here, not the three copies.
    let (own, _) = text.split_once("baseline:\n").unwrap();
    std::fs::write(&config, own).unwrap();
    common::git(folder.path(), &["init", "-q"]);
    common::git(folder.path(), &["add", "-A"]);
    common::git(folder.path(), &["commit", "-q", "-m", "merged"]);
    common::git(folder.path(), &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let patch = root.join("fixtures/ai-stack/mutations/07-selector-changed/change.patch");
    common::git(folder.path(), &["apply", patch.to_str().unwrap()]);
    let command = "evenkeel verify --against origin/main";
    let (told, code) = printed(folder.path(), command);
    assert_eq!(code, Some(1));
    assert_fits(&indented(&page, &format!("    $ {command}")), &told);
}

#[test]
fn what_there_is_to_try_ends_as_it_is_said() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("README.md")).unwrap();
    let (_, rest) = page.split_once("\n    cargo run --release -- ").unwrap();
    let command = format!("evenkeel {}", rest.lines().next().unwrap());
    // The verdict does not depend on where the two trees lie.
    let folder = tempfile::tempdir().unwrap();
    common::copy(
        &root.join("fixtures/ai-stack"),
        &folder.path().join("fixtures/ai-stack"),
    );
    common::git(folder.path(), &["init", "-q"]);
    common::git(folder.path(), &["add", "-A"]);
    common::git(folder.path(), &["commit", "-q", "-m", "fixtures"]);
    let (told, code) = printed(folder.path(), &command);
    assert_eq!(code, Some(0), "{told}");
    assert_fits(
        &indented(&page, "It ends with exit code 0 and"),
        told.lines().next().unwrap(),
    );
}

#[test]
fn links_between_the_pages_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md"), root.join("ARCHITECTURE.md")];
    pages.extend(
        std::fs::read_dir(root.join("docs"))
            .unwrap()
            .map(|entry| entry.unwrap().path()),
    );
    for page in pages
        .iter()
        .filter(|page| page.extension().is_some_and(|extension| extension == "md"))
    {
        let text = std::fs::read_to_string(page).unwrap();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split([')', '#']).next().unwrap();
            if !target.is_empty() && !target.contains("://") {
                let path = page.parent().unwrap().join(target);
                assert!(path.exists(), "{}: {target} is not there", page.display());
            }
        }
    }
}

#[test]
fn wildcards_stand_for_what_they_should() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(fits(&lines("a\n…\nd"), &["a", "b", "c", "d"]));
    assert!(!fits(&lines("a\n…\nd"), &["a", "b"]));
    assert!(fits(&lines("pinned … as x"), &["pinned 123 as x"]));
    assert!(!fits(&lines("pinned … as x"), &["pinned 123 as y"]));
}
