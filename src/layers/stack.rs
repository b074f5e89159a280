//! The user's values of one render: files, inline maps and `--set` expressions, each a layer
//! (`pkg/cli/values/options.go`).

use super::set_flag::{Reader, apply};
use crate::dialect::Dialect;
use crate::engine::contract::{SetFlag, SetKind, ValuesInput};
use crate::source::SourceTree;
use crate::value::{Data, List, Map, MapType, MarkTable, Marks, Origin, Text, Value};
use crate::yaml::{Node, NodeKind, Number};
use std::sync::Arc;

/// What kind of thing set a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LayerKind {
    /// The values.yaml of the chart that uses the value, or of one of its subcharts.
    ChartDefault,
    /// A values file or an inline map.
    ValuesFile,
    /// A `--set`-like expression.
    Set(SetKind),
}

/// One source of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// What it is.
    pub kind: LayerKind,
    /// The file it was read from: a values file, a chart's values.yaml, or the configuration.
    pub file: Arc<str>,
    /// The expression, for `--set` and its kin.
    pub expression: Option<Arc<str>>,
}

/// The layers of one render and the marks of their values, built while the values are.
#[derive(Debug, Default)]
pub struct Layers {
    /// The layers, in the order in which they were read; `Origin::layer` counts in this list.
    pub list: Vec<Layer>,
    /// The marks, when the render is traced.
    pub marks: Option<MarkTable>,
}

impl Layers {
    /// No layers yet; with `traced` every value gets its origin.
    pub fn new(traced: bool) -> Layers {
        Layers {
            list: Vec::new(),
            marks: traced.then(MarkTable::new),
        }
    }

    /// Adds a layer and gives its number.
    pub fn add(&mut self, layer: Layer) -> u32 {
        self.list.push(layer);
        u32::try_from(self.list.len() - 1).expect("a command line has fewer than 2^32 layers")
    }

    /// Data as Go would hold it, with its origins in a layer. Numbers become `float64`.
    pub fn value(&mut self, node: &Node, layer: u32, parent: Marks, step: &Arc<str>) -> Value {
        let marks = self.origin(layer, parent, step, node.mark.line, node.mark.column);
        let data = match &node.kind {
            NodeKind::Null => Data::Nil,
            NodeKind::Bool(truth) => Data::Bool(*truth),
            NodeKind::Number(Number::Int(number)) => Data::Float(*number as f64),
            NodeKind::Number(Number::Uint(number)) => Data::Float(*number as f64),
            NodeKind::Number(Number::Float(number)) => Data::Float(*number),
            NodeKind::Str(text) => Data::Str(Text::from(&**text)),
            NodeKind::List(items) => {
                let items = items.iter().enumerate().map(|(position, item)| {
                    let step = if self.marks.is_some() {
                        position.to_string().into()
                    } else {
                        step.clone()
                    };
                    self.value(item, layer, marks, &step)
                });
                Data::List(List::new(items.collect::<Vec<_>>()))
            }
            NodeKind::Map(_) => Data::Map(self.map(node, layer, marks)),
        };
        Value { data, marks }
    }

    /// The entries of a mapping node as a map.
    pub fn map(&mut self, node: &Node, layer: u32, marks: Marks) -> Map {
        let entries = node.entries().iter().map(|entry| {
            (
                Text::from(&*entry.key),
                self.value(&entry.value, layer, marks, &entry.key),
            )
        });
        let mut entries: Vec<_> = entries.collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        Map::from_sorted(MapType::Any, entries)
    }

    fn origin(&mut self, layer: u32, parent: Marks, step: &Arc<str>, line: u32, column: u32) -> Marks {
        let Some(table) = &mut self.marks else {
            return Marks::NONE;
        };
        let parent = (!parent.is_none()).then_some(parent);
        table.origin(Origin {
            parent,
            step: step.clone(),
            layer,
            line,
            column,
        })
    }
}

