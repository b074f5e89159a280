//! Text for people, broken at spaces.

use unicode_width::UnicodeWidthStr;

/// Lines of at most so many columns where there are spaces to break them at; further ones are indented.
pub(super) fn wrapped(text: &str, columns: usize, indent: usize) -> String {
    let mut out = String::new();
    let mut at = 0;
    for word in text.split_inclusive(' ') {
        if at > indent && at + word.trim_end().width() > columns {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            at = indent;
        }
        out.push_str(word);
        at += word.width();
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces_by_columns() {
        assert_eq!(wrapped("one two three", 8, 2), "one two\n  three\n");
        assert_eq!(wrapped("日本 日本 日本", 9, 0), "日本 日本\n日本\n");
        assert_eq!(wrapped("a-word-too-long b", 4, 0), "a-word-too-long\nb\n");
    }
}
