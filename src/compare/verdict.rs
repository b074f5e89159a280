//! `Verdict`: what became of one document.

use std::fmt;

/// What became of one document, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Same bytes after the `# Source` line.
    Identical,
    /// Same canonical form.
    Equivalent,
    /// Differs only where both sides carry the same kind of ambient mark.
    Volatile,
    /// Differs as a reviewed acceptance says.
    Accepted,
    /// Identical or equivalent, in another release.
    Moved,
    /// Fields differ.
    Changed,
    /// Only the candidate has it.
    Added,
    /// Only the baseline has it.
    Removed,
    /// Highly similar, under another name.
    Renamed,
    /// Cannot be parsed on one side at least, and the bytes differ.
    Undecided,
}

impl Verdict {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Identical => "identical",
            Verdict::Equivalent => "equivalent",
            Verdict::Volatile => "volatile",
            Verdict::Accepted => "accepted",
            Verdict::Moved => "moved",
            Verdict::Changed => "changed",
            Verdict::Added => "added",
            Verdict::Removed => "removed",
            Verdict::Renamed => "renamed",
            Verdict::Undecided => "undecided",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
