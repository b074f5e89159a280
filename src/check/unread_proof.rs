//! The proof that nothing reads a key: the release rendered once more without it gives the same bytes.

use super::{ChartView, Hazard};
use crate::base::Step;
use crate::engine::{RenderJob, SetFlag, ValuesInput};
use crate::layers::written::{Author, WrittenLayer};
use crate::yaml::{Entry, Node, NodeKind};
use std::sync::Arc;

/// True when the output is the same without the hazard's key; false as well when the key cannot be taken out.
pub(super) fn confirm(view: &ChartView<'_>, hazard: &Hazard) -> bool {
    let Some(path) = &hazard.value_path else {
        return false;
    };
    let Some(job) = without(view, &path.0) else {
        return false;
    };
    let (Some(before), Ok(after)) = (view.plain_output(), (view.again)(&job)) else {
        return false;
    };
    **before == *after.output
}

/// The job without a key; `None` when no layer holds it, or one that cannot be changed does.
fn without(view: &ChartView<'_>, path: &[Step]) -> Option<RenderJob> {
    let layers = view.written().layers.iter().filter(|layer| layer.is_users());
    let (mut values, mut set) = (Vec::new(), view.job.set.clone());
    let mut inputs = view.job.values.iter();
    let mut is_changed = false;
    for layer in layers {
        match layer.author {
            Author::File | Author::Inline => {
                let input = inputs.next()?;
                if layer.documents.iter().any(|document| holds(&document.node, path)) {
                    is_changed = true;
                    values.extend(layer.documents.iter().map(|document| ValuesInput::Inline {
                        node: removed(&document.node, path),
                        file: layer.file.clone(),
                    }));
                } else {
                    values.push(input.clone());
                }
            }
            Author::Set(kind) => {
                if layer.documents.iter().any(|document| holds(&document.node, path)) {
                    return None;
                }
                let hit = layer
                    .edits
                    .iter()
                    .any(|edit| edit.path.starts_with(path) || path.starts_with(&edit.path));
                let Some((text, place)) = layer.expression.as_ref().filter(|_| hit) else {
                    continue;
                };
                let is_it =
                    |flag: &SetFlag| flag.kind == kind && *flag.expression == **text && flag.place == *place;
                let at = set.iter().position(is_it)?;
                is_changed = true;
                match shortened(layer, text, path)? {
                    rest if rest.is_empty() => {
                        set.remove(at);
                    }
                    rest => set[at].expression = rest,
                }
            }
            Author::Chart => {}
        }
    }
    is_changed.then(|| RenderJob {
        values,
        set,
        traced: false,
        ..view.job.clone()
    })
}

/// The expression without the parts that write to a path; `None` when a part writes more than that.
fn shortened(layer: &WrittenLayer, text: &str, path: &[Step]) -> Option<String> {
    let mut starts = Vec::new();
    let mut before = 0;
    for edit in &layer.edits {
        let head = text.get(before..edit.offset)?;
        let comma = head
            .char_indices()
            .rev()
            .find(|&(at, c)| c == ',' && !head[..at].ends_with('\\'));
        starts.push(match (comma, before) {
            (Some((at, _)), _) => before + at + 1,
            (None, 0) => 0,
            (None, _) => return None,
        });
        before = edit.offset;
    }
    let mut kept = Vec::new();
    for (at, edit) in layer.edits.iter().enumerate() {
        if edit.path.starts_with(path) {
            continue;
        }
        if path.starts_with(&edit.path) {
            return None;
        }
        let end = starts.get(at + 1).map_or(text.len(), |next| next - 1);
        kept.push(text.get(starts[at]..end)?);
    }
    Some(kept.join(","))
}

fn holds(node: &Node, path: &[Step]) -> bool {
    match path.split_first() {
        None => true,
        Some((Step::Key(key), rest)) => node.get(key).is_some_and(|below| holds(below, rest)),
        Some((Step::Index(at), rest)) => node.items().get(*at).is_some_and(|below| holds(below, rest)),
        Some((Step::Element { .. }, _)) => false,
    }
}

/// The data without what stands at a path.
fn removed(node: &Node, path: &[Step]) -> Node {
    let Some((step, rest)) = path.split_first() else {
        return node.clone();
    };
    let kind = match (&node.kind, step) {
        (NodeKind::Map(entries), Step::Key(key)) => {
            let kept = entries
                .iter()
                .filter(|entry| !rest.is_empty() || *entry.key != **key);
            let changed = kept.map(|entry| Entry {
                value: if *entry.key == **key {
                    removed(&entry.value, rest)
                } else {
                    entry.value.clone()
                },
                ..entry.clone()
            });
            NodeKind::Map(changed.collect::<Vec<_>>().into())
        }
        (NodeKind::List(items), Step::Index(position)) => {
            let kept = items
                .iter()
                .enumerate()
                .filter(|(at, _)| !rest.is_empty() || at != position);
            let changed = kept.map(|(at, item)| match at == *position {
                true => removed(item, rest),
                false => item.clone(),
            });
            NodeKind::List(Arc::from(changed.collect::<Vec<_>>()))
        }
        _ => return node.clone(),
    };
    Node {
        kind,
        mark: node.mark,
    }
}
