//! Which subcharts take part: aliases, tags and conditions (`pkg/chart/v2/util/dependencies.go`).

use super::coalesce::{Nulls, coalesce, merge_tables};
use super::instance::Instance;
use super::warnings::{Warnings, log_value};
use crate::chart::metadata::{Dependency, Import};
use crate::dialect::Dialect;
use crate::semver;
use crate::value::{Data, Map, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// Enables, renames and drops the subcharts of a tree and imports values from children, in place
/// (`ProcessDependencies`; Helm 3: `ProcessDependenciesWithMerge`).
///
/// # Errors
/// When a subchart's values are not a map.
pub fn process(
    chart: &mut Instance,
    values: &Map,
    dialect: Dialect,
    warnings: &mut Warnings,
) -> Result<(), String> {
    enable(chart, values, "", dialect, warnings)?;
    import(chart, dialect, warnings)
}

fn enable(
    chart: &mut Instance,
    values: &Map,
    path: &str,
    dialect: Dialect,
    warnings: &mut Warnings,
) -> Result<(), String> {
    let Some(entries) = chart.dependencies.clone() else {
        return Ok(());
    };
    let declared = |child: &Instance| {
        entries.iter().any(|entry| {
            let entry = entry.borrow();
            child.metadata.name == entry.name
                && semver::is_compatible_range(&entry.version, &child.metadata.version)
        })
    };
    let mut children: Vec<_> = chart
        .children
        .iter()
        .filter(|child| !declared(&child.borrow()))
        .cloned()
        .collect();
    for entry in &entries {
        if let Some(child) = instantiate(&chart.children, &entry.borrow(), dialect) {
            children.push(Rc::new(RefCell::new(child)));
        }
        let mut entry = entry.borrow_mut();
        if !entry.alias.is_empty() {
            entry.name = entry.alias.clone();
        }
    }
    chart.children = children;
    for entry in &entries {
        entry.borrow_mut().enabled = true;
    }
    let merged = values.deep_copy();
    coalesce(chart, &merged, "", Nulls::Drop, dialect, warnings)?;
    if let Some(Value {
        data: Data::Map(tags),
        ..
    }) = merged.get(b"tags")
    {
        for entry in &entries {
            by_tags(&mut entry.borrow_mut(), &tags, warnings);
        }
    }
    for entry in &entries {
        by_condition(&mut entry.borrow_mut(), &merged, path, warnings);
    }
    let removed = |name: &str| {
        entries.iter().any(|entry| {
            let entry = entry.borrow();
            !entry.enabled && entry.name == name
        })
    };
    chart
        .children
        .retain(|child| !removed(&child.borrow().metadata.name));
    let kept: Vec<_> = entries
        .iter()
        .filter(|entry| !removed(&entry.borrow().name))
        .cloned()
        .collect();
    for child in &chart.children {
        let below = format!("{path}{}.", child.borrow().metadata.name);
        enable(&mut child.borrow_mut(), &merged, &below, dialect, warnings)?;
    }
    // An empty list appended to nil stays nil in Go, so a chart all of whose dependencies are off counts as
    // one without any.
    chart.dependencies = (!kept.is_empty()).then_some(kept);
    Ok(())
}

/// `getAliasDependency`: the first loaded chart that fits an entry, under the entry's alias.
fn instantiate(children: &[Rc<RefCell<Instance>>], entry: &Dependency, dialect: Dialect) -> Option<Instance> {
    let child = children.iter().find(|child| {
        let child = child.borrow();
        child.metadata.name == entry.name
            && semver::is_compatible_range(&entry.version, &child.metadata.version)
    })?;
    let mut copy = child.borrow().clone();
    if dialect.is_v4() {
        copy.dependencies = copy.dependencies.map(|list| {
            list.iter()
                .map(|entry| Rc::new(RefCell::new(entry.borrow().clone())))
                .collect()
        });
        copy.children = copy
            .children
            .iter()
            .map(|child| Rc::new(RefCell::new(child.borrow().clone())))
            .collect();
    }
    if !entry.alias.is_empty() {
        copy.metadata.name = entry.alias.clone();
    }
    Some(copy)
}

fn by_tags(entry: &mut Dependency, tags: &Map, warnings: &mut Warnings) {
    let (mut on, mut off) = (false, false);
    for tag in entry.tags.iter().flatten() {
        match tags.get(tag.as_bytes()).map(|value| value.data) {
            None => {}
            Some(Data::Bool(true)) => on = true,
            Some(Data::Bool(false)) => off = true,
            Some(_) => warnings.dependencies(
                95,
                &format!("Tag '{tag}' for chart {} returned non-bool value", entry.name),
                &format!(
                    "msg=\"returned non-bool value\" tag={} chart={}",
                    log_value(tag),
                    log_value(&entry.name)
                ),
            ),
        }
    }
    entry.enabled = on || !off;
}

fn by_condition(entry: &mut Dependency, values: &Map, path: &str, warnings: &mut Warnings) {
    for condition in entry
        .condition
        .trim()
        .split(',')
        .filter(|condition| !condition.is_empty())
    {
        match path_value(values, &format!("{path}{condition}")).map(|value| value.data) {
            None => {}
            Some(Data::Bool(enabled)) => {
                entry.enabled = enabled;
                return;
            }
            Some(_) => warnings.dependencies(
                64,
                &format!(
                    "Condition path '{condition}' for chart {} returned non-bool value",
                    entry.name
                ),
                &format!(
                    "msg=\"returned non-bool value\" path={} chart={}",
                    log_value(condition),
                    log_value(&entry.name)
                ),
            ),
        }
    }
}

/// `Values.PathValue`: the value at a dotted path, unless it is a map.
fn path_value(values: &Map, path: &str) -> Option<Value> {
    let (tables, key) = path
        .rsplit_once('.')
        .map_or((None, path), |(tables, key)| (Some(tables), key));
    let table = match tables {
        None => values.clone(),
        Some(tables) => table(values, tables).ok()?,
    };
    table
        .get(key.as_bytes())
        .filter(|value| !matches!(value.data, Data::Map(_)))
}

/// `Values.Table`: the map at a dotted path, or the name of the step that is not one.
fn table<'a>(values: &Map, path: &'a str) -> Result<Map, &'a str> {
    let mut current = values.clone();
    for step in path.split('.') {
        match current.get(step.as_bytes()) {
            Some(Value {
                data: Data::Map(map), ..
            }) => current = map,
            _ => return Err(step),
        }
    }
    Ok(current)
}

