//! From the text of a pattern to its steps.

use super::{Glob, Step, Token};
use crate::base::Problem;
use std::collections::BTreeSet;

/// More ways through the alternatives than this are a mistake.
const MAX_PATTERNS: usize = 1024;

/// A pattern whose alternatives are written out: characters that stand for themselves, and the rest.
#[derive(Clone, PartialEq)]
enum Piece {
    Char(char),
    Wild(char),
    Set(bool, Vec<(char, char)>),
    Capture(String),
}

impl Glob {
    /// Parses a pattern.
    ///
    /// # Errors
    /// When the pattern is not well formed; the message names the place in it.
    pub fn parse(text: &str) -> Result<Glob, Problem> {
        let mut parser = Parser {
            chars: text.chars().collect(),
            at: 0,
            text,
        };
        let expanded = parser.alternatives(false)?;
        let mut patterns = Vec::with_capacity(expanded.len());
        for pieces in expanded {
            let pattern = steps(&pieces).map_err(|reason| problem(text, reason))?;
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        let names: Vec<BTreeSet<String>> = patterns.iter().map(|pattern| names(pattern)).collect();
        if names.iter().any(|other| *other != names[0]) {
            return Err(problem(
                text,
                "every alternative has to bind the same names".to_string(),
            ));
        }
        let names = names.into_iter().next().unwrap_or_default().into_iter().collect();
        Ok(Glob {
            text: text.to_string(),
            names,
            patterns,
        })
    }
}

fn problem(text: &str, reason: String) -> Problem {
    Problem::new(format!("pattern `{text}`: {reason}"))
}

fn names(pattern: &[Step]) -> BTreeSet<String> {
    let tokens = pattern.iter().flat_map(|step| match step {
        Step::Match(tokens) => tokens.as_slice(),
        _ => &[],
    });
    tokens
        .filter_map(|token| match token {
            Token::Capture(name) => Some(name.clone()),
            _ => None,
        })
        .collect()
}

struct Parser<'t> {
    chars: Vec<char>,
    at: usize,
    text: &'t str,
}

impl Parser<'_> {
    fn fail<T>(&self, at: usize, reason: &str) -> Result<T, Problem> {
        Err(problem(self.text, format!("{reason} at character {}", at + 1)))
    }

    fn next(&mut self) -> Option<char> {
        let next = self.chars.get(self.at).copied();
        self.at += 1;
        next
    }

    /// Reads up to the end, or within braces up to `}`; gives every way through.
    fn alternatives(&mut self, braced: bool) -> Result<Vec<Vec<Piece>>, Problem> {
        let start = self.at;
        let mut done = Vec::new();
        let mut current = vec![Vec::new()];
        loop {
            let here = self.at;
            let options = match self.next() {
                None if braced => return self.fail(start.saturating_sub(1), "`{` is not closed"),
                None => break,
                Some('}') if braced => break,
                Some('}') => return self.fail(here, "`}` closes nothing"),
                Some(',') if braced => {
                    done.append(&mut current);
                    current = vec![Vec::new()];
                    continue;
                }
                Some('{') => match self.capture() {
                    Some(name) => vec![vec![Piece::Capture(name)]],
                    None => {
                        let options = self.alternatives(true)?;
                        if options.len() == 1 {
                            return self.fail(here, "`{...}` is neither a name nor a choice `{a,b}`");
                        }
                        options
                    }
                },
                Some('[') => vec![vec![self.set(here)?]],
                Some(c @ ('*' | '?')) => vec![vec![Piece::Wild(c)]],
                Some('\\') => match self.next() {
                    Some(c) => vec![vec![Piece::Char(c)]],
                    None => return self.fail(here, "`\\` stands before nothing"),
                },
                Some(c) => vec![vec![Piece::Char(c)]],
            };
            if current.len() * options.len() + done.len() > MAX_PATTERNS {
                return self.fail(here, "there are too many alternatives");
            }
            if let [only] = &options[..] {
                for head in &mut current {
                    head.extend_from_slice(only);
                }
                continue;
            }
            current = current
                .iter()
                .flat_map(|head| options.iter().map(move |tail| [head.as_slice(), tail].concat()))
                .collect();
        }
        done.append(&mut current);
        Ok(done)
    }

    /// The name in `{name}`, when that is what stands here.
    fn capture(&mut self) -> Option<String> {
        let length = self.chars[self.at..].iter().position(|c| *c == '}')?;
        let name = &self.chars[self.at..self.at + length];
        let is_name = |c: &char| c.is_alphanumeric() || *c == '_' || *c == '-';
        if name.is_empty() || !name.iter().all(is_name) {
            return None;
        }
        self.at += length + 1;
        Some(name.iter().collect())
    }

    fn set(&mut self, start: usize) -> Result<Piece, Problem> {
        let negated = matches!(self.chars.get(self.at), Some('!' | '^'));
        self.at += usize::from(negated);
        let mut ranges = Vec::new();
        loop {
            let from = match self.next() {
                None => return self.fail(start, "`[` is not closed"),
                Some('/') => return self.fail(start, "a set cannot hold `/`"),
                Some(']') if !ranges.is_empty() => break,
                Some('\\') => self.next(),
                Some(c) => Some(c),
            };
            let Some(from) = from else {
                return self.fail(start, "`[` is not closed");
            };
            let is_range = self.chars.get(self.at) == Some(&'-')
                && self.chars.get(self.at + 1).is_some_and(|to| *to != ']');
            let to = if is_range {
                self.at += 1;
                let to = self.next();
                if to == Some('\\') { self.next() } else { to }.unwrap_or(from)
            } else {
                from
            };
            if to < from {
                return self.fail(start, "a range of `[...]` runs backwards");
            }
            ranges.push((from, to));
        }
        Ok(Piece::Set(negated, ranges))
    }
}

