//! `# evenkeel: allow CHECK -- reason`, read from a values file with the key it stands at.
//!
//! A text that only looks like such a comment, in a string or a block of text, is told apart by taking it away:
//! a comment changes no data.

use crate::check::{self, Pass};
use crate::manifest::canon::same_data;
use crate::plan::nearest;
use crate::yaml::{self, Mark, Node, NodeKind};
use std::ops::RangeInclusive;

const MARKER: &str = "evenkeel:";

/// A comment that silences checks, or means to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AllowComment {
    /// Where it begins.
    pub(super) line: u32,
    pub(super) column: u32,
    /// Its text, without the `#`.
    pub(super) text: String,
    /// What it says.
    pub(super) meaning: Result<Allowed, Fault>,
}

/// Which findings are silenced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Allowed {
    pub(super) checks: Vec<&'static str>,
    /// The key and what is below it, by line and column.
    reach: RangeInclusive<(u32, u32)>,
}

/// Why a comment silences nothing, and what to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) remedy: String,
}

impl Allowed {
    /// True for a place at the key or below it; a place without a column is on its line.
    pub(super) fn covers(&self, line: u32, column: u32) -> bool {
        let (start, end) = (*self.reach.start(), *self.reach.end());
        match column {
            0 => (start.0..=end.0).contains(&line),
            column => self.reach.contains(&(line, column)),
        }
    }
}

/// Every such comment of a file.
pub(super) fn read(bytes: &[u8]) -> Vec<AllowComment> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Vec::new();
    };
    if !text.contains(MARKER) {
        return Vec::new();
    }
    let documents = documents(text);
    let mut starts = Vec::new();
    for document in &documents {
        collect(document, &mut starts);
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let mut offset = 0;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        if let Some((hash, said)) = comment(line)
            && is_comment(text, offset + hash, offset + line.trim_end().len(), &documents)
        {
            let target = target(&lines, at, line[..hash].trim().is_empty(), &starts);
            found.push(AllowComment {
                line: number(at + 1),
                column: number(line[..hash].chars().count() + 1),
                text: said.to_owned(),
                meaning: meaning(said, target),
            });
        }
        offset += line.len();
    }
    found
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn documents(text: &str) -> Vec<Node> {
    let stream = yaml::parse_stream(text.as_bytes());
    stream
        .documents
        .into_iter()
        .map(|document| document.node)
        .collect()
}

/// The last `# evenkeel: ...` of a line: where it begins, and what follows the marker.
fn comment(line: &str) -> Option<(usize, &str)> {
    let marker = line.rfind(MARKER)?;
    let before = line[..marker].trim_end();
    let hash = before.strip_suffix('#')?.len();
    let is_apart = hash == 0 || line[..hash].ends_with(char::is_whitespace);
    is_apart.then(|| (hash, line[marker + MARKER.len()..].trim()))
}

/// True when the text means the same without this piece.
fn is_comment(text: &str, start: usize, end: usize, documents: &[Node]) -> bool {
    // The `#` stays, so that no line of a block scalar becomes an empty one.
    let without = format!("{}{}", &text[..=start], &text[end..]);
    let read = self::documents(&without);
    read.len() == documents.len() && read.iter().zip(documents).all(|(a, b)| same_data(a, b))
}

/// What begins at a place of the file: a key with what is below it, or an element of a list.
struct Start {
    from: (u32, u32),
    to: (u32, u32),
}

fn position(mark: Mark) -> (u32, u32) {
    (mark.line, mark.column)
}

/// Collects keys and elements; gives the last position inside a node.
fn collect(node: &Node, starts: &mut Vec<Start>) -> (u32, u32) {
    let mut last = position(node.mark);
    match &node.kind {
        NodeKind::Map(entries) => {
            for entry in entries.iter() {
                let from = position(entry.mark);
                // What an anchor or a merge key brings in stands elsewhere.
                let to = collect(&entry.value, starts).max(from);
                starts.push(Start { from, to });
                last = last.max(to);
            }
        }
        NodeKind::List(items) => {
            for item in items.iter() {
                let from = position(item.mark);
                let to = collect(item, starts).max(from);
                starts.push(Start { from, to });
                last = last.max(to);
            }
        }
        NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number(_) | NodeKind::Str(_) => {}
    }
    last
}

