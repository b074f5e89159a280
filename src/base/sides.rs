//! The two sides of a verification. Everything two-sided has this one type.

use std::fmt;

/// One of the two sides of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The immutable side: a pinned SHA, a branch, a directory.
    Baseline,
    /// The side under test: the working tree or another revision.
    Candidate,
}

impl Side {
    /// Both sides, in the order in which they are told.
    pub const BOTH: [Side; 2] = [Side::Baseline, Side::Candidate];

    /// The name used in reports and messages.
    pub fn name(self) -> &'static str {
        match self {
            Side::Baseline => "baseline",
            Side::Candidate => "candidate",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A value for the baseline and one for the candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sides<T> {
    /// The baseline's value.
    pub baseline: T,
    /// The candidate's value.
    pub candidate: T,
}

impl<T> Sides<T> {
    /// Makes a pair from its two halves.
    pub fn new(baseline: T, candidate: T) -> Self {
        Sides { baseline, candidate }
    }

    /// The value of one side.
    pub fn get(&self, side: Side) -> &T {
        match side {
            Side::Baseline => &self.baseline,
            Side::Candidate => &self.candidate,
        }
    }

    /// The value of one side, to change it.
    pub fn get_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Baseline => &mut self.baseline,
            Side::Candidate => &mut self.candidate,
        }
    }

    /// Applies `f` to both sides.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Sides<U> {
        Sides {
            baseline: f(self.baseline),
            candidate: f(self.candidate),
        }
    }

    /// Borrows both sides.
    pub fn as_ref(&self) -> Sides<&T> {
        Sides {
            baseline: &self.baseline,
            candidate: &self.candidate,
        }
    }
}
