//! `evenkeel blame`: where a field of a document came from.

use super::args::{BlameArgs, BlameFormat, ColorChoice};
use super::exit::Exit;
use super::pager::{self, Paging};
use super::{engine, request, ui};
use crate::base::Problem;
use crate::verify;

pub(super) fn run(args: &BlameArgs, paging: Paging) -> Result<Exit, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut request = request::of_run(&args.run, "", args.candidate.clone(), &mut problems)?;
    request.cluster = request::cluster(&args.cluster, &args.run, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let engine = engine::choose(&args.run)?;
    let blame = verify::blame(&request, &*engine, &args.resource, args.path.as_deref())?;
    let (text, paging) = match args.format {
        BlameFormat::Text => (blame.text(&ui::style(ColorChoice::Auto, false, false)), paging),
        BlameFormat::Json => (blame.json().into_bytes(), Paging::Never),
    };
    pager::print(&text, paging).map_err(|problem| vec![problem])?;
    Ok(Exit::Equivalent)
}
