//! `list-reordered`: the same elements in another order.

use super::{CellView, Check, Hazard, Pass, Sink};
use crate::base::Level;
use crate::compare::Op;
use crate::manifest::list_types::{ListType, list_type};

/// The check.
pub static CHECK: Check = Check {
    name: "list-reordered",
    level: Level::Info,
    audit_only: false,
    explain: "A list has the elements that it had, in another order, in a place where Kubernetes keeps the order: \
env, args, volumes, containers. Nothing else differs there. The finding says what the API makes of the list: merged by a \
key, a set, or one value in order; what a custom resource makes of an order is not known.\n\n\
In a pod template that is enough to restart the pods once, for the text of the template is what the controller compares. \
What the containers see is the same, unless a variable refers to another one by $(NAME): that is another finding.\n\n\
Put the elements back in their old order where the restart is not wanted.",
    pass: Pass::Comparison(run),
};

fn run(view: &CellView<'_>, sink: &mut Sink) {
    for document in &view.comparison.documents {
        for change in document.changes.iter().filter(|change| change.op == Op::Reorder) {
            let id = &document.id;
            let list = match list_type(&id.group, &id.kind, &change.path.0) {
                ListType::Keyed(keys) => format!("; Kubernetes merges it by {}", keys.join(" and ")),
                ListType::Set => "; to Kubernetes it is a set".to_owned(),
                ListType::Atomic => String::new(),
                ListType::Unknown => format!(
                    "; what the order means to a {} is not known, so it counts",
                    id.kind
                ),
            };
            let message = format!(
                "{id}: {} has the same elements in another order{list}",
                change.path
            );
            sink.tell(Hazard {
                resource: Some(document.id.clone()),
                field_path: Some(change.path.clone()),
                ..Hazard::new(&CHECK, message)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, compared};
    use super::*;

    fn pod(args: &str) -> Case {
        Case::chart(
            "",
            &format!(
                "apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec: {{containers: [{{name: c, args: {args}}}]}}\n"
            ),
        )
    }

    #[test]
    fn another_order_is_told_and_another_element_is_not() {
        let found = compared(&CHECK, pod("[x, z]"), pod("[z, x]"));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].level, Level::Info);
        assert_eq!(compared(&CHECK, pod("[x, z]"), pod("[x, w]")), []);
    }

    #[test]
    fn what_the_api_makes_of_the_list_is_said() {
        let told = |head: &str, before: &str, after: &str| {
            let object = |list: &str| Case::chart("", &format!("{head}: [{list}]}}\n"));
            let found = compared(&CHECK, object(before), object(after));
            found.into_iter().map(|hazard| hazard.message).collect::<Vec<_>>()
        };
        let finalizers = "apiVersion: v1\nkind: Service\nmetadata: {name: a, finalizers";
        assert!(told(finalizers, "a/b, c/d", "c/d, a/b")[0].ends_with("it is a set"));
        let widget = "apiVersion: x.io/v1\nkind: Widget\nmetadata: {name: a}\nspec: {list";
        assert!(told(widget, "1, 2", "2, 1")[0].contains("means to a Widget is not known"));
        let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {volumes";
        assert!(told(pod, "{name: v}, {name: w}", "{name: w}, {name: v}")[0].ends_with("merges it by name"));
    }
}
