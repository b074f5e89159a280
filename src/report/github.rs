//! Annotations of a GitHub workflow, as commands on standard output. GitHub shows ten errors, ten warnings and
//! ten notices of a step; what is beyond is one closing line.

use super::issue::{Grain, Issue, issues};
use super::model::Report;
use super::words::{list, plural};
use super::{Format, Style, clip, summary};
use crate::base::Level;
use std::io::{self, Write};

/// This format's row in the table.
pub static FORMAT: Format = Format {
    name: "github",
    about: "annotations of a GitHub workflow",
    write,
};

/// So many annotations of a level GitHub shows for a step. The closing line takes one of the notices.
const SHOWN: usize = 10;

/// Columns of a title, and bytes of a message; GitHub cuts at 64 KB.
const TITLE: usize = 120;
const MESSAGE: usize = 4_000;

/// The commands of the levels.
const COMMANDS: [(Level, &str); 3] = [
    (Level::Deny, "error"),
    (Level::Warn, "warning"),
    (Level::Info, "notice"),
];

fn write(report: &Report, _style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let issues: Vec<Issue<'_>> = issues(report, Grain::Group)
        .into_iter()
        .filter(|issue| !issue.standing)
        .collect();
    let mut hidden = Vec::new();
    for (level, command) in COMMANDS {
        let most = if level == Level::Info { SHOWN - 1 } else { SHOWN };
        let of: Vec<&Issue<'_>> = issues.iter().filter(|issue| issue.level == level).collect();
        for issue in of.iter().take(most) {
            annotate(command, issue, out)?;
        }
        if of.len() > most {
            hidden.push(plural(of.len() - most, command));
        }
    }
    let (verdict, rest) = summary::verdict(report);
    let more = match hidden.is_empty() {
        true => String::new(),
        false => format!(
            "; not shown here: {}. Write another format beside this one, --output markdown=FILE, to see all",
            list(&hidden)
        ),
    };
    // A run with nothing to tell says nothing.
    if report.outcome.exit_code == 0 && issues.is_empty() {
        return Ok(());
    }
    let told = clip::cut(&rest, MESSAGE, "…");
    writeln!(
        out,
        "::notice title={}::{}",
        property(&format!("evenkeel: {verdict}")),
        message(&format!("{told}{more}"))
    )
}

fn annotate(command: &str, issue: &Issue<'_>, out: &mut dyn Write) -> io::Result<()> {
    let place = &issue.place;
    write!(out, "::{command} file={}", property(&place.file))?;
    if place.line > 0 {
        write!(out, ",line={}", place.line)?;
        if place.column > 0 {
            write!(out, ",col={}", place.column)?;
        }
    }
    let mut text = issue.message();
    if text.len() > MESSAGE {
        let end = (0..=MESSAGE).rev().find(|at| text.is_char_boundary(*at));
        text.truncate(end.unwrap_or(0));
        text.push('…');
    }
    let title = clip::cut(issue.rule, TITLE, "…");
    writeln!(out, ",title={}::{}", property(&title), message(&text))
}

/// What follows the second `::`.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which a comma or a colon would end.
fn property(text: &str) -> String {
    message(&clip::visible(text))
        .replace(':', "%3A")
        .replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn github(report: &Report) -> String {
        let mut out = Vec::new();
        write(report, &Style::plain(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// A command as the runner reads it: its name, its properties, its message.
    fn read(line: &str) -> (String, Vec<(String, String)>, String) {
        let rest = line.strip_prefix("::").unwrap();
        let (head, message) = rest.split_once("::").unwrap();
        let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
        let plain = |text: &str| {
            text.replace("%0D", "\r")
                .replace("%0A", "\n")
                .replace("%3A", ":")
                .replace("%2C", ",")
                .replace("%25", "%")
        };
        let properties = properties
            .split(',')
            .map(|property| property.split_once('=').unwrap())
            .map(|(key, value)| (key.to_owned(), plain(value)))
            .collect();
        (name.to_owned(), properties, plain(message))
    }

    #[test]
    fn every_line_is_one_command_that_names_no_other() {
        for (name, report) in sample::all() {
            for line in github(&report).lines() {
                let (command, properties, _) = read(line);
                assert!(
                    ["error", "warning", "notice"].contains(&&*command),
                    "{name}: {line}"
                );
                let keys: Vec<&str> = properties.iter().map(|(key, _)| &**key).collect();
                let known = ["file", "line", "col", "title"];
                assert!(keys.iter().all(|key| known.contains(key)), "{name}: {line}");
                let mut once = keys.clone();
                once.dedup();
                assert_eq!(once, keys);
            }
        }
    }

    #[test]
    fn places_and_texts_come_through_the_escapes() {
        let denied = sample::all().into_iter().find(|(name, _)| *name == "denied");
        let text = github(&denied.unwrap().1);
        let replaced = text.lines().find(|line| line.contains("list-replaced")).unwrap();
        let (command, properties, message) = read(replaced);
        assert_eq!(command, "error");
        let of = |key: &str| {
            let mut found = properties.iter().filter(|(name, _)| name == key);
            found.next().unwrap().1.clone()
        };
        assert_eq!(of("file"), "chat/values-sso.yaml");
        assert_eq!((of("line"), of("col")), ("1".to_owned(), "1".to_owned()));
        assert!(message.contains("\nhelp: use the chart's sso map"));
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25\\n");
    }

    #[test]
    fn no_more_than_github_shows() {
        let text = github(&sample::flood());
        let count = |command: &str| text.lines().filter(|line| line.starts_with(command)).count();
        assert_eq!(
            (count("::error "), count("::warning "), count("::notice ")),
            (10, 10, 10)
        );
        assert_eq!(text.lines().count(), 30);
        let last = text.lines().last().unwrap();
        assert!(
            last.contains("not shown here: 37,324 errors, 33,323 warnings and 33,324 notices"),
            "{last}"
        );
    }

    #[test]
    fn an_equal_run_says_nothing() {
        assert_eq!(github(&sample::equal()), "");
    }
}
