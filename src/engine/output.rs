//! From rendered files to what `helm template` prints: splitting, hooks, kind order, tails
//! (`pkg/release/v1/util/manifest*.go`, `kind_sorter.go`, `pkg/cmd/template.go`).

use crate::dialect::Dialect;
use crate::yaml::{self, go_struct::Decoder};
use std::ops::Range;

/// One rendered template file.
pub struct RenderedFile<'a> {
    /// Its name: `chart/templates/x.yaml`.
    pub name: &'a str,
    /// Its text.
    pub text: &'a [u8],
}

/// A CRD file, printed as it is.
pub struct Crd<'a> {
    /// Its name: `chart/crds/x.yaml`.
    pub name: String,
    /// Its text.
    pub text: &'a [u8],
}

/// What of the output is wanted.
#[derive(Clone, Copy)]
pub struct Selection<'a> {
    /// `--no-hooks`
    pub no_hooks: bool,
    /// `--skip-tests`
    pub skip_tests: bool,
    /// `--show-only` patterns, in order.
    pub show_only: &'a [String],
}

/// What is printed, and where each of its pieces came from.
#[derive(Debug, Default)]
pub struct Printed {
    /// Standard output.
    pub text: Vec<u8>,
    /// For each printed document: its range in `text`, the number of its file, and where its text begins in
    /// the file. Empty after `--show-only`.
    pub pieces: Vec<Piece>,
    /// Log lines for standard error.
    pub warnings: Vec<String>,
}

/// One document of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes in the output, without separator and source comment.
    pub range: Range<usize>,
    /// The number of the rendered file.
    pub file: usize,
    /// Offset of its first byte in the file's text.
    pub offset: usize,
}

struct Document {
    file: usize,
    range: Range<usize>,
    kind: String,
    is_hook: bool,
    is_test: bool,
}

