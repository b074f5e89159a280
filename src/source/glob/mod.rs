//! Patterns over the paths of a tree.
//!
//! | written | stands for |
//! | --- | --- |
//! | `*` | any characters within one step of a path |
//! | `?` | one character |
//! | `[a-z]`, `[!a-z]` | one character of a set, or outside it |
//! | `{a,b}` | either; alternatives may hold `/` and other patterns |
//! | `{name}` | one or more characters within one step, bound to `name` |
//! | `**` | any number of steps, also none; stands alone between slashes |
//! | `\x` | the character `x` itself |
//!
//! As in a shell, a leading `.` has to be written: no wildcard or capture begins with one. Where a path can be
//! read in several ways, captures and wildcards take as much as they can, from left to right; a name that
//! comes twice binds the same text twice.

mod find;
mod parse;

pub use find::{Search, find, search};

use std::collections::BTreeMap;
use std::fmt;

/// What the names of a pattern stand for in one path.
pub type Captures = BTreeMap<String, String>;

/// A parsed pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    text: String,
    names: Vec<String>,
    /// One for each way through the alternatives, in the order of the text.
    patterns: Vec<Vec<Step>>,
}

/// What one step of a path has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Literal(String),
    Match(Vec<Token>),
    /// `**`
    Any,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Literal(String),
    One,
    Run,
    Set {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    Capture(String),
}

impl Glob {
    /// The text it was parsed from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names it binds, sorted.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// True when it can match one path only.
    pub fn is_literal(&self) -> bool {
        let is_literal = |step: &Step| matches!(step, Step::Literal(_));
        self.patterns.len() == 1 && self.patterns[0].iter().all(is_literal)
    }

