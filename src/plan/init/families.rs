//! The ways in which values files belong to charts, by where they lie and what they are called.

use super::super::path::{join as joined, parent};
use super::groups::Group;
use super::helmfile::is_helmfile;
use super::survey::{ChartFolder, Survey, is_not_deployed, is_yaml, read};
use crate::source::{Glob, SourceTree};
use std::collections::{BTreeMap, BTreeSet};

/// Files beside a chart that are one platform's overlay; `{x}` is the platform. A file is of the first that it
/// matches, so the narrow ones come first.
const BESIDE: [&str; 16] = [
    "values-{x}.yaml",
    "values.{x}.yaml",
    "values_{x}.yaml",
    "{x}.values.yaml",
    "{x}-values.yaml",
    "values/values-{x}.yaml",
    "values/{x}/values.yaml",
    "values/{x}.yaml",
    "env/{x}/values.yaml",
    "env/{x}.yaml",
    "envs/{x}/values.yaml",
    "envs/{x}.yaml",
    "environments/{x}/values.yaml",
    "environments/{x}.yaml",
    "overlays/{x}/values.yaml",
    "overlays/{x}.yaml",
];

/// Files beside a chart that are each a setting to try out; `{x}` is the case.
const CASES: [&str; 8] = [
    "ci/{x}-values.yaml",
    "ci/values-{x}.yaml",
    "ci/{x}.yaml",
    "examples/{x}/values.yaml",
    "examples/{x}-values.yaml",
    "examples/values-{x}.yaml",
    "values_overrides/{x}.yaml",
    "overrides/{x}.yaml",
];

/// The folders of `CASES`.
const CASE_FOLDERS: [&str; 4] = ["ci", "examples", "values_overrides", "overrides"];

/// Folders away from the charts that hold one file, or one folder, for each chart `{n}`.
const CENTRAL: [&str; 7] = [
    "{n}/values.yaml",
    "{n}/values-{x}.yaml",
    "{n}/{x}/values.yaml",
    "{x}/{n}/values.yaml",
    "{x}/{n}.yaml",
    "{n}/{x}.yaml",
    "{n}.yaml",
];

/// A way in which files belong to the charts of a group.
#[derive(Debug, Default)]
pub(super) struct Family {
    /// By what `{x}` stands for: the files, by the chart they belong to.
    pub(super) files: BTreeMap<String, BTreeMap<usize, String>>,
}

impl Family {
    fn charts(&self) -> BTreeSet<usize> {
        self.files.values().flat_map(BTreeMap::keys).copied().collect()
    }

    fn count(&self) -> usize {
        self.files.values().map(BTreeMap::len).sum()
    }
}

/// The files of a group. Paths have the captures of the group, and `{x}` or `{case}`.
#[derive(Debug, Default)]
pub(super) struct GroupFiles {
    /// Values for every platform.
    pub(super) base: Vec<String>,
    /// Values that may be those of platforms, which `{x}` stands for.
    pub(super) env: BTreeMap<String, Family>,
    /// A file for each `{case}`.
    pub(super) cases: Vec<String>,
    /// Files that are like cases but of another habit than most.
    pub(super) unused: Vec<String>,
}

/// A file and one way to read its name.
struct Candidate<'f> {
    file: &'f str,
    family: String,
    x: String,
    chart: usize,
}

/// Looks for the values files of charts.
pub(super) struct Families<'s> {
    tree: &'s dyn SourceTree,
    pub(super) survey: &'s Survey,
}

