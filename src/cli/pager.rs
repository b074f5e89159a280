//! Text longer than the screen goes through a pager, as git does it: `EVENKEEL_PAGER`, then `PAGER`, then `less` with
//! `LESS=FRX`. Only where somebody sits: never into a pipe, never in CI, never on a dumb terminal.

use super::ui;
use crate::base::Problem;
use crate::base::interrupt::hold_off;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::{Child, Command, Stdio};
use unicode_width::UnicodeWidthStr;

/// Signs that only a shell understands, a blank among them.
const SHELL: &str = "|&;<>()$`\\\"' \t\n*?[#~=%";

/// The codes of a shell that could not run its command.
const NOT_RUN: [i32; 2] = [126, 127];

/// Whether a command may use a pager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paging {
    /// When the text is long and somebody sits there.
    Auto,
    /// Not at all.
    Never,
}

impl Paging {
    /// What `--no-pager` says.
    pub(super) fn of(no_pager: bool) -> Paging {
        if no_pager { Paging::Never } else { Paging::Auto }
    }
}

/// Writes text for people to standard output, through a pager where that helps.
pub(super) fn print(text: &[u8], paging: Paging) -> Result<(), Problem> {
    let attended = paging == Paging::Auto && io::stdout().is_terminal() && io::stdin().is_terminal();
    let pager = attended.then(|| choose(|name| std::env::var_os(name))).flatten();
    let screen = terminal_size::terminal_size().map(|(columns, rows)| (columns.0.into(), rows.0.into()));
    match (pager, screen) {
        (Some(pager), Some(screen)) if !fits(&String::from_utf8_lossy(text), screen) => {
            if through(&pager, text) {
                Ok(())
            } else {
                ui::print(text)
            }
        }
        _ => ui::print(text),
    }
}

/// The command of the pager, when the environment lets there be one.
fn choose(variable: impl Fn(&str) -> Option<OsString>) -> Option<String> {
    let text = |name: &str| variable(name).and_then(|value| value.into_string().ok());
    let in_ci = text("CI").is_some_and(|ci| !ci.is_empty() && ci != "false" && ci != "0");
    if in_ci || text("TERM").is_some_and(|term| term == "dumb") {
        return None;
    }
    // Set to nothing, it says that there shall be none.
    let pager = text("EVENKEEL_PAGER")
        .or_else(|| text("PAGER"))
        .unwrap_or_else(|| "less".to_owned());
    let pager = pager.trim();
    (!pager.is_empty() && pager != "cat").then(|| pager.to_owned())
}

/// True when a text leaves room for the prompt on a screen of so many columns and rows.
fn fits(text: &str, (columns, rows): (usize, usize)) -> bool {
    let taken = |line: &str| plain(line).width().div_ceil(columns.max(1)).max(1);
    text.lines().map(taken).sum::<usize>() < rows
}

/// A line without its colours.
fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('\x1b') {
        text.push_str(&rest[..start]);
        rest = rest[start..].split_once('m').map_or("", |(_, rest)| rest);
    }
    text + rest
}

/// Sends a text through a pager; false when it could not be run, and nothing was shown.
fn through(pager: &str, text: &[u8]) -> bool {
    // Ctrl-C is for the pager as long as it has the terminal.
    let _held = hold_off();
    let Ok(mut child) = spawn(pager) else {
        return false;
    };
    if let Some(mut pipe) = child.stdin.take() {
        // A pager that is left before the end reads no further.
        let _ = pipe.write_all(text);
    }
    match child.wait() {
        Ok(status) => !status.code().is_some_and(|code| NOT_RUN.contains(&code)),
        Err(_) => true,
    }
}

fn spawn(pager: &str) -> io::Result<Child> {
    let mut command = if pager.contains(|c| SHELL.contains(c)) {
        let mut shell = Command::new("sh");
        shell.args(["-c", pager]);
        shell
    } else {
        Command::new(pager)
    };
    for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    command.stdin(Stdio::piped()).spawn()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(variables: &[(&str, &str)]) -> Option<String> {
        choose(|name| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn which_pager() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(chosen(&[]), some("less"));
        assert_eq!(chosen(&[("PAGER", "more")]), some("more"));
        assert_eq!(
            chosen(&[("PAGER", "more"), ("EVENKEEL_PAGER", "most -s")]),
            some("most -s")
        );
        assert_eq!(chosen(&[("PAGER", "more"), ("EVENKEEL_PAGER", "")]), None);
        assert_eq!(chosen(&[("PAGER", "cat")]), None);
        assert_eq!(chosen(&[("CI", "true")]), None);
        assert_eq!(chosen(&[("CI", "false"), ("TERM", "xterm")]), some("less"));
        assert_eq!(chosen(&[("TERM", "dumb"), ("PAGER", "more")]), None);
    }

    #[test]
    fn what_fits_a_screen() {
        assert!(fits("a\nb\n", (80, 3)));
        assert!(!fits("a\nb\nc\n", (80, 3)));
        assert!(!fits(&"x".repeat(161), (80, 3)), "a long line takes several rows");
        assert!(
            fits(&"\x1b[1;31mx\x1b[0m".repeat(80), (80, 2)),
            "colours take none"
        );
    }

    #[test]
    fn a_pager_that_is_not_there_is_told_apart() {
        assert!(!through("no-such-pager-anywhere", b"text"));
        assert!(!through("no-such-pager-anywhere --flag", b"text"));
        assert!(through("true", b"text"));
        assert!(through("sh -c 'cat >/dev/null; exit 1'", b"text"));
    }
}
