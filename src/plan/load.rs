//! From the bytes of `evenkeel.yaml` to `Config`.

use super::config::{Config, FILE_NAME};
use super::matrix::Plan;
use super::{path, read};
use crate::base::{Place, Problem, Side};
use crate::source::SourceTree;
use crate::yaml::{self, Mark, Node, NodeKind, OddityKind};
use std::sync::Arc;

/// Reads the configuration at a path of a tree. Its own paths are relative to the folder it stands in.
///
/// # Errors
/// Every problem of the file; when there are any, also what the tree lacks of the rest of it.
pub fn load(tree: &dyn SourceTree, path: &str) -> Result<Config, Vec<Problem>> {
    let bytes = tree.read(path).map_err(|error| {
        vec![if error.missing {
            no_configuration(tree, path)
        } else {
            Problem::at(Place::file(path), error.message)
        }]
    })?;
    let (config, mut problems) = parse(&bytes, path, path::parent(path));
    if problems.is_empty() {
        return Ok(config);
    }
    // The candidate's tree, and the layout the file describes for it: what stands in the file's own tree.
    problems.extend(Plan::of(&config, Side::Candidate, tree).problems);
    problems.sort();
    Err(problems)
}

fn no_configuration(tree: &dyn SourceTree, path: &str) -> Problem {
    let problem = Problem::new(format!("there is no {path} in the {}", tree.label()));
    let other = path.replace(".yaml", ".yml");
    if other != path && matches!(tree.entry(&other), Ok(Some(_))) {
        return problem.remedy(format!("name yours with --config {other}"));
    }
    problem.remedy(format!(
        "`evenkeel init` writes a first {FILE_NAME}; --config FILE names another"
    ))
}

/// Reads a configuration from its bytes. `file` is what messages call it, and `directory` the folder of the
/// tree its paths are relative to. Every problem is told; the configuration lacks what they are about, and is
/// to be used only when there are none.
pub fn parse(bytes: &[u8], file: &str, directory: &str) -> (Config, Vec<Problem>) {
    let file: Arc<str> = file.into();
    let directory: Arc<str> = directory.into();
    let Ok(text) = std::str::from_utf8(bytes) else {
        let (config, _) = read::config(&Node::new(NodeKind::Null), "", &file, &directory);
        return (
            config,
            vec![Problem::at(Place::file(file), "the file is not UTF-8 text")],
        );
    };
    let stream = yaml::parse_stream(bytes);
    let place = |mark: Mark| Place::new(file.clone(), mark.line, mark.column);
    let mut problems = Vec::new();
    let mut documents = stream.documents.iter().filter(|document| !document.missing);
    let empty = Node::new(NodeKind::Null);
    let root = match documents.next() {
        Some(document) => {
            for oddity in &document.oddities {
                if let OddityKind::DuplicateKey { key, first } = &oddity.kind {
                    problems.push(
                        Problem::at(place(oddity.mark), format!("key `{key}` stands twice in one map"))
                            .remedy(format!("the first is in line {}: remove one of them", first.line)),
                    );
                }
            }
            &document.node
        }
        None => &empty,
    };
    if let Some(second) = documents.next() {
        problems.push(
            Problem::at(place(second.node.mark), "a second YAML document")
                .remedy("remove the `---` line: one file holds one configuration"),
        );
    }
    if let Some(error) = &stream.error {
        let text = error.to_string();
        let text = text.strip_prefix("yaml: ").unwrap_or(&text);
        let text = match text.strip_prefix("line ").and_then(|rest| rest.split_once(": ")) {
            Some((_, text)) => text,
            None => text,
        };
        let place = error.mark().map_or_else(|| Place::file(file.clone()), place);
        problems.push(Problem::at(place, format!("not readable as YAML: {text}")));
    }
    let broken = stream.error.is_some() && root.is_null();
    let (config, found) = read::config(root, text, &file, &directory);
    if !broken {
        problems.extend(found);
    }
    problems.sort();
    problems.dedup();
    (config, problems)
}
