//! `GlobText`: a glob as written in the configuration, relative to the folder of its file.

use super::path;
use crate::base::Problem;
use crate::source::Glob;
use std::fmt;

/// A glob as written, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobText {
    text: String,
    /// The glob without its leading `./` and `../`.
    glob: Glob,
    /// How many folders it first goes up.
    up: usize,
}

impl GlobText {
    /// Checks a glob.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(text: &str) -> Result<GlobText, Problem> {
        let mut rest = text;
        let mut up = 0;
        loop {
            if let Some(below) = rest.strip_prefix("./") {
                rest = below;
            } else if let Some(above) = rest.strip_prefix("../") {
                rest = above;
                up += 1;
            } else {
                break;
            }
        }
        Ok(GlobText {
            text: text.to_owned(),
            glob: Glob::parse(rest.trim_end_matches('/'))?,
            up,
        })
    }

    /// The names it captures, sorted.
    pub fn names(&self) -> &[String] {
        self.glob.names()
    }

    /// The glob over the paths of a tree.
    ///
    /// # Errors
    /// When it leaves the tree.
    pub(super) fn within(&self, directory: &str) -> Result<Glob, Problem> {
        if self.up == 0 && directory.is_empty() {
            return Ok(self.glob.clone());
        }
        let up = "../".repeat(self.up);
        let from = path::resolve(directory, &up)
            .map_err(|fault| Problem::new(format!("`{}` {fault}", self.text)))?;
        if from.is_empty() {
            return Ok(self.glob.clone());
        }
        Glob::parse(&format!("{}/{}", escape(&from), self.glob.text()))
    }
}

/// A path as a glob that matches it alone.
fn escape(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\' | ',') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

impl fmt::Display for GlobText {
    /// As written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(text: &str, directory: &str) -> Result<String, String> {
        GlobText::parse(text)
            .unwrap()
            .within(directory)
            .map(|glob| glob.text().to_owned())
            .map_err(|problem| problem.message)
    }

    #[test]
    fn globs_begin_at_the_folder_of_the_file() {
        assert_eq!(within("{m}/chart/", "").unwrap(), "{m}/chart");
        assert_eq!(within("./{m}/chart", "deploy/x").unwrap(), "deploy/x/{m}/chart");
        assert_eq!(within("../../{m}", "deploy/x").unwrap(), "{m}");
        assert_eq!(within("*", "a[b]").unwrap(), r"a\[b\]/*");
        assert_eq!(within("../*", "").unwrap_err(), "`../*` leaves the repository");
    }
}
