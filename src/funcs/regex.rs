//! Regular expressions (`sprig/regex.go` over Go's `regexp`). The plain functions report an expression
//! that is none as Go's panic does, their `must` twins as an error.

use super::memo::Memo;
use super::pieces::{Pieces, piece};
use super::re2::{self, Refusal};
use super::runes;
use super::spec::{Answer, FuncSpec};
use crate::dialect::Dialect;
use crate::template::{Call, CallError, Param};
use crate::value::quote::{can_backquote, quote_str};
use crate::value::rune::{is_digit, is_letter};
use crate::value::{ElemType, List, Marks, Text, Value};
use regex::{CaptureLocations, Regex, RegexBuilder};
use std::borrow::Cow;
use std::rc::Rc;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[
    MATCH,
    MUST_MATCH,
    FIND,
    MUST_FIND,
    FIND_ALL,
    MUST_FIND_ALL,
    REPLACE_ALL,
    MUST_REPLACE_ALL,
    REPLACE_ALL_LITERAL,
    MUST_REPLACE_ALL_LITERAL,
    SPLIT,
    MUST_SPLIT,
    QUOTE_META,
];

/// Expressions known at one time, per thread.
const REMEMBERED: usize = 256;

/// The longest expression that is compiled.
const MOST_SOURCE_BYTES: usize = 256 << 10;

/// The most bytes a compiled expression may take.
const MOST_BYTES: usize = 64 << 20;

thread_local! {
    static KNOWN: [Memo<Result<Expression, Fault>>; Dialect::ALL.len()] =
        [Memo::new(REMEMBERED), Memo::new(REMEMBERED)];
}

struct Expression {
    regex: Regex,
    names: Vec<String>,
}

enum Fault {
    /// Go refuses it.
    Refused(Refusal),
    /// Go accepts it, but it is more than can be compiled here.
    Limit(String),
}

fn compile(source: &[u8], dialect: Dialect) -> Result<Expression, Fault> {
    if source.len() > MOST_SOURCE_BYTES {
        return Err(Fault::Limit(format!(
            "a regular expression of {} bytes is more than evenkeel compiles ({MOST_SOURCE_BYTES} bytes)",
            source.len()
        )));
    }
    let translated = re2::translate(source, dialect).map_err(Fault::Refused)?;
    let regex = RegexBuilder::new(&translated.pattern)
        .size_limit(MOST_BYTES)
        .build()
        .map_err(|error| {
            let last = error.to_string();
            let last = last.lines().last().unwrap_or_default();
            let source = quote_str(source);
            Fault::Limit(format!(
                "the regular expression {source} is more than evenkeel can compile: {last}"
            ))
        })?;
    Ok(Expression {
        regex,
        names: translated.names,
    })
}

/// A text as Go's matcher sees it: every invalid byte is one U+FFFD.
struct Subject<'a> {
    text: Cow<'a, str>,
    /// For every byte of `text` and its end the offset it stands for, where the two differ.
    offsets: Option<Vec<usize>>,
}

impl Subject<'_> {
    fn new(bytes: &[u8]) -> Subject<'_> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Subject {
                text: Cow::Borrowed(text),
                offsets: None,
            };
        }
        let mut text = String::with_capacity(bytes.len() * 2);
        let mut offsets = Vec::with_capacity(bytes.len() * 2);
        for (at, rune, _) in runes::runes(bytes) {
            text.push(rune);
            offsets.resize(text.len(), at);
        }
        offsets.push(bytes.len());
        Subject {
            text: Cow::Owned(text),
            offsets: Some(offsets),
        }
    }

    /// Where in the original bytes an offset lies.
    fn original(&self, at: usize) -> usize {
        self.offsets.as_ref().map_or(at, |offsets| offsets[at])
    }

    /// The width of the rune at an offset, 0 at the end.
    fn width(&self, at: usize) -> usize {
        self.text[at..].chars().next().map_or(0, char::len_utf8)
    }
}

impl Expression {
    /// At most `most` matches, in original offsets (`Regexp.allMatches`); no limit below 0.
    fn all(&self, bytes: &[u8], most: i64) -> Vec<(usize, usize)> {
        let subject = Subject::new(bytes);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let mut found = Vec::new();
        let mut at = 0;
        let mut last_end = None;
        while found.len() < most && at <= subject.text.len() {
            let Some(matched) = self.regex.find_at(&subject.text, at) else {
                break;
            };
            let (start, end) = (matched.start(), matched.end());
            let accepted = end != at || Some(start) != last_end;
            at = match end == at {
                true => at + subject.width(at).max(1),
                false => end,
            };
            last_end = Some(end);
            if accepted {
                found.push((subject.original(start), subject.original(end)));
            }
        }
        found
    }

