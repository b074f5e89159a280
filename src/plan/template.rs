//! `Template`: a text with `{captures}`, as in `{module}/values-{platform}.yaml`. As in a glob `\x` stands for
//! the character itself, so that `\{` is a brace. Absent on purpose: anything that computes.

use std::collections::BTreeMap;
use std::fmt;

/// What captures stand for, by name.
pub type Bindings = BTreeMap<String, String>;

/// A text with captures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Capture(String),
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// Says what is wrong with the braces.
    pub fn parse(text: &str) -> Result<Template, String> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some(c) => literal.push(c),
                    None => return Err("`\\` stands before nothing".to_owned()),
                },
                '{' => {
                    let name: String =
                        std::iter::from_fn(|| chars.next_if(|c| !matches!(c, '{' | '}'))).collect();
                    if chars.next() != Some('}') {
                        return Err(format!("`{{{name}` is not closed"));
                    }
                    if !is_capture_name(&name) {
                        return Err(format!("`{{{name}}}` is not a capture name"));
                    }
                    if !literal.is_empty() {
                        parts.push(Part::Text(std::mem::take(&mut literal)));
                    }
                    parts.push(Part::Capture(name));
                }
                '}' => return Err("a `}` without its `{`".to_owned()),
                c => literal.push(c),
            }
        }
        if !literal.is_empty() {
            parts.push(Part::Text(literal));
        }
        Ok(Template {
            text: text.to_owned(),
            parts,
        })
    }

    /// The names of the captures, in order, with repetitions.
    pub fn captures(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Capture(name) => Some(name.as_str()),
        })
    }

    /// The text with every capture replaced.
    ///
    /// # Errors
    /// The name of a capture that is not bound.
    pub fn fill(&self, bindings: &Bindings) -> Result<String, &str> {
        let mut filled = String::with_capacity(self.text.len());
        for part in &self.parts {
            match part {
                Part::Text(text) => filled.push_str(text),
                Part::Capture(name) => filled.push_str(bindings.get(name).ok_or(name.as_str())?),
            }
        }
        Ok(filled)
    }
}

impl fmt::Display for Template {
    /// As written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn is_capture_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fills_captures_and_keeps_escaped_braces() {
        let template = Template::parse(r"{m}/x-{platform}.\{y\}").unwrap();
        assert_eq!(template.captures().collect::<Vec<_>>(), ["m", "platform"]);
        let mut bindings = Bindings::from([("m".into(), "chat".into())]);
        assert_eq!(template.fill(&bindings), Err("platform"));
        bindings.insert("platform".into(), "amd".into());
        assert_eq!(template.fill(&bindings).unwrap(), "chat/x-amd.{y}");
    }

    #[test]
    fn bad_braces_are_named() {
        assert_eq!(Template::parse("a{b").unwrap_err(), "`{b` is not closed");
        assert_eq!(Template::parse("a{}").unwrap_err(), "`{}` is not a capture name");
        assert_eq!(Template::parse("a\\").unwrap_err(), "`\\` stands before nothing");
        assert_eq!(Template::parse("a}").unwrap_err(), "a `}` without its `{`");
    }

    proptest! {
        #[test]
        fn any_text_survives_with_escapes(text in ".*") {
            let escaped: String = text.chars().flat_map(|c| ['\\', c]).collect();
            let template = Template::parse(&escaped).unwrap();
            prop_assert_eq!(template.fill(&Bindings::new()).unwrap(), text);
        }
    }
}
