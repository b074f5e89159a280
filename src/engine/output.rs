//! From rendered files to what `helm template` prints: splitting, hooks, kind order, tails
//! (`pkg/release/v1/util/manifest*.go`, `kind_sorter.go`, `pkg/cmd/template.go`).

use super::install_order::order_of;
use super::split::{split, trim, trimmed_range};
use crate::dialect::Dialect;
use crate::yaml::{self, Node, Parsed, go_struct::Decoder};
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
#[derive(Clone, Copy, Debug, Default)]
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
    /// the file.
    pub pieces: Vec<Piece>,
}

/// One document of the output.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its bytes in the output, without separator and source comment.
    pub range: Range<usize>,
    /// The number of the rendered file.
    pub file: usize,
    /// Offset of its first byte in the file's text.
    pub offset: usize,
    /// Its data, where they are the same whatever blank lines follow it.
    pub parsed: Option<Parsed>,
}

/// A rendered file that Helm cannot take apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The number of the file.
    pub file: usize,
    /// Helm's message.
    pub message: String,
}

struct Document {
    file: usize,
    range: Range<usize>,
    kind: String,
    is_hook: bool,
    is_test: bool,
    parsed: Option<Parsed>,
}

/// The documents of all files in the order in which Helm prints them.
pub struct Sorted<'a> {
    files: &'a [RenderedFile<'a>],
    manifests: Vec<Document>,
    hooks: Vec<Document>,
}

impl<'a> Sorted<'a> {
    /// Splits the files, reads the head of every document and sorts. Helm's log lines about documents that it
    /// leaves out go to `warnings`.
    ///
    /// # Errors
    /// When a document is no YAML or no object.
    pub fn new(
        files: &'a [RenderedFile<'a>],
        dialect: Dialect,
        warnings: &mut Vec<String>,
    ) -> Result<Sorted<'a>, Unreadable> {
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
                documents.extend(classify(file, number, range, dialect, warnings)?);
            }
        }
        // Stable: documents of one kind keep their order.
        documents.sort_by(|a, b| order_of(&a.kind, dialect).cmp(&order_of(&b.kind, dialect)));
        let (hooks, manifests) = documents.into_iter().partition(|document| document.is_hook);
        Ok(Sorted {
            files,
            manifests,
            hooks,
        })
    }

    fn wanted_hooks(&self, selection: Selection<'_>) -> impl Iterator<Item = &Document> {
        let hooks = self.hooks.iter().filter(move |_| !selection.no_hooks);
        hooks.filter(move |hook| !(selection.skip_tests && hook.is_test))
    }

    /// What `helm template` writes to standard output.
    pub fn print(&self, crds: &[Crd<'_>], selection: Selection<'_>) -> Printed {
        let mut printed = Printed::default();
        for crd in crds {
            source(&mut printed.text, &crd.name);
            printed.text.extend_from_slice(crd.text);
            printed.text.push(b'\n');
        }
        for document in &self.manifests {
            self.emit(&mut printed, document);
        }
        let (start, end) = trimmed_range(&printed.text);
        printed.text.truncate(end);
        printed.text.drain(..start);
        for piece in &mut printed.pieces {
            piece.range = piece.range.start - start..(piece.range.end - start).min(end - start);
        }
        printed.text.push(b'\n');
        for document in self.wanted_hooks(selection) {
            self.emit(&mut printed, document);
        }
        printed
    }

    fn emit(&self, printed: &mut Printed, document: &Document) {
        let file = &self.files[document.file];
        source(&mut printed.text, file.name);
        let start = printed.text.len();
        printed.text.extend_from_slice(&file.text[document.range.clone()]);
        let range = start..printed.text.len();
        printed.pieces.push(Piece {
            range,
            file: document.file,
            offset: document.range.start,
            parsed: document.parsed.clone(),
        });
        printed.text.push(b'\n');
    }

    /// What `--output-dir` writes: names of files and what is appended to them, in Helm's order; first the
    /// CRDs, then the manifests, then the hooks.
    pub fn written(&self, crds: &[Crd<'_>], selection: Selection<'_>) -> [Vec<(String, Vec<u8>)>; 3] {
        let entry = |name: &str, text: &[u8]| {
            let mut piece = Vec::new();
            source(&mut piece, name);
            piece.extend_from_slice(text);
            piece.push(b'\n');
            (name.to_owned(), piece)
        };
        let of = |document: &Document| {
            let file = &self.files[document.file];
            entry(file.name, &file.text[document.range.clone()])
        };
        [
            crds.iter().map(|crd| entry(&crd.name, crd.text)).collect(),
            self.manifests.iter().map(of).collect(),
            self.wanted_hooks(selection).map(of).collect(),
        ]
    }
}

fn source(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(b"---\n# Source: ");
    out.extend_from_slice(name.as_bytes());
    out.push(b'\n');
}

/// `--show-only`: the printed stream is split once more and the pieces whose source fits are printed.
///
/// # Errors
/// When a pattern finds nothing.
pub fn show_only(text: &[u8], patterns: &[String], dialect: Dialect) -> Result<Vec<u8>, String> {
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

/// What `# Source: [^/]+/(.+)` finds first in a piece.
fn source_path(piece: &[u8]) -> Option<String> {
    const MARKER: &[u8] = b"# Source: ";
    memchr::memmem::find_iter(piece, MARKER).find_map(|found| {
        let rest = &piece[found + MARKER.len()..];
        let slash = memchr::memchr(b'/', rest).filter(|slash| *slash > 0)?;
        let path = rest[slash + 1..]
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        (!path.is_empty()).then(|| String::from_utf8_lossy(path).into_owned())
    })
}

/// Reads the head of a document and tells what it is; `None` for a document that Helm leaves out.
fn classify(
    file: &RenderedFile<'_>,
    number: usize,
    range: Range<usize>,
    dialect: Dialect,
    warnings: &mut Vec<String>,
) -> Result<Option<Document>, Unreadable> {
    let unreadable = |text| Unreadable {
        file: number,
        message: format!("YAML parse error on {}: {text}", file.name),
    };
    let text = &file.text[range.clone()];
    let parsed = yaml::parse_first(text).map_err(|error| unreadable(error.wrapped()))?;
    let head = Head::read(&parsed.node, dialect).map_err(unreadable)?;
    let mut document = Document {
        file: number,
        range,
        kind: head.kind,
        is_hook: false,
        is_test: false,
        parsed: ends_for_certain(text).then_some(parsed),
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
                    format!("manifest_sorter.go:199: info: skipping unknown hook: {quoted}")
                });
                return Ok(None);
            }
        }
    }
    Ok(Some(document))
}

