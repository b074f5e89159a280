//! `number-mangled`: a plain scalar of a values file that templates print otherwise than it is written.
//!
//! Invariant: nothing is told that a render does not prove: the scalar is put in quotes, as it is written, and
//! the outputs are compared.

use super::live::is_off;
use super::{ChartView, Check, Hazard, Pass, SideView, Sink};
use crate::base::{KeyPath, Level, Place, Step};
use crate::engine::{History, RenderJob, ValuesInput};
use crate::layers::written::{Author, WrittenLayer, path_of};
use crate::manifest::Document;
use crate::value::marks::MOST_MARKS;
use crate::value::{Data, Mark, Marks, Value, print};
use crate::yaml::{Entry, Node, NodeKind, Number, parse_first, written_scalar};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The check.
pub static CHECK: Check = Check {
    name: "number-mangled",
    level: Level::Deny,
    audit_only: false,
    explain: "A plain scalar of a values file is not the text that it seems to be. Helm reads every number as a float \
and YAML 1.1 has its own idea of others, so templates print something else than what is written:\n\n\
\x20   1.10                 prints 1.1: another image\n\
\x20   10485760             prints 1.048576e+07\n\
\x20   9007199254740993     prints 9.007199254740992e+15: another number\n\
\x20   0042                 prints 34: an octal\n\
\x20   yes, no, on, off     print true and false\n\n\
The finding is proven by a render in which the scalar is a string: it is told where the output then holds the written \
text and now holds another, and silent where the template converts the number (int64) or prints it in full (toYaml). \
Where the other spelling is the same number in a place of its own it weighs less, or nothing.\n\n\
Put the scalar in quotes, or let the template convert it. --set keeps whole numbers and takes 1.10 and 0042 as \
text, so a value that moves from there into a file needs quotes. Dates are no hazard: Helm leaves them as text.",
    pass: Pass::Documents(run),
};

/// The characters of the shortest checksum, an MD5 sum.
const CHECKSUM: usize = 32;

/// A scalar that may be printed otherwise.
struct Suspect<'w> {
    layer: &'w WrittenLayer,
    path: KeyPath,
    place: Place,
    written: String,
    /// What templates print: as text, and inside JSON or YAML.
    printed: [String; 2],
    node: Node,
    /// What has to be replaced to put it in quotes: the scalar, or the outermost list around it.
    whole: KeyPath,
    /// That list; the scalar itself elsewhere.
    base: Node,
}

fn run(side: &SideView<'_>, sink: &mut Sink) {
    let Some(view) = &side.chart else { return };
    let suspects = match side.history {
        Some(history) => shown(suspects(view), side, history),
        None => suspects(view),
    };
    if suspects.is_empty() {
        return;
    }
    let texts = side.manifest.documents.iter().map(|document| document.text());
    let output = String::from_utf8_lossy(&texts.collect::<Vec<_>>().join(&b'\n')).into_owned();
    prove(view, &suspects.iter().collect::<Vec<_>>(), &output, sink);
}

/// The suspects that the output may show: their printed form stands in it, in bytes that they flowed into. Most numbers
/// are not printed, or converted by the template, and need no render to be cleared.
fn shown<'w>(suspects: Vec<Suspect<'w>>, side: &SideView<'_>, history: &History) -> Vec<Suspect<'w>> {
    let mut origins: Vec<Vec<u32>> = vec![Vec::new(); suspects.len()];
    for (number, origin) in (0..).zip(&history.marks.origins) {
        for (suspect, own) in suspects.iter().zip(&mut origins) {
            let is_named = || match suspect.path.0.last() {
                Some(Step::Key(key)) => *key == *origin.step,
                _ => true,
            };
            if origin.line == suspect.place.line && is_named() {
                own.push(number);
            }
        }
    }
    let flowed = |marks: Marks, own: &[u32]| {
        let set = history.marks.get(marks);
        let is_own = |mark: &Mark| matches!(mark, Mark::Origin(number) if own.contains(number));
        // A full set may have lost it; what has no place of its own may be anywhere.
        own.is_empty() || set.len() >= MOST_MARKS || set.iter().any(is_own)
    };
    let is_in = |document: &Document, printed: &str, own: &[u32]| {
        let (text, start) = (document.text(), document.range().start);
        memchr::memmem::find_iter(text, printed).any(|at| {
            let end = at + printed.len();
            let bytes = start + at..start + end;
            !is_in_checksum(text, at, end) && history.spans(bytes).any(|(_, span)| flowed(span.marks, own))
        })
    };
    let documents = &side.manifest.documents;
    let is_shown = |suspect: &Suspect<'_>, own: &[u32]| {
        let mut printed = suspect.printed.iter();
        printed.any(|printed| documents.iter().any(|document| is_in(document, printed, own)))
    };
    let found = suspects.into_iter().zip(origins);
    found
        .filter(|(suspect, own)| is_shown(suspect, own))
        .map(|(suspect, _)| suspect)
        .collect()
}

