//! `condition-unresolved`: nothing defines what would switch a subchart on or off, so it is on.

use super::live::LiveChart;
use super::{ChartView, Check, Hazard, Pass, Sink, live};
use crate::base::{Level, Place, Step};
use crate::chart::{Chart, Dependency};
use crate::layers::FinalValues;
use crate::semver;
use crate::value::{Data, Value};

/// The check.
pub static CHECK: Check = Check {
    name: "condition-unresolved",
    level: Level::Warn,
    audit_only: false,
    explain: "An entry of dependencies in Chart.yaml names a condition (a path of values) or tags that switch the \
subchart on or off, and no values define any of them as a boolean. Helm then installs the subchart, without a word: a \
misspelt path, a renamed value, or a blank behind a comma is enough, for Helm looks up every character.\n\n\
\x20   dependencies:\n\
\x20     - name: postgresql\n\
\x20       condition: postgres.enabled      # the values say postgresql.enabled: false\n\n\
A database that nobody asked for runs in the cluster. Define the path in the chart's values.yaml, as true or false.",
    pass: Pass::Layers(run),
};

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    let Some(ends) = view.final_values() else {
        return;
    };
    for live in live::charts(view) {
        for entry in live.chart.metadata.dependencies.iter().flatten() {
            look(ends, &live, entry, sink);
        }
    }
}

fn look(ends: &FinalValues, live: &LiveChart, entry: &Dependency, sink: &mut Sink) {
    let conditions: Vec<&str> = entry
        .condition
        .split(',')
        .filter(|path| !path.is_empty())
        .collect();
    let tags: Vec<&String> = entry.tags.iter().flatten().collect();
    let name = if entry.alias.is_empty() {
        &entry.name
    } else {
        &entry.alias
    };
    let keys: Vec<_> = live
        .path
        .iter()
        .chain([name])
        .map(|key| key.as_str().into())
        .collect();
    // A subchart that is off was switched off by something; one without a condition is meant to be on.
    if (conditions.is_empty() && tags.is_empty()) || !ends.has_chart(&keys) || is_library(&live.chart, entry)
    {
        return;
    }
    let is_switch = |steps: Vec<Step>| matches!(ends.at(&steps).map(|value| value.data), Some(Data::Bool(_)));
    let prefix = || live.path.iter().map(|key| Step::Key(key.clone()));
    let of = |path: &str| -> Vec<Step> {
        let steps = path.split('.').map(|key| Step::Key(key.to_owned()));
        prefix().chain(steps).collect()
    };
    let is_condition = conditions
        .iter()
        .any(|path| is_switch(of(path.trim_end())) && path.trim_end() == *path);
    let tag = |tag: &String| vec![Step::Key("tags".to_owned()), Step::Key(tag.clone())];
    let own = |name: &String| prefix().chain(tag(name)).collect();
    if is_condition
        || tags
            .iter()
            .any(|name| is_switch(tag(name)) || is_switch(own(name)))
    {
        return;
    }
    let shown: Vec<String> = conditions
        .iter()
        .map(|path| format!("`{path}`"))
        .chain(tags.iter().map(|tag| format!("`tags.{tag}`")))
        .collect();
    let found = conditions
        .iter()
        .find_map(|path| ends.at(&of(path)).map(|value| (path, value)));
    let why = match found {
        Some((
            path,
            Value {
                data: Data::Str(_), ..
            },
        )) => format!("`{path}` is a string, and Helm wants true or false"),
        Some((path, _)) => format!("`{path}` is no boolean"),
        None => format!("no values define {}", shown.join(" or ")),
    };
    let trimmed = conditions
        .iter()
        .map(|path| path.trim())
        .find(|path| is_switch(of(path)));
    let suggestion = trimmed.map(ToOwned::to_owned);
    sink.tell(Hazard {
        object: format!(
            "{}{name}: {}",
            live.path.iter().map(|key| format!("{key}.")).collect::<String>(),
            shown.join(" ")
        ),
        place: Some(place(&live.chart, entry)),
        remedy: Some(match &suggestion {
            Some(path) => format!("Helm does not trim blanks: write {path}"),
            None => "define it as true or false in the chart's values.yaml".to_owned(),
        }),
        suggestion,
        ..Hazard::new(&CHECK, format!("the subchart {name} is on: {why}"))
    });
}

/// A library chart renders nothing, whether on or off.
fn is_library(chart: &Chart, entry: &Dependency) -> bool {
    chart.dependencies.iter().any(|child| {
        let metadata = &child.metadata;
        metadata.name == entry.name
            && metadata.kind == "library"
            && semver::is_compatible_range(&entry.version, &metadata.version)
    })
}

/// Where the entry stands.
fn place(chart: &Chart, entry: &Dependency) -> Place {
    let is_old = chart.metadata.api_version == "v1";
    let has_list = chart.files.iter().any(|file| file.name == "requirements.yaml");
    let file = if is_old && has_list {
        "requirements.yaml"
    } else {
        "Chart.yaml"
    };
    let (line, column) = entry.position;
    Place::new(format!("{}/{file}", chart.location), line, column)
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn told(entry: &str, values: &str) -> Vec<String> {
        let chart = format!("apiVersion: v2\nname: app\nversion: 0.1.0\ndependencies:\n- {entry}\n");
        let case = Case::chart(values, "a: b\n")
            .file("app/Chart.yaml", &chart)
            .file(
                "app/charts/sub/Chart.yaml",
                "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
            )
            .file("app/charts/sub/values.yaml", "own: true\n");
        case.hazards(&CHECK)
            .into_iter()
            .map(|hazard| hazard.message)
            .collect()
    }

    #[test]
    fn a_switch_that_nothing_defines_is_told() {
        let entry = "{name: sub, version: 1.x.x, condition: 'sb.run, sub.run'}";
        assert_eq!(
            told(entry, "sub: {run: true}\n"),
            ["the subchart sub is on: no values define `sb.run` or ` sub.run`"]
        );
        let entry = "{name: sub, version: 1.x.x, condition: sub.run}";
        assert_eq!(
            told(entry, "sub: {run: 'false'}\n"),
            ["the subchart sub is on: `sub.run` is a string, and Helm wants true or false"]
        );
        let entry = "{name: sub, version: 1.x.x, tags: [db]}";
        assert_eq!(
            told(entry, "{}\n"),
            ["the subchart sub is on: no values define `tags.db`"]
        );
    }

    #[test]
    fn defined_switches_and_subcharts_without_any_are_fine() {
        let entry = "{name: sub, version: 1.x.x, condition: 'sb.run,sub.run', tags: [db]}";
        assert_eq!(told(entry, "sub: {run: true}\n"), Vec::<String>::new());
        assert_eq!(told(entry, "sub: {run: false}\n"), Vec::<String>::new());
        assert_eq!(told(entry, "tags: {db: true}\n"), Vec::<String>::new());
        assert_eq!(told("{name: sub, version: 1.x.x}", "{}\n"), Vec::<String>::new());
        assert_eq!(
            told("{name: sub, version: 1.x.x, condition: sub.own}", "{}\n"),
            Vec::<String>::new()
        );
    }
}
