//! How alike two documents are, whatever they are called.
//!
//! A document is taken apart into its leaves, each with its path; long texts into their lines. The score is
//! the share of leaves that both have. What every document of a release has (its own name, the common
//! labels) does not count, or everything would look like everything else.

use crate::manifest::Document;
use crate::manifest::scalar;
use crate::yaml::{Node, NodeKind};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Fewer leaves than this tell nothing: any two ServiceAccounts of a release are the same but for the name.
const TELLING: usize = 3;

/// The leaves of a document as sorted hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    pub leaves: Vec<u64>,
    pub name: String,
}

impl Fingerprint {
    /// `None` when the document cannot be parsed.
    pub fn of(document: &Document) -> Option<Fingerprint> {
        let mut taker = Taker {
            name: &document.id().name,
            leaves: Vec::new(),
        };
        for entry in document.body().ok()?.node.entries() {
            if !matches!(&*entry.key, "apiVersion" | "kind") {
                taker.take(&entry.value, &[&entry.key]);
            }
        }
        taker.leaves.sort_unstable();
        Some(Fingerprint {
            leaves: taker.leaves,
            name: document.id().name.to_string(),
        })
    }

    /// The share of leaves that both have, from 0 to 1.
    pub fn score(&self, other: &Fingerprint) -> f64 {
        let total = self.leaves.len() + other.leaves.len();
        if total == 0 {
            return 1.0;
        }
        let (mut i, mut j, mut common) = (0, 0, 0usize);
        while let (Some(a), Some(b)) = (self.leaves.get(i), other.leaves.get(j)) {
            common += usize::from(a == b);
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
        ratio(2 * common, total)
    }

    /// True when the leaves are enough to tell the document from others.
    pub fn is_telling(&self) -> bool {
        self.leaves.len() >= TELLING
    }

    /// How much of the longer name both names share at their ends, from 0 to 1.
    pub fn name_score(&self, other: &Fingerprint) -> f64 {
        let (a, b) = (self.name.as_bytes(), other.name.as_bytes());
        let longest = a.len().max(b.len());
        if longest == 0 {
            return 1.0;
        }
        let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let left = a.len().min(b.len()) - head;
        let tail = a
            .iter()
            .rev()
            .zip(b.iter().rev())
            .take(left)
            .take_while(|(a, b)| a == b)
            .count();
        ratio(head + tail, longest)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of leaves are far below 2^52")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

struct Taker<'a> {
    name: &'a str,
    leaves: Vec<u64>,
}

impl<'a> Taker<'a> {
    fn take(&mut self, node: &Node, path: &[&str]) {
        match &node.kind {
            NodeKind::Map(entries) => {
                for entry in entries.iter() {
                    if is_common(path, &entry.key) {
                        continue;
                    }
                    let mut below = path.to_vec();
                    below.push(&entry.key);
                    self.take(&entry.value, &below);
                }
            }
            NodeKind::List(items) => {
                for item in items.iter() {
                    self.take(item, path);
                }
            }
            NodeKind::Str(text) => {
                for line in text.lines() {
                    self.leaf(path, line);
                }
            }
            NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number(_) => {
                self.leaf(path, &scalar::text(node).unwrap_or_default());
            }
        }
    }

    fn leaf(&mut self, path: &[&str], line: &str) {
        let mut hasher = FxHasher::default();
        path.hash(&mut hasher);
        if !self.name.is_empty() && line.contains(self.name) {
            line.replace(self.name, "\0").hash(&mut hasher);
        } else {
            line.hash(&mut hasher);
        }
        self.leaves.push(hasher.finish());
    }
}

/// True for what tells nothing about a document within its release.
fn is_common(path: &[&str], key: &str) -> bool {
    match path {
        ["metadata"] => matches!(key, "creationTimestamp" | "generateName" | "name" | "namespace"),
        [.., "labels" | "matchLabels" | "selector"] => {
            key.starts_with("app.kubernetes.io/")
                || matches!(
                    key,
                    "app" | "chart" | "helm.sh/chart" | "heritage" | "instance" | "release"
                )
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Manifest;

    fn fingerprint(name: &str, data: &str) -> Fingerprint {
        let text = format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  labels: {{app.kubernetes.io/name: x}}\ndata:\n{data}"
        );
        let manifest = Manifest::read(text.as_bytes(), "apps");
        Fingerprint::of(&manifest.documents[0]).expect("parses")
    }

    #[test]
    fn the_own_name_does_not_count() {
        let a = fingerprint("web", "  url: http://web:80\n  b: |\n    x\n    y\n");
        let b = fingerprint("site", "  url: http://site:80\n  b: |\n    x\n    y\n");
        assert_eq!(a.leaves, b.leaves);
        assert!(a.is_telling());
        assert!((a.score(&b) - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn scores_are_shares_of_leaves() {
        let a = fingerprint("a", "  k: |\n    1\n    2\n    3\n    4\n");
        let b = fingerprint("b", "  k: |\n    1\n    2\n    3\n    x\n");
        assert!((a.score(&b) - 0.75).abs() < 1e-9);
        assert!(
            (fingerprint("web-abc", "").name_score(&fingerprint("web-xyz", "")) - 4.0 / 7.0).abs() < 1e-9
        );
        assert!((fingerprint("aa", "").name_score(&fingerprint("aaa", "")) - 2.0 / 3.0).abs() < 1e-9);
    }
}
