//! Paths of the configuration are relative to the folder of its file; paths of a tree are relative to the
//! tree's root. This is the step between the two.

/// The folder a path of a tree stands in.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// The key and the path of a `--set-file` expression of one file; `None` for anything else.
pub(super) fn split_set_file(expression: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    let at = expression.find(|c: char| {
        let hit = c == '=' && !escaped;
        escaped = c == '\\' && !escaped;
        hit
    })?;
    let (key, path) = (&expression[..at], &expression[at + 1..]);
    let plain = !key.is_empty() && !path.is_empty() && !path.contains([',', '\\', '{', '}']);
    plain.then_some((key, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_file_expression_names_one_file() {
        assert_eq!(split_set_file("a.b=x/y.txt"), Some(("a.b", "x/y.txt")));
        assert_eq!(split_set_file(r"a\=b=x"), Some((r"a\=b", "x")));
        assert_eq!(split_set_file("a=x,b=y"), None);
        assert_eq!(split_set_file("a"), None);
        assert_eq!(split_set_file("a="), None);
    }
}
