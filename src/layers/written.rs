//! `Written`: the values of a cell as somebody wrote them, layer by layer, lowest first: what each layer says
//! under a path and where. For checks and for blame; nothing is rendered with it.
//!
//! Invariant: layers stand in the order of precedence, so of two that set one path the later wins. What is
//! absent: globals pushed down and imported values, which no layer writes where they end.

use super::set_flag::{Reader, Recorder, Spot, apply};
use super::spec::{SetFlag, SetKind, ValuesInput};
use super::stack::{first_json, moved, whole_json, within};
use crate::base::{KeyPath, Place, Step};
use crate::chart::values::{WrittenDocument, written};
use crate::chart::{Chart, Dependency};
use crate::dialect::Dialect;
use crate::json;
use crate::semver;
use crate::source::SourceTree;
use crate::value::{Data, Map, Marks, Value};
use crate::yaml::{Entry, Mark, Node, NodeKind, Number};
use std::cell::RefCell;
use std::sync::Arc;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Who wrote a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// The values.yaml of a chart.
    Chart,
    /// A values file of the release.
    File,
    /// A map in the configuration.
    Inline,
    /// A `--set`-like expression.
    Set(SetKind),
}

/// One layer.
#[derive(Clone, Debug)]
pub struct WrittenLayer {
    /// Who wrote it.
    pub author: Author,
    /// The file.
    pub file: Arc<str>,
    /// The keys that lead to what it holds, from the root: those of a subchart, else none.
    pub prefix: Vec<Arc<str>>,
    /// Names of the subcharts of its chart, whose values it may override; none for the layers of a user.
    pub children: Vec<Arc<str>>,
    /// The text, where it is a file of the tree.
    pub text: Option<Arc<[u8]>>,
    /// The documents that count in this dialect; none for an expression.
    pub documents: Vec<WrittenDocument>,
    /// What an expression sets.
    pub edits: Vec<Edit>,
    /// The expression, and where it stands.
    pub expression: Option<(Arc<str>, Option<Place>)>,
}

/// One value that an expression sets.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The path.
    pub path: Vec<Step>,
    /// The value.
    pub value: Node,
    /// Byte offset of the value in the expression.
    pub offset: usize,
    /// Where the value stands.
    pub place: Option<Place>,
}

/// What one layer says under a path.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The layer, by its number in `Written::layers`.
    pub layer: usize,
    /// Where: the key, or the element of a list.
    pub place: Place,
    /// The value.
    pub node: Node,
}

/// All layers of a cell.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The layers, lowest first.
    pub layers: Vec<WrittenLayer>,
}

impl WrittenLayer {
    /// True when somebody who deploys wrote it, not the author of a chart.
    pub fn is_users(&self) -> bool {
        self.author != Author::Chart
    }

    /// True when it is a values file, of a chart or of a user.
    pub fn is_file(&self) -> bool {
        matches!(self.author, Author::Chart | Author::File)
    }

    /// True when the layer is a chart's and the path belongs to a subchart of it.
    pub fn is_parent_chart(&self, path: &[Step]) -> bool {
        match path.get(self.prefix.len()) {
            Some(Step::Key(key)) => self.children.iter().any(|child| **child == **key),
            _ => false,
        }
    }

    /// Words for a message: the file, or the flag with its expression's key.
    pub fn name(&self) -> String {
        match (self.author, &self.expression) {
            (Author::Set(kind), Some((text, _))) => {
                let key = text.split_once('=').map_or(&**text, |(key, _)| key);
                format!("{} {key}", kind.flag())
            }
            (Author::Inline, _) => format!("the inline values of {}", self.file),
            _ => self.file.to_string(),
        }
    }

    /// A place in the layer's file.
    pub fn place(&self, mark: Mark) -> Place {
        Place::new(self.file.clone(), mark.line, mark.column)
    }
}

impl Written {
    /// Reads the layers of a cell. A layer that cannot be read is left out: its render fails and says why.
    pub fn read(
        tree: &dyn SourceTree,
        chart: &Chart,
        inputs: &[ValuesInput],
        set: &[SetFlag],
        dialect: Dialect,
    ) -> Written {
        let mut found = Written::default();
        found.chart(tree, chart, &[], dialect);
        for input in inputs {
            found.input(tree, input, dialect);
        }
        for kind in SetKind::ALL {
            for flag in set.iter().filter(|flag| flag.kind == kind) {
                found.layers.push(expression(tree, flag, dialect));
            }
        }
        found
    }

