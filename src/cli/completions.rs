//! `evenkeel completions`: what a shell needs to complete the command line.

use super::args::{Cli, CompletionsArgs};
use super::exit::Exit;
use super::ui;
use crate::base::Problem;
use clap::CommandFactory;

pub(super) fn run(args: &CompletionsArgs) -> Result<Exit, Vec<Problem>> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "evenkeel", &mut text);
    ui::print(&text).map_err(|problem| vec![problem])?;
    Ok(Exit::Equivalent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap_complete::Shell;

    #[test]
    fn every_shell_completes_every_command() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "evenkeel", &mut text);
            let text = String::from_utf8(text).unwrap();
            for command in Cli::command().get_subcommands() {
                assert!(
                    text.contains(command.get_name()),
                    "{shell}: {}",
                    command.get_name()
                );
            }
        }
    }
}
