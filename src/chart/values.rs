//! Reading values documents (`pkg/chart/v2/loader/load.go`, `LoadValues`).

use crate::dialect::Dialect;
use crate::yaml::{self, Mark, Node};

/// The documents of a values file, each a map or empty: Helm 3 reads the first, Helm 4 all of them.
///
/// # Errors
/// Helm's message, without what the caller puts before it.
pub fn read(bytes: &[u8], dialect: Dialect) -> Result<Vec<Node>, String> {
    if !dialect.is_v4() {
        return Ok(vec![yaml::unmarshal_map(bytes)?.node]);
    }
    let mut documents = Vec::new();
    for (lines, text) in pieces(bytes) {
        let parsed =
            yaml::unmarshal_map(text).map_err(|text| format!("cannot unmarshal yaml document: {text}"))?;
        documents.push(if lines == 0 {
            parsed.node
        } else {
            parsed.node.with_moved_marks(&|mark| Mark {
                line: mark.line + lines,
                ..mark
            })
        });
    }
    Ok(documents)
}

/// The documents as `k8s.io/apimachinery/pkg/util/yaml.YAMLReader` cuts them: at lines that begin with `---`
/// and hold nothing else but blanks; a separator before any text belongs to the document. Each with the
/// number of lines before it.
fn pieces(bytes: &[u8]) -> Vec<(u32, &[u8])> {
    let mut pieces = Vec::new();
    let (mut start, mut start_line) = (0, 0);
    let mut at = 0;
    for (line, number) in bytes.split_inclusive(|byte| *byte == b'\n').zip(1..) {
        let next = at + line.len();
        if is_separator(line) && at > start {
            pieces.push((start_line, &bytes[start..at]));
            (start, start_line) = (next, number);
        }
        at = next;
    }
    if bytes.len() > start {
        pieces.push((start_line, &bytes[start..]));
    }
    pieces
}

fn is_separator(line: &[u8]) -> bool {
    line.strip_prefix(b"---")
        .is_some_and(|rest| rest.iter().all(u8::is_ascii_whitespace))
}
