//! Charts that lie alike, as one glob: `charts/a`, `charts/b`, `charts/c` are `charts/{chart}`.

use super::overlays::is_known_platform;
use super::survey::ChartFolder;
use std::collections::{BTreeMap, BTreeSet};

/// Charts that one entry of `releases:` stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The steps of the path; `None` for the one that tells the charts apart.
    steps: Vec<Step>,
    /// Its charts, by what the captures stand for.
    pub(super) members: Vec<Member>,
    /// The platform its folders belong to, when they are one of several copies of a stack.
    pub(super) platform: Option<String>,
}

/// One chart of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Position in the survey.
    pub(super) chart: usize,
    /// What tells it apart from the others: the name of its folder, or of the folder above `chart/`.
    pub(super) name: String,
    /// What the capture before it stands for, if there is one.
    pub(super) outer: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Literal(String),
    /// The chart's name.
    Name,
    /// Folders that hold copies of one stack: a platform each.
    Platform,
    /// Folders that hold different charts.
    Group,
}

/// Folder names that say nothing about the chart in them.
const GENERIC: [&str; 9] = [
    "chart",
    "charts",
    "helm",
    "helm-chart",
    "deploy",
    "deployment",
    "k8s",
    "kubernetes",
    "infra",
];

impl Group {
    /// The capture of the name: `module` when it is a folder above the chart's own.
    fn capture(&self) -> &'static str {
        if self.steps.last() == Some(&Step::Name) {
            "chart"
        } else {
            "module"
        }
    }

    /// True when a glob finds the charts; false when it is one chart in one place.
    pub(super) fn is_glob(&self) -> bool {
        self.members.len() > 1 && !self.steps.is_empty()
    }

    /// A group of one of its charts.
    pub(super) fn only(&self, member: &Member) -> Group {
        Group {
            steps: self.steps.clone(),
            members: vec![member.clone()],
            platform: self.platform.clone(),
        }
    }

    /// The release's name as a template.
    pub(super) fn name(&self, charts: &[ChartFolder]) -> String {
        if self.is_glob() {
            return format!("{{{}}}", self.capture());
        }
        match self.members.first() {
            Some(member) if self.steps.is_empty() => charts[member.chart].name.clone(),
            Some(member) => member.name.clone(),
            None => String::new(),
        }
    }

    /// What tells the group's releases apart beyond their name.
    pub(super) fn outer(&self) -> Option<&'static str> {
        self.steps.contains(&Step::Group).then_some("{group}")
    }

    /// True when folders of the path are platforms.
    pub(super) fn captures_platform(&self) -> bool {
        self.steps.contains(&Step::Platform)
    }

    /// The path of the charts, with captures in a glob.
    pub(super) fn path(&self) -> String {
        self.written(self.steps.len())
    }

    /// The path of the folder that the chart's own folder says nothing beside: `web` for `web/chart`.
    pub(super) fn module(&self) -> Option<String> {
        let above = self.steps.iter().position(|step| *step == Step::Name)? + 1;
        (above < self.steps.len()).then(|| self.written(above))
    }

    fn written(&self, steps: usize) -> String {
        let name = match self.members.first() {
            Some(member) if !self.is_glob() => member.name.clone(),
            _ => format!("{{{}}}", self.capture()),
        };
        let outer = match self.members.first() {
            Some(member) if !self.is_glob() => member.outer.clone().unwrap_or_default(),
            _ => "{group}".to_owned(),
        };
        let steps: Vec<&str> = self.steps[..steps]
            .iter()
            .map(|step| match step {
                Step::Literal(text) => text,
                Step::Name => &name,
                Step::Platform => "{platform}",
                Step::Group => outer.as_str(),
            })
            .collect();
        steps.join("/")
    }
}

/// Puts charts that lie alike together.
pub(super) fn groups(charts: &[ChartFolder]) -> Vec<Group> {
    let mut alike: BTreeMap<Vec<Step>, Vec<Member>> = BTreeMap::new();
    for (position, chart) in charts.iter().enumerate() {
        let (steps, name) = steps(&chart.path);
        alike.entry(steps).or_default().push(Member {
            chart: position,
            name,
            outer: None,
        });
    }
    let groups: Vec<Group> = alike
        .into_iter()
        .map(|(steps, members)| Group {
            steps,
            members,
            platform: None,
        })
        .collect();
    let mut groups = merged(groups);
    copies(&mut groups);
    groups.sort_by_key(Group::path);
    groups
}

fn steps(path: &str) -> (Vec<Step>, String) {
    if path.is_empty() {
        return (Vec::new(), String::new());
    }
    let names: Vec<&str> = path.split('/').collect();
    let last = names.len() - 1;
    let at = if last > 0 && GENERIC.contains(&names[last]) {
        last - 1
    } else {
        last
    };
    let steps = names
        .iter()
        .enumerate()
        .map(|(position, name)| {
            if position == at {
                Step::Name
            } else {
                Step::Literal((*name).to_owned())
            }
        })
        .collect();
    (steps, names[at].to_owned())
}