    /// Every match that a replacement takes the place of, with its groups (`Regexp.replaceAll`).
    /// Goes on as long as `each` says so.
    fn replaced(&self, bytes: &[u8], mut each: impl FnMut(&[Option<(usize, usize)>]) -> bool) {
        let subject = Subject::new(bytes);
        let mut locations = self.regex.capture_locations();
        let mut groups = Vec::with_capacity(locations.len());
        let (mut at, mut last_end) = (0, 0);
        while at <= subject.text.len() {
            let read = self.regex.captures_read_at(&mut locations, &subject.text, at);
            let Some(matched) = read else {
                break;
            };
            let (start, end) = (matched.start(), matched.end());
            if end > last_end || start == 0 {
                read_groups(&locations, &subject, &mut groups);
                if !each(&groups) {
                    break;
                }
            }
            last_end = end;
            at = (at + subject.width(at).max(1)).max(end);
        }
    }

    /// The group that `$name` means: the first of that name that took part.
    fn group(&self, name: &str, groups: &[Option<(usize, usize)>]) -> Option<(usize, usize)> {
        let named = self.names.iter().zip(groups);
        named
            .filter(|(known, _)| *known == name)
            .find_map(|(_, group)| *group)
    }
}

fn read_groups(
    locations: &CaptureLocations,
    subject: &Subject<'_>,
    groups: &mut Vec<Option<(usize, usize)>>,
) {
    groups.clear();
    groups.extend((0..locations.len()).map(|at| {
        let (start, end) = locations.get(at)?;
        Some((subject.original(start), subject.original(end)))
    }));
}

/// The expression of argument 0.
fn expression(call: &Call<'_>, panics: bool) -> Result<Rc<Result<Expression, Fault>>, CallError> {
    let source = call.text(0).bytes();
    let dialect = call.host.dialect();
    let memo = match dialect {
        Dialect::V3_19 => 0,
        Dialect::V4_3 => 1,
    };
    let known = KNOWN.with(|known| known[memo].get(source, || compile(source, dialect)));
    match &*known {
        Ok(_) => Ok(known),
        Err(Fault::Limit(message)) => Err(CallError::own(message.as_str())),
        Err(Fault::Refused(refusal)) if panics => {
            let shown = match can_backquote(source) {
                true => format!("`{}`", call.text(0).lossy()),
                false => quote_str(source),
            };
            Err(CallError::Own(format!(
                "regexp: Compile({shown}): {}",
                refusal.message()
            )))
        }
        Err(Fault::Refused(refusal)) => Err(CallError::Own(refusal.message())),
    }
}

/// Runs a body with the compiled expression.
fn with(call: &mut Call<'_>, panics: bool, body: fn(&mut Call<'_>, &Expression) -> Answer) -> Answer {
    let known = expression(call, panics)?;
    match &*known {
        Ok(expression) => body(call, expression),
        Err(_) => Err(CallError::own("the expression was refused")),
    }
}

const TWO: &[Param] = &[Param::Str, Param::Str];
const COUNTED: &[Param] = &[Param::Str, Param::Str, Param::Int];
const THREE: &[Param] = &[Param::Str, Param::Str, Param::Str];

/// An expression that is none matches nothing, silently.
const MATCH: FuncSpec = FuncSpec::new("regexMatch", TWO, |call| match expression(call, false) {
    Ok(_) => with(call, false, matches),
    Err(CallError::Own(message)) if message.starts_with("error parsing regexp") => {
        call.host.note_swallowed(&message);
        Ok(Value::from(false))
    }
    Err(error) => Err(error),
});

const MUST_MATCH: FuncSpec = FuncSpec::new("mustRegexMatch", TWO, |call| with(call, false, matches));

fn matches(call: &mut Call<'_>, expression: &Expression) -> Answer {
    let subject = Subject::new(call.text(1).bytes());
    Ok(Value::from(expression.regex.is_match(&subject.text)))
}

const FIND: FuncSpec = FuncSpec::new("regexFind", TWO, |call| with(call, true, find));
const MUST_FIND: FuncSpec = FuncSpec::new("mustRegexFind", TWO, |call| with(call, false, find));

fn find(call: &mut Call<'_>, expression: &Expression) -> Answer {
    let text = call.text(1);
    let found = expression.all(text.bytes(), 1);
    Ok(Value::from(match found.first() {
        Some(&(start, end)) => text.slice(start, end),
        None => Text::default(),
    }))
}

const FIND_ALL: FuncSpec = FuncSpec::new("regexFindAll", COUNTED, |call| with(call, true, find_all));
const MUST_FIND_ALL: FuncSpec =
    FuncSpec::new("mustRegexFindAll", COUNTED, |call| with(call, false, find_all));

