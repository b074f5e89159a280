use super::*;
use crate::report::sample;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

fn markdown(report: &Report) -> String {
    comment(report, LIMIT)
}

fn events(text: &str) -> Vec<Event<'_>> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_MATH
        | Options::ENABLE_TASKLISTS;
    Parser::new_ext(text, options).collect()
}

/// The tags that the report writes itself.
const TAGS: &[&str] = &[
    "details",
    "details open",
    "/details",
    "summary",
    "/summary",
    "code",
    "/code",
    "b",
    "/b",
    "p",
    "/p",
    "br",
    "span",
    "/span",
];

fn check_html(html: &str, name: &str) {
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        if let Some(after) = rest.strip_prefix("!--") {
            rest = after.find("-->").map_or("", |end| &after[end + 3..]);
            continue;
        }
        let end = rest.find('>').unwrap_or(rest.len());
        assert!(TAGS.contains(&&rest[..end]), "{name}: <{}>", &rest[..end]);
    }
}

#[test]
fn what_is_quoted_is_never_markup() {
    for (name, report) in sample::all() {
        let text = markdown(&report);
        let mut in_code = false;
        let mut cells = Vec::new();
        for event in events(&text) {
            match event {
                Event::Start(Tag::CodeBlock(_)) => in_code = true,
                Event::End(TagEnd::CodeBlock) => in_code = false,
                Event::Start(Tag::TableHead | Tag::TableRow) => cells.push(0),
                Event::Start(Tag::TableCell) => *cells.last_mut().unwrap() += 1,
                Event::Html(html) | Event::InlineHtml(html) => check_html(&html, name),
                Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Strikethrough | Tag::Emphasis)
                | Event::InlineMath(_)
                | Event::DisplayMath(_)
                | Event::FootnoteReference(_) => panic!("{name}: {event:?}"),
                Event::Text(piece) if !in_code => {
                    for sign in ["@team", "#12", "www.evil", "http://", ":tada:"] {
                        assert!(!piece.contains(sign), "{name}: {sign} in {piece}");
                    }
                }
                _ => {}
            }
        }
        cells.dedup();
        assert!(cells.len() <= 1, "{name}: rows of {cells:?} cells");
        let control = text.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(control, None, "{name}");
    }
}

/// Within HTML, where no backslash helps, mentions are broken up or stand in code.
#[test]
fn nobody_is_called_by_a_summary() {
    let text = markdown(&sample::hostile());
    for line in text.lines().filter(|line| line.starts_with("<summary>")) {
        let mut rest = line;
        while let Some(start) = rest.find("<code>") {
            assert!(!rest[..start].contains("@team"), "{line}");
            rest = &rest[start..];
            rest = &rest[rest.find("</code>").unwrap()..];
        }
        assert!(!rest.contains("@team"), "{line}");
    }
    assert!(text.contains("@team"));
}

#[test]
fn a_comment_is_never_too_long_and_says_what_it_cut() {
    let flood = sample::flood();
    let text = markdown(&flood);
    assert!(text.len() <= LIMIT);
    assert!(text.len() > LIMIT * 9 / 10, "room is left: {}", text.len());
    assert!(text.contains("of 4,000 differences"));
    assert!(text.contains("of 100,000 findings"));
    assert!(text.contains("`evenkeel verify --against origin/main --verbose`"));
    assert!(text.contains("### Findings: 33,334 deny") && text.contains("### What differs"));
    for limit in [100, 5_000, 10_000, 20_000] {
        let text = comment(&flood, limit);
        assert!(text.len() <= limit.max(17_000), "{} for {limit}", text.len());
        let opened = text.matches("<details").count();
        assert_eq!(opened, text.matches("</details>").count());
    }
}

#[test]
fn nothing_is_cut_without_need() {
    for (name, report) in sample::all() {
        let text = markdown(&report);
        assert!(!text.contains("Cut to fit"), "{name}");
        assert_eq!(markdown(&report), text, "{name} is not stable");
    }
}

/// The same change on many documents takes one block.
#[test]
fn one_change_on_many_documents_is_told_once() {
    let text = markdown(&sample::rich());
    assert_eq!(text.matches("traefik-36.1.1").count(), 1);
    assert_eq!(text.matches("spec.replicas").count(), 1);
    let worst = text.find("loses data").unwrap();
    assert!(worst < text.find("restarts pods").unwrap());
    assert!(text.find("restarts pods").unwrap() < text.find("version labels").unwrap());
}

#[test]
fn an_equal_run_is_short() {
    let text = markdown(&sample::equal());
    assert!(text.lines().count() < 8, "{text}");
    assert!(text.contains("## evenkeel: equivalent"));
}
