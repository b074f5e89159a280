//! All paths of a tree that match a pattern, reading only directories that can hold one.

use super::{Captures, Glob, Step, is_hidden, match_tokens};
use crate::source::tree::{EntryKind, SourceError, SourceTree};
use std::collections::BTreeSet;

/// What a search gave.
#[derive(Debug, Default)]
pub struct Search {
    /// Matching files, directories and links, sorted by path.
    pub matches: Vec<(String, Captures)>,
    /// Places that a wildcard led to but that could not be looked into: submodules, links out of the tree.
    pub skipped: Vec<SourceError>,
}

/// Every path of the tree that matches, sorted, with what the names stand for. A link to a directory is walked
/// into, except by `**`.
///
/// # Errors
/// When a directory that may hold a match cannot be read.
pub fn find(tree: &dyn SourceTree, glob: &Glob) -> Result<Vec<(String, Captures)>, SourceError> {
    search(tree, glob).map(|search| search.matches)
}

/// As `find`, and tells what could not be looked into.
///
/// # Errors
/// As `find`.
pub fn search(tree: &dyn SourceTree, glob: &Glob) -> Result<Search, SourceError> {
    let mut walk = Walk {
        tree,
        paths: BTreeSet::new(),
        skipped: Vec::new(),
    };
    for pattern in &glob.patterns {
        walk.step("", pattern)?;
    }
    walk.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    walk.skipped.dedup();
    let matches = walk
        .paths
        .into_iter()
        .filter_map(|path| glob.matches(&path).map(|captures| (path, captures)))
        .collect();
    Ok(Search {
        matches,
        skipped: walk.skipped,
    })
}

struct Walk<'t> {
    tree: &'t dyn SourceTree,
    paths: BTreeSet<String>,
    skipped: Vec<SourceError>,
}

impl Walk<'_> {
    /// Goes on below a directory with what is left of a pattern.
    fn step(&mut self, directory: &str, pattern: &[Step]) -> Result<(), SourceError> {
        let Some((first, rest)) = pattern.split_first() else {
            return Ok(());
        };
        match first {
            Step::Literal(name) => {
                let path = join(directory, name);
                match self.tree.entry(&path)? {
                    None => Ok(()),
                    Some(_) if rest.is_empty() => {
                        self.paths.insert(path);
                        Ok(())
                    }
                    Some(kind) if self.is_directory(&path, &kind)? => self.step(&path, rest),
                    Some(_) => Ok(()),
                }
            }
            Step::Match(tokens) => {
                for (name, kind) in self.tree.list(directory)? {
                    if !match_tokens(tokens, &name, &mut Captures::new(), &mut |_| true) {
                        continue;
                    }
                    let path = join(directory, &name);
                    if rest.is_empty() {
                        self.paths.insert(path);
                        continue;
                    }
                    match self.is_directory(&path, &kind) {
                        Ok(true) => self.step(&path, rest)?,
                        Ok(false) => {}
                        Err(error) => self.skipped.push(SourceError { path, ..error }),
                    }
                }
                Ok(())
            }
            Step::Any => {
                self.step(directory, rest)?;
                for (name, kind) in self.tree.list(directory)? {
                    if is_hidden(&name) {
                        continue;
                    }
                    let path = join(directory, &name);
                    match kind {
                        EntryKind::Directory => self.step(&path, pattern)?,
                        EntryKind::Submodule => self.skipped.extend(self.tree.list(&path).err()),
                        _ => {}
                    }
                    if rest.is_empty() {
                        self.paths.insert(path);
                    }
                }
                Ok(())
            }
        }
    }

    /// True for a directory and a link to one.
    fn is_directory(&self, path: &str, kind: &EntryKind) -> Result<bool, SourceError> {
        match kind {
            EntryKind::Directory => Ok(true),
            EntryKind::File { .. } => Ok(false),
            // one more step makes the tree follow the link
            EntryKind::Symlink(_) => Ok(self.tree.entry(&join(path, "."))? == Some(EntryKind::Directory)),
            EntryKind::Submodule => self.tree.list(path).map(|_| true),
        }
    }
}

fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() {
        name.to_string()
    } else {
        format!("{directory}/{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemoryTree;

    fn found(tree: &MemoryTree, pattern: &str) -> Vec<String> {
        let glob = Glob::parse(pattern).unwrap();
        find(tree, &glob)
            .unwrap()
            .into_iter()
            .map(|(path, _)| path)
            .collect()
    }

    fn tree() -> MemoryTree {
        MemoryTree::new("test")
            .file("web/chart/Chart.yaml", "")
            .file("web/values-amd.yaml", "")
            .file("db/chart/Chart.yaml", "")
            .file("db/chart/charts/sub/Chart.yaml", "")
            .file(".ci/chart/Chart.yaml", "")
            .file("notes/chart", "a file")
            .link("alias", "web")
            .link("readme", "notes/chart")
            .link("broken", "nowhere")
            .link("away", "../elsewhere")
            .submodule("vendor")
    }

    #[test]
    fn files_directories_and_links_to_directories_are_found() {
        let tree = tree();
        assert_eq!(
            found(&tree, "{module}/chart"),
            ["alias/chart", "db/chart", "notes/chart", "web/chart"]
        );
        assert_eq!(
            found(&tree, "{web,db}/chart/Chart.yaml"),
            ["db/chart/Chart.yaml", "web/chart/Chart.yaml"]
        );
        assert_eq!(found(&tree, "web/values-{p}.yaml"), ["web/values-amd.yaml"]);
        assert_eq!(found(&tree, "nothing/*"), Vec::<String>::new());
        assert_eq!(found(&tree, "notes/chart/*"), Vec::<String>::new());
    }

    #[test]
    fn double_stars_do_not_walk_through_links() {
        let tree = tree();
        assert_eq!(
            found(&tree, "**/Chart.yaml"),
            [
                "db/chart/Chart.yaml",
                "db/chart/charts/sub/Chart.yaml",
                "web/chart/Chart.yaml"
            ]
        );
        assert_eq!(
            found(&tree, "web/**"),
            ["web/chart", "web/chart/Chart.yaml", "web/values-amd.yaml"]
        );
    }

    #[test]
    fn what_cannot_be_looked_into_is_told() {
        let tree = tree();
        let skipped = search(&tree, &Glob::parse("*/chart").unwrap()).unwrap().skipped;
        let paths: Vec<&str> = skipped.iter().map(|error| error.path.as_str()).collect();
        assert_eq!(paths, ["away", "broken", "vendor"]);
        let named = find(&tree, &Glob::parse("vendor/chart").unwrap());
        assert!(named.unwrap_err().message.contains("submodule"));
    }
}
