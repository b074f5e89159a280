//! The user's values of one render: files, inline maps and `--set` expressions, each a layer
//! (`pkg/cli/values/options.go`).

use super::set_flag::{Reader, Recorder, Spot, apply};
use super::spec::{SetFlag, SetKind, ValuesInput};
use crate::base::{Place, Step};
use crate::chart::Chart;
use crate::dialect::Dialect;
use crate::json;
use crate::source::SourceTree;
use crate::value::{Ambient, AmbientKind, Data, List, Map, MapType, MarkTable, Marks, Origin, Text, Value};
use crate::yaml::{Mark, Node, NodeKind, Number};
use std::cell::RefCell;
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

impl Layer {
    /// The place of the chart whose defaults this layer holds.
    pub fn defaults_of(&self) -> Option<&str> {
        match self.kind {
            LayerKind::ChartDefault => self.file.strip_suffix("/values.yaml"),
            _ => None,
        }
    }
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

    /// The mark of what the cluster's version and API list decide.
    pub fn capability(&mut self) -> Marks {
        let ambient = || Ambient {
            kind: AmbientKind::Capability,
            call: Arc::from(".Capabilities"),
            frame: 0,
            node: 0,
            draw: 0,
        };
        self.marks
            .as_mut()
            .map_or(Marks::NONE, |table| table.ambient(ambient()))
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

/// Values that could not be read: Helm's message, and the file or expression at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuesError {
    /// Helm's message.
    pub message: String,
    /// Where the fault is; `None` for an expression of a command line.
    pub place: Option<Place>,
}

/// The defaults of a chart: the documents of its values.yaml, merged.
pub fn chart_defaults(chart: &Chart, layers: &mut Layers) -> Map {
    let layer = layers.add(Layer {
        kind: LayerKind::ChartDefault,
        file: Arc::from(format!("{}/values.yaml", chart.location)),
        expression: None,
    });
    let mut documents = chart.values.iter().flatten().map(|document| &document.node);
    let Some(first) = documents.next() else {
        return Map::new();
    };
    let defaults = layers.map(first, layer, Marks::NONE);
    for document in documents {
        merge(&defaults, &layers.map(document, layer, Marks::NONE));
    }
    defaults
}

/// Reads the user's values (`Options.MergeValues`): all files, then the expressions kind by kind.
///
/// # Errors
/// The first file or expression at fault.
pub fn user_values(
    tree: &dyn SourceTree,
    inputs: &[ValuesInput],
    set: &[SetFlag],
    dialect: Dialect,
    layers: &mut Layers,
) -> Result<Map, ValuesError> {
    let base = Map::new();
    for input in inputs {
        let (documents, file) = match input {
            ValuesInput::Inline { node, file } => (vec![node.clone()], file.clone()),
            ValuesInput::File(path) => (file(tree, path, dialect)?, Arc::from(path.as_str())),
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
            expression(tree, flag, &base, dialect, layers).map_err(|message| ValuesError {
                message,
                place: flag.place.clone(),
            })?;
        }
    }
    Ok(base)
}

/// The documents of a values file.
fn file(tree: &dyn SourceTree, path: &str, dialect: Dialect) -> Result<Vec<Node>, ValuesError> {
    let fault = |message: String, line: u32| ValuesError {
        message,
        place: Some(Place::new(path, line, 0)),
    };
    let bytes = tree
        .read(path)
        .map_err(|error| fault(not_readable(tree, path, &error), 0))?;
    crate::chart::values::read(&bytes, dialect).map_err(|text| {
        let line = told_line(&text);
        fault(format!("failed to parse {path}: {text}"), line)
    })
}

/// The line that go-yaml's message tells; 0 when it tells none.
fn told_line(text: &str) -> u32 {
    let digits = text
        .split_once("yaml: line ")
        .and_then(|(_, rest)| rest.split_once(':'));
    digits.and_then(|(digits, _)| digits.parse().ok()).unwrap_or(0)
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
    let engine = json::Engine::of(dialect);
    if flag.kind == SetKind::Json && dialect.is_v4() && text.trim().starts_with('{') {
        let node =
            whole_json(text, engine).ok_or_else(|| format!("failed parsing --set-json data JSON: {text}"))?;
        let lead = text.len() - text.trim_start().len();
        let node = moved(&node, text, (line, column), lead);
        merge(base, &layers.map(&node, layer, Marks::NONE));
        return Ok(());
    }
    let layers = RefCell::new(layers);
    let mut origins = Origins {
        layers: &layers,
        layer,
        text,
        at: (line, column),
    };
    let mut read_file = |path: &str| {
        let bytes = tree
            .read(path)
            .map_err(|error| not_readable(tree, path, &error))?;
        Ok(Value::str(bytes.to_vec()))
    };
    let mut read_json = |rest: &str, spot: &Spot<'_>| {
        let (node, taken) = first_json(rest, engine)?;
        let node = moved(&node, text, (line, column), spot.offset);
        let mut layers = layers.borrow_mut();
        Ok((
            layers.value(&node, layer, spot.parent, &last_step(spot.path)),
            taken,
        ))
    };
    let reader = match flag.kind {
        SetKind::Set => Reader::Typed,
        SetKind::String => Reader::Text,
        SetKind::File => Reader::File(&mut read_file),
        SetKind::Json => Reader::Json(&mut read_json),
        SetKind::Literal => Reader::Literal,
    };
    apply(text, base, reader, &mut origins).map_err(|fault| match flag.kind {
        SetKind::Json => format!("failed parsing --set-json data {text}"),
        kind => format!("failed parsing {} data: {fault}", kind.flag()),
    })
}

