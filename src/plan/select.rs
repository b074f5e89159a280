//! Which cells a run is about: `--release`, `--platform`, and the SELECTOR of `evenkeel render`.

use super::cell::Cell;
use super::{names, wildcard};
use crate::base::Problem;
use std::collections::BTreeSet;

/// A choice of cells. Patterns have wildcards (`*`, `?`); a release is meant by its id or by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    releases: Vec<String>,
    platforms: Vec<String>,
    /// `release@platform` as given.
    cells: Vec<String>,
}

impl Selection {
    /// The choice of `--release` and `--platform`: a cell has to fit one of each kind; none of a kind means all.
    pub fn new(releases: &[String], platforms: &[String]) -> Selection {
        Selection {
            releases: releases.to_vec(),
            platforms: platforms.to_vec(),
            cells: Vec::new(),
        }
    }

    /// Adds a selector, `release` or `release@platform`. Several selectors choose what any of them fits.
    #[must_use]
    pub fn selector(mut self, selector: &str) -> Selection {
        self.cells.push(selector.to_owned());
        self
    }

    /// True when everything is chosen.
    pub fn is_everything(&self) -> bool {
        *self == Selection::default()
    }

    /// True when a cell is chosen.
    pub fn takes(&self, cell: &Cell) -> bool {
        let any = |patterns: &[String], fits: &dyn Fn(&str) -> bool| {
            patterns.is_empty() || patterns.iter().any(|pattern| fits(pattern))
        };
        any(&self.releases, &|pattern| fits_release(pattern, cell))
            && any(&self.platforms, &|pattern| fits_platform(pattern, cell))
            && any(&self.cells, &|pattern| fits_cell(pattern, cell))
    }

    /// The patterns that fit none of the cells, which are those of both sides.
    ///
    /// # Errors
    /// One problem for each such pattern, with the nearest name; or one, when each pattern fits something but
    /// no cell fits all of them.
    pub fn check<'c>(&self, cells: impl IntoIterator<Item = &'c Cell>) -> Result<(), Vec<Problem>> {
        let cells: Vec<&Cell> = cells.into_iter().collect();
        let mut problems = Vec::new();
        let ids = || cells.iter().flat_map(|cell| [&*cell.id, &*cell.name]);
        let platforms = || cells.iter().filter_map(|cell| cell.platform.as_deref());
        for pattern in &self.releases {
            if !cells.iter().any(|cell| fits_release(pattern, cell)) {
                problems.push(unknown("release", pattern, ids()));
            }
        }
        for pattern in &self.platforms {
            if !cells.iter().any(|cell| fits_platform(pattern, cell)) {
                problems.push(unknown("platform", pattern, platforms()));
            }
        }
        let labels: Vec<String> = cells.iter().map(|cell| cell.label()).collect();
        for pattern in &self.cells {
            if !cells.iter().any(|cell| fits_cell(pattern, cell)) {
                let known = labels.iter().map(String::as_str);
                problems.push(if pattern.contains('@') {
                    unknown("cell", pattern, known)
                } else {
                    unknown("release", pattern, ids())
                });
            }
        }
        if problems.is_empty() && !cells.iter().any(|cell| self.takes(cell)) {
            problems.push(if cells.is_empty() {
                Problem::new("the configuration has nothing to render")
            } else {
                Problem::new("no release fits all of the choices together")
                    .remedy("a release may be limited to other platforms: see its `platforms`")
            });
        }
        if problems.is_empty() {
            Ok(())
        } else {
            Err(problems)
        }
    }
}

fn fits_release(pattern: &str, cell: &Cell) -> bool {
    wildcard::fits(pattern, &cell.id) || wildcard::fits(pattern, &cell.name)
}

fn fits_platform(pattern: &str, cell: &Cell) -> bool {
    cell.platform
        .as_deref()
        .is_some_and(|platform| wildcard::fits(pattern, platform))
}

fn fits_cell(pattern: &str, cell: &Cell) -> bool {
    // An id may itself hold an `@`.
    fits_release(pattern, cell)
        || pattern
            .rsplit_once('@')
            .is_some_and(|(release, platform)| fits_release(release, cell) && fits_platform(platform, cell))
}

/// More names than this are not listed.
const MOST_NAMES: usize = 12;

fn unknown<'n>(what: &str, pattern: &str, known: impl Iterator<Item = &'n str>) -> Problem {
    let known: BTreeSet<&str> = known.collect();
    let near = names::did_you_mean(pattern, known.iter().copied());
    let problem = Problem::new(format!("no {what} fits `{pattern}`{near}"));
    match known.len() {
        0 => problem.remedy(format!("the configuration names no {what}")),
        1..=MOST_NAMES => problem.remedy(format!("known are {}", names::listed(known))),
        count => problem.remedy(format!(
            "{count} are known, such as {}",
            names::listed(known.into_iter().take(MOST_NAMES))
        )),
    }
}
