//! SARIF 2.1.0, for the code scanning pages of GitHub, GitLab and Azure. Findings are results under their checks;
//! what differs and what does not render are results under rules of our own, so that such a page shows them too.

mod wire;

use super::issue::{Grain, Issue, RULES, issues};
use super::markdown::escape;
use super::model::Report;
use super::words::number;
use super::{Format, Style, summary};
use crate::base::{Level, Place};
use crate::check;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// This format's row in the table.
pub static FORMAT: Format = Format {
    name: "sarif",
    about: "SARIF 2.1.0, for code scanning",
    write,
};

/// GitHub refuses a run with more results.
const MOST: usize = 25_000;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn write(report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &log(report))?;
    out.write_all(b"\n")
}

fn log(report: &Report) -> wire::Log<'_> {
    let mut issues = issues(report, Grain::Group);
    let total = issues.len();
    issues.truncate(MOST);
    let used: BTreeSet<&str> = issues.iter().map(|issue| issue.rule).collect();
    let at: BTreeMap<&str, usize> = used.iter().enumerate().map(|(at, name)| (*name, at)).collect();
    let facts = &report.facts;
    let (verdict, rest) = summary::verdict(report);
    let cut = (total > MOST).then(|| wire::Notification {
        level: "warning",
        message: text(format!(
            "{} of {} results are left out, for code scanning takes no more than {}; the JSON report has all",
            number(total - MOST),
            number(total),
            number(MOST)
        )),
    });
    wire::Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [wire::Run {
            tool: wire::Tool {
                driver: wire::Driver {
                    name: "evenkeel",
                    semantic_version: VERSION,
                    version: VERSION,
                    rules: used.iter().map(|name| rule(name)).collect(),
                },
            },
            automation_details: wire::AutomationDetails { id: "evenkeel/" },
            invocations: [wire::Invocation {
                execution_successful: report.outcome.exit_code != 2,
                exit_code: report.outcome.exit_code,
                tool_execution_notifications: cut.into_iter().collect(),
            }],
            column_kind: "unicodeCodePoints",
            properties: wire::RunProperties {
                verdict,
                summary: rest,
                baseline: facts.baseline.as_ref().map(|info| &*info.requested),
                baseline_sha: facts.baseline.as_ref().and_then(|info| info.sha.as_deref()),
                candidate_sha: facts.candidate.sha.as_deref(),
            },
            results: issues.iter().map(|issue| result(issue, at[issue.rule])).collect(),
        }],
    }
}

fn rule(name: &str) -> wire::Rule<'_> {
    let ours = RULES.iter().find(|(rule, _, _)| *rule == name);
    let (level, explain) = match (ours, check::find(name)) {
        (Some((_, level, about)), _) => (*level, *about),
        (None, Some(check)) => (check.level, check.explain),
        (None, None) => (Level::Warn, "A check of a newer evenkeel."),
    };
    let paragraphs: Vec<String> = explain.trim().split("\n\n").map(paragraph).collect();
    let first = paragraphs.first().cloned().unwrap_or_default();
    let sentence = first.split_inclusive(". ").next().unwrap_or_default().trim_end();
    wire::Rule {
        id: name,
        short_description: text(sentence.to_owned()),
        full_description: text(first.clone()),
        help: wire::Help {
            text: paragraphs.join("\n\n"),
            markdown: explain
                .trim()
                .split("\n\n")
                .map(markdown)
                .collect::<Vec<_>>()
                .join("\n\n"),
        },
        default_configuration: wire::Configuration {
            level: level_name(level),
        },
        properties: wire::RuleProperties {
            tags: ["helm", "kubernetes"],
            severity: match level {
                Level::Deny => "error",
                Level::Warn => "warning",
                Level::Info | Level::Allow => "recommendation",
            },
        },
    }
}

