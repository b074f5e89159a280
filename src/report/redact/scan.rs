//! Secrets inside a text that nothing but the text itself gives away: assignments to a name that says so,
//! passwords in URLs, private keys, bearer tokens, whole Secrets in a file within a file.

use super::names;
use std::ops::Range;

/// A piece of a text, in bytes; begins and ends between characters.
pub(super) type Span = Range<usize>;

/// The kinds of text: a sentence for people, or a value of a document, which may be a whole file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A message or a warning: `password: must not be empty` is no assignment.
    Prose,
    /// A value of a document: `passphrase: correct horse battery` is one.
    Value,
}

/// Every secret piece of a text, in no particular order.
pub(super) fn find(text: &str, kind: Kind) -> Vec<Span> {
    if is_secret_manifest(text) {
        return std::iter::once(0..text.len()).collect();
    }
    let mut spans = Vec::new();
    private_keys(text, &mut spans);
    url_passwords(text, &mut spans);
    bearer_tokens(text, &mut spans);
    web_tokens(text, &mut spans);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        assignments(text, start..start + line.trim_end().len(), kind, &mut spans);
        schema_complaint(line, start, &mut spans);
        start += line.len();
    }
    spans
}

/// Sorted, without overlaps.
pub(super) fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.start, span.end));
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans.into_iter().filter(|span| !span.is_empty()) {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

/// A Secret written as YAML or JSON inside a string.
fn is_secret_manifest(text: &str) -> bool {
    if !text.contains("Secret") || !text.contains("data") && !text.contains("stringData") {
        return false;
    }
    let squeezed: String = text
        .chars()
        .filter(|c| !matches!(c, ' ' | '\t' | '"' | '\'' | '\\'))
        .collect();
    squeezed.match_indices("kind:Secret").any(|(at, found)| {
        let before = squeezed[..at].chars().next_back();
        let after = squeezed[at + found.len()..].chars().next();
        before.is_none_or(|c| !c.is_alphanumeric()) && after.is_none_or(|c| !c.is_alphanumeric())
    })
}

fn private_keys(text: &str, spans: &mut Vec<Span>) {
    const BEGIN: &str = "-----BEGIN ";
    for (start, _) in text.match_indices(BEGIN) {
        let rest = &text[start + BEGIN.len()..];
        let Some(label) = rest.find("-----").map(|end| &rest[..end]) else {
            continue;
        };
        if !label.ends_with("PRIVATE KEY") && !label.ends_with("PRIVATE KEY BLOCK") {
            continue;
        }
        let footer = format!("-----END {label}-----");
        let end = rest
            .find(&footer)
            .map_or(text.len(), |at| start + BEGIN.len() + at + footer.len());
        spans.push(start..end);
    }
}

fn url_passwords(text: &str, spans: &mut Vec<Span>) {
    for (at, separator) in text.match_indices("://") {
        let start = at + separator.len();
        let authority = until(&text[start..], |c| c.is_whitespace() || "/?#\"'`<>\\".contains(c));
        // A password may hold an unescaped slash or question mark; the host begins behind the last `@` of the word.
        let word = until(&text[start..], |c| c.is_whitespace() || "\"'`<>\\".contains(c));
        let Some(user_info) = authority
            .rfind('@')
            .or_else(|| word.rfind('@').filter(|_| authority.contains(':')))
            .map(|end| &word[..end])
        else {
            continue;
        };
        if let Some(colon) = user_info.find(':') {
            let password = &user_info[colon + 1..];
            if !password.is_empty() && !names::is_reference(password) {
                spans.push(start + colon + 1..start + user_info.len());
            }
        }
    }
}

fn bearer_tokens(text: &str, spans: &mut Vec<Span>) {
    for scheme in ["Bearer ", "bearer ", "Basic ", "basic "] {
        for (at, found) in text.match_indices(scheme) {
            let start = at + found.len();
            let token = until(&text[start..], |c| {
                !c.is_ascii_alphanumeric() && !"._~+/=-".contains(c)
            });
            // `Basic authentication` is a sentence.
            if token.len() >= 16 || token.len() >= 8 && token.bytes().any(|c| c.is_ascii_digit()) {
                spans.push(start..start + token.len());
            }
        }
    }
}

/// JSON web tokens: `eyJ` is how every JSON object begins in base64.
fn web_tokens(text: &str, spans: &mut Vec<Span>) {
    for (start, _) in text.match_indices("eyJ") {
        let token = until(&text[start..], |c| {
            !c.is_ascii_alphanumeric() && !"_-.".contains(c)
        });
        if token.matches('.').count() >= 1 && token.len() >= 20 {
            spans.push(start..start + token.len());
        }
    }
}

/// `at '/auth/password': 'hunter2' does not match pattern '..'`, as Helm's schema validation words it.
fn schema_complaint(line: &str, offset: usize, spans: &mut Vec<Span>) {
    let Some((before, rest)) = line.split_once("at '/") else {
        return;
    };
    let Some((pointer, complaint)) = rest.split_once("': ") else {
        return;
    };
    if !pointer.split('/').any(names::is_secret_key) {
        return;
    }
    let start = offset + before.len() + "at '/".len() + pointer.len() + "': ".len();
    for verb in [" does not match pattern ", " is not valid "] {
        if let Some(end) = complaint.find(verb) {
            spans.push(start..start + end);
        }
    }
}

/// `name=value`, `name: value`, `"name": "value"` and `--name value` on one line.
fn assignments(text: &str, line: Span, kind: Kind, spans: &mut Vec<Span>) {
    let content = &text[line.clone()];
    for (at, separator) in content.match_indices(['=', ':', ' ']) {
        let Some(name) = name_before(&content[..at], kind) else {
            continue;
        };
        let value = match separator {
            ":" if name.enclosed || name.opens_line => colon_value(&content[at + 1..], &name, kind),
            "=" => equals_value(&content[at + 1..], &name, kind),
            " " if name.is_flag => flag_value(&content[at + 1..]),
            _ => None,
        };
        let Some(value) = value else { continue };
        let value = at + 1 + value.start..at + 1 + value.end;
        if !name.is_secret() || names::is_harmless(name.text, &content[value.clone()]) {
            continue;
        }
        if separator == ":" && is_block_header(&content[value.clone()]) {
            spans.push(block_below(text, &line));
        } else {
            spans.push(line.start + value.start..line.start + value.end);
        }
    }
}

/// The name left of a separator.
struct Name<'a> {
    text: &'a str,
    quoted: bool,
    /// Right behind a quote or a bracket: `near `password: x``.
    enclosed: bool,
    opens_line: bool,
    is_flag: bool,
}

