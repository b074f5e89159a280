//! Line differences for people.
//!
//! Works on any two texts, so that what must not be shown can be taken out of both before.

use similar::{Algorithm, ChangeTag, TextDiff};

/// A run of lines around a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The first line of the baseline's text, counted from 1; the line before it where the run is empty.
    pub baseline_start: usize,
    /// How many lines of the baseline's text it covers.
    pub baseline_lines: usize,
    /// The first line of the candidate's text, counted from 1; the line before it where the run is empty.
    pub candidate_start: usize,
    /// How many lines of the candidate's text it covers.
    pub candidate_lines: usize,
    /// The lines.
    pub lines: Vec<Line>,
}

/// One line of a hunk, without its line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Which side has it.
    pub kind: LineKind,
    /// Its text.
    pub text: String,
}

/// Which side has a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineKind {
    /// Both.
    Same,
    /// The baseline alone.
    Removed,
    /// The candidate alone.
    Added,
}

impl LineKind {
    /// The sign at the beginning of the line in a unified diff.
    pub fn sign(self) -> char {
        match self {
            LineKind::Same => ' ',
            LineKind::Removed => '-',
            LineKind::Added => '+',
        }
    }
}

impl Hunk {
    /// The header of the hunk in a unified diff: `@@ -1,3 +1,4 @@`.
    pub fn header(&self) -> String {
        let range = |start: usize, lines: usize| match lines {
            1 => start.to_string(),
            _ => format!("{start},{lines}"),
        };
        format!(
            "@@ -{} +{} @@",
            range(self.baseline_start, self.baseline_lines),
            range(self.candidate_start, self.candidate_lines)
        )
    }
}

/// The hunks in which two texts differ, each with some lines of context around; none where they do not.
/// A line end that only one text has at its end is not told.
pub fn hunks(baseline: &str, candidate: &str, context: usize) -> Vec<Hunk> {
    let a: Vec<&str> = baseline.lines().collect();
    let b: Vec<&str> = candidate.lines().collect();
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Myers)
        .diff_slices(&a, &b);
    let groups = diff.grouped_ops(context);
    let changed = groups
        .iter()
        .filter(|ops| ops.iter().any(|op| op.tag() != similar::DiffTag::Equal));
    changed
        .map(|ops| {
            let lines: Vec<Line> = ops
                .iter()
                .flat_map(|op| diff.iter_changes(op))
                .map(|change| Line {
                    kind: match change.tag() {
                        ChangeTag::Equal => LineKind::Same,
                        ChangeTag::Delete => LineKind::Removed,
                        ChangeTag::Insert => LineKind::Added,
                    },
                    text: (*change.value_ref()).to_owned(),
                })
                .collect();
            let count = |other: LineKind| lines.iter().filter(|line| line.kind != other).count();
            let (old, new) = (count(LineKind::Added), count(LineKind::Removed));
            let start = |first: Option<usize>, lines: usize| first.unwrap_or(0) + usize::from(lines > 0);
            Hunk {
                baseline_start: start(ops.first().map(|op| op.old_range().start), old),
                baseline_lines: old,
                candidate_start: start(ops.first().map(|op| op.new_range().start), new),
                candidate_lines: new,
                lines,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(a: &str, b: &str, context: usize) -> String {
        let mut text = String::new();
        for hunk in hunks(a, b, context) {
            text.push_str(&hunk.header());
            text.push('\n');
            for line in &hunk.lines {
                text.push(line.kind.sign());
                text.push_str(&line.text);
                text.push('\n');
            }
        }
        text
    }

    #[test]
    fn hunks_look_like_a_unified_diff() {
        let a = "a\nb\nc\nd\ne\nf\ng\nh\n";
        let b = "a\nb\nX\nd\ne\nf\ng\nh\ni\n";
        assert_eq!(
            shown(a, b, 1),
            "@@ -2,3 +2,3 @@\n b\n-c\n+X\n d\n@@ -8 +8,2 @@\n h\n+i\n"
        );
        assert_eq!(shown("", "a\n", 3), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(shown(a, a, 3), "");
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_off_a_diff_with_all_context(
            a in proptest::collection::vec("[ab]{0,2}", 0..12),
            b in proptest::collection::vec("[ab]{0,2}", 0..12))
        {
            let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
            let hunks = hunks(&text(&a), &text(&b), 100);
            if a == b {
                prop_assert!(hunks.is_empty());
            } else {
                let side = |other: LineKind| -> Vec<String> {
                    hunks[0].lines.iter().filter(|line| line.kind != other).map(|line| line.text.clone()).collect()
                };
                prop_assert_eq!(side(LineKind::Added), a);
                prop_assert_eq!(side(LineKind::Removed), b);
            }
        }
    }
}
