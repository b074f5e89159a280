//! Questions at a terminal: a line each, Enter for what stands in brackets, asked again where the answer is none.

use crate::base::Problem;
use std::io::{self, BufRead, IsTerminal, Write};

/// Whether somebody is there to answer.
pub(super) fn attended() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && io::stderr().is_terminal()
}

/// Asks, and reads the answers.
pub(super) struct Asker<R, W> {
    answers: R,
    out: W,
}

impl<R: BufRead, W: Write> Asker<R, W> {
    /// One that reads answers and writes questions there.
    pub(super) fn new(answers: R, out: W) -> Asker<R, W> {
        Asker { answers, out }
    }

    /// The answer to a question; `None` for Enter, which takes what stands in brackets.
    pub(super) fn ask<T>(
        &mut self,
        question: &str,
        default: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Problem> {
        loop {
            // Who cannot be asked does not answer either.
            let _ = write!(self.out, "{question} [{default}]: ").and_then(|()| self.out.flush());
            let mut line = String::new();
            let count = self.answers.read_line(&mut line).unwrap_or(0);
            if count == 0 {
                let _ = writeln!(self.out);
                return Err(Problem::new("the answers ended: nothing was written")
                    .remedy("flags answer as well, and --yes takes what is found: `evenkeel init --help`"));
            }
            match line.trim() {
                "" => return Ok(None),
                answer => match read(answer) {
                    Ok(answer) => return Ok(Some(answer)),
                    Err(fault) => {
                        let _ = writeln!(self.out, "  {fault}");
                    }
                },
            }
        }
    }

    /// Yes or no; no for Enter.
    pub(super) fn yes(&mut self, question: &str) -> Result<bool, Problem> {
        let answer = self.ask(question, "y/N", |answer| match answer.to_lowercase().as_str() {
            "y" | "yes" => Ok(true),
            "n" | "no" => Ok(false),
            _ => Err("y or n".to_owned()),
        })?;
        Ok(answer.unwrap_or(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked<T>(answers: &str, ask: impl FnOnce(&mut Asker<&[u8], &mut Vec<u8>>) -> T) -> (T, String) {
        let mut out = Vec::new();
        let answer = ask(&mut Asker::new(answers.as_bytes(), &mut out));
        (answer, String::from_utf8(out).unwrap())
    }

    fn number(text: &str) -> Result<u8, String> {
        text.parse().map_err(|_| "a number".to_owned())
    }

    #[test]
    fn answers_are_read_until_one_is_good() {
        let (answer, shown) = asked("x\n 7 \n", |asker| asker.ask("How many", "3", number));
        assert_eq!(answer, Ok(Some(7)));
        assert_eq!(shown, "How many [3]: \u{20}\u{20}a number\nHow many [3]: ");
        assert_eq!(
            asked("\n", |asker| asker.ask("How many", "3", number)).0,
            Ok(None)
        );
        assert_eq!(
            asked("7", |asker| asker.ask("How many", "3", number)).0,
            Ok(Some(7))
        );
    }

    #[test]
    fn answers_that_end_are_no_answer() {
        let (answer, _) = asked("x\n", |asker| asker.ask("How many", "3", number));
        assert!(answer.unwrap_err().message.contains("nothing was written"));
    }

    #[test]
    fn only_yes_is_yes() {
        for (answers, yes) in [
            ("y\n", true),
            ("YES\n", true),
            ("n\n", false),
            ("\n", false),
            ("j\ny\n", true),
        ] {
            assert_eq!(asked(answers, |asker| asker.yes("Sure?")).0, Ok(yes), "{answers}");
        }
    }
}