impl Name<'_> {
    fn is_secret(&self) -> bool {
        let is_variable = !self.text.bytes().any(|c| c.is_ascii_lowercase());
        names::is_secret_key(self.text) || is_variable && names::is_secret_variable(self.text)
    }
}

fn name_before(left: &str, kind: Kind) -> Option<Name<'_>> {
    let trimmed = left.trim_end_matches(' ');
    let bare = trimmed.trim_end_matches(['"', '\'', '\\']);
    let quoted = bare.len() < trimmed.len();
    let length = bare
        .bytes()
        .rev()
        .take_while(|c| c.is_ascii_alphanumeric() || b"_.-/".contains(c))
        .count();
    let (before, text) = bare.split_at(bare.len() - length);
    if text.is_empty() {
        return None;
    }
    let is_flag = text.starts_with('-') && left.len() == trimmed.len() && !quoted;
    let opens_line = before
        .trim_matches([' ', '\t', '-', '"', '\'', '\\', '{', ','])
        .is_empty();
    Some(Name {
        text,
        quoted,
        enclosed: quoted
            || before.ends_with(['`', '"', '\'', '(', '[', '{'])
            || kind == Kind::Value && before.trim_end().ends_with(['{', ',']),
        opens_line,
        is_flag,
    })
}

/// The value behind a colon: quoted, or the rest of the line.
fn colon_value(right: &str, name: &Name<'_>, kind: Kind) -> Option<Span> {
    let start = right.len() - right.trim_start_matches(' ').len();
    if let Some(quoted) = quoted_value(&right[start..]) {
        return Some(start + quoted.start..start + quoted.end);
    }
    if start == 0 && !name.quoted {
        return None;
    }
    let rest = right[start..].trim_end();
    let rest = rest.split(" #").next().unwrap_or(rest).trim_end();
    let value = match (name.enclosed && !name.opens_line, kind) {
        (true, _) => until(rest, |c| ",}]) `\"'".contains(c)),
        (false, Kind::Value) => rest,
        (false, Kind::Prose) if rest.contains(' ') => return None,
        (false, Kind::Prose) => rest,
    };
    Some(start..start + value.len())
}

