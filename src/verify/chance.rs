//! Telling chance from change by marks: the engine knows which bytes are random, or the clock's, or stand in an
//! order that Go draws anew. Such bytes are the same twice here, and never on a cluster.

use super::provenance;
use super::render::Output;
use crate::base::{KeyPath, Sides};
use crate::check::origins::value_range;
use crate::compare::{CellComparison, Change, DocumentComparison, Verdict, effect};
use crate::engine::History;
use crate::manifest::{Document, Manifest, ObjectKey, Rules};
use crate::value::AmbientKind;
use crate::yaml::Node;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::ops::Range;

/// What real Helm gives anew with every render.
const CHANCE: [AmbientKind; 4] = [
    AmbientKind::Random,
    AmbientKind::Clock,
    AmbientKind::Host,
    AmbientKind::MapOrder,
];

/// Marks the documents that are equal here and would not be in two renders of real Helm.
pub(super) fn settle(comparison: &mut CellComparison, outputs: &Sides<Output>, rules: Rules) {
    let histories = outputs.as_ref().map(|output| output.history.as_deref());
    let (Some(baseline), Some(candidate)) = (histories.baseline, histories.candidate) else {
        return;
    };
    if !has_chance(baseline) || !has_chance(candidate) {
        return;
    }
    let known = Sides::new(
        holding_chance(baseline, &outputs.baseline.manifest),
        holding_chance(candidate, &outputs.candidate.manifest),
    );
    for document in &mut comparison.documents {
        if document.verdict == Verdict::Changed {
            set_aside(document, outputs, Sides::new(baseline, candidate));
        }
        if document.verdict > Verdict::Equivalent {
            continue;
        }
        let key = (document.id.key(), document.occurrence);
        if known.baseline.contains(&key) && known.candidate.contains(&key) {
            document.verdict = Verdict::Volatile;
        }
    }
    comparison.regroup(rules);
}

/// Takes the changes that only chance made out of a document; one of which nothing else is left is volatile.
fn set_aside(document: &mut DocumentComparison, outputs: &Sides<Output>, histories: Sides<&History>) {
    let found = outputs
        .as_ref()
        .map(|output| provenance::find(&output.manifest, document));
    let (Some(baseline), Some(candidate)) = (found.baseline, found.candidate) else {
        return;
    };
    let is_chance = |change: &Change| {
        let before = Drawn::of(histories.baseline, baseline, &change.path, change.before.as_ref());
        let after = Drawn::of(
            histories.candidate,
            candidate,
            &change.path,
            change.after.as_ref(),
        );
        matches!((before, after), (Some(before), Some(after)) if before.differs_by_chance(&after))
    };
    let chance: Vec<bool> = document.changes.iter().map(is_chance).collect();
    if chance.iter().all(|chance| *chance) {
        document.verdict = Verdict::Volatile;
        document.effects.clear();
    } else if chance.contains(&true) {
        let mut chance = chance.into_iter();
        document.changes.retain(|_| chance.next() != Some(true));
        document.effects = effect::summary(&document.changes);
    }
}

/// A field that holds something random. The clock, the host and the order of maps are the same on both sides here: a
/// difference that they are in is no chance.
struct Drawn {
    /// The text, with a line end in place of what was drawn: a line of YAML has none.
    rest: Vec<u8>,
    /// What was drawn.
    draws: BTreeSet<u64>,
}

impl Drawn {
    fn of(history: &History, document: &Document, path: &KeyPath, value: Option<&Node>) -> Option<Drawn> {
        let range = value_range(document, path, value?)?;
        let mut drawn = Drawn {
            rest: Vec::new(),
            draws: BTreeSet::new(),
        };
        let start = document.range().start;
        for (range, span) in history.spans(range) {
            let ambients = history.ambients(span.marks);
            let mut is_drawn = false;
            for ambient in ambients.filter(|ambient| ambient.kind == AmbientKind::Random) {
                is_drawn = true;
                drawn.draws.insert(ambient.draw);
            }
            if is_drawn {
                if drawn.rest.last() != Some(&b'\n') {
                    drawn.rest.push(b'\n');
                }
            } else {
                drawn
                    .rest
                    .extend_from_slice(document.text().get(range.start - start..range.end - start)?);
            }
        }
        (!drawn.draws.is_empty()).then_some(drawn)
    }

    /// True when nothing but what chance wrote is different. Where both sides drew the same, it is not chance
    /// that made the difference.
    fn differs_by_chance(&self, other: &Drawn) -> bool {
        self.rest == other.rest && self.draws != other.draws
    }
}

fn has_chance(history: &History) -> bool {
    history
        .marks
        .ambients
        .iter()
        .any(|ambient| CHANCE.contains(&ambient.kind))
}

