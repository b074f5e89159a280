//! What was found in a repository, put together as the text of a configuration.

use super::super::{names, path};
use super::choices::Choices;
use super::entry::{Entry, line};
use super::flow::scalar;
use super::groups::{Group, groups};
use super::helmfile::{Helmfiles, Values, helmfiles, is_helmfile};
use super::hints::{Hints, hints};
use super::overlays::{self, overlays};
use super::raw::{Raw, raw};
use super::survey::{Survey, survey};
use crate::source::{Glob, SourceTree};
use std::collections::{BTreeMap, BTreeSet};

/// A configuration in parts.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) hints: Hints,
    pub(super) choices: Choices,
    pub(super) platforms: BTreeSet<String>,
    /// Values of every platform: paths with `{platform}`.
    shared: Vec<String>,
    pub(super) entries: Vec<Entry>,
    /// Paragraphs at the end of the file.
    remarks: Vec<Vec<String>>,
    /// What to tell on the terminal.
    pub(super) found: Vec<String>,
}

/// More items than this are not listed in a remark.
const MOST_LISTED: usize = 12;

/// More charts than this are not named for one dependency.
const MOST_NAMED: usize = 4;

/// Looks at a repository and drafts its configuration.
pub(super) fn draft(tree: &dyn SourceTree, choices: &Choices) -> Draft {
    let survey = survey(tree);
    let groups = groups(&survey.charts);
    let helmfiles = helmfiles(tree, &survey);
    let chosen = choices.platforms.clone().unwrap_or_default();
    let overlays = overlays(tree, &survey, &groups, chosen);
    let raw = raw(tree, &survey);
    let mut draft = Draft {
        hints: hints(tree),
        choices: choices.clone(),
        platforms: overlays.platforms.clone(),
        shared: overlays.shared.clone(),
        ..Draft::default()
    };
    let environments = helmfiles.releases.iter().flat_map(|release| &release.platforms);
    draft.platforms.extend(environments.cloned());
    draft.add_charts(&survey, &groups, &overlays, &helmfiles);
    draft.add_helmfiles(&helmfiles);
    draft.add_raw(&raw);
    draft.choose();
    draft.tell_ids_apart();
    draft.limit_platforms();
    if choices.platforms.is_none() {
        draft.forget_platforms();
    }
    draft.remarks(&survey, &overlays, &helmfiles, &raw);
    draft.found.insert(0, counted(survey.charts.len(), "chart"));
    if !draft.platforms.is_empty() {
        let names = draft.platforms.iter().map(String::as_str);
        draft.found.push(format!(
            "{}: {}",
            counted(draft.platforms.len(), "platform"),
            names::listed(names)
        ));
    }
    draft
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

impl Draft {
    fn add_charts(
        &mut self,
        survey: &Survey,
        groups: &[Group],
        overlays: &overlays::Found,
        helmfiles: &Helmfiles,
    ) {
        let used: BTreeSet<&str> = helmfiles
            .releases
            .iter()
            .map(|release| release.chart.as_str())
            .collect();
        let is_used = |group: &Group| {
            group
                .members
                .iter()
                .any(|member| used.contains(survey.charts[member.chart].path.as_str()))
        };
        for (group, files) in groups.iter().zip(&overlays.groups) {
            if !is_used(group) {
                self.entries.push(chart_entry(survey, group, &files.values));
            } else {
                let unused = group
                    .members
                    .iter()
                    .filter(|member| !used.contains(survey.charts[member.chart].path.as_str()));
                for (position, member) in unused.enumerate() {
                    let one = group.only(member);
                    let mut entry = chart_entry(survey, &one, &[]);
                    if position == 0 {
                        entry.comments.insert(
                            0,
                            "Charts that no helmfile uses, with their own values.".to_owned(),
                        );
                    }
                    self.entries.push(entry);
                }
            }
            for path in &files.cases {
                self.entries.push(case_entry(survey, group, path));
            }
        }
        let cases: usize = overlays.groups.iter().map(|group| group.cases.len()).sum();
        if cases > 0 {
            self.found
                .push(format!("{cases} kinds of cases, a release for each file"));
        }
    }

    fn add_helmfiles(&mut self, helmfiles: &Helmfiles) {
        let files: BTreeSet<&str> = helmfiles
            .releases
            .iter()
            .map(|release| release.file.as_str())
            .collect();
        let prefix = common_folder(&files);
        let mut last = "";
        for release in &helmfiles.releases {
            let mut entry = Entry {
                key: "chart",
                paths: vec![release.chart.clone()],
                long_id: format!("{}/{}", release.file, release.name),
                name: release.name.clone(),
                namespace: release.namespace.clone(),
                platforms: release.platforms.clone(),
                values: release.values.clone(),
                set: release.set.clone(),
                ..Entry::default()
            };
            if files.len() > 1 {
                let folder = path::parent(&release.file);
                let folder = folder.strip_prefix(prefix).unwrap_or(folder);
                entry.id = Some(path::join(folder.trim_start_matches('/'), &release.name));
            }
            if last != release.file {
                last = &release.file;
                entry.comments.push(release.file.clone());
            }
            entry.ids = vec![entry.id.clone().unwrap_or_else(|| release.name.clone())];
            self.entries.push(entry);
        }
        if !files.is_empty() {
            self.found.push(format!(
                "{} helmfiles with {} releases",
                files.len(),
                helmfiles.releases.len()
            ));
        }
    }

    fn add_raw(&mut self, raw: &Raw) {
        for (position, release) in raw.releases.iter().enumerate() {
            let mut entry = Entry {
                key: "manifests",
                paths: release.globs.clone(),
                long_id: release
                    .globs
                    .first()
                    .map_or("", |glob| glob.trim_end_matches("/*.yaml"))
                    .to_owned(),
                name: release.name.clone(),
                ids: vec![release.name.clone()],
                ..Entry::default()
            };
            if position == 0 {
                entry
                    .comments
                    .push("Plain YAML, compared as it stands.".to_owned());
            }
            let first = release.globs.first().and_then(|glob| glob.split('/').next());
            if let Some(platform) = first.filter(|first| self.platforms.contains(*first)) {
                entry.platforms = vec![platform.to_owned()];
            }
            self.entries.push(entry);
        }
        if !raw.releases.is_empty() {
            let folders = counted(raw.releases.len(), "folder");
            self.found.push(format!("{folders} of plain YAML"));
        }
    }

    /// Entries whose ids would meet on a platform get ids from their paths.
    fn tell_ids_apart(&mut self) {
        let mut users: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        for (position, entry) in self.entries.iter().enumerate() {
            let all: Vec<String> = self.platforms.iter().cloned().collect();
            let platforms = match (&entry.platforms[..], &all[..]) {
                ([], []) => vec![String::new()],
                ([], all) => all.to_vec(),
                (some, _) => some.to_vec(),
            };
            for platform in platforms {
                for id in &entry.ids {
                    let user = users.entry((platform.clone(), id.clone())).or_default();
                    user.push(position);
                }
            }
        }
        let meeting: BTreeSet<usize> = users
            .into_values()
            .filter(|users| users.len() > 1)
            .flatten()
            .collect();
        for position in meeting {
            let entry = &mut self.entries[position];
            entry.id = Some(entry.long_id.clone());
        }
    }

    /// Gives every entry an id from its path: where names alone do not do.
    pub(super) fn tell_all_apart(&mut self) {
        let mut users: BTreeMap<String, usize> = BTreeMap::new();
        for entry in &mut self.entries {
            entry.id_by_path();
            let id = entry.id.clone().unwrap_or_default();
            let count = users.entry(id.clone()).or_default();
            *count += 1;
            if *count > 1 {
                entry.id = Some(format!("{id}-{count}"));
            }
        }
    }

    /// What has no values for platforms is rendered on one of them.
    fn limit_platforms(&mut self) {
        if !self.shared.is_empty() {
            return;
        }
        let users = |platform: &&String| {
            let uses = |entry: &&Entry| entry.platforms.contains(*platform);
            self.entries.iter().filter(uses).count()
        };
        // Of the most used the first by name.
        let Some(first) = self.platforms.iter().rev().max_by_key(users).cloned() else {
            return;
        };
        for entry in &mut self.entries {
            let differs = |text: &String| text.contains("{platform}");
            let by_values = entry
                .values
                .iter()
                .any(|values| matches!(values, Values::Path(path) if differs(path)));
            if entry.platforms.is_empty() && !by_values && !entry.paths.iter().any(differs) {
                entry.platforms = vec![first.clone()];
            }
        }
    }

    /// Platforms that no entry is for are none.
    fn forget_platforms(&mut self) {
        if self.entries.iter().all(|entry| !entry.platforms.is_empty()) {
            let used: BTreeSet<&String> = self.entries.iter().flat_map(|entry| &entry.platforms).collect();
            self.platforms.retain(|platform| used.contains(platform));
        }
    }

    fn remarks(&mut self, survey: &Survey, overlays: &overlays::Found, helmfiles: &Helmfiles, raw: &Raw) {
        let mut missing: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for chart in survey.charts.iter().filter(|chart| !chart.missing.is_empty()) {
            let path = if chart.path.is_empty() { "." } else { &chart.path };
            missing.entry(chart.missing.join(", ")).or_default().push(path);
        }
        if !missing.is_empty() {
            let count: usize = missing.values().map(Vec::len).sum();
            let charts = missing.into_iter().map(|(names, charts)| {
                let more = charts.len().saturating_sub(MOST_NAMED);
                let more = if more > 0 {
                    format!(" and {more} more")
                } else {
                    String::new()
                };
                let shown: Vec<&str> = charts.into_iter().take(MOST_NAMED).collect();
                format!("{}{more}: {names}", shown.join(", "))
            });
            self.remark(
                "Dependencies that are not in the charts/ folder of their chart, which does not render before\n\
                 `helm dependency build CHART` has put them there:",
                charts.collect(),
            );
            self.found.push(format!(
                "{count} charts whose dependencies are not in the repository"
            ));
        }
        let named: BTreeSet<&str> = helmfiles
            .releases
            .iter()
            .filter_map(|release| Some(release.named.as_ref()?.rsplit_once('/')?.0))
            .collect();
        let named = named
            .into_iter()
            .map(|repository| format!("{repository}/NAME is taken to be the chart NAME of this repository"));
        self.remark("Taken for granted:", named.collect());
        let left_out = survey
            .left_out
            .iter()
            .chain(&raw.left_out)
            .map(|(path, why)| format!("{path}: {why}"));
        self.remark("Left out:", left_out.collect());
        self.helmfile_remarks(helmfiles);
        let unused = overlays.unused.iter().filter(|path| !is_helmfile(path)).cloned();
        self.remark(
            "Files that look like values and are used by nothing above:",
            unused.collect(),
        );
    }

    fn helmfile_remarks(&mut self, helmfiles: &Helmfiles) {
        let mut unread: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (file, why) in &helmfiles.unread {
            unread.entry(file).or_default().push(why);
        }
        if !unread.is_empty() {
            self.found
                .push(format!("{} helmfiles that could not be read whole", unread.len()));
        }
        let unread = unread
            .into_iter()
            .map(|(file, why)| format!("{file}: {}", why.join("; ")));
        // All of them: each is a place where the draft may be wrong.
        self.remark_all(
            "Not read, or not read whole; look at these yourself:",
            unread.collect(),
        );
        let mut outside: Vec<(&String, &usize)> = helmfiles.outside.iter().collect();
        outside.sort_by_key(|(path, count)| (usize::MAX - **count, *path));
        let outside = outside
            .into_iter()
            .map(|(path, count)| format!("{path} (releases: {count})"));
        self.remark(
            "Values files outside of the repository, which are therefore not compared:",
            outside.collect(),
        );
    }

    fn remark(&mut self, head: &str, mut items: Vec<String>) {
        let more = items.len().saturating_sub(MOST_LISTED);
        if more > 0 {
            items.truncate(MOST_LISTED);
            items.push(format!("and {more} more"));
        }
        self.remark_all(head, items);
    }

    fn remark_all(&mut self, head: &str, items: Vec<String>) {
        if !items.is_empty() {
            let items = items.into_iter().map(|item| format!("  {item}"));
            self.remarks
                .push(head.lines().map(str::to_owned).chain(items).collect());
        }
    }

    /// The text of the file.
    pub(super) fn text(&self) -> String {
        let mut text = String::from(
            "# What evenkeel renders and compares. `evenkeel init` wrote it from what it found; it is yours now.\n\
             # Paths are relative to this file. {names} are captured by globs, a final ? makes a file optional.\n\n",
        );
        self.write_versions(&mut text);
        self.write_platforms(&mut text);
        text.push_str("\nreleases:\n");
        for (position, entry) in self.entries.iter().enumerate() {
            if position > 0 && !entry.comments.is_empty() {
                text.push('\n');
            }
            entry.write(&mut text);
        }
        text.push_str(
            "\n# Objects that may never disappear or be renamed:\n\
             # protect: [\"PersistentVolumeClaim/*\"]\n",
        );
        for remark in &self.remarks {
            text.push('\n');
            for item in remark {
                line(&mut text, &format!("# {item}"));
            }
        }
        text
    }

    fn write_platforms(&self, text: &mut String) {
        if self.platforms.is_empty() {
            return;
        }
        text.push_str("\nplatforms:\n");
        let shared: Vec<String> = self
            .shared
            .iter()
            .map(|path| scalar(&format!("{path}?")))
            .collect();
        let settings = if shared.is_empty() {
            "{}".to_owned()
        } else {
            format!("{{ values: [{}] }}", shared.join(", "))
        };
        for platform in &self.platforms {
            line(text, &format!("  {}: {settings}", scalar(platform)));
        }
    }
}

/// The folder that all files lie in.
fn common_folder<'f>(files: &BTreeSet<&'f str>) -> &'f str {
    let (Some(first), Some(last)) = (files.first(), files.last()) else {
        return "";
    };
    let mut folder = path::parent(first);
    while !folder.is_empty() && !last.starts_with(&path::join(folder, "")) {
        folder = path::parent(folder);
    }
    folder
}