/// True within a word so long that it is a checksum, or encoded: it holds any digits.
fn is_in_checksum(text: &[u8], at: usize, end: usize) -> bool {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric();
    let before = text[..at].iter().rev().take(CHECKSUM).take_while(is_part).count();
    let behind = text[end..].iter().take(CHECKSUM).take_while(is_part).count();
    before + (end - at) + behind >= CHECKSUM
}

/// Renders with the suspects in quotes, all at once, and looks closer only where that shows. Most big numbers
/// are converted by the template, and one render clears them all.
fn prove(view: &ChartView<'_>, suspects: &[&Suspect<'_>], output: &str, sink: &mut Sink) {
    if suspects.is_empty() {
        return;
    }
    let quoted = render(view, suspects);
    match (&quoted, suspects) {
        (Some(other), _) if is_clear(output, other) => {}
        (Some(other), [suspect]) => {
            if let Some((level, printed)) = verdict(suspect, output, other) {
                tell(view, suspect, level, &printed, sink);
            }
        }
        (None, [_]) => {}
        (Some(other), _) => {
            let left = in_changed_lines(suspects, output, other);
            if left.len() < suspects.len() {
                prove(view, &left, output, sink);
            } else {
                halve(view, &left, output, sink);
            }
        }
        (None, _) => halve(view, suspects, output, sink),
    }
}

fn halve(view: &ChartView<'_>, suspects: &[&Suspect<'_>], output: &str, sink: &mut Sink) {
    let (one, two) = suspects.split_at(suspects.len() / 2);
    prove(view, one, output, sink);
    prove(view, two, output, sink);
}

/// The suspects that stand as printed in a line that quotes changed. A checksum over one changes as well, and shows none.
fn in_changed_lines<'s, 'w>(suspects: &[&'s Suspect<'w>], output: &str, other: &str) -> Vec<&'s Suspect<'w>> {
    let lines = bare_lines(other);
    let changed: Vec<String> = output
        .lines()
        .map(without_quotes)
        .filter(|line| !lines.contains(line))
        .collect();
    let is_there = |suspect: &&&Suspect<'_>| {
        let mut printed = suspect.printed.iter();
        printed.any(|printed| {
            let mut lines = changed.iter();
            lines.any(|line| {
                let mut found = line.match_indices(printed.as_str());
                found.any(|(at, text)| !is_in_checksum(line.as_bytes(), at, at + text.len()))
            })
        })
    };
    suspects.iter().filter(is_there).copied().collect()
}

/// True when quotes make no difference.
fn is_clear(output: &str, other: &str) -> bool {
    let lines = bare_lines(other);
    output.lines().all(|line| lines.contains(&without_quotes(line)))
}

fn tell(view: &ChartView<'_>, suspect: &Suspect<'_>, level: Level, printed: &str, sink: &mut Sink) {
    let written = &suspect.written;
    let is_default_in_audit = view.is_audit && !suspect.layer.is_users();
    sink.tell(Hazard {
        level: if is_default_in_audit {
            level.min(Level::Warn)
        } else {
            level
        },
        value_path: Some(suspect.path.clone()),
        object: written.clone(),
        place: Some(suspect.place.clone()),
        remedy: Some(format!("write \"{written}\" in quotes")),
        ..Hazard::new(
            &CHECK,
            format!("{} is written {written} and rendered {printed}", suspect.path),
        )
    });
}

/// The scalars that count in the end and are not printed as they are written.
fn suspects<'w>(view: &ChartView<'w>) -> Vec<Suspect<'w>> {
    let mut found = Vec::new();
    for (number, layer) in view.written().layers.iter().enumerate() {
        let root = path_of(&layer.prefix);
        let text: Option<&[u8]> = match (&layer.text, &layer.expression) {
            (Some(text), _) => Some(text),
            (None, Some((expression, _))) => Some(expression.as_bytes()),
            _ => None,
        };
        let Some(text) = text else { continue };
        let mut scan = Scan {
            view,
            layer,
            number,
            text,
            list: None,
            found: &mut found,
        };
        for document in &layer.documents {
            scan.text = text.get(document.start..).unwrap_or_default();
            scan.node(&document.node, &root);
        }
        if layer.author == Author::Set(crate::engine::SetKind::Json) {
            scan.text = text;
            for edit in &layer.edits {
                let is_plain = edit.path.iter().all(|step| matches!(step, Step::Key(_)));
                if is_plain {
                    scan.node(&edit.value, &KeyPath(edit.path.clone()));
                }
            }
        }
    }
    found
}

