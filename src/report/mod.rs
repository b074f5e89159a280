//! Plain results and their formats.
//!
//! `verify` fills the types of `model` and `finding`; every text that may quote a chart or a document goes
//! in through `redact`, once, so that no format can forget it. `outcome` is the one place that says
//! what a run concludes. Knows no engine, no git, no terminal.

pub mod blame;
pub mod build;
mod clip;
mod failures;
pub mod finding;
mod flow;
pub mod github;
pub mod gitlab;
mod group;
pub mod html;
mod issue;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod model;
pub mod names;
pub mod outcome;
pub mod output;
mod places;
pub mod redact;
#[cfg(test)]
mod sample;
pub mod sarif;
mod summary;
mod table;
pub mod text;
mod words;

use model::Report;
use redact::ShowSecrets;
use std::io::{self, Write};

/// One way to write a report. To add one: a file with its `FORMAT`, a `mod` line, a row in `FORMATS`.
pub struct Format {
    /// The name behind `--format` and `--output`.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub about: &'static str,
    /// Writes a report.
    pub write: fn(&Report, &Style, &mut dyn Write) -> io::Result<()>,
}

/// Every format, by name.
pub static FORMATS: &[&Format] = &[
    &github::FORMAT,
    &gitlab::FORMAT,
    &html::FORMAT,
    &json::FORMAT,
    &junit::FORMAT,
    &markdown::FORMAT,
    &names::FORMAT,
    &sarif::FORMAT,
    &text::stat::FORMAT,
    &text::FORMAT,
];

/// How a report for people looks. Formats for programs do not read it.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Colours, as escape sequences.
    pub color: bool,
    /// Columns.
    pub width: usize,
    /// Box drawing and symbols beyond ASCII.
    pub unicode: bool,
    /// Everything in full: equal rows, every place, long values.
    pub verbose: bool,
    /// The right to show secrets; never there for a file.
    pub show_secrets: Option<ShowSecrets>,
}

impl Style {
    /// What goes into files: no colour, 100 columns.
    pub fn plain() -> Style {
        Style {
            color: false,
            width: 100,
            unicode: true,
            verbose: false,
            show_secrets: None,
        }
    }
}

/// The format of a name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: &Format, report: &Report, style: &Style) -> String {
        let mut out = Vec::new();
        (format.write)(report, style, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Raw values are in the model, a terminal may show them, and still no file does.
    #[test]
    fn no_format_gives_a_secret_away() {
        let mut reports = sample::all();
        reports.push(("raw", sample::rich_with_raw_values()));
        for format in FORMATS {
            for (name, report) in &reports {
                for verbose in [false, true] {
                    let style = Style {
                        verbose,
                        ..Style::plain()
                    };
                    let text = written(format, report, &style);
                    for canary in ["CANARY", "Q0FOQVJZ"] {
                        let at = text
                            .find(canary)
                            .and_then(|at| text.get(at.saturating_sub(80)..at + 10));
                        assert_eq!(at, None, "{canary} in {} of {name}", format.name);
                    }
                }
            }
        }
    }

    #[test]
    fn formats_for_programs_do_not_know_of_the_right_to_show_secrets() {
        let style = Style {
            show_secrets: ShowSecrets::on_terminal(true, true),
            ..Style::plain()
        };
        let json = format("json").unwrap();
        assert!(!written(json, &sample::rich_with_raw_values(), &style).contains("CANARY"));
    }

    /// The shared sample through every format.
    #[test]
    fn the_rich_sample() {
        for format in FORMATS {
            let text = html::without_assets(&written(format, &sample::rich(), &Style::plain()));
            insta::assert_snapshot!(format.name, text);
        }
    }

    /// What tries to break out of a report, through every format.
    #[test]
    fn the_hostile_sample() {
        for format in FORMATS {
            let name = format!("{}-hostile", format.name);
            let text = html::without_assets(&written(format, &sample::hostile(), &Style::plain()));
            insta::assert_snapshot!(name, text);
        }
    }
}
