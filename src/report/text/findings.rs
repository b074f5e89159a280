//! The findings, worst first.

use super::page::{Ink, Page, plain, span};
use crate::base::{Level, Side};
use crate::report::finding::Finding;
use crate::report::flow::Writer;
use crate::report::model::Report;
use crate::report::places::{self, Cells};
use crate::report::words::{plural, verb};
use std::collections::BTreeMap;
use std::io;

/// So many findings of one check are shown unless everything is asked for.
const PER_CHECK: usize = 10;

/// Writes what the change brought; what stood before is one line.
pub(super) fn write(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let verbose = page.style.verbose;
    let mut told: BTreeMap<&str, usize> = BTreeMap::new();
    let findings = &report.facts.findings;
    for finding in findings.iter().filter(|finding| verbose || !finding.standing) {
        let count = told.entry(&finding.check).or_default();
        *count += 1;
        if *count <= PER_CHECK || verbose {
            page.blank();
            write_finding(finding, report, page)?;
        }
    }
    for (check, count) in told.iter().filter(|(_, count)| **count > PER_CHECK && !verbose) {
        page.blank();
        let text = format!("and {} more {check} (--verbose shows them)", count - PER_CHECK);
        page.wrapped(0, &[span(Ink::Dim, text)])?;
    }
    let untold = findings
        .iter()
        .filter(|finding| finding.standing && !verbose)
        .count();
    let standing = report.facts.standing + untold;
    if standing > 0 {
        page.blank();
        let text = format!(
            "{} {} on both sides; `evenkeel audit` tells all of one side",
            plural(standing, "hazard"),
            verb(standing, "stand")
        );
        page.wrapped(0, &[span(Ink::Dim, text)])?;
    }
    let silenced = report.facts.silenced;
    if silenced > 0 {
        page.blank();
        let text = format!(
            "{} silenced by comments in values files or by acceptances",
            plural(silenced, "finding")
        );
        page.wrapped(0, &[span(Ink::Dim, text)])?;
    }
    Ok(())
}

fn write_finding(finding: &Finding, report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let writer = Writer::new(page.style.show_secrets);
    let ink = match finding.level {
        Level::Deny => Ink::Bad,
        Level::Warn => Ink::Caution,
        Level::Info | Level::Allow => Ink::Dim,
    };
    let message = writer.text(&finding.message);
    page.wrapped(
        0,
        &[
            span(ink, finding.level.name()),
            plain(" "),
            span(Ink::Strong, finding.check.as_str()),
            plain(": "),
            plain(message),
        ],
    )?;
    let mut at = Vec::new();
    if let Some(place) = &finding.place {
        at.push(span(Ink::Name, place.to_string()));
        if finding.side == Side::Baseline {
            at.push(plain(" of the baseline"));
        }
        at.push(plain(" "));
    }
    if let Some(id) = &finding.resource {
        at.push(plain(format!("{} ", places::name(id))));
        if let Some(path) = &finding.field_path {
            at.push(plain(format!("{path} ")));
        }
    }
    let mut cells = Cells::default();
    for cell in &finding.cells {
        cells.add(&cell.release, &cell.platform);
    }
    if !finding.cells.is_empty() {
        at.push(span(Ink::Dim, format!("({})", cells.describe(report))));
    }
    if !at.is_empty() {
        page.wrapped(4, &at)?;
    }
    for related in &finding.related {
        let place = span(Ink::Name, related.place.to_string());
        page.wrapped(4, &[place, plain(": "), plain(writer.text(&related.label))])?;
    }
    let lost: Vec<&str> = finding
        .lost
        .iter()
        .map(|name| writer.text(name))
        .filter(|name| !message.contains(name))
        .collect();
    if !lost.is_empty() {
        page.wrapped(4, &[span(Ink::Dim, "lost: "), plain(lost.join(", "))])?;
    }
    let remedy = finding.remedy.as_ref().map(|remedy| writer.text(remedy));
    let suggestion = finding
        .suggestion
        .as_ref()
        .map(|suggestion| writer.text(suggestion))
        .filter(|name| !remedy.is_some_and(|remedy| names(remedy, name)));
    if let Some(suggestion) = suggestion {
        let nearest = format!("did you mean {suggestion}?");
        page.wrapped(4, &[span(Ink::Dim, "help: "), plain(nearest)])?;
    }
    if let Some(remedy) = remedy {
        page.wrapped(4, &[span(Ink::Dim, "help: "), plain(remedy)])?;
    }
    Ok(())
}

/// True for a text that has a name in backticks.
fn names(text: &str, name: &str) -> bool {
    text.split('`').skip(1).step_by(2).any(|quoted| quoted == name)
}
