//! Differences between two lists.

use super::change::{Found, Op};
use crate::base::Step;
use crate::manifest::canon;
use crate::manifest::scalar;
use crate::yaml::{Node, NodeKind};
use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp};
use std::sync::Arc;

/// The key that names the elements of a list in paths.
const NAME: &str = "name";

/// Fields by which elements without names are taken for the same element, the most telling first.
const MERGE_KEYS: &[&str] = &[
    "key",
    "id",
    "containerPort",
    "port",
    "mountPath",
    "devicePath",
    "topologyKey",
    "ip",
    "host",
    "path",
    "type",
    "kind",
    "name",
];

pub(super) fn differences(found: &mut Found, before: &Node, after: &Node) {
    match (names(before.items()), names(after.items())) {
        (Some(a), Some(b)) if !(a.is_empty() && b.is_empty()) => named(found, before, after, &a, &b),
        _ => positional(found, before, after),
    }
}

/// The names of the elements, when each has one of its own.
fn names(items: &[Node]) -> Option<Vec<&str>> {
    let names: Vec<&str> = items
        .iter()
        .map(|item| item.get(NAME).and_then(Node::as_str))
        .collect::<Option<_>>()?;
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1]).then_some(names)
}

fn element(name: &str) -> Step {
    Step::Element {
        key: NAME.to_owned(),
        value: name.to_owned(),
    }
}

fn named(found: &mut Found, before: &Node, after: &Node, a: &[&str], b: &[&str]) {
    let places = |names: &[&str]| -> FxHashMap<String, usize> {
        let numbered = names.iter().enumerate();
        numbered.map(|(at, name)| ((*name).to_owned(), at)).collect()
    };
    let (in_a, in_b) = (places(a), places(b));
    for (name, item) in a.iter().zip(before.items()) {
        found.under(element(name), |found| match in_b.get(*name) {
            Some(at) => found.node(item, &after.items()[*at]),
            None => found.push(Op::Remove, Some(item), None),
        });
    }
    for (name, item) in b.iter().zip(after.items()) {
        if !in_a.contains_key(*name) {
            found.under(element(name), |found| found.push(Op::Add, None, Some(item)));
        }
    }
    let common = |names: &[&str], other: &FxHashMap<String, usize>| -> Vec<String> {
        let kept = names.iter().filter(|name| other.contains_key(**name));
        kept.map(|name| (*name).to_owned()).collect()
    };
    let (order_a, order_b) = (common(a, &in_b), common(b, &in_a));
    if order_a != order_b {
        let list = |order: Vec<String>| {
            let names = order
                .into_iter()
                .map(|name| Node::new(NodeKind::Str(Arc::from(name))));
            Node::new(NodeKind::List(names.collect()))
        };
        found.push(Op::Reorder, Some(&list(order_a)), Some(&list(order_b)));
    }
}

fn positional(found: &mut Found, before: &Node, after: &Node) {
    let (a, b) = numbered(before.items(), after.items());
    if a == b {
        return;
    }
    let sorted = |list: &[u32]| {
        let mut list = list.to_vec();
        list.sort_unstable();
        list
    };
    if sorted(&a) == sorted(&b) {
        found.push(Op::Reorder, Some(before), Some(after));
        return;
    }
    for op in similar::capture_diff_slices(Algorithm::Myers, &a, &b) {
        let (old, new) = (op.old_range(), op.new_range());
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                let old: Vec<(usize, &Node)> = old.map(|at| (at, &before.items()[at])).collect();
                let new: Vec<(usize, &Node)> = new.map(|at| (at, &after.items()[at])).collect();
                replaced(found, old, new);
            }
        }
    }
}

/// A number for every element; the same number for the same data.
fn numbered(a: &[Node], b: &[Node]) -> (Vec<u32>, Vec<u32>) {
    let mut seen: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
    let mut number = |item: &Node| {
        let next = u32::try_from(seen.len()).unwrap_or(u32::MAX);
        *seen.entry(canon::encoded(item)).or_insert(next)
    };
    let first = a.iter().map(&mut number).collect();
    (first, b.iter().map(&mut number).collect())
}

/// Tells elements that took the place of others: pairs those that share a key, then those that stand in the
/// same order, and the rest came or went.
fn replaced(found: &mut Found, old: Vec<(usize, &Node)>, new: Vec<(usize, &Node)>) {
    let mut partner: Vec<Option<usize>> = vec![None; new.len()];
    let mut free: Vec<usize> = (0..old.len()).collect();
    for (at, (_, item)) in new.iter().enumerate() {
        let Some(key) = merge_key(item) else { continue };
        if let Some(place) = free
            .iter()
            .position(|place| merge_key(old[*place].1).as_ref() == Some(&key))
        {
            partner[at] = Some(free.remove(place));
        }
    }
    let alone = partner.iter().filter(|partner| partner.is_none()).count();
    let in_order = free.len() == alone;
    free.retain(|place| in_order || merge_key(old[*place].1).is_none());
    let mut free = free.into_iter();
    for (at, (_, item)) in new.iter().enumerate() {
        if partner[at].is_none() && (in_order || merge_key(item).is_none()) {
            partner[at] = free.next();
        }
    }
    for (place, (index, item)) in old.iter().enumerate() {
        if !partner.contains(&Some(place)) {
            found.under(Step::Index(*index), |found| {
                found.push(Op::Remove, Some(item), None)
            });
        }
    }
    for ((index, item), partner) in new.iter().zip(partner) {
        found.under(Step::Index(*index), |found| match partner {
            Some(place) => found.node(old[place].1, item),
            None => found.push(Op::Add, None, Some(item)),
        });
    }
}

fn merge_key(item: &Node) -> Option<(&'static str, String)> {
    MERGE_KEYS
        .iter()
        .find_map(|key| Some((*key, scalar::text(item.get(key)?)?)))
}
