//! Go's `filepath.Match`: `*` and `?` never cross a `/`, `[a-c]` and `[^x]`, `\` escapes.

/// A malformed pattern (`filepath.ErrBadPattern`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadPattern;

impl BadPattern {
    /// Go's text for it.
    pub const TEXT: &'static str = "syntax error in pattern";
}

/// True when the whole name matches the pattern.
///
/// # Errors
/// When the pattern is malformed and Go would notice: it looks only as far as it must.
pub fn matches(pattern: &str, name: &str) -> Result<bool, BadPattern> {
    let mut pattern: Vec<char> = pattern.chars().collect();
    let mut name: Vec<char> = name.chars().collect();
    'pattern: while !pattern.is_empty() {
        let (star, chunk, rest) = scan_chunk(&pattern);
        if star && chunk.is_empty() {
            return Ok(!name.contains(&'/'));
        }
        if let Some(left) = match_chunk(&chunk, &name)?
            && (left.is_empty() || !rest.is_empty())
        {
            name = left;
            pattern = rest;
            continue;
        }
        if star {
            for skipped in 0..name.len() {
                if name[skipped] == '/' {
                    break;
                }
                if let Some(left) = match_chunk(&chunk, &name[skipped + 1..])? {
                    if rest.is_empty() && !left.is_empty() {
                        continue;
                    }
                    name = left;
                    pattern = rest;
                    continue 'pattern;
                }
            }
        }
        // Go checks the rest of the pattern before it says no.
        let mut rest = rest;
        while !rest.is_empty() {
            let (_, chunk, further) = scan_chunk(&rest);
            match_chunk(&chunk, &[])?;
            rest = further;
        }
        return Ok(false);
    }
    Ok(name.is_empty())
}

/// The leading stars, the literal chunk behind them, and what follows.
fn scan_chunk(pattern: &[char]) -> (bool, Vec<char>, Vec<char>) {
    let stars = pattern.iter().take_while(|&&c| c == '*').count();
    let body = &pattern[stars..];
    let mut in_range = false;
    let mut at = 0;
    while at < body.len() {
        match body[at] {
            '\\' => at += 1,
            '[' => in_range = true,
            ']' => in_range = false,
            '*' if !in_range => break,
            _ => {}
        }
        at += 1;
    }
    let at = at.min(body.len());
    (stars > 0, body[..at].to_vec(), body[at..].to_vec())
}

/// What is left of the name after the chunk; `None` when it does not match. A mismatch still scans the rest
/// of the chunk for errors.
fn match_chunk(chunk: &[char], name: &[char]) -> Result<Option<Vec<char>>, BadPattern> {
    let (mut chunk, mut name) = (chunk, name);
    let mut failed = false;
    while let Some(&c) = chunk.first() {
        failed = failed || name.is_empty();
        match c {
            '[' => {
                let found = if failed { '\0' } else { name[0] };
                if !failed {
                    name = &name[1..];
                }
                let (matched, rest) = match_class(&chunk[1..], found)?;
                failed = failed || !matched;
                chunk = rest;
            }
            '?' => {
                if !failed {
                    failed = name[0] == '/';
                    name = &name[1..];
                }
                chunk = &chunk[1..];
            }
            _ => {
                if c == '\\' {
                    chunk = &chunk[1..];
                }
                let Some(&literal) = chunk.first() else {
                    return Err(BadPattern);
                };
                if !failed {
                    failed = literal != name[0];
                    name = &name[1..];
                }
                chunk = &chunk[1..];
            }
        }
    }
    Ok((!failed).then(|| name.to_vec()))
}

fn match_class(chunk: &[char], found: char) -> Result<(bool, &[char]), BadPattern> {
    let negated = chunk.first() == Some(&'^');
    let mut chunk = if negated { &chunk[1..] } else { chunk };
    let mut matched = false;
    let mut ranges = 0;
    loop {
        if chunk.first() == Some(&']') && ranges > 0 {
            return Ok((matched != negated, &chunk[1..]));
        }
        let (low, rest) = class_char(chunk)?;
        let (high, rest) = match rest.first() {
            Some('-') => class_char(&rest[1..])?,
            _ => (low, rest),
        };
        matched = matched || (low <= found && found <= high);
        ranges += 1;
        chunk = rest;
    }
}

fn class_char(chunk: &[char]) -> Result<(char, &[char]), BadPattern> {
    let chunk = match chunk {
        [] | ['-' | ']', ..] => return Err(BadPattern),
        ['\\', rest @ ..] => rest,
        _ => chunk,
    };
    match chunk {
        [c, rest @ ..] if !rest.is_empty() => Ok((*c, rest)),
        _ => Err(BadPattern),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Cases of Go's own `path/filepath/match_test.go`.
    #[test]
    fn agrees_with_go() {
        for (pattern, name, expected) in [
            ("abc", "abc", Ok(true)),
            ("*", "abc", Ok(true)),
            ("*c", "abc", Ok(true)),
            ("a*", "ab/c", Ok(false)),
            ("a*/b", "abc/b", Ok(true)),
            ("a*/b", "a/c/b", Ok(false)),
            ("a*b*c*d*e*/f", "axbxcxdxexxx/f", Ok(true)),
            ("a*b?c*x", "abxbbxdbxebxczzx", Ok(true)),
            ("ab[c]", "abc", Ok(true)),
            ("ab[e-g]", "abc", Ok(false)),
            ("ab[^e-g]", "abc", Ok(true)),
            ("a\\*b", "a*b", Ok(true)),
            ("[-]", "-", Err(BadPattern)),
            ("[x-]", "x", Err(BadPattern)),
            ("[a-b-c]", "a", Err(BadPattern)),
            ("[", "a", Err(BadPattern)),
            ("[^", "a", Err(BadPattern)),
            ("a[", "ab", Err(BadPattern)),
            ("*x", "xxx", Ok(true)),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(pattern in "[a*?\\[\\]^\\\\/-]{0,12}", name in "[a/-]{0,8}") {
            let _ = matches(&pattern, &name);
        }

        #[test]
        fn a_plain_text_matches_itself(name in "[a-z/.]{0,20}") {
            prop_assert_eq!(matches(&name, &name), Ok(true));
        }
    }
}
