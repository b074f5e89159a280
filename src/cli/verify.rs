//! `evenkeel verify`: the main job, from the command line.

use super::args::VerifyArgs;
use super::exit::Exit;
use super::{engine, request, ui};
use crate::base::Problem;
use crate::report::output::{self, Output};
use crate::report::redact::ShowSecrets;
use crate::{report, verify};
use std::io::IsTerminal;

pub(super) fn run(args: &VerifyArgs) -> Result<Exit, Vec<Problem>> {
    let mut problems = Vec::new();
    let outputs: Vec<Output> = args
        .report
        .output
        .iter()
        .filter_map(|text| Output::parse(text).map_err(|problem| problems.push(problem)).ok())
        .collect();
    problems.extend(output::check(&outputs));
    let format = report::format(&args.report.format);
    if format.is_none() {
        let known: Vec<_> = report::FORMATS.iter().map(|format| format.name).collect();
        let name = &args.report.format;
        problems.push(
            Problem::new(format!("--format {name}: there is no such format"))
                .remedy(format!("the formats are {}", known.join(", "))),
        );
    }
    let style = ui::style(args.report.color, args.report.verbose, args.report.show_secrets);
    let keep = ShowSecrets::on_terminal(args.report.show_secrets, std::io::stdout().is_terminal()).is_some();
    let request = match request::of_verify(args, keep) {
        Ok(request) if problems.is_empty() => request,
        Ok(_) => return Err(problems),
        Err(more) => {
            problems.extend(more);
            return Err(problems);
        }
    };
    let engine = engine::choose(&args.run)?;
    let bar = ui::Bar::new(!args.run.no_progress && !args.report.quiet);
    let report = verify::run(&request, &*engine, &bar)?;

    // The files are written whatever the verdict; standard output comes last, so that a closed pipe loses
    // nothing.
    output::write(&report, &outputs)?;
    if let (Some(format), false) = (format, args.report.quiet) {
        let mut text = Vec::new();
        (format.write)(&report, &style, &mut text)
            .map_err(|error| vec![Problem::new(format!("the report cannot be written: {error}"))])?;
        ui::print(&text).map_err(|problem| vec![problem])?;
    }
    Ok(match report.outcome.exit_code {
        0 => Exit::Equivalent,
        1 => Exit::Differs,
        _ => Exit::Undecided,
    })
}