/// Splits, sorts and prints.
///
/// # Errors
/// Helm's message for a document that is no YAML or no object, or for a `--show-only` that finds nothing.
pub fn print(
    files: &[RenderedFile<'_>],
    crds: &[Crd<'_>],
    selection: Selection<'_>,
    dialect: Dialect,
) -> Result<Printed, String> {
    let mut printed = Printed::default();
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by(|a, b| files[*a].name.as_bytes().cmp(files[*b].name.as_bytes()));
    let mut documents = Vec::new();
    for number in order {
        let file = &files[number];
        let base = file.name.rsplit('/').next().unwrap_or(file.name);
        if base.starts_with('_') || trim(file.text).is_empty() {
            continue;
        }
        for range in split(file.text, dialect) {
            documents.extend(classify(file, number, range, dialect, &mut printed.warnings)?);
        }
    }
    // Stable: documents of one kind keep their order.
    documents.sort_by(|a, b| order_of(&a.kind, dialect).cmp(&order_of(&b.kind, dialect)));

    for crd in crds {
        source(&mut printed.text, &crd.name);
        printed.text.extend_from_slice(crd.text);
        printed.text.push(b'\n');
    }
    let (hooks, manifests): (Vec<_>, Vec<_>) = documents.iter().partition(|document| document.is_hook);
    for document in manifests {
        emit(&mut printed, files, document);
    }
    let (start, end) = trimmed_range(&printed.text);
    printed.text.truncate(end);
    printed.text.drain(..start);
    for piece in &mut printed.pieces {
        piece.range = piece.range.start - start..(piece.range.end - start).min(end - start);
    }
    printed.text.push(b'\n');
    if !selection.no_hooks {
        for document in hooks
            .into_iter()
            .filter(|hook| !(selection.skip_tests && hook.is_test))
        {
            emit(&mut printed, files, document);
        }
    }
    if !selection.show_only.is_empty() {
        printed.text = show_only(&printed.text, selection.show_only, dialect)?;
        printed.pieces.clear();
    }
    Ok(printed)
}

fn source(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(b"---\n# Source: ");
    out.extend_from_slice(name.as_bytes());
    out.push(b'\n');
}

fn emit(printed: &mut Printed, files: &[RenderedFile<'_>], document: &Document) {
    let file = &files[document.file];
    source(&mut printed.text, file.name);
    let start = printed.text.len();
    printed.text.extend_from_slice(&file.text[document.range.clone()]);
    let range = start..printed.text.len();
    printed.pieces.push(Piece {
        range,
        file: document.file,
        offset: document.range.start,
    });
    printed.text.push(b'\n');
}

/// `--show-only`: the stream is split once more and the pieces whose source fits are printed.
fn show_only(text: &[u8], patterns: &[String], dialect: Dialect) -> Result<Vec<u8>, String> {
    let pieces: Vec<(&[u8], Option<String>)> = split(text, dialect)
        .into_iter()
        .map(|range| {
            let piece = &text[range];
            (piece, source_path(piece))
        })
        .collect();
    let mut out = Vec::new();
    for pattern in patterns {
        let mut missing = true;
        for (piece, path) in &pieces {
            let fits = path
                .as_deref()
                .is_some_and(|path| crate::chart::path_match::matches(pattern, path) == Ok(true));
            if fits {
                missing = false;
                out.extend_from_slice(b"---\n");
                out.extend_from_slice(piece);
                out.push(b'\n');
            }
        }
        if missing {
            return Err(format!("could not find template {pattern} in chart"));
        }
    }
    Ok(out)
}

/// The path behind the first `# Source: chart/` of a piece.
fn source_path(piece: &[u8]) -> Option<String> {
    const MARKER: &[u8] = b"# Source: ";
    let mut from = 0;
    while let Some(found) = memchr::memmem::find(&piece[from..], MARKER) {
        let start = from + found + MARKER.len();
        let line = piece[start..]
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        if let Some((chart, path)) = line.split_once('/')
            && !chart.is_empty()
            && !path.is_empty()
        {
            return Some(path.to_owned());
        }
        from = start;
    }
    None
}

/// Reads the head of a document and tells what it is; `None` for a document that Helm leaves out.
fn classify(
    file: &RenderedFile<'_>,
    number: usize,
    range: Range<usize>,
    dialect: Dialect,
    warnings: &mut Vec<String>,
) -> Result<Option<Document>, String> {
    let head = Head::read(&file.text[range.clone()], dialect)
        .map_err(|text| format!("YAML parse error on {}: {text}", file.name))?;
    let mut document = Document {
        file: number,
        range,
        kind: head.kind,
        is_hook: false,
        is_test: false,
    };
    let Some(hook) = head.hook else {
        return Ok(Some(document));
    };
    document.is_hook = true;
    for event in hook.split(',') {
        match event.trim().to_lowercase().as_str() {
            "pre-install" | "post-install" | "pre-delete" | "post-delete" | "pre-upgrade"
            | "post-upgrade" | "pre-rollback" | "post-rollback" => {}
            "test" | "test-success" => document.is_test = true,
            _ => {
                warnings.push(if dialect.is_v4() {
                    format!(
                        "level=INFO msg=\"skipping unknown hooks\" hookTypes={}",
                        crate::layers::warnings::log_value(&hook)
                    )
                } else {
                    let quoted = crate::value::quote::quote_str(hook.as_bytes());
                    format!("manifest_sorter.go:209: info: skipping unknown hook: {quoted}")
                });
                return Ok(None);
            }
        }
    }
    Ok(Some(document))
}

/// What Helm's `SimpleHead` holds.
#[derive(Default)]
struct Head {
    kind: String,
    hook: Option<String>,
}

impl Head {
    fn read(text: &[u8], dialect: Dialect) -> Result<Head, String> {
        let node = yaml::parse_first(text).map_err(|error| error.wrapped())?.node;
        let type_name = if dialect.is_v4() {
            "util.SimpleHead"
        } else {
            "releaseutil.SimpleHead"
        };
        let mut head = Head::default();
        let mut decoder = Decoder::new(dialect);
        let known = ["apiVersion", "kind", "metadata"];
        decoder.object(&node, type_name, "SimpleHead", &known, &mut |d, field, node| match field {
            "apiVersion" => {
                d.text(node);
            }
            "kind" => head.kind = d.text(node),
            _ => {
                let known = ["annotations", "name"];
                let metadata = "struct { Name string \"json:\\\"name\\\"\"; Annotations map[string]string \"json:\\\"annotations\\\"\" }";
                d.object(node, metadata, "", &known, &mut |d, field, node| {
                    if field == "name" {
                        d.text(node);
                    } else {
                        let annotations = d.texts_by_key(node).unwrap_or_default();
                        head.hook =
                            annotations.into_iter().find(|(key, _)| key == "helm.sh/hook").map(|(_, value)| value);
                    }
                });
            }
        });
        decoder.finish().map(|()| head)
    }
}

/// The kinds in the order in which Helm installs them.
const INSTALL_ORDER: [&str; 38] = [
    "PriorityClass",
    "Namespace",
    "NetworkPolicy",
    "ResourceQuota",
    "LimitRange",
    "PodSecurityPolicy",
    "PodDisruptionBudget",
    "ServiceAccount",
    "Secret",
    "SecretList",
    "ConfigMap",
    "StorageClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "CustomResourceDefinition",
    "ClusterRole",
    "ClusterRoleList",
    "ClusterRoleBinding",
    "ClusterRoleBindingList",
    "Role",
    "RoleList",
    "RoleBinding",
    "RoleBindingList",
    "Service",
    "DaemonSet",
    "Pod",
    "ReplicationController",
    "ReplicaSet",
    "Deployment",
    "HorizontalPodAutoscaler",
    "StatefulSet",
    "Job",
    "CronJob",
    "IngressClass",
    "Ingress",
    "APIService",
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
];

/// Known kinds in their order, then the others by name.
fn order_of(kind: &str, dialect: Dialect) -> (usize, &str) {
    let known = if dialect.is_v4() {
        &INSTALL_ORDER[..]
    } else {
        &INSTALL_ORDER[..36]
    };
    match known.iter().position(|name| *name == kind) {
        Some(at) => (at, ""),
        None => (INSTALL_ORDER.len(), kind),
    }
}

/// `SplitManifests`: the ranges of the documents of a file.
pub fn split(text: &[u8], dialect: Dialect) -> Vec<Range<usize>> {
    let (start, end) = if dialect.is_v4() {
        (leading(text), text.len())
    } else {
        trimmed_range(text)
    };
    let mut pieces = Vec::new();
    let mut from = start;
    let mut search = start;
    while let Some(separator) = next_separator(text, search, start, end, dialect) {
        push_piece(&mut pieces, text, from..separator.start, dialect);
        from = separator.end;
        search = separator.end;
    }
    push_piece(&mut pieces, text, from..end, dialect);
    pieces
}

fn push_piece(pieces: &mut Vec<Range<usize>>, text: &[u8], piece: Range<usize>, dialect: Dialect) {
    let (start, end) = trimmed_range(&text[piece.clone()]);
    if start < end {
        let end = if dialect.is_v4() {
            piece.end
        } else {
            piece.start + end
        };
        pieces.push(piece.start + start..end);
    }
}

/// The next match of the separator: `(?m)^---[ \t]*` in Helm 4.3, `(?:^|\s*\n)---\s*` in Helm 3, where the
/// blanks before belong to it and `^` is the start of the text only.
fn next_separator(
    text: &[u8],
    search: usize,
    start: usize,
    end: usize,
    dialect: Dialect,
) -> Option<Range<usize>> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | 0x0c | b'\r');
    let mut at = search;
    loop {
        let found = at + memchr::memmem::find(&text[at..end], b"---")?;
        let after = found + 3;
        let at_line_start = found == start || text[found - 1] == b'\n';
        if dialect.is_v4() {
            if at_line_start {
                let tail = text[after..end]
                    .iter()
                    .take_while(|byte| matches!(byte, b' ' | b'\t'))
                    .count();
                return Some(found..after + tail);
            }
        } else if found == start || (at_line_start && found > search) {
            let tail = text[after..end].iter().take_while(|byte| blank(byte)).count();
            let before = text[search..found]
                .iter()
                .rev()
                .take_while(|byte| blank(byte))
                .count();
            return Some(found - before..after + tail);
        }
        at = found + 1;
    }
}

/// Bytes of leading white space, as `strings.TrimLeftFunc(text, unicode.IsSpace)` takes them.
fn leading(text: &[u8]) -> usize {
    trimmed_range(text).0
}

fn trim(text: &[u8]) -> &[u8] {
    let (start, end) = trimmed_range(text);
    &text[start..end]
}

/// `strings.TrimSpace`: the range without Unicode white space at either end.
fn trimmed_range(text: &[u8]) -> (usize, usize) {
    let mut start = 0;
    while let Some(size) = space_at(&text[start..]) {
        start += size;
    }
    let mut end = text.len();
    'back: while end > start {
        for size in 1..=3.min(end - start) {
            if space_at(&text[end - size..end]) == Some(size) {
                end -= size;
                continue 'back;
            }
        }
        break;
    }
    if start == text.len() {
        (start, start)
    } else {
        (start, end)
    }
}

