//! A job as helm's command line.

use crate::base::Place;
use crate::engine::contract::{RenderJob, SetKind};
use std::ffi::OsString;

/// The arguments of `helm template` for a job whose values files, inline maps among them, are `values`.
pub(super) fn template(job: &RenderJob, values: &[(String, Place)]) -> Vec<OsString> {
    let mut arguments = vec!["template".to_string()];
    if !job.namespace.is_empty() {
        arguments.push(format!("--namespace={}", job.namespace));
    }
    arguments.extend(
        values
            .iter()
            .map(|(path, _)| format!("--values={}", list_item(&local(path)))),
    );
    for kind in SetKind::ALL {
        let of_kind = job.set.iter().filter(|set| set.kind == kind);
        arguments.extend(of_kind.map(|set| format!("{}={}", kind.flag(), set.expression)));
    }
    if let Some(version) = &job.kube_version {
        arguments.push(format!("--kube-version={version}"));
    }
    let versions = job.api_versions.iter();
    arguments.extend(versions.map(|version| format!("--api-versions={}", list_item(version))));
    let switches = [
        (job.include_crds, "--include-crds"),
        (job.is_upgrade, "--is-upgrade"),
        (job.no_hooks, "--no-hooks"),
        (job.skip_tests, "--skip-tests"),
        (job.skip_schema_validation, "--skip-schema-validation"),
    ];
    let switched_on = switches.iter().filter(|(on, _)| *on);
    arguments.extend(switched_on.map(|(_, flag)| flag.to_string()));
    arguments.extend(["--".to_string(), job.release.clone(), local(&job.chart)]);
    arguments.into_iter().map(OsString::from).collect()
}

/// A path that helm takes for a file in any case: not for an option, standard input, an address or a repository.
fn local(path: &str) -> String {
    match path {
        "" => ".".to_string(),
        _ if path.starts_with('-') || path.contains(':') => format!("./{path}"),
        _ => path.to_string(),
    }
}

/// Some flags of helm read a comma separated list (pflag's `StringSlice`), quoted as CSV.
fn list_item(item: &str) -> String {
    if item.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", item.replace('"', "\"\""))
    } else {
        item.to_string()
    }
}

/// The files that a `--set-file` expression reads (`pkg/strvals/parser.go`: runes up to an unescaped `,`, or a
/// list in braces).
pub(super) fn set_files(expression: &str) -> Vec<String> {
    let mut files = Vec::new();
    let mut chars = expression.chars().peekable();
    loop {
        // the key
        loop {
            match chars.next() {
                None => return files,
                Some('\\') => {
                    chars.next();
                }
                Some('=') => break,
                Some(_) => {}
            }
        }
        let in_braces = chars.next_if_eq(&'{').is_some();
        let mut path = String::new();
        loop {
            match chars.next() {
                Some('\\') => path.extend(chars.next()),
                Some('}') if in_braces => {
                    chars.next_if_eq(&',');
                    break;
                }
                Some(',') if in_braces => files.push(std::mem::take(&mut path)),
                Some(',') | None => break,
                Some(c) => path.push(c),
            }
        }
        files.push(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_an_expression() {
        let cases: [(&str, &[&str]); 7] = [
            ("a=x.txt", &["x.txt"]),
            ("a.b[0]=x/y.txt,c=z", &["x/y.txt", "z"]),
            ("a={x,y},b=z", &["x", "y", "z"]),
            (r"a\=b=x\,y", &["x,y"]),
            ("a=b=c", &["b=c"]),
            ("a", &[]),
            ("a={x", &["x"]),
        ];
        for (expression, expected) in cases {
            assert_eq!(set_files(expression), expected, "{expression}");
        }
    }
}
