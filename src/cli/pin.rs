//! `evenkeel pin`: records what a revision renders to.

use super::args::PinArgs;
use super::bar::Bar;
use super::exit::Exit;
use super::{engine, request, ui};
use crate::base::Problem;
use crate::baseline::Existing;
use crate::verify::{pinning, sides};

pub(super) fn run(args: &PinArgs) -> Result<Exit, Vec<Problem>> {
    let mut problems = Vec::new();
    let request = request::of_run(&args.run, &args.revision, None, &mut problems)?;
    if !problems.is_empty() {
        return Err(problems);
    }
    let candidate = sides::candidate(&request)?;
    let (opened, revision) = sides::revision(&request, &candidate)?;
    let name = args
        .name
        .clone()
        .unwrap_or_else(|| default_name(&args.revision, &revision.short));
    let engine = engine::choose(&args.run)?;
    let bar = Bar::new(!args.run.no_progress);
    let pin = pinning::pin(&request, &*engine, &bar, &opened, &revision, &name)?;
    let existing = if args.force {
        Existing::Replace
    } else {
        Existing::Keep
    };
    let path = candidate
        .pins
        .write(&pin, existing)
        .map_err(|problem| vec![problem])?;
    let cells = pin.cells.len();
    let text = format!(
        "pinned {} as {name}: {} documents in {cells} cells, in {}\n",
        revision.short,
        pin.document_count(),
        path.display()
    );
    ui::print(text.as_bytes()).map_err(|problem| vec![problem])?;
    Ok(Exit::Equivalent)
}

/// The branch or tag where one was named, else the short SHA.
fn default_name(spec: &str, short: &str) -> String {
    let is_sha = spec.len() >= 4 && spec.bytes().all(|byte| byte.is_ascii_hexdigit());
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !is_sha && spec != "HEAD" && spec.chars().all(plain) {
        spec.to_owned()
    } else {
        short.to_owned()
    }
}