/// The value behind an equals sign: quoted, a word, or the rest of the line of a properties file.
fn equals_value(right: &str, name: &Name<'_>, kind: Kind) -> Option<Span> {
    let start = right.len() - right.trim_start_matches(' ').len();
    if let Some(quoted) = quoted_value(&right[start..]) {
        return Some(start + quoted.start..start + quoted.end);
    }
    if right.starts_with('=') {
        return None; // `token == x` compares
    }
    if name.opens_line && !name.is_flag && kind == Kind::Value {
        return Some(start..right.trim_end().len().max(start));
    }
    if start > 0 {
        return None;
    }
    Some(0..until(right, |c| c.is_whitespace() || ",;&)\"'`".contains(c)).len())
}

/// The word behind a flag.
fn flag_value(right: &str) -> Option<Span> {
    if let Some(quoted) = quoted_value(right) {
        return Some(quoted);
    }
    let word = until(right, |c| c.is_whitespace() || "\"'`;|&".contains(c));
    (!word.starts_with('-')).then_some(0..word.len())
}

/// The inside of a quoted text at the start of `right`; quotes may be escaped themselves, as in JSON in JSON.
fn quoted_value(right: &str) -> Option<Span> {
    let escapes = right.bytes().take_while(|c| *c == b'\\').count();
    let quote = right[escapes..]
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\''))?;
    let open = escapes + 1;
    let closing: String = right[..escapes].chars().chain([quote]).collect();
    let mut at = open;
    while let Some(found) = right[at..].find(&closing) {
        let end = at + found;
        let slashes = right[open..end].bytes().rev().take_while(|c| *c == b'\\').count();
        if slashes % 2 == 0 {
            return Some(open..end);
        }
        at = end + closing.len();
    }
    Some(open..right.len())
}

fn is_block_header(value: &str) -> bool {
    value.starts_with(['|', '>']) && value[1..].bytes().all(|c| b"+-0123456789".contains(&c))
}

/// The lines below a block scalar's header that are indented deeper than its key.
fn block_below(text: &str, header: &Span) -> Span {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let outer = indent(&text[header.clone()]);
    let start = text[header.end..]
        .find('\n')
        .map_or(text.len(), |at| header.end + at + 1);
    let mut end = start;
    for line in text[start..].split_inclusive('\n') {
        if !line.trim().is_empty() && indent(line) <= outer {
            break;
        }
        end += line.len();
    }
    start..start + text[start..end].trim_end().len()
}

