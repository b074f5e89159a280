//! `secret-changed`: which keys of a Secret change.

use super::{CellView, Check, Hazard, Pass, Sink};
use crate::base::{KeyPath, Level, Step};
use crate::compare::{Change, Op, Verdict};

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
        let mut keys = Vec::new();
        for change in &document.changes {
            if let Some(key) = key_of(change) {
                let what = match change.op {
                    Op::Add => format!("{key} is new"),
                    Op::Remove => format!("{key} is gone"),
                    _ => format!("{key} has another value"),
                };
                keys.push((key, what));
            }
        }
        keys.sort();
        keys.dedup();
        if keys.is_empty() {
            continue;
        }
        let (names, words): (Vec<_>, Vec<_>) = keys.into_iter().unzip();
        sink.tell(Hazard {
            resource: Some(document.id.clone()),
            field_path: Some(KeyPath::root().key("data")),
            object: names.join(" "),
            ..Hazard::new(&CHECK, format!("{}: {}", document.id, words.join(", ")))
        });
    }
}

/// The key of the Secret that a change is about; `data` and `stringData` whole count as all their keys.
fn key_of(change: &Change) -> Option<String> {
    match &change.path.0[..] {
        [Step::Key(part), Step::Key(key), ..] if part == "data" || part == "stringData" => Some(key.clone()),
        [Step::Key(part)] if part == "data" || part == "stringData" => Some(format!("all of {part}")),
        _ => None,
    }
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
    fn a_label_of_a_secret_is_not_told() {
        let other = Case::chart(
            "",
            "apiVersion: v1\nkind: Secret\nmetadata: {name: a, labels: {l: y}}\ndata: {a: eA==}\n",
        );
        assert_eq!(compared(&CHECK, secret("data: {a: eA==}"), other), []);
    }
}
