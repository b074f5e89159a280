//! All templates of a chart: parsed once, shared by all its cells.
//!
//! Invariant: a set never changes after building, but for the cache of texts that `tpl` parsed, which only
//! saves work.

use super::parse::{ParseError, parse};
use super::table::FuncTable;
use super::tree::{NodeId, Unit};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, PoisonError, RwLock};

/// The cache of `tpl` texts takes no more than this many bytes of source.
const CACHE_BYTES: usize = 64 << 20;

/// A body: the unit it stands in and its list node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Body {
    pub unit: u32,
    pub root: NodeId,
    pub empty: bool,
}

/// Builds a set: the later definition of a name wins, unless it is empty.
pub struct SetBuilder {
    set: TemplateSet,
    stack: usize,
}

/// A set of parsed templates.
pub struct TemplateSet {
    pub(super) funcs: Arc<FuncTable>,
    pub(super) units: Vec<Arc<Unit>>,
    bodies: FxHashMap<Arc<[u8]>, Body>,
    cache: RwLock<Cache>,
}

#[derive(Default)]
struct Cache {
    units: FxHashMap<Arc<[u8]>, Arc<Unit>>,
    bytes: usize,
}

impl SetBuilder {
    /// An empty set. `stack` bounds the bytes of stack that parsing may take.
    pub fn new(funcs: Arc<FuncTable>, stack: usize) -> SetBuilder {
        SetBuilder {
            set: TemplateSet {
                funcs,
                units: Vec::new(),
                bodies: FxHashMap::default(),
                cache: RwLock::default(),
            },
            stack,
        }
    }

    /// Parses a file and adds its definitions and itself, under its name.
    ///
    /// # Errors
    /// What keeps the file from being a template.
    pub fn add(&mut self, name: &str, source: &[u8]) -> Result<(), Box<ParseError>> {
        let unit = parse(name, source.into(), &self.set.funcs, self.stack)?;
        self.add_unit(Arc::new(unit));
        Ok(())
    }

    /// Adds a file that was parsed before, with the same functions: charts share theirs between sets.
    pub fn add_unit(&mut self, unit: Arc<Unit>) {
        let number = u32::try_from(self.set.units.len()).unwrap_or(u32::MAX);
        for definition in &unit.definitions {
            let body = Body {
                unit: number,
                root: definition.root,
                empty: definition.empty,
            };
            match self.set.bodies.entry(Arc::clone(&definition.name)) {
                Entry::Vacant(place) => {
                    place.insert(body);
                }
                Entry::Occupied(mut place) if !body.empty => {
                    place.insert(body);
                }
                Entry::Occupied(_) => {}
            }
        }
        self.set.units.push(unit);
    }

    /// The finished set.
    pub fn finish(self) -> Arc<TemplateSet> {
        Arc::new(self.set)
    }
}

impl TemplateSet {
    /// True when there is a template of this name.
    pub fn has(&self, name: &[u8]) -> bool {
        self.bodies.contains_key(name)
    }

    /// The parsed files, in order.
    pub fn units(&self) -> &[Arc<Unit>] {
        &self.units
    }

    pub(super) fn body(&self, name: &[u8]) -> Option<Body> {
        self.bodies.get(name).copied()
    }

    /// The unit of a text, parsed now or before.
    pub(super) fn parse_text(
        &self,
        name: &str,
        source: &[u8],
        stack: usize,
    ) -> Result<Arc<Unit>, Box<ParseError>> {
        {
            let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(unit) = cache.units.get(source)
                && *unit.name == *name
            {
                return Ok(Arc::clone(unit));
            }
        }
        let source: Arc<[u8]> = source.into();
        let unit = Arc::new(parse(name, Arc::clone(&source), &self.funcs, stack)?);
        let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
        if cache.bytes + source.len() <= CACHE_BYTES {
            cache.bytes += source.len();
            cache.units.insert(source, Arc::clone(&unit));
        }
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_shared_between_threads() {
        fn assert_shared<T: Send + Sync>() {}
        assert_shared::<TemplateSet>();
    }
}
