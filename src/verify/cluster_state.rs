//! The cluster that `--cluster-state` declares: files as `kubectl get -o yaml` prints them, read once for a run, and
//! what of it a report must not show.

use crate::base::{Place, Problem};
use crate::baseline::Pin;
use crate::engine::History;
use crate::engine::cluster::ClusterState;
use crate::manifest::{Document, DocumentId, Manifest, ScopeSource, Scopes};
use crate::report::redact::KnownSecrets;
use crate::source::{DirTree, EntryKind, SourceTree};
use crate::value::AmbientKind;
use crate::yaml::{Mark, Node};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Reads the objects of a file, or of all `.yaml`, `.yml` and `.json` files of a folder and the folders in it; hidden
/// ones are left out. Lists are taken apart.
///
/// # Errors
/// Every file that cannot be read and every object that cannot be found by `lookup`, with their places.
pub fn read(path: &Path) -> Result<ClusterState, Vec<Problem>> {
    let one = |problem: Problem| vec![problem];
    let nothing = |reason: &str| {
        one(Problem::new(format!(
            "--cluster-state {}: {reason}",
            path.display()
        )))
    };
    let (folder, name) = if path.is_file() {
        let name = path.file_name().and_then(|name| name.to_str());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        (folder.unwrap_or(Path::new(".")), name)
    } else {
        (path, None)
    };
    let tree = DirTree::open(folder, "cluster state").map_err(|problem| nothing(&problem.message))?;
    let mut files = Vec::new();
    let mut problems = Vec::new();
    match name {
        Some(name) => files.push(name.to_owned()),
        None => find(&tree, "", &mut files, &mut problems),
    }
    if files.is_empty() && problems.is_empty() {
        return Err(nothing("there is no .yaml, .yml or .json file in it"));
    }
    let mut read = Vec::new();
    for file in files {
        let told: Arc<str> = folder.join(&file).to_string_lossy().into();
        match tree.read(&file) {
            Ok(bytes) => read.push((told, bytes)),
            Err(error) => problems.push(Problem::at(Place::file(told), error.message)),
        }
    }
    let state = objects(read, &mut problems);
    if problems.is_empty() {
        Ok(state)
    } else {
        Err(problems)
    }
}

/// The files of a folder that may hold objects, in the order of their paths.
fn find(tree: &DirTree, folder: &str, files: &mut Vec<String>, problems: &mut Vec<Problem>) {
    let entries = match tree.list(folder) {
        Ok(entries) => entries,
        Err(error) => return problems.push(Problem::new(error.to_string())),
    };
    for (name, kind) in entries.into_iter().filter(|(name, _)| !name.starts_with('.')) {
        let path = match folder {
            "" => name,
            folder => format!("{folder}/{name}"),
        };
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        match kind {
            EntryKind::Directory => find(tree, &path, files, problems),
            _ if matches!(ending, "json" | "yaml" | "yml") => files.push(path),
            _ => {}
        }
    }
}

/// A file with its documents.
struct File {
    name: Arc<str>,
    text: Arc<[u8]>,
    manifest: Manifest,
}

impl File {
    /// Where a document stands, or a place in it.
    fn place(&self, document: &Document, mark: Option<Mark>) -> Place {
        let start = document.range().start;
        let blank = document
            .text()
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let offset = mark.map_or(start + blank.count(), |mark| document.offset_of(mark));
        let above = self.text.get(..offset).unwrap_or(&self.text);
        let line = 1 + memchr::memchr_iter(b'\n', above).count();
        Place::new(self.name.clone(), u32::try_from(line).unwrap_or(u32::MAX), 0)
    }

    /// The object of a document, with the namespace it is in.
    fn object<'d>(&self, document: &'d Document) -> Result<(&'d Node, Option<&'d str>), Problem> {
        let body = document
            .body()
            .map_err(|reason| Problem::at(self.place(document, reason.mark), reason.message.clone()))?;
        let node = &body.node;
        let mark = document.item().map(|_| node.mark);
        let problem = |text: &str| Problem::at(self.place(document, mark), text);
        for key in ["apiVersion", "kind"] {
            if node.get(key).and_then(Node::as_str).is_none_or(str::is_empty) {
                let text = format!("an object without {key}: lookup cannot find it");
                return Err(problem(&text).remedy("export objects with `kubectl get KIND -o yaml`"));
            }
        }
        let id = document.id();
        if id.name.is_empty() || id.name.ends_with('*') {
            return Err(problem(&format!("a {} without metadata.name", id.kind)));
        }
        // What nobody knows the scope of is of the cluster when it names no namespace: the API server always does.
        let namespace = id.namespace.as_deref().filter(|namespace| !namespace.is_empty());
        if namespace.is_none() && id.namespace.is_some() && document.scope() != ScopeSource::Assumed {
            let text = format!("{}/{} has no metadata.namespace", id.kind, id.name);
            return Err(
                problem(&text).remedy("kubectl always prints it: say in which namespace the object is")
            );
        }
        Ok((node, namespace))
    }
}

