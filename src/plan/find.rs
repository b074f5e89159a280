//! What the globs of a release find in a tree.

use super::config::Located;
use super::glob_text::GlobText;
use super::names;
use super::path;
use super::probe::{Probe, Prober};
use super::template::Bindings;
use crate::base::Problem;
use crate::source::glob::{self, Search};
use crate::source::{Captures, Glob};
use std::collections::{BTreeMap, BTreeSet};

/// One thing that globs found: a chart, or the files of a release of raw YAML.
pub(super) struct Match {
    /// The chart, or the files in order of their paths; never empty.
    pub(super) paths: Vec<String>,
    /// What the captures stand for.
    pub(super) captures: Bindings,
}

/// What globs found.
#[derive(Default)]
pub(super) struct Found<'c> {
    /// Everything found, without what is excluded.
    pub(super) matches: Vec<Match>,
    /// The globs that found nothing, with what to do about it.
    pub(super) barren: Vec<(&'c Located<GlobText>, String)>,
    /// What stands in the way of an answer.
    pub(super) problems: Vec<Problem>,
    /// What was passed over, and why.
    pub(super) notes: Vec<Problem>,
}

/// The charts that globs match.
pub(super) fn charts<'c>(
    prober: &mut Prober<'_>,
    directory: &str,
    globs: &'c [Located<GlobText>],
    exclude: &[Located<GlobText>],
) -> Found<'c> {
    let mut found = Found::default();
    let exclude = found.exclusions(directory, exclude);
    let mut seen = BTreeSet::new();
    for glob in globs {
        let mut any = false;
        let mut folders = Vec::new();
        let mut libraries = 0;
        let nested_too = !glob.value.to_string().contains("**");
        for (path, captures) in found.search(prober, directory, glob) {
            if exclude.iter().any(|glob| glob.matches(&path).is_some()) {
                any = true;
                continue;
            }
            match prober.probe(&path) {
                Probe::Directory if !prober.is_chart(&path) => folders.push(path),
                Probe::Directory if !nested_too && prober.is_nested(&path) => {}
                Probe::Directory if prober.is_library(&path) => {
                    libraries += 1;
                    found.notes.push(Problem::at(
                        glob.place.clone(),
                        format!("library chart `{path}` is left out: it renders nothing by itself"),
                    ));
                }
                Probe::File if !path.ends_with(".tgz") => {}
                Probe::Directory | Probe::File => {
                    any = true;
                    if seen.insert(path.clone()) {
                        found.matches.push(Match {
                            paths: vec![path],
                            captures,
                        });
                    }
                }
                Probe::Missing => {}
                Probe::Fault(fault) => found.problems.push(
                    Problem::at(glob.place.clone(), format!("`{path}`: {fault}"))
                        .remedy("or leave it out with `exclude`"),
                ),
            }
        }
        if !any {
            let hint = match (libraries, &folders[..]) {
                (0, []) => nearest_folder(prober, directory, &glob.value),
                (0, [folder]) => format!("`{folder}` matches, but has no Chart.yaml"),
                (0, [first, ..]) => {
                    let count = folders.len();
                    format!("{count} folders match, such as `{first}`, but none has a Chart.yaml")
                }
                _ => "only library charts match, which render nothing by themselves".to_owned(),
            };
            found.barren.push((glob, hint));
        }
    }
    found
}