/// What a comment stands at: what begins on its own line, or below it with nothing but comments between.
fn target(lines: &[&str], at: usize, is_alone: bool, starts: &[Start]) -> Option<RangeInclusive<(u32, u32)>> {
    let mut line = at;
    if is_alone {
        line += 1;
        while lines.get(line)?.trim_start().starts_with('#') {
            line += 1;
        }
    }
    let here = starts.iter().filter(|start| start.from.0 == number(line + 1));
    let first = here.min_by_key(|start| (start.from, std::cmp::Reverse(start.to)))?;
    Some(first.from..=first.to)
}

fn meaning(said: &str, target: Option<RangeInclusive<(u32, u32)>>) -> Result<Allowed, Fault> {
    let form = "write `# evenkeel: allow CHECK -- why` at a key";
    let fault = |message: &str, remedy: &str| Fault {
        message: message.to_owned(),
        remedy: remedy.to_owned(),
    };
    let Some(rest) = said
        .strip_prefix("allow")
        .filter(|rest| !rest.starts_with(char::is_alphanumeric))
    else {
        return Err(fault(&format!("`evenkeel: {said}` is no instruction"), form));
    };
    let (names, reason) = rest.split_once("--").unwrap_or((rest, ""));
    let mut checks = Vec::new();
    for name in names
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|name| !name.is_empty())
    {
        match check::find(name) {
            Some(check) if !matches!(check.pass, Pass::Run) => checks.push(check.name),
            Some(_) => {
                return Err(fault(&format!("{name} cannot be silenced by a comment"), form));
            }
            None => return Err(unknown(name)),
        }
    }
    if checks.is_empty() {
        return Err(fault("the comment names no check to allow", form));
    }
    if reason.trim().is_empty() {
        return Err(fault(
            &format!("allow {} gives no reason", checks.join(", ")),
            &format!("say why: `# evenkeel: allow {} -- why`", checks.join(", ")),
        ));
    }
    match target {
        Some(reach) => Ok(Allowed { checks, reach }),
        None => Err(fault(
            &format!("allow {} stands at no key", checks.join(", ")),
            "put it on the line of the key, or directly above it",
        )),
    }
}

fn unknown(name: &str) -> Fault {
    let known = check::CHECKS.iter().map(|check| check.name);
    let near = nearest(name, known).map_or_else(String::new, |near| format!(", did you mean {near}?"));
    Fault {
        message: format!("there is no check {name}{near}"),
        remedy: "`evenkeel explain` lists the checks".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> AllowComment {
        let mut found = read(text.as_bytes());
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    fn fault(text: &str) -> String {
        one(text).meaning.expect_err("a fault").message
    }

    #[test]
    fn a_comment_covers_its_key_and_what_is_below() {
        let allowed = |text: &str| one(text).meaning.expect("it can be read");
        let own =
            allowed("a: 1\nenv: # evenkeel: allow list-replaced -- restated\n  - x: 1\n    y: 2\nb: 1\n");
        assert_eq!(own.checks, ["list-replaced"]);
        assert!(own.covers(2, 1) && own.covers(4, 5) && own.covers(3, 0));
        assert!(!own.covers(1, 1) && !own.covers(5, 1));
        let above =
            allowed("# evenkeel: allow unread-key, list-replaced -- two\n# more\nenv: {a: 1}\nb: 1\n");
        assert_eq!(above.checks, ["unread-key", "list-replaced"]);
        assert!(above.covers(3, 7) && !above.covers(4, 1));
        let element = allowed("e:\n- name: A # evenkeel: allow env-lost -- gone\n  value: 1\n- name: B\n");
        assert!(element.covers(3, 3) && !element.covers(4, 3));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        assert_eq!(
            fault("a: 1 # evenkeel: allow list-replaced\n"),
            "allow list-replaced gives no reason"
        );
        assert_eq!(
            fault("a: 1 # evenkeel: allow list-replace -- x\n"),
            "there is no check list-replace, did you mean list-replaced?"
        );
        assert_eq!(
            fault("# evenkeel: allow list-replaced -- x\n\na: 1\n"),
            "allow list-replaced stands at no key"
        );
        assert_eq!(
            fault("a: 1 # evenkeel: allows\n"),
            "`evenkeel: allows` is no instruction"
        );
        assert_eq!(
            fault("a: 1 # evenkeel: allow unused-allow -- x\n"),
            "unused-allow cannot be silenced by a comment"
        );
    }

    #[test]
    fn text_in_a_value_is_no_comment() {
        assert_eq!(
            read(b"a: |\n  x\n  # evenkeel: allow list-replaced -- x\nb: 1\n"),
            []
        );
        assert_eq!(read(b"a: \"x # evenkeel: allow list-replaced -- x\"\n"), []);
        assert_eq!(read(b"a: x# evenkeel: allow list-replaced -- x\n"), []);
    }
}