fn chart_entry(survey: &Survey, group: &Group, values: &[String]) -> Entry {
    let charts = || group.members.iter().map(|member| &survey.charts[member.chart]);
    let name = group.name(&survey.charts);
    let path = group.path();
    let mut entry = Entry {
        key: if group.is_glob() { "charts" } else { "chart" },
        paths: vec![if path.is_empty() {
            ".".to_owned()
        } else {
            path.clone()
        }],
        id: ids_meet(group).then(|| format!("{{group}}/{name}")),
        long_id: path.clone(),
        name,
        namespace: Some("default".to_owned()),
        namespace_hint: true,
        platforms: group.platforms().into_iter().map(str::to_owned).collect(),
        include_crds: charts().any(|chart| chart.crds),
        ..Entry::default()
    };
    let ids: BTreeSet<&str> = group.members.iter().map(|member| member.name.as_str()).collect();
    entry.ids = ids.into_iter().map(str::to_owned).collect();
    if group.is_glob() {
        entry.comments.push(format!(
            "{} charts, and those that will join them.",
            group.members.len()
        ));
        entry.exclude = excluded(survey, group);
    }
    for path in values {
        let literal = !path.contains('{') && survey.files.contains(path);
        let end = if literal { "" } else { "?" };
        entry.values.push(Values::Path(format!("{path}{end}")));
    }
    entry
}

