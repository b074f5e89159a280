//! Differences between two lists.

use super::change::{Found, Op};
use crate::base::Step;
use crate::manifest::canon;
use crate::manifest::list_types::ListType;
use crate::manifest::scalar;
use crate::yaml::{Node, NodeKind};
use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp};
use std::sync::Arc;

/// The key that names the elements of a list in paths.
const NAME: &str = "name";

/// Fields by which elements of lists in order are shown beside each other where one run of them took the place of
/// another, the most telling first. Nothing but the eye depends on it: what is told is the position.
const TELLING_KEYS: &[&str] = &[
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

pub(super) fn differences(found: &mut Found<'_>, before: &Node, after: &Node) {
    let (old, new) = (before.items(), after.items());
    match (names(old, &[NAME]), names(new, &[NAME])) {
        (Some(a), Some(b)) if !(a.is_empty() && b.is_empty()) => keyed(found, old, new, NAME, &a, &b),
        _ => unnamed(found, before, after),
    }
}

/// Lists whose elements have no names: told as the API takes the list.
fn unnamed(found: &mut Found<'_>, before: &Node, after: &Node) {
    let (old, new) = (before.items(), after.items());
    let (a, b) = numbered(old, new);
    if a == b {
        return;
    }
    match found.list_type() {
        ListType::Keyed(keys) => {
            let first = &keys[..1];
            match (
                names(old, first),
                names(new, first),
                names(old, keys),
                names(new, keys),
            ) {
                (Some(a), Some(b), ..) => keyed(found, old, new, first[0], &a, &b),
                // No single field tells them apart, so that only the position can be told.
                (_, _, Some(a), Some(b)) => by_whole_key(found, before, after, &a, &b),
                _ => positional(found, before, after, &a, &b),
            }
        }
        ListType::Set if is_set(&a) && is_set(&b) => as_set(found, before, after, &a, &b),
        ListType::Set | ListType::Atomic | ListType::Unknown => positional(found, before, after, &a, &b),
    }
}

/// What the fields of a key say, for every element, when each has a key of its own.
fn names(items: &[Node], keys: &[&str]) -> Option<Vec<String>> {
    let name = |item: &Node, key: &str| match item.get(key) {
        // A name is a text: lists of other things may well have a number under this key.
        Some(value) if key == NAME => value.as_str().map(str::to_owned),
        Some(value) => scalar::text(value),
        None => (key == "protocol").then(|| "TCP".to_owned()),
    };
    let whole = |item: &Node| {
        let parts: Option<Vec<String>> = keys.iter().map(|key| name(item, key)).collect();
        parts.map(|parts| parts.join("\0"))
    };
    let names: Vec<String> = items.iter().map(whole).collect::<Option<_>>()?;
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1]).then_some(names)
}

fn places(names: &[String]) -> FxHashMap<&str, usize> {
    let numbered = names.iter().enumerate();
    numbered.map(|(at, name)| (name.as_str(), at)).collect()
}

/// The names that the other list has as well, in the order of this one.
fn kept<'l>(names: &'l [String], others: &FxHashMap<&str, usize>) -> Vec<&'l str> {
    let names = names.iter().map(String::as_str);
    names.filter(|name| others.contains_key(name)).collect()
}

/// Elements that one field tells apart.
fn keyed(found: &mut Found<'_>, old: &[Node], new: &[Node], key: &str, a: &[String], b: &[String]) {
    let element = |name: &str| Step::Element {
        key: key.to_owned(),
        value: name.to_owned(),
    };
    let (in_a, in_b) = (places(a), places(b));
    for (name, item) in a.iter().zip(old) {
        found.under(element(name), |found| match in_b.get(name.as_str()) {
            Some(at) => found.node(item, &new[*at]),
            None => found.push(Op::Remove, Some(item), None),
        });
    }
    for (name, item) in b.iter().zip(new) {
        if !in_a.contains_key(name.as_str()) {
            found.under(element(name), |found| found.push(Op::Add, None, Some(item)));
        }
    }
    let (order_a, order_b) = (kept(a, &in_b), kept(b, &in_a));
    if order_a != order_b {
        let list = |order: Vec<&str>| {
            let names = order
                .into_iter()
                .map(|name| Node::new(NodeKind::Str(Arc::from(name))));
            Node::new(NodeKind::List(names.collect()))
        };
        found.push(Op::Reorder, Some(&list(order_a)), Some(&list(order_b)));
    }
}

