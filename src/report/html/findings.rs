//! What does not render, and the findings check by check, each check with its explanation. All of it markup, so
//! that it can be read without a script.

use super::data::Data;
use super::escape::Html;
use crate::base::Side;
use crate::check;
use crate::report::failures;
use crate::report::finding::Finding;
use crate::report::model::{CellError, CellStatus, Report};
use crate::report::places::{self, Cells};
use crate::report::words::{number, plural};
use std::io::{self, Write};

/// So many findings go into the page.
const MOST: usize = 2000;

/// Writes the cells that do not render; those that fail in the same way once.
pub(super) fn failures(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let failures = failures::failures(report);
    if failures.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<section id=\"failures\" aria-labelledby=\"failures-title\">\n<h2 id=\"failures-title\">Does not render \
         <span class=\"count\">{}</span></h2>",
        number(failures.len())
    )?;
    for failure in &failures {
        let (class, word) = match (failure.may_fail, failure.status) {
            (true, _) => ("equal", "fails alike"),
            (_, CellStatus::FailsAlike) => ("undecided", "fails alike"),
            _ => ("undecided", "undecided"),
        };
        writeln!(
            out,
            "<article class=\"card item failure\" tabindex=\"-1\"><h3><span class=\"badge v-{class}\">{word}</span> {}</h3>\
             <p class=\"where\">{}</p>",
            Html(failure.cells(report)),
            failure.what(report)
        )?;
        for (side, error) in &failure.errors {
            if failure.errors.len() > 1 {
                writeln!(out, "<h4>{}</h4>", side.name())?;
            }
            write_error(error, out)?;
        }
        writeln!(out, "</article>")?;
    }
    writeln!(out, "</section>")
}

fn write_error(error: &CellError, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<pre class=\"message\">{}</pre>",
        Html(error.message.as_str())
    )?;
    if let Some(place) = &error.place {
        writeln!(out, "<p>at <code>{}</code></p>", Html(place.to_string()))?;
    }
    if !error.include_trace.is_empty() {
        write!(out, "<p>through ")?;
        for (index, frame) in error.include_trace.iter().enumerate() {
            let arrow = if index > 0 { " → " } else { "" };
            write!(out, "{arrow}<code>{}</code>", Html(frame.as_str()))?;
        }
        writeln!(out, "</p>")?;
    }
    Ok(())
}

/// Writes the findings, what the change brought first.
pub(super) fn write(report: &Report, data: &Data<'_>, out: &mut dyn Write) -> io::Result<()> {
    let findings = &report.facts.findings;
    let audit = report.facts.baseline.is_none();
    if findings.is_empty() && report.facts.standing == 0 && !audit {
        return Ok(());
    }
    writeln!(
        out,
        "<section id=\"findings\" aria-labelledby=\"findings-title\">\n<h2 id=\"findings-title\">Findings \
         <span class=\"count\">{}</span></h2>",
        number(findings.len())
    )?;
    if findings.is_empty() && audit {
        writeln!(out, "<p class=\"empty\">No hazards.</p>")?;
    }
    let shown = &findings[..findings.len().min(MOST)];
    let new = shown.iter().take_while(|finding| !finding.standing).count();
    by_check(&shown[..new], report, data, out)?;
    if new < shown.len() {
        let standing = shown.len() - new;
        writeln!(
            out,
            "<details class=\"standing\"><summary>{} on both sides, not brought by this change</summary>",
            plural(standing, "finding")
        )?;
        by_check(&shown[new..], report, data, out)?;
        writeln!(out, "</details>")?;
    }
    if findings.len() > shown.len() {
        let text = plural(findings.len() - shown.len(), "finding");
        writeln!(
            out,
            "<p class=\"empty\">And {text} more; the JSON report has all.</p>"
        )?;
    }
    if report.facts.standing > 0 {
        writeln!(
            out,
            "<p class=\"empty\">{} more on both sides, in releases of which no document changed; <code>evenkeel \
             audit</code> tells all of one side.</p>",
            plural(report.facts.standing, "hazard")
        )?;
    }
    writeln!(out, "</section>")
}

