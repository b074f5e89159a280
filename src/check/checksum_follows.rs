//! `checksum-follows`: a checksum annotation of something that no two renders give alike.

use super::chance::{is_checksum, reaches};
use super::{Check, Hazard, Pass, SideView, Sink};
use crate::base::Level;
use crate::value::AmbientKind;

/// The check.
pub static CHECK: Check = Check {
    name: "checksum-follows",
    level: Level::Info,
    audit_only: false,
    explain: "A checksum annotation hashes an object that holds chance, the time or the order of a map. The object is \
another one at every render, so the checksum is too, and the pods restart at every upgrade, though nobody changed \
anything.\n\n\
The finding names the call that is the cause. Mend that: keep a password that is in use, sort the keys, leave the time \
out. The checksum then rests by itself.",
    pass: Pass::Documents(run),
};

const KINDS: [AmbientKind; 4] = [
    AmbientKind::Random,
    AmbientKind::Clock,
    AmbientKind::MapOrder,
    AmbientKind::Host,
];

fn run(view: &SideView<'_>, sink: &mut Sink) {
    let Some(history) = view.history else {
        return;
    };
    for mut reach in KINDS.into_iter().flat_map(|kind| reaches(view, kind)) {
        reach.fields.retain(is_checksum);
        if reach.fields.is_empty() {
            continue;
        }
        let (document, call) = (reach.document.id(), &reach.ambient.call);
        let message = format!("{document}: {} with {call}", reach.does("moves"));
        sink.tell(Hazard {
            remedy: Some("mend the cause: the checksum rests when what it hashes does".to_owned()),
            ..reach.hazard(&CHECK, history, message)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_output;
    use super::super::testing::Case;
    use super::*;

    fn case(value: &str) -> Case {
        let template = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations:\n    checksum/config: \
            {{ include \"config\" . | sha256sum }}\n{{ define \"config\" }}x: ";
        Case::chart("", &format!("{template}{value}{{{{ end }}}}"))
    }

    #[test]
    fn a_checksum_of_chance_is_told_once_with_its_cause() {
        let found = case("{{ randAlphaNum 5 }}").hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert!(hazard.object.starts_with("randAlphaNum"), "{}", hazard.object);
        assert_eq!(case("{{ randAlphaNum 5 }}").hazards(&random_output::CHECK), []);
        assert_eq!(case("still").hazards(&CHECK), []);
    }
}