/// Flowing text on one line; an example, which is indented, as it is.
fn paragraph(text: &str) -> String {
    if text.starts_with(' ') {
        text.trim_end().to_owned()
    } else {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The same in Markdown, which would take an example's signs for its own.
fn markdown(text: &str) -> String {
    if !text.starts_with(' ') {
        return escape::prose(&paragraph(text));
    }
    let indent = text.len() - text.trim_start_matches(' ').len();
    let lines = text
        .lines()
        .map(|line| line.get(indent..).unwrap_or(line.trim_start()));
    escape::fenced("yaml", lines).trim_end().to_owned()
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::Deny => "error",
        Level::Warn => "warning",
        Level::Info => "note",
        Level::Allow => "none",
    }
}

fn result<'a>(issue: &Issue<'a>, rule_index: usize) -> wire::Result<'a> {
    let related = issue.related.iter().enumerate();
    wire::Result {
        rule_id: issue.rule,
        rule_index,
        level: level_name(issue.level),
        message: text(issue.message()),
        locations: [location(&issue.place, None)],
        related_locations: related
            .map(|(index, (label, place))| location(place, Some((index + 1, label))))
            .collect(),
        partial_fingerprints: BTreeMap::from([("evenkeel/v1", issue.fingerprint.clone())]),
        baseline_state: if issue.standing { "unchanged" } else { "new" },
    }
}

/// A message may hold links, `[label](target)`; what we quote is none.
fn text(text: String) -> wire::Text {
    wire::Text {
        text: text.replace("](", "] ("),
    }
}

fn location(place: &Place, related: Option<(usize, &String)>) -> wire::Location {
    wire::Location {
        id: related.map(|(id, _)| id),
        physical_location: wire::PhysicalLocation {
            artifact_location: wire::ArtifactLocation {
                uri: uri(&place.file),
                uri_base_id: "%SRCROOT%",
            },
            // A page shows nothing without a line.
            region: wire::Region {
                start_line: place.line.max(1),
                start_column: (place.line > 0 && place.column > 0).then_some(place.column),
            },
        },
        message: related.map(|(_, label)| text(label.clone())),
    }
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use serde_json::Value;

    fn sarif(report: &Report) -> Value {
        let mut out = Vec::new();
        write(report, &Style::plain(), &mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    fn schema() -> jsonschema::Validator {
        let schema = include_str!("../../../tests/schemas/sarif-2.1.0.json");
        let mut schema: Value = serde_json::from_str(schema).unwrap();
        // A stray bracket makes these patterns no regular expressions; we write no language.
        for of in ["run", "toolComponent"] {
            let language = format!("/definitions/{of}/properties/language");
            let language = schema.pointer_mut(&language).unwrap().as_object_mut().unwrap();
            language.remove("pattern").unwrap();
        }
        jsonschema::validator_for(&schema).unwrap()
    }

    #[test]
    fn every_sample_is_valid_under_the_standards_schema() {
        let schema = schema();
        let mut reports = sample::all();
        reports.push(("flood", sample::flood()));
        for (name, report) in reports {
            let problems: Vec<String> = schema
                .iter_errors(&sarif(&report))
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert_eq!(problems, Vec::<String>::new(), "{name}");
        }
    }

    #[test]
    fn the_schema_refuses_what_is_no_sarif() {
        let schema = schema();
        let good = sarif(&sample::rich());
        for (pointer, bad) in [
            ("/version", Value::from("2.0.0")),
            ("/runs/0/results/0/level", "fatal".into()),
            ("/runs/0/results/0/baselineState", "old".into()),
            (
                "/runs/0/results/0/locations/0/physicalLocation/region/startLine",
                0.into(),
            ),
        ] {
            let mut value = good.clone();
            *value.pointer_mut(pointer).unwrap() = bad;
            assert!(!schema.is_valid(&value), "{pointer}");
        }
    }

    #[test]
    fn results_name_their_rules_and_places() {
        let log = sarif(&sample::rich());
        let run = &log["runs"][0];
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
            let place = &result["locations"][0]["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().unwrap();
            assert!(!uri.is_empty() && !uri.starts_with('/'), "{uri}");
        }
        let find = |rule: &str| {
            let results = run["results"].as_array().unwrap();
            results.iter().find(|result| result["ruleId"] == rule).unwrap()
        };
        let replaced = find("list-replaced");
        assert_eq!(replaced["level"], "error");
        let place = &replaced["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "chat/values-sso.yaml");
        assert_eq!(place["region"]["startLine"], 1);
        assert_eq!(find("document-changed")["baselineState"], "new");
        assert_eq!(find("cell-undecided")["level"], "error");
    }

    #[test]
    fn no_more_results_than_code_scanning_takes() {
        let log = sarif(&sample::flood());
        let run = &log["runs"][0];
        assert_eq!(run["results"].as_array().unwrap().len(), MOST);
        let told = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
        assert!(told.as_str().unwrap().contains("of 104,000 results are left out"));
    }

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("a b/c:d.yaml"), "a%20b/c%3Ad.yaml");
        assert_eq!(uri("ä"), "%C3%A4");
    }
}
