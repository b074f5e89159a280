//! Long texts cut with a sign that they were, and control characters made visible: what a chart prints can
//! neither flood a report nor act on whatever shows it.

use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A text cut to so many columns, hidden characters made visible.
pub(super) fn cut(text: &str, width: usize, ellipsis: &str) -> String {
    let text = visible(text);
    // A text of fewer bytes than columns fits, for a column takes at least a byte.
    if text.len() <= width || text.width() <= width {
        return text.into_owned();
    }
    let mut kept = String::new();
    let mut at = ellipsis.chars().count();
    for c in text.chars() {
        at += c.width().unwrap_or(0);
        if at > width {
            break;
        }
        kept.push(c);
    }
    kept + ellipsis
}

/// Two values for so many columns: where either is too long, both from shortly before they part.
pub(super) fn pair(old: &str, new: &str, room: usize, ellipsis: &str) -> (String, String) {
    let (old, new) = (visible(old), visible(new));
    if old.width() <= room && new.width() <= room {
        return (old.into_owned(), new.into_owned());
    }
    let same = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
    let skipped = same.saturating_sub(room / 3);
    let clipped = |text: &str| {
        if skipped == 0 {
            return cut(text, room, ellipsis);
        }
        let rest: String = text.chars().skip(skipped).collect();
        cut(&format!("{ellipsis}{rest}"), room, ellipsis)
    };
    (clipped(&old), clipped(&new))
}

/// True for what has no shape of its own, and what turns the direction of the text around it; tabs are fine.
fn hidden(c: char) -> bool {
    c.is_control() && c != '\t'
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Hidden characters as escapes.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        text.chars()
            .map(|c| match c {
                '\n' => "\\n".to_owned(),
                '\r' => "\\r".to_owned(),
                c if hidden(c) => format!("\\u{{{:x}}}", u32::from(c)),
                c => c.to_string(),
            })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_counts_columns() {
        assert_eq!(cut("abcdef", 6, "…"), "abcdef");
        assert_eq!(cut("abcdefg", 6, "…"), "abcde…");
        assert_eq!(cut("日本語日本語", 6, "…"), "日本…");
    }

    #[test]
    fn two_long_values_are_shown_where_they_part() {
        let old = format!("{}1", "a".repeat(50));
        let new = format!("{}2", "a".repeat(50));
        assert_eq!(
            pair(&old, &new, 12, "…"),
            ("…aaaa1".to_owned(), "…aaaa2".to_owned())
        );
        assert_eq!(pair("a", "b", 12, "…"), ("a".to_owned(), "b".to_owned()));
    }
}
