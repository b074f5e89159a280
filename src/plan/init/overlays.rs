//! Which values files are overlays of platforms, and what the platforms are.

use super::families::{Families, GroupFiles, parsed};
use super::groups::Group;
use super::survey::Survey;
use crate::source::SourceTree;
use std::collections::{BTreeMap, BTreeSet};

/// Folders whose files are for every release on a platform.
const SHARED: [&str; 8] = [
    "environments/{x}.yaml",
    "environments/{x}/values.yaml",
    "envs/{x}.yaml",
    "env/{x}.yaml",
    "platforms/{x}.yaml",
    "values/{x}.yaml",
    "values-{x}.yaml",
    "values.{x}.yaml",
];

/// Names that are platforms even when one chart alone has them.
const KNOWN: [&str; 36] = [
    "aks",
    "amd",
    "amd64",
    "arm64",
    "aws",
    "azure",
    "cpu",
    "dev",
    "development",
    "edge",
    "eks",
    "gcp",
    "gke",
    "gpu",
    "int",
    "integration",
    "k3s",
    "kind",
    "live",
    "local",
    "minikube",
    "nvidia",
    "onprem",
    "openshift",
    "preprod",
    "prd",
    "prod",
    "production",
    "qa",
    "sandbox",
    "stage",
    "staging",
    "stg",
    "test",
    "testing",
    "uat",
];

/// More platforms than this are not platforms but settings of single charts.
const MOST_PLATFORMS: usize = 24;

/// What values files a group has.
#[derive(Debug, Default)]
pub(super) struct Overlays {
    /// Paths with captures, lowest first, for `values`.
    pub(super) values: Vec<String>,
    /// Paths with `{case}`: a release for each file.
    pub(super) cases: Vec<String>,
}

/// The values files of all groups.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// By position of the group.
    pub(super) groups: Vec<Overlays>,
    /// The platforms, most used first by name.
    pub(super) platforms: BTreeSet<String>,
    /// Values for every release on a platform: paths with `{platform}`.
    pub(super) shared: Vec<String>,
    /// Files that look like overlays but are used by no entry.
    pub(super) unused: Vec<String>,
}

/// Finds the values files of groups; what was chosen is a platform whatever it is called.
pub(super) fn overlays(
    tree: &dyn SourceTree,
    survey: &Survey,
    groups: &[Group],
    chosen: BTreeSet<String>,
) -> Found {
    let mut found = Found::default();
    let families = Families::new(tree, survey);
    let mut search = Search {
        families: &families,
        platforms: groups
            .iter()
            .flat_map(Group::platforms)
            .map(str::to_owned)
            .chain(chosen)
            .collect(),
    };
    let of_groups: Vec<GroupFiles> = groups.iter().map(|group| families.of(group)).collect();
    let shared = search.shared();
    search.choose_platforms(&of_groups, &shared);
    for (group, files) in groups.iter().zip(of_groups) {
        let mut overlays = Overlays {
            values: files.base,
            cases: files.cases,
        };
        found.unused.extend(files.unused);
        for (path, family) in files.env {
            let is_used = |name: &str| search.platforms.contains(name) && !group.captures_platform();
            if family.files.keys().any(|name| is_used(name)) {
                overlays.values.push(path.replace("{x}", "{platform}"));
            }
            let unused = family.files.into_iter().filter(|(name, _)| !is_used(name));
            found
                .unused
                .extend(unused.flat_map(|(_, files)| files.into_values()));
        }
        found.groups.push(overlays);
    }
    found.unused.sort();
    for (path, names) in shared {
        if names.iter().any(|name| search.platforms.contains(name)) {
            found.shared.push(path.replace("{x}", "{platform}"));
        }
    }
    found.platforms = search.platforms;
    found
}

/// True for the name of something that is a platform wherever it stands.
pub(super) fn is_known_platform(name: &str) -> bool {
    KNOWN.contains(&name)
}

struct Search<'s> {
    families: &'s Families<'s>,
    platforms: BTreeSet<String>,
}

