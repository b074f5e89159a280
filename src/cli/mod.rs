//! The command line, the terminal, exit codes. One file per command.

mod accept;
mod args;
mod ask;
mod audit;
mod bar;
mod blame;
mod completions;
mod doctor;
mod engine;
mod exit;
mod explain;
mod init;
mod man;
mod pager;
mod pin;
mod render;
mod reports;
mod request;
pub mod template;
mod ui;
mod verify;
mod witness;
mod wrap;

use args::{Cli, Command};
use clap::Parser;
use exit::Exit;
use pager::Paging;
use std::process::ExitCode;

/// Reads the command line, does what it says, and gives the exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // clap knows whether this is help (standard output, 0) or a usage error (standard error, 2).
            let _ = error.print();
            return if error.use_stderr() {
                Exit::Undecided.into()
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    run(cli.command, Paging::of(cli.no_pager))
}

fn run(command: Command, paging: Paging) -> ExitCode {
    let done = match command {
        Command::Template(args) => {
            return template::run(&args).unwrap_or_else(|problems| {
                ui::problems(&problems);
                ExitCode::FAILURE
            });
        }
        Command::Verify(args) => verify::run(&args, paging),
        Command::Accept(args) => accept::run(&args),
        Command::Audit(args) => audit::run(&args, paging),
        Command::Blame(args) => blame::run(&args, paging),
        Command::Explain(args) => explain::run(&args, paging),
        Command::Pin(args) => pin::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Witness(args) => witness::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    };
    done.unwrap_or_else(|problems| ui::problems(&problems)).into()
}
