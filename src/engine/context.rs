//! What templates see, chart by chart: the shared mutable context maps, and the list of templates in the
//! order in which Helm parses and executes them (`pkg/engine/engine.go`, `recAllTpls`, `sortTemplates`).

use super::chart_facts::chart_facts;
use super::files::Files;
use crate::chart::Chart;
use crate::dialect::Dialect;
use crate::layers::Instance;
use crate::value::{Data, Map, MapType, Value};
use std::cmp::Reverse;
use std::sync::Arc;

/// One template file of a cell.
pub(super) struct Template {
    /// Its full name: `root/charts/sub/templates/x.yaml`.
    pub(super) name: String,
    /// `.Template.BasePath`
    base_path: String,
    /// The chart it belongs to, and its position among the chart's templates.
    pub(super) file: (Arc<Chart>, usize),
    /// The context map of its chart, shared by all of the chart's templates.
    context: Map,
}

impl Template {
    /// The source text.
    pub(super) fn source(&self) -> &Arc<[u8]> {
        &self.file.0.templates[self.file.1].data
    }

    /// False for partials, which are parsed but not executed on their own.
    pub(super) fn is_rendered(&self) -> bool {
        !self.name.rsplit('/').next().unwrap_or_default().starts_with('_')
    }

    /// The data it is executed with; says in the chart's context which template runs.
    pub(super) fn enter(&self) -> Value {
        let template = [
            ("Name".into(), Value::from(self.name.as_str())),
            ("BasePath".into(), Value::from(self.base_path.as_str())),
        ];
        let template = Map::from_entries(MapType::Values, template);
        self.context.set("Template".into(), template.into());
        self.context.as_kind(MapType::Values).into()
    }
}

/// The facts of the release and the cluster, the same for all charts of a cell.
pub(super) struct Facts {
    pub(super) release: Value,
    pub(super) capabilities: Value,
    pub(super) dialect: Dialect,
}

/// All templates of a chart tree, in the order of parsing and execution: deepest first, then by name
/// backwards.
pub(super) fn templates(root: &Instance, values: &Map, facts: &Facts) -> Vec<Template> {
    let mut found = Vec::new();
    collect(root, None, values.as_kind(MapType::Values), facts, &mut found);
    let depth = |name: &str| name.bytes().filter(|byte| *byte == b'/').count();
    found.sort_by_cached_key(|template| Reverse((depth(&template.name), template.name.clone())));
    // Of two templates with one name Go's map keeps the one that was put last; the sort is stable and
    // `collect` visits in Helm's order.
    let mut kept: Vec<Template> = Vec::with_capacity(found.len());
    for template in found {
        match kept.last_mut() {
            Some(last) if last.name == template.name => *last = template,
            _ => kept.push(template),
        }
    }
    kept
}

fn collect(
    instance: &Instance,
    parent: Option<&str>,
    values: Map,
    facts: &Facts,
    found: &mut Vec<Template>,
) -> Map {
    let name = &instance.metadata.name;
    let path = match parent {
        None => name.clone(),
        Some(parent) => format!("{parent}/charts/{name}"),
    };
    let subcharts = Map::new();
    let context = Map::from_entries(
        MapType::Any,
        [
            (
                "Chart".into(),
                chart_facts(instance, parent.is_none(), facts.dialect),
            ),
            ("Files".into(), Files::of(&instance.chart, facts.dialect)),
            ("Release".into(), facts.release.clone()),
            ("Capabilities".into(), facts.capabilities.clone()),
            ("Values".into(), values.clone().into()),
            ("Subcharts".into(), subcharts.clone().into()),
        ],
    );
    for child in &instance.children {
        let child = child.borrow();
        let name = child.metadata.name.as_str();
        let below = collect(&child, Some(&path), values_of(&values, name), facts, found);
        subcharts.set(name.into(), below.into());
    }
    let is_library = instance.metadata.kind.eq_ignore_ascii_case("library");
    for (position, file) in instance.chart.templates.iter().enumerate() {
        let base = file.name.rsplit('/').next().unwrap_or_default();
        if is_library && !base.starts_with('_') {
            continue;
        }
        found.push(Template {
            name: clean(&format!("{path}/{}", file.name)),
            base_path: format!("{path}/templates"),
            file: (Arc::clone(&instance.chart), position),
            context: context.clone(),
        });
    }
    context
}

/// `.Values` of a subchart: the very map that its parent has under the subchart's name, where a dot in the
/// name is a step (`Values.Table`); without one an empty map.
fn values_of(parent: &Map, name: &str) -> Map {
    let mut found = parent.clone();
    for step in name.split('.') {
        match found.get(step.as_bytes()).map(|value| value.data) {
            Some(Data::Map(map)) => found = map,
            _ => return Map::typed(MapType::Values),
        }
    }
    found.as_kind(MapType::Values)
}

/// Go's `path.Join` of relative paths.
pub(super) fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
