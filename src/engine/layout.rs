//! How Helm words a failed parse or execution (`pkg/engine/engine.go`): Helm 3 on one line, Helm 4 on
//! several, and the message of `fail` and `required` alone.

use crate::dialect::Dialect;
use crate::funcs::helm::{MESSAGE_END, MESSAGE_START};
use crate::template::{ErrorChain, ParseError};

/// The message for a file that is no template (`cleanupParseError`).
pub fn parse_failure(error: &ParseError) -> String {
    let text = error.to_string();
    let message = text.rsplit(": ").next().unwrap_or_default();
    let location = text.split(": ").nth(1).unwrap_or_default();
    format!("parse error at ({location}): {message}")
}

/// The message for a failed execution (`cleanupExecError` of Helm 3, `reformatExecErrorMsg` of Helm 4).
pub fn exec_failure(chain: &ErrorChain, dialect: Dialect) -> String {
    let text = chain.go_text();
    let mut parts = text.splitn(3, ": ");
    let (_, Some(location), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return text;
    };
    if let Some(start) = rest.find(MESSAGE_START) {
        // The expression between the words is greedy.
        let message = &rest[start + MESSAGE_START.len()..];
        if let Some(end) = message.rfind(MESSAGE_END) {
            return format!("execution error at ({location}): {}", &message[..end]);
        }
    }
    match dialect.is_v4().then(|| several_lines(chain)).flatten() {
        Some(lines) => lines,
        None => text,
    }
}

/// Helm 4's layout; `None` when one of the wrapped errors is not text/template's own.
fn several_lines(chain: &ErrorChain) -> Option<String> {
    let mut links: Vec<Traced<'_>> = Vec::new();
    let (text, starts) = chain.written();
    for start in starts {
        let traced = Traced::read(&text[start..])?;
        if links.last() != Some(&traced) {
            links.push(traced);
        }
    }
    let mut out = String::new();
    for link in links {
        if !link.location.is_empty() {
            out.push_str(&format!("{}\n  ", link.location));
        }
        if let Some((name, at)) = link.executing {
            out.push_str(&format!("executing \"{name}\" at <{at}>:\n    "));
        }
        if !link.message.is_empty() {
            out.push_str(&format!("{}\n", link.message));
        }
    }
    Some(out.trim().to_owned())
}

/// One error text, taken apart as Helm does (`parseTemplateExecErrorString`).
#[derive(PartialEq)]
struct Traced<'a> {
    location: &'a str,
    executing: Option<(&'a str, &'a str)>,
    message: &'a str,
}

impl<'a> Traced<'a> {
    fn read(text: &'a str) -> Option<Traced<'a>> {
        let rest = text.strip_prefix("template: ")?;
        if rest.starts_with("no template ") {
            return Some(Traced {
                location: "",
                executing: None,
                message: text,
            });
        }
        Traced::executing(rest).or_else(|| Traced::simple(rest))
    }

    fn executing(rest: &'a str) -> Option<Traced<'a>> {
        let (location, after) = rest.split_once(": executing ")?;
        let (name, after) = after.strip_prefix('"')?.split_once('"')?;
        let (at, message) = after.strip_prefix(" at <")?.split_once(">: ")?;
        Some(Traced {
            location,
            executing: Some((name, at)),
            message: until_next(message),
        })
    }

    fn simple(rest: &'a str) -> Option<Traced<'a>> {
        let (location, message) = rest.rsplit_once(": ")?;
        Some(Traced {
            location,
            executing: None,
            message: until_next(message),
        })
    }
}

/// The message without the error it wraps.
fn until_next(message: &str) -> &str {
    message.find(" template:").map_or(message, |at| &message[..at])
}
