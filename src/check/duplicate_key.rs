//! `duplicate-key`: a mapping of a values file has a key twice.

use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::{KeyPath, Level, Step};
use crate::layers::written::{WrittenLayer, path_of};
use crate::yaml::{Mark, Node, OddityKind};

/// The check.
pub static CHECK: Check = Check {
    name: "duplicate-key",
    level: Level::Deny,
    audit_only: false,
    explain: "A key stands twice in one mapping of a values file. Helm's reader takes the last and forgets the first, \
with all that was below it; other readers (editors, linters, GitOps controllers, later versions of Helm) refuse the \
file.\n\n\
\x20   service:\n\
\x20     port: 80\n\
\x20   ...\n\
\x20   service:            # the port above is gone\n\
\x20     type: NodePort\n\n\
It comes from merges and from long files. The finding names both places. Join the two.",
    pass: Pass::Layers(run),
};

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    for layer in &view.written().layers {
        for document in &layer.documents {
            for oddity in &document.oddities {
                if let OddityKind::DuplicateKey { key, first } = &oddity.kind {
                    tell(view, layer, &document.node, (key, *first, oddity.mark), sink);
                }
            }
        }
    }
}

fn tell(
    view: &ChartView<'_>,
    layer: &WrittenLayer,
    root: &Node,
    (key, first, last): (&str, Mark, Mark),
    sink: &mut Sink,
) {
    let path = path_at(root, last, path_of(&layer.prefix));
    let shown = path.as_ref().map_or_else(|| key.to_owned(), ToString::to_string);
    let is_default_in_audit = view.is_audit && !layer.is_users();
    let message = format!(
        "{} has {shown} twice; what line {} says is forgotten",
        layer.file, first.line
    );
    sink.tell(Hazard {
        level: if is_default_in_audit {
            Level::Warn
        } else {
            Level::Deny
        },
        value_path: path,
        object: key.to_owned(),
        place: Some(layer.place(last)),
        related: vec![("the key that is forgotten".to_owned(), layer.place(first))],
        remedy: Some("join the two".to_owned()),
        ..Hazard::new(&CHECK, message)
    });
}

/// The path of the entry whose key stands at a mark.
fn path_at(node: &Node, mark: Mark, path: KeyPath) -> Option<KeyPath> {
    for entry in node.entries() {
        let below = path.key(&*entry.key);
        if entry.mark == mark {
            return Some(below);
        }
        if let Some(found) = path_at(&entry.value, mark, below) {
            return Some(found);
        }
    }
    let items = node.items().iter().enumerate();
    items
        .into_iter()
        .find_map(|(position, item)| path_at(item, mark, path.join(Step::Index(position))))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;
    use crate::dialect::Dialect;

    fn told(defaults: &str, values: &str) -> Vec<(String, String, String)> {
        let case = Case::chart(defaults, "a: b\n").values("v.yaml", values);
        let told = |hazard: Hazard| {
            let place = hazard.place.expect("a place").to_string();
            let first = hazard.related[0].1.to_string();
            (hazard.value_path.expect("a path").to_string(), first, place)
        };
        case.hazards(&CHECK).into_iter().map(told).collect()
    }

    #[test]
    fn both_places_are_told_in_any_style_and_document() {
        let one =
            |path: &str, first: &str, last: &str| [(path.to_owned(), first.to_owned(), last.to_owned())];
        let block = "a:\n  b: 1\n  c: 2\n  b: 3\n";
        assert_eq!(told("", block), one("a.b", "v.yaml:2:3", "v.yaml:4:3"));
        assert_eq!(
            told("", "l: [{x: 1, x: 2}]\n"),
            one("l[0].x", "v.yaml:1:6", "v.yaml:1:12")
        );
        assert_eq!(
            told("", "z: 1\n---\na: 1\na: 2\n"),
            one("a", "v.yaml:3:1", "v.yaml:4:1")
        );
        assert_eq!(
            told("a: 1\na: 2\n", ""),
            one("a", "app/values.yaml:1:1", "app/values.yaml:2:1")
        );
        let case = Case::chart("", "a: b\n").values("v.yaml", "a: 1\n---\na: 1\na: 2\n");
        assert_eq!(case.dialect(Dialect::V3_19).hazards(&CHECK), []);
    }

    #[test]
    fn one_key_in_two_maps_or_layers_is_fine() {
        assert_eq!(told("a: 1\n", "a: 2\nb: {a: 1}\nc: {a: 1}\n"), []);
        let merged = "x: &x {k: 1}\ny: {<<: *x, k: 2}\n";
        assert_eq!(told("", merged), []);
    }
}
