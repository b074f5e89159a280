//! What the process tells its caller, and nothing else does.

use std::process::ExitCode;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: equivalent, and nothing at or above `--fail-on`.
    Equivalent,
    /// 1: a difference, or a finding.
    Differs,
    /// 2: could not decide (usage, configuration, render failure, missing SHA).
    Undecided,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Exit::Equivalent => 0,
            Exit::Differs => 1,
            Exit::Undecided => 2,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