/// The size of the white space character at the start.
fn space_at(text: &[u8]) -> Option<usize> {
    match text {
        [b'\t'..=b'\r' | b' ', ..] => Some(1),
        [0xc2, 0x85 | 0xa0, ..] => Some(2),
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f, ..]
        | [0xe3, 0x80, 0x80, ..] => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str, dialect: Dialect) -> Vec<&str> {
        split(text.as_bytes(), dialect)
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn helm_3_trims_and_helm_4_keeps_tails() {
        let text = "\na: 1\n\n---\nb: 2\n";
        assert_eq!(pieces(text, Dialect::V3_19), ["a: 1", "b: 2"]);
        assert_eq!(pieces(text, Dialect::V4_3), ["a: 1\n\n", "b: 2\n"]);
    }

    #[test]
    fn a_doubled_separator_stays_in_the_text_of_helm_3() {
        let text = "---\n---\nb: 2";
        assert_eq!(pieces(text, Dialect::V3_19), ["---\nb: 2"]);
        assert_eq!(pieces(text, Dialect::V4_3), ["b: 2"]);
    }

    #[test]
    fn dashes_glued_to_text_split_too() {
        assert_eq!(pieces("a: 1\n---x: 1", Dialect::V4_3), ["a: 1\n", "x: 1"]);
        assert_eq!(pieces("a: 1\n---x: 1", Dialect::V3_19), ["a: 1", "x: 1"]);
        assert_eq!(pieces("a: |\n  ---\n", Dialect::V4_3), ["a: |\n  ---\n"]);
    }
}
