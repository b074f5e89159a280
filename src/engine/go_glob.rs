//! The patterns of `.Files.Glob`: gobwas/glob 0.2.3 with `/` as separator.
//!
//! `*` and `?` stay within a path segment, `**` crosses, `{a,b}` are alternatives, `[abc]`, `[a-c]` and `[!a]`
//! stand for one character (the negated ones also for a `/`), `\` takes the next character literally.

/// A compiled pattern.
#[derive(Debug)]
pub struct GoGlob {
    program: Vec<Op>,
}

/// A pattern that gobwas/glob refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadGlob;

/// One step of the matching machine.
#[derive(Clone, Debug)]
enum Op {
    /// One character.
    Char(char),
    /// One character that is no separator.
    Single,
    /// Any run of characters that are no separator; the machine stays here.
    Any,
    /// Any run of characters; the machine stays here.
    Super,
    /// One character of a class.
    Class(Class),
    /// Goes on at each of these steps.
    Split(Vec<usize>),
    /// The whole name must have been read.
    End,
}

#[derive(Clone, Debug)]
struct Class {
    negated: bool,
    chars: Chars,
}

#[derive(Clone, Debug)]
enum Chars {
    Range(char, char),
    List(String),
}

impl Class {
    fn holds(&self, c: char) -> bool {
        let found = match &self.chars {
            Chars::Range(low, high) => (*low..=*high).contains(&c),
            Chars::List(list) => list.contains(c),
        };
        found != self.negated
    }
}

impl GoGlob {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// When gobwas/glob refuses it.
    pub fn compile(pattern: &str) -> Result<GoGlob, BadGlob> {
        let mut compiler = Compiler {
            chars: pattern.chars().collect(),
            at: 0,
            open: Vec::new(),
            program: Vec::new(),
        };
        compiler.pattern()?;
        Ok(GoGlob {
            program: compiler.program,
        })
    }

    /// True when the whole name matches.
    pub fn matches(&self, name: &str) -> bool {
        let mut now = Steps::new(self.program.len());
        let mut next = Steps::new(self.program.len());
        self.reach(&mut now, 0);
        for c in name.chars() {
            next.clear();
            for at in std::mem::take(&mut now.list) {
                match &self.program[at] {
                    Op::Char(wanted) if *wanted == c => self.reach(&mut next, at + 1),
                    Op::Single if c != '/' => self.reach(&mut next, at + 1),
                    Op::Any if c != '/' => self.reach(&mut next, at),
                    Op::Super => self.reach(&mut next, at),
                    Op::Class(class) if class.holds(c) => self.reach(&mut next, at + 1),
                    _ => {}
                }
            }
            std::mem::swap(&mut now, &mut next);
        }
        now.seen[self.program.len() - 1]
    }

    /// Adds a step and all that follow it without reading.
    fn reach(&self, steps: &mut Steps, at: usize) {
        let mut due = vec![at];
        while let Some(at) = due.pop() {
            if std::mem::replace(&mut steps.seen[at], true) {
                continue;
            }
            match &self.program[at] {
                Op::Split(targets) => due.extend(targets),
                Op::Any | Op::Super => {
                    steps.list.push(at);
                    due.push(at + 1);
                }
                _ => steps.list.push(at),
            }
        }
    }
}

/// The steps the machine is at.
struct Steps {
    seen: Vec<bool>,
    list: Vec<usize>,
}

impl Steps {
    fn new(length: usize) -> Steps {
        Steps {
            seen: vec![false; length],
            list: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.seen.fill(false);
        self.list.clear();
    }
}

/// Alternatives that are being read.
struct Open {
    /// The step that splits to the alternatives.
    split: usize,
    /// The steps behind each alternative but the last, which lead to where the alternatives end.
    exits: Vec<usize>,
}

struct Compiler {
    chars: Vec<char>,
    at: usize,
    open: Vec<Open>,
    program: Vec<Op>,
}

impl Compiler {
    fn pattern(&mut self) -> Result<(), BadGlob> {
        while let Some(&c) = self.chars.get(self.at) {
            if c == char::REPLACEMENT_CHARACTER {
                // Go cannot tell it from bytes that are no UTF-8.
                return Err(BadGlob);
            }
            self.at += 1;
            match c {
                '*' if self.chars.get(self.at) == Some(&'*') => {
                    self.at += 1;
                    self.program.push(Op::Super);
                }
                '*' => self.program.push(Op::Any),
                '?' => self.program.push(Op::Single),
                '[' => self.class()?,
                '{' => {
                    self.open.push(Open {
                        split: self.program.len(),
                        exits: Vec::new(),
                    });
                    self.program.push(Op::Split(vec![self.program.len() + 1]));
                }
                ',' if !self.open.is_empty() => self.alternative(),
                '}' if !self.open.is_empty() => self.close(),
                '\\' => {
                    let escaped = self.chars.get(self.at).copied();
                    self.at += 1;
                    self.program.extend(escaped.map(Op::Char));
                }
                c => self.program.push(Op::Char(c)),
            }
        }
        // What is left open ends with the pattern.
        while !self.open.is_empty() {
            self.close();
        }
        self.program.push(Op::End);
        Ok(())
    }