struct Scan<'s, 'w> {
    view: &'s ChartView<'w>,
    layer: &'w WrittenLayer,
    number: usize,
    text: &'w [u8],
    /// The outermost list around the node, and its path: it is replaced as a whole.
    list: Option<(KeyPath, Node)>,
    found: &'s mut Vec<Suspect<'w>>,
}

impl Scan<'_, '_> {
    fn node(&mut self, node: &Node, path: &KeyPath) {
        match &node.kind {
            NodeKind::Map(entries) => {
                for entry in entries.iter() {
                    self.node(&entry.value, &path.key(&*entry.key));
                }
            }
            NodeKind::List(items) => {
                let is_outermost = self.list.is_none();
                if is_outermost {
                    self.list = Some((path.clone(), node.clone()));
                }
                for (position, item) in items.iter().enumerate() {
                    self.node(item, &path.join(Step::Index(position)));
                }
                if is_outermost {
                    self.list = None;
                }
            }
            NodeKind::Bool(_) | NodeKind::Number(_) => self.scalar(node, path),
            NodeKind::Null | NodeKind::Str(_) => {}
        }
    }

    fn scalar(&mut self, node: &Node, path: &KeyPath) {
        let Some(written) = written_scalar(self.text, node.mark) else {
            return;
        };
        let printed = printed(node, self.view);
        if printed[0] == written || matches!(written, "True" | "TRUE" | "False" | "FALSE") {
            return;
        }
        // The mark belongs to this text only if the text reads as the node.
        let is_it = parse_first(written.as_bytes()).is_ok_and(|parsed| parsed.node.kind == node.kind);
        if !is_it || !self.counts(path) {
            return;
        }
        let (whole, base) = self.list.clone().unwrap_or_else(|| (path.clone(), node.clone()));
        self.found.push(Suspect {
            layer: self.layer,
            path: path.clone(),
            place: self.layer.place(node.mark),
            written: written.to_owned(),
            printed,
            node: node.clone(),
            whole,
            base,
        });
    }

    /// True when no higher layer has another say, and the chart takes part.
    fn counts(&self, path: &KeyPath) -> bool {
        let at = self.list.as_ref().map_or(path, |(at, _)| at);
        let last = self.view.written().settings(&at.0).pop();
        last.is_some_and(|last| last.layer == self.number) && !is_off(self.view, &path.0)
    }
}

/// What templates print: as text, and as JSON or YAML.
fn printed(node: &Node, view: &ChartView<'_>) -> [String; 2] {
    let data = match &node.kind {
        NodeKind::Bool(truth) => Data::Bool(*truth),
        NodeKind::Number(Number::Int(number)) => Data::Float(*number as f64),
        NodeKind::Number(Number::Uint(number)) => Data::Float(*number as f64),
        NodeKind::Number(Number::Float(number)) => Data::Float(*number),
        _ => Data::Nil,
    };
    let plain = match &data {
        Data::Float(number) => number.to_string(),
        Data::Bool(truth) => truth.to_string(),
        _ => String::new(),
    };
    let text = print::to_bytes(&Value::new(data), view.job.dialect);
    [String::from_utf8_lossy(&text).into_owned(), plain]
}

/// A list or map with another node under a path.
fn replaced(node: &Node, path: &[Step], by: &Node) -> Node {
    let kind = match (path, &node.kind) {
        ([], _) => return by.clone(),
        ([Step::Index(at), rest @ ..], NodeKind::List(items)) => {
            let items = items
                .iter()
                .enumerate()
                .map(|(position, item)| match position == *at {
                    true => replaced(item, rest, by),
                    false => item.clone(),
                });
            NodeKind::List(items.collect())
        }
        ([Step::Key(key), rest @ ..], NodeKind::Map(entries)) => {
            let entries = entries.iter().map(|entry| match *entry.key == **key {
                true => Entry {
                    value: replaced(&entry.value, rest, by),
                    ..entry.clone()
                },
                false => entry.clone(),
            });
            NodeKind::Map(entries.collect())
        }
        _ => return node.clone(),
    };
    Node {
        kind,
        mark: node.mark,
    }
}

