//! What decides a cell's output, as a digest: cells of equal identity render alike and need not both be
//! rendered. Left out on purpose: where things lie (paths, the platform's name, the place of definition).

use super::cell::{Cell, ChartInput, Input};
use super::path;
use crate::base::Digest;
use crate::base::digest::Hasher;
use crate::dialect::Dialect;
use crate::engine::{SetFlag, SetKind, ValuesInput};
use crate::source::{SourceError, SourceTree};
use crate::yaml::{Node, NodeKind, Number};

impl Cell {
    /// Digest of everything that decides the output of this cell.
    ///
    /// # Errors
    /// When an input cannot be read.
    pub fn identity(&self, tree: &dyn SourceTree, dialect: Dialect) -> Result<Digest, SourceError> {
        let mut hasher = Hasher::new("evenkeel cell 1");
        match &self.input {
            Input::Manifests(paths) => {
                hasher.part(b"manifests");
                hasher.part(self.namespace.as_bytes());
                for path in paths {
                    hasher.part(tree.identity(path)?.bytes());
                }
            }
            Input::Chart(chart) => {
                hasher.part(b"chart");
                hasher.part(dialect.name().as_bytes());
                hasher.part(self.name.as_bytes());
                hasher.part(self.namespace.as_bytes());
                hasher.part(self.kube_version.as_deref().unwrap_or_default().as_bytes());
                add_chart(&mut hasher, chart, tree)?;
            }
        }
        Ok(hasher.finish())
    }
}

fn add_chart(hasher: &mut Hasher, chart: &ChartInput, tree: &dyn SourceTree) -> Result<(), SourceError> {
    let flags = chart.flags;
    hasher.part(&[
        flags.include_crds.into(),
        flags.is_upgrade.into(),
        flags.no_hooks.into(),
        flags.skip_tests.into(),
        flags.skip_schema_validation.into(),
    ]);
    // A folder and an archive of equal bytes are read differently.
    hasher.part(&[chart.path.ends_with(".tgz").into()]);
    hasher.part(tree.identity(&chart.path)?.bytes());
    count(hasher, chart.api_versions.len());
    for version in &chart.api_versions {
        hasher.part(version.as_bytes());
    }
    count(hasher, chart.values.len());
    for values in &chart.values {
        match values {
            ValuesInput::File(path) => {
                hasher.part(b"file");
                hasher.part(tree.identity(path)?.bytes());
            }
            ValuesInput::Inline { node, .. } => {
                hasher.part(b"inline");
                add_node(hasher, node);
            }
        }
    }
    for flag in &chart.set {
        add_flag(hasher, flag, tree)?;
    }
    Ok(())
}

fn add_flag(hasher: &mut Hasher, flag: &SetFlag, tree: &dyn SourceTree) -> Result<(), SourceError> {
    hasher.part(flag.kind.flag().as_bytes());
    match path::split_set_file(&flag.expression) {
        Some((key, path)) if flag.kind == SetKind::File => {
            hasher.part(key.as_bytes());
            hasher.part(tree.identity(path)?.bytes());
        }
        _ => {
            hasher.part(flag.expression.as_bytes());
        }
    }
    Ok(())
}

fn count(hasher: &mut Hasher, count: usize) {
    hasher.part(&(count as u64).to_le_bytes());
}

/// The data of a node in order; its places do not count.
fn add_node(hasher: &mut Hasher, node: &Node) {
    match &node.kind {
        NodeKind::Null => {
            hasher.part(b"null");
        }
        NodeKind::Bool(value) => {
            hasher.part(b"bool").part(&[(*value).into()]);
        }
        NodeKind::Number(Number::Int(value)) => {
            hasher.part(b"int").part(&value.to_le_bytes());
        }
        NodeKind::Number(Number::Uint(value)) => {
            hasher.part(b"uint").part(&value.to_le_bytes());
        }
        NodeKind::Number(Number::Float(value)) => {
            hasher.part(b"float").part(&value.to_bits().to_le_bytes());
        }
        NodeKind::Str(text) => {
            hasher.part(b"str").part(text.as_bytes());
        }
        NodeKind::List(items) => {
            hasher.part(b"list");
            count(hasher, items.len());
            items.iter().for_each(|item| add_node(hasher, item));
        }
        NodeKind::Map(entries) => {
            hasher.part(b"map");
            count(hasher, entries.len());
            for entry in entries.iter() {
                hasher.part(entry.key.as_bytes());
                add_node(hasher, &entry.value);
            }
        }
    }
}
