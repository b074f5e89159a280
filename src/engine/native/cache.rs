//! What is kept between renders: one program per chart of a tree and dialect.

use super::program::Program;
use crate::chart;
use crate::dialect::Dialect;
use crate::source::SourceTree;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A map whose values are computed once; others that want the same value wait for it.
pub(super) struct Once<K, V>(Mutex<FxHashMap<K, Arc<OnceLock<V>>>>);

impl<K, V> Default for Once<K, V> {
    fn default() -> Once<K, V> {
        Once(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Once<K, V> {
    /// The value under a key, computed now or before.
    pub(super) fn get(&self, key: K, compute: impl FnOnce() -> V) -> V {
        let slot = {
            let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry(key).or_default())
        };
        slot.get_or_init(compute).clone()
    }
}

/// A loaded chart, or Helm's message why it cannot be loaded.
pub(super) type Loaded = Result<Arc<Program>, Arc<str>>;

/// Programs by tree, path and dialect.
#[derive(Default)]
pub(super) struct Cache {
    trees: Mutex<Vec<Arc<Charts>>>,
}

/// The charts of one tree. Holds the tree, so that its address stays its own.
struct Charts {
    tree: Arc<dyn SourceTree>,
    programs: Once<(String, Dialect), Loaded>,
}

impl Cache {
    /// The program of a chart.
    pub(super) fn program(&self, tree: &Arc<dyn SourceTree>, path: &str, dialect: Dialect) -> Loaded {
        self.charts(tree).programs.get((path.to_owned(), dialect), || {
            let chart = chart::load(&**tree, path, dialect).map_err(Arc::from)?;
            Ok(Arc::new(Program::new(chart, dialect)))
        })
    }

    fn charts(&self, tree: &Arc<dyn SourceTree>) -> Arc<Charts> {
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |charts: &&Arc<Charts>| std::ptr::addr_eq(Arc::as_ptr(&charts.tree), Arc::as_ptr(tree));
        if let Some(charts) = trees.iter().find(same) {
            return Arc::clone(charts);
        }
        let charts = Arc::new(Charts {
            tree: Arc::clone(tree),
            programs: Once::default(),
        });
        trees.push(Arc::clone(&charts));
        charts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once() {
        let once = Once::default();
        assert_eq!(once.get("a", || 1), 1);
        assert_eq!(once.get("a", || unreachable!("it is there")), 1);
        assert_eq!(once.get("b", || 2), 2);
    }
}
