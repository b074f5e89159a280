//! `evenkeel render`: prints the manifests of cells.

use super::args::RenderArgs;
use super::exit::Exit;
use super::{engine, request, ui};
use crate::base::par::Workers;
use crate::base::{Problem, Side};
use crate::plan::{Input, Plan};
use crate::verify::sides;

pub(super) fn run(args: &RenderArgs) -> Result<Exit, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut request = request::of_run(&args.run, "", args.candidate.clone(), &mut problems)?;
    request.cluster = request::cluster(&args.cluster, &args.run, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    if let Some(selector) = &args.selector {
        request.selection = request.selection.selector(selector);
    }
    let opened = sides::candidate(&request)?.opened;
    let plan = Plan::of(&opened.config, Side::Candidate, &*opened.tree);
    if !plan.problems.is_empty() {
        return Err(plan.problems);
    }
    let dialect = plan.dialects[0];
    let engine = engine::choose(&args.run)?;
    engine.ready(dialect).map_err(|problem| vec![problem])?;
    let cells: Vec<_> = plan
        .cells
        .iter()
        .filter(|cell| request.selection.takes(cell))
        .collect();
    request.selection.check(&plan.cells)?;
    let workers = Workers::new(request.jobs).map_err(|text| vec![Problem::new(text)])?;
    let rendered = workers.map(&cells, |cell| {
        match (cell.job(opened.tree.clone(), dialect), &cell.input) {
            (Some(job), _) => engine
                .render(&job)
                .map(|rendered| (rendered.output, rendered.warnings))
                .map_err(|failure| Problem {
                    place: failure.place,
                    message: failure.message,
                    remedy: None,
                }),
            (None, Input::Manifests(paths)) => {
                let mut text = Vec::new();
                for path in paths {
                    let bytes = opened
                        .tree
                        .read(path)
                        .map_err(|error| Problem::new(error.to_string()))?;
                    text.extend_from_slice(format!("---\n# Source: {path}\n").as_bytes());
                    text.extend_from_slice(&bytes);
                    if !bytes.ends_with(b"\n") {
                        text.push(b'\n');
                    }
                }
                Ok((text, Vec::new()))
            }
            (None, Input::Chart(_)) => unreachable!("a chart cell always has a job"),
        }
    });
    let mut failed = false;
    for (cell, outcome) in cells.iter().zip(rendered) {
        match outcome {
            Ok((output, warnings)) => {
                for line in warnings {
                    ui::tell(&format!("{}: {line}", cell.label()));
                }
                ui::print(&output).map_err(|problem| vec![problem])?;
            }
            Err(problem) => {
                failed = true;
                ui::tell(&format!("error: {}: {problem}", cell.label()));
            }
        }
    }
    Ok(if failed { Exit::Undecided } else { Exit::Equivalent })
}
