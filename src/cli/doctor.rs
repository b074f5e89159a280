//! `evenkeel doctor`: whether git, the configuration, the baseline and real Helm are as a run needs them.

use super::args::DoctorArgs;
use super::exit::Exit;
use super::wrap::wrapped;
use super::{engine, request, ui};
use crate::base::Problem;
use crate::dialect::Dialect;
use crate::verify::{Point, State, examine};

pub(super) fn run(args: &DoctorArgs) -> Result<Exit, Vec<Problem>> {
    let mut problems = Vec::new();
    let against = args.against.as_deref().unwrap_or_default();
    let request = request::of_run(&args.run, against, None, &mut problems)?;
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut points = examine(&request);
    points.push(Point {
        subject: "real Helm",
        state: helm(args),
    });
    let (text, exit) = told(&points, ui::line_columns());
    ui::print(text.as_bytes()).map_err(|problem| vec![problem])?;
    Ok(exit)
}

/// Helm is needed by the witness alone: without it the point is doubtful at worst.
fn helm(args: &DoctorArgs) -> State {
    let wanted = match &args.run.helm_version {
        Some(name) => Dialect::parse(name).into_iter().collect(),
        None => Dialect::ALL.to_vec(),
    };
    let engine = match engine::witness(&args.run) {
        Ok(engine) => engine,
        Err(problems) => return without_helm(problems),
    };
    let (fine, missing): (Vec<_>, Vec<_>) = wanted
        .into_iter()
        .map(|dialect| engine.ready(dialect).map(|()| dialect.name()))
        .partition(Result::is_ok);
    let names: Vec<_> = fine.into_iter().flatten().collect();
    if names.is_empty() {
        return without_helm(missing.into_iter().filter_map(Result::err).collect());
    }
    State::Fine(format!("{} for `evenkeel witness`", names.join(" and ")))
}

fn without_helm(problems: Vec<Problem>) -> State {
    let why = problems.into_iter().next().map(|problem| problem.message);
    State::Doubtful(
        Problem::new(why.unwrap_or_else(|| "none found".to_owned()))
            .remedy("only `evenkeel witness` and --engine witness need it"),
    )
}

fn told(points: &[Point], columns: usize) -> (String, Exit) {
    let widest = points.iter().map(|point| point.subject.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut exit = Exit::Equivalent;
    for Point { subject, state } in points {
        let mut line = |mark: &str, what: &str| {
            for (number, part) in what.lines().enumerate() {
                let (line, indent) = match number {
                    0 => (format!("{mark:6}  {subject:widest$}  {part}"), widest + 10),
                    _ => (part.to_owned(), 4),
                };
                text.push_str(&wrapped(&line, columns, indent));
            }
        };
        match state {
            State::Fine(what) => line("ok", what),
            State::Doubtful(problem) => line("note", &problem.to_string()),
            State::Broken(problems) => {
                exit = Exit::Undecided;
                for problem in problems {
                    line("broken", &problem.to_string());
                }
            }
        }
    }
    (text, exit)
}