/// Elements that only several fields together tell apart.
fn by_whole_key(found: &mut Found<'_>, before: &Node, after: &Node, a: &[String], b: &[String]) {
    let (in_a, in_b) = (places(a), places(b));
    for (at, (name, item)) in a.iter().zip(before.items()).enumerate() {
        if !in_b.contains_key(name.as_str()) {
            found.under(Step::Index(at), |found| found.push(Op::Remove, Some(item), None));
        }
    }
    for (at, (name, item)) in b.iter().zip(after.items()).enumerate() {
        found.under(Step::Index(at), |found| match in_a.get(name.as_str()) {
            Some(old) => found.node(&before.items()[*old], item),
            None => found.push(Op::Add, None, Some(item)),
        });
    }
    if kept(a, &in_b) != kept(b, &in_a) {
        found.push(Op::Reorder, Some(before), Some(after));
    }
}

fn is_set(numbers: &[u32]) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1])
}

/// Elements come and go; none takes the place of another.
fn as_set(found: &mut Found<'_>, before: &Node, after: &Node, a: &[u32], b: &[u32]) {
    for (at, (number, item)) in a.iter().zip(before.items()).enumerate() {
        if !b.contains(number) {
            found.under(Step::Index(at), |found| found.push(Op::Remove, Some(item), None));
        }
    }
    for (at, (number, item)) in b.iter().zip(after.items()).enumerate() {
        if !a.contains(number) {
            found.under(Step::Index(at), |found| found.push(Op::Add, None, Some(item)));
        }
    }
    let common = |these: &[u32], others: &[u32]| -> Vec<u32> {
        these
            .iter()
            .copied()
            .filter(|number| others.contains(number))
            .collect()
    };
    if common(a, b) != common(b, a) {
        found.push(Op::Reorder, Some(before), Some(after));
    }
}

fn positional(found: &mut Found<'_>, before: &Node, after: &Node, a: &[u32], b: &[u32]) {
    let sorted = |list: &[u32]| {
        let mut list = list.to_vec();
        list.sort_unstable();
        list
    };
    if sorted(a) == sorted(b) {
        found.push(Op::Reorder, Some(before), Some(after));
        return;
    }
    for op in similar::capture_diff_slices(Algorithm::Myers, a, b) {
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
fn replaced(found: &mut Found<'_>, old: Vec<(usize, &Node)>, new: Vec<(usize, &Node)>) {
    let mut partner: Vec<Option<usize>> = vec![None; new.len()];
    let mut free: Vec<usize> = (0..old.len()).collect();
    for (at, (_, item)) in new.iter().enumerate() {
        let Some(key) = telling_key(item) else { continue };
        if let Some(place) = free
            .iter()
            .position(|place| telling_key(old[*place].1).as_ref() == Some(&key))
        {
            partner[at] = Some(free.remove(place));
        }
    }
    let alone = partner.iter().filter(|partner| partner.is_none()).count();
    let in_order = free.len() == alone;
    free.retain(|place| in_order || telling_key(old[*place].1).is_none());
    let mut free = free.into_iter();
    for (at, (_, item)) in new.iter().enumerate() {
        if partner[at].is_none() && (in_order || telling_key(item).is_none()) {
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

fn telling_key(item: &Node) -> Option<(&'static str, String)> {
    TELLING_KEYS
        .iter()
        .find_map(|key| Some((*key, scalar::text(item.get(key)?)?)))
}