    fn alternative(&mut self) {
        let Some(open) = self.open.last_mut() else { return };
        open.exits.push(self.program.len());
        self.program.push(Op::Split(Vec::new()));
        let start = self.program.len();
        if let Op::Split(targets) = &mut self.program[open.split] {
            targets.push(start);
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        let end = self.program.len();
        for exit in open.exits {
            self.program[exit] = Op::Split(vec![end]);
        }
    }

    /// A class, behind its `[`: one range, or a list.
    fn class(&mut self) -> Result<(), BadGlob> {
        let negated = self.chars.get(self.at) == Some(&'!');
        self.at += usize::from(negated);
        let first = *self.chars.get(self.at).ok_or(BadGlob)?;
        let chars = if self.chars.get(self.at + 1) == Some(&'-') {
            let last = *self.chars.get(self.at + 2).ok_or(BadGlob)?;
            self.at += 3;
            if last < first {
                return Err(BadGlob);
            }
            Chars::Range(first, last)
        } else {
            let mut list = String::new();
            loop {
                match self.chars.get(self.at) {
                    Some(']') => break,
                    Some('\\') => {
                        list.extend(self.chars.get(self.at + 1));
                        self.at += 2;
                    }
                    Some(c) => {
                        list.push(*c);
                        self.at += 1;
                    }
                    None => return Err(BadGlob),
                }
            }
            if list.is_empty() {
                return Err(BadGlob);
            }
            Chars::List(list)
        };
        if self.chars.get(self.at) != Some(&']') {
            return Err(BadGlob);
        }
        self.at += 1;
        self.program.push(Op::Class(Class { negated, chars }));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matches(pattern: &str, name: &str) -> bool {
        GoGlob::compile(pattern).expect("a pattern").matches(name)
    }

    /// Cases of gobwas/glob's own glob_test.go.
    #[test]
    fn agrees_with_gobwas() {
        for (pattern, name, expected) in [
            ("* ?at * eyes", "my cat has very bright eyes", true),
            ("", "", true),
            ("", "b", false),
            ("*ä", "åä", true),
            ("a*b", "aaab", true),
            ("a/*", "a/b/c", false),
            ("a/**", "a/b/c", true),
            ("**/b", "a/c/b", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[!a]", "/", true),
            ("?", "/", false),
            ("{abc,abd}a", "abda", true),
            ("{*.yaml,d/*}", "d/a", true),
            ("{*.yaml,d/*}", "e/a", false),
            ("{a,{b,c}}d", "cd", true),
            ("{a,b", "b", true),
            ("{,a}b", "b", true),
            ("a}", "a}", true),
            ("a,b", "a,b", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("{a\\,b,c}", "a,b", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn bad_patterns_are_refused() {
        for pattern in ["[", "[a", "[a-cd]", "[c-a]", "[]", "[!]"] {
            assert_eq!(GoGlob::compile(pattern).err(), Some(BadGlob), "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn any_pattern_ends_in_an_answer(pattern in "[a*?{},\\[\\]\\\\!/-]{0,12}", name in "[a/,-]{0,8}") {
            if let Ok(glob) = GoGlob::compile(&pattern) {
                glob.matches(&name);
            }
        }

        #[test]
        fn a_plain_text_matches_itself_alone(name in "[a-z/.]{1,20}", other in "[a-z/.]{1,20}") {
            prop_assert_eq!(matches(&name, &other), name == other);
        }
    }
}
