//! Line ends as `git add` would store them. A checkout with `core.autocrlf=true`, or with `eol=crlf` in
//! .gitattributes, holds CRLF where git holds LF; such a file is not changed, so it is read as git would store
//! it. A file whose CRLF git keeps is read as it is. The rules are those of git's `convert.c`.

use git2::{AttrCheckFlags, AttrValue, Error, Repository};
use memchr::memmem;
use std::path::Path;

/// What git does to the line ends of one path when it stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Nothing.
    Keep,
    /// The path is known to be text: CRLF becomes LF.
    Text,
    /// The content is looked at first.
    Guess,
}

/// The content as git would store it; `stored` gives the content the index holds for the path.
pub(super) fn as_stored(
    repository: &Repository,
    path: &str,
    content: Vec<u8>,
    stored: impl FnOnce() -> Option<Vec<u8>>,
) -> Result<Vec<u8>, Error> {
    if memmem::find(&content, b"\r\n").is_none() {
        return Ok(content);
    }
    let convert = match rule(repository, path)? {
        Rule::Keep => false,
        Rule::Text => true,
        Rule::Guess => {
            // git leaves a file alone that was stored with CRLF before (`has_crlf_in_index`)
            !is_binary(&content)
                && stored()
                    .is_none_or(|stored| memmem::find(&stored, b"\r\n").is_none() || is_binary(&stored))
        }
    };
    Ok(if convert { to_lf(&content) } else { content })
}

/// `git_path_check_crlf` and `convert_attrs` of git's `convert.c`.
fn rule(repository: &Repository, path: &str) -> Result<Rule, Error> {
    let place = Path::new(path);
    let get = |name: &str| repository.get_attr(place, name, AttrCheckFlags::FILE_THEN_INDEX);
    let (text, crlf, eol) = (get("text")?, get("crlf")?, get("eol")?);
    let explicit = match AttrValue::from_string(text) {
        AttrValue::Unspecified => AttrValue::from_string(crlf),
        value => value,
    };
    let rule = match explicit {
        AttrValue::True => Rule::Text,
        AttrValue::False => return Ok(Rule::Keep),
        AttrValue::String("input") => Rule::Text,
        AttrValue::String("auto") => Rule::Guess,
        _ if matches!(AttrValue::from_string(eol), AttrValue::String("lf" | "crlf")) => Rule::Text,
        _ => {
            let setting = repository.config()?.get_string("core.autocrlf");
            match setting.unwrap_or_default().to_ascii_lowercase().as_str() {
                "" | "false" | "no" | "off" | "0" => Rule::Keep,
                _ => Rule::Guess,
            }
        }
    };
    Ok(rule)
}

/// `gather_stats` and `convert_is_binary` of git's `convert.c`.
fn is_binary(content: &[u8]) -> bool {
    let (mut printable, mut nonprintable) = (0usize, 0usize);
    let mut bytes = content.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\r' if bytes.peek() == Some(&b'\n') => {
                bytes.next();
            }
            b'\r' | 0 => return true,
            b'\n' => {}
            8 | b'\t' | 27 | 12 => printable += 1,
            127 | 0..32 => nonprintable += 1,
            _ => printable += 1,
        }
    }
    if content.last() == Some(&26) {
        nonprintable -= 1;
    }
    (printable >> 7) < nonprintable
}

fn to_lf(content: &[u8]) -> Vec<u8> {
    let mut converted = Vec::with_capacity(content.len());
    for (position, &byte) in content.iter().enumerate() {
        if byte != b'\r' || content.get(position + 1) != Some(&b'\n') {
            converted.push(byte);
        }
    }
    converted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_is_told_as_git_tells_it() {
        assert!(!is_binary(b"a: 1\r\nb: 2\r\n"));
        assert!(is_binary(b"a\rb"));
        assert!(is_binary(b"a\0b"));
        assert!(is_binary(b"\x01\x02"));
        assert!(!is_binary(b"text\x1a"));
    }

    #[test]
    fn only_the_pair_is_replaced() {
        assert_eq!(to_lf(b"a\r\nb\rc\r"), b"a\nb\rc\r");
    }
}
