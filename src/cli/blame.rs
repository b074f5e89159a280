//! `evenkeel blame`: where a field of a document came from.

use super::args::{BlameArgs, BlameFormat};
use super::exit::Exit;
use super::{engine, request, ui};
use crate::base::Problem;
use crate::verify;

pub(super) fn run(args: &BlameArgs) -> Result<Exit, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut request = request::of_run(&args.run, "", args.candidate.clone(), &mut problems)?;
    request.cluster = request::cluster(&args.cluster, &args.run, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let engine = engine::choose(&args.run)?;
    let blame = verify::blame(&request, &*engine, &args.resource, args.path.as_deref())?;
    let text = match args.format {
        BlameFormat::Text => blame.text(),
        BlameFormat::Json => blame.json(),
    };
    ui::print(text.as_bytes()).map_err(|problem| vec![problem])?;
    Ok(Exit::Equivalent)
}