/// Gives what an expression sets its origin: the expression's place, moved by the offset in it.
struct Origins<'a, 'l> {
    layers: &'a RefCell<&'l mut Layers>,
    layer: u32,
    text: &'a str,
    at: (u32, u32),
}

impl Recorder for Origins<'_, '_> {
    fn mark(&mut self, spot: &Spot<'_>) -> Marks {
        let mut layers = self.layers.borrow_mut();
        if layers.marks.is_none() {
            return Marks::NONE;
        }
        let column = within(self.text, self.at.1, spot.offset);
        layers.origin(self.layer, spot.parent, &last_step(spot.path), self.at.0, column)
    }
}

/// The last step of a path as origins hold it.
fn last_step(path: &[Step]) -> Arc<str> {
    match path.last() {
        Some(Step::Key(key)) => Arc::from(key.as_str()),
        Some(Step::Index(position)) => Arc::from(position.to_string()),
        Some(Step::Element { value, .. }) => Arc::from(value.as_str()),
        None => Arc::from(""),
    }
}

/// The column of a byte of an expression that begins at a column.
pub(super) fn within(text: &str, column: u32, offset: usize) -> u32 {
    let before = text.get(..offset).unwrap_or(text).chars().count();
    column.saturating_add(u32::try_from(before).unwrap_or(u32::MAX))
}

/// A node that was read from an expression's text behind an offset, with its marks where the expression stands.
pub(super) fn moved(node: &Node, text: &str, (line, column): (u32, u32), offset: usize) -> Node {
    node.with_moved_marks(&|mark| {
        let offset = offset.saturating_add(mark.offset as usize);
        Mark {
            line,
            column: within(text, column, offset),
            offset: u32::try_from(offset).unwrap_or(u32::MAX),
        }
    })
}

/// The object that a whole `--set-json` expression is, in Helm 4.
pub(super) fn whole_json(text: &str, engine: json::Engine) -> Option<Node> {
    let read = json::read_map(text.trim().as_bytes(), engine).ok()?;
    read.error.is_none().then_some(read.node)
}

/// Reads the JSON value at the start of a text, as `json.Decoder` does, and tells how many bytes it took.
pub(super) fn first_json(text: &str, engine: json::Engine) -> Result<(Node, usize), String> {
    let start = text.len() - text.trim_start_matches([' ', '\t', '\n', '\r']).len();
    let end = start + json_extent(&text.as_bytes()[start..]);
    let read = json::read(&text.as_bytes()[start..end], engine)?;
    match read.error {
        None => Ok((read.node, end)),
        Some(error) => Err(error),
    }
}

/// How many bytes the JSON value at the start takes: brackets are only counted, the reader judges.
fn json_extent(text: &[u8]) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += match byte {
            b'"' => string_extent(&text[at..]),
            b'-' | b'0'..=b'9' if depth == 0 => number_extent(&text[at..]),
            b't' | b'f' | b'n' if depth == 0 => {
                let words: [&[u8]; 3] = [b"true", b"false", b"null"];
                let word = words.into_iter().find(|word| text[at..].starts_with(word));
                word.map_or(1, <[u8]>::len)
            }
            _ => 1,
        };
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at.min(text.len());
        }
    }
    text.len()
}

