//! `type-changed`: the same text as another type.

use super::{CellView, Check, Hazard, Pass, Sink};
use crate::base::{KeyPath, Level, Step};
use crate::compare::{Change, Op, Verdict};
use crate::manifest::DocumentId;
use crate::yaml::{Node, NodeKind};

/// The check.
pub static CHECK: Check = Check {
    name: "type-changed",
    level: Level::Warn,
    audit_only: false,
    explain: "A field reads the same and has another type: \"3\" where 3 was, true where \"true\" was. Usual causes: a \
quote that came or went in a template, --set-string, a value that moved to another file.\n\n\
Where only strings are allowed (labels, annotations, the value of an environment variable, data of a ConfigMap) the API \
server refuses what is none, and the finding is a deny, also where the value is another one. Elsewhere it depends on the field: most numbers are refused as \
strings, and ports take both.\n\n\
Quote in the template what has to be a string, and nothing else.",
    pass: Pass::Comparison(run),
};

fn run(view: &CellView<'_>, sink: &mut Sink) {
    let changed = view.comparison.documents.iter();
    for document in changed.filter(|document| document.verdict == Verdict::Changed) {
        for change in &document.changes {
            let (Some(before), Some(after)) = (&change.before, &change.after) else {
                continue;
            };
            let Some(level) = level(&document.id, change, before, after) else {
                continue;
            };
            sink.tell(Hazard {
                level,
                resource: Some(document.id.clone()),
                field_path: Some(change.path.clone()),
                object: after.kind_name().to_owned(),
                remedy: (level == Level::Deny).then(|| "quote it".to_owned()),
                ..Hazard::new(
                    &CHECK,
                    format!(
                        "{}: {} was {} and is {}",
                        document.id,
                        change.path,
                        before.kind_name(),
                        after.kind_name()
                    ),
                )
            });
        }
    }
}

/// Where only strings go, another type is refused whatever it reads; elsewhere only what reads the same is told.
fn level(id: &DocumentId, change: &Change, before: &Node, after: &Node) -> Option<Level> {
    let is_string = |node: &Node| matches!(node.kind, NodeKind::Str(_));
    let is_refused = matches!(after.kind, NodeKind::Bool(_) | NodeKind::Number(_));
    match takes_strings_only(id, &change.path) {
        true if is_string(before) && is_refused => Some(Level::Deny),
        true => (change.op == Op::Type).then_some(Level::Info),
        false => (change.op == Op::Type).then_some(Level::Warn),
    }
}

/// True for fields that the API server takes as strings alone.
fn takes_strings_only(id: &DocumentId, path: &KeyPath) -> bool {
    let key = |back: usize| match path.0.len().checked_sub(back).map(|at| &path.0[at]) {
        Some(Step::Key(key)) => key.as_str(),
        _ => "",
    };
    let is_config = id.group.is_empty() && matches!(&*id.kind, "ConfigMap" | "Secret");
    let in_data = path.0.len() == 2 && matches!(key(2), "data" | "stringData" | "binaryData");
    let in_list = matches!(path.0.last(), Some(Step::Index(_))) && matches!(key(2), "args" | "command");
    let in_env = key(1) == "value" && key(3) == "env";
    let in_selector = &*id.kind == "Service" && path.0.len() == 3 && key(2) == "selector";
    is_config && in_data
        || in_selector
        || in_list
        || in_env
        || matches!(key(2), "annotations" | "labels" | "matchLabels" | "nodeSelector")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, compared};
    use super::*;

    fn levels(before: &str, after: &str) -> Vec<Level> {
        let object = |rest: &str| Case::chart("", &format!("apiVersion: v1\nkind: Service\n{rest}\n"));
        let found = compared(&CHECK, object(before), object(after));
        found.into_iter().map(|hazard| hazard.level).collect()
    }

    #[test]
    fn where_only_strings_go_a_number_is_refused() {
        let labels = |value: &str| format!("metadata: {{name: a, labels: {{v: {value}}}}}");
        assert_eq!(levels(&labels("'3'"), &labels("3")), [Level::Deny]);
        assert_eq!(levels(&labels("'3'"), &labels("4")), [Level::Deny]);
        assert_eq!(levels(&labels("3"), &labels("'3'")), [Level::Info]);
        let selector = |value: &str| format!("metadata: {{name: a}}\nspec: {{selector: {{app: {value}}}}}");
        assert_eq!(levels(&selector("'1'"), &selector("1")), [Level::Deny]);
        let port = |value: &str| format!("metadata: {{name: a}}\nspec: {{port: {value}}}");
        assert_eq!(levels(&port("80"), &port("'80'")), [Level::Warn]);
    }

    #[test]
    fn an_environment_variable_is_a_string() {
        let env = |value: &str| {
            Case::chart(
                "",
                &format!(
                    "apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec: {{containers: [{{name: c, env: [{{name: A, value: {value}}}]}}]}}\n"
                ),
            )
        };
        let found = compared(&CHECK, env("'true'"), env("true"));
        assert_eq!(
            found.iter().map(|hazard| hazard.level).collect::<Vec<_>>(),
            [Level::Deny]
        );
    }

    #[test]
    fn another_value_and_other_quotes_are_not_told() {
        let labels = |value: &str| format!("metadata: {{name: a, labels: {{v: {value}}}}}");
        assert!(levels(&labels("'3'"), &labels("'4'")).is_empty());
        let port = |value: &str| format!("metadata: {{name: a}}\nspec: {{port: {value}}}");
        assert!(levels(&port("80"), &port("'81'")).is_empty());
        assert!(levels(&labels("'3'"), &labels("\"3\"")).is_empty());
    }
}
