//! A change within a long text, line by line.

use super::page::{Ink, Page, span};
use crate::compare::text::{self, LineKind};
use crate::report::words::plural;
use std::io;

/// Lines of surroundings.
const CONTEXT: usize = 2;

/// So many lines are shown unless everything is asked for.
const LINES: usize = 16;

/// Writes what differs between two texts.
pub(super) fn write(before: &str, after: &str, page: &mut Page<'_>) -> io::Result<()> {
    let hunks = text::hunks(before, after, CONTEXT);
    if hunks.is_empty() {
        let text = "the same lines; only the line ends differ";
        return page.wrapped(6, &[span(Ink::Dim, text)]);
    }
    let total: usize = hunks.iter().map(|hunk| hunk.lines.len()).sum();
    let mut left = if page.style.verbose { total } else { LINES };
    for (index, hunk) in hunks.iter().enumerate() {
        if left == 0 {
            break;
        }
        if index > 0 {
            page.line(6, &[span(Ink::Dim, page.ellipsis())])?;
        }
        for line in hunk.lines.iter().take(left) {
            let ink = match line.kind {
                LineKind::Same => Ink::Dim,
                LineKind::Removed => Ink::Removed,
                LineKind::Added => Ink::Added,
            };
            let text = format!("{} {}", line.kind.sign(), line.text);
            let text = if page.style.verbose {
                text
            } else {
                page.cut(&text, page.room(6))
            };
            page.line(6, &[span(ink, text)])?;
        }
        left = left.saturating_sub(hunk.lines.len());
    }
    let shown = if page.style.verbose {
        total
    } else {
        LINES.min(total)
    };
    if total > shown {
        let text = format!(
            "and {} more (--verbose shows them)",
            plural(total - shown, "line")
        );
        page.line(6, &[span(Ink::Dim, text)])?;
    }
    Ok(())
}
