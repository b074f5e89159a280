//! The gates to the page: markup, and data inside a script element. Nothing quoted reaches the page but through
//! one of them, and both make visible what a reader could not see.

use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write as _};
use std::io::{self, Write};

/// A text with what cannot be seen, or turns the direction of its surroundings, spelled out: `⟨U+202E⟩`. Line
/// ends and tabs stay.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) {
            // Writing to a string cannot fail.
            let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{e0000}'..='\u{e007f}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' => true,
        _ => c.is_control(),
    }
}

/// A text as markup may hold it, in an element or between quotes.
pub(super) struct Html<T>(pub(super) T);

impl<T: AsRef<str>> Display for Html<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in visible(self.0.as_ref()).chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// A text in the data of the page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Text<'a>(pub(super) Cow<'a, str>);

impl<'a> Text<'a> {
    /// A borrowed text.
    pub(super) fn of(text: &'a str) -> Text<'a> {
        Text(Cow::Borrowed(text))
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Text(Cow::Owned(text))
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&visible(&self.0))
    }
}

/// Writes JSON into a script element: without a `<` nothing in it can end the element or open a comment.
pub(super) struct InScript<'a>(pub(super) &'a mut dyn Write);

impl Write for InScript<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut parts = bytes.split(|byte| *byte == b'<');
        if let Some(first) = parts.next() {
            self.0.write_all(first)?;
        }
        for part in parts {
            self.0.write_all(b"\\u003c")?;
            self.0.write_all(part)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_cannot_be_left() {
        let hostile = "</script><script>alert('1')</script>\"&amp;";
        assert_eq!(
            Html(hostile).to_string(),
            "&lt;/script&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;amp;"
        );
    }

    #[test]
    fn what_cannot_be_seen_is_spelled_out() {
        assert_eq!(visible("a\u{202e}b\u{0}\r\n\t"), "a⟨U+202E⟩b⟨U+0000⟩⟨U+000D⟩\n\t");
        assert!(matches!(visible("שלום naïve 日本 🎉"), Cow::Borrowed(_)));
    }

    #[test]
    fn data_cannot_end_its_element() {
        let mut out = Vec::new();
        let text = Text::of("</script><!-- \u{2066}<<");
        serde_json::to_writer(InScript(&mut out), &text).unwrap();
        let json = String::from_utf8(out).unwrap();
        assert!(!json.contains('<'), "{json}");
        let back: String = serde_json::from_str(&json).unwrap();
        assert_eq!(back, "</script><!-- ⟨U+2066⟩<<");
    }
}
