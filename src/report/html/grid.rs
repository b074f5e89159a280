//! Releases by platforms. Releases in which all is equal stand in a second, closed table.

use super::data::{Data, platforms};
use super::escape::Html;
use crate::report::failures::excused;
use crate::report::model::{CellReport, CellStatus, Report, Verdict};
use crate::report::outcome::{DocumentCounts, is_equal};
use crate::report::words::{number, plural};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Up to so many releases are all shown, equal or not.
const FEW_RELEASES: usize = 8;

type Row<'a> = (&'a str, BTreeMap<&'a str, Vec<&'a CellReport>>);

/// Writes both tables; nothing for an audit.
pub(super) fn write(report: &Report, data: &Data<'_>, out: &mut dyn Write) -> io::Result<()> {
    if report.facts.baseline.is_none() || report.facts.cells.is_empty() {
        return Ok(());
    }
    let mut rows: BTreeMap<&str, BTreeMap<&str, Vec<&CellReport>>> = BTreeMap::new();
    for cell in &report.facts.cells {
        let row = rows.entry(&cell.release).or_default();
        row.entry(&cell.platform).or_default().push(cell);
    }
    let all = rows.len() <= FEW_RELEASES;
    let (told, quiet): (Vec<Row<'_>>, Vec<Row<'_>>) = rows
        .into_iter()
        .partition(|(_, row)| all || row.values().flatten().any(|cell| has_something_to_say(cell)));
    writeln!(
        out,
        "<section id=\"grid\" aria-labelledby=\"grid-title\">\n<h2 id=\"grid-title\">Releases by platform</h2>"
    )?;
    if !told.is_empty() {
        table(&told, report, data, out)?;
    }
    if !quiet.is_empty() {
        let documents = quiet.iter().flat_map(|(_, row)| row.values().flatten());
        let documents: usize = documents.map(|cell| cell.documents.len()).sum();
        let more = if told.is_empty() { "" } else { " more" };
        writeln!(
            out,
            "<details class=\"quiet\"><summary>{}{more}: all {} equal</summary>",
            plural(quiet.len(), "release"),
            plural(documents, "document")
        )?;
        table(&quiet, report, data, out)?;
        writeln!(out, "</details>")?;
    }
    writeln!(out, "</section>")
}

fn has_something_to_say(cell: &CellReport) -> bool {
    cell.status != CellStatus::Ok
        || !cell.unruly.is_empty()
        || cell.documents.iter().any(|document| !is_equal(document.verdict))
}

fn table(rows: &[Row<'_>], report: &Report, data: &Data<'_>, out: &mut dyn Write) -> io::Result<()> {
    let platforms = platforms(report);
    write!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Releases by platform\">\
         <table class=\"grid\"><thead><tr><th scope=\"col\">release</th>"
    )?;
    for name in &platforms {
        let name = if name.is_empty() { "documents" } else { name };
        write!(out, "<th scope=\"col\">{}</th>", Html(name))?;
    }
    writeln!(out, "</tr></thead><tbody>")?;
    for (release, row) in rows {
        write!(out, "<tr><th scope=\"row\">{}</th>", Html(release))?;
        for platform in &platforms {
            match row.get(platform).map(Vec::as_slice) {
                None | Some([]) => write!(
                    out,
                    "<td class=\"none\"><span aria-label=\"no cell\">·</span></td>"
                )?,
                Some(cells) => {
                    let at = data.cell(release, platform).unwrap_or_default();
                    write!(out, "<td data-cell=\"{at}\">{}</td>", told(cells, report))?;
                }
            }
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody></table></div>")
}

/// What there is to say of the cells of one release and platform; several differ in their namespaces.
fn told(cells: &[&CellReport], report: &Report) -> String {
    if let Some(failing) = cells.iter().find(|cell| cell.status != CellStatus::Ok) {
        let (class, text) = match failing.status {
            CellStatus::FailsAlike if excused(failing, report) => ("equal", "fails alike, as it may"),
            CellStatus::FailsAlike => ("undecided", "fails alike"),
            _ if failing.errors.candidate.is_some() => ("undecided", "✕ fails now"),
            _ => ("undecided", "✕ failed before"),
        };
        return format!("<span class=\"n v-{class}\">{text}</span>");
    }
    let mut counts = DocumentCounts::default();
    for cell in cells {
        counts.merge(&DocumentCounts::of(cell));
    }
    let mut parts = Vec::new();
    for verdict in [
        Verdict::Undecided,
        Verdict::Removed,
        Verdict::Renamed,
        Verdict::Changed,
        Verdict::Added,
        Verdict::Moved,
    ] {
        let word = match verdict {
            Verdict::Undecided => "unreadable",
            _ => verdict.name(),
        };
        if counts.get(verdict) > 0 {
            parts.push(format!(
                "<span class=\"n v-{}\">{} {word}</span>",
                verdict.name(),
                number(counts.get(verdict))
            ));
        }
    }
    if cells.iter().any(|cell| !cell.unruly.is_empty()) {
        parts.push("<span class=\"n v-changed\">differs as a whole</span>".to_owned());
    }
    if counts.equal() > 0 || parts.is_empty() {
        parts.push(format!(
            "<span class=\"n v-equal\">{} equal</span>",
            number(counts.equal())
        ));
    }
    parts.join(" ")
}
