//! Layering values over a chart's defaults and down into its subcharts, as Helm does
//! (`pkg/chart/common/util/coalesce.go`; Helm 3: `pkg/chartutil/coalesce.go`).
//!
//! Maps are shared exactly as Helm shares them: a global of a parent two levels deep is the same map in its
//! children, and what is merged into one is seen in the other.

use super::instance::Instance;
use super::warnings::Warnings;
use crate::dialect::Dialect;
use crate::value::{Data, Map, Text, Value, print};

/// How nulls are treated: coalescing drops keys that a null deletes, merging keeps the nulls for a later pass.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// A null deletes the key.
    Drop,
    /// A null stays.
    Keep,
}

const GLOBAL: &str = "global";

/// Layers `values` over the defaults of a chart and of its subcharts (`CoalesceValues`, `MergeValues`).
/// `values` is changed in place.
///
/// # Errors
/// When a subchart's values are not a map.
pub fn coalesce(
    chart: &Instance,
    values: &Map,
    prefix: &str,
    nulls: Nulls,
    dialect: Dialect,
    warnings: &mut Warnings,
) -> Result<(), String> {
    let mut pass = Pass {
        nulls,
        dialect,
        warnings,
    };
    pass.chart(chart, values, prefix)
}

/// Merges `source` into `target`, which wins (`MergeTables`).
pub fn merge_tables(target: &Map, source: &Map, dialect: Dialect, warnings: &mut Warnings) {
    Pass {
        nulls: Nulls::Keep,
        dialect,
        warnings,
    }
    .tables(target, source, "", Nulls::Keep);
}

struct Pass<'a> {
    nulls: Nulls,
    dialect: Dialect,
    warnings: &'a mut Warnings,
}

