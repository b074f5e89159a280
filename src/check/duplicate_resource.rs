//! `duplicate-resource`: one object that is made twice.

use super::{Check, Footprint, Hazard, Pass, PlatformView, Sink};
use crate::base::{Level, Side};
use crate::manifest::DocumentId;
use std::collections::BTreeMap;

/// The check.
pub static CHECK: Check = Check {
    name: "duplicate-resource",
    level: Level::Deny,
    audit_only: false,
    explain: "One object (group, kind, namespace, name) is made twice on a platform: by two releases, or twice by one. \
Helm refuses to install a release whose object another one owns; without Helm the last one applied wins, and each apply \
undoes the other. Twice in one release, the later document overwrites the earlier one without a word.\n\n\
Platforms are different clusters and are looked at one by one. Definitions of custom resources are left out: charts \
ship the same ones, and Helm installs them once.\n\n\
Give one of the objects another name, or leave it to one release.",
    pass: Pass::Platform(run),
};

/// Group, kind, namespace, name.
type Key<'a> = (&'a str, &'a str, Option<&'a str>, &'a str);

fn run(view: &PlatformView<'_>, sink: &mut Sink) {
    let before = owners(view, Side::Baseline);
    for (key, (id, releases)) in owners(view, Side::Candidate) {
        if releases.len() < 2 {
            continue;
        }
        let standing = before
            .get(&key)
            .is_some_and(|(_, before)| before.len() >= releases.len());
        let (first, last) = (releases[0], releases[releases.len() - 1]);
        let who = match first == last {
            true => format!("{} times by {first}", releases.len()),
            false => format!("by {first} and by {last}"),
        };
        sink.tell(Hazard {
            release: Some(last.to_owned()),
            resource: Some(id.clone()),
            remedy: Some("give one of them another name, or leave it to one release".to_owned()),
            standing,
            ..Hazard::new(&CHECK, format!("{id} is made {who}"))
        });
    }
}

/// Who makes each object, in the order of the plan; settings that are not installed together do not count.
fn owners<'v>(view: &'v PlatformView<'_>, side: Side) -> BTreeMap<Key<'v>, (&'v DocumentId, Vec<&'v str>)> {
    let mut owners: BTreeMap<Key<'_>, (&DocumentId, Vec<&str>)> = BTreeMap::new();
    for cell in view.cells.iter().filter(|cell| !cell.variant) {
        let objects = cell
            .footprints
            .get(side)
            .map_or(&[][..], |footprint: &Footprint| &footprint.objects);
        for id in objects {
            if &*id.kind == "CustomResourceDefinition" || id.name.is_empty() {
                continue;
            }
            let key = (&*id.group, &*id.kind, id.namespace.as_deref(), &*id.name);
            owners
                .entry(key)
                .or_insert_with(|| (id, Vec::new()))
                .1
                .push(cell.release);
        }
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::super::PlatformCell;
    use super::*;
    use crate::base::Sides;
    use crate::manifest::Manifest;

    fn footprint(names: &[&str]) -> Footprint {
        let text: String = names
            .iter()
            .map(|name| format!("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\n"))
            .collect();
        Footprint::of(&Manifest::read(text.into_bytes(), "apps"))
    }

    fn found(baseline: [&[&str]; 2], candidate: [&[&str]; 2], variant: bool) -> Vec<bool> {
        let before = baseline.map(footprint);
        let after = candidate.map(footprint);
        let cell = |at: usize, release| PlatformCell {
            release,
            names: Sides::new(Some(release), Some(release)),
            variant,
            footprints: Sides::new(Some(&before[at]), Some(&after[at])),
            comparison: None,
        };
        let view = PlatformView {
            cells: vec![cell(0, "one"), cell(1, "two")],
            is_audit: false,
            is_selection: false,
            protects: &|_| None,
        };
        let mut sink = Sink::default();
        run(&view, &mut sink);
        sink.hazards.iter().map(|hazard| hazard.standing).collect()
    }

    #[test]
    fn two_owners_are_told_and_one_is_not() {
        assert_eq!(found([&["a"], &["b"]], [&["a"], &["a"]], false), [false]);
        assert_eq!(found([&["a"], &["b"]], [&["a", "a"], &["b"]], false), [false]);
        assert_eq!(found([&["a"], &["a"]], [&["a"], &["a"]], false), [true]);
        assert_eq!(found([&["a"], &["b"]], [&["a"], &["b"]], false), [false; 0]);
        assert_eq!(found([&["a"], &["b"]], [&["a"], &["a"]], true), [false; 0]);
    }
}
