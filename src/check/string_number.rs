//! `string-number`: a string where the chart has a number, or the reverse, and the documents show it.

use super::{ChartView, Check, Hazard, Pass, Sink, live};
use crate::base::{KeyPath, Level, Step};
use crate::engine::{RenderJob, SetKind, ValuesInput};
use crate::layers::cover::Cover;
use crate::layers::written::Author;
use crate::yaml::{Entry, Mark, Node, NodeKind, Number};

/// The check.
pub static CHECK: Check = Check {
    name: "string-number",
    level: Level::Warn,
    audit_only: false,
    explain: "The chart's own value is a number, and a layer above gives the same digits as a string; or the reverse. A \
field of the wrong type is refused by the API server (replicas: \"3\"), and a comparison in a template goes wrong: Go \
does not compare a string with a number.\n\n\
The usual causes are --set-string, quotes in a values file, and --set of something that only looks like a number.\n\n\
Before it is told, the release is rendered with the type that the chart has; where nothing changes, nothing is told.\n\n\
Write the value with the type that the chart's values.yaml has.",
    pass: Pass::Layers(run),
};

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    for cover in &view.covers().values {
        let Some(_) = converted(view, cover) else {
            continue;
        };
        if live::is_off(view, &cover.path.0) {
            continue;
        }
        let written = view.written();
        let message = format!(
            "`{}` is {} in {}, and {} in {}",
            cover.path,
            cover.upper.node.kind_name(),
            written.layer(&cover.upper).name(),
            cover.lower.node.kind_name(),
            written.layer(&cover.lower).name()
        );
        sink.tell(Hazard {
            value_path: Some(cover.path.clone()),
            object: cover.upper.node.kind_name().to_owned(),
            place: Some(cover.upper.place.clone()),
            related: vec![("the chart's own value".to_owned(), cover.lower.place.clone())],
            remedy: Some(format!("write {} here", cover.lower.node.kind_name())),
            ..Hazard::new(&CHECK, message)
        });
    }
}

/// A user's value with the type that the chart's has, where the digits stay the same and it is the last word.
fn converted(view: &ChartView<'_>, cover: &Cover) -> Option<Node> {
    let written = view.written();
    if written.layer(&cover.lower).is_users() || !written.layer(&cover.upper).is_users() {
        return None;
    }
    let last = written.settings(&cover.path.0).pop()?;
    if last.layer != cover.upper.layer {
        return None;
    }
    let kind = match (&cover.upper.node.kind, &cover.lower.node.kind) {
        (NodeKind::Str(text), NodeKind::Number(_)) => {
            let number: i64 = text
                .parse()
                .ok()
                .filter(|number: &i64| number.to_string() == **text)?;
            NodeKind::Number(Number::Int(number))
        }
        (NodeKind::Number(Number::Int(number)), NodeKind::Str(text)) if !text.is_empty() => {
            NodeKind::Str(number.to_string().into())
        }
        _ => return None,
    };
    Some(Node::new(kind))
}

/// True when the documents are others with the type that the chart has.
pub(super) fn confirm(view: &ChartView<'_>, hazard: &Hazard) -> bool {
    let is_it = |cover: &&Cover| Some(&cover.path) == hazard.value_path.as_ref();
    let mut covers = view.covers().values.iter().filter(is_it);
    let found = covers.find_map(|cover| Some((cover, converted(view, cover)?)));
    let Some(job) = found.and_then(|(cover, node)| changed(view, cover, node)) else {
        return false;
    };
    match (view.plain_output(), (view.again)(&job)) {
        (Some(before), Ok(after)) => *before != after.output,
        _ => false,
    }
}

/// The job with a value of another type.
fn changed(view: &ChartView<'_>, cover: &Cover, node: Node) -> Option<RenderJob> {
    let layer = view.written().layer(&cover.upper);
    let mut job = RenderJob {
        traced: false,
        ..view.job.clone()
    };
    match layer.author {
        Author::Set(kind) if layer.edits.len() == 1 => {
            let (text, place) = layer.expression.as_ref()?;
            let mut flags = job.set.iter_mut();
            let flag = flags.find(|flag| *flag.expression == **text && flag.place == *place)?;
            flag.kind = match kind {
                SetKind::String => SetKind::Set,
                SetKind::Set => SetKind::String,
                _ => return None,
            };
        }
        Author::File | Author::Inline => job.values.push(ValuesInput::Inline {
            node: nested(&cover.path, node)?,
            file: layer.file.clone(),
        }),
        _ => return None,
    }
    Some(job)
}

/// A map with one value; `None` where the path goes through a list.
fn nested(path: &KeyPath, value: Node) -> Option<Node> {
    path.0.iter().rev().try_fold(value, |value, step| {
        let Step::Key(key) = step else {
            return None;
        };
        let entry = Entry {
            key: key.as_str().into(),
            mark: Mark::default(),
            value,
        };
        Some(Node::new(NodeKind::Map([entry].into())))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn told(template: &str, add: impl Fn(Case) -> Case) -> bool {
        let case = || add(Case::chart("port: 80\nname: one\n", template));
        let found = case().hazards(&CHECK);
        found
            .iter()
            .any(|hazard| case().view(|view| confirm(view, hazard)))
    }

    #[test]
    fn another_type_that_shows_is_told() {
        let all = "{{ toYaml .Values }}\n";
        assert!(told(all, |case| case.values("v.yaml", "port: \"81\"\n")));
        assert!(told(all, |case| case.set_as(SetKind::String, "port=81")));
        assert!(told(all, |case| case.set("name=7")));
    }

    #[test]
    fn one_that_does_not_show_is_silent() {
        let printed = "port: {{ .Values.port }}\nname: {{ .Values.name | quote }}\n";
        assert!(!told(printed, |case| case.values("v.yaml", "port: \"81\"\n")));
        assert!(!told(printed, |case| case.set("name=7")));
        let all = "{{ toYaml .Values }}\n";
        assert!(!told(all, |case| case.values("v.yaml", "port: 25%\n")));
    }
}
