//! From the names Helm gives to files (`webapp/charts/db/templates/x.yaml`: names of charts, or aliases) to
//! paths of the tree.

use crate::base::Place;
use crate::source::{EntryKind, SourceTree};
use crate::yaml::{Node, parse_first};

/// The files of one chart.
pub(super) struct Names<'t> {
    pub(super) tree: &'t dyn SourceTree,
    /// Path of the chart: a directory or an archive.
    pub(super) chart: &'t str,
}

impl Names<'_> {
    /// The place of a template; line and column as Go tells them, the column in bytes from 0. What is inside an
    /// archive has the archive's place.
    pub(super) fn template(&self, name: &str, line: u32, column: Option<u32>) -> Option<Place> {
        let (_, mut rest) = name.split_once('/')?;
        let mut chart = self.chart.to_string();
        while self.is_directory(&chart) {
            let Some((subchart, below)) = rest.strip_prefix("charts/").and_then(|rest| rest.split_once('/'))
            else {
                return self.file(&join(&chart, rest), line, column);
            };
            chart = self.subchart(&chart, subchart)?;
            rest = below;
        }
        Some(Place::file(chart))
    }

    /// The place of a file of the chart's own directory.
    pub(super) fn chart_file(&self, name: &str, line: u32) -> Option<Place> {
        if self.is_directory(self.chart) {
            self.file(&join(self.chart, name), line, None)
        } else {
            Some(Place::file(self.chart))
        }
    }

    fn is_directory(&self, path: &str) -> bool {
        let followed = self.tree.entry(&join(path, "."));
        matches!(followed, Ok(Some(EntryKind::Directory)))
    }

    fn file(&self, path: &str, line: u32, column: Option<u32>) -> Option<Place> {
        let bytes = self.tree.read(path).ok()?;
        let column = column.map_or(0, |column| {
            let text = bytes
                .split(|byte| *byte == b'\n')
                .nth(line.saturating_sub(1) as usize);
            let text = text.unwrap_or_default();
            let before = &text[..text.len().min(column as usize)];
            String::from_utf8_lossy(before).chars().count() as u32 + 1
        });
        Some(Place::new(path, line, column))
    }

    /// Where a chart keeps the subchart of a name or alias.
    fn subchart(&self, chart: &str, name: &str) -> Option<String> {
        let charts = join(chart, "charts");
        let real = self.real_name(chart, name).unwrap_or_else(|| name.to_string());
        let found: Vec<String> = self
            .tree
            .list(&charts)
            .ok()?
            .into_iter()
            .map(|(entry, _)| join(&charts, &entry))
            .collect();
        let is_named = |path: &&String| {
            let metadata = self.read_yaml(&join(path, "Chart.yaml"));
            metadata.is_some_and(|metadata| metadata.get("name").and_then(Node::as_str) == Some(&real))
        };
        let archive = format!("{charts}/{real}-");
        let is_archive = |path: &&String| path.starts_with(&archive) && path.ends_with(".tgz");
        found
            .iter()
            .find(is_named)
            .or_else(|| found.iter().find(is_archive))
            .cloned()
    }

    /// The name of the chart that a dependency calls by an alias.
    fn real_name(&self, chart: &str, alias: &str) -> Option<String> {
        ["Chart.yaml", "requirements.yaml"].iter().find_map(|file| {
            let metadata = self.read_yaml(&join(chart, file))?;
            let dependency = metadata
                .get("dependencies")?
                .items()
                .iter()
                .find(|dependency| dependency.get("alias").and_then(Node::as_str) == Some(alias))?;
            dependency.get("name").and_then(Node::as_str).map(str::to_string)
        })
    }

    fn read_yaml(&self, path: &str) -> Option<Node> {
        let bytes = self.tree.read(path).ok()?;
        parse_first(&bytes).ok().map(|parsed| parsed.node)
    }
}

fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() {
        name.to_string()
    } else {
        format!("{directory}/{name}")
    }
}
