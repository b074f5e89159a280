//! Reading a pin: every problem of the file at once, each with its place; then the seal.

use super::record::{Pin, PinnedCell, PinnedDocument, PinnedState, SCHEMA, parse_id};
use crate::base::{Digest, Place, Problem};
use crate::dialect::Dialect;
use crate::yaml::{self, Entry, Mark, Node, NodeKind, OddityKind};
use std::sync::Arc;

/// Reads the bytes of a file, which messages call `file`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read(file: &str, name: &str, bytes: &[u8]) -> Result<Pin, Vec<Problem>> {
    let mut reader = Reader {
        file: file.into(),
        problems: Vec::new(),
    };
    let parsed = match yaml::parse_first(bytes) {
        Ok(parsed) => parsed,
        Err(error) => {
            let mark = error.mark().unwrap_or_default();
            reader.problem(mark, format!("the pin is not readable as YAML: {error}"));
            return Err(reader.restore(name));
        }
    };
    for oddity in &parsed.oddities {
        if let OddityKind::DuplicateKey { .. } = oddity.kind {
            reader.problem(oddity.mark, "a key stands twice");
        }
    }
    let schema = parsed.node.get("schema").and_then(Node::as_str);
    if parsed.node.is_map() && schema != Some(SCHEMA) {
        let found = schema.map_or("no schema line".to_owned(), |schema| format!("schema {schema}"));
        reader.problem(
            parsed.node.mark,
            format!("the pin has {found}, this evenkeel reads {SCHEMA}"),
        );
        return Err(reader.restore(name));
    }
    let pin = reader.pin(&parsed.node, name);
    match pin {
        Some(pin) if reader.problems.is_empty() => Ok(pin),
        _ => Err(reader.restore(name)),
    }
}

struct Reader {
    file: Arc<str>,
    problems: Vec<Problem>,
}

impl Reader {
    fn problem(&mut self, mark: Mark, message: impl Into<String>) {
        let place = Place::new(self.file.clone(), mark.line, mark.column);
        self.problems.push(Problem::at(place, message));
    }

    /// The problems, with what to do about them.
    fn restore(mut self, name: &str) -> Vec<Problem> {
        self.problems.sort();
        if let Some(last) = self.problems.last_mut() {
            last.remedy = Some(format!(
                "restore the file from git, or pin anew: evenkeel pin REV --name {name} --force"
            ));
        }
        self.problems
    }

    fn pin(&mut self, node: &Node, name: &str) -> Option<Pin> {
        const KEYS: [&str; 13] = [
            "cells",
            "config",
            "dialect",
            "engine",
            "evenkeel",
            "kubeVersion",
            "name",
            "requested",
            "rules",
            "schema",
            "seal",
            "sha",
            "tree",
        ];
        if !self.map(node, "the pin", &KEYS) {
            return None;
        }
        let rules = self.list(node, "rules");
        let rules = rules
            .iter()
            .map(|rule| self.string(rule, "a rule"))
            .collect::<Vec<_>>();
        let cells = self.list(node, "cells");
        let cells = cells.iter().map(|cell| self.cell(cell)).collect::<Vec<_>>();
        let dialect = self.text(node, "dialect");
        let known = dialect.as_deref().map(Dialect::parse);
        if known == Some(None) {
            self.problem(
                mark_of(node, "dialect"),
                "the pin was made for a Helm that this evenkeel does not imitate",
            );
        }
        let seal = self.digest(node, "seal");
        let [pinned, requested, tree, evenkeel, engine] =
            ["name", "requested", "tree", "evenkeel", "engine"].map(|key| self.text(node, key));
        let sha = self.hex(node, "sha", &[40, 64]);
        let config = self.digest(node, "config");
        let pin = Pin {
            name: pinned?,
            requested: requested?,
            sha: sha?,
            tree: tree?,
            evenkeel: evenkeel?,
            engine: engine?,
            dialect: known??,
            kube_version: self.optional(node, "kubeVersion"),
            config: config?,
            rules: rules.into_iter().collect::<Option<_>>()?,
            cells: cells.into_iter().collect::<Option<_>>()?,
        };
        if pin.name != name {
            self.problem(
                mark_of(node, "name"),
                format!("the file is called {name} but holds the pin {}", pin.name),
            );
        }
        if self.problems.is_empty() && seal? != pin.seal() {
            self.problem(
                mark_of(node, "seal"),
                "the pin was edited after it was written: its seal does not fit its content",
            );
        }
        Some(pin)
    }

