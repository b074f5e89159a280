//! YAML as Go's libraries read and write it.
//!
//! Helm reads all YAML through `sigs.k8s.io/yaml`, which is go-yaml v2 and then encoding/json. The
//! readers here give what that chain would hold, and fail where and how it fails; they keep positions,
//! which Go does not. The writer takes data of any model through `Source`.

mod data;
mod decode;
mod emit;
mod emit_scalar;
mod error;
pub(crate) mod float;
pub mod go_struct;
mod gosyntax;
pub mod node;
mod oddity;
mod order;
mod parse;
mod reader;
pub(crate) mod resolve;
mod scan;
mod scan_char;
mod scan_scalar;
mod scan_tag;
mod style;
mod timestamp;
mod token;
mod tree;
pub(crate) mod unicode;
mod written;

pub use data::{Sink, Source};
pub use emit::{EmitError, Emitter, Flavor, to_yaml};
pub use error::YamlError;
pub use node::{Entry, Mark, Node, NodeKind, Number};
pub use oddity::{Oddity, OddityKind, Spelling};
pub use written::written_scalar;

use decode::Interner;
use parse::Parser;
use scan::Scanner;

/// One document of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// Its data; null when nothing is written.
    pub node: Node,
    /// What is lawful but odd in it, in the order of the text as far as it goes.
    pub oddities: Vec<Oddity>,
    /// True when the text has no document at all: empty, or comments only.
    pub missing: bool,
    /// The offset where it ends: behind its `...`, else where the next thing begins.
    pub end: usize,
}

/// All documents of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// The documents up to the end or to the error.
    pub documents: Vec<Parsed>,
    /// Why reading stopped before the end.
    pub error: Option<YamlError>,
}

/// Reads the first document, as `yaml.Unmarshal` does: what follows it is not looked at.
///
/// # Errors
/// As `sigs.k8s.io/yaml` raises on the way to JSON.
pub fn parse_first(text: &[u8]) -> Result<Parsed, YamlError> {
    let input = reader::read(text);
    let mut parser = Parser::new(Scanner::new(&input.text, input.refused, input.lead));
    let document = read_document(&mut parser, &mut Interner::default())?;
    Ok(document.unwrap_or_else(|| Parsed {
        node: Node::new(NodeKind::Null),
        oddities: Vec::new(),
        missing: true,
        end: text.len(),
    }))
}

/// Reads every document, as go-yaml's decoder does.
pub fn parse_stream(text: &[u8]) -> Stream {
    let input = reader::read(text);
    let mut parser = Parser::new(Scanner::new(&input.text, input.refused, input.lead));
    let mut interner = Interner::default();
    let mut documents = Vec::new();
    let error = loop {
        match read_document(&mut parser, &mut interner) {
            Ok(Some(document)) => documents.push(document),
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    Stream { documents, error }
}

fn read_document(parser: &mut Parser<'_>, interner: &mut Interner) -> Result<Option<Parsed>, YamlError> {
    let Some((tree, root)) = tree::build(parser)? else {
        return Ok(None);
    };
    let (node, oddities) = decode::decode(&tree, root, interner)?;
    Ok(Some(Parsed {
        node,
        oddities,
        missing: false,
        end: parser.document_stop() as usize,
    }))
}

/// Reads a mapping, as `yaml.Unmarshal` into a Go map does; nothing reads as null.
///
/// # Errors
/// The text Helm shows.
pub fn unmarshal_map(text: &[u8]) -> Result<Parsed, String> {
    unmarshal(text, "map[string]interface {}", |node| node.is_map())
}

/// Reads a list, as `yaml.Unmarshal` into a Go slice does; nothing reads as null.
///
/// # Errors
/// The text Helm shows.
pub fn unmarshal_list(text: &[u8]) -> Result<Parsed, String> {
    unmarshal(text, "[]interface {}", |node| {
        matches!(node.kind, NodeKind::List(_))
    })
}

fn unmarshal(text: &[u8], go_type: &str, fits: impl Fn(&Node) -> bool) -> Result<Parsed, String> {
    let parsed = parse_first(text).map_err(|error| error.wrapped())?;
    if parsed.node.is_null() || fits(&parsed.node) {
        return Ok(parsed);
    }
    let found = match parsed.node.kind {
        NodeKind::Null => "null",
        NodeKind::Bool(_) => "bool",
        NodeKind::Number(_) => "number",
        NodeKind::Str(_) => "string",
        NodeKind::List(_) => "array",
        NodeKind::Map(_) => "object",
    };
    Err(format!(
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {found} into Go value of type {go_type}"
    ))
}

#[cfg(test)]
mod tests;
