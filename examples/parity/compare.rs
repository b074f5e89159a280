//! What differs between what Helm told and what we tell.

use super::corpus::{Case, Expected};
use evenkeel::cli::template::Told;

/// The first difference of a case.
pub struct Difference {
    /// `exit code`, `stdout` or `stderr`.
    pub kind: &'static str,
    /// Line, from 1.
    pub line: usize,
    pub want: String,
    pub have: String,
}

impl Difference {
    pub fn new(
        kind: &'static str,
        line: usize,
        want: impl Into<String>,
        have: impl Into<String>,
    ) -> Difference {
        Difference {
            kind,
            line,
            want: want.into(),
            have: have.into(),
        }
    }
}

/// The first difference, if there is any.
pub fn compare(case: &Case, expected: &Expected, told: &Told) -> Option<Difference> {
    if expected.code != told.code {
        let want = format!("{} {}", expected.code, last_line(&expected.stderr));
        return Some(Difference::new(
            "exit code",
            0,
            want,
            format!("{} {}", told.code, told.stderr.trim_end()),
        ));
    }
    stdout(expected, &told.stdout).or_else(|| stderr(case, expected, &told.stderr))
}

fn last_line(text: &str) -> &str {
    text.trim_end().lines().last().unwrap_or_default()
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split(|byte| *byte == b'\n').collect()
}

fn shown(line: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(line))
}

fn stdout(expected: &Expected, have: &[u8]) -> Option<Difference> {
    if expected.stdout == have {
        return None;
    }
    let is_volatile = |line: usize| {
        expected
            .volatile
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&line))
    };
    if expected.length_varies {
        return by_document(expected, have, &is_volatile);
    }
    let (want, have) = (lines(&expected.stdout), lines(have));
    for at in 0..want.len().max(have.len()) {
        let (a, b) = (want.get(at).copied(), have.get(at).copied());
        if a != b && !(a.is_some() && b.is_some() && is_volatile(at + 1)) {
            return Some(Difference::new(
                "stdout",
                at + 1,
                a.map_or_else(end, shown),
                b.map_or_else(end, shown),
            ));
        }
    }
    None
}

fn end() -> String {
    "the end".to_owned()
}

/// Where a template's output has no fixed length: documents of one source must come in the same order, and the
/// stable lines of each must be there in theirs.
fn by_document(expected: &Expected, have: &[u8], is_volatile: &dyn Fn(usize) -> bool) -> Option<Difference> {
    let (want, have) = (documents(&expected.stdout), documents(have));
    for at in 0..want.len().max(have.len()) {
        let (Some((start, wanted)), Some((_, found))) = (want.get(at), have.get(at)) else {
            return Some(Difference::new(
                "documents",
                0,
                want.len().to_string(),
                have.len().to_string(),
            ));
        };
        let mut rest = found.iter();
        for (offset, line) in wanted.iter().enumerate() {
            let number = start + offset;
            if !is_volatile(number) && !rest.any(|other| other == line) {
                return Some(Difference::new("document", number, shown(line), "no such line"));
            }
        }
        let varies = (*start..start + wanted.len()).any(is_volatile);
        if !varies && wanted.len() != found.len() {
            return Some(Difference::new(
                "document",
                *start,
                wanted.len().to_string(),
                found.len().to_string(),
            ));
        }
    }
    None
}

/// The documents, each with the number of its first line.
fn documents(text: &[u8]) -> Vec<(usize, Vec<&[u8]>)> {
    let mut documents: Vec<(usize, Vec<&[u8]>)> = Vec::new();
    for (line, number) in lines(text).into_iter().zip(1..) {
        if line == b"---" || documents.is_empty() {
            documents.push((number, Vec::new()));
        }
        if let Some(document) = documents.last_mut() {
            document.1.push(line);
        }
    }
    documents
}

/// Messages of a schema come in random order, and so may others.
fn stderr(case: &Case, expected: &Expected, have: &str) -> Option<Difference> {
    if expected.stderr == have {
        return None;
    }
    let any_order = case.stderr_varies || expected.stderr.contains("specifications of the schema(s)");
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(|line| names_sorted(line, any_order)).collect();
        if any_order {
            lines.sort();
        }
        lines
    };
    let (want, have) = (sorted(&expected.stderr), sorted(have));
    for at in 0..want.len().max(have.len()) {
        let (a, b) = (want.get(at), have.get(at));
        if a != b {
            let show = |line: Option<&String>| line.map_or_else(end, |line| shown(line.as_bytes()));
            return Some(Difference::new("stderr", at + 1, show(a), show(b)));
        }
    }
    None
}

/// The names in a line, which come in random order, sorted.
fn names_sorted(line: &str, any_order: bool) -> String {
    // Which of several references fails first is random, and how the network fails is the measuring machine's.
    const FETCH: &str = "failing loading \"http";
    if line.starts_with(FETCH) {
        return FETCH.to_owned();
    }
    if !any_order || !line.contains("additional properties") {
        return line.to_owned();
    }
    let mut words: Vec<&str> = line.split([' ', ',']).collect();
    words.sort_unstable();
    words.join(" ")
}