fn objects(files: Vec<(Arc<str>, Arc<[u8]>)>, problems: &mut Vec<Problem>) -> ClusterState {
    let mut scopes = Scopes::default();
    let mut read = Vec::with_capacity(files.len());
    for (name, text) in files {
        let manifest = Manifest::read(text.clone(), "");
        manifest.teach(&mut scopes);
        read.push(File { name, text, manifest });
    }
    let mut state = ClusterState::default();
    let mut places: BTreeMap<DocumentId, Place> = BTreeMap::new();
    for file in &mut read {
        file.manifest.settle(&scopes);
        let file = &*file;
        for document in &file.manifest.documents {
            let (node, namespace) = match file.object(document) {
                Ok(object) => object,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            let id = document.id();
            let place = file.place(document, document.item().map(|_| node.mark));
            if let Some(first) = places.get(id) {
                let text = format!("{id} is declared twice, first at {first}");
                problems.push(Problem::at(place, text).remedy("keep one of them"));
                continue;
            }
            state.add(namespace, &id.name, node);
            places.insert(id.clone(), place);
        }
    }
    state
}

/// A pin holds what releases are without a cluster.
pub(super) fn against_a_pin(pin: &Pin) -> Problem {
    let text = format!(
        "the pin {} records what lookup gives without a cluster, and --cluster-state is another question",
        pin.name
    );
    Problem::new(text).remedy(format!("name its commit: `--against {}`", pin.sha))
}

/// Learns the secrets of the objects that a render looked up; of all of them where nobody knows which.
pub(super) fn learn(known: &mut KnownSecrets, state: &ClusterState, history: Option<&History>) {
    let Some(history) = history else {
        return state.objects().for_each(|object| known.values(object));
    };
    let ambients = history.marks.ambients.iter();
    for lookup in ambients.filter(|ambient| ambient.kind == AmbientKind::Lookup) {
        match arguments(&lookup.call) {
            Some([api_version, kind, namespace, name]) => state
                .found(api_version, kind, namespace, name)
                .for_each(|object| known.values(object)),
            None => state.objects().for_each(|object| known.values(object)),
        }
    }
}

/// The arguments of a call of `lookup`, as its mark tells them.
fn arguments(call: &str) -> Option<[&str; 4]> {
    let parts: Vec<&str> = call.split('"').collect();
    match parts[..] {
        ["lookup ", api_version, " ", kind, " ", namespace, " ", name, ""] if !call.contains('\\') => {
            Some([api_version, kind, namespace, name])
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(files: &[(&str, &str)]) -> Result<ClusterState, Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let root = format!("{}/", folder.path().display());
        let told = |problem: &Problem| problem.to_string().replace(&root, "");
        read(folder.path()).map_err(|problems| problems.iter().map(told).collect())
    }

    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        read_all(files).unwrap_err()
    }

    #[test]
    fn lists_streams_and_json_in_folders_are_read() {
        let list = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: a, namespace: \"n\"}\n\
                    - apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a, namespace: \"n\"}\n";
        let stream = "apiVersion: v1\nkind: Secret\nmetadata: {name: b, namespace: \"n\"}\n---\n\
                      apiVersion: x.io/v1\nkind: Wide\nmetadata: {name: w}\n";
        let json = r#"{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "m"}}"#;
        let state = read_all(&[
            ("list.yaml", list),
            ("more/stream.yml", stream),
            ("more/one.json", json),
            ("README.md", "not an object"),
            (".hidden.yaml", "- not an object"),
        ])
        .unwrap();
        let found =
            |kind: &str, namespace: &str, name: &str| state.found("v1", kind, namespace, name).count();
        assert_eq!(state.objects().count(), 5);
        assert_eq!(found("Secret", "n", ""), 2);
        assert_eq!(found("Secret", "", ""), 3);
        assert_eq!((found("Secret", "m", "a"), found("Secret", "", "a")), (1, 0));
        assert_eq!(state.found("x.io/v1", "Wide", "anywhere", "w").count(), 1);
    }

    #[test]
    fn every_problem_is_told_with_its_line() {
        let told = problems(&[
            (
                "a.yaml",
                "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: \"n\"}\n---\n\nkind: Secret\n",
            ),
            (
                "b.yaml",
                "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {namespace: \"n\"}\n- 3\n",
            ),
            ("c.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n"),
            ("d.yaml", "a: [\n"),
            (
                "e.yaml",
                "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: \"n\"}\n",
            ),
        ]);
        let begins: Vec<&str> = told.iter().map(|text| text.split(": ").next().unwrap()).collect();
        assert_eq!(
            begins,
            [
                "a.yaml:6", "b.yaml:4", "b.yaml:7", "c.yaml:1", "d.yaml:2", "e.yaml:1"
            ],
            "{told:#?}"
        );
        assert!(told[5].contains("declared twice, first at a.yaml:1"), "{told:#?}");
    }

    #[test]
    fn a_folder_without_files_and_a_path_to_nothing_are_told() {
        assert!(problems(&[("notes.txt", "")])[0].contains("no .yaml"));
        assert!(read(Path::new("/nowhere/at/all")).is_err());
    }

    #[test]
    fn a_call_tells_its_arguments() {
        assert_eq!(
            arguments(r#"lookup "v1" "Secret" "n" """#),
            Some(["v1", "Secret", "n", ""])
        );
        assert_eq!(arguments(r#"lookup "v1" "Se\"cret" "n" "a""#), None);
        assert_eq!(arguments("include \"a\" ."), None);
    }
}
