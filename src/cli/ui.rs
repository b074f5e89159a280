//! The terminal: what it can show, the progress bar, and where text goes. The only place that prints.

use super::args::ColorChoice;
use super::exit::Exit;
use crate::base::Problem;
use crate::report::Style;
use crate::report::redact::ShowSecrets;
use crate::verify::progress::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

/// Columns where nothing is known: a file, a pipe.
const DEFAULT_WIDTH: usize = 100;

/// A variable of the environment that is set and not empty.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// How a report looks on this standard output.
pub(crate) fn style(color: ColorChoice, verbose: bool, show_secrets: bool) -> Style {
    let terminal = io::stdout().is_terminal();
    let dumb = variable("TERM").is_some_and(|term| term == "dumb");
    let plain = variable("NO_COLOR").is_some() || dumb;
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    let unicode = locale.is_some_and(|locale| locale.to_ascii_lowercase().replace('-', "").contains("utf8"));
    let width = match terminal_size::terminal_size() {
        Some((columns, _)) if terminal => usize::from(columns.0),
        _ => DEFAULT_WIDTH,
    };
    Style {
        color: match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => terminal && !plain,
        },
        width,
        unicode: unicode && !dumb || !terminal,
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
    for problem in problems {
        tell(&format!("error: {problem}"));
    }
    if problems.len() > 1 {
        tell(&format!("{} errors", problems.len()));
    }
    Exit::Undecided
}

/// A bar on standard error, when that is a terminal.
pub(crate) struct Bar {
    wanted: bool,
    bar: OnceLock<ProgressBar>,
}

impl Bar {
    pub(crate) fn new(wanted: bool) -> Bar {
        Bar {
            wanted: wanted && io::stderr().is_terminal(),
            bar: OnceLock::new(),
        }
    }
}

impl Progress for Bar {
    fn start(&self, cells: usize) {
        if !self.wanted {
            return;
        }
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(Some(cells as u64), target);
        let template = "{spinner} rendering {wide_bar} {pos}/{len} cells, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let _ = self.bar.set(bar);
    }

    fn advance(&self) {
        if let Some(bar) = self.bar.get() {
            bar.inc(1);
        }
    }

    fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
