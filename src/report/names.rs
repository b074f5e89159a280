//! The documents that are not equal, by name alone, for scripts: `Kind namespace/name`, a tab, `release@platform`.
//! The form is stable. A cell that could not be compared has no documents and so no line; the exit code tells of it.

use super::failures::excused;
use super::model::{CellStatus, Report};
use super::places::name;
use super::words::{plural, verb};
use super::{Format, Style, clip};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// This format's row in the table.
pub static FORMAT: Format = Format {
    name: "names",
    about: "the documents that are not equal, a line each, for scripts",
    write,
};

fn write(report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
    // Cells that differ in nothing but their namespace are one cell here.
    let mut lines = BTreeSet::new();
    for cell in &report.facts.cells {
        let at = match cell.platform.as_str() {
            "" => cell.release.clone(),
            platform => format!("{}@{platform}", cell.release),
        };
        for document in &cell.documents {
            if !report.outcome.policy.passes(document.verdict) {
                lines.insert((at.clone(), name(&document.id)));
            }
        }
    }
    for (at, name) in &lines {
        writeln!(out, "{}\t{}", field(name), field(at))?;
    }
    Ok(())
}

/// What the list cannot tell though the verdict rests on it: a line for standard error.
pub fn unlisted(report: &Report) -> Option<String> {
    let cells = &report.facts.cells;
    let failing = cells
        .iter()
        .filter(|cell| cell.status != CellStatus::Ok && !excused(cell, report))
        .count();
    let unruly = cells.iter().filter(|cell| !cell.unruly.is_empty()).count();
    let mut said = Vec::new();
    if failing > 0 {
        said.push(format!("{} could not be compared", plural(failing, "cell")));
    }
    if unruly > 0 {
        said.push(format!(
            "{} {} as a whole",
            plural(unruly, "cell"),
            verb(unruly, "differ")
        ));
    }
    said.extend(report.facts.doubts.iter().map(|doubt| {
        let first = doubt.as_str().lines().next().unwrap_or_default();
        clip::visible(first).into_owned()
    }));
    let told = report.outcome.verdict.name();
    (!said.is_empty()).then(|| format!("{told}: {}; not in this list, --stat tells more", said.join("; ")))
}

/// A name without what would end its field or its line.
fn field(text: &str) -> String {
    clip::visible(text).replace('\t', "\\t")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::Verdict;
    use crate::report::outcome::Policy;
    use crate::report::sample;

    fn names(report: &Report) -> String {
        let mut out = Vec::new();
        write(report, &Style::plain(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_line_for_each_document_that_is_not_equal() {
        let mut facts = sample::empty();
        facts.cells = vec![
            sample::cell("web", "amd", &[Verdict::Identical, Verdict::Changed]),
            sample::cell("web", "", &[Verdict::Removed, Verdict::Volatile]),
        ];
        let told = names(&Report::conclude(facts, &Policy::default()));
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines.len(), 2, "{told}");
        assert!(
            lines[0].ends_with("\tweb") && lines[1].ends_with("\tweb@amd"),
            "{told}"
        );
    }

    #[test]
    fn what_is_not_in_the_list_is_told_beside_it() {
        let mut facts = sample::empty();
        facts.cells = vec![sample::cell("web", "amd", &[Verdict::Changed])];
        let report = Report::conclude(facts.clone(), &Policy::default());
        assert_eq!(unlisted(&report), None);
        facts.cells[0].status = CellStatus::FailsAlike;
        let report = Report::conclude(facts.clone(), &Policy::default());
        assert!(
            unlisted(&report)
                .unwrap()
                .starts_with("undecided: 1 cell could not be compared")
        );
        facts.cells[0].may_fail = true;
        assert_eq!(unlisted(&Report::conclude(facts, &Policy::default())), None);
    }

    #[test]
    fn no_name_breaks_its_line() {
        let told = names(&sample::hostile());
        assert!(!told.is_empty());
        for line in told.lines() {
            assert_eq!(line.matches('\t').count(), 1, "{line:?}");
            assert!(!line.replace('\t', "").contains(char::is_control), "{line:?}");
        }
    }
}
