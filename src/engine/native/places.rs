//! From the names Helm gives to templates to places of the side's tree.

use crate::base::Place;
use crate::chart::Chart;
use crate::engine::context::Template;
use crate::template::ErrorChain;
use std::sync::Arc;

/// The templates of a cell, by name.
pub(super) struct Places<'a> {
    pub(super) templates: &'a [Template],
}

impl Places<'_> {
    /// The place of a template; `None` for the text of a `tpl`.
    pub(super) fn template(&self, name: &str, line: u32, column: Option<u32>) -> Option<Place> {
        let template = self.templates.iter().find(|template| template.name == name)?;
        Some(in_tree(template_place(&template.file, line, column)))
    }

    /// Where an execution failed, and the includes that led there, outermost first.
    pub(super) fn chain(&self, chain: &ErrorChain) -> (Option<Place>, Vec<String>) {
        let places: Vec<Option<Place>> = chain
            .links
            .iter()
            .map(|link| self.template(&link.file, link.line, Some(link.column)))
            .collect();
        let Some(last) = places.iter().rposition(Option::is_some) else {
            return (None, Vec::new());
        };
        let trace = chain.links[..last].iter().zip(&places).map(|(link, place)| {
            let place = place.as_ref().map_or_else(|| link.file.clone(), Place::to_string);
            format!("{place}: {}", link.at)
        });
        (places[last].clone(), trace.collect())
    }
}

/// A place in a template of a chart; line as Go tells it, the column in bytes from 0. The path of a packaged chart
/// goes on inside the archive.
pub(in crate::engine) fn template_place(
    (chart, position): &(Arc<Chart>, usize),
    line: u32,
    column: Option<u32>,
) -> Place {
    let file = &chart.templates[*position];
    let column = column.map_or(0, |column| characters(&file.data, line, column));
    Place::new(join(&chart.location, &file.name), line, column)
}

/// A place that a reader of the tree can open: what is inside an archive has the archive's.
fn in_tree(place: Place) -> Place {
    match archive_of(&place.file) {
        Some(archive) => Place::file(archive),
        None => place,
    }
}

/// A file of a chart.
pub(super) fn of_chart(location: &str, file: &str) -> Place {
    match archive_of(location) {
        Some(archive) => Place::file(archive),
        None => Place::file(join(location, file)),
    }
}

/// The outermost archive that a chart is inside of.
fn archive_of(location: &str) -> Option<&str> {
    let mut end = 0;
    for step in location.split_inclusive('/') {
        end += step.len();
        let path = location[..end].trim_end_matches('/');
        if path.ends_with(".tgz") || path.ends_with(".tar.gz") {
            return Some(path);
        }
    }
    None
}

fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() || directory == "." {
        return name.to_owned();
    }
    format!("{}/{name}", directory.trim_end_matches('/'))
}

/// The column in characters from 1 of a byte column from 0.
fn characters(text: &[u8], line: u32, column: u32) -> u32 {
    let text = text
        .split(|byte| *byte == b'\n')
        .nth(line.saturating_sub(1) as usize)
        .unwrap_or_default();
    let before = &text[..text.len().min(column as usize)];
    let count = String::from_utf8_lossy(before).chars().count();
    u32::try_from(count).unwrap_or(u32::MAX - 1) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_found_at_any_depth() {
        assert_eq!(archive_of("charts/app"), None);
        assert_eq!(archive_of("app-1.0.tgz"), Some("app-1.0.tgz"));
        assert_eq!(
            archive_of("app/charts/db-1.tgz/charts/x"),
            Some("app/charts/db-1.tgz")
        );
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(characters("a\nä{{ x".as_bytes(), 2, 4), 4);
    }
}
