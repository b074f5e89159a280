//! Paths into structured data, printed and parsed as reports write them:
//! `spec.template.spec.containers[name=app].env[2]`, `metadata.annotations["checksum/config"]`.

use std::fmt;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Step {
    /// A key of a mapping.
    Key(String),
    /// An element of a list by position, counted from 0.
    Index(usize),
    /// An element of a keyed list by the value of its key: `[name=app]`.
    Element {
        /// The key field, such as `name`.
        key: String,
        /// The value that picks the element.
        value: String,
    },
}

/// A path from the root of a document or of a values tree.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct KeyPath(pub Vec<Step>);

impl KeyPath {
    /// The empty path: the root.
    pub fn root() -> KeyPath {
        KeyPath::default()
    }

    /// This path with one more step.
    pub fn join(&self, step: Step) -> KeyPath {
        let mut steps = self.0.clone();
        steps.push(step);
        KeyPath(steps)
    }

    /// This path with one more key.
    pub fn key(&self, key: impl Into<String>) -> KeyPath {
        self.join(Step::Key(key.into()))
    }

    /// True when `self` is `other` or lies below it.
    pub fn starts_with(&self, other: &KeyPath) -> bool {
        self.0.starts_with(&other.0)
    }

    /// Reads what `Display` writes.
    ///
    /// # Errors
    /// The character offset (from 0) and what was expected there.
    pub fn parse(text: &str) -> Result<KeyPath, (usize, &'static str)> {
        Parser {
            chars: text.chars().collect(),
            at: 0,
        }
        .path()
    }
}

fn is_bare(key: &str) -> bool {
    !key.is_empty()
        && !key
            .chars()
            .any(|c| ".[]\"=\\".contains(c) || c.is_whitespace() || c.is_control() || c == '/')
}

/// Between `=` and `]` only what would end the value, or not be seen, needs quotes.
fn is_bare_value(value: &str) -> bool {
    !value.is_empty()
        && !value
            .chars()
            .any(|c| "[]\"\\".contains(c) || c.is_whitespace() || c.is_control())
}

fn write_quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if is_bare(key) => {
                    if index > 0 {
                        f.write_str(".")?;
                    }
                    f.write_str(key)?;
                }
                Step::Key(key) => {
                    f.write_str("[")?;
                    write_quoted(f, key)?;
                    f.write_str("]")?;
                }
                Step::Index(position) => write!(f, "[{position}]")?,
                Step::Element { key, value } => {
                    write!(f, "[{key}=")?;
                    if is_bare_value(value) {
                        f.write_str(value)?;
                    } else {
                        write_quoted(f, value)?;
                    }
                    f.write_str("]")?;
                }
            }
        }
        Ok(())
    }
}

struct Parser {
    chars: Vec<char>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn path(mut self) -> Result<KeyPath, (usize, &'static str)> {
        let mut steps = Vec::new();
        while let Some(c) = self.peek() {
            if c == '[' {
                self.at += 1;
                steps.push(self.bracket()?);
                if self.peek() != Some(']') {
                    return Err((self.at, "`]`"));
                }
                self.at += 1;
            } else {
                if c == '.' {
                    if steps.is_empty() {
                        return Err((self.at, "a key"));
                    }
                    self.at += 1;
                } else if !steps.is_empty() {
                    return Err((self.at, "`.` or `[`"));
                }
                let key = self.until(&['.', '[']);
                if key.is_empty() {
                    return Err((self.at, "a key"));
                }
                steps.push(Step::Key(key));
            }
        }
        Ok(KeyPath(steps))
    }

    fn bracket(&mut self) -> Result<Step, (usize, &'static str)> {
        if self.peek() == Some('"') {
            return Ok(Step::Key(self.quoted()?));
        }
        let start = self.at;
        let key = self.until(&['=', ']']);
        if self.peek() == Some('=') {
            self.at += 1;
            let value = if self.peek() == Some('"') {
                self.quoted()?
            } else {
                self.until(&[']'])
            };
            return Ok(Step::Element { key, value });
        }
        key.parse()
            .map(Step::Index)
            .map_err(|_| (start, "a position, a quoted key or key=value"))
    }

    fn quoted(&mut self) -> Result<String, (usize, &'static str)> {
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.peek() {
                None => return Err((self.at, "a closing quote")),
                Some('"') => break,
                Some('\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some('n') => text.push('\n'),
                        Some(c) => text.push(c),
                        None => return Err((self.at, "a character after `\\`")),
                    }
                }
                Some(c) => text.push(c),
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(text)
    }

    fn until(&mut self, stops: &[char]) -> String {
        let start = self.at;
        while self.peek().is_some_and(|c| !stops.contains(&c)) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prints_as_the_report_says() {
        let path = KeyPath::root()
            .key("spec")
            .key("containers")
            .join(Step::Element {
                key: "name".into(),
                value: "app".into(),
            })
            .key("env")
            .join(Step::Index(2));
        assert_eq!(path.to_string(), "spec.containers[name=app].env[2]");
        let path = KeyPath::root()
            .key("metadata")
            .key("annotations")
            .key("checksum/config");
        assert_eq!(path.to_string(), "metadata.annotations[\"checksum/config\"]");
    }

    #[test]
    fn bad_paths_say_where() {
        assert_eq!(
            KeyPath::parse("a[x"),
            Err((2, "a position, a quoted key or key=value"))
        );
        assert_eq!(KeyPath::parse(".a"), Err((0, "a key")));
        assert_eq!(KeyPath::parse("a[1]b"), Err((4, "`.` or `[`")));
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            ".+".prop_map(Step::Key),
            (0usize..99999).prop_map(Step::Index),
            ("[a-zA-Z]{1,9}", ".*").prop_map(|(key, value)| Step::Element { key, value }),
        ]
    }

    proptest! {
        #[test]
        fn parse_reads_what_display_writes(steps in proptest::collection::vec(step(), 0..6)) {
            let path = KeyPath(steps);
            prop_assert_eq!(KeyPath::parse(&path.to_string()), Ok(path));
        }
    }
}