fn until(text: &str, stops: impl Fn(char) -> bool) -> &str {
    &text[..text.find(stops).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn masked(text: &str, kind: Kind) -> String {
        let mut out = String::new();
        let mut at = 0;
        for span in merged(find(text, kind)) {
            out.push_str(&text[at..span.start]);
            out.push('#');
            at = span.end;
        }
        out.push_str(&text[at..]);
        out
    }

    fn value(text: &str) -> String {
        masked(text, Kind::Value)
    }

    #[test]
    fn assignments_in_files() {
        assert_eq!(
            value("host: db\npassword: hunter2 # old\n"),
            "host: db\npassword: # # old\n"
        );
        assert_eq!(value("passphrase: correct horse battery"), "passphrase: #");
        assert_eq!(value("  - apiKey: 'a b'"), "  - apiKey: '#'");
        assert_eq!(
            value("{\"user\": \"u\", \"password\":\"p\\\"q\", \"x\": 1}"),
            "{\"user\": \"u\", \"password\":\"#\", \"x\": 1}"
        );
        assert_eq!(
            value("{user: u, password: p, x: 1}"),
            "{user: u, password: #, x: 1}"
        );
        assert_eq!(value("db.password = hunter 2"), "db.password = #");
        assert_eq!(
            value("export DB_PASSWORD=hunter2; run"),
            "export DB_PASSWORD=#; run"
        );
        assert_eq!(
            value("mysql --password hunter2 -h db"),
            "mysql --password # -h db"
        );
        assert_eq!(value("run --token=abc --user=x"), "run --token=# --user=x");
        assert_eq!(
            value("password: |\n  line one\n  line two\nhost: db"),
            "password: |\n  #\nhost: db".replace("  #", "#")
        );
        assert_eq!(
            value("{\\\"password\\\": \\\"hunter2\\\"}"),
            "{\\\"password\\\": \\\"#\\\"}"
        );
    }

    #[test]
    fn what_only_looks_like_one() {
        for text in [
            "password: ${DB_PASSWORD}",
            "password: \"\"",
            "secretName: chat",
            "the password must be set",
            "max_tokens: 4096",
            "if token == nil",
            "http://db:5432/x",
            "Basic authentication is on",
            "kind: SecretStore\ndata: x",
            "--set auth.rootPassword=$MYSQL_ROOT_PASSWORD",
        ] {
            assert_eq!(value(text), text);
        }
        assert_eq!(
            masked("near `password: hunter2` and (token: abc)", Kind::Prose),
            "near `password: #` and (token: #)"
        );
        let complaint = "- auth.password: Invalid type. Expected: string, given: null";
        assert_eq!(masked(complaint, Kind::Prose), complaint);
    }

    #[test]
    fn credentials_by_their_shape() {
        assert_eq!(
            value("postgres://chat:hunter2@db:5432/chat"),
            "postgres://chat:#@db:5432/chat"
        );
        assert_eq!(value("redis://:p/w?d@cache:1"), "redis://:#@cache:1");
        assert_eq!(
            value("Authorization: Bearer abcdefg12345"),
            "Authorization: Bearer #"
        );
        assert_eq!(value("x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc y"), "x # y");
        assert_eq!(
            value("a\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nb"),
            "a\n#\nb"
        );
        assert_eq!(
            value("-----BEGIN CERTIFICATE-----"),
            "-----BEGIN CERTIFICATE-----"
        );
        assert_eq!(value("kind: Secret\nstringData:\n  a: b\n"), "#");
        assert_eq!(value("{\"data\":{\"a\":\"Yg==\"},\"kind\":\"Secret\"}"), "#");
    }

    #[test]
    fn schema_complaints_quote_values() {
        assert_eq!(
            masked(
                "- at '/auth/password': 'hunter2' does not match pattern '^x$'\n",
                Kind::Prose
            ),
            "- at '/auth/password': # does not match pattern '^x$'\n"
        );
        let plain = "- at '/image/tag': 'x' does not match pattern '^y$'";
        assert_eq!(masked(plain, Kind::Prose), plain);
    }

    proptest! {
        #[test]
        fn spans_lie_between_characters(text in "[pP:=\"'\\\\ä\n {}@/-]{0,12}(password|token)?[:= \"'\\\\ä\n{}|@/-]{0,12}[a-zä \n]{0,6}") {
            for kind in [Kind::Prose, Kind::Value] {
                for span in find(&text, kind) {
                    prop_assert!(text.get(span).is_some());
                }
            }
        }
    }
}