    /// The defaults of a chart above those of its subcharts.
    fn chart(&mut self, tree: &dyn SourceTree, chart: &Chart, prefix: &[Arc<str>], dialect: Dialect) {
        let uses = uses(chart);
        for (name, child) in &uses {
            let below: Vec<_> = prefix.iter().cloned().chain([name.clone()]).collect();
            self.chart(tree, child, &below, dialect);
        }
        let Some(values) = &chart.values else {
            return;
        };
        let file = format!("{}/values.yaml", chart.location);
        let text = tree.read(&file).ok();
        let mut documents = values.clone();
        match &text {
            // Loading took the mark away, which moves all offsets.
            Some(text) if text.starts_with(BYTE_ORDER_MARK) => {
                documents = written(text, dialect).unwrap_or(documents);
            }
            Some(_) => {}
            // What is inside an archive has no place to tell.
            None => documents.iter_mut().for_each(|document| {
                document.oddities.clear();
                document.start = 0;
            }),
        }
        self.layers.push(WrittenLayer {
            author: Author::Chart,
            file: file.into(),
            prefix: prefix.to_vec(),
            children: uses.into_iter().map(|(name, _)| name).collect(),
            text,
            documents,
            edits: Vec::new(),
            expression: None,
        });
    }

    fn input(&mut self, tree: &dyn SourceTree, input: &ValuesInput, dialect: Dialect) {
        let mut layer = WrittenLayer {
            author: Author::File,
            file: Arc::from(""),
            prefix: Vec::new(),
            children: Vec::new(),
            text: None,
            documents: Vec::new(),
            edits: Vec::new(),
            expression: None,
        };
        match input {
            ValuesInput::Inline { node, file } => {
                layer.author = Author::Inline;
                layer.file = file.clone();
                layer.documents.push(WrittenDocument {
                    node: node.clone(),
                    oddities: Vec::new(),
                    start: 0,
                });
                layer.text = tree.read(file).ok();
            }
            ValuesInput::File(path) => {
                layer.file = Arc::from(path.as_str());
                layer.text = tree.read(path).ok();
                let read = layer.text.as_ref().and_then(|text| written(text, dialect).ok());
                layer.documents = read.unwrap_or_default();
            }
        }
        self.layers.push(layer);
    }

    /// Who sets a path, in order: the last one wins. A path that goes through a list finds what whole lists
    /// hold there.
    pub fn settings(&self, path: &[Step]) -> Vec<Setting> {
        let mut found = Vec::new();
        for (number, layer) in self.layers.iter().enumerate() {
            let Some(rest) = below(path, &layer.prefix) else {
                continue;
            };
            for document in &layer.documents {
                found.extend(
                    at(&document.node, document.node.mark, rest).map(|(mark, node)| Setting {
                        layer: number,
                        place: layer.place(mark),
                        node: node.clone(),
                    }),
                );
            }
            for edit in &layer.edits {
                let Some(rest) = path.strip_prefix(edit.path.as_slice()) else {
                    continue;
                };
                found.extend(at(&edit.value, edit.value.mark, rest).map(|(_, node)| Setting {
                    layer: number,
                    place: edit.place.clone().unwrap_or_else(|| layer.place(Mark::default())),
                    node: node.clone(),
                }));
            }
        }
        found
    }

    /// The layer of a setting.
    pub fn layer(&self, setting: &Setting) -> &WrittenLayer {
        &self.layers[setting.layer]
    }
}

/// The subcharts of a chart under the names that values give them: one for each entry of `dependencies`, and
/// those that no entry speaks of.
fn uses(chart: &Chart) -> Vec<(Arc<str>, &Chart)> {
    let entries = chart.metadata.dependencies.as_deref().unwrap_or_default();
    let fits = |entry: &Dependency, child: &Chart| {
        child.metadata.name == entry.name
            && semver::is_compatible_range(&entry.version, &child.metadata.version)
    };
    let mut uses = Vec::new();
    for child in &chart.dependencies {
        if !entries.iter().any(|entry| fits(entry, child)) {
            uses.push((Arc::from(child.metadata.name.as_str()), &**child));
        }
    }
    for entry in entries {
        if let Some(child) = chart.dependencies.iter().find(|child| fits(entry, child)) {
            let name = if entry.alias.is_empty() {
                &entry.name
            } else {
                &entry.alias
            };
            uses.push((Arc::from(name.as_str()), child));
        }
    }
    uses
}

