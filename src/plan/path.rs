//! Paths of the configuration are relative to the folder of its file; paths of a tree are relative to the
//! tree's root. This is the step between the two.

/// The path in the tree that `path` names from `directory`.
///
/// # Errors
/// When the path is absolute or leaves the tree.
pub(super) fn resolve(directory: &str, path: &str) -> Result<String, &'static str> {
    if path.starts_with('/') {
        return Err("is absolute: paths are relative to the folder of the configuration file");
    }
    let mut steps: Vec<&str> = directory.split('/').filter(|step| !step.is_empty()).collect();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop().ok_or("leaves the repository")?;
            }
            step => steps.push(step),
        }
    }
    Ok(steps.join("/"))
}

/// The folder a path of a tree stands in.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// A name in a folder of a tree.
pub(super) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() {
        name.to_owned()
    } else {
        format!("{directory}/{name}")
    }
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
    fn walks_from_the_folder_of_the_file() {
        assert_eq!(resolve("", "a/b.yaml").unwrap(), "a/b.yaml");
        assert_eq!(resolve("deploy", "./a//b/").unwrap(), "deploy/a/b");
        assert_eq!(resolve("deploy/x", "../../a").unwrap(), "a");
        assert_eq!(resolve("", ".").unwrap(), "");
        assert!(resolve("deploy", "../../a").is_err());
        assert!(resolve("", "/etc/passwd").is_err());
    }

    #[test]
    fn a_set_file_expression_names_one_file() {
        assert_eq!(split_set_file("a.b=x/y.txt"), Some(("a.b", "x/y.txt")));
        assert_eq!(split_set_file(r"a\=b=x"), Some((r"a\=b", "x")));
        assert_eq!(split_set_file("a=x,b=y"), None);
        assert_eq!(split_set_file("a"), None);
        assert_eq!(split_set_file("a="), None);
    }
}
