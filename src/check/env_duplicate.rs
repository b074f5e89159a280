//! `env-duplicate`: one variable that a container sets twice.

use super::pods::{pods, title};
use super::{Check, Hazard, Pass, SideView, Sink};
use crate::base::{Level, Place};
use crate::yaml::Node;
use std::collections::BTreeMap;

/// The check.
pub static CHECK: Check = Check {
    name: "env-duplicate",
    level: Level::Warn,
    audit_only: false,
    explain: "A container names one environment variable twice. The API server takes it with a warning, and the last \
entry wins; but an update merges the list by name, so that which of the two survives depends on what was there before, \
and server-side apply refuses the list outright.\n\n\
Usual cause: a chart sets the variable by itself, and the values add it once more through a list of extra variables.\n\n\
Leave it to one of them: use the chart's own value where there is one.",
    pass: Pass::Documents(run),
};

fn run(view: &SideView<'_>, sink: &mut Sink) {
    for document in &view.manifest.documents {
        for container in pods(document).iter().flat_map(super::pods::Pod::containers) {
            let mut seen: BTreeMap<_, Vec<&Node>> = BTreeMap::new();
            for variable in container.env() {
                seen.entry(variable.name).or_default().push(variable.node);
            }
            for (name, entries) in seen.iter().filter(|(_, entries)| entries.len() > 1) {
                let message = format!(
                    "{}: {} sets {name} {}",
                    document.id(),
                    title(&container.name),
                    how_often(entries)
                );
                let places: Vec<Place> = entries
                    .iter()
                    .filter_map(|entry| {
                        let offset = document.offset_of(entry.mark);
                        let (_, span) = view.history?.spans(offset..offset + 1).next()?;
                        view.history?.place(span.frame, span.node)
                    })
                    .collect();
                let mut places = places.into_iter().rev();
                sink.tell(Hazard {
                    resource: Some(document.id().clone()),
                    field_path: Some(container.variable(name)),
                    place: places.next(),
                    related: places.map(|place| ("also set here".to_owned(), place)).collect(),
                    remedy: Some("set it once".to_owned()),
                    ..Hazard::new(&CHECK, message)
                });
            }
        }
    }
}

fn how_often(entries: &[&Node]) -> String {
    let count = match entries.len() {
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    };
    let source = |node: &Node| {
        let value = node.get("value").and_then(Node::string_field);
        (value, node.get("valueFrom").is_some())
    };
    let first = source(entries[0]);
    let is_same = !first.1 && entries.iter().all(|entry| source(entry) == first);
    match is_same {
        true => format!("{count}, to the same value"),
        false => format!("{count}; the last one wins"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, introduced};
    use super::*;

    fn pod(env: &str) -> Case {
        Case::chart(
            "extra: []\n",
            &format!(
                "apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  initContainers: [{{name: i, env: [{{name: A, value: x}}]}}]\n  \
                 containers:\n  - name: c\n    env:\n{env}"
            ),
        )
    }

    const ONE: &str = "    - name: A\n      value: one\n    - name: B\n      value: x\n";

    #[test]
    fn a_variable_set_twice_is_told_where_it_is_set_and_others_are_not() {
        let twice = format!("{ONE}    - name: A\n      value: two\n");
        let found = pod(&twice).hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(
            hazard.message,
            "v1/Pod/n/a: container c sets A twice; the last one wins"
        );
        let path = hazard.field_path.as_ref().map(ToString::to_string);
        assert_eq!(path.as_deref(), Some("spec.containers[name=c].env[name=A]"));
        assert!(hazard.place.is_some() && hazard.related.len() == 1, "{hazard:?}");
        assert_eq!(pod(ONE).hazards(&CHECK), []);
    }

    #[test]
    fn what_stood_before_is_not_new() {
        let twice = format!("{ONE}    - name: A\n      value: one\n");
        assert_eq!(introduced(&CHECK, pod(&twice), pod(&twice)), []);
        let found = introduced(&CHECK, pod(ONE), pod(&twice));
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert!(
            hazard.message.ends_with("twice, to the same value"),
            "{}",
            hazard.message
        );
    }
}
