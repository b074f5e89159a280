//! Values of documents for people: on one line as YAML's flow style has them, or over several lines. A string
//! is quoted where it could be taken for something else, so that `80` and `"80"` are told apart.

use super::redact::{ShowSecrets, Shown, ShownText};
use crate::yaml::{Node, NodeKind, Number};
use std::borrow::Cow;

/// Writes values, with secrets in them if the right to show them is there.
#[derive(Clone, Copy)]
pub(super) struct Writer {
    right: Option<ShowSecrets>,
}

impl Writer {
    /// A writer for one report.
    pub(super) fn new(right: Option<ShowSecrets>) -> Writer {
        Writer { right }
    }

    /// A text.
    pub(super) fn text<'a>(&self, text: &'a ShownText) -> &'a str {
        match self.right {
            Some(right) => text.reveal(right),
            None => text.as_str(),
        }
    }

    /// The text of a string value; none for other values.
    pub(super) fn string<'a>(&self, value: &'a Shown) -> Option<&'a str> {
        match value {
            Shown::Plain(node) => node.as_str(),
            Shown::Text(text) => Some(self.text(text)),
            Shown::Masked(stand_in) => stand_in.reveal(self.right?).and_then(Node::as_str),
            Shown::List(_) | Shown::Map(_) => None,
        }
    }

    /// The value on one line.
    pub(super) fn line(&self, value: &Shown) -> String {
        let mut out = String::new();
        self.flow(&View::of(value, self.right), &mut out);
        out
    }

    /// The value on as many lines as it takes.
    pub(super) fn block(&self, value: &Shown) -> Vec<String> {
        let mut lines = Vec::new();
        self.lines(&View::of(value, self.right), "", "", &mut lines);
        lines
    }

    fn flow(&self, view: &View<'_>, out: &mut String) {
        match view {
            View::Scalar(text) => out.push_str(text),
            View::String(text) => out.push_str(&quoted(text)),
            View::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    self.flow(item, out);
                }
                out.push(']');
            }
            View::Map(entries) => {
                out.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    out.push_str(&quoted(key));
                    out.push_str(": ");
                    self.flow(value, out);
                }
                out.push('}');
            }
        }
    }

    /// Block style: `lead` opens the first line, `indent` the further ones.
    fn lines(&self, view: &View<'_>, lead: &str, indent: &str, lines: &mut Vec<String>) {
        match view {
            View::List(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    let lead = if index == 0 { lead } else { indent };
                    self.lines(item, &format!("{lead}- "), &format!("{indent}  "), lines);
                }
            }
            View::Map(entries) if !entries.is_empty() => {
                for (index, (key, value)) in entries.iter().enumerate() {
                    let lead = if index == 0 { lead } else { indent };
                    let head = format!("{lead}{}:", quoted(key));
                    let nested = match value {
                        View::List(items) => !items.is_empty(),
                        View::Map(entries) => !entries.is_empty(),
                        View::String(text) => text.contains('\n'),
                        View::Scalar(_) => false,
                    };
                    if nested {
                        let head = if is_text_block(value) {
                            format!("{head} |")
                        } else {
                            head
                        };
                        lines.push(head);
                        let deeper = format!("{indent}  ");
                        self.lines(value, &deeper, &deeper, lines);
                    } else {
                        self.lines(value, &format!("{head} "), indent, lines);
                    }
                }
            }
            View::String(text) if text.contains('\n') => {
                for (index, line) in text.lines().enumerate() {
                    lines.push(format!("{}{line}", if index == 0 { lead } else { indent }));
                }
            }
            _ => {
                let mut line = lead.to_owned();
                self.flow(view, &mut line);
                lines.push(line);
            }
        }
    }
}

fn is_text_block(view: &View<'_>) -> bool {
    matches!(view, View::String(_))
}

/// A value as it is to be seen, whatever it was made of.
enum View<'a> {
    Scalar(Cow<'a, str>),
    String(&'a str),
    List(Vec<View<'a>>),
    Map(Vec<(&'a str, View<'a>)>),
}

impl<'a> View<'a> {
    fn of(value: &'a Shown, right: Option<ShowSecrets>) -> View<'a> {
        match value {
            Shown::Plain(node) => View::plain(node),
            Shown::Text(text) => View::String(match right {
                Some(right) => text.reveal(right),
                None => text.as_str(),
            }),
            Shown::Masked(stand_in) => match right.and_then(|right| stand_in.reveal(right)) {
                Some(node) => View::plain(node),
                None => View::Scalar(format!("[redacted {}]", stand_in.hex()).into()),
            },
            Shown::List(items) => View::List(items.iter().map(|item| View::of(item, right)).collect()),
            Shown::Map(entries) => View::Map(
                entries
                    .iter()
                    .map(|(key, value)| (&**key, View::of(value, right)))
                    .collect(),
            ),
        }
    }

    fn plain(node: &'a Node) -> View<'a> {
        match &node.kind {
            NodeKind::Null => View::Scalar("null".into()),
            NodeKind::Bool(value) => View::Scalar(value.to_string().into()),
            NodeKind::Number(Number::Int(value)) => View::Scalar(value.to_string().into()),
            NodeKind::Number(Number::Uint(value)) => View::Scalar(value.to_string().into()),
            NodeKind::Number(Number::Float(value)) => View::Scalar(value.to_string().into()),
            NodeKind::Str(text) => View::String(text),
            NodeKind::List(items) => View::List(items.iter().map(View::plain).collect()),
            NodeKind::Map(entries) => View::Map(
                entries
                    .iter()
                    .map(|entry| (&*entry.key, View::plain(&entry.value)))
                    .collect(),
            ),
        }
    }
}

/// What something is, in a user's words.
pub(super) fn kind_name(value: &Shown) -> &'static str {
    match value {
        Shown::Plain(node) => node.kind_name(),
        Shown::Text(_) => "a string",
        Shown::Masked(_) => "a secret",
        Shown::List(_) => "a list",
        Shown::Map(_) => "a map",
    }
}

/// A string, quoted as in JSON unless nobody could take it for anything else.
fn quoted(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(serde_json::to_string(text).expect("every string is JSON"))
}

fn is_plain(text: &str) -> bool {
    let words = [
        "true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf",
    ];
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '_')
        && text
            .bytes()
            .all(|c| c.is_ascii_alphanumeric() || b"_./:@+-".contains(&c))
        && !text.ends_with(':')
        && !words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::node;

    fn line(json: &str) -> String {
        Writer::new(None).line(&Shown::Plain(node(json)))
    }

    #[test]
    fn strings_are_quoted_where_they_could_be_something_else() {
        assert_eq!(line("80"), "80");
        assert_eq!(line("\"80\""), "\"80\"");
        assert_eq!(line("\"nginx:1.27\""), "nginx:1.27");
        assert_eq!(line("\"yes\""), "\"yes\"");
        assert_eq!(line("\"\""), "\"\"");
        assert_eq!(line("null"), "null");
        assert_eq!(line("\"a\\u001b[31m\\nb\""), "\"a\\u001b[31m\\nb\"");
        assert_eq!(line(r#"{"a": [1, "x y"], "b": {}}"#), "{a: [1, \"x y\"], b: {}}");
    }

    #[test]
    fn blocks() {
        let value = Shown::Plain(node(
            r#"{"a": [{"b": 1, "c": {"d": "x"}}, []], "e": "one\ntwo", "f": {}}"#,
        ));
        assert_eq!(
            Writer::new(None).block(&value).join("\n"),
            "a:\n  - b: 1\n    c:\n      d: x\n  - []\ne: |\n  one\n  two\nf: {}"
        );
    }
}