/// The documents that hold something chance wrote.
fn holding_chance<'m>(history: &History, manifest: &'m Manifest) -> FxHashSet<(ObjectKey<'m>, u32)> {
    let documents = manifest.documents.iter();
    documents
        .filter(|document| chance(history, document.range()).next().is_some())
        .map(|document| (document.id().key(), document.occurrence()))
        .collect()
}

/// The parts of a range that chance wrote.
pub(super) fn chance(history: &History, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    history
        .spans(range)
        .filter(|(_, span)| {
            history
                .ambients(span.marks)
                .any(|ambient| CHANCE.contains(&ambient.kind))
        })
        .map(|(range, _)| range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::cell::compare;
    use crate::engine::native::NativeEngine;
    use crate::engine::{Engine, RenderJob};
    use crate::source::MemoryTree;
    use std::sync::Arc;

    const HEAD: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  ";

    fn render(data: &str) -> Output {
        let tree = MemoryTree::new("test")
            .file("app/Chart.yaml", "apiVersion: v2\nname: app\nversion: 0.1.0\n")
            .file("app/values.yaml", "user: admin\nmap: {a: 1, b: 2}\n")
            .file("app/templates/all.yaml", format!("{HEAD}{data}\n"));
        let job = RenderJob {
            tree: Arc::new(tree),
            chart: "app".to_owned(),
            release: "r".to_owned(),
            namespace: "n".to_owned(),
            values: Vec::new(),
            set: Vec::new(),
            kube_version: None,
            api_versions: Vec::new(),
            include_crds: false,
            is_upgrade: false,
            no_hooks: false,
            skip_tests: false,
            skip_schema_validation: false,
            dialect: crate::dialect::Dialect::V4_3,
            traced: true,
            cluster: None,
        };
        let rendered = NativeEngine::new().render(&job).expect("the case renders");
        Output {
            manifest: Manifest::read(rendered.output, "n"),
            warnings: Vec::new(),
            history: rendered.history,
        }
    }

    /// The verdict on the one document, and the fields that are told as changed.
    fn judged(before: &str, after: &str) -> (Verdict, Vec<String>) {
        let outputs = Sides::new(render(before), render(after));
        let manifests = outputs.as_ref().map(|output| &output.manifest);
        let mut comparison = compare("r", manifests, Rules::default());
        settle(&mut comparison, &outputs, Rules::default());
        let document = &comparison.documents[0];
        let paths = document.changes.iter().map(|change| change.path.to_string());
        (document.verdict, paths.collect())
    }

    #[test]
    fn what_is_drawn_anew_is_volatile() {
        let (verdict, _) = judged("key: x-{{ randAlphaNum 8 }}", "key: x-{{ randAlphaNum 9 }}");
        assert_eq!(verdict, Verdict::Volatile);
        let sum = |call: &str| format!("sum: {{{{ printf \"%s %s\" .Values.user ({call}) | sha256sum }}}}");
        let (verdict, _) = judged(&sum("randAlphaNum 8"), &sum("randAlpha 8"));
        assert_eq!(verdict, Verdict::Volatile);
        let (verdict, _) = judged("key: {{ randAlphaNum 8 }}", "key: {{ randAlphaNum 8 }}");
        assert_eq!(verdict, Verdict::Volatile);
    }

    #[test]
    fn a_real_edit_beside_chance_is_a_change() {
        let (verdict, paths) = judged(
            "key: {{ randAlphaNum 8 }}\n  level: info",
            "key: {{ randAlphaNum 9 }}\n  level: debug",
        );
        assert_eq!(
            (verdict, paths),
            (Verdict::Changed, vec!["data.level".to_owned()])
        );
        let (verdict, paths) = judged("key: a-{{ randAlphaNum 8 }}", "key: b-{{ randAlphaNum 9 }}");
        assert_eq!((verdict, paths.len()), (Verdict::Changed, 1));
    }

    #[test]
    fn what_is_no_chance_here_is_a_change_whatever_marks_it_has() {
        for (before, after) in [
            // the same draw, put otherwise
            (
                "{{ $a := randAlpha 8 }}key: {{ $a }}",
                "{{ $a := randAlpha 8 }}key: {{ upper $a }}",
            ),
            // the clock stands still
            ("year: {{ now | date \"2006\" }}", "year: {{ now | date \"06\" }}"),
            // one side alone is random
            ("key: abcdefgh", "key: {{ randAlphaNum 8 }}"),
            // an element more, in Go's random order
            (
                "keys: {{ keys .Values.map | join \",\" }}",
                "keys: {{ keys (set .Values.map \"c\" 1) | join \",\" }}",
            ),
        ] {
            assert_eq!(judged(before, after).0, Verdict::Changed, "{after}");
        }
    }
}