impl Pass<'_> {
    fn chart(&mut self, chart: &Instance, values: &Map, prefix: &str) -> Result<(), String> {
        self.defaults(chart, values, prefix);
        let below = join(prefix, &chart.metadata.name);
        for child in &chart.children {
            let child = child.borrow();
            let name = child.metadata.name.as_str();
            let table = match values.get(name.as_bytes()) {
                None => {
                    let table = Map::new();
                    values.set(name.into(), table.clone().into());
                    table
                }
                Some(Value {
                    data: Data::Map(table),
                    ..
                }) => table,
                Some(other) => {
                    return Err(format!(
                        "type mismatch on {name}: {}",
                        print_as_truth(&other, self.dialect)
                    ));
                }
            };
            self.globals(&table, values, &below);
            self.chart(&child, &table, &below)?;
        }
        Ok(())
    }

    /// `coalesceValues`: the chart's own defaults below `values`.
    fn defaults(&mut self, chart: &Instance, values: &Map, prefix: &str) {
        let below = join(prefix, &chart.metadata.name);
        let defaults = chart.values.deep_copy();
        for (key, default) in defaults.snapshot() {
            match values.get(key.bytes()) {
                None => {
                    if self.drops_default_nulls() {
                        match &default.data {
                            Data::Nil => continue,
                            Data::Map(map) => clean_nulls(map),
                            _ => {}
                        }
                    }
                    values.set(key, default);
                }
                Some(Value { data: Data::Nil, .. }) if self.nulls == Nulls::Drop => {
                    values.remove(key.bytes());
                }
                Some(Value {
                    data: Data::Map(table),
                    ..
                }) => match &default.data {
                    Data::Map(source) => {
                        let nulls = if chart.has_child(&key.lossy()) {
                            Nulls::Keep
                        } else {
                            self.nulls
                        };
                        if nulls == Nulls::Drop && self.drops_default_nulls() {
                            clean_nulls(source);
                        }
                        self.tables(&table, source, &join(&below, &key.lossy()), nulls);
                    }
                    Data::Nil => {}
                    _ => self.warnings.coalesce(
                        237,
                        &format!("warning: skipped value for {below}.{}: Not a table.", key.lossy()),
                    ),
                },
                Some(_) => {}
            }
        }
    }

    /// Helm 4 cleans a chart's own null defaults, so that they neither shadow globals nor print.
    fn drops_default_nulls(&self) -> bool {
        self.nulls == Nulls::Drop && self.dialect.is_v4()
    }

    /// `coalesceGlobals`: pushes the globals of a parent down into a child's values.
    fn globals(&mut self, child: &Map, parent: &Map, prefix: &str) {
        let target = match child.get(GLOBAL.as_bytes()) {
            None => Map::new(),
            Some(Value {
                data: Data::Map(map), ..
            }) => map,
            Some(_) => {
                let text = format!("warning: skipping globals because destination {GLOBAL} is not a table.");
                return self.warnings.coalesce(138, &text);
            }
        };
        let source = match parent.get(GLOBAL.as_bytes()) {
            None => Map::new(),
            Some(Value {
                data: Data::Map(map), ..
            }) => map,
            Some(_) => {
                let text = format!("warning: skipping globals because source {GLOBAL} is not a table.");
                return self.warnings.coalesce(145, &text);
            }
        };
        for (key, value) in source.snapshot() {
            let existing = target.get(key.bytes());
            match (&value.data, existing.map(|value| value.data)) {
                (Data::Map(table), None) => target.set(
                    key,
                    Value {
                        data: Data::Map(shallow(table)),
                        ..value
                    },
                ),
                (Data::Map(table), Some(Data::Map(existing))) => {
                    let copy = shallow(table);
                    self.tables(&copy, &existing, &join(prefix, &key.lossy()), Nulls::Keep);
                    target.set(
                        key,
                        Value {
                            data: Data::Map(copy),
                            marks: value.marks,
                        },
                    );
                }
                (Data::Map(_), Some(_)) => {
                    let quoted = crate::value::quote::quote_str(key.bytes());
                    self.warnings.coalesce(
                        161,
                        &format!("Conflict: cannot merge map onto non-map for {quoted}. Skipping."),
                    );
                }
                (_, Some(Data::Map(_))) => {
                    self.warnings
                        .coalesce(175, &format!("key {} is table. Skipping", key.lossy()));
                }
                _ => target.set(key, value),
            }
        }
        child.set(GLOBAL.into(), target.into());
    }

    /// The value as `%v` prints it.
    fn printed(&self, value: &Value) -> String {
        String::from_utf8_lossy(&print::to_bytes(value, self.dialect)).into_owned()
    }

    /// `coalesceTablesFullKey`: merges `source` into `target`, which wins.
    fn tables(&mut self, target: &Map, source: &Map, prefix: &str, nulls: Nulls) {
        let given: Vec<(Text, Value)> = if self.dialect.is_v4() {
            let given = source.snapshot();
            for (key, value) in target.snapshot() {
                if matches!(value.data, Data::Nil) {
                    source.set(key, value);
                }
            }
            given
        } else {
            Vec::new()
        };
        let given_value = |key: &[u8]| {
            let at = given.binary_search_by(|entry| entry.0.bytes().cmp(key)).ok()?;
            (!matches!(given[at].1.data, Data::Nil)).then_some(())
        };
        for (key, value) in source.snapshot() {
            let existing = target.get(key.bytes());
            match (existing.map(|value| value.data), &value.data) {
                (Some(Data::Nil), _)
                    if nulls == Nulls::Drop
                        && (!self.dialect.is_v4() || given_value(key.bytes()).is_some()) =>
                {
                    target.remove(key.bytes());
                }
                (None, _) => target.set(key, value),
                (Some(Data::Map(table)), Data::Map(below)) => {
                    self.tables(&table, below, &join(prefix, &key.lossy()), nulls);
                }
                (Some(_), Data::Map(_)) => {
                    let text = format!(
                        "warning: cannot overwrite table with non table for {} ({})",
                        join(prefix, &key.lossy()),
                        self.printed(&value)
                    );
                    self.warnings.coalesce(298, &text);
                }
                (Some(Data::Map(_)), data) if !matches!(data, Data::Nil) => {
                    let text = format!(
                        "warning: destination for {} is a table. Ignoring non-table value ({})",
                        join(prefix, &key.lossy()),
                        self.printed(&value)
                    );
                    self.warnings.coalesce(301, &text);
                }
                _ => {}
            }
        }
    }
}

fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() {
        name.to_owned()
    } else {
        format!("{prefix}.{name}")
    }
}

fn shallow(map: &Map) -> Map {
    Map::from_sorted(map.kind(), map.snapshot())
}

/// `cleanNilValues`
fn clean_nulls(map: &Map) {
    for (key, value) in map.snapshot() {
        match &value.data {
            Data::Nil => {
                map.remove(key.bytes());
            }
            Data::Map(below) => clean_nulls(below),
            _ => {}
        }
    }
}

/// Helm prints the offending value with `%t`.
fn print_as_truth(value: &Value, dialect: Dialect) -> String {
    let printed = print::sprintf(b"%t", std::slice::from_ref(value), dialect, false);
    String::from_utf8_lossy(&printed.bytes).into_owned()
}
