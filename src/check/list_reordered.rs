//! `list-reordered`: the same elements in another order.

use super::{CellView, Check, Hazard, Pass, Sink};
use crate::base::Level;
use crate::compare::Op;

/// The check.
pub static CHECK: Check = Check {
    name: "list-reordered",
    level: Level::Info,
    audit_only: false,
    explain: "A list has the elements that it had, in another order, in a place where Kubernetes keeps the order: \
env, args, volumes, containers. Nothing else differs there.\n\n\
In a pod template that is enough to restart the pods once, for the text of the template is what the controller compares. \
What the containers see is the same, unless a variable refers to another one by $(NAME): that is another finding.\n\n\
Put the elements back in their old order where the restart is not wanted.",
    pass: Pass::Comparison(run),
};

fn run(view: &CellView<'_>, sink: &mut Sink) {
    for document in &view.comparison.documents {
        for change in document.changes.iter().filter(|change| change.op == Op::Reorder) {
            let message = format!(
                "{}: {} has the same elements in another order",
                document.id, change.path
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
}
