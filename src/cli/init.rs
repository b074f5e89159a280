//! `evenkeel init`: writes a first configuration for a repository it has never seen.

use super::args::InitArgs;
use super::exit::Exit;
use super::{request, ui};
use crate::base::Problem;
use crate::base::atomic::{self, Existing};
use crate::plan::config::FILE_NAME;
use crate::plan::init;
use crate::source::Repository;

pub(super) fn run(args: &InitArgs) -> Result<Exit, Vec<Problem>> {
    let one = |problem| vec![problem];
    let repository = Repository::discover(&request::directory()?).map_err(one)?;
    let tree = repository.work_tree("working tree").map_err(one)?;
    let first = init::init(&tree).map_err(one)?;
    if args.stdout {
        ui::print(first.text.as_bytes()).map_err(one)?;
    } else {
        let path = repository.root().join(FILE_NAME);
        let existing = if args.force {
            Existing::Replace
        } else {
            Existing::Keep
        };
        if path.exists() && !args.force {
            let problem = Problem::new(format!("{} is there already", path.display()))
                .remedy("`evenkeel init --stdout` shows what would be written; --force replaces the file");
            return Err(one(problem));
        }
        atomic::write(&path, existing, |out| out.write_all(first.text.as_bytes()))
            .map_err(|error| one(Problem::new(format!("{}: {error}", path.display()))))?;
        ui::print(format!("wrote {}\n", path.display()).as_bytes()).map_err(one)?;
    }
    for line in &first.found {
        ui::tell(line);
    }
    if first.problems.is_empty() {
        ui::tell(&format!(
            "next: read {FILE_NAME}, then `evenkeel verify --against HEAD`"
        ));
        return Ok(Exit::Equivalent);
    }
    Err(first.problems)
}
