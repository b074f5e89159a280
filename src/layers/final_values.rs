//! `FinalValues`: what the layers of a cell come to, and which subcharts take part, without rendering.

use super::coalesce::{Nulls, coalesce};
use super::stack::{chart_defaults, user_values};
use super::{Instance, Layers, SetFlag, ValuesInput, Warnings, dependencies};
use crate::base::Step;
use crate::chart::Chart;
use crate::dialect::Dialect;
use crate::source::SourceTree;
use crate::value::{Data, Map, Value};
use std::sync::Arc;

/// The values that the templates of a cell see.
pub struct FinalValues {
    /// The chart tree; subcharts that are switched off are gone.
    pub chart: Instance,
    /// The values of the root chart; those of a subchart stand under its name.
    pub values: Map,
}

impl FinalValues {
    /// Layers the values of a cell; `None` where Helm fails, which its render tells.
    pub fn of(
        tree: &dyn SourceTree,
        chart: &Arc<Chart>,
        inputs: &[ValuesInput],
        set: &[SetFlag],
        dialect: Dialect,
    ) -> Option<FinalValues> {
        let mut layers = Layers::new(false);
        let values = user_values(tree, inputs, set, dialect, &mut layers).ok()?;
        let mut instance = Instance::of(chart, &mut |chart| chart_defaults(chart, &mut layers));
        let mut warnings = Warnings::new(dialect);
        dependencies::process(&mut instance, &values, dialect, &mut warnings).ok()?;
        coalesce(&instance, &values, "", Nulls::Drop, dialect, &mut warnings).ok()?;
        Some(FinalValues {
            chart: instance,
            values,
        })
    }

    /// The value at a path; `None` when there is none.
    pub fn at(&self, path: &[Step]) -> Option<Value> {
        let mut value = Value::from(self.values.clone());
        for step in path {
            value = match (&value.data, step) {
                (Data::Map(map), Step::Key(key)) => map.get(key.as_bytes())?,
                (Data::List(list), Step::Index(position)) => list.items().get(*position)?.clone(),
                _ => return None,
            };
        }
        Some(value)
    }

    /// True when the keys lead to the values of a subchart that takes part, or to the root.
    pub fn has_chart(&self, path: &[Arc<str>]) -> bool {
        has_chart(&self.chart, path)
    }
}

fn has_chart(chart: &Instance, path: &[Arc<str>]) -> bool {
    let Some((name, rest)) = path.split_first() else {
        return true;
    };
    chart.children.iter().any(|child| {
        let child = child.borrow();
        *child.metadata.name == **name && has_chart(&child, rest)
    })
}