/// The rest of a path below some keys.
fn below<'p>(path: &'p [Step], prefix: &[Arc<str>]) -> Option<&'p [Step]> {
    let (head, rest) = path.split_at_checked(prefix.len())?;
    let is_there = |(step, key): (&Step, &Arc<str>)| matches!(step, Step::Key(found) if **found == **key);
    head.iter().zip(prefix).all(is_there).then_some(rest)
}

/// What stands under a path of a node, and where its key stands.
fn at<'n>(node: &'n Node, mark: Mark, path: &[Step]) -> Option<(Mark, &'n Node)> {
    match path {
        [] => Some((mark, node)),
        [Step::Key(key), rest @ ..] => {
            let entry = node.entry(key)?;
            at(&entry.value, entry.mark, rest)
        }
        [Step::Index(position), rest @ ..] => {
            let item = node.items().get(*position)?;
            at(item, item.mark, rest)
        }
        [Step::Element { key, value }, rest @ ..] => {
            let is_it = |item: &&Node| item.get(key).and_then(Node::as_str) == Some(value);
            let item = node.items().iter().find(is_it)?;
            at(item, item.mark, rest)
        }
    }
}

/// An expression as a layer; what it sets before a fault counts, the fault is the render's to tell.
fn expression(tree: &dyn SourceTree, flag: &SetFlag, dialect: Dialect) -> WrittenLayer {
    let text = flag.expression.as_str();
    let engine = json::Engine::of(dialect);
    let (line, column) = flag
        .place
        .as_ref()
        .map_or((0, 0), |place| (place.line, place.column));
    let file = flag
        .place
        .as_ref()
        .map_or_else(|| Arc::from("command line"), |place| place.file.clone());
    let mut layer = WrittenLayer {
        author: Author::Set(flag.kind),
        file,
        prefix: Vec::new(),
        children: Vec::new(),
        text: None,
        documents: Vec::new(),
        edits: Vec::new(),
        expression: Some((Arc::from(text), flag.place.clone())),
    };
    if flag.kind == SetKind::Json && dialect.is_v4() && text.trim().starts_with('{') {
        let lead = text.len() - text.trim_start().len();
        layer
            .documents
            .extend(whole_json(text, engine).map(|node| WrittenDocument {
                node: moved(&node, text, (line, column), lead),
                oddities: Vec::new(),
                start: 0,
            }));
        return layer;
    }
    let read = RefCell::new(None);
    let mut edits = Edits {
        found: Vec::new(),
        json: &read,
        text,
        place: flag.place.as_ref(),
    };
    let mut read_file = |path: &str| {
        let bytes = tree.read(path).map_err(|error| error.to_string())?;
        Ok(Value::str(bytes.to_vec()))
    };
    let mut read_json = |rest: &str, spot: &Spot<'_>| {
        let (node, taken) = first_json(rest, engine)?;
        *read.borrow_mut() = Some(moved(&node, text, (line, column), spot.offset));
        Ok((Value::NIL, taken))
    };
    let reader = match flag.kind {
        SetKind::Set => Reader::Typed,
        SetKind::String => Reader::Text,
        SetKind::File => Reader::File(&mut read_file),
        SetKind::Json => Reader::Json(&mut read_json),
        SetKind::Literal => Reader::Literal,
    };
    let _faults_are_told_by_the_render = apply(text, &Map::new(), reader, &mut edits);
    layer.edits = edits.found;
    layer
}

/// Notes what an expression sets.
struct Edits<'a> {
    found: Vec<Edit>,
    json: &'a RefCell<Option<Node>>,
    text: &'a str,
    place: Option<&'a Place>,
}

impl Recorder for Edits<'_> {
    fn mark(&mut self, _spot: &Spot<'_>) -> Marks {
        Marks::NONE
    }

    fn set(&mut self, spot: &Spot<'_>, value: &Value) {
        let value = self.json.borrow_mut().take().unwrap_or_else(|| node(value));
        if spot.path.contains(&Step::Key(String::new())) {
            return;
        }
        self.found.push(Edit {
            path: spot.path.to_vec(),
            value,
            offset: spot.offset,
            place: self.place.map(|place| Place {
                column: within(self.text, place.column, spot.offset),
                ..place.clone()
            }),
        });
    }
}

