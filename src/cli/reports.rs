//! Where a report goes: files in any format, and standard output in one.

use super::args::ReportArgs;
use super::exit::Exit;
use super::pager::{self, Paging};
use super::ui;
use crate::base::Problem;
use crate::report::model::Report;
use crate::report::output::{self, Output};
use crate::report::redact::ShowSecrets;
use crate::report::{self, Format, Style, names};
use std::io::IsTerminal;

/// The formats that somebody reads at a terminal.
const FOR_PEOPLE: [&str; 3] = ["names", "stat", "text"];

/// The reports of one run.
pub(super) struct Reports {
    outputs: Vec<Output>,
    format: Option<&'static Format>,
    style: Style,
    /// True when the terminal was asked to show the values of secrets.
    pub(super) keep_secrets: bool,
}

impl Reports {
    /// What the flags ask for.
    pub(super) fn of(args: &ReportArgs, format: &str) -> Result<Reports, Vec<Problem>> {
        let mut problems = Vec::new();
        let outputs: Vec<Output> = args
            .output
            .iter()
            .filter_map(|text| Output::parse(text).map_err(|problem| problems.push(problem)).ok())
            .collect();
        problems.extend(output::check(&outputs));
        // clap lets no other name through.
        let format = report::format(format);
        if !problems.is_empty() {
            return Err(problems);
        }
        let on_terminal = std::io::stdout().is_terminal();
        Ok(Reports {
            outputs,
            format: format.filter(|_| !args.quiet),
            style: ui::style(args.color, args.verbose, args.show_secrets),
            keep_secrets: ShowSecrets::on_terminal(args.show_secrets, on_terminal).is_some(),
        })
    }

    /// Writes them all and gives the exit code. The files are written whatever the verdict; standard output comes
    /// last, so that a closed pipe loses nothing.
    pub(super) fn write(&self, report: &Report, paging: Paging) -> Result<Exit, Vec<Problem>> {
        output::write(report, &self.outputs)?;
        if let Some(format) = self.format {
            let mut text = Vec::new();
            (format.write)(report, &self.style, &mut text)
                .map_err(|error| vec![Problem::new(format!("the report cannot be written: {error}"))])?;
            let paging = if FOR_PEOPLE.contains(&format.name) {
                paging
            } else {
                Paging::Never
            };
            pager::print(&text, paging).map_err(|problem| vec![problem])?;
            if format.name == names::FORMAT.name
                && let Some(rest) = names::unlisted(report)
            {
                ui::tell(&rest);
            }
        }
        Ok(match report.outcome.exit_code {
            0 => Exit::Equivalent,
            1 => Exit::Differs,
            _ => Exit::Undecided,
        })
    }
}
