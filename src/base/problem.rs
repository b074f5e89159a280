//! Problems with what a user gave us: a place, what is wrong, what to do about it. Batches return all
//! their problems, never only the first.

use std::fmt;
use std::sync::Arc;

/// A position in a file of one side's tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// Path relative to the root of the tree, `/`-separated.
    pub file: Arc<str>,
    /// Line, counted from 1; 0 when only the file is known.
    pub line: u32,
    /// Column in characters, counted from 1; 0 when only the line is known.
    pub column: u32,
}

impl Place {
    /// A place within a file.
    pub fn new(file: impl Into<Arc<str>>, line: u32, column: u32) -> Place {
        Place {
            file: file.into(),
            line,
            column,
        }
    }

    /// A whole file.
    pub fn file(file: impl Into<Arc<str>>) -> Place {
        Place::new(file, 0, 0)
    }
}

impl fmt::Display for Place {
    /// `file:line:col`, leaving out what is not known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
            if self.column > 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        Ok(())
    }
}

/// Something wrong with the input, told to the user as `place: message` and a remedy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where, when it has a place.
    pub place: Option<Place>,
    /// What is wrong: a lower-case fragment without a final stop.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl Problem {
    /// A problem without a place.
    pub fn new(message: impl Into<String>) -> Problem {
        Problem {
            place: None,
            message: message.into(),
            remedy: None,
        }
    }

    /// A problem at a place.
    pub fn at(place: Place, message: impl Into<String>) -> Problem {
        Problem {
            place: Some(place),
            message: message.into(),
            remedy: None,
        }
    }

    /// Adds what to do about it.
    pub fn remedy(mut self, remedy: impl Into<String>) -> Problem {
        self.remedy = Some(remedy.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(remedy) = &self.remedy {
            write!(f, "\n  help: {remedy}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}
