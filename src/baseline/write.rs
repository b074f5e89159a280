//! The bytes of a pin's file. Written by hand: the reader takes YAML as Go does (1.1), where a release that is
//! called `y` and a digest of digits alone are no strings unless they are quoted.

use super::record::{Pin, PinnedCell, PinnedState, SCHEMA, print_id};
use std::borrow::Cow;
use std::fmt::Write as _;

const HEADER: &str = "\
# A pinned baseline, written by `evenkeel pin`. Do not edit: the seal at the end covers every value.
# Each digest is the BLAKE3 of a document's canonical form.
";

/// The same record gives the same bytes, in whatever order its cells and documents come.
pub(super) fn write(pin: &Pin) -> String {
    let mut pin = pin.clone();
    pin.sort();
    let mut out = HEADER.to_owned();
    for (key, value) in [
        ("schema", SCHEMA),
        ("name", &pin.name),
        ("requested", &pin.requested),
        ("sha", &pin.sha),
        ("tree", &pin.tree),
        ("evenkeel", &pin.evenkeel),
        ("engine", &pin.engine),
        ("dialect", pin.dialect.name()),
    ] {
        entry(&mut out, "", key, value);
    }
    if let Some(version) = &pin.kube_version {
        entry(&mut out, "", "kubeVersion", version);
    }
    entry(&mut out, "", "config", &pin.config.hex());
    list(&mut out, "", "rules", pin.rules.is_empty());
    for rule in &pin.rules {
        let _ = writeln!(out, "- {}", scalar(rule));
    }
    list(&mut out, "", "cells", pin.cells.is_empty());
    for cell in &pin.cells {
        write_cell(&mut out, cell);
    }
    entry(&mut out, "", "seal", &pin.seal().hex());
    out
}

fn write_cell(out: &mut String, cell: &PinnedCell) {
    entry(out, "- ", "release", &cell.release);
    if !cell.platform.is_empty() {
        entry(out, "  ", "platform", &cell.platform);
    }
    entry(out, "  ", "namespace", &cell.namespace);
    entry(out, "  ", "chart", &cell.chart);
    if let Some(version) = &cell.kube_version {
        entry(out, "  ", "kubeVersion", version);
    }
    match &cell.state {
        PinnedState::Failed(message) => entry(out, "  ", "failed", &message.hex()),
        PinnedState::Rendered(documents) => {
            list(out, "  ", "documents", documents.is_empty());
            for document in documents {
                entry(out, "  - ", "id", &print_id(&document.id));
                entry(out, "    ", "digest", &document.digest.hex());
                if document.volatile {
                    out.push_str("    volatile: true\n");
                }
            }
        }
    }
}

fn entry(out: &mut String, lead: &str, key: &str, value: &str) {
    let _ = writeln!(out, "{lead}{key}: {}", scalar(value));
}

fn list(out: &mut String, indent: &str, key: &str, empty: bool) {
    let _ = writeln!(out, "{indent}{key}:{}", if empty { " []" } else { "" });
}

/// A string that no reader takes for anything else.
fn scalar(text: &str) -> Cow<'_, str> {
    let words = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|c| c.is_ascii_alphanumeric() || b"._/@+-".contains(&c))
        && !words.iter().any(|word| text.eq_ignore_ascii_case(word))
        && !is_hex(text);
    if is_plain {
        return Cow::Borrowed(text);
    }
    // Every JSON string is a YAML string.
    Cow::Owned(serde_json::to_string(text).expect("a string is JSON"))
}

/// Digests are quoted alike, though only some of them could be taken for numbers.
fn is_hex(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|c| c.is_ascii_hexdigit())
}