    fn cell(&mut self, node: &Node) -> Option<PinnedCell> {
        const KEYS: [&str; 7] = [
            "chart",
            "documents",
            "failed",
            "kubeVersion",
            "namespace",
            "platform",
            "release",
        ];
        if !self.map(node, "a cell", &KEYS) {
            return None;
        }
        let state = match (node.get("failed"), node.get("documents")) {
            (Some(_), None) => self.digest(node, "failed").map(PinnedState::Failed),
            (None, Some(_)) => {
                let documents = self.list(node, "documents");
                let documents: Vec<_> = documents.iter().map(|document| self.document(document)).collect();
                documents
                    .into_iter()
                    .collect::<Option<_>>()
                    .map(PinnedState::Rendered)
            }
            _ => {
                self.problem(node.mark, "a cell has either documents or failed");
                None
            }
        };
        let texts = ["release", "namespace", "chart"].map(|key| self.text(node, key));
        let [release, namespace, chart] = texts;
        Some(PinnedCell {
            release: release?,
            platform: self.optional(node, "platform").unwrap_or_default(),
            namespace: namespace?,
            chart: chart?,
            kube_version: self.optional(node, "kubeVersion"),
            state: state?,
        })
    }

    fn document(&mut self, node: &Node) -> Option<PinnedDocument> {
        if !self.map(node, "a document", &["digest", "id", "volatile"]) {
            return None;
        }
        let digest = self.digest(node, "digest");
        let text = self.text(node, "id")?;
        let id = parse_id(&text);
        if id.is_none() {
            self.problem(
                mark_of(node, "id"),
                "id is not of the form group/version/Kind/namespace/name",
            );
        }
        let volatile = match node.get("volatile").map(|node| &node.kind) {
            None => false,
            Some(NodeKind::Bool(volatile)) => *volatile,
            Some(_) => {
                self.problem(mark_of(node, "volatile"), "volatile is neither true nor false");
                false
            }
        };
        Some(PinnedDocument {
            id: id?,
            digest: digest?,
            volatile,
        })
    }

    /// True for a mapping; names the keys that do not belong there.
    fn map(&mut self, node: &Node, what: &str, keys: &[&str]) -> bool {
        if !node.is_map() {
            self.problem(node.mark, format!("{what} is {}, not a map", node.kind_name()));
            return false;
        }
        for Entry { key, mark, .. } in node.entries() {
            if !keys.contains(&&**key) {
                self.problem(*mark, format!("{what} has an unknown key {key}"));
            }
        }
        true
    }

    fn list<'a>(&mut self, node: &'a Node, key: &str) -> &'a [Node] {
        match node.get(key) {
            Some(list) if matches!(list.kind, NodeKind::List(_)) => list.items(),
            Some(other) => {
                self.problem(other.mark, format!("{key} is {}, not a list", other.kind_name()));
                &[]
            }
            None => {
                self.problem(node.mark, format!("{key} is missing"));
                &[]
            }
        }
    }

    fn text(&mut self, node: &Node, key: &str) -> Option<String> {
        match node.get(key) {
            Some(value) => self.string(value, key),
            None => {
                self.problem(node.mark, format!("{key} is missing"));
                None
            }
        }
    }

    fn optional(&mut self, node: &Node, key: &str) -> Option<String> {
        node.get(key).and_then(|value| self.string(value, key))
    }

    fn string(&mut self, node: &Node, what: &str) -> Option<String> {
        let text = node.as_str().map(str::to_owned);
        if text.is_none() {
            self.problem(node.mark, format!("{what} is {}, not a string", node.kind_name()));
        }
        text
    }

    fn hex(&mut self, node: &Node, key: &str, lengths: &[usize]) -> Option<String> {
        let text = self.text(node, key)?;
        if lengths.contains(&text.len())
            && text
                .bytes()
                .all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c))
        {
            return Some(text);
        }
        let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
        self.problem(
            mark_of(node, key),
            format!("{key} is not {} hex digits", lengths.join(" or ")),
        );
        None
    }

    fn digest(&mut self, node: &Node, key: &str) -> Option<Digest> {
        let text = self.hex(node, key, &[64])?;
        Digest::from_hex(&text)
    }
}

