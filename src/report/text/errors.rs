//! The cells that could not be compared, with Helm's own words.

use super::page::{Ink, Page, plain, span};
use crate::report::failures::{Failure, failures};
use crate::report::flow::Writer;
use crate::report::model::{CellError, Report};
use std::io;

/// Writes each failure once, with the cells that it holds for.
pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    for failure in &failures(report) {
        write_failure(failure, report, page)?;
    }
    Ok(())
}

fn write_failure(failure: &Failure<'_>, report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let ink = if failure.may_fail { Ink::Dim } else { Ink::Bad };
    page.blank();
    page.wrapped(
        0,
        &[
            span(ink, failure.status.name()),
            plain(" "),
            span(Ink::Strong, failure.cells(report)),
            plain(": "),
            plain(failure.what(report)),
        ],
    )?;
    for (side, error) in &failure.errors {
        if failure.errors.len() > 1 {
            page.wrapped(2, &[span(Ink::Strong, side.name()), plain(":")])?;
        }
        write_error(error, page)?;
    }
    Ok(())
}

fn write_error(error: &CellError, page: &mut Page<'_>) -> io::Result<()> {
    let writer = Writer::new(page.style.show_secrets);
    for line in writer.text(&error.message).lines() {
        page.wrapped(4, &[plain(line)])?;
    }
    if let Some(place) = &error.place {
        page.line(4, &[span(Ink::Dim, "at "), span(Ink::Name, place.to_string())])?;
    }
    if !error.include_trace.is_empty() {
        let chain: Vec<&str> = error
            .include_trace
            .iter()
            .map(|frame| writer.text(frame))
            .collect();
        let arrow = page.arrow();
        page.wrapped(4, &[span(Ink::Dim, "through "), plain(chain.join(arrow))])?;
    }
    Ok(())
}
