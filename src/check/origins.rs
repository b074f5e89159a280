//! Where a field of a document came from: the template that printed it, the values that flowed in, the answers of
//! the ambient in it.

use super::fields::{node_at, range_of};
use crate::base::{KeyPath, Place, Step};
use crate::engine::History;
use crate::layers::{Layer, LayerKind};
use crate::manifest::Document;
use crate::value::{AmbientKind, Marks, Span};
use crate::yaml::{Node, NodeKind};
use std::ops::Range;

/// Where a field came from on one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldOrigin {
    /// The template line that printed it.
    pub template: Option<Place>,
    /// The calls that led there, outermost first.
    pub chain: Vec<Place>,
    /// The values that flowed in; where none did, those that decided that it is there.
    pub values: Vec<ValueSource>,
    /// True when no value flowed in: `values` only decided that the field is there.
    pub is_decided: bool,
    /// The answers of the ambient in it.
    pub marks: Vec<MarkSource>,
}

/// A value that flowed into a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueSource {
    /// Its path below `.Values` of the root chart.
    pub path: KeyPath,
    /// Where it is set.
    pub place: Place,
    /// The kind of layer that sets it: `values-file`, `set`, `chart-default`, ...
    pub layer: &'static str,
}

/// An answer of the ambient in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkSource {
    /// `random`, `clock`, `lookup`, `host`, `capability` or `map-order`.
    pub kind: &'static str,
    /// The call, such as `randAlphaNum 40`.
    pub call: String,
    /// Where the call stands.
    pub place: Option<Place>,
}

/// Where a field came from; nothing when the document has no such field. With `value` given, also nothing when the
/// field holds another one: then the path counts the elements of another list.
pub fn of_field(
    history: &History,
    document: &Document,
    path: &KeyPath,
    value: Option<&Node>,
) -> Option<FieldOrigin> {
    let range = match value {
        Some(value) => value_range(document, path, value)?,
        None => range_of(document, path)?,
    };
    let mut origin = FieldOrigin::default();
    let mut control = Vec::new();
    for (_, span) in history.spans(range.clone()) {
        if origin.template.is_none() && span.node != 0 {
            origin.template = place_at(history, document, range.start);
            origin.chain = history.chain(span.frame);
        }
        add_values(history, span.marks, &mut origin.values);
        add_values(history, span.control, &mut control);
        for marks in [span.marks, span.control] {
            add_marks(history, marks, &mut origin.marks);
        }
    }
    if origin.values.is_empty() {
        origin.is_decided = !control.is_empty();
        origin.values = control;
    }
    Some(origin)
}

/// The bytes of a field that holds a value; nothing where it holds another, because the path counts the elements of
/// another list.
pub fn value_range(document: &Document, path: &KeyPath, value: &Node) -> Option<Range<usize>> {
    if is_other(node_at(document, path), value) {
        return None;
    }
    range_of(document, path)
}

/// The place in the side's tree that wrote a byte of the render. Within the literal text of a template that is the
/// line of the byte, not of the text's beginning.
pub fn place_at(history: &History, document: &Document, offset: usize) -> Option<Place> {
    let all = document.range();
    let mut spans = history.spans(all.clone());
    let (range, span) = spans.find(|(range, _)| range.contains(&offset))?;
    let place = history.place(span.frame, span.node)?;
    let literal = document
        .text()
        .get(range.start - all.start..range.end - all.start)?;
    Some(within(history, span, literal, offset - range.start, &place).unwrap_or(place))
}

/// The place of a byte of literal text; nothing where an action wrote it.
fn within(history: &History, span: &Span, literal: &[u8], at: usize, place: &Place) -> Option<Place> {
    let source = history.trace.unit(span.frame)?.text_of(span.node);
    let literal = literal.trim_ascii_end();
    if source.starts_with("{{") || literal.is_empty() {
        return None;
    }
    let start = memchr::memmem::find(source.as_bytes(), literal)?;
    let before = source.as_bytes().get(..start + at)?;
    let lines = u32::try_from(memchr::memchr_iter(b'\n', before).count()).ok()?;
    let column = match memchr::memrchr(b'\n', before) {
        Some(line) => before.len() - line,
        None => place.column.max(1) as usize + before.len(),
    };
    Some(Place::new(
        place.file.clone(),
        place.line + lines,
        u32::try_from(column).unwrap_or(0),
    ))
}

