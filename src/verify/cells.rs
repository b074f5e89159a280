//! Pairing the cells of both plans by id and platform, and finding the pairs that are equal by construction.

use crate::base::{Side, Sides};
use crate::dialect::Dialect;
use crate::engine::{SetFlag, SetKind, ValuesInput};
use crate::plan::select::Selection;
use crate::plan::{Cell, Input, Plan};
use crate::source::SourceTree;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One release on one platform, as each side has it.
#[derive(Clone, Debug)]
pub struct CellPair {
    /// What pairs the sides.
    pub id: Arc<str>,
    /// The platform; `None` when the configuration names none.
    pub platform: Option<Arc<str>>,
    /// The cells.
    pub cells: Sides<Option<Cell>>,
}

impl CellPair {
    /// The cell that names the pair in reports: the candidate's where there is one.
    pub fn told(&self) -> &Cell {
        let cell = self.cells.candidate.as_ref().or(self.cells.baseline.as_ref());
        cell.expect("a pair has at least one cell")
    }
}

/// Pairs the selected cells of two plans, in the order of the candidate's plan; what only the baseline has
/// comes last.
pub fn pair(plans: &Sides<Plan>, selection: &Selection) -> Vec<CellPair> {
    let mut pairs: Vec<CellPair> = Vec::new();
    let mut found: BTreeMap<(Arc<str>, Option<Arc<str>>), usize> = BTreeMap::new();
    for side in [Side::Candidate, Side::Baseline] {
        for cell in plans.get(side).cells.iter().filter(|cell| selection.takes(cell)) {
            let key = (cell.id.clone(), cell.platform.clone());
            let at = *found.entry(key).or_insert_with(|| {
                let cells = Sides::new(None, None);
                pairs.push(CellPair {
                    id: cell.id.clone(),
                    platform: cell.platform.clone(),
                    cells,
                });
                pairs.len() - 1
            });
            *pairs[at].cells.get_mut(side) = Some(cell.clone());
        }
    }
    pairs
}

/// True when both sides are sure to render the same: the same settings over the same content. The cheap parts come
/// first, so that hardly anything is read for a pair that differs. False when something cannot be read, which its
/// render will say in Helm's words, or cannot be named beforehand (a path inside a `--set-file`).
pub fn is_same_input(cells: Sides<&Cell>, trees: Sides<&dyn SourceTree>, dialects: &Sides<Dialect>) -> bool {
    let (before, after) = (cells.baseline, cells.candidate);
    if dialects.baseline != dialects.candidate
        || before.name != after.name
        || before.namespace != after.namespace
        || before.kube_version != after.kube_version
    {
        return false;
    }
    let is_same = |before: &str, after: &str| {
        let ids = (trees.baseline.identity(before), trees.candidate.identity(after));
        matches!(ids, (Ok(before), Ok(after)) if before == after)
    };
    match (&before.input, &after.input) {
        // The path is what a report calls the source; it is no part of what Kubernetes receives.
        (Input::Manifests(before), Input::Manifests(after)) => {
            before.len() == after.len()
                && before
                    .iter()
                    .zip(after)
                    .all(|(before, after)| is_same(before, after))
        }
        (Input::Chart(before), Input::Chart(after)) => {
            let same_flag = |(a, b): (&SetFlag, &SetFlag)| {
                a.kind == b.kind && a.expression == b.expression && a.kind != SetKind::File
            };
            let same_values = |(a, b): (&ValuesInput, &ValuesInput)| match (a, b) {
                (ValuesInput::File(a), ValuesInput::File(b)) => is_same(a, b),
                (ValuesInput::Inline { node: a, .. }, ValuesInput::Inline { node: b, .. }) => {
                    format!("{:?}", WithoutMarks(a)) == format!("{:?}", WithoutMarks(b))
                }
                _ => false,
            };
            before.set.len() == after.set.len()
                && before.set.iter().zip(&after.set).all(same_flag)
                && before.api_versions == after.api_versions
                && before.flags == after.flags
                && before.values.len() == after.values.len()
                && before.values.iter().zip(&after.values).all(same_values)
                && is_same(&before.path, &after.path)
        }
        _ => false,
    }
}

