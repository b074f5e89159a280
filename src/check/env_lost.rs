//! `env-lost`: variables that a container had and has no longer.

use super::leaving::{Bereft, bereft, losses};
use super::pods::{Variable, title};
use super::reads::{ContainerName, Via};
use super::same_container::{Pair, pairs};
use super::variables::{Known, Variables};
use super::{Check, Hazard, Pass, PlatformView, Sink};
use crate::base::{KeyPath, Level, Side, Sides};
use crate::compare::Verdict;
use crate::manifest::canon::encoded;
use crate::yaml::Node;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The check.
pub static CHECK: Check = Check {
    name: "env-lost",
    level: Level::Deny,
    audit_only: false,
    explain: "A container that both sides have loses environment variables: entries of env, or keys of a ConfigMap or \
Secret that it takes in by envFrom. The pod starts and is healthy; the application falls back to a default, such as a \
database file inside the container.\n\n\
Usual causes: an overlay brings its own list of variables, which replaces the whole list of the layer below; a variable \
was renamed on one side only; a switch turned off.\n\n\
Variables that move between env and envFrom are not lost. Where one may come from an object that is not part of the \
render, that is said, and it is only warned of.\n\n\
Put the variables back; where they are meant to go, accept the difference.",
    pass: Pass::Platform(run),
};

fn run(view: &PlatformView<'_>, sink: &mut Sink) {
    let pairs = pairs(view);
    let losses = losses(view);
    if pairs.is_empty() && losses.is_empty() {
        return;
    }
    let known = Sides::new(Known::of(view, Side::Baseline), Known::of(view, Side::Candidate));
    for pair in &pairs {
        from_the_container(pair, &known, sink);
    }
    for bereft in bereft(view, &losses) {
        if !bereft.loss.is_whole && is_the_same(bereft.verdict) {
            from_an_object(&bereft, &known.candidate, sink);
        }
    }
}

/// True where the document of the pod itself did not change, so that no pair tells of it.
fn is_the_same(verdict: Verdict) -> bool {
    verdict <= Verdict::Moved && verdict != Verdict::Accepted
}

/// What a container of a document that differs loses.
fn from_the_container(pair: &Pair<'_>, known: &Sides<Known<'_>>, sink: &mut Sink) {
    let of = |side: Side| {
        Variables::of(
            pair.containers.get(side),
            pair.namespaces.get(side),
            known.get(side),
        )
    };
    let (before, after) = (of(Side::Baseline), of(Side::Candidate));
    let there: BTreeSet<&Arc<str>> = after.names().into_iter().collect();
    // What only came by an object that is still taken in, and no longer there itself, is that object's story.
    let is_elsewhere = |name: &Arc<str>| before.entry(name).is_none() && !after.unknown.is_empty();
    let lost: Vec<String> = before
        .names()
        .into_iter()
        .filter(|name| !there.contains(name) && !is_elsewhere(name))
        .map(ToString::to_string)
        .collect();
    if lost.is_empty() {
        return;
    }
    let container = &pair.containers.candidate;
    let renamed = renamed(pair, &lost);
    let named = lost.iter().zip(&renamed).map(|(name, now)| match now {
        Some(now) => format!("{name} (its value is in {now} now)"),
        None => name.clone(),
    });
    let named: Vec<String> = named.collect();
    let mut message = format!(
        "{}: {} loses {}",
        pair.document.id,
        title(&container.name),
        named.join(", ")
    );
    let outside: Vec<String> = after
        .unknown
        .difference(&before.unknown)
        .map(ToString::to_string)
        .collect();
    if !outside.is_empty() {
        message = format!("{message}, unless {} has it", outside.join(", "));
    }
    sink.tell(Hazard {
        level: if outside.is_empty() {
            CHECK.level
        } else {
            Level::Warn
        },
        release: Some(pair.cell.release.to_owned()),
        resource: Some(pair.document.id.clone()),
        field_path: Some(container.path.key("env")),
        lost,
        remedy: Some("put the variables back where they are still wanted".to_owned()),
        ..Hazard::new(&CHECK, message)
    });
}

/// For each variable that is lost, the one new entry that has its value: it was renamed.
fn renamed(pair: &Pair<'_>, lost: &[String]) -> Vec<Option<Arc<str>>> {
    let (before, after) = (pair.containers.baseline.env(), pair.containers.candidate.env());
    let told = |node: &Node| ["value", "valueFrom"].map(|key| node.get(key).map(encoded));
    let is_new = |entry: &&Variable<'_>| before.iter().all(|old| old.name != entry.name);
    let new: Vec<&Variable<'_>> = after.iter().filter(is_new).collect();
    let now = |name: &String| {
        let value = told(before.iter().find(|old| *old.name == **name)?.node);
        let mut same = new.iter().filter(|entry| told(entry.node) == value);
        let found = same.next().filter(|_| value.iter().any(Option::is_some))?;
        same.next().is_none().then(|| Arc::clone(&found.name))
    };
    lost.iter().map(now).collect()
}