/// The few kinds of value that an expression makes.
fn node(value: &Value) -> Node {
    Node::new(match &value.data {
        Data::Bool(truth) => NodeKind::Bool(*truth),
        Data::Int(_, number) => NodeKind::Number(Number::Int(*number)),
        Data::Str(text) => NodeKind::Str(Arc::from(&*text.lossy())),
        Data::List(list) => NodeKind::List(list.items().iter().map(node).collect()),
        Data::Map(map) => NodeKind::Map(
            map.snapshot()
                .iter()
                .map(|(key, value)| Entry {
                    key: Arc::from(&*key.lossy()),
                    mark: Mark::default(),
                    value: node(value),
                })
                .collect(),
        ),
        _ => NodeKind::Null,
    })
}

/// A path of keys.
pub fn path_of(prefix: &[Arc<str>]) -> KeyPath {
    KeyPath(prefix.iter().map(|key| Step::Key(key.to_string())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart;
    use crate::source::MemoryTree;

    const VALUES: &str = "x: &x {k: 1}\ntop:\n  <<: *x\n  l: [{m: a}, {m: b}]\n";

    fn written(set: &[(SetKind, &str)], dialect: Dialect) -> Written {
        let entry = "dependencies:\n- {name: sub, alias: db, version: 1.x.x}\n";
        let tree = MemoryTree::new("test")
            .file(
                "app/Chart.yaml",
                format!("apiVersion: v2\nname: app\nversion: 0.1.0\n{entry}"),
            )
            .file("app/values.yaml", "db:\n  port: 2\n")
            .file(
                "app/charts/sub/Chart.yaml",
                "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
            )
            .file("app/charts/sub/values.yaml", "port: 1\n")
            .file("v.yaml", VALUES)
            .file("w.yaml", "q: 1\n---\ntop: {l: [{m: c}]}\n")
            .file("t", "text");
        let chart = chart::load(&tree, "app", dialect).expect("a chart");
        let flag = |(kind, expression): &(SetKind, &str)| SetFlag {
            kind: *kind,
            expression: (*expression).to_owned(),
            place: Some(Place::new("evenkeel.yaml", 9, 5)),
        };
        let set: Vec<_> = set.iter().map(flag).collect();
        let files = ["v.yaml", "w.yaml"].map(|file| ValuesInput::File(file.to_owned()));
        Written::read(&tree, &chart, &files, &set, dialect)
    }

    fn who(written: &Written, path: &str) -> Vec<String> {
        let path = KeyPath::parse(path).expect("a path");
        let told = |setting: Setting| {
            let text = setting.node.string_field().unwrap_or_default();
            format!("{} {text}", setting.place)
        };
        written.settings(&path.0).into_iter().map(told).collect()
    }

    #[test]
    fn every_layer_says_its_own_and_where() {
        let set = [
            (SetKind::Set, "db.port=3,top.l[0].m=d"),
            (SetKind::Json, "top={\"l\": [{\"m\": \"j\"}]}"),
            (SetKind::File, "top.f=t"),
        ];
        let written = written(&set, Dialect::V4_3);
        let expected = [
            "app/charts/sub/values.yaml:1:1 1",
            "app/values.yaml:2:3 2",
            "evenkeel.yaml:9:13 3",
        ];
        assert_eq!(who(&written, "db.port"), expected);
        assert_eq!(who(&written, "top.k"), ["v.yaml:1:8 1"]);
        let expected = [
            "v.yaml:4:8 a",
            "w.yaml:3:12 c",
            "evenkeel.yaml:9:9 j",
            "evenkeel.yaml:9:26 d",
        ];
        assert_eq!(who(&written, "top.l[0].m"), expected);
        assert_eq!(who(&written, "top.f"), ["evenkeel.yaml:9:11 text"]);
        assert_eq!(who(&written, "nobody"), Vec::<String>::new());
        let parent = written.settings(&KeyPath::root().key("db").key("port").0)[1].clone();
        let path = [Step::Key("db".to_owned()), Step::Key("port".to_owned())];
        assert!(written.layer(&parent).is_parent_chart(&path));
    }

    #[test]
    fn helm_three_reads_the_first_document() {
        assert_eq!(who(&written(&[], Dialect::V3_19), "top.l[0].m"), ["v.yaml:4:8 a"]);
    }
}
