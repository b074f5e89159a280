//! The terminal: what it can show, and where text goes. The only place that prints.

use super::args::ColorChoice;
use super::exit::Exit;
use super::wrap::wrapped;
use crate::base::Problem;
use crate::report::Style;
use crate::report::redact::ShowSecrets;
use std::io::{self, IsTerminal, Write};

/// Columns where nothing is known: a file, a pipe.
const DEFAULT_WIDTH: usize = 100;

/// A variable of the environment that is set and not empty.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// True for a terminal that can neither move its cursor nor show colours.
pub(super) fn dumb() -> bool {
    variable("TERM").is_some_and(|term| term == "dumb")
}

/// Whether signs beyond ASCII can be shown: what the locale says. Where it says nothing, a terminal is taken not to,
/// and whatever reads a pipe or a file to do so.
pub(super) fn unicode(terminal: bool) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    shows_unicode(locale.as_deref(), terminal, dumb())
}

fn shows_unicode(locale: Option<&str>, terminal: bool, dumb: bool) -> bool {
    match locale {
        Some(locale) => locale.to_ascii_lowercase().replace('-', "").contains("utf8") && !(terminal && dumb),
        None => !terminal,
    }
}

/// Whether a stream gets colours when nothing else was said.
fn colored(terminal: bool) -> bool {
    terminal && variable("NO_COLOR").is_none() && !dumb()
}

/// Columns of the terminal; those of a page where there is none.
fn columns(terminal: bool) -> usize {
    match terminal_size::terminal_size() {
        // A width of 0 is one that nobody has set.
        Some((columns, _)) if terminal && columns.0 > 0 => usize::from(columns.0),
        _ => DEFAULT_WIDTH,
    }
}

/// Columns for running text on standard output: no wider than is good to read.
pub(super) fn text_columns() -> usize {
    columns(io::stdout().is_terminal()).min(DEFAULT_WIDTH)
}

/// Columns for lines that a script may read: whole where there is no terminal.
pub(super) fn line_columns() -> usize {
    let terminal = io::stdout().is_terminal();
    if terminal { columns(terminal) } else { usize::MAX }
}

/// How a report looks on this standard output.
pub(crate) fn style(color: ColorChoice, verbose: bool, show_secrets: bool) -> Style {
    let terminal = io::stdout().is_terminal();
    Style {
        color: match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => colored(terminal),
        },
        width: columns(terminal),
        unicode: unicode(terminal),
        verbose,
        show_secrets: ShowSecrets::on_terminal(show_secrets, terminal),
    }
}

/// Writes to standard output; a reader that went away is no error.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Problem> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Problem::new(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes lines to standard error.
pub(crate) fn tell(text: &str) {
    // Nobody can be told that standard error is gone.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Tells every problem, and that there is no verdict.
pub(crate) fn problems(problems: &[Problem]) -> Exit {
    let terminal = io::stderr().is_terminal();
    let columns = terminal.then(|| columns(terminal));
    for problem in problems {
        tell(told(problem, columns, colored(terminal)).trim_end());
    }
    if problems.len() > 1 {
        tell(&format!("{} errors", problems.len()));
    }
    Exit::Undecided
}

/// A problem as it is told; broken to so many columns where that is a terminal.
fn told(problem: &Problem, columns: Option<usize>, color: bool) -> String {
    let mut text = String::new();
    for (index, line) in format!("error: {problem}").lines().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let further = if index == 0 { 2 } else { indent + 2 };
        match columns {
            Some(columns) => text.push_str(&wrapped(line, columns, further)),
            None => text.push_str(&format!("{line}\n")),
        }
    }
    if color {
        text = text.replacen("error:", "\x1b[1;31merror:\x1b[0m", 1).replacen(
            "\n  help:",
            "\n  \x1b[1mhelp:\x1b[0m",
            1,
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_beyond_ascii_need_a_locale_that_has_them() {
        assert!(shows_unicode(Some("de_DE.UTF-8"), true, false));
        assert!(shows_unicode(Some("C.utf8"), false, true), "a pipe is not dumb");
        assert!(!shows_unicode(Some("C.utf8"), true, true));
        assert!(!shows_unicode(Some("C"), true, false));
        assert!(!shows_unicode(Some("C"), false, false), "who says C means it");
        assert!(!shows_unicode(None, true, false));
        assert!(shows_unicode(None, false, false));
    }

    #[test]
    fn a_problem_is_broken_on_a_terminal_only() {
        let problem = Problem::new("one two three four").remedy("five six seven");
        assert_eq!(
            told(&problem, None, false),
            "error: one two three four\n  help: five six seven\n"
        );
        assert_eq!(
            told(&problem, Some(16), false),
            "error: one two\n  three four\n  help: five six\n    seven\n"
        );
        let color = told(&problem, None, true);
        assert!(color.starts_with("\x1b[1;31merror:\x1b[0m one") && color.contains("\x1b[1mhelp:"));
    }
}
