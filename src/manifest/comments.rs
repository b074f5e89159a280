//! Finds the comments of a YAML text, and how its lines are laid out around them.

/// The comments of a text, and what its layout consists of besides the columns of its nodes: the number
/// of its blank lines, of lines with white space at their end, and of carriage returns.
pub(super) fn comments(text: &str) -> (Vec<&str>, Vec<String>) {
    let mut scan = Scan::default();
    let mut comments = Vec::new();
    let (mut blank, mut trailing, mut returns) = (0usize, 0usize, 0usize);
    for line in text.trim().split('\n') {
        let bare = line.strip_suffix('\r').unwrap_or(line);
        returns += usize::from(bare.len() < line.len());
        let content = scan.line(bare, &mut comments);
        let counted = !content.in_scalar;
        blank += usize::from(counted && bare.trim().is_empty());
        let before = &bare[..content.end];
        trailing +=
            usize::from(counted && content.end == bare.len() && before.trim_end().len() < before.len());
    }
    let layout = [("blank", blank), ("trailing", trailing), ("returns", returns)];
    let layout = layout
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    (comments, layout)
}

#[derive(Default)]
struct Scan {
    /// The quote of a scalar that goes on from the line before.
    quote: Option<char>,
    /// The column of the node that a block scalar belongs to, and of its text once that is known.
    block: Option<(usize, Option<usize>)>,
    /// How many flow collections are open.
    flow: usize,
}

struct Content {
    /// Where the line ends before its comment.
    end: usize,
    /// The whole line is text of a scalar.
    in_scalar: bool,
}

impl Scan {
    fn line<'t>(&mut self, line: &'t str, comments: &mut Vec<&'t str>) -> Content {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let blank = line.trim().is_empty();
        if let Some((parent, column)) = self.block {
            let column = column.or((!blank && indent > parent).then_some(indent));
            if blank || column.is_some_and(|column| indent >= column) {
                self.block = Some((parent, column));
                return Content {
                    end: line.len(),
                    in_scalar: true,
                };
            }
            self.block = None;
        }
        let in_scalar = self.quote.is_some();
        let end = self.comment_start(line);
        if end < line.len() {
            comments.push(line[end..].trim_end());
        }
        if self.quote.is_none() && self.flow == 0 {
            self.block = block_header(&line[..end]).map(|(parent, explicit)| {
                let column = explicit.map(|digit| parent.map_or(0, |at| at) + digit);
                (parent.map_or(0, |at| at), column)
            });
            // The text of a block scalar at the root may begin in the first column.
            if let Some((parent, None)) = self.block
                && parent == 0
                && !line[..end].contains(':')
                && !line.trim_start().starts_with('-')
            {
                self.block = Some((0, Some(0)));
            }
        }
        Content { end, in_scalar }
    }

    /// Where the comment of a line begins; its end where it has none.
    fn comment_start(&mut self, line: &str) -> usize {
        let mut before = ' ';
        let mut chars = line.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match self.quote {
                Some('"') if c == '\\' => {
                    chars.next();
                }
                Some('\'') if c == '\'' && chars.peek().is_some_and(|next| next.1 == '\'') => {
                    chars.next();
                }
                Some(quote) if c == quote => self.quote = None,
                Some(_) => {}
                None => match c {
                    '#' if before.is_whitespace() => return at,
                    '"' | '\'' if before.is_whitespace() || "[{,:".contains(before) => self.quote = Some(c),
                    '[' | '{' if self.flow > 0 || before.is_whitespace() => self.flow += 1,
                    ']' | '}' => self.flow = self.flow.saturating_sub(1),
                    _ => {}
                },
            }
            before = c;
        }
        line.len()
    }
}

/// When a line ends in the header of a block scalar: the column of the node it belongs to, and its explicit
/// indentation.
fn block_header(line: &str) -> Option<(Option<usize>, Option<usize>)> {
    let line = line.trim_end();
    let header = line.rsplit(char::is_whitespace).next()?;
    let indicators = header.strip_prefix(['|', '>'])?;
    if !indicators
        .chars()
        .all(|c| c.is_ascii_digit() || c == '+' || c == '-')
    {
        return None;
    }
    let mut lead = line[..line.len() - header.len()].trim_end();
    while let Some((rest, property)) = lead.rsplit_once(char::is_whitespace)
        && property.starts_with(['&', '!'])
    {
        lead = rest.trim_end();
    }
    let opens = lead.is_empty() || lead.ends_with(':') || lead.ends_with('-') || lead.starts_with(['&', '!']);
    if !opens {
        return None;
    }
    let mut parent = line.len() - line.trim_start_matches(' ').len();
    while line[parent..].starts_with("- ") && parent + 2 < lead.len() {
        parent += 2;
        parent += line[parent..].len() - line[parent..].trim_start_matches(' ').len();
    }
    let explicit = indicators
        .chars()
        .find_map(|c| c.to_digit(10))
        .map(|digit| digit as usize);
    Some((Some(parent), explicit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        comments(text).0
    }

    #[test]
    fn comments_are_found_outside_scalars() {
        assert_eq!(
            found("# a\nb: c # d\ne: f#g\nh: '# i' # j\nk: \"l \\\" # m\" # n\n  # o\n"),
            ["# a", "# d", "# j", "# n", "# o"]
        );
        assert_eq!(found("a: 'b\n  # c' # d\ne: [x, # f\n  y]\n"), ["# d", "# f"]);
    }

    #[test]
    fn block_scalars_hold_no_comments() {
        let text = "a: | # x\n  # b\n\n  # c\nd: 1\n# y\nl:\n- |-\n  # e\n- f: >+\n    # g\n  # z\n- !t |2\n   # h\n# w\n";
        assert_eq!(found(text), ["# x", "# y", "# z", "# w"]);
        assert_eq!(found("a: b |\n# c\n"), ["# c"]);
    }

    #[test]
    fn layout_counts_what_columns_do_not_show() {
        let layout = |text: &str| comments(text).1;
        assert_ne!(layout("a: 1\n\nb: 2\n"), layout("a: 1\nb: 2\n"));
        assert_ne!(layout("a: 1 \nb: 2\n"), layout("a: 1\nb: 2\n"));
        assert_ne!(layout("a: 1\r\nb: 2\r\n"), layout("a: 1\nb: 2\n"));
        assert_eq!(layout("a: 1 # x\nb: 2\n"), layout("a: 1 # y\nb: 2\n"));
        assert_eq!(layout("\n\na: 1\n\n"), layout("a: 1\n"));
    }
}