/// What the containers of an unchanged document lose by an object that they take in whole.
fn from_an_object(bereft: &Bereft<'_>, known: &Known<'_>, sink: &mut Sink) {
    let (reader, source) = (bereft.reader, &bereft.loss.source);
    let mut lost: BTreeMap<&Arc<str>, (KeyPath, BTreeSet<String>)> = BTreeMap::new();
    for reference in reader.of(source) {
        let Via::AllVariables(container, prefix) = &reference.via else {
            continue;
        };
        let names = bereft.loss.keys.iter().map(|key| format!("{prefix}{key}"));
        let is_gone =
            |name: &String| !reader.sets(container, name) && !comes_otherwise(bereft, container, name, known);
        let (_, gone) = lost
            .entry(&container.name)
            .or_insert_with(|| (reader.field(reference), BTreeSet::new()));
        gone.extend(names.filter(is_gone));
    }
    for (container, (field, names)) in lost.into_iter().filter(|(_, (_, names))| !names.is_empty()) {
        let lost: Vec<String> = names.into_iter().collect();
        let message = format!(
            "{}: {} loses {}, which {source} no longer has",
            reader.id,
            title(container),
            lost.join(", ")
        );
        sink.tell(Hazard {
            release: Some(bereft.release.to_owned()),
            resource: Some(reader.id.clone()),
            field_path: Some(field),
            lost,
            object: source.to_string(),
            remedy: Some("put the keys back where they are still wanted".to_owned()),
            ..Hazard::new(&CHECK, message)
        });
    }
}

/// True when a container takes a variable in from another object as well, or may do so.
fn comes_otherwise(bereft: &Bereft<'_>, container: &ContainerName, name: &str, known: &Known<'_>) -> bool {
    bereft
        .reader
        .references
        .iter()
        .any(|reference| match &reference.via {
            Via::AllVariables(of, prefix) if of == container && reference.source != bereft.loss.source => {
                match (known.keys(&reference.source), name.strip_prefix(&**prefix)) {
                    (Some(keys), Some(key)) => keys.iter().any(|known| **known == *key),
                    (None, _) => true,
                    (Some(_), None) => false,
                }
            }
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::super::testing::on_platform;
    use super::*;

    fn pod(env: &str, from: &str) -> String {
        format!(
            "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  containers:\n  - {{name: c, env: [{env}], envFrom: [{from}]}}\n"
        )
    }

    fn config(keys: &str) -> String {
        format!("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: m}}\ndata: {{{keys}}}\n")
    }

    fn found(before: &str, after: &str) -> Vec<(Level, String)> {
        let found = on_platform(&CHECK, &[("r", before, after)]);
        found
            .into_iter()
            .map(|hazard| (hazard.level, hazard.message))
            .collect()
    }

    fn lost(before: &str, after: &str) -> Vec<String> {
        let found = on_platform(&CHECK, &[("r", before, after)]);
        found.into_iter().flat_map(|hazard| hazard.lost).collect()
    }

    const FROM: &str = "{configMapRef: {name: m}}";

    #[test]
    fn variables_that_vanish_are_told_by_name() {
        let before = pod("{name: A, value: x}, {name: B, value: x}, {name: C}", "");
        assert_eq!(
            found(&before, &pod("{name: C}, {name: D}", "")),
            [(Level::Deny, "v1/Pod/n/a: container c loses A, B".to_owned())]
        );
        assert_eq!(lost(&before, &before.replace("value: x", "value: z")), [""; 0]);
        assert_eq!(lost(&before, ""), [""; 0]);
    }

    #[test]
    fn a_variable_under_another_name_is_told_as_such() {
        let found = found(
            &pod("{name: A, value: x}, {name: B, value: z}, {name: C}", ""),
            &pod("{name: D, value: x}, {name: E, value: y}, {name: F}", ""),
        );
        let message = found.first().map(|(_, message)| message.as_str());
        assert_eq!(
            message,
            Some("v1/Pod/n/a: container c loses A (its value is in D now), B, C")
        );
    }

    #[test]
    fn a_document_or_a_container_under_another_name_is_the_same() {
        let before = pod(
            "{name: A, value: x}, {name: B, value: x}, {name: D}, {name: E}",
            "",
        );
        let after = pod("{name: B, value: x}, {name: D}, {name: E}", "");
        assert_eq!(lost(&before, &after.replace("name: a}", "name: a-b}")), ["A"]);
        assert_eq!(lost(&before, &after.replace("name: c,", "name: main,")), ["A"]);
    }

    #[test]
    fn what_env_from_takes_in_counts_on_both_sides() {
        let before = pod("{name: A}", "") + &config("A: x");
        assert_eq!(lost(&before, &(pod("", FROM) + &config("A: x"))), [""; 0]);
        assert_eq!(lost(&before, &(pod("", FROM) + &config("B: x"))), ["A"]);
        let from = pod("", FROM) + &config("A: x, B: x");
        assert_eq!(
            lost(&from, &(pod("{name: A}", "") + &config("A: x, B: x"))),
            ["B"]
        );
        assert_eq!(lost(&from, &(pod("", FROM) + &config("A: x"))), ["B"]);
        assert_eq!(lost(&from, &(pod("", FROM) + &config("A: x, B: z"))), [""; 0]);
        let both = |keys: &str| pod("{name: B}", FROM) + &config(keys);
        assert_eq!(lost(&both("A: x, B: x"), &both("A: x")), [""; 0]);
    }

    #[test]
    fn what_an_outside_object_may_hold_is_only_warned_of() {
        let after = pod("", "{secretRef: {name: outside}}");
        assert_eq!(
            found(&pod("{name: A}", ""), &after),
            [(
                Level::Warn,
                "v1/Pod/n/a: container c loses A, unless v1/Secret/n/outside has it".to_owned()
            )]
        );
        let with = |env: &str| pod(env, "{secretRef: {name: outside}}");
        assert_eq!(found(&with("{name: A}"), &with(""))[0].0, Level::Deny);
    }
}