fn mark_of(node: &Node, key: &str) -> Mark {
    node.get(key).map_or(node.mark, |value| value.mark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::record::tests::pin;
    use crate::baseline::write::write;

    fn problems(text: &str) -> Vec<String> {
        let problems = read("baselines/v1.yaml", "v1", text.as_bytes()).unwrap_err();
        problems.iter().map(Problem::to_string).collect()
    }

    #[test]
    fn reads_what_was_written() {
        let text = write(&pin());
        assert_eq!(read("f", "v1", text.as_bytes()).unwrap(), pin());
        // Other line ends and added comments are no edits.
        let text = format!("# mine\n{}", text.replace('\n', "\r\n"));
        assert_eq!(read("f", "v1", text.as_bytes()).unwrap(), pin());
    }

    /// The writer is of another school (YAML 1.2) than the reader (Go's YAML 1.1).
    #[test]
    fn odd_texts_read_back() {
        for text in [
            "y",
            "N",
            "on",
            "Off",
            "yes",
            "~",
            "null",
            "0777",
            "0o17",
            "0x1f",
            "0b11",
            "1:20",
            "1_000",
            "12e5",
            ".5",
            ".inf",
            "+1",
            "-",
            "2001-01-01",
            "2001-12-14 21:59:43.10 -5",
            "<<",
            "=",
            "a: b",
            "# x",
            "'",
            "\"",
            "a\nb",
            " a ",
            "*a",
            "&a",
            "!a",
            "|",
            "%a",
            "@a",
            "`a",
            "{a}",
            "[a]",
            "\u{1b}",
            "\u{feff}a",
            "日本",
            "",
            "1234567890123456789012345678901234567e12",
        ] {
            let mut pin = pin();
            pin.requested = text.into();
            pin.cells[0].release = text.into();
            pin.cells[0].chart = text.into();
            pin.cells[0].kube_version = Some(text.into());
            pin.sort();
            let read = read("f", "v1", write(&pin).as_bytes());
            assert_eq!(read.as_ref(), Ok(&pin), "{text:?}");
        }
    }

    /// Changes every value of the file, one at a time.
    #[test]
    fn every_edit_is_noticed() {
        let text = write(&pin());
        let lines: Vec<&str> = text.lines().collect();
        let mut edits = 0;
        for (index, line) in lines.iter().enumerate() {
            let Some((key, value)) = line.split_once(": ").filter(|_| !line.starts_with('#')) else {
                continue;
            };
            let value = value.trim_matches(['\'', '"']);
            let edited = match value {
                "true" => "false".to_owned(),
                "4.3" => "3.19".to_owned(),
                _ if value.len() >= 40 => value.replace(|c| c == value.chars().next().unwrap(), "e"),
                _ => format!("x{value}"),
            };
            if edited == value {
                continue;
            }
            let mut copy: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            copy[index] = match edited.as_str() {
                "false" => format!("{key}: false"),
                _ => format!("{key}: \"{edited}\""),
            };
            edits += 1;
            let told = problems(&copy.join("\n"));
            assert!(!told.is_empty(), "{line}");
            if ["sha", "config"].contains(&key) {
                assert!(told[0].contains("edited after it was written"), "{told:?}");
            }
        }
        assert!(edits > 20);
        let cut: Vec<&str> = lines
            .iter()
            .copied()
            .filter(|line| !line.contains("Service"))
            .collect();
        assert!(!problems(&cut.join("\n")).is_empty());
    }

    #[test]
    fn all_problems_are_told_with_their_places() {
        let text = write(&pin())
            .replace("sha: \"4f1c", "sha: \"XX1c")
            .replace("- id: v1/Service/apps/chat", "- id: chat")
            .replace(
                "  namespace: apps\n  chart: loki",
                "  nmespace: apps\n  chart: loki",
            )
            .replace("engine: native", "engine: [native]");
        let told = problems(&text);
        assert_eq!(told.len(), 5, "{told:#?}");
        for (message, place) in [
            ("sha is not 40 or 64 hex digits", "baselines/v1.yaml:6:6: "),
            ("id is not of the form", "baselines/v1.yaml:"),
            ("unknown key nmespace", "baselines/v1.yaml:"),
            ("namespace is missing", "baselines/v1.yaml:"),
            ("engine is a list, not a string", "baselines/v1.yaml:9:9: "),
        ] {
            assert!(
                told.iter()
                    .any(|problem| problem.contains(message) && problem.starts_with(place)),
                "{message}: {told:#?}"
            );
        }
        assert!(
            told[4].contains("evenkeel pin REV --name v1 --force"),
            "{told:#?}"
        );
    }

    #[test]
    fn other_formats_and_broken_files() {
        let text = write(&pin()).replace("evenkeel.pin/1", "evenkeel.pin/2");
        assert!(problems(&text)[0].contains("evenkeel.pin/2"));
        assert!(problems("a: [")[0].contains("not readable as YAML"));
        assert!(problems("")[0].contains("is null, not a map"));
        let renamed = read("f", "v2", write(&pin()).as_bytes()).unwrap_err();
        assert!(renamed[0].message.contains("holds the pin v1"));
        let twice = write(&pin()).replace("engine: native", "engine: native\nengine: witness");
        assert!(
            problems(&twice)
                .iter()
                .any(|problem| problem.contains("stands twice"))
        );
    }
}
