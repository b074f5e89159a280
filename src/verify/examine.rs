//! Whether everything a run needs is there, one point after the other: repository, configuration, cells, baseline.
//! A point that cannot be looked at because an earlier one fails is not told.

use super::request::Request;
use super::sides::{self, Baseline, Candidate};
use crate::base::{Problem, Side};
use crate::plan::Plan;
use crate::source::Repository;

/// One point that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// What was looked at, in a word.
    pub subject: &'static str,
    /// What is fine about it, or what is not.
    pub state: State,
}

/// How a point stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// As a run needs it.
    Fine(String),
    /// A run works, but not every one.
    Doubtful(Problem),
    /// A run cannot begin.
    Broken(Vec<Problem>),
}

/// Looks at everything a run of `request` needs; the baseline only where the request names one.
pub fn examine(request: &Request) -> Vec<Point> {
    let mut points = Vec::new();
    let mut tell = |subject, state| points.push(Point { subject, state });
    if request.candidate.is_none() {
        let found = Repository::discover(&request.directory);
        let broken = found.is_err();
        tell("repository", repository(found));
        if broken {
            return points;
        }
    }
    let candidate = match sides::candidate(request) {
        Ok(candidate) => candidate,
        Err(problems) => {
            tell("configuration", State::Broken(problems));
            return points;
        }
    };
    tell("configuration", State::Fine(candidate.config_path.clone()));
    let opened = &candidate.opened;
    let plan = Plan::of(&opened.config, Side::Candidate, &*opened.tree);
    tell("cells", cells(&plan, request));
    if !request.against.is_empty() {
        tell("baseline", baseline(request, &candidate));
    }
    points
}

fn repository(found: Result<Repository, Problem>) -> State {
    match found {
        Err(problem) => State::Broken(vec![problem]),
        Ok(repository) if repository.is_shallow() => State::Doubtful(
            Problem::new(format!("{} is a shallow clone", repository.root().display())).remedy(
                "`git fetch --unshallow`, or fetch the baseline by its SHA; a pin gives verdicts by digest",
            ),
        ),
        Ok(repository) => State::Fine(repository.root().display().to_string()),
    }
}

fn cells(plan: &Plan, request: &Request) -> State {
    if !plan.problems.is_empty() {
        return State::Broken(plan.problems.clone());
    }
    if let Err(problems) = request.selection.check(plan.cells.iter()) {
        return State::Broken(problems);
    }
    let taken = plan.cells.iter().filter(|cell| request.selection.takes(cell));
    let (count, unpinned) = taken.fold((0, 0), |(count, unpinned), cell| {
        (count + 1, unpinned + usize::from(cell.kube_version.is_none()))
    });
    let dialects: Vec<_> = plan.dialects.iter().map(|dialect| dialect.name()).collect();
    if unpinned > 0 {
        return State::Doubtful(
            Problem::new(format!("{unpinned} of {count} cells say no kubeVersion"))
                .remedy("set kubeVersion in evenkeel.yaml to the version of your cluster"),
        );
    }
    State::Fine(format!("{count}, rendered as Helm {}", dialects.join(" and ")))
}

fn baseline(request: &Request, candidate: &Candidate) -> State {
    match sides::baseline(request, candidate) {
        Err(problems) => State::Broken(problems),
        Ok((Baseline::Digests { pin, why }, _)) => State::Doubtful(
            Problem::new(format!(
                "{}: only its pin is here, no tree: {}",
                pin.sha, why.message
            ))
            .remedy("verdicts are by digest; fetch the commit to see what differs"),
        ),
        Ok((Baseline::Tree { opened, .. }, info)) => {
            let plan = Plan::of(&opened.config, Side::Baseline, &*opened.tree);
            if plan.problems.is_empty() {
                let sha = info.sha.map(|sha| format!(" ({})", &sha[..sha.len().min(12)]));
                State::Fine(format!(
                    "{}{}, {} cells",
                    info.requested,
                    sha.unwrap_or_default(),
                    plan.cells.len()
                ))
            } else {
                State::Broken(plan.problems)
            }
        }
    }
}
