//! A code quality report for GitLab: an entry for each finding, and for each document of each release that
//! differs or cannot be read.

use super::issue::{Grain, Issue, issues};
use super::model::Report;
use super::{Format, Style, clip};
use crate::base::Level;
use serde::Serialize;
use std::io::{self, Write};

/// This format's row in the table.
pub static FORMAT: Format = Format {
    name: "gitlab",
    about: "a code quality report for GitLab",
    write,
};

/// Columns of a description, which a merge request shows on one line.
const WIDTH: usize = 400;

#[derive(Serialize)]
struct Entry<'a> {
    description: String,
    check_name: &'a str,
    fingerprint: &'a str,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
}

fn write(report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let issues = issues(report, Grain::Document);
    let entries: Vec<Entry<'_>> = issues.iter().map(entry).collect();
    serde_json::to_writer_pretty(&mut *out, &entries)?;
    out.write_all(b"\n")
}

fn entry<'a>(issue: &'a Issue<'_>) -> Entry<'a> {
    let description = issue.message().replace('\n', "; ");
    Entry {
        description: clip::cut(&description, WIDTH, "…"),
        check_name: issue.rule,
        fingerprint: &issue.fingerprint,
        severity: match issue.level {
            _ if issue.standing => "info",
            Level::Deny => "critical",
            Level::Warn => "major",
            Level::Info | Level::Allow => "info",
        },
        location: Location {
            path: &issue.place.file,
            lines: Lines {
                begin: issue.place.line.max(1),
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use serde_json::Value;
    use std::collections::BTreeSet;

    fn gitlab(report: &Report) -> Vec<Value> {
        let mut out = Vec::new();
        write(report, &Style::plain(), &mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn every_entry_has_what_gitlab_asks_for() {
        let mut reports = sample::all();
        reports.push(("flood", sample::flood()));
        for (name, report) in reports {
            let entries = gitlab(&report);
            let mut prints = BTreeSet::new();
            for entry in &entries {
                for field in ["description", "check_name", "fingerprint"] {
                    assert!(!entry[field].as_str().unwrap().is_empty(), "{name}: {field}");
                }
                let severity = entry["severity"].as_str().unwrap();
                assert!(["info", "minor", "major", "critical", "blocker"].contains(&severity));
                assert!(entry["location"]["lines"]["begin"].as_u64().unwrap() >= 1);
                let path = entry["location"]["path"].as_str().unwrap();
                assert!(
                    !path.is_empty() && !path.starts_with(['/', '.']),
                    "{name}: {path}"
                );
                prints.insert(entry["fingerprint"].as_str().unwrap().to_owned());
            }
            assert_eq!(prints.len(), entries.len(), "{name}: fingerprints are shared");
        }
    }

    #[test]
    fn an_entry_for_each_document_and_finding_and_none_for_what_is_equal() {
        assert_eq!(gitlab(&sample::equal()), Vec::<Value>::new());
        let rich = sample::rich();
        let entries = gitlab(&rich);
        let of = |check: &str| {
            entries
                .iter()
                .filter(|entry| entry["check_name"] == check)
                .count()
        };
        // Chat's two, the database's secret, and four of one chart with nothing but labels.
        assert_eq!(of("document-changed"), 7);
        assert_eq!(of("document-added"), 2);
        assert_eq!(of("document-undecided"), 1);
        assert_eq!(of("list-replaced") + of("unread-key") + of("list-reordered"), 4);
    }
}