/// Maps around a node, so that it stands under a path.
fn wrapped(path: &[Step], node: Node) -> Node {
    path.iter().rev().fold(node, |value, step| {
        let Step::Key(key) = step else { return value };
        Node::new(NodeKind::Map(Arc::from([Entry {
            key: Arc::from(key.as_str()),
            mark: value.mark,
            value,
        }])))
    })
}

/// The output with some scalars in quotes; `None` when the render fails, which proves that a number is meant.
fn render(view: &ChartView<'_>, quoted: &[&Suspect<'_>]) -> Option<String> {
    let mut job = RenderJob {
        traced: false,
        skip_schema_validation: true,
        ..view.job.clone()
    };
    let mut wholes: BTreeMap<&KeyPath, Node> = BTreeMap::new();
    for suspect in quoted {
        let text = Node::new(NodeKind::Str(Arc::from(suspect.written.as_str())));
        let inside = &suspect.path.0[suspect.whole.0.len()..];
        let whole = wholes
            .entry(&suspect.whole)
            .or_insert_with(|| suspect.base.clone());
        *whole = replaced(whole, inside, &text);
    }
    // Above everything else: what counts in the end is what is put in quotes.
    for (path, whole) in wholes {
        job.values.push(ValuesInput::Inline {
            node: wrapped(&path.0, whole),
            file: Arc::from("quoted"),
        });
    }
    let rendered = (view.again)(&job).ok()?;
    Some(String::from_utf8_lossy(&rendered.output).into_owned())
}

fn bare_lines(text: &str) -> BTreeSet<String> {
    text.lines().map(without_quotes).collect()
}

fn without_quotes(text: &str) -> String {
    text.replace(['"', '\''], "")
}

/// What the two outputs prove: the level, and what is rendered.
fn verdict(suspect: &Suspect<'_>, output: &str, other: &str) -> Option<(Level, String)> {
    let lines = bare_lines(other);
    let mut proven: Option<(Level, String)> = None;
    for line in output.lines() {
        let bare = without_quotes(line);
        if lines.contains(&bare) {
            continue;
        }
        for printed in &suspect.printed {
            if !becomes(&bare, printed, &suspect.written, &lines) {
                continue;
            }
            let level = if is_alone(line, printed) {
                weight(suspect, printed)
            } else {
                Some(Level::Deny)
            };
            let heavier =
                |known: &Option<(Level, String)>| known.as_ref().is_none_or(|known| known.0 < Level::Deny);
            if let Some(level) = level
                && heavier(&proven)
            {
                proven = Some((level, printed.clone()));
            }
            break;
        }
    }
    proven
}

/// True when a line with some of the printed text written otherwise is one of the lines.
fn becomes(line: &str, printed: &str, written: &str, lines: &BTreeSet<String>) -> bool {
    let replaced_at = |at: usize| format!("{}{written}{}", &line[..at], &line[at + printed.len()..]);
    lines.contains(&line.replace(printed, written))
        || line
            .match_indices(printed)
            .any(|(at, _)| lines.contains(&replaced_at(at)))
}

/// True when the printed scalar is all of a line's value, without quotes, so that it is read as YAML again.
fn is_alone(line: &str, printed: &str) -> bool {
    let value = line.trim_end().strip_suffix(printed);
    value.is_some_and(|before| before.ends_with(": ") || before.trim_start() == "- ")
}