/// True when blanks and line breaks behind a text, of which Helm prints others, change nothing in its data: no block
/// scalar reaches its end, or one that clips or strips what follows and ends in no blank.
fn ends_for_certain(text: &[u8]) -> bool {
    let is_header = |at: usize| {
        let next = text[at + 1..].iter().find(|byte| !byte.is_ascii_digit());
        matches!((text[at], next), (b'|' | b'>', Some(b'+')))
    };
    let mut headers = memchr::memchr2_iter(b'|', b'>', text).peekable();
    let lines_end = text.iter().rposition(|byte| *byte != b'\n');
    let ends_in_blank = lines_end.is_some_and(|last| text[last].is_ascii_whitespace());
    headers.peek().is_none() || text.ends_with(b"\n") && !ends_in_blank && !headers.any(is_header)
}

/// What Helm's `SimpleHead` holds.
#[derive(Default)]
struct Head {
    kind: String,
    hook: Option<String>,
}

impl Head {
    fn read(node: &Node, dialect: Dialect) -> Result<Head, String> {
        let type_name = if dialect.is_v4() {
            "util.SimpleHead"
        } else {
            "releaseutil.SimpleHead"
        };
        let mut head = Head::default();
        let mut decoder = Decoder::new(dialect);
        let known = ["apiVersion", "kind", "metadata"];
        decoder.object(node, type_name, "SimpleHead", &known, &mut |d, field, node| match field {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn print(files: &[(&str, &str)], selection: Selection<'_>, dialect: Dialect) -> String {
        let files: Vec<_> = files
            .iter()
            .map(|(name, text)| RenderedFile {
                name,
                text: text.as_bytes(),
            })
            .collect();
        let sorted = Sorted::new(&files, dialect, &mut Vec::new()).expect("YAML");
        String::from_utf8(sorted.print(&[], selection).text).expect("UTF-8")
    }

    #[test]
    fn hooks_come_last_and_can_be_left_out() {
        let hook = "metadata: {annotations: {helm.sh/hook: test}}";
        let files = [
            ("c/templates/a.yaml", hook),
            ("c/templates/b.yaml", "kind: Pod\n"),
        ];
        let whole = "---\n# Source: c/templates/b.yaml\nkind: Pod\n";
        let with_hook = format!("{whole}---\n# Source: c/templates/a.yaml\n{hook}\n");
        assert_eq!(print(&files, Selection::default(), Dialect::V4_3), with_hook);
        let skip_tests = Selection {
            skip_tests: true,
            ..Selection::default()
        };
        assert_eq!(print(&files, skip_tests, Dialect::V3_19), whole);
        assert_eq!(print(&[], Selection::default(), Dialect::V4_3), "\n");
    }

    #[test]
    fn a_source_may_stand_anywhere_in_a_piece() {
        assert_eq!(
            source_path(b"# Source: /x\n# Source: c/templates/a\nb"),
            Some("templates/a".to_owned())
        );
        assert_eq!(source_path(b"# Source: c\n"), None);
    }
}