/// A release for each file that a path with `{case}` finds.
fn case_entry(survey: &Survey, group: &Group, path: &str) -> Entry {
    let mut entry = chart_entry(survey, group, &[]);
    let kind = path
        .split('/')
        .find(|step| {
            !step.contains('{') && (step.contains("override") || matches!(*step, "ci" | "examples" | "tests"))
        })
        .unwrap_or("cases");
    let base = entry.id.take().unwrap_or_else(|| entry.name.clone());
    let with_case = |base: &str| match kind {
        "ci" => format!("{base}/{{case}}"),
        kind => format!("{base}/{kind}/{{case}}"),
    };
    entry.id = Some(with_case(&base));
    entry.long_id = with_case(&entry.long_id);
    entry.ids = entry.id.iter().cloned().collect();
    entry.for_each = Some(path.to_owned());
    entry.values = vec![Values::Path(path.to_owned())];
    entry.comments = vec![format!("A release for each file of {kind}.")];
    entry.namespace_hint = false;
    entry
}

/// True when two charts of a group have one name, so that the folder before it has to tell them apart.
fn ids_meet(group: &Group) -> bool {
    let names: BTreeSet<&str> = group.members.iter().map(|member| member.name.as_str()).collect();
    group.outer().is_some() && names.len() < group.members.len()
}

/// The charts that a group's glob finds and that are not of the group.
fn excluded(survey: &Survey, group: &Group) -> Vec<String> {
    let Ok(glob) = Glob::parse(&group.path()) else {
        return Vec::new();
    };
    let members: BTreeSet<usize> = group.members.iter().map(|member| member.chart).collect();
    let others = survey
        .charts
        .iter()
        .enumerate()
        .filter(|(position, _)| !members.contains(position))
        .map(|(_, chart)| chart.path.as_str());
    let left_out = survey
        .left_out
        .iter()
        .filter(|(_, why)| !why.starts_with("a library"))
        .map(|(path, _)| path.as_str());
    others
        .chain(left_out)
        .filter(|path| glob.matches(path).is_some())
        .map(str::to_owned)
        .collect()
}