    /// What the names stand for, when the whole path matches.
    pub fn matches(&self, path: &str) -> Option<Captures> {
        let steps: Vec<&str> = path.split('/').collect();
        self.patterns.iter().find_map(|pattern| {
            let mut captures = Captures::new();
            match_steps(pattern, &steps, &mut captures).then_some(captures)
        })
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn is_hidden(step: &str) -> bool {
    step.starts_with('.')
}

fn match_steps(pattern: &[Step], path: &[&str], captures: &mut Captures) -> bool {
    let Some((first, rest)) = pattern.split_first() else {
        return path.is_empty();
    };
    match first {
        Step::Any => {
            let most = path.iter().take_while(|step| !is_hidden(step)).count();
            // `a/**` is everything below `a`, not `a` itself
            let least = usize::from(rest.is_empty());
            (least..=most)
                .rev()
                .any(|count| match_steps(rest, &path[count..], captures))
        }
        Step::Literal(text) => {
            path.first().is_some_and(|step| step == text) && match_steps(rest, &path[1..], captures)
        }
        Step::Match(tokens) => path.split_first().is_some_and(|(step, below)| {
            match_tokens(tokens, step, captures, &mut |captures| {
                match_steps(rest, below, captures)
            })
        }),
    }
}

/// Matches the whole of one step, then whatever `then` asks for.
fn match_tokens(
    tokens: &[Token],
    step: &str,
    captures: &mut Captures,
    then: &mut dyn FnMut(&mut Captures) -> bool,
) -> bool {
    let hidden = is_hidden(step) && !matches!(tokens.first(), Some(Token::Literal(_)));
    !hidden && match_rest(tokens, step, captures, then)
}

fn match_rest(
    tokens: &[Token],
    text: &str,
    captures: &mut Captures,
    then: &mut dyn FnMut(&mut Captures) -> bool,
) -> bool {
    let Some((first, rest)) = tokens.split_first() else {
        return text.is_empty() && then(captures);
    };
    match first {
        Token::Literal(literal) => text
            .strip_prefix(literal.as_str())
            .is_some_and(|text| match_rest(rest, text, captures, then)),
        Token::One | Token::Set { .. } => {
            let mut chars = text.chars();
            chars.next().is_some_and(|c| accepts(first, c))
                && match_rest(rest, chars.as_str(), captures, then)
        }
        Token::Run => splits(text).any(|(_, text)| match_rest(rest, text, captures, then)),
        Token::Capture(name) => {
            if let Some(bound) = captures.get(name).cloned() {
                return text
                    .strip_prefix(bound.as_str())
                    .is_some_and(|text| match_rest(rest, text, captures, then));
            }
            for (taken, text) in splits(text).filter(|(taken, _)| !taken.is_empty()) {
                captures.insert(name.clone(), taken.to_string());
                if match_rest(rest, text, captures, then) {
                    return true;
                }
                captures.remove(name);
            }
            false
        }
    }
}

/// Every way to cut a text in two, the longest head first.
fn splits(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let cuts = text.char_indices().map(|(position, _)| position);
    let mut cuts: Vec<usize> = cuts.chain([text.len()]).collect();
    cuts.reverse();
    cuts.into_iter().map(|cut| text.split_at(cut))
}

fn accepts(token: &Token, c: char) -> bool {
    match token {
        Token::Set { negated, ranges } => {
            ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn captures(pattern: &str, path: &str) -> Option<Vec<(String, String)>> {
        let glob = Glob::parse(pattern).unwrap();
        glob.matches(path).map(|found| found.into_iter().collect())
    }

    fn matches(pattern: &str, path: &str) -> bool {
        captures(pattern, path).is_some()
    }

    #[test]
    fn captures_bind_part_of_one_step() {
        let found = captures("{module}/values-{platform}.yaml", "open-webui/values-arm64.yaml").unwrap();
        assert_eq!(
            found,
            [
                ("module".into(), "open-webui".into()),
                ("platform".into(), "arm64".into())
            ]
        );
        assert!(!matches("{module}/chart", "a/b/chart"));
        assert!(!matches("x{module}", "x"));
        let found = captures("{a}-{b}/x", "open-webui-amd/x").unwrap();
        assert_eq!(
            found,
            [("a".into(), "open-webui".into()), ("b".into(), "amd".into())]
        );
    }

    #[test]
    fn a_name_twice_is_the_same_text_twice() {
        assert!(matches("{m}/charts/{m}", "web/charts/web"));
        assert!(!matches("{m}/charts/{m}", "web/charts/db"));
        let found = captures("{a}{b}/{a}", "xyz/x").unwrap();
        assert_eq!(found, [("a".into(), "x".into()), ("b".into(), "yz".into())]);
    }

    #[test]
    fn stars_stay_in_their_step_and_double_stars_do_not() {
        assert!(matches("a/*.yaml", "a/b.yaml"));
        assert!(!matches("a/*.yaml", "a/b/c.yaml"));
        assert!(matches("a/**/*.yaml", "a/b.yaml"));
        assert!(matches("a/**/*.yaml", "a/b/c/d.yaml"));
        assert!(matches("**/chart", "chart"));
        assert!(matches("a/**", "a/b/c"));
        assert!(!matches("a/**", "a"));
    }

    #[test]
    fn a_leading_dot_has_to_be_written() {
        assert!(!matches("*/chart", ".github/chart"));
        assert!(!matches("{m}/chart", ".github/chart"));
        assert!(!matches("**/chart", "a/.hidden/chart"));
        assert!(matches(".*/chart", ".github/chart"));
        assert!(!matches("[.]x", ".x"));
    }

    #[test]
    fn sets_alternatives_and_escapes() {
        assert!(matches("[a-c0]x", "bx") && matches("[a-c0]x", "0x") && !matches("[a-c0]x", "dx"));
        assert!(matches("[!a]", "b") && !matches("[^a]", "a"));
        assert!(matches("[]]", "]"));
        assert!(matches("{a,b/c}/x", "b/c/x") && matches("{a,b/c}/x", "a/x"));
        assert!(matches("values{,-prod}.yaml", "values.yaml"));
        assert!(matches(r"\{a\}\*", "{a}*"));
        assert!(matches("a?c", "aßc"));
        let found = captures("{prod,{stage}-test}/{stage}", "qa-test/qa").unwrap();
        assert_eq!(found, [("stage".into(), "qa".into())]);
    }

    proptest! {
        #[test]
        fn a_literal_matches_itself_alone(path in "[a-z]{1,5}(/[a-z]{1,5}){0,3}", other in "[a-z/]{1,9}") {
            let glob = Glob::parse(&path).unwrap();
            prop_assert!(glob.is_literal());
            prop_assert_eq!(glob.matches(&path), Some(Captures::new()));
            prop_assert_eq!(glob.matches(&other).is_some(), path == other);
        }

        #[test]
        fn captures_put_back_give_the_path(a in "[a-z.-]{0,4}[a-z]", b in "[a-z-]{1,5}", c in "[a-z]{1,5}") {
            prop_assume!(!a.starts_with('.'));
            let path = format!("{a}/{b}-{c}.yaml");
            let found = Glob::parse("{x}/{y}-{z}.yaml").unwrap().matches(&path).unwrap();
            prop_assert_eq!(format!("{}/{}-{}.yaml", found["x"], found["y"], found["z"]), path);
        }
    }
}
