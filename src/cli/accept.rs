//! `evenkeel accept`: records reviewed differences.

use super::args::AcceptArgs;
use super::bar::Bar;
use super::exit::Exit;
use super::{engine, request, ui};
use crate::base::Problem;
use crate::base::atomic::{self, Existing};
use crate::verify::accept::{self, Choice};

pub(super) fn run(args: &AcceptArgs) -> Result<Exit, Vec<Problem>> {
    let request = request::of_accept(args)?;
    if args.reason.trim().is_empty() {
        return Err(vec![
            Problem::new("--reason is empty").remedy("say why the difference is wanted"),
        ]);
    }
    let choice = Choice {
        resource: args.resource.clone(),
        path: args.path.clone(),
        reason: args.reason.trim().to_owned(),
        author: args.author.clone(),
        expires: args.expires.clone(),
    };
    let engine = engine::choose(&args.run)?;
    let bar = Bar::new(!args.run.no_progress);
    let recorded = accept::accept(&request, &*engine, &bar, &choice)?;
    let one = |problem| vec![problem];
    atomic::write(&recorded.path, Existing::Replace, |out| {
        out.write_all(recorded.text.as_bytes())
    })
    .map_err(|error| one(Problem::new(format!("{}: {error}", recorded.path.display()))))?;
    let mut text = String::new();
    for line in &recorded.lines {
        text.push_str(&format!("accepted {line}\n"));
    }
    text.push_str(&format!("recorded in {}\n", recorded.path.display()));
    ui::print(text.as_bytes()).map_err(one)?;
    Ok(Exit::Equivalent)
}
