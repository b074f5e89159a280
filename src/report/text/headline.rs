//! The verdict in one line, what was compared in a second one, and how much of it has the same input.

use super::page::{Ink, Page, plain, span};
use crate::report::model::Report;
use crate::report::summary;
use std::io;

/// Writes these lines.
pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let ink = if report.outcome.exit_code == 0 {
        Ink::Good
    } else {
        Ink::Bad
    };
    let (word, rest) = summary::verdict(report);
    page.wrapped(0, &[span(ink, word), plain(": "), span(Ink::Strong, rest)])?;
    page.wrapped(0, &[span(Ink::Dim, summary::sides(report))])?;
    match summary::same_input(report) {
        Some(text) => page.wrapped(0, &[span(Ink::Dim, text)]),
        None => Ok(()),
    }
}