fn find_all(call: &mut Call<'_>, expression: &Expression) -> Answer {
    let text = call.text(1);
    let found = expression.all(text.bytes(), call.int(2));
    if found.is_empty() {
        return Ok(Value::from(List::nil(ElemType::Str)));
    }
    let parts = found.into_iter().map(|(start, end)| text.slice(start, end));
    Ok(strings(parts))
}

fn strings(parts: impl Iterator<Item = Text>) -> Value {
    let parts: Vec<Value> = parts.map(Value::from).collect();
    Value::from(List::typed(ElemType::Str, parts))
}

const SPLIT: FuncSpec = FuncSpec::new("regexSplit", COUNTED, |call| with(call, true, split));
const MUST_SPLIT: FuncSpec = FuncSpec::new("mustRegexSplit", COUNTED, |call| with(call, false, split));

/// `Regexp.Split`
fn split(call: &mut Call<'_>, expression: &Expression) -> Answer {
    let text = call.text(1);
    let most = call.int(2);
    if most == 0 {
        return Ok(Value::from(List::nil(ElemType::Str)));
    }
    if text.is_empty() && !call.text(0).is_empty() {
        return Ok(strings(std::iter::once(text.clone())));
    }
    let limit = usize::try_from(most).unwrap_or(usize::MAX);
    let mut parts = Vec::new();
    let (mut start, mut end) = (0, 0);
    for (found, after) in expression.all(text.bytes(), most) {
        if parts.len() == limit - 1 {
            break;
        }
        end = found;
        if after != 0 {
            parts.push(text.slice(start, end));
        }
        start = after;
    }
    if end != text.len() {
        parts.push(text.slice(start, text.len()));
    }
    Ok(strings(parts.into_iter()))
}

const REPLACE_ALL: FuncSpec = FuncSpec::new("regexReplaceAll", THREE, |call| with(call, true, replace_all));
const MUST_REPLACE_ALL: FuncSpec = FuncSpec::new("mustRegexReplaceAll", THREE, |call| {
    with(call, false, replace_all)
});

fn replace_all(call: &mut Call<'_>, expression: &Expression) -> Answer {
    let (text, marks) = piece(call, 1);
    let template = Template::new(call, 2);
    let mut out = Pieces::new();
    let mut done = 0;
    expression.replaced(text.bytes(), |groups| {
        let Some(Some((start, end))) = groups.first().copied() else {
            return true;
        };
        out.slice(&text, marks, done, start);
        template.expand(&mut out, |group| {
            let found = match group {
                Group::Number(number) => groups.get(number).copied().flatten(),
                Group::Name(name) => expression.group(name, groups),
            };
            found.map(|(start, end)| (&text, marks, start, end))
        });
        done = end;
        !out.is_full()
    });
    out.slice(&text, marks, done, text.len());
    Ok(out.finish(call))
}

const REPLACE_ALL_LITERAL: FuncSpec = FuncSpec::new("regexReplaceAllLiteral", THREE, |call| {
    with(call, true, replace_all_literal)
});
const MUST_REPLACE_ALL_LITERAL: FuncSpec = FuncSpec::new("mustRegexReplaceAllLiteral", THREE, |call| {
    with(call, false, replace_all_literal)
});

fn replace_all_literal(call: &mut Call<'_>, expression: &Expression) -> Answer {
    let (text, marks) = piece(call, 1);
    let (new, new_marks) = piece(call, 2);
    let mut out = Pieces::new();
    let mut done = 0;
    expression.replaced(text.bytes(), |groups| {
        if let Some(Some((start, end))) = groups.first().copied() {
            out.slice(&text, marks, done, start);
            out.text(&new, new_marks);
            done = end;
        }
        !out.is_full()
    });
    out.slice(&text, marks, done, text.len());
    Ok(out.finish(call))
}