fn string_extent(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

fn number_extent(text: &[u8]) -> usize {
    let digits = |from: usize| {
        text[from.min(text.len())..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let mut at = usize::from(text[0] == b'-');
    // No number begins with a zero and goes on.
    at += if text.get(at) == Some(&b'0') {
        1
    } else {
        digits(at)
    };
    if text.get(at) == Some(&b'.') {
        at += 1 + digits(at + 1);
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        at += digits(at);
    }
    at
}

fn not_readable(tree: &dyn SourceTree, path: &str, error: &crate::source::SourceError) -> String {
    if error.missing {
        format!("open {path}: no such file or directory")
    } else if tree.list(path).is_ok() {
        format!("read {path}: is a directory")
    } else {
        error.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_json_value_is_taken_and_no_more() {
        for (text, taken) in [
            ("1,b=2", 1),
            (" [1, \"]\"] ,x", 9),
            ("{\"a\":{}}b=1", 8),
            ("nullx", 4),
            ("-1.5e3z", 6),
            ("\"a\\\"b\",c", 6),
        ] {
            let (_, found) = first_json(text, json::Engine::V2).expect("a value");
            assert_eq!(found, taken, "{text}");
        }
        for text in ["nope", "[1,]", "{\"b\":", "", "1."] {
            assert!(first_json(text, json::Engine::Classic).is_err(), "{text}");
        }
    }

    /// What the origins of a value and of all below it say: path, layer, line, column.
    fn origins(value: &Value, table: &MarkTable, found: &mut Vec<String>) {
        if let Some(origin) = table.as_origin(value.marks) {
            let mut steps = vec![origin.step.to_string()];
            let mut next = origin.parent;
            while let Some(above) = next.and_then(|parent| table.as_origin(parent)) {
                steps.push(above.step.to_string());
                next = above.parent;
            }
            steps.reverse();
            let steps = steps.join("/");
            found.push(format!(
                "{steps} {}:{}:{}",
                origin.layer, origin.line, origin.column
            ));
        }
        match &value.data {
            Data::Map(map) => map
                .snapshot()
                .iter()
                .for_each(|entry| origins(&entry.1, table, found)),
            Data::List(list) => list.items().iter().for_each(|item| origins(item, table, found)),
            _ => {}
        }
    }

    fn origins_of(file: &str, set: &[(SetKind, &str)]) -> Vec<String> {
        let tree = crate::source::MemoryTree::new("test")
            .file("v.yaml", file)
            .file("t", "text");
        let set: Vec<SetFlag> = set
            .iter()
            .map(|(kind, expression)| SetFlag {
                kind: *kind,
                expression: (*expression).to_owned(),
                place: Some(Place::new("evenkeel.yaml", 9, 5)),
            })
            .collect();
        let mut layers = Layers::new(true);
        let inputs = [ValuesInput::File("v.yaml".to_owned())];
        let values = user_values(&tree, &inputs, &set, Dialect::V4_3, &mut layers).expect("values");
        let mut found = Vec::new();
        origins(
            &values.into(),
            layers.marks.as_ref().expect("it is traced"),
            &mut found,
        );
        found
    }

    #[test]
    fn what_an_expression_sets_knows_its_path() {
        let found = origins_of("", &[(SetKind::Set, "a.b=1,a.l[1].c={x,é,y},é.z=")]);
        let expected = [
            "a 1:9:5",
            "a/b 1:9:9",
            "a/l 1:9:13",
            "a/l/1 1:9:14",
            "a/l/1/c 1:9:20",
            "a/l/1/c/0 1:9:21",
            "a/l/1/c/1 1:9:23",
            "a/l/1/c/2 1:9:25",
            "é 1:9:28",
            "é/z 1:9:32",
        ];
        assert_eq!(found, expected);
        let one = |kind, expression| {
            let found = origins_of("", &[(kind, expression)]);
            found.last().expect("a value").clone()
        };
        assert_eq!(one(SetKind::String, "a.b=1"), "a/b 1:9:9");
        assert_eq!(one(SetKind::File, "a.b=t"), "a/b 1:9:9");
        assert_eq!(one(SetKind::Literal, "a.b={1,2}"), "a/b 1:9:9");
        assert_eq!(one(SetKind::Json, "a[0]= {\"b\": [1]}"), "a/0/b/0 1:9:18");
        assert_eq!(one(SetKind::Json, " {\"a\": {\"b\": 1}}"), "a/b 1:9:18");
    }

    #[test]
    fn what_stood_before_keeps_its_origin() {
        let file = "l:\n  - name: x\n    v: 1\nm: {k: 1}\n";
        let found = origins_of(file, &[(SetKind::Set, "l[0].v=2,m.k=3,m.n=4")]);
        let expected = [
            "l 0:2:3",
            "l/0 0:2:5",
            "l/0/name 0:2:11",
            "l/0/v 1:9:12",
            "m 0:4:4",
            "m/k 1:9:18",
            "m/n 1:9:24",
        ];
        assert_eq!(found, expected);
    }

    proptest! {
        #[test]
        fn any_text_ends_in_an_answer(text in "[\\[\\]{}\",:0-9eE.truefalsn\\\\ -]{0,20}") {
            let _ = first_json(&text, json::Engine::V2);
        }
    }
}
