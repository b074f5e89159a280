//! `secret-changed`: which keys of a Secret change.

use super::{CellView, Check, Hazard, Pass, Sink};
use crate::base::{KeyPath, Level, Step};
use crate::compare::{Change, Op, Verdict};
use crate::yaml::Node;
use std::collections::BTreeMap;

/// The check.
pub static CHECK: Check = Check {
    name: "secret-changed",
    level: Level::Info,
    audit_only: false,
    explain: "The data of a Secret change. The finding names the keys; the values appear nowhere. What reads them as \
environment variables keeps the old ones until its pods restart; what mounts them sees new files after a while.\n\n\
Values that only chance wrote are not told.",
    pass: Pass::Comparison(run),
};

fn run(view: &CellView<'_>, sink: &mut Sink) {
    let secrets = view.comparison.documents.iter().filter(|document| {
        document.verdict == Verdict::Changed && &*document.id.kind == "Secret" && document.id.group.is_empty()
    });
    for document in secrets {
        let keys = keys(&document.changes);
        if keys.is_empty() {
            continue;
        }
        let word = |(key, op): (&String, &Op)| match op {
            Op::Add => format!("{key} is new"),
            Op::Remove => format!("{key} is gone"),
            _ => format!("{key} has another value"),
        };
        let words: Vec<String> = keys.iter().map(word).collect();
        let names: Vec<&str> = keys.keys().map(String::as_str).collect();
        let gone = keys.iter().filter(|(_, op)| **op == Op::Remove);
        sink.tell(Hazard {
            resource: Some(document.id.clone()),
            field_path: Some(KeyPath::root().key("data")),
            lost: gone.map(|(key, _)| key.clone()).collect(),
            object: names.join(" "),
            ..Hazard::new(&CHECK, format!("{}: {}", document.id, words.join(", ")))
        });
    }
}

/// What happened to each key. One that leaves `data` and comes to `stringData` is written anew, and not gone.
fn keys(changes: &[Change]) -> BTreeMap<String, Op> {
    let mut found = BTreeMap::new();
    for (key, op) in changes.iter().flat_map(keys_of) {
        let op = match op {
            Op::Add | Op::Remove => op,
            _ => Op::Replace,
        };
        let known = found.entry(key).or_insert(op);
        if *known != op {
            *known = Op::Replace;
        }
    }
    found
}

/// The keys of the Secret that a change is about: where all of `data` comes or goes, all that it has.
fn keys_of(change: &Change) -> Vec<(String, Op)> {
    match &change.path.0[..] {
        [Step::Key(part), Step::Key(key), ..] if is_data(part) => vec![(key.clone(), change.op)],
        [Step::Key(part)] if is_data(part) => {
            let of = |node: &Option<Node>, op: Op| -> Vec<(String, Op)> {
                let entries = node.as_ref().map(Node::entries).unwrap_or_default();
                entries.iter().map(|entry| (entry.key.to_string(), op)).collect()
            };
            let mut keys = of(&change.before, Op::Remove);
            keys.extend(of(&change.after, Op::Add));
            keys
        }
        _ => Vec::new(),
    }
}

fn is_data(part: &str) -> bool {
    part == "data" || part == "stringData"
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, compared};
    use super::*;

    fn secret(rest: &str) -> Case {
        Case::chart(
            "",
            &format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: a, labels: {{l: x}}}}\n{rest}\n"),
        )
    }

    #[test]
    fn keys_are_named_and_values_are_not() {
        let before = secret("stringData: {old: CANARY-1, same: CANARY-2, user: CANARY-3}");
        let after = secret("stringData: {new: CANARY-4, same: CANARY-2, user: CANARY-5}");
        let found = compared(&CHECK, before, after);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(
            hazard.message,
            "v1/Secret/n/a: new is new, old is gone, user has another value"
        );
        assert!(!format!("{hazard:?}").contains("CANARY"));
    }

    #[test]
    fn a_key_that_is_written_in_another_part_is_not_gone() {
        let found = compared(
            &CHECK,
            secret("data: {a: eA==, b: eA==}"),
            secret("stringData: {a: x}"),
        );
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(hazard.message, "v1/Secret/n/a: a has another value, b is gone");
        assert_eq!(hazard.lost, ["b"]);
    }

    #[test]
    fn a_label_of_a_secret_is_not_told() {
        let other = Case::chart(
            "",
            "apiVersion: v1\nkind: Secret\nmetadata: {name: a, labels: {l: y}}\ndata: {a: eA==}\n",
        );
        assert_eq!(compared(&CHECK, secret("data: {a: eA==}"), other), []);
    }
}