/// `processDependencyImportValues`, bottom-up.
fn import(chart: &mut Instance, dialect: Dialect, warnings: &mut Warnings) -> Result<(), String> {
    for child in &chart.children {
        import(&mut child.borrow_mut(), dialect, warnings)?;
    }
    let Some(entries) = chart.dependencies.clone() else {
        return Ok(());
    };
    let merged = Map::new();
    coalesce(chart, &merged, "", Nulls::Keep, dialect, warnings)?;
    let imported = Map::new();
    for entry in &entries {
        let entry = entry.borrow();
        for item in entry.import_values.iter().flatten() {
            let (child, parent) = match item {
                Import::Exports(name) => (format!("exports.{name}"), "."),
                Import::Table { child, parent } => (child.clone(), parent.as_str()),
                Import::Other => continue,
            };
            match table(&merged, &format!("{}.{child}", entry.name)) {
                Ok(found) => {
                    let addition = at_path(parent, &found);
                    merge_tables(&imported, &addition, dialect, warnings);
                }
                Err(step) => missing_table(&entry.name, item, step, warnings),
            }
        }
    }
    chart.values = merged.deep_copy();
    merge_tables(&chart.values, &imported, dialect, warnings);
    Ok(())
}

fn missing_table(chart: &str, item: &Import, step: &str, warnings: &mut Warnings) {
    let cause = format!(
        "{} is not a table",
        crate::value::quote::quote_str(step.as_bytes())
    );
    let logged = log_value(&cause);
    match item {
        Import::Table { .. } => warnings.dependencies(
            270,
            &format!("ImportValues missing table from chart {chart}: {cause}"),
            &format!(
                "msg=\"ImportValues missing table from chart\" chart={} error={logged}",
                log_value(chart)
            ),
        ),
        _ => warnings.dependencies(
            287,
            &format!("ImportValues missing table: {cause}"),
            &format!("msg=\"ImportValues missing table\" error={logged}"),
        ),
    }
}

/// `pathToMap`
fn at_path(path: &str, data: &Map) -> Map {
    if path == "." {
        return data.clone();
    }
    path.rsplit('.').fold(data.clone(), |below, step| {
        let map = Map::new();
        map.set(step.into(), below.into());
        map
    })
}