const QUOTE_META: FuncSpec = FuncSpec::new("regexQuoteMeta", &[Param::Str], |call| {
    let (text, marks) = piece(call, 0);
    let mut out = Pieces::new();
    let mut done = 0;
    for (at, byte) in text.bytes().iter().enumerate() {
        if br"\.+*?()|[]{}^$".contains(byte) {
            out.slice(&text, marks, done, at);
            out.literal(br"\");
            done = at;
        }
    }
    out.slice(&text, marks, done, text.len());
    Ok(out.finish(call))
});

/// A replacement text with its references (`Regexp.expand`).
struct Template {
    text: Text,
    marks: Marks,
}

enum Group<'a> {
    Number(usize),
    Name(&'a str),
}

impl Template {
    fn new(call: &Call<'_>, at: usize) -> Template {
        let (text, marks) = piece(call, at);
        Template { text, marks }
    }

    /// Writes the text; what a reference stands for is looked up.
    fn expand<'t>(
        &self,
        out: &mut Pieces,
        find: impl Fn(Group<'_>) -> Option<(&'t Text, Marks, usize, usize)>,
    ) {
        let bytes = self.text.bytes();
        let mut done = 0;
        while let Some(found) = memchr::memchr(b'$', &bytes[done..])
            && !out.is_full()
        {
            let dollar = done + found;
            out.slice(&self.text, self.marks, done, dollar);
            let after = &bytes[dollar + 1..];
            if after.first() == Some(&b'$') {
                out.slice(&self.text, self.marks, dollar, dollar + 1);
                done = dollar + 2;
                continue;
            }
            let Some((name, length)) = reference(after) else {
                out.slice(&self.text, self.marks, dollar, dollar + 1);
                done = dollar + 1;
                continue;
            };
            let group = number(name).map_or(Group::Name(name), Group::Number);
            if let Some((text, marks, start, end)) = find(group) {
                out.slice(text, marks, start, end);
            }
            done = dollar + 1 + length;
        }
        out.slice(&self.text, self.marks, done, bytes.len());
    }
}

/// The name behind a `$` and how many bytes the reference takes: `name` or `{name}`.
fn reference(bytes: &[u8]) -> Option<(&str, usize)> {
    let braces = usize::from(bytes.first() == Some(&b'{'));
    let rest = &bytes[braces..];
    let in_name = |rune: char| is_letter(rune) || is_digit(rune) || rune == '_';
    let end = runes::runes(rest)
        .find(|rune| !in_name(rune.1))
        .map_or(rest.len(), |rune| rune.0);
    let name = std::str::from_utf8(&rest[..end]).ok()?;
    if name.is_empty() || (braces == 1 && rest.get(end) != Some(&b'}')) {
        return None;
    }
    Some((name, end + 2 * braces))
}

/// A name that is a number: decimal, without leading zeros, not too great.
fn number(name: &str) -> Option<usize> {
    let plain = name.bytes().all(|byte| byte.is_ascii_digit()) && (name.len() == 1 || !name.starts_with('0'));
    if plain && name.len() <= 9 {
        name.parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::funcs::tests::Bench;
    use crate::value::Data;
    use proptest::prelude::*;

    fn text(name: &str, args: &[&[u8]]) -> Vec<u8> {
        let args: Vec<Value> = args.iter().map(|arg| Value::from(Text::new(*arg))).collect();
        match Bench::default().call(name, args).expect("no error").data {
            Data::Str(text) => text.bytes().to_vec(),
            _ => panic!("{name} gives no string"),
        }
    }

    #[test]
    fn invalid_bytes_stay_what_they_are() {
        assert_eq!(text("regexFind", &[b"a.b", b"xa\xffb"]), b"a\xffb");
        assert_eq!(
            text("regexReplaceAll", &[b"(.)b", b"a\xffb\xfe", b"<$1>"]),
            b"a<\xff>\xfe"
        );
    }

    #[test]
    fn every_category_and_script_name_compiles() {
        for pattern in [
            r"\p{Cs}",
            r"\pC",
            r"\P{Greek}",
            r"(?i)[\PL\x{D800}]",
            r"\p{^Thai}",
        ] {
            for dialect in Dialect::ALL {
                assert!(compile(pattern.as_bytes(), dialect).is_ok(), "{pattern}");
            }
        }
        for pattern in [r"\p{Grek}", r"\p{Alphabetic}", r"\p{}", r"\p"] {
            assert!(compile(pattern.as_bytes(), Dialect::NEWEST).is_err(), "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn quoted_texts_find_themselves(sought in any::<String>(), before in any::<String>()) {
            let quoted = text("regexQuoteMeta", &[sought.as_bytes()]);
            let whole = format!("{before}{sought}");
            prop_assert_eq!(text("regexFind", &[&quoted, whole.as_bytes()]), sought.into_bytes());
        }

        #[test]
        fn what_go_accepts_compiles(pattern in r"[ab.*+?|(){}\[\]^$\\1,\-:iQEdpLxé]{0,12}") {
            if let Err(Fault::Limit(message)) = compile(pattern.as_bytes(), Dialect::NEWEST) {
                prop_assert!(false, "{}", message);
            }
        }

        #[test]
        fn the_parts_between_matches_and_the_matches_make_the_text(
            pattern in "[ab]|[ab]b?|b+|",
            whole in "[abc]{0,8}",
        ) {
            let expression = compile(pattern.as_bytes(), Dialect::NEWEST).ok().expect("an expression");
            let mut ends = 0;
            for (start, end) in expression.all(whole.as_bytes(), -1) {
                prop_assert!(ends <= start && start <= end && end <= whole.len());
                ends = end;
            }
        }
    }
}
