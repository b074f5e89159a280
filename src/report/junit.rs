//! A JUnit report: a suite per cell with a case per document, and a suite with the findings. A case passes where
//! the document counts as equal. No times: two runs give the same bytes.

use super::failures::excused;
use super::finding::Finding;
use super::issue;
use super::model::{CellReport, CellStatus, DocumentReport, Report, Verdict};
use super::outcome::is_equal;
use super::words::list;
use super::{Format, Style, clip, places, summary};
use crate::base::Side;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use std::io::{self, Write};

/// This format's row in the table.
pub static FORMAT: Format = Format {
    name: "junit",
    about: "JUnit XML, a case per document",
    write,
};

/// Columns of a message, which pages show on one line.
const WIDTH: usize = 400;

fn write(report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let mut junit = quick_junit::Report::new("evenkeel");
    if !report.facts.doubts.is_empty() {
        junit.add_test_suite(doubts(report));
    }
    for cell in &report.facts.cells {
        junit.add_test_suite(of_cell(cell, report));
    }
    if !report.facts.findings.is_empty() {
        junit.add_test_suite(findings(report));
    }
    // Where nothing was compared there is no case that could fail.
    if report.outcome.exit_code != 0 && junit.failures + junit.errors == 0 {
        let (word, rest) = summary::verdict(report);
        let status = bad(NonSuccessKind::Error, word, &rest, &[]);
        let mut suite = TestSuite::new("run");
        suite.add_test_case(case("run", "the run decides", status));
        junit.add_test_suite(suite);
    }
    junit.serialize(out).map_err(io::Error::other)
}

/// A text on one line.
fn line(text: &str) -> String {
    clip::cut(text, WIDTH, "…")
}

fn case(class: &str, name: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(line(name), status);
    case.set_classname(class);
    case
}

fn bad(kind: NonSuccessKind, what: &str, message: &str, details: &[String]) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(what);
    status.set_message(line(message));
    if !details.is_empty() {
        status.set_description(details.join("\n"));
    }
    status
}

/// Why the run as a whole cannot decide.
fn doubts(report: &Report) -> TestSuite {
    let mut suite = TestSuite::new("baseline");
    for doubt in &report.facts.doubts {
        let lines = visible_lines(doubt.as_str());
        let first = lines.first().cloned().unwrap_or_default();
        let rest = lines.get(1..).unwrap_or_default();
        let status = bad(NonSuccessKind::Error, "undecided", &first, rest);
        suite.add_test_case(case("baseline", "the baseline holds", status));
    }
    suite
}

fn visible_lines(text: &str) -> Vec<String> {
    let lines = text.lines();
    lines.map(|line| clip::visible(line).into_owned()).collect()
}

fn of_cell(cell: &CellReport, report: &Report) -> TestSuite {
    let name = if cell.platform.is_empty() {
        cell.release.clone()
    } else {
        format!("{} on {}", cell.release, cell.platform)
    };
    let name = line(&name);
    let mut suite = TestSuite::new(name.as_str());
    if cell.status != CellStatus::Ok {
        suite.add_test_case(case(&name, "renders", of_failure(cell, report)));
    }
    if !cell.unruly.is_empty() {
        let rules: Vec<&str> = cell.unruly.iter().map(|rule| rule.name()).collect();
        let message = format!("it differs in what {} would set aside", list(&rules));
        let status = bad(NonSuccessKind::Failure, "changed", &message, &[]);
        suite.add_test_case(case(&name, "the render as a whole", status));
    }
    for document in &cell.documents {
        let status = of_document(document, report);
        suite.add_test_case(case(&name, &places::name(&document.id), status));
    }
    suite
}

fn of_failure(cell: &CellReport, report: &Report) -> TestCaseStatus {
    let mut lines = Vec::new();
    for side in Side::BOTH {
        if let Some(error) = cell.errors.get(side) {
            lines.extend(
                visible_lines(error.message.as_str())
                    .iter()
                    .map(|line| format!("{}: {line}", side.name())),
            );
            let place = error.place.as_ref();
            lines.extend(place.map(|place| format!("at {}", clip::visible(&place.to_string()))));
        }
    }
    let what = match (cell.status, cell.errors.candidate.is_some()) {
        (CellStatus::FailsAlike, _) => "fails alike on both sides",
        (_, true) if report.facts.baseline.is_none() => "does not render",
        (_, true) if cell.errors.baseline.is_some() => "fails on both sides, each in its own way",
        (_, true) => "the candidate fails",
        (_, false) => "the baseline fails, the candidate renders",
    };
    if excused(cell, report) {
        let mut status = TestCaseStatus::skipped();
        status.set_message(format!("{what}, as it may"));
        return status;
    }
    bad(NonSuccessKind::Error, cell.status.name(), what, &lines)
}

