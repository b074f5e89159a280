//! `evenkeel verify`: the main job, from the command line.

use super::args::VerifyArgs;
use super::bar::Bar;
use super::exit::Exit;
use super::pager::Paging;
use super::{engine, reports, request};
use crate::base::Problem;
use crate::verify;

pub(super) fn run(args: &VerifyArgs, paging: Paging) -> Result<Exit, Vec<Problem>> {
    let reports = reports::Reports::of(&args.report, args.format());
    let request = request::of_verify(args, reports.as_ref().is_ok_and(|reports| reports.keep_secrets));
    let (reports, request) = request::both(reports, request)?;
    let engine = engine::choose(&args.run)?;
    let bar = Bar::new(!args.run.no_progress && !args.report.quiet);
    let report = verify::run(&request, &*engine, &bar)?;
    reports.write(&report, paging)
}