fn by_check(findings: &[Finding], report: &Report, data: &Data<'_>, out: &mut dyn Write) -> io::Result<()> {
    for run in findings.chunk_by(|a, b| a.check == b.check && a.level == b.level) {
        let (check, level) = (&run[0].check, run[0].level);
        writeln!(
            out,
            "<div class=\"check\"><h3><span class=\"badge l-{level}\">{level}</span> {} <span class=\"count\">{}</span></h3>",
            Html(check),
            number(run.len())
        )?;
        if let Some(check) = check::find(check) {
            writeln!(out, "<details class=\"why\"><summary>Why it matters</summary>")?;
            explanation(check.explain, out)?;
            writeln!(out, "</details>")?;
        }
        for finding in run {
            write_finding(finding, report, data, out)?;
        }
        writeln!(out, "</div>")?;
    }
    Ok(())
}

/// Paragraphs of plain text; indented ones are code.
fn explanation(text: &str, out: &mut dyn Write) -> io::Result<()> {
    for paragraph in text.split("\n\n") {
        if paragraph.starts_with("    ") {
            let lines: Vec<&str> = paragraph
                .lines()
                .map(|line| line.strip_prefix("    ").unwrap_or(line))
                .collect();
            writeln!(out, "<pre>{}</pre>", Html(lines.join("\n")))?;
        } else {
            writeln!(out, "<p>{}</p>", Html(paragraph))?;
        }
    }
    Ok(())
}

fn write_finding(finding: &Finding, report: &Report, data: &Data<'_>, out: &mut dyn Write) -> io::Result<()> {
    let at: Vec<String> = finding
        .cells
        .iter()
        .filter_map(|cell| data.cell(&cell.release, &cell.platform))
        .collect();
    let kind = finding.resource.as_ref().map_or("", |id| &id.kind);
    let message = finding.message.as_str();
    writeln!(
        out,
        "<article class=\"card item finding b-{}\" tabindex=\"-1\" data-cells=\"{}\" data-kind=\"{}\"><p class=\"message\">{}</p>\n<dl>",
        finding.level,
        at.join(" "),
        Html(kind),
        Html(message)
    )?;
    let mut row =
        |term: &str, text: &str| -> io::Result<()> { writeln!(out, "<dt>{term}</dt><dd>{text}</dd>") };
    let code = |text: &str| format!("<code>{}</code>", Html(text));
    if let Some(place) = &finding.place {
        let side = match finding.side {
            Side::Baseline => " of the baseline",
            Side::Candidate => "",
        };
        row("at", &format!("{}{side}", code(&place.to_string())))?;
    }
    if let Some(path) = &finding.value_path {
        row("value", &code(&path.to_string()))?;
    }
    if let Some(id) = &finding.resource {
        let field = finding.field_path.as_ref();
        let field = field.map(|path| format!(" {}", code(&path.to_string())));
        row(
            "in",
            &format!("{}{}", Html(places::name(id)), field.unwrap_or_default()),
        )?;
    }
    if !finding.cells.is_empty() {
        let mut cells = Cells::default();
        for cell in &finding.cells {
            cells.add(&cell.release, &cell.platform);
        }
        row("for", &Html(cells.describe(report)).to_string())?;
    }
    for related in &finding.related {
        let label = Html(related.label.as_str());
        row("see", &format!("{} {label}", code(&related.place.to_string())))?;
    }
    let lost: Vec<String> = finding
        .lost
        .iter()
        .filter(|name| !message.contains(name.as_str()))
        .map(|name| code(name.as_str()))
        .collect();
    if !lost.is_empty() {
        row("lost", &lost.join(", "))?;
    }
    if let Some(suggestion) = &finding.suggestion {
        row("nearest", &format!("did you mean {}?", code(suggestion.as_str())))?;
    }
    if let Some(remedy) = &finding.remedy {
        row("remedy", &Html(remedy.as_str()).to_string())?;
    }
    writeln!(out, "</dl></article>")
}