/// True when a field holds another plain value.
fn is_other(node: Option<&Node>, value: &Node) -> bool {
    let is_plain = |node: &Node| !matches!(node.kind, NodeKind::List(_) | NodeKind::Map(_));
    match node {
        None => true,
        Some(node) => (is_plain(node) || is_plain(value)) && !crate::manifest::canon::same_data(node, value),
    }
}

fn add_values(history: &History, marks: Marks, found: &mut Vec<ValueSource>) {
    for origin in history.origins(marks) {
        let source = ValueSource {
            layer: layer_name(history, origin.layer, &origin.path),
            path: origin.path,
            place: origin.place,
        };
        if !found.contains(&source) {
            found.push(source);
        }
    }
}

fn add_marks(history: &History, marks: Marks, found: &mut Vec<MarkSource>) {
    for ambient in history.ambients(marks) {
        let source = MarkSource {
            kind: kind_name(ambient.kind),
            call: ambient.call.to_string(),
            place: history.place(ambient.frame, ambient.node),
        };
        if !found.contains(&source) {
            found.push(source);
        }
    }
}

fn kind_name(kind: AmbientKind) -> &'static str {
    match kind {
        AmbientKind::Random => "random",
        AmbientKind::Clock => "clock",
        AmbientKind::Lookup => "lookup",
        AmbientKind::Host => "host",
        AmbientKind::Capability => "capability",
        AmbientKind::MapOrder => "map-order",
    }
}

/// The kind of a layer as reports name it. A chart's defaults for one of its subcharts are the parent chart's.
fn layer_name(history: &History, layer: &Layer, path: &KeyPath) -> &'static str {
    match layer.kind {
        LayerKind::ValuesFile => "values-file",
        LayerKind::Set(kind) => kind.flag().trim_start_matches('-'),
        LayerKind::ChartDefault => {
            let mut owners = history
                .charts
                .iter()
                .filter(|part| Some(&*part.chart.location) == layer.defaults_of());
            let is_parents = owners.next().is_some_and(|owner| {
                let below = owner.path.len() + 1;
                history.charts.iter().any(|part| {
                    part.path.len() == below
                        && part
                            .path
                            .iter()
                            .zip(&path.0)
                            .all(|(name, step)| matches!(step, Step::Key(key) if **key == **name))
                        && path.0.len() >= below
                })
            });
            if is_parents {
                "parent-chart"
            } else {
                "chart-default"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    const TEMPLATE: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  plain: text\n  level: {{ .Values.log.level }}\n{{- if .Values.switch }}\n  extra: x\n{{- end }}\n  key: {{ randAlphaNum 5 }}\n";

    fn of(path: &str) -> FieldOrigin {
        let case = Case::chart("log: {level: info}\nswitch: true\n", TEMPLATE)
            .values("my.yaml", "\nlog:\n  level: debug\n");
        case.side(|side| {
            let path = KeyPath::parse(path).expect("a path");
            let history = side.history.expect("the job is traced");
            of_field(history, &side.manifest.documents[0], &path, None).expect("the field is there")
        })
    }

    fn told(origin: &FieldOrigin) -> Vec<String> {
        let values = origin.values.iter();
        values
            .map(|value| format!("{} {} {}", value.path, value.place, value.layer))
            .collect()
    }

    #[test]
    fn a_value_leads_to_the_layer_that_set_it() {
        let origin = of("data.level");
        assert_eq!(told(&origin), ["log.level my.yaml:3:10 values-file"]);
        assert_eq!(origin.template.map(|place| place.line), Some(7));
    }

    #[test]
    fn literal_text_has_its_own_line_and_what_decided_on_it() {
        let origin = of("data.plain");
        assert_eq!(
            (origin.template.map(|place| place.line), origin.values),
            (Some(6), vec![])
        );
        let origin = of("data.extra");
        assert_eq!(told(&origin), ["switch app/values.yaml:2:9 chart-default"]);
        assert_eq!(origin.template.map(|place| place.line), Some(9));
    }

    #[test]
    fn chance_is_named_by_its_call() {
        let origin = of("data.key");
        let [mark] = &origin.marks[..] else {
            panic!("{origin:?}")
        };
        assert_eq!((mark.kind, &*mark.call), ("random", "randAlphaNum 5"));
        assert_eq!(mark.place.as_ref().map(|place| place.line), Some(11));
    }
}
