//! Quoted text within Markdown and HTML. Whatever a chart prints stays text: no tag, no link, no mention of a
//! person or an issue, no emoji, no mathematics, no column of a table, no end of a fence.

use crate::report::clip::visible;

/// Breaks up a word that the site would turn into something else, and is not seen.
const BREAK: &str = "<!-- -->";

/// Text in a paragraph.
pub(in crate::report) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    neutral(text, &mut out, |c, out| {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' => {
                out.push('\\');
                out.push(c);
            }
            // On GitHub a backslash alone does not keep two of them from making a formula.
            '$' => out.push_str("<span>\\$</span>"),
            _ => return false,
        }
        true
    });
    out
}

/// Text within an HTML element, where Markdown is not read.
pub(in crate::report) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    neutral(text, &mut out, |_, _| false);
    out
}

/// A name within an HTML element: nothing in it is a mention or a link.
pub(in crate::report) fn html_code(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str("<code>");
    for c in visible(text).chars() {
        entity(c, &mut out);
    }
    out.push_str("</code>");
    out
}

fn neutral(text: &str, out: &mut String, special: impl Fn(char, &mut String) -> bool) {
    let text = visible(text);
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if !special(c, out) {
            entity(c, out);
        }
        let name_follows = rest.peek().is_some_and(|next| next.is_alphanumeric());
        let breaks = match c {
            '@' | '#' => true,
            // An emoji, or the scheme of an address.
            ':' => name_follows || matches!(rest.peek(), Some('+' | '-' | '/')),
            // An address without a scheme: www.
            '.' => before.eq_ignore_ascii_case(&'w') && name_follows,
            _ => false,
        };
        if breaks {
            out.push_str(BREAK);
        }
        before = c;
    }
}

fn entity(c: char, out: &mut String) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        c => out.push(c),
    }
}

/// A code span within a table, which reads bars before it reads code spans.
pub(in crate::report) fn cell_code(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// A code span.
pub(in crate::report) fn code(text: &str) -> String {
    let text = visible(text);
    if text.trim_matches(' ').is_empty() {
        return format!("`{text}·`");
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Lines in a fence that none of them can close.
pub(in crate::report) fn fenced<'a>(language: &str, lines: impl IntoIterator<Item = &'a str>) -> String {
    let body: Vec<_> = lines.into_iter().map(visible).collect();
    let longest = body.iter().map(|line| longest_run(line)).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let mut out = format!("{fence}{language}\n");
    for line in body {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push_str(&fence);
    out.push('\n');
    out
}

fn longest_run(text: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_no_markup() {
        assert_eq!(prose("a plain line, 3 of 4"), "a plain line, 3 of 4");
        assert_eq!(prose("*a* [b](c)"), "\\*a\\* \\[b\\](c)");
        assert_eq!(prose("@team #12"), "@<!-- -->team #<!-- -->12");
        assert_eq!(prose("<b> & a|b"), "&lt;b&gt; &amp; a\\|b");
        assert_eq!(prose("a: b, :tada:"), "a: b, :<!-- -->tada:");
        assert_eq!(prose("https://x www.y"), "https:<!-- -->//x www.<!-- -->y");
        assert_eq!(prose("a\n\nb\u{7}"), "a\\\\n\\\\nb\\\\u{7}");
    }

    #[test]
    fn code_holds_backticks_and_bars() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(code("a|b"), "`a|b`");
        assert_eq!(cell_code("a|b"), "`a\\|b`");
        assert_eq!(code(""), "`·`");
        assert_eq!(code("a\nb"), "`a\\nb`");
    }

    #[test]
    fn nothing_closes_a_fence() {
        assert_eq!(fenced("diff", ["+ a"]), "```diff\n+ a\n```\n");
        assert_eq!(fenced("", ["````"]), "`````\n````\n`````\n");
    }

    #[test]
    fn elements_hold_names() {
        assert_eq!(html_code("</code>@a"), "<code>&lt;/code&gt;@a</code>");
        assert_eq!(html("a_b @c"), "a_b @<!-- -->c");
    }
}