impl<'s> Families<'s> {
    pub(super) fn new(tree: &'s dyn SourceTree, survey: &'s Survey) -> Families<'s> {
        Families { tree, survey }
    }

    /// The files of a group.
    pub(super) fn of(&self, group: &Group) -> GroupFiles {
        let mut files = GroupFiles {
            env: self.beside(group, &BESIDE),
            ..GroupFiles::default()
        };
        if let Some(module) = group.module() {
            let has_values = group.members.iter().any(|member| {
                let folder = parent(&self.survey.charts[member.chart].path);
                self.survey.files.contains(&joined(folder, "values.yaml"))
            });
            files
                .base
                .extend(has_values.then(|| joined(&module, "values.yaml")));
        }
        let mut cases: BTreeMap<&str, (String, Family)> = BTreeMap::new();
        let beside = self.beside(group, &CASES);
        for (path, family) in beside {
            // One habit for each folder: that of most files.
            let folder = CASE_FOLDERS
                .into_iter()
                .find(|folder| path.split('/').any(|step| step == *folder))
                .unwrap_or_default();
            let other = match cases.remove(folder) {
                Some((most, files)) if files.count() >= family.count() => {
                    cases.insert(folder, (most, files));
                    Some(family)
                }
                other => {
                    cases.insert(folder, (path, family));
                    other.map(|(_, family)| family)
                }
            };
            let other = other.into_iter().flat_map(|family| family.files.into_values());
            files.unused.extend(other.flat_map(BTreeMap::into_values));
        }
        files
            .cases
            .extend(cases.into_values().map(|(path, _)| path.replace("{x}", "{case}")));
        for (path, family) in self.central(group) {
            if !path.contains("{x}") {
                files.base.push(path);
            } else if is_case_folder(&path) {
                files.cases.push(path.replace("{x}", "{case}"));
            } else {
                files.env.insert(path, family);
            }
        }
        files
    }

    /// Files beside the charts of a group, or in the module folder above them.
    fn beside(&self, group: &Group, table: &[&str]) -> BTreeMap<String, Family> {
        let globs: Vec<(&str, Glob)> = table.iter().map(|family| (*family, parsed(family))).collect();
        let mut families: BTreeMap<String, Family> = BTreeMap::new();
        for member in &group.members {
            let chart = &self.survey.charts[member.chart];
            let folders = [
                Some((chart.path.as_str(), group.path())),
                group.module().map(|module| (parent(&chart.path), module)),
            ];
            for (folder, written) in folders.into_iter().flatten() {
                for (below, file) in self.below(folder) {
                    let matching = globs
                        .iter()
                        .find_map(|(family, glob)| Some((family, glob.matches(below)?)));
                    if let Some((family, mut captures)) = matching
                        && let Some(x) = captures.remove("x")
                        && is_values_name(below)
                        && !self.is_manifest(file)
                    {
                        let family = families.entry(joined(&written, family)).or_default();
                        let files = family.files.entry(x).or_default();
                        files.insert(member.chart, file.to_owned());
                    }
                }
            }
        }
        families
    }

    /// The YAML files below a folder, with the path from there.
    fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        self.survey
            .files
            .range(prefix.clone()..)
            .take_while({
                let prefix = prefix.clone();
                move |file| file.starts_with(&prefix)
            })
            .filter(|file| is_yaml(file))
            .map(move |file| (&file[prefix.len()..], file.as_str()))
    }

    /// Files away from the charts that are named after them. Where a name can be read in several ways, the way
    /// that most charts have is the one.
    fn central(&self, group: &Group) -> BTreeMap<String, Family> {
        let candidates = self.candidates(group);
        let mut users: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for candidate in &candidates {
            users
                .entry(&candidate.family)
                .or_default()
                .insert(candidate.chart);
        }
        let mut best: BTreeMap<&str, &Candidate<'_>> = BTreeMap::new();
        for candidate in &candidates {
            let better = best
                .get(candidate.file)
                .is_none_or(|other| users[&*candidate.family].len() > users[&*other.family].len());
            if better {
                best.insert(candidate.file, candidate);
            }
        }
        let mut families: BTreeMap<&str, Family> = BTreeMap::new();
        for candidate in best.into_values() {
            let family = families.entry(&candidate.family).or_default();
            let files = family.files.entry(candidate.x.clone()).or_default();
            files.insert(candidate.chart, candidate.file.to_owned());
        }
        let name = group.name(&self.survey.charts);
        families
            .into_iter()
            .filter(|(_, family)| family.charts().len() > 1 || group.members.len() == 1)
            .map(|(path, family)| (path.replace("{n}", &name), family))
            .collect()
    }

    fn candidates<'a>(&'a self, group: &Group) -> Vec<Candidate<'a>> {
        let names: BTreeMap<&str, usize> = group
            .members
            .iter()
            .map(|member| (member.name.as_str(), member.chart))
            .collect();
        let globs: Vec<(&str, Glob)> = CENTRAL.iter().map(|family| (*family, parsed(family))).collect();
        let mut candidates = Vec::new();
        for file in self.outside().filter(|file| !self.has_helmfile(file)) {
            for (family, glob) in &globs {
                let Some((folder, below)) = split_at_depth(file, family.matches('/').count()) else {
                    continue;
                };
                let Some(mut captures) = glob.matches(below) else {
                    continue;
                };
                let Some(&chart) = captures.get("n").and_then(|name| names.get(name.as_str())) else {
                    continue;
                };
                let x = captures.remove("x").unwrap_or_default();
                if x != "values" && is_values_folder(folder, family) && !self.is_manifest(file) {
                    candidates.push(Candidate {
                        file,
                        family: joined(folder, family),
                        x,
                        chart,
                    });
                }
            }
        }
        candidates
    }

    /// The YAML files that lie in no chart.
    pub(super) fn outside(&self) -> impl Iterator<Item = &str> {
        self.survey
            .files
            .iter()
            .map(String::as_str)
            .filter(|file| is_yaml(file) && !in_a_chart(&self.survey.charts, file))
    }

    /// True for a file beside a helmfile, which says itself what it is for.
    fn has_helmfile(&self, file: &str) -> bool {
        let folder = joined(parent(file), "");
        self.survey
            .files
            .range(folder.clone()..)
            .take_while(|other| other.starts_with(&folder))
            .any(|other| parent(other) == parent(file) && is_helmfile(other))
    }

    /// True for a file that is a Kubernetes object and not values.
    pub(super) fn is_manifest(&self, file: &str) -> bool {
        read(self.tree, file)
            .is_some_and(|node| node.get("apiVersion").is_some() && node.get("kind").is_some())
    }
}

