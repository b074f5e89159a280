//! Which charts of a cell take part, and where their files stand.

use super::ChartView;
use crate::base::{Place, Step};
use crate::chart::Chart;
use crate::layers::Instance;
use std::sync::Arc;

/// A chart of a cell's tree that takes part.
pub(super) struct LiveChart {
    /// The keys that lead to its values: names or aliases; none for the root.
    pub(super) path: Vec<String>,
    /// The chart.
    pub(super) chart: Arc<Chart>,
}

impl LiveChart {
    /// The place of the first line of its Chart.yaml that begins with a key.
    pub(super) fn metadata_place(&self, view: &ChartView<'_>, key: &str) -> Place {
        let file = format!("{}/Chart.yaml", self.chart.location);
        let text = view.job.tree.read(&file).unwrap_or_default();
        let is_it = |line: &[u8]| {
            let rest = line.strip_prefix(key.as_bytes());
            rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
        };
        let line = text.split(|byte| *byte == b'\n').position(is_it);
        match line.and_then(|line| u32::try_from(line + 1).ok()) {
            Some(line) => Place::new(file, line, 1),
            None => Place::file(file),
        }
    }

    /// The name with its version, as a person writes it.
    pub(super) fn title(&self) -> String {
        format!("{} {}", self.chart.metadata.name, self.chart.metadata.version)
    }
}

/// The charts that take part, the root first.
pub(super) fn charts(view: &ChartView<'_>) -> Vec<LiveChart> {
    let mut found = Vec::new();
    if let Some(ends) = view.final_values() {
        collect(&ends.chart, &[], &mut found);
    }
    found
}

fn collect(instance: &Instance, path: &[String], found: &mut Vec<LiveChart>) {
    found.push(LiveChart {
        path: path.to_vec(),
        chart: Arc::clone(&instance.chart),
    });
    for child in &instance.children {
        let child = child.borrow();
        let below: Vec<String> = path
            .iter()
            .cloned()
            .chain([child.metadata.name.clone()])
            .collect();
        collect(&child, &below, found);
    }
}

/// True when a value belongs to a subchart that is switched off.
pub(super) fn is_off(view: &ChartView<'_>, path: &[Step]) -> bool {
    let Some(ends) = view.final_values() else {
        return false;
    };
    view.written().layers.iter().any(|layer| {
        let keys = path.iter().zip(&layer.prefix);
        let is_there = |(step, key): (&Step, &Arc<str>)| matches!(step, Step::Key(found) if **found == **key);
        !layer.prefix.is_empty()
            && path.len() >= layer.prefix.len()
            && keys.into_iter().all(is_there)
            && !ends.has_chart(&layer.prefix)
    })
}
