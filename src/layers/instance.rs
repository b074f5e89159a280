//! `Instance`: one cell's own copy of a chart tree, on which dependencies are enabled, renamed by alias and
//! given imported defaults. The files stay with the shared `Chart`.

use crate::chart::{Chart, Metadata, metadata};
use crate::value::Map;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A dependency entry. Helm 3 shares the entries between two aliases of one chart, Helm 4 copies them.
pub type SharedDependency = Rc<RefCell<metadata::Dependency>>;

/// One chart of a cell's tree.
#[derive(Clone)]
pub struct Instance {
    /// The chart's files.
    pub chart: Arc<Chart>,
    /// Chart.yaml; its name is the alias where the chart is used under one. Its own `dependencies` are those
    /// of the file, `Instance::dependencies` counts.
    pub metadata: Metadata,
    /// The entries of `dependencies` that are (still) enabled; `None` where Chart.yaml has no list.
    pub dependencies: Option<Vec<SharedDependency>>,
    /// The chart's defaults; import-values add to them.
    pub values: Map,
    /// Subcharts in the order in which Helm walks them.
    pub children: Vec<Rc<RefCell<Instance>>>,
}

impl Instance {
    /// A fresh copy of a chart tree; `defaults` turns the values.yaml of each chart into a map.
    pub fn of(chart: &Arc<Chart>, defaults: &mut dyn FnMut(&Arc<Chart>) -> Map) -> Instance {
        let values = defaults(chart);
        let dependencies = chart.metadata.dependencies.as_ref().map(|list| {
            list.iter()
                .map(|entry| Rc::new(RefCell::new(entry.clone())))
                .collect()
        });
        let children = chart
            .dependencies
            .iter()
            .map(|child| Rc::new(RefCell::new(Instance::of(child, defaults))))
            .collect();
        Instance {
            chart: chart.clone(),
            metadata: chart.metadata.clone(),
            dependencies,
            values,
            children,
        }
    }

    /// True when a subchart goes by this name.
    pub fn has_child(&self, name: &str) -> bool {
        self.children
            .iter()
            .any(|child| child.borrow().metadata.name == name)
    }
}