fn of_document(document: &DocumentReport, report: &Report) -> TestCaseStatus {
    let passes =
        is_equal(document.verdict) || report.outcome.policy.allow_moved && document.verdict == Verdict::Moved;
    if passes {
        return TestCaseStatus::success();
    }
    let kind = match document.verdict {
        Verdict::Undecided => NonSuccessKind::Error,
        _ => NonSuccessKind::Failure,
    };
    let mut message = match (&document.from, document.verdict) {
        (Some(from), Verdict::Renamed) => format!("renamed from {}", places::name(&from.id)),
        (Some(from), _) => format!("{} from {}", document.verdict.name(), from.release),
        (None, Verdict::Undecided) => "it cannot be read".to_owned(),
        (None, verdict) => verdict.name().to_owned(),
    };
    if document.version_labels_only {
        message.push_str(": nothing but version labels");
    } else if !document.effects.is_empty() {
        message.push_str(": ");
        message.push_str(&summary::effects(&document.effects).join(", "));
    }
    bad(kind, document.verdict.name(), &message, &issue::told(document))
}

/// Every finding; those that fail the run fail.
fn findings(report: &Report) -> TestSuite {
    let mut suite = TestSuite::new("findings");
    for finding in &report.facts.findings {
        let told = issue::of_finding(finding, report);
        let mut details = vec![format!("at {}", clip::visible(&told.place.to_string()))];
        details.extend(told.details);
        let fails = report.outcome.policy.fails(finding);
        let status = match fails {
            true => bad(
                NonSuccessKind::Failure,
                finding.level.name(),
                &told.title,
                &details,
            ),
            false => TestCaseStatus::success(),
        };
        let mut case = case("findings", &name(finding), status);
        if !fails {
            case.set_system_out(format!(
                "{}: {}\n{}",
                finding.level.name(),
                told.title,
                details.join("\n")
            ));
        }
        suite.add_test_case(case);
    }
    suite
}

/// A name that stays while the finding does: without a line, which moves.
fn name(finding: &Finding) -> String {
    let mut parts = vec![finding.check.clone()];
    parts.extend(finding.place.as_ref().map(|place| place.file.to_string()));
    parts.extend(finding.value_path.as_ref().map(ToString::to_string));
    parts.extend(finding.resource.as_ref().map(places::name));
    parts.extend(finding.field_path.as_ref().map(ToString::to_string));
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use std::process::{Command, Stdio};

    fn junit(report: &Report) -> String {
        let mut out = Vec::new();
        write(report, &Style::plain(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn parsed(report: &Report) -> quick_junit::Report {
        quick_junit::Report::deserialize_from_str(&junit(report)).unwrap()
    }

    fn cases(report: &quick_junit::Report) -> Vec<&TestCase> {
        report
            .test_suites
            .iter()
            .flat_map(|suite| &suite.test_cases)
            .collect()
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut reports = sample::all();
        reports.push(("flood", sample::flood()));
        for (name, report) in reports {
            let text = junit(&report);
            let back = parsed(&report);
            assert_eq!(back.to_string().unwrap(), text, "{name}");
            assert!(!text.contains("time"), "{name}: {text}");
            let documents: usize = report.facts.cells.iter().map(|cell| cell.documents.len()).sum();
            assert!(
                cases(&back).len() >= documents + report.facts.findings.len(),
                "{name}"
            );
        }
    }

    #[test]
    fn verdicts_become_passes_failures_and_errors() {
        let back = parsed(&sample::rich());
        let outcome = sample::rich().outcome;
        // One cell does not render, one document cannot be read.
        assert_eq!(back.errors, 2);
        assert_eq!(back.failures, outcome.differing() + outcome.findings_failing);
        assert_eq!(back.skipped, 1, "loki may fail alike");
        let equal = parsed(&sample::equal());
        assert_eq!((equal.failures, equal.errors, equal.skipped), (0, 0, 0));
        assert_eq!(equal.tests, 67);
    }

    #[test]
    fn a_failing_run_never_looks_like_a_pass() {
        for (name, report) in sample::all() {
            let back = parsed(&report);
            let failed = back.failures + back.errors;
            if report.outcome.exit_code == 0 {
                assert_eq!(failed, 0, "{name}");
            } else {
                assert!(failed > 0, "{name}");
            }
        }
    }

    /// Runs where `xmllint` is, and says so where it is not.
    #[test]
    fn it_is_valid_under_the_schema_of_jenkins() {
        let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/junit-10.xsd");
        for (name, report) in sample::all() {
            let child = Command::new("xmllint")
                .args(["--noout", "--schema", schema, "-"])
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn();
            let Ok(mut child) = child else {
                println!("xmllint is not there: not validated");
                return;
            };
            let mut stdin = child.stdin.take().unwrap();
            // Readers take the sum of what was skipped; this schema has it on the suites alone.
            let text = junit(&report);
            let (root, rest) = text.split_once("<testsuite ").unwrap_or((&text, ""));
            let sum = format!(" skipped=\"{}\"", parsed(&report).skipped);
            let root = root.replacen(&sum, "", 1);
            let text = match rest.is_empty() {
                true => root,
                false => format!("{root}<testsuite {rest}"),
            };
            stdin.write_all(text.as_bytes()).unwrap();
            drop(stdin);
            let output = child.wait_with_output().unwrap();
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name}: {told}");
        }
    }
}
