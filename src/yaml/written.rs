//! How a number, a boolean or a null was spelled, for findings about values that come out differently.

use super::node::Mark;

/// The spelling of the scalar at `mark` in the text it was read from, without anchor and tag. For scalars that
/// are not strings, whose spelling holds no blanks; of a string it may be a part only.
///
/// None where the mark is not in the text, or the text is UTF-16.
pub fn written_scalar(text: &[u8], mark: Mark) -> Option<&str> {
    if mark.line == 0 || matches!(text, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        return None;
    }
    let mut rest = text.get(mark.offset as usize..)?;
    while let Some(b'&' | b'!') = rest.first() {
        let property = rest.iter().position(|byte| is_space(*byte)).unwrap_or(rest.len());
        let spaces = rest[property..]
            .iter()
            .take_while(|byte| is_space(**byte))
            .count();
        rest = &rest[property + spaces..];
    }
    let end = match rest.first()? {
        quote @ (b'"' | b'\'') => rest[1..].iter().position(|byte| byte == quote)? + 2,
        _ => rest
            .iter()
            .position(|byte| is_space(*byte) || matches!(byte, b',' | b']' | b'}'))
            .unwrap_or(rest.len()),
    };
    std::str::from_utf8(&rest[..end]).ok()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::super::parse_first;
    use super::*;

    #[test]
    fn spellings_are_found_again() {
        let text =
            "\u{FEFF}é: [1.10, 0x1F]\nb: &a !!int '7' # c\nc: {d: yes}\ne:\nf: 1_000\ng: |\n  x\nh: 1e3";
        let node = parse_first(text.as_bytes()).unwrap().node;
        let written = |mark| written_scalar(text.as_bytes(), mark);
        let list = node.get("é").unwrap().items();
        assert_eq!(written(list[0].mark), Some("1.10"));
        assert_eq!(written(list[1].mark), Some("0x1F"));
        assert_eq!(written(node.get("b").unwrap().mark), Some("'7'"));
        assert_eq!(
            written(node.get("c").unwrap().get("d").unwrap().mark),
            Some("yes")
        );
        assert_eq!(written(node.get("e").unwrap().mark), Some(""));
        assert_eq!(written(node.get("f").unwrap().mark), Some("1_000"));
        assert_eq!(written(node.get("h").unwrap().mark), Some("1e3"));
        assert_eq!(written(Mark::default()), None);
    }
}
