//! The cluster and Helm versions that a repository itself speaks of, in its CI and its scripts.

use super::super::kube_version;
use super::super::path;
use crate::dialect::Dialect;
use crate::source::{EntryKind, SourceTree};

/// A version and the file that names it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hint {
    /// As written.
    pub(super) version: String,
    /// Where.
    pub(super) file: String,
}

/// What a repository says of versions.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// The cluster version it is checked against.
    pub(super) kube: Option<Hint>,
    /// The Helm it is deployed with.
    pub(super) helm: Option<Hint>,
}

/// Folders that hold CI, looked into two deep.
const CI: [&str; 5] = [".github", ".gitlab", ".circleci", ".ci", "ci"];

/// What is written before a cluster version.
const BEFORE_KUBE: [&str; 6] = [
    "--kube-version",
    "kube_version",
    "kubernetes_version",
    "kubernetes-version",
    "kubeVersion",
    "kindest/node:",
];

/// What is written before a Helm version.
const BEFORE_HELM: [&str; 4] = [
    "helm_version",
    "helm-version",
    "get.helm.sh/helm-",
    "alpine/helm:",
];

/// Reads the hints.
pub(super) fn hints(tree: &dyn SourceTree) -> Hints {
    let mut hints = Hints::default();
    for file in files(tree) {
        let Ok(bytes) = tree.read(&file) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut setup_helm = false;
        for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
            if hints.kube.is_none() {
                hints.kube = after(line, &BEFORE_KUBE)
                    .filter(|version| kube_version::fault(version).is_none())
                    .map(|version| Hint {
                        version,
                        file: file.clone(),
                    });
            }
            if hints.helm.is_none() {
                let version = after(line, &BEFORE_HELM).or_else(|| {
                    if setup_helm {
                        after(line, &["version:"])
                    } else {
                        None
                    }
                });
                hints.helm = version.map(|version| Hint {
                    version,
                    file: file.clone(),
                });
            }
            // The version of the action is a few lines below its name.
            setup_helm = line.contains("setup-helm") || setup_helm && !line.contains("uses:");
        }
    }
    hints
}

/// The dialect of a Helm version: the same line, or the one of the same major version.
pub(super) fn dialect(version: &str) -> Option<Dialect> {
    let version = version.strip_prefix('v').unwrap_or(version);
    Dialect::parse(version).or_else(|| {
        let major = version.split('.').next()?;
        Dialect::ALL
            .into_iter()
            .rev()
            .find(|dialect| dialect.name().split('.').next() == Some(major))
    })
}

fn files(tree: &dyn SourceTree) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders: Vec<(String, usize)> = vec![(String::new(), 2)];
    folders.extend(CI.iter().map(|folder| ((*folder).to_owned(), 0)));
    while let Some((folder, depth)) = folders.pop() {
        for (name, kind) in tree.list(&folder).unwrap_or_default() {
            let below = path::join(&folder, &name);
            match kind {
                EntryKind::File { .. } if is_script(&name) => files.push(below),
                EntryKind::Directory if depth < 2 => folders.push((below, depth + 1)),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

fn is_script(name: &str) -> bool {
    name.ends_with(".yaml")
        || name.ends_with(".yml")
        || name.ends_with(".sh")
        || name.ends_with(".env")
        || matches!(
            name,
            "Makefile" | "makefile" | "Jenkinsfile" | ".tool-versions" | "Taskfile" | "justfile"
        )
        || name.to_lowercase().contains("kubernetes_version")
}

/// The full version `[v]1.2.3` that follows one of these words, with nothing but punctuation between.
fn after(line: &str, words: &[&str]) -> Option<String> {
    let lower = line.to_lowercase();
    for word in words {
        let Some(at) = lower.find(&word.to_lowercase()) else {
            continue;
        };
        let rest = line.get(at + word.len()..)?;
        let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ":=\"'?[-".contains(c));
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '.')
            .unwrap_or(rest.len());
        let version = rest[..end].trim_end_matches('.');
        let digits = version.strip_prefix('v').unwrap_or(version);
        let parts: Vec<&str> = digits.split('.').collect();
        let numeric = parts
            .iter()
            .all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()));
        if numeric && (2..=3).contains(&parts.len()) {
            return Some(version.to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemoryTree;

    #[test]
    fn versions_are_read_where_they_stand() {
        let line = |text: &str| after(text, &BEFORE_KUBE);
        assert_eq!(
            line("helm template --kube-version v1.30.2 x").as_deref(),
            Some("v1.30.2")
        );
        assert_eq!(line("KUBERNETES_VERSION=1.30.2").as_deref(), Some("1.30.2"));
        assert_eq!(
            line("image: kindest/node:v1.31.0@sha256:00").as_deref(),
            Some("v1.31.0")
        );
        assert_eq!(line("kubeVersion: '>=1.22.0'"), None);
        assert_eq!(line("kube_version: ${{ matrix.v }}"), None);
    }

    #[test]
    fn ci_is_read_but_charts_are_not() {
        let tree = MemoryTree::new("test")
            .file(
                ".github/workflows/test.yaml",
                "- uses: azure/setup-helm@v4\n  with:\n    version: v3.19.0\n",
            )
            .file(
                "kubernetes_version",
                "# comment 1.2.3\nKUBERNETES_VERSION=1.30.2\n",
            )
            .file("charts/a/Chart.yaml", "kubeVersion: 1.20.0\n");
        let hints = hints(&tree);
        assert_eq!(hints.helm.unwrap().version, "v3.19.0");
        assert_eq!(hints.kube.unwrap().file, "kubernetes_version");
    }

    #[test]
    fn a_helm_that_is_not_imitated_has_a_nearest() {
        assert_eq!(dialect("v3.14.4"), Some(Dialect::V3_19));
        assert_eq!(dialect("4.3.0"), Some(Dialect::V4_3));
        assert_eq!(dialect("2.17.0"), None);
    }
}
