//! A baseline that is read with the candidate's releases, held against its own configuration: a release that
//! left the configuration would else never be looked at, and one that was elsewhere would seem new.

use super::cell::Cell;
use super::config::Config;
use super::load::parse;
use super::matrix::Plan;
use super::path;
use crate::base::{Problem, Side};
use crate::source::SourceTree;

/// Adds to a baseline's plan what only its own configuration says. Without such a file nothing is added.
pub(super) fn compare(plan: &mut Plan, config: &Config, tree: &dyn SourceTree) {
    let Ok(bytes) = tree.read(&config.file) else {
        return;
    };
    let (own, mut problems) = parse(&bytes, &config.file, path::parent(&config.file));
    if own.digest == config.digest {
        return;
    }
    let own = Plan::of(&own, Side::Candidate, tree);
    problems.extend(own.problems);
    if let Some(first) = problems.into_iter().min() {
        let message = format!(
            "the configuration of the {} has problems ({}): whether a release has left it is not known",
            tree.label(),
            first.message
        );
        plan.notes.push(Problem {
            message,
            remedy: None,
            ..first
        });
        return;
    }
    let mut dropped = Vec::new();
    for cell in &own.cells {
        let absent = plan
            .absent
            .iter()
            .find(|absent| absent.id == cell.id && meet(&absent.platform, &cell.platform));
        if let Some(absent) = absent {
            let message = format!(
                "release `{}` is not at `{}` in the {}: its own configuration has it at `{}`",
                absent.id,
                absent.path,
                tree.label(),
                cell.source()
            );
            plan.problems.push(
                Problem::at(absent.place.clone(), message).remedy(
                    "say under `baseline:` how the old tree is laid out, or use --baseline-config own",
                ),
            );
        } else if !plan
            .cells
            .iter()
            .any(|other| meet(&other.platform, &cell.platform) && is_same_release(other, cell, &own.cells))
        {
            let message = format!(
                "release `{}` is in the configuration of the {}, and in this one no more",
                cell.label(),
                tree.label()
            );
            plan.notes.push(Problem::at(cell.place.clone(), message));
            dropped.push(cell.clone());
        }
    }
    plan.cells.extend(dropped);
    plan.problems.sort();
    plan.problems.dedup();
}

/// True for a release of the same id, or for the same release of Helm (its name in its namespace) under an id
/// that is new.
fn is_same_release(other: &Cell, cell: &Cell, own: &[Cell]) -> bool {
    let is_new = || !own.iter().any(|known| known.id == other.id);
    other.id == cell.id || (&other.name, &other.namespace) == (&cell.name, &cell.namespace) && is_new()
}

/// True for one platform; no platform is the same as any, for it came or went with the `platforms` section.
fn meet<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}
