//! `dependency-republished`: one version of a chart, other bytes.

use super::elements::is_same;
use super::{CellView, Check, Hazard, Pass, Sink};
use crate::base::{Level, Place, Side};
use crate::chart::{Chart, ChartFile};
use std::collections::BTreeMap;

/// The check.
pub static CHECK: Check = Check {
    name: "dependency-republished",
    level: Level::Warn,
    audit_only: false,
    explain: "A chart that somebody else publishes has the name and version that it had at the baseline, and other \
contents. Versions are what lock files, caches and reviews rely on: whoever reads the diff sees the same number and \
believes that nothing changed, and two machines with the same lock file can install different things.\n\n\
It happens when a version was published again, when an archive was edited, or when an unpacked copy was patched in \
place. Compare the two, and give the changed one a version of its own. Archives that were only packed anew are no \
finding: contents are compared. Subcharts that live in the repository itself (no repository, or file://) are yours \
to edit and are left out.",
    pass: Pass::Comparison(run),
};

fn run(view: &CellView<'_>, sink: &mut Sink) {
    let published = |side: Side| {
        let chart = view.sides.get(side).as_ref()?.chart.as_ref()?;
        let mut found = BTreeMap::new();
        if chart.chart.location.ends_with(".tgz") {
            found.insert(String::new(), &**chart.chart);
        }
        collect(chart.chart, "", &mut found);
        Some(found)
    };
    let (Some(baseline), Some(candidate)) = (published(Side::Baseline), published(Side::Candidate)) else {
        return;
    };
    for (path, chart) in candidate {
        let Some(before) = baseline.get(&path) else {
            continue;
        };
        let facts = |chart: &Chart| (chart.metadata.name.clone(), chart.metadata.version.clone());
        if facts(before) != facts(chart) {
            continue;
        }
        let Some(changed) = difference(before, chart) else {
            continue;
        };
        let (name, version) = facts(chart);
        let message = format!("{name} {version} is not what it was at the baseline: {changed} differs");
        sink.tell(Hazard {
            object: format!("{path} {name} {version}"),
            place: Some(Place::file(chart.location.clone())),
            related: vec![("at the baseline".to_owned(), Place::file(before.location.clone()))],
            remedy: Some("compare the two, and give the changed one a version of its own".to_owned()),
            ..Hazard::new(&CHECK, message)
        });
    }
}

/// The subcharts that come from elsewhere, by their path of names.
fn collect<'c>(chart: &'c Chart, path: &str, found: &mut BTreeMap<String, &'c Chart>) {
    for child in &chart.dependencies {
        let path = format!("{path}/{}", child.metadata.name);
        let mut entries = chart.metadata.dependencies.iter().flatten();
        let is_remote = entries.any(|entry| {
            entry.name == child.metadata.name
                && !entry.repository.is_empty()
                && !entry.repository.starts_with("file:")
        });
        if is_remote || child.location.ends_with(".tgz") {
            found.insert(path.clone(), child);
        }
        collect(child, &path, found);
    }
}

/// What differs first between two charts, their subcharts aside; `None` when nothing does that a render could
/// see.
fn difference(before: &Chart, after: &Chart) -> Option<String> {
    let values = |chart: &Chart| chart.values.clone().unwrap_or_default();
    let (old, new) = (values(before), values(after));
    if old.len() != new.len()
        || !old
            .iter()
            .zip(&new)
            .all(|(old, new)| is_same(&old.node, &new.node))
    {
        return Some("values.yaml".to_owned());
    }
    if before.schema != after.schema {
        return Some("values.schema.json".to_owned());
    }
    files(&before.templates, &after.templates)
        .or_else(|| files(&before.files, &after.files))
        .or_else(|| {
            let facts = |chart: &Chart| {
                let mut metadata = chart.metadata.clone();
                for entry in metadata.dependencies.iter_mut().flatten() {
                    entry.position = (0, 0);
                }
                metadata
            };
            (facts(before) != facts(after)).then(|| "Chart.yaml".to_owned())
        })
}

fn files(before: &[ChartFile], after: &[ChartFile]) -> Option<String> {
    let by_name = |files: &[ChartFile]| -> BTreeMap<String, std::sync::Arc<[u8]>> {
        files
            .iter()
            .map(|file| (file.name.clone(), file.data.clone()))
            .collect()
    };
    let (before, after) = (by_name(before), by_name(after));
    let changed = after.iter().find(|(name, data)| before.get(*name) != Some(data));
    let gone = || before.keys().find(|name| !after.contains_key(*name));
    changed.map(|(name, _)| name).or_else(gone).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart;
    use crate::dialect::Dialect;
    use crate::source::MemoryTree;

    fn told(repository: &str, sub: &str, values: [&str; 2]) -> Vec<String> {
        let charts = values.map(|values| {
            let entry =
                format!("dependencies:\n- {{name: sub, version: 1.x.x, repository: '{repository}'}}\n");
            let tree = MemoryTree::new("test")
                .file(
                    "app/Chart.yaml",
                    format!("apiVersion: v2\nname: app\nversion: 0.1.0\n{entry}"),
                )
                .file("app/charts/sub/Chart.yaml", sub)
                .file("app/charts/sub/values.yaml", values);
            chart::load(&tree, "app", Dialect::V4_3).expect("a chart")
        });
        let [mut before, mut after] = [BTreeMap::new(), BTreeMap::new()];
        collect(&charts[0], "", &mut before);
        collect(&charts[1], "", &mut after);
        let differing = after
            .iter()
            .filter_map(|(path, chart)| difference(before[path], chart));
        differing.collect()
    }

    #[test]
    fn other_contents_under_one_version_are_told() {
        let sub = "apiVersion: v2\nname: sub\nversion: 1.0.0\n";
        assert_eq!(
            told("https://charts.example", sub, ["a: 1\n", "a: 2\n"]),
            ["values.yaml"]
        );
        assert_eq!(
            told("https://charts.example", sub, ["a: 1\n", "# c\na: 1\n"]),
            Vec::<String>::new()
        );
        assert_eq!(
            told("file://../sub", sub, ["a: 1\n", "a: 2\n"]),
            Vec::<String>::new()
        );
    }
}
