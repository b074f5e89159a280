//! `env-order`: a `$(NAME)` that is filled in no longer.

use super::pods::title;
use super::same_container::pairs;
use super::variables::{Entry, Known, Variables};
use super::{Check, Hazard, Pass, PlatformView, Sink};
use crate::base::{Level, Side, Sides};

/// The check.
pub static CHECK: Check = Check {
    name: "env-order",
    level: Level::Deny,
    audit_only: false,
    explain: "The value of an environment variable refers to another one by $(NAME). Kubernetes fills in what is defined \
before it: what envFrom takes in, and earlier entries of env. A name that comes later, or not at all, stays in the \
value as it is written, and the application gets the text `$(NAME)`: no error, no event.\n\n\
Common causes: the list was sorted, a chart builds it from a map (whose keys Go sorts), an overlay puts the extra \
variables first.\n\n\
Put the variable that is referred to before the one that refers to it. `$$(NAME)` is meant as it is written, and is left \
alone.",
    pass: Pass::Platform(run),
};

fn run(view: &PlatformView<'_>, sink: &mut Sink) {
    let pairs = pairs(view);
    if pairs.is_empty() {
        return;
    }
    let known = Sides::new(Known::of(view, Side::Baseline), Known::of(view, Side::Candidate));
    for pair in &pairs {
        let of = |side: Side| {
            Variables::of(
                pair.containers.get(side),
                pair.namespaces.get(side),
                known.get(side),
            )
        };
        let (before, after) = (of(Side::Baseline), of(Side::Candidate));
        for entry in &after.entries {
            let broken = broken(&before, &after, entry);
            if broken.is_empty() {
                continue;
            }
            let container = &pair.containers.candidate;
            let message = format!(
                "{}: in {}, {} refers to {}: Kubernetes leaves {} in the value",
                pair.document.id,
                title(&container.name),
                entry.name,
                words(&broken),
                listed(broken.iter().map(|broken| format!("$({})", broken.name))),
            );
            sink.tell(Hazard {
                release: Some(pair.cell.release.to_owned()),
                resource: Some(pair.document.id.clone()),
                field_path: Some(container.variable(&entry.name).key("value")),
                remedy: Some("define a variable before the one that refers to it".to_owned()),
                ..Hazard::new(&CHECK, message)
            });
        }
    }
}

/// A name that is filled in no longer.
struct Broken<'a> {
    name: &'a str,
    comes_later: bool,
}

fn broken<'a>(before: &Variables, after: &Variables, entry: &'a Entry) -> Vec<Broken<'a>> {
    let old = before.entry(&entry.name);
    let referred = |name: &String| old.is_some_and(|old| old.refers.contains(name));
    let was_filled_in = |name: &String| old.is_some_and(|old| referred(name) && before.fills_in(old, name));
    let broken = |name: &'a String| {
        let comes_later = after.entry(name).is_some() && **name != *entry.name;
        // What is not defined anywhere may be text for a shell, or come from an object that is not rendered.
        let is_new = comes_later && !referred(name);
        let is_lost = was_filled_in(name) && (comes_later || after.unknown.is_empty());
        (!after.fills_in(entry, name) && (is_new || is_lost)).then_some(Broken { name, comes_later })
    };
    entry.refers.iter().filter_map(broken).collect()
}

fn words(broken: &[Broken<'_>]) -> String {
    let (later, gone): (Vec<_>, Vec<_>) = broken.iter().partition(|broken| broken.comes_later);
    let told = |names: &[&Broken<'_>], one: &str, many: &str| {
        let which = if names.len() == 1 { one } else { many };
        let names = listed(names.iter().map(|broken| broken.name.to_owned()));
        (!names.is_empty()).then(|| format!("{names}, which {which}"))
    };
    let later = told(&later, "comes after it", "come after it");
    let gone = told(&gone, "is defined no longer", "are defined no longer");
    listed(later.into_iter().chain(gone))
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: impl Iterator<Item = String>) -> String {
    let mut names: Vec<String> = names.collect();
    match names.pop() {
        Some(last) if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        last => last.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::on_platform;
    use super::*;

    fn pod(env: &[&str]) -> String {
        let entries: String = env
            .iter()
            .map(|entry| {
                let (name, value) = entry.split_once('=').expect("name=value");
                format!("    - {{name: {name}, value: '{value}'}}\n")
            })
            .collect();
        format!(
            "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  containers:\n  - name: c\n    env:\n{entries}"
        )
    }

    fn found(before: &str, after: &str) -> Vec<String> {
        let found = on_platform(&CHECK, &[("r", before, after)]);
        found.into_iter().map(|hazard| hazard.message).collect()
    }

    #[test]
    fn a_name_that_comes_later_now_is_told() {
        let before = pod(&["HOST=h", "PORT=1", "DSN=$(HOST):$(PORT)"]);
        assert_eq!(
            found(&before, &pod(&["DSN=$(HOST):$(PORT)", "HOST=h", "PORT=1"])),
            [
                "v1/Pod/n/a: in container c, DSN refers to HOST and PORT, which come after it: Kubernetes leaves $(HOST) and \
                 $(PORT) in the value"
            ]
        );
        let gone = found(&before, &pod(&["HOST=h", "DSN=$(HOST):$(PORT)"]));
        assert!(gone[0].contains("PORT, which is defined no longer"), "{gone:?}");
        let new = found(&pod(&["HOST=h"]), &pod(&["DSN=$(HOST)", "HOST=h"]));
        assert_eq!(new.len(), 1);
    }

    #[test]
    fn escapes_foreign_names_and_what_never_worked_are_silent() {
        assert_eq!(
            found(&pod(&["A=x", "B=$$(A)"]), &pod(&["B=$$(A)", "A=x"])),
            [""; 0]
        );
        assert_eq!(found(&pod(&["A=x", "B=y"]), &pod(&["B=y", "A=x"])), [""; 0]);
        assert_eq!(found(&pod(&["B=$(A)", "A=x"]), &pod(&["B=$(A)", "A=y"])), [""; 0]);
        assert_eq!(found(&pod(&["A=x"]), &pod(&["A=x", "B=$(date)"])), [""; 0]);
        assert_eq!(
            found(&pod(&["A=x", "B=$(A)"]), &pod(&["C=z", "A=x", "B=$(A)"])),
            [""; 0]
        );
    }

    #[test]
    fn what_env_from_takes_in_is_there_first() {
        let config = |key: &str| {
            format!("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: m}}\ndata: {{{key}: x}}\n")
        };
        let from = |env: &[&str], map: &str| {
            pod(env) + &format!("    envFrom: [{{configMapRef: {{name: {map}}}}}]\n")
        };
        let before = pod(&["HOST=h", "DSN=$(HOST)"]);
        assert_eq!(
            found(&before, &(from(&["DSN=$(HOST)"], "m") + &config("HOST"))),
            [""; 0]
        );
        assert_eq!(
            found(&before, &(from(&["DSN=$(HOST)"], "m") + &config("OTHER"))).len(),
            1
        );
        assert_eq!(found(&before, &from(&["DSN=$(HOST)"], "outside")), [""; 0]);
    }
}
