//! `evenkeel man`: the manual, made from the same words as `--help` and from the checks' own explanations.

use super::args::{Cli, ManArgs};
use super::exit::Exit;
use super::ui;
use crate::base::Problem;
use crate::base::atomic::{self, Existing};
use crate::check::CHECKS;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use roff::{Roff, bold, roman};
use std::io;

pub(super) fn run(args: &ManArgs) -> Result<Exit, Vec<Problem>> {
    let pages = pages().map_err(|error| vec![Problem::new(format!("the manual cannot be made: {error}"))])?;
    let Some(directory) = &args.directory else {
        let first = &pages[0].text;
        ui::print(first).map_err(|problem| vec![problem])?;
        return Ok(Exit::Equivalent);
    };
    let mut problems = Vec::new();
    for page in &pages {
        let path = directory.join(&page.file);
        if let Err(error) = atomic::write(&path, Existing::Replace, |out| out.write_all(&page.text)) {
            problems.push(Problem::new(format!("{}: {error}", path.display())));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    ui::tell(&format!("wrote {} pages to {}", pages.len(), directory.display()));
    Ok(Exit::Equivalent)
}

/// A page, ready for `man`.
struct Page {
    /// Its file, such as `evenkeel-verify.1`.
    file: String,
    text: Vec<u8>,
}

/// The page of evenkeel itself, one for each command, and that of the checks.
fn pages() -> io::Result<Vec<Page>> {
    let mut root = Cli::command();
    // Gives each command its whole name.
    root.build();
    let commands = root
        .get_subcommands()
        .filter(|command| command.get_name() != "help");
    let mut pages = vec![command_page(&root)?];
    for command in commands {
        pages.push(command_page(command)?);
    }
    pages.push(checks_page()?);
    Ok(pages)
}

fn command_page(command: &Command) -> io::Result<Page> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    Ok(Page {
        file: format!("{name}.1"),
        text,
    })
}

/// What `evenkeel explain` tells, as a page.
fn checks_page() -> io::Result<Page> {
    let mut roff = Roff::new();
    roff.control("TH", ["evenkeel-checks", "7"])
        .control("SH", ["NAME"])
        .text([roman("evenkeel-checks - the hazards that evenkeel tells")])
        .control("SH", ["CHECKS"]);
    for check in CHECKS {
        roff.control("SS", [check.name])
            .text([roman("Level: "), bold(check.level.name())]);
        for paragraph in check.explain.trim().split("\n\n") {
            roff.control("PP", []);
            if paragraph.starts_with(' ') {
                roff.control("nf", [])
                    .text([roman(paragraph.trim_end())])
                    .control("fi", []);
            } else {
                let flowing = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
                roff.text([roman(flowing)]);
            }
        }
    }
    let mut text = Vec::new();
    roff.to_writer(&mut text)?;
    Ok(Page {
        file: "evenkeel-checks.7".to_owned(),
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_page_for_each_command_and_every_check_is_in_the_manual() {
        let pages = pages().unwrap();
        let files: Vec<&str> = pages.iter().map(|page| page.file.as_str()).collect();
        assert_eq!(files[0], "evenkeel.1");
        assert!(files.contains(&"evenkeel-verify.1"));
        let checks = String::from_utf8(pages.last().unwrap().text.clone()).unwrap();
        for check in CHECKS {
            // roff writes a hyphen as `\-`
            let name = check.name.replace('-', r"\-");
            assert!(
                checks.contains(&name) || checks.contains(check.name),
                "{}",
                check.name
            );
        }
    }
}
