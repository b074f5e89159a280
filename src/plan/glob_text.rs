//! `GlobText`: a glob as written, checked, with the names it captures.

use super::template::Template;
use std::fmt;

/// A glob as written in the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobText {
    text: String,
    captures: Vec<String>,
}

impl GlobText {
    /// Checks a glob.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(text: &str) -> Result<GlobText, String> {
        let captures = Template::parse(text)?.captures().map(str::to_owned).collect();
        Ok(GlobText {
            text: text.to_owned(),
            captures,
        })
    }

    /// The names it captures.
    pub fn captures(&self) -> impl Iterator<Item = &str> {
        self.captures.iter().map(String::as_str)
    }
}

impl fmt::Display for GlobText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