/// Cuts one way through the alternatives into steps.
fn steps(pieces: &[Piece]) -> Result<Vec<Step>, String> {
    let mut pattern = Vec::new();
    for step in pieces.split(|piece| *piece == Piece::Char('/')) {
        let literal: Option<String> = step
            .iter()
            .map(|piece| match piece {
                Piece::Char(c) => Some(*c),
                _ => None,
            })
            .collect();
        match literal.as_deref() {
            Some("") => {
                return Err("a step between slashes is empty; paths begin at the root of the tree".into());
            }
            Some("." | "..") => return Err("`.` and `..` have no place in a pattern".into()),
            Some(literal) => pattern.push(Step::Literal(literal.to_string())),
            None if step == [Piece::Wild('*'), Piece::Wild('*')] => {
                // two in a row mean the same as one
                if pattern.last() != Some(&Step::Any) {
                    pattern.push(Step::Any);
                }
            }
            None => pattern.push(Step::Match(tokens(step)?)),
        }
    }
    Ok(pattern)
}

fn tokens(step: &[Piece]) -> Result<Vec<Token>, String> {
    let mut tokens: Vec<Token> = Vec::new();
    for piece in step {
        let token = match piece {
            Piece::Char(c) => {
                if let Some(Token::Literal(text)) = tokens.last_mut() {
                    text.push(*c);
                    continue;
                }
                Token::Literal(c.to_string())
            }
            Piece::Wild('*') if tokens.last() == Some(&Token::Run) => {
                return Err("`**` has to stand alone between slashes".into());
            }
            Piece::Wild('*') => Token::Run,
            Piece::Wild(_) => Token::One,
            Piece::Set(negated, ranges) => Token::Set {
                negated: *negated,
                ranges: ranges.clone(),
            },
            Piece::Capture(name) => Token::Capture(name.clone()),
        };
        tokens.push(token);
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_well_formed_says_why() {
        let cases = [
            ("a/{b", "`{` is not closed at character 3"),
            ("a}", "`}` closes nothing at character 2"),
            ("{}", "neither a name nor a choice"),
            ("[a", "`[` is not closed at character 1"),
            ("[b-a]", "runs backwards"),
            ("a**", "`**` has to stand alone"),
            ("/a", "a step between slashes is empty"),
            ("a/", "a step between slashes is empty"),
            ("", "a step between slashes is empty"),
            ("./a", "`.` and `..` have no place"),
            ("{a,{b}}", "every alternative has to bind the same names"),
            ("a\\", "`\\` stands before nothing"),
        ];
        for (text, expected) in cases {
            let message = Glob::parse(text).unwrap_err().message;
            assert!(message.contains(expected), "{text}: {message}");
        }
        let many = "{a,b}".repeat(11);
        assert!(Glob::parse(&many).unwrap_err().message.contains("too many"));
    }

    #[test]
    fn names_are_known() {
        assert_eq!(Glob::parse("{b}/{a}/{b}-*").unwrap().names(), ["a", "b"]);
    }
}