/// Reads the user's values (`Options.MergeValues`): all files, then the expressions kind by kind.
///
/// # Errors
/// Helm's message, and the file or expression at fault where it names one.
pub fn user_values(
    tree: &dyn SourceTree,
    inputs: &[ValuesInput],
    set: &[SetFlag],
    dialect: Dialect,
    layers: &mut Layers,
) -> Result<Map, String> {
    let base = Map::new();
    for input in inputs {
        let (documents, file) = match input {
            ValuesInput::Inline { node, file } => (vec![node.clone()], file.clone()),
            ValuesInput::File(path) => {
                let bytes = tree.read(path).map_err(|error| not_readable(path, &error))?;
                let documents = crate::chart::values::read(&bytes, dialect)
                    .map_err(|text| format!("failed to parse {path}: {text}"))?;
                (documents, Arc::from(path.as_str()))
            }
        };
        let layer = layers.add(Layer {
            kind: LayerKind::ValuesFile,
            file,
            expression: None,
        });
        for document in documents {
            merge(&base, &layers.map(&document, layer, Marks::NONE));
        }
    }
    for kind in SetKind::ALL {
        for flag in set.iter().filter(|flag| flag.kind == kind) {
            expression(tree, flag, &base, dialect, layers)?;
        }
    }
    Ok(base)
}

/// `MergeMaps`, in place: maps merge, everything else is replaced.
pub fn merge(target: &Map, source: &Map) {
    for (key, value) in source.snapshot() {
        if let (
            Data::Map(below),
            Some(Value {
                data: Data::Map(existing),
                ..
            }),
        ) = (&value.data, target.get(key.bytes()))
        {
            merge(&existing, below);
        } else {
            target.set(key, value);
        }
    }
}

fn expression(
    tree: &dyn SourceTree,
    flag: &SetFlag,
    base: &Map,
    dialect: Dialect,
    layers: &mut Layers,
) -> Result<(), String> {
    let text = flag.expression.as_str();
    let (file, line, column) = match &flag.place {
        Some(place) => (place.file.clone(), place.line, place.column),
        None => (Arc::from("command line"), 0, 0),
    };
    let expression = Some(Arc::from(text));
    let layer = layers.add(Layer {
        kind: LayerKind::Set(flag.kind),
        file,
        expression,
    });
    let whole_json = flag.kind == SetKind::Json && dialect.is_v4() && text.trim_start().starts_with('{');
    if whole_json {
        let cannot = || format!("failed parsing --set-json data JSON: {text}");
        let (node, _) = read_json(text.trim())?;
        if !node.is_map() {
            return Err(cannot());
        }
        merge(base, &layers.map(&node, layer, Marks::NONE));
        return Ok(());
    }
    let step: Arc<str> = Arc::from("");
    let marks = std::cell::RefCell::new(layers);
    let mut mark = |offset: usize| {
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        marks
            .borrow_mut()
            .origin(layer, Marks::NONE, &step, line, column.saturating_add(offset))
    };
    let mut read_file = |path: &str| {
        let bytes = tree.read(path).map_err(|error| not_readable(path, &error))?;
        Ok(Value::str(bytes.to_vec()))
    };
    let mut read_json = |text: &str| {
        let (node, taken) = read_json(text)?;
        Ok((marks.borrow_mut().value(&node, layer, Marks::NONE, &step), taken))
    };
    let reader = match flag.kind {
        SetKind::Set => Reader::Typed,
        SetKind::String => Reader::Text,
        SetKind::File => Reader::File(&mut read_file),
        SetKind::Json => Reader::Json(&mut read_json),
        SetKind::Literal => Reader::Literal,
    };
    apply(text, base, reader, &mut mark).map_err(|fault| match flag.kind {
        SetKind::Json => format!("failed parsing --set-json data {text}"),
        kind => format!("failed parsing {} data: {fault}", kind.flag()),
    })
}

/// Reads the JSON value at the start of a text, and tells how many bytes it took.
fn read_json(_: &str) -> Result<(Node, usize), String> {
    Err("--set-json is not supported by the native engine yet".to_owned())
}

fn not_readable(path: &str, error: &crate::source::SourceError) -> String {
    if error.missing {
        format!("open {path}: no such file or directory")
    } else {
        error.to_string()
    }
}