/// How much a spelling weighs that is read as YAML again: nothing where it is the same thing.
fn weight(suspect: &Suspect<'_>, printed: &str) -> Option<Level> {
    let read = parse_first(printed.as_bytes()).ok()?.node;
    let number = |node: &Node| match node.kind {
        NodeKind::Number(Number::Int(number)) => Some(number as f64),
        NodeKind::Number(Number::Uint(number)) => Some(number as f64),
        NodeKind::Number(Number::Float(number)) => Some(number),
        _ => None,
    };
    let is_exact = match suspect.node.kind {
        NodeKind::Number(Number::Int(number)) => (number as f64) as i128 == i128::from(number),
        NodeKind::Number(Number::Uint(number)) => (number as f64) as u128 == u128::from(number),
        _ => true,
    };
    match (number(&suspect.node), number(&read)) {
        (Some(a), Some(b)) if a == b && is_exact => printed.contains('e').then_some(Level::Warn),
        (None, None) if suspect.node.kind == read.kind => None,
        _ => Some(Level::Deny),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Case;
    use super::*;

    fn told(template: &str, values: &str) -> Vec<(String, Level, String)> {
        let case = Case::chart("", template).values("v.yaml", values);
        let told = |hazard: Hazard| {
            let printed = hazard.message.rsplit(' ').next().unwrap_or_default().to_owned();
            (
                hazard.value_path.expect("a path").to_string(),
                hazard.level,
                printed,
            )
        };
        case.hazards(&CHECK).into_iter().map(told).collect()
    }

    fn one(path: &str, level: Level, printed: &str) -> Vec<(String, Level, String)> {
        vec![(path.to_owned(), level, printed.to_owned())]
    }

    #[test]
    fn digits_in_a_checksum_are_no_number() {
        let sum = b"sum: 3651aa9f00b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5";
        assert!(is_in_checksum(sum, 5, 8));
        assert!(!is_in_checksum(b"mode: 365", 6, 9));
        assert!(!is_in_checksum(b"image: app:v1.1", 12, 15));
    }

    #[test]
    fn what_is_printed_otherwise_is_told() {
        let image = "image: \"app:{{ .Values.tag }}\"\n";
        assert_eq!(told(image, "tag: 1.10\n"), one("tag", Level::Deny, "1.1"));
        assert_eq!(
            told("a: [--max={{ .Values.num }}]\n", "num: 10485760\n"),
            one("num", Level::Deny, "1.048576e+07")
        );
        assert_eq!(
            told("a: {{ .Values.num | quote }}\n", "num: 0042\n"),
            one("num", Level::Deny, "34")
        );
        assert_eq!(
            told("a: {{ .Values.num | quote }}\n", "num: no\n"),
            one("num", Level::Deny, "false")
        );
        assert_eq!(
            told("a: {{ .Values.num | int64 }}\n", "num: 9007199254740993\n"),
            one("num", Level::Deny, "9007199254740992")
        );
        let two = "a: x{{ (index .Values.l 0) }}\nb: x{{ int64 (index .Values.l 1) }}\n";
        assert_eq!(
            told(two, "l: [1000000, 2000000]\n"),
            one("l[0]", Level::Deny, "1e+06")
        );
        let items = "items:\n{{ range .Values.l }}\n- x={{ .v }}\n{{ end }}\n";
        assert_eq!(
            told(items, "l: [{v: a}, {v: 1.20}]\n"),
            one("l[1].v", Level::Deny, "1.2")
        );
        assert_eq!(
            told("a: {{ .Values.num }}\n", "num: 1000000\n"),
            one("num", Level::Warn, "1e+06")
        );
    }

    #[test]
    fn what_comes_out_as_written_or_means_the_same_is_silent() {
        let silent =
            |template: &str, values: &str| assert_eq!(told(template, values), [], "{template} {values}");
        silent("a: [--max={{ int64 .Values.num }}]\n", "num: 10485760\n");
        silent("a: {{ .Values | toYaml | nindent 2 }}\n", "num: 10485760\n");
        silent("a: {{ toYaml .Values.num }}\n", "num: 0644\n");
        silent("a: {{ toYaml .Values.num }}\n", "num: yes\n");
        silent("{{ if .Values.num }}a: b{{ end }}\n", "num: yes\n");
        silent("{{ if .Values.num }}a: b{{ end }}\n", "num: no\n");
        silent("a: x{{ .Values.num }}\n", "num: '1.10'\n");
        silent("a: x{{ .Values.num }}\n", "num: 3\nb: true\nd: 2026-01-02\n");
        silent("a: x{{ mul .Values.num 2 }}\n", "num: 1000000\n");
    }

    #[test]
    fn only_what_counts_is_told() {
        let several = "a: x{{ int64 .Values.a }}\nb: x{{ .Values.b }}\nc: x{{ int64 .Values.c }}\n";
        assert_eq!(told(several, "a: 1000000\nb: 2000000\nc: 3000000\n").len(), 1);
        let case = Case::chart("num: 1.10\n", "a: x{{ .Values.num }}\n").values("v.yaml", "num: '1.10'\n");
        assert_eq!(case.hazards(&CHECK), []);
        let audit = Case::chart("num: 1.10\n", "a: x{{ .Values.num }}\n").audit();
        assert_eq!(audit.hazards(&CHECK)[0].level, Level::Warn);
    }
}