/// Prints a node without the positions it was read at.
struct WithoutMarks<'a>(&'a crate::yaml::Node);

impl std::fmt::Debug for WithoutMarks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use crate::yaml::NodeKind;
        match &self.0.kind {
            NodeKind::List(items) => f.debug_list().entries(items.iter().map(WithoutMarks)).finish(),
            NodeKind::Map(entries) => f
                .debug_map()
                .entries(
                    entries
                        .iter()
                        .map(|entry| (&*entry.key, WithoutMarks(&entry.value))),
                )
                .finish(),
            scalar => write!(f, "{scalar:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Place;
    use crate::plan::{ChartInput, Flags};
    use crate::source::MemoryTree;

    fn tree(template: &str, values: &str) -> MemoryTree {
        MemoryTree::new("test")
            .file("app/Chart.yaml", "apiVersion: v2\nname: app\nversion: 0.1.0\n")
            .file("app/templates/a.yaml", template)
            .file("v.yaml", values)
    }

    fn cell() -> Cell {
        let flag = |kind, expression: &str| SetFlag {
            kind,
            expression: expression.to_owned(),
            place: None,
        };
        Cell {
            id: "app".into(),
            platform: None,
            name: "app".into(),
            namespace: "apps".into(),
            input: Input::Chart(ChartInput {
                path: "app".to_owned(),
                values: vec![ValuesInput::File("v.yaml".to_owned())],
                set: vec![flag(SetKind::Set, "a=1")],
                api_versions: vec!["example.com/v1".to_owned()],
                flags: Flags::default(),
            }),
            kube_version: None,
            cluster: None,
            may_fail: false,
            variant: false,
            place: Place::file("evenkeel.yaml"),
        }
    }

    fn is_same(after: &Cell, template: &str, values: &str, dialect: Dialect) -> bool {
        let (old, new) = (tree("a", "a: 1"), tree(template, values));
        let trees: Sides<&dyn SourceTree> = Sides::new(&old, &new);
        is_same_input(
            Sides::new(&cell(), after),
            trees,
            &Sides::new(Dialect::V4_3, dialect),
        )
    }

    #[test]
    fn only_the_same_settings_over_the_same_content_are_the_same_input() {
        assert!(is_same(&cell(), "a", "a: 1", Dialect::V4_3));
        assert!(!is_same(&cell(), "b", "a: 1", Dialect::V4_3));
        assert!(!is_same(&cell(), "a", "a: 2", Dialect::V4_3));
        assert!(!is_same(&cell(), "a", "a: 1", Dialect::V3_19));
    }

    #[test]
    fn every_setting_counts() {
        let changes: [fn(&mut Cell, &mut ChartInput); 12] = [
            |cell, _| cell.name = "b".into(),
            |cell, _| cell.namespace = "b".into(),
            |cell, _| cell.kube_version = Some("1.30".to_owned()),
            |_, chart| chart.path = "nowhere".to_owned(),
            |_, chart| chart.values.clear(),
            |_, chart| chart.values.push(ValuesInput::File("v.yaml".to_owned())),
            |_, chart| chart.set[0].expression = "a=2".to_owned(),
            |_, chart| chart.set[0].kind = SetKind::String,
            |_, chart| chart.set[0].kind = SetKind::File,
            |_, chart| chart.set.clear(),
            |_, chart| chart.api_versions.clear(),
            |_, chart| chart.flags.is_upgrade = true,
        ];
        for (at, change) in changes.into_iter().enumerate() {
            let mut after = cell();
            let Input::Chart(mut chart) = after.input.clone() else {
                unreachable!("it is a chart")
            };
            change(&mut after, &mut chart);
            after.input = Input::Chart(chart);
            assert!(!is_same(&after, "a", "a: 1", Dialect::V4_3), "change {at}");
        }
        let mut elsewhere = cell();
        elsewhere.place = Place::file("other.yaml");
        elsewhere.may_fail = true;
        assert!(is_same(&elsewhere, "a", "a: 1", Dialect::V4_3));
    }
}
