//! `Program`: a chart with its parsed templates, shared by all its cells.
//!
//! A file is parsed once per name it goes by (aliases give it several); a set of templates is linked once
//! per combination of enabled subcharts.

use super::cache::Once;
use super::schemas::FAULTS;
use crate::chart::Chart;
use crate::chart::schema::Compiled;
use crate::dialect::Dialect;
use crate::engine::context::Template;
use crate::funcs;
use crate::funcs::values::METHODS;
use crate::template::{FuncTable, ParseError, SetBuilder, TemplateSet, Unit, parse};
use std::sync::{Arc, OnceLock};

/// A parsed file, or what is wrong with it and its number among the templates.
type Parsed = Result<Arc<Unit>, Arc<ParseError>>;
/// A linked set, or the first file that is no template.
type Linked = Result<Arc<TemplateSet>, Arc<ParseError>>;

/// One template file under one of its names.
#[derive(Clone, PartialEq, Eq, Hash)]
struct FileKey {
    name: String,
    /// The chart that holds it, by its address in the program's tree.
    chart: usize,
    position: usize,
}

/// A chart and what was made of its templates so far.
pub(super) struct Program {
    pub(super) chart: Arc<Chart>,
    funcs: Arc<FuncTable>,
    units: Once<FileKey, Parsed>,
    sets: Once<Vec<FileKey>, Linked>,
    /// Schemas of the charts, by the address of their text in the program's tree.
    schemas: Once<usize, Arc<Compiled>>,
    dialect: Dialect,
}

impl Program {
    pub(super) fn new(chart: Arc<Chart>, dialect: Dialect) -> Program {
        Program {
            chart,
            funcs: functions(dialect),
            units: Once::default(),
            sets: Once::default(),
            schemas: Once::default(),
            dialect,
        }
    }

    /// The set of these templates, parsed in their order; `stack` bounds the bytes of stack for parsing.
    pub(super) fn link(&self, templates: &[Template], stack: usize) -> Linked {
        let keys: Vec<FileKey> = templates.iter().map(key).collect();
        self.sets.get(keys.clone(), || {
            let mut builder = SetBuilder::new(Arc::clone(&self.funcs), stack);
            for (template, key) in templates.iter().zip(keys) {
                builder.add_unit(self.unit(template, key, stack)?);
            }
            Ok(builder.finish())
        })
    }

    /// A schema of one of the program's charts, compiled once.
    pub(super) fn schema(&self, text: &Arc<[u8]>) -> Arc<Compiled> {
        self.schemas.get(text.as_ptr().addr(), || {
            Arc::new(Compiled::of(text, self.dialect, &FAULTS))
        })
    }

    fn unit(&self, template: &Template, key: FileKey, stack: usize) -> Parsed {
        self.units.get(key, || {
            let parsed = parse(&template.name, Arc::clone(template.source()), &self.funcs, stack);
            parsed.map(Arc::new).map_err(Arc::from)
        })
    }
}

fn key(template: &Template) -> FileKey {
    FileKey {
        name: template.name.clone(),
        chart: Arc::as_ptr(&template.file.0).addr(),
        position: template.file.1,
    }
}

/// The functions of a dialect, built once per process.
pub(super) fn functions(dialect: Dialect) -> Arc<FuncTable> {
    static TABLES: [OnceLock<Arc<FuncTable>>; Dialect::ALL.len()] = [OnceLock::new(), OnceLock::new()];
    let slot = match dialect {
        Dialect::V3_19 => &TABLES[0],
        Dialect::V4_3 => &TABLES[1],
    };
    let table = || {
        let table = FuncTable::new(funcs::table(dialect).iter().copied());
        Arc::new(table.with_values_methods(METHODS))
    };
    Arc::clone(slot.get_or_init(table))
}
