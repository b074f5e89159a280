//! Reading values documents (`pkg/chart/v2/loader/load.go`, `LoadValues`).

use crate::dialect::Dialect;
use crate::yaml::{self, Mark, Node, Oddity, OddityKind};

/// One document of a values file as it was written.
#[derive(Clone, Debug)]
pub struct WrittenDocument {
    /// Its data: a map or null. Marks count lines from the start of the file, offsets from the start of the
    /// document.
    pub node: Node,
    /// What is lawful but odd in it.
    pub oddities: Vec<Oddity>,
    /// Where its text begins in the file.
    pub start: usize,
}

/// The documents of a values file, each a map or empty: Helm 3 reads the first, Helm 4 all of them.
///
/// # Errors
/// Helm's message, without what the caller puts before it.
pub fn read(bytes: &[u8], dialect: Dialect) -> Result<Vec<Node>, String> {
    let documents = written(bytes, dialect)?;
    Ok(documents.into_iter().map(|document| document.node).collect())
}

/// As `read`, with what is odd.
///
/// # Errors
/// As `read`.
pub fn written(bytes: &[u8], dialect: Dialect) -> Result<Vec<WrittenDocument>, String> {
    if !dialect.is_v4() {
        return Ok(vec![document(yaml::unmarshal_map(bytes)?, 0, 0)]);
    }
    let mut documents = Vec::new();
    for (lines, start, text) in pieces(bytes) {
        let parsed =
            yaml::unmarshal_map(text).map_err(|text| format!("cannot unmarshal yaml document: {text}"))?;
        documents.push(document(parsed, lines, start));
    }
    Ok(documents)
}

fn document(parsed: yaml::Parsed, lines: u32, start: usize) -> WrittenDocument {
    let down = |mark: Mark| Mark {
        line: mark.line + lines,
        ..mark
    };
    let mut document = WrittenDocument {
        node: parsed.node,
        oddities: parsed.oddities,
        start,
    };
    if lines > 0 {
        document.node = document.node.with_moved_marks(&down);
        for oddity in &mut document.oddities {
            oddity.mark = down(oddity.mark);
            if let OddityKind::DuplicateKey { first, .. } | OddityKind::MergeReplaces { first, .. } =
                &mut oddity.kind
            {
                *first = down(*first);
            }
        }
    }
    document
}

/// The lines at which the documents of a file begin, as Helm 4 cuts them. Those that hold nothing are left
/// out.
pub fn starts(bytes: &[u8]) -> Vec<u32> {
    let is_filled = |text: &[u8]| {
        let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        lines.any(|line| !line.is_empty() && !line.starts_with(b"#") && line != b"---" && line != b"...")
    };
    pieces(bytes)
        .into_iter()
        .filter(|(_, _, text)| is_filled(text))
        .map(|(lines, ..)| lines + 1)
        .collect()
}

/// The documents as `k8s.io/apimachinery/pkg/util/yaml.YAMLReader` cuts them: at lines that begin with `---`
/// and hold nothing else but blanks; a separator before any text belongs to the document. Each with the
/// number of lines before it and its offset.
fn pieces(bytes: &[u8]) -> Vec<(u32, usize, &[u8])> {
    let mut pieces = Vec::new();
    let (mut start, mut start_line) = (0, 0);
    let mut at = 0;
    for (line, number) in bytes.split_inclusive(|byte| *byte == b'\n').zip(1..) {
        let next = at + line.len();
        if is_separator(line) && at > start {
            pieces.push((start_line, start, &bytes[start..at]));
            (start, start_line) = (next, number);
        }
        at = next;
    }
    if bytes.len() > start {
        pieces.push((start_line, start, &bytes[start..]));
    }
    pieces
}

fn is_separator(line: &[u8]) -> bool {
    line.strip_prefix(b"---")
        .is_some_and(|rest| rest.iter().all(u8::is_ascii_whitespace))
}