/// True when a path speaks of settings to try out rather than of platforms.
fn is_case_folder(path: &str) -> bool {
    path.split('/')
        .any(|step| step.contains("override") || matches!(step, "ci" | "tests" | "test" | "examples"))
}

/// True for a folder that holds values of charts, and not whatever else is named after them.
fn is_values_folder(folder: &str, family: &str) -> bool {
    if family.ends_with("/values.yaml") || family.contains("values-") {
        return !folder.split('/').any(is_not_deployed);
    }
    folder.split('/').any(|step| {
        step.contains("values")
            || step.contains("override")
            || matches!(
                step,
                "env" | "envs" | "environments" | "overlays" | "platforms" | "clusters" | "releases"
            )
    })
}

/// True when a file name may be one of values: not a schema, a chart's own file or a lock.
fn is_values_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !matches!(
        name,
        "Chart.yaml" | "requirements.yaml" | "helmfile.yaml" | "kustomization.yaml" | "ct.yaml"
    ) && !name.contains("schema")
}

fn in_a_chart(charts: &[ChartFolder], file: &str) -> bool {
    let mut folder = parent(file);
    loop {
        // A chart at the root has the whole repository in it; its overlays are found beside it.
        if charts
            .binary_search_by(|chart| chart.path.as_str().cmp(folder))
            .is_ok()
        {
            return true;
        }
        if folder.is_empty() {
            return false;
        }
        folder = parent(folder);
    }
}

/// A family of the tables as a glob.
pub(super) fn parsed(family: &str) -> Glob {
    Glob::parse(family).expect("invariant: the tables hold globs")
}

/// A path cut before its last `depth + 1` steps.
fn split_at_depth(path: &str, depth: usize) -> Option<(&str, &str)> {
    let mut at = path.len();
    for _ in 0..=depth {
        at = path[..at].rfind('/')?;
    }
    Some((&path[..at], &path[at + 1..]))
}
