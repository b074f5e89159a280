//! `truthy-string`: a string that reads as false decides a condition, and counts as true.

use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::{KeyPath, Level, Place};
use crate::engine::History;
use crate::template::trace::{Branch, Decider};
use crate::template::tree::Node as Code;
use crate::value::Data;
use std::collections::BTreeMap;

/// The check.
pub static CHECK: Check = Check {
    name: "truthy-string",
    level: Level::Deny,
    audit_only: false,
    explain: "A value such as \"false\", \"no\", \"off\" or \"0\" is a string, and it decides a condition of a template. \
Go counts every string that is not empty as true, so the branch runs: what was to be switched off is on.\n\n\
The usual cause is --set-string metrics.enabled=false, or quotes in a values file that was written by a program.\n\n\
Silent where the chart's own value is a string: such a chart compares the text.\n\n\
Write the value without quotes, or use --set in place of --set-string.",
    pass: Pass::Trace(run),
};

fn run(view: &ChartView<'_>, history: &History, sink: &mut Sink) {
    let mut found: BTreeMap<KeyPath, (Place, Vec<Place>)> = BTreeMap::new();
    for branch in &history.trace.branches {
        if branch.decider != Decider::FalseString && !is_plain(history, branch) {
            continue;
        }
        for origin in history.origins(branch.marks) {
            if !is_false_string(view, &origin.path) {
                continue;
            }
            let (_, lines) = found.entry(origin.path).or_insert((origin.place, Vec::new()));
            lines.extend(
                history
                    .place(branch.frame, branch.node)
                    .filter(|place| !lines.contains(place)),
            );
        }
    }
    for (path, (place, lines)) in found {
        let text = view.final_values().and_then(|ends| ends.at(&path.0));
        let Some(Data::Str(text)) = text.map(|value| value.data) else {
            continue;
        };
        let message = format!(
            "`{path}` is the string \"{}\", which counts as true in a condition",
            text.lossy()
        );
        sink.tell(Hazard {
            place: Some(view.user_place(&path).unwrap_or(place)),
            related: lines
                .into_iter()
                .map(|place| ("decides here".to_owned(), place))
                .collect(),
            remedy: Some(
                "write a boolean: without quotes, or with --set in place of --set-string".to_owned(),
            ),
            value_path: Some(path),
            ..Hazard::new(&CHECK, message)
        });
    }
}

/// True when the value at a path is a string that reads as false, and the chart does not want a string there.
fn is_false_string(view: &ChartView<'_>, path: &KeyPath) -> bool {
    let value = view.final_values().and_then(|ends| ends.at(&path.0));
    let Some(Data::Str(text)) = value.map(|value| value.data) else {
        return false;
    };
    let reads_false = ["false", "0", "no", "off", "null"]
        .iter()
        .any(|word| text.bytes().eq_ignore_ascii_case(word.as_bytes()));
    let written = view.written();
    let settings = written.settings(&path.0);
    let mut defaults = settings
        .iter()
        .filter(|setting| !written.layer(setting).is_users());
    reads_false && !defaults.any(|setting| setting.node.as_str().is_some())
}

/// True when a condition is made of fields and `and`, `or`, `not` alone, so that its values decide as they are.
fn is_plain(history: &History, branch: &Branch) -> bool {
    let Some(unit) = history.trace.unit(branch.frame) else {
        return false;
    };
    let Code::Branch { pipe, .. } = *unit.node(branch.node) else {
        return false;
    };
    let text = unit.text_of(pipe);
    let is_separator = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|');
    let mut words = text.split(is_separator).filter(|word| !word.is_empty());
    words.all(|word| matches!(word, "and" | "or" | "not") || word.starts_with(['.', '$']))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;
    use crate::layers::SetKind;

    fn told(defaults: &str, condition: &str) -> Vec<Hazard> {
        let template = format!("a: b\n{{{{ if {condition} }}}}c: d\n{{{{ end }}}}");
        let case = Case::chart(defaults, &template).set_as(SetKind::String, "m.live=false");
        case.hazards(&CHECK)
    }

    #[test]
    fn a_false_string_that_decides_is_denied() {
        for condition in [
            ".Values.m.live",
            "and .Values.m.live .Values.m",
            "and .Values.m .Values.m.live",
            "not .Values.m.live",
            "or .Values.m.live .Values.m",
            "default true .Values.m.live",
        ] {
            let found = told("m: {live: true}\n", condition);
            let [hazard] = &found[..] else {
                panic!("{condition}: {found:?}")
            };
            let path = hazard.value_path.as_ref().map(ToString::to_string);
            assert_eq!((path.as_deref(), hazard.level), (Some("m.live"), Level::Deny));
            assert_eq!(hazard.related.len(), 1);
        }
    }

    #[test]
    fn a_string_where_one_is_wanted_is_silent() {
        assert_eq!(told("m: {live: auto}\n", ".Values.m.live"), []);
        assert_eq!(told("m: {live: true}\n", "eq .Values.m.live \"false\""), []);
        assert_eq!(
            told("m: {live: true}\n", "eq (toString .Values.m.live) \"true\""),
            []
        );
    }
}
