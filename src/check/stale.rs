//! `Stale`: a workload that goes on with what it read before, since nothing in it moves when its configuration does.

use super::leaving::documents;
use super::provided::{Contents, Source, contents, variables};
use super::reads::{Reader, Reference, Via};
use super::{PlatformCell, PlatformView};
use crate::base::{KeyPath, Step};
use crate::compare::{DocumentComparison, Effect, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A workload and a ConfigMap or Secret that changes under it.
pub(super) struct Stale<'v> {
    /// The workload's release.
    pub(super) release: &'v str,
    /// Its pods.
    pub(super) reader: &'v Reader,
    /// The ConfigMap or Secret.
    pub(super) config: &'v DocumentComparison,
    /// Where that stands: the cell, and the document in it.
    spot: (usize, usize),
    /// True when both are of one release.
    pub(super) is_own: bool,
    /// The first reference that is affected.
    pub(super) first: &'v Reference,
    /// What changes of what is read.
    pub(super) keys: BTreeSet<Arc<str>>,
    /// True for what a container reads only when it starts; false for files that are refreshed.
    pub(super) never_refreshed: bool,
}

/// Fields of a ConfigMap or Secret whose change reaches no pod that runs.
pub struct Unread {
    /// The cell, by its place in the view.
    pub cell: usize,
    /// The document, by its place in the comparison.
    pub document: usize,
    /// The fields.
    pub fields: Vec<KeyPath>,
}

/// The fields of ConfigMaps and Secrets that change while some workload goes on with what it read at its start.
pub fn unread(view: &PlatformView<'_>) -> Vec<Unread> {
    let mut found: BTreeMap<(usize, usize), BTreeSet<KeyPath>> = BTreeMap::new();
    for stale in stale(view).iter().filter(|stale| stale.never_refreshed) {
        let fields = stale.keys.iter().flat_map(|key| fields(key));
        found.entry(stale.spot).or_default().extend(fields);
    }
    let unread = |((cell, document), fields): (_, BTreeSet<KeyPath>)| Unread {
        cell,
        document,
        fields: fields.into_iter().collect(),
    };
    found.into_iter().map(unread).collect()
}

/// Where a key may stand.
fn fields(key: &str) -> [KeyPath; 3] {
    ["binaryData", "data", "stringData"].map(|part| KeyPath::root().key(part).key(key))
}

/// A ConfigMap or Secret that changes.
struct Config<'v> {
    spot: (usize, usize),
    document: &'v DocumentComparison,
    /// The keys whose contents are others or new.
    keys: BTreeSet<Arc<str>>,
    /// Those that `envFrom` takes in.
    variables: BTreeSet<Arc<str>>,
}

/// Every workload that goes on with what it read before.
pub(super) fn stale<'v>(view: &'v PlatformView<'_>) -> Vec<Stale<'v>> {
    let configs = configs(view);
    let mut found = Vec::new();
    for (at, cell) in view.cells.iter().enumerate().filter(|_| !configs.is_empty()) {
        let readers = cell
            .footprints
            .candidate
            .map_or(&[][..], |footprint| &footprint.readers);
        for reader in readers.iter().filter(|reader| !reader.is_hook && runs_on(reader)) {
            let sources: BTreeSet<&Source> = reader
                .references
                .iter()
                .map(|reference| &reference.source)
                .collect();
            let changed = sources
                .into_iter()
                .filter_map(|source| Some((source, configs.get(source)?)));
            let mut changed = changed
                .filter(|(source, config)| {
                    let (other, _) = config.spot;
                    let together = other == at || !cell.variant && !view.cells[other].variant;
                    together && !reloads(reader, source)
                })
                .peekable();
            if changed.peek().is_some() && rests(cell, reader) {
                found.extend(changed.filter_map(|(source, config)| {
                    let (first, keys, never_refreshed) = read(reader, source, config)?;
                    Some(Stale {
                        release: cell.release,
                        reader,
                        config: config.document,
                        spot: config.spot,
                        is_own: config.spot.0 == at,
                        first,
                        keys,
                        never_refreshed,
                    })
                }));
            }
        }
    }
    found
}

fn configs<'v>(view: &'v PlatformView<'_>) -> BTreeMap<Source, Config<'v>> {
    let mut found = BTreeMap::new();
    for (cell, document) in view.cells.iter().enumerate().flat_map(|(at, cell)| {
        documents(cell.comparison)
            .iter()
            .enumerate()
            .map(move |(place, document)| ((at, place), document))
    }) {
        let Some(after) = document.documents.candidate.as_deref() else {
            continue;
        };
        let Some(source) = Source::of(&document.id) else {
            continue;
        };
        let before = match (document.verdict, document.documents.baseline.as_deref()) {
            (Verdict::Changed, Some(before)) => contents(before),
            (Verdict::Added, None) => Contents::new(),
            _ => continue,
        };
        let after = contents(after);
        let is_new = |key: &&Arc<str>| before.get(*key) != after.get(*key);
        let is_told = |key: &&Arc<str>| document.verdict == Verdict::Added || is_told(document, key);
        let keys: BTreeSet<Arc<str>> = after.keys().filter(is_new).filter(is_told).cloned().collect();
        let variables = variables(&after)
            .filter(|key| keys.contains(*key))
            .cloned()
            .collect();
        if !keys.is_empty() {
            let config = Config {
                spot: cell,
                document,
                keys,
                variables,
            };
            found.insert(source, config);
        }
    }
    found
}