/// The files that globs match, one group for each way the captures are bound.
pub(super) fn manifests<'c>(
    prober: &mut Prober<'_>,
    directory: &str,
    globs: &'c [Located<GlobText>],
    exclude: &[Located<GlobText>],
) -> Found<'c> {
    let mut found = Found::default();
    let exclude = found.exclusions(directory, exclude);
    let mut groups: BTreeMap<Captures, BTreeSet<String>> = BTreeMap::new();
    for glob in globs {
        let mut any = false;
        let mut folder = None;
        for (path, captures) in found.search(prober, directory, glob) {
            if exclude.iter().any(|glob| glob.matches(&path).is_some()) {
                any = true;
                continue;
            }
            match prober.probe(&path) {
                Probe::File => {
                    any = true;
                    groups.entry(captures).or_default().insert(path);
                }
                Probe::Directory => folder = Some(path),
                Probe::Missing => {}
                Probe::Fault(fault) => found.problems.push(
                    Problem::at(glob.place.clone(), format!("`{path}`: {fault}"))
                        .remedy("or leave it out with `exclude`"),
                ),
            }
        }
        if !any {
            let hint = match folder {
                Some(folder) => format!("`{folder}` is a folder: write `{folder}/*.yaml`"),
                None => nearest_folder(prober, directory, &glob.value),
            };
            found.barren.push((glob, hint));
        }
    }
    found.matches = groups
        .into_iter()
        .map(|(captures, paths)| Match {
            paths: paths.into_iter().collect(),
            captures,
        })
        .collect();
    found
}

/// The files that one glob matches, each way of binding its captures once.
pub(super) fn files<'c>(prober: &mut Prober<'_>, directory: &str, glob: &'c Located<GlobText>) -> Found<'c> {
    manifests(prober, directory, std::slice::from_ref(glob), &[])
}

/// Both bindings as one; `None` when they bind a name to two texts.
fn joined(left: &Bindings, right: &Bindings) -> Option<Bindings> {
    let agree = right
        .iter()
        .all(|(name, text)| left.get(name).is_none_or(|other| other == text));
    agree.then(|| {
        let mut joined = left.clone();
        joined.extend(right.clone());
        joined
    })
}

impl Found<'_> {
    /// One match for each file that goes with it: what both bind has to agree.
    pub(super) fn for_each(&mut self, files: &[Bindings]) {
        self.matches = self
            .matches
            .iter()
            .flat_map(|found| {
                files.iter().filter_map(|file| {
                    Some(Match {
                        paths: found.paths.clone(),
                        captures: joined(&found.captures, file)?,
                    })
                })
            })
            .collect();
    }

    fn search(
        &mut self,
        prober: &Prober<'_>,
        directory: &str,
        glob: &Located<GlobText>,
    ) -> Vec<(String, Captures)> {
        let Some(pattern) = self.within(directory, glob) else {
            return Vec::new();
        };
        match glob::search(prober.tree(), &pattern) {
            Ok(Search { matches, skipped }) => {
                self.notes.extend(skipped.into_iter().map(|error| {
                    Problem::at(glob.place.clone(), format!("`{}`: {}", error.path, error.message))
                }));
                matches
            }
            Err(error) => {
                let message = format!("`{}`: {}: {}", glob.value, error.path, error.message);
                self.problems.push(Problem::at(glob.place.clone(), message));
                Vec::new()
            }
        }
    }

    fn within(&mut self, directory: &str, glob: &Located<GlobText>) -> Option<Glob> {
        match glob.value.within(directory) {
            Ok(glob) => Some(glob),
            Err(problem) => {
                self.problems
                    .push(Problem::at(glob.place.clone(), problem.message));
                None
            }
        }
    }

    fn exclusions(&mut self, directory: &str, exclude: &[Located<GlobText>]) -> Vec<Glob> {
        exclude
            .iter()
            .filter_map(|glob| self.within(directory, glob))
            .collect()
    }
}

/// Where a glob leaves the folders that are there, and the nearest that is.
fn nearest_folder(prober: &mut Prober<'_>, directory: &str, glob: &GlobText) -> String {
    let text = glob.to_string();
    let Ok(mut at) = path::resolve(directory, "") else {
        return String::new();
    };
    for step in text.split('/') {
        if step.contains(['*', '?', '[', '{', '\\']) {
            break;
        }
        let Ok(next) = path::resolve(&at, step) else {
            break;
        };
        if matches!(prober.probe(&next), Probe::Missing) {
            let siblings = prober.siblings(&at);
            let near = names::did_you_mean(step, siblings.iter().map(String::as_str));
            return format!("there is no `{next}`{near}");
        }
        at = next;
    }
    "globs are relative to the folder of the configuration file".to_owned()
}