impl Search<'_> {
    fn choose_platforms(&mut self, groups: &[GroupFiles], shared: &[(String, BTreeSet<String>)]) {
        let mut users: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for family in groups.iter().flat_map(|files| files.env.values()) {
            for (name, files) in &family.files {
                users.entry(name).or_default().extend(files.keys());
            }
        }
        let alone = self.families.survey.charts.len() == 1;
        let mut chosen: Vec<(usize, &str)> = users
            .iter()
            .filter(|(name, charts)| charts.len() > 1 || alone || is_known_platform(name))
            .map(|(name, charts)| (charts.len(), *name))
            .collect();
        chosen.sort_by_key(|(count, name)| (!is_known_platform(name), usize::MAX - count, *name));
        chosen.truncate(MOST_PLATFORMS);
        self.platforms
            .extend(chosen.into_iter().map(|(_, name)| name.to_owned()));
        for (_, names) in shared {
            let known = names.iter().filter(|name| is_known_platform(name));
            self.platforms.extend(known.cloned());
        }
    }

    fn shared(&self) -> Vec<(String, BTreeSet<String>)> {
        let mut shared = Vec::new();
        for family in SHARED {
            let glob = parsed(family);
            let names: BTreeSet<String> = self
                .families
                .outside()
                .filter_map(|file| Some((file, glob.matches(file)?.remove("x")?)))
                .filter(|(file, _)| !self.families.is_manifest(file))
                .map(|(_, name)| name)
                .collect();
            if names
                .iter()
                .any(|name| is_known_platform(name) || self.platforms.contains(name))
            {
                shared.push((family.to_owned(), names));
            }
        }
        shared
    }
}

#[cfg(test)]
mod tests {
    use super::super::groups::groups;
    use super::super::survey::survey;
    use super::*;
    use crate::source::MemoryTree;

    fn found(files: &[&str]) -> Found {
        let mut tree = MemoryTree::new("test");
        for file in files {
            let content = if file.ends_with("Chart.yaml") {
                "name: x\n"
            } else {
                "a: 1\n"
            };
            tree = tree.file(file, content);
        }
        let survey = survey(&tree);
        overlays(&tree, &survey, &groups(&survey.charts), BTreeSet::new())
    }

    #[test]
    fn overlays_beside_charts() {
        let found = found(&[
            "web/chart/Chart.yaml",
            "web/values.yaml",
            "web/values-amd.yaml",
            "db/chart/Chart.yaml",
            "db/values-arm.yaml",
            "web/values-arm.yaml",
            "db/values-odd.yaml",
        ]);
        assert_eq!(
            found.groups[0].values,
            ["{module}/values.yaml", "{module}/values-{platform}.yaml"]
        );
        let platforms: Vec<&str> = found.platforms.iter().map(String::as_str).collect();
        assert_eq!(platforms, ["amd", "arm"]);
        assert_eq!(found.unused, ["db/values-odd.yaml"]);
    }

    #[test]
    fn cases_are_not_platforms() {
        let found = found(&[
            "charts/web/Chart.yaml",
            "charts/web/ci/a-values.yaml",
            "charts/web/ci/b-values.yaml",
            "charts/web/examples/one/values.yaml",
            "charts/db/Chart.yaml",
            "values_overrides/web/tls.yaml",
            "values_overrides/db/tls.yaml",
        ]);
        assert_eq!(
            found.groups[0].cases,
            [
                "charts/{chart}/ci/{case}-values.yaml",
                "charts/{chart}/examples/{case}/values.yaml",
                "values_overrides/{chart}/{case}.yaml"
            ]
        );
        assert!(found.platforms.is_empty());
    }

    #[test]
    fn central_folders_of_values() {
        let found = found(&[
            "charts/web/Chart.yaml",
            "charts/db/Chart.yaml",
            "values/web.yaml",
            "values/db.yaml",
            "environments/prod/web.yaml",
            "environments/prod/db.yaml",
            "environments/prod/values.yaml",
        ]);
        assert_eq!(
            found.groups[0].values,
            ["values/{chart}.yaml", "environments/{platform}/{chart}.yaml"]
        );
        assert_eq!(found.shared, ["environments/{platform}/values.yaml"]);
    }
}
