//! Go's errors of a failed execution, kept as data: whoever prints them picks the layout.

use crate::value::quote::quote_str;
use std::fmt;

/// Go's error chain of a failed execution, outermost link first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorChain {
    /// The links: one for each executing template on the way.
    pub links: Vec<ErrorLink>,
    /// The cause at the end.
    pub cause: String,
    /// True when the cause is text/template's own error, false when a function gave it.
    pub own: bool,
    /// True when one of our bounds ended the execution: no Helm would have failed here.
    pub limit: bool,
}

/// One link: `template: FILE:LINE:COL: executing "NAME" at <EXPR>: error calling FUNC:`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorLink {
    /// What a function put before the error of the template that it executed; mostly empty.
    pub wrap: String,
    /// The template file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Byte column, from 0.
    pub column: u32,
    /// The executing template.
    pub executing: String,
    /// The expression, as Go prints it.
    pub at: String,
    /// The function whose call led to the next link, where it was a call.
    pub calling: Option<String>,
}

impl ErrorChain {
    /// A bound of ours that was met.
    pub(super) fn limit(cause: impl Into<String>) -> ErrorChain {
        ErrorChain {
            cause: cause.into(),
            limit: true,
            ..ErrorChain::default()
        }
    }

    /// The chain as a function reports it that puts `text` and a colon before the error it was given.
    #[must_use]
    pub fn wrapped(mut self, text: &str) -> ErrorChain {
        match self.links.first_mut() {
            Some(link) => link.wrap = format!("{text}: {}", link.wrap),
            None => self.cause = format!("{text}: {}", self.cause),
        }
        self
    }

    /// Go's text of the error.
    pub fn go_text(&self) -> String {
        self.written().0
    }

    /// Go's text, and where in it the texts of the error and of all it wraps begin, outermost first (what Go's
    /// `errors.Unwrap` walks through): each goes on to the end.
    pub fn written(&self) -> (String, Vec<usize>) {
        let (mut out, mut starts) = (String::new(), Vec::new());
        for link in &self.links {
            if !link.wrap.is_empty() {
                starts.push(out.len());
                out.push_str(&link.wrap);
            }
            starts.push(out.len());
            out.push_str(&link.to_string());
        }
        if !self.own || starts.is_empty() {
            starts.push(out.len());
        }
        out.push_str(&self.cause);
        (out, starts)
    }
}

impl fmt::Display for ErrorChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.go_text())
    }
}

impl fmt::Display for ErrorLink {
    /// Go's text of the link, up to where the next one begins.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "template: {}:{}:{}: executing {} at <{}>: ",
            self.file,
            self.line,
            self.column,
            quote_str(self.executing.as_bytes()),
            self.at
        )?;
        if let Some(function) = &self.calling {
            write!(f, "error calling {function}: ")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(line: u32, calling: Option<&str>) -> ErrorLink {
        ErrorLink {
            file: "f".into(),
            line,
            executing: "f".into(),
            at: ".x".into(),
            calling: calling.map(str::to_owned),
            ..ErrorLink::default()
        }
    }

    #[test]
    fn a_wrapped_chain_has_one_level_more() {
        let inner = ErrorChain {
            links: vec![link(2, None)],
            cause: "bad".into(),
            own: true,
            limit: false,
        };
        let mut outer = inner.wrapped("while tpl");
        outer.links.insert(0, link(1, Some("tpl")));
        let first = "template: f:1:0: executing \"f\" at <.x>: error calling tpl: ";
        let second = "template: f:2:0: executing \"f\" at <.x>: bad";
        assert_eq!(outer.go_text(), format!("{first}while tpl: {second}"));
        let (text, starts) = outer.written();
        let levels: Vec<&str> = starts.into_iter().map(|start| &text[start..]).collect();
        assert_eq!(
            levels,
            [&outer.go_text(), &format!("while tpl: {second}"), second]
        );
    }
}
