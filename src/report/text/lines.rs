//! A change within a long text, line by line.

use super::page::{Ink, Page, span};
use crate::report::words::plural;
use std::io;

/// Lines of surroundings.
const CONTEXT: usize = 2;

/// So many lines are shown unless everything is asked for.
const LINES: usize = 16;

/// Writes what differs between two texts.
pub(super) fn write(before: &str, after: &str, page: &mut Page<'_>) -> io::Result<()> {
    let diff = diff(before, after);
    let shown = if page.style.verbose { diff.len() } else { LINES };
    for (sign, line) in diff.iter().take(shown) {
        let (ink, head) = match sign {
            Sign::Same => (Ink::Dim, "  "),
            Sign::Removed => (Ink::Removed, "- "),
            Sign::Added => (Ink::Added, "+ "),
            Sign::Gap => (Ink::Dim, "  "),
        };
        let text = if page.style.verbose {
            (*line).to_owned()
        } else {
            page.cut(line, page.room(8))
        };
        page.line(6, &[span(ink, head), span(ink, text)])?;
    }
    if diff.len() > shown {
        let text = format!(
            "and {} more (--verbose shows them)",
            plural(diff.len() - shown, "line")
        );
        page.line(8, &[span(Ink::Dim, text)])?;
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Same,
    Removed,
    Added,
    Gap,
}

fn diff<'a>(before: &'a str, after: &'a str) -> Vec<(Sign, &'a str)> {
    let old: Vec<&str> = before.lines().collect();
    let new: Vec<&str> = after.lines().collect();
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(rest)
        .take_while(|(a, b)| a == b)
        .count();
    let mut lines = Vec::new();
    lines.extend(
        old[head.saturating_sub(CONTEXT)..head]
            .iter()
            .map(|line| (Sign::Same, *line)),
    );
    lines.extend(
        old[head..old.len() - tail]
            .iter()
            .map(|line| (Sign::Removed, *line)),
    );
    lines.extend(
        new[head..new.len() - tail]
            .iter()
            .map(|line| (Sign::Added, *line)),
    );
    lines.extend(
        old[old.len() - tail..]
            .iter()
            .take(CONTEXT)
            .map(|line| (Sign::Same, *line)),
    );
    if lines.is_empty() {
        lines.push((Sign::Gap, "only the line ends at the end of the text differ"));
    }
    lines
}