/// Groups whose paths differ in the folder before the name, as one group with a capture more.
fn merged(groups: Vec<Group>) -> Vec<Group> {
    let mut wider: BTreeMap<Vec<Step>, Vec<Group>> = BTreeMap::new();
    for group in groups {
        let mut steps = group.steps.clone();
        let at = steps.iter().position(|step| *step == Step::Name);
        if let Some(at) = at.filter(|at| *at > 0) {
            steps[at - 1] = Step::Group;
        }
        wider.entry(steps).or_default().push(group);
    }
    let mut merged = Vec::new();
    for (mut steps, group) in wider {
        let at = steps.iter().position(|step| *step == Step::Group).unwrap_or(0);
        let is_copy = are_copies(&labelled(&group, at));
        if !is_copy && group.len() < 3 {
            merged.extend(group);
            continue;
        }
        if is_copy {
            steps[at] = Step::Platform;
        }
        let members = group.into_iter().flat_map(|group| {
            let outer = match &group.steps[at] {
                Step::Literal(name) => Some(name.clone()),
                _ => None,
            };
            group.members.into_iter().map(move |member| Member {
                outer: outer.clone(),
                ..member
            })
        });
        merged.push(Group {
            members: members.collect(),
            steps,
            platform: None,
        });
    }
    merged
}

/// True when every two groups are copies of one stack, each under its own folder name.
fn are_copies(groups: &[(&str, BTreeSet<&str>)]) -> bool {
    groups.len() > 1
        && groups.iter().enumerate().all(|(position, (left, charts))| {
            groups[position + 1..].iter().all(|(right, others)| {
                let common = charts.intersection(others).count();
                let named = is_known_platform(left) && is_known_platform(right);
                let enough = if named { 1 } else { 2 };
                left != right && common >= enough && common * 2 >= charts.len().min(others.len())
            })
        })
}

/// The charts of groups by what stands at a step of their paths.
fn labelled(groups: &[Group], at: usize) -> Vec<(&str, BTreeSet<&str>)> {
    groups
        .iter()
        .filter_map(|group| match group.steps.get(at) {
            Some(Step::Literal(label)) => Some((label.as_str(), group.names())),
            _ => None,
        })
        .collect()
}

/// Copies of a stack that lie in folders of different shape: the first step they differ in is the platform.
fn copies(groups: &mut [Group]) {
    if groups.iter().any(Group::captures_platform) || !are_copies(&labelled(groups, 0)) {
        return;
    }
    for group in groups {
        if let Some(Step::Literal(label)) = group.steps.first() {
            group.platform = Some(label.clone());
        }
    }
}

impl Group {
    fn names(&self) -> BTreeSet<&str> {
        self.members.iter().map(|member| member.name.as_str()).collect()
    }

    /// The platforms that its folders stand for.
    pub(super) fn platforms(&self) -> BTreeSet<&str> {
        match &self.platform {
            Some(platform) => BTreeSet::from([platform.as_str()]),
            None if self.captures_platform() => self
                .members
                .iter()
                .filter_map(|member| member.outer.as_deref())
                .collect(),
            None => BTreeSet::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(paths: &[&str]) -> Vec<String> {
        let charts: Vec<ChartFolder> = paths
            .iter()
            .map(|path| ChartFolder {
                path: (*path).to_owned(),
                name: "named".to_owned(),
                crds: false,
                missing: Vec::new(),
            })
            .collect();
        groups(&charts)
            .iter()
            .map(|group| {
                let platforms: Vec<&str> = group.platforms().into_iter().collect();
                format!("{} {} {}", group.path(), group.name(&charts), platforms.join(","))
            })
            .collect()
    }

    #[test]
    fn charts_that_lie_alike_are_one_glob() {
        assert_eq!(told(&["charts/a", "charts/b"]), ["charts/{chart} {chart} "]);
        assert_eq!(told(&["a/chart", "b/chart"]), ["{module}/chart {module} "]);
        assert_eq!(told(&["a", "b", "x/c"]), ["x/c c ", "{chart} {chart} "]);
        assert_eq!(
            told(&["charts/a", "charts/b", "other/a"]),
            ["charts/{chart} {chart} ", "other/a a "]
        );
        assert_eq!(told(&[""]), [" named "]);
        assert_eq!(told(&["helm"]), ["helm helm "]);
    }

    #[test]
    fn teams_are_a_capture_and_copies_are_platforms() {
        assert_eq!(
            told(&["apps/x/a", "apps/y/b", "apps/z/c"]),
            ["apps/{group}/{chart} {chart} "]
        );
        assert_eq!(
            told(&["stacks/amd/a", "stacks/amd/b", "stacks/arm/a", "stacks/arm/b"]),
            ["stacks/{platform}/{chart} {chart} amd,arm"]
        );
        assert_eq!(
            told(&["amd/a", "amd/b", "arm/helm/a", "arm/helm/b"]),
            ["amd/{chart} {chart} amd", "arm/helm/{chart} {chart} arm"]
        );
    }
}
