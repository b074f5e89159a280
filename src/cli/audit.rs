//! `evenkeel audit`: the hazards of one side.

use super::args::AuditArgs;
use super::bar::Bar;
use super::exit::Exit;
use super::pager::Paging;
use super::{engine, reports, request};
use crate::base::Problem;
use crate::verify;

pub(super) fn run(args: &AuditArgs, paging: Paging) -> Result<Exit, Vec<Problem>> {
    let reports = reports::Reports::of(&args.report, &args.report.format);
    let request = request::of_audit(args, reports.as_ref().is_ok_and(|reports| reports.keep_secrets));
    let (reports, request) = request::both(reports, request)?;
    let engine = engine::choose(&args.run)?;
    let bar = Bar::new(!args.run.no_progress && !args.report.quiet);
    let report = verify::audit(&request, &*engine, &bar)?;
    reports.write(&report, paging)
}