/// True when a difference is told of a key that the API server takes: chance is not, and sealed data stay.
fn is_told(document: &DocumentComparison, key: &str) -> bool {
    let fields = fields(key);
    document.changes.iter().any(|change| {
        let touches = |field: &KeyPath| change.path.starts_with(field) || field.starts_with(&change.path);
        change.effect != Effect::Rejected && fields.iter().any(touches)
    })
}

/// True for a workload whose pods run on until something replaces them.
fn runs_on(reader: &Reader) -> bool {
    matches!(
        (&*reader.id.group, &*reader.id.kind),
        (
            "apps" | "extensions",
            "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet"
        ) | ("", "Pod" | "ReplicationController")
            | ("argoproj.io", "Rollout")
            | ("apps.openshift.io", "DeploymentConfig")
    )
}

/// True when an annotation asks for a restart whenever an object changes.
fn reloads(reader: &Reader, source: &Source) -> bool {
    reader
        .reloads
        .iter()
        .any(|name| **name == *"*" || *name == source.name)
}

/// True when a workload is there on both sides and its pod template is what it was.
fn rests(cell: &PlatformCell<'_>, reader: &Reader) -> bool {
    let mut documents = documents(cell.comparison).iter();
    let Some(document) = documents.find(|document| document.id == reader.id) else {
        return false;
    };
    let template = match reader.path.0.split_last() {
        // Of a pod, only the spec.
        Some((_, template)) if !template.is_empty() => template,
        _ => &reader.path.0[..],
    };
    let is_template = |path: &[Step]| path.starts_with(template) || template.starts_with(path);
    match document.verdict {
        Verdict::Identical | Verdict::Equivalent => true,
        Verdict::Moved | Verdict::Changed => {
            !document.changes.iter().any(|change| is_template(&change.path.0))
        }
        // By chance the template may move each time; what is new or has another name starts anew.
        _ => false,
    }
}

/// What a workload reads of a config that changes: what it never reads again where there is any, else files.
fn read<'v>(
    reader: &'v Reader,
    source: &Source,
    config: &Config<'_>,
) -> Option<(&'v Reference, BTreeSet<Arc<str>>, bool)> {
    let is_new = config.document.verdict == Verdict::Added;
    let keys = |reference: &Reference| -> BTreeSet<Arc<str>> {
        match (&reference.key, &reference.via) {
            (_, Via::ImagePull | Via::Account) => BTreeSet::new(),
            // What had to be there came from somewhere else before.
            _ if is_new && !reference.is_optional => BTreeSet::new(),
            (Some(key), _) => config.keys.get(key).cloned().into_iter().collect(),
            (None, Via::AllVariables(..)) => config.variables.clone(),
            (None, _) => config.keys.clone(),
        }
    };
    for never_refreshed in [true, false] {
        let references = reader
            .references
            .iter()
            .filter(|reference| reference.source == *source);
        let of_kind =
            references.filter(|reference| never_refreshed != matches!(reference.via, Via::Volume(_)));
        let mut hit = of_kind
            .map(|reference| (reference, keys(reference)))
            .filter(|(_, keys)| !keys.is_empty());
        if let Some((first, mut all)) = hit.next() {
            all.extend(hit.flat_map(|(_, keys)| keys));
            return Some((first, all, never_refreshed));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::testing::platform;
    use super::*;

    fn found(pod: &str) -> Vec<String> {
        let text = |value: &str| {
            format!(
                "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: m}}\ndata: {{A: {value}, B: {value}}}\n---\napiVersion: v1\n\
                 kind: Pod\nmetadata: {{name: p}}\nspec: {{{pod}}}\n"
            )
        };
        platform(&[("other", "", ""), ("r", &text("x"), &text("z"))], |view| {
            let tell = |unread: Unread| {
                let fields = unread.fields.iter().map(ToString::to_string);
                let fields: Vec<String> = fields.filter(|field| field.starts_with("data")).collect();
                format!("{} {} {}", unread.cell, unread.document, fields.join(" "))
            };
            unread(view).into_iter().map(tell).collect()
        })
    }

    #[test]
    fn fields_that_reach_no_pod_are_found_in_their_document() {
        let by_key =
            "containers: [{name: c, env: [{name: X, valueFrom: {configMapKeyRef: {name: m, key: A}}}]}]";
        assert_eq!(found(by_key), ["1 0 data.A"]);
        assert_eq!(
            found("containers: [{name: c, envFrom: [{configMapRef: {name: m}}]}]"),
            ["1 0 data.A data.B"]
        );
        assert_eq!(
            found("volumes: [{name: v, configMap: {name: m}}], containers: [{name: c}]"),
            [""; 0]
        );
    }
}
