//! The namespace of the current context of a kubeconfig, which Helm takes where no other is given. No
//! cluster is asked.

use crate::source::SourceTree;
use crate::yaml::{Node, parse_first};

/// The namespace of the first of these files that names one; files that are missing or broken name none.
pub(super) fn namespace(tree: &dyn SourceTree, paths: &[String], context: Option<&str>) -> Option<String> {
    let files: Vec<Node> = paths
        .iter()
        .filter_map(|path| Some(parse_first(&tree.read(path).ok()?).ok()?.node))
        .collect();
    let text = |node: &Node, key: &str| {
        let text = node.get(key).and_then(Node::as_str);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let current = match context {
        Some(context) => context.to_owned(),
        None => files.iter().find_map(|file| text(file, "current-context"))?,
    };
    let mut contexts = files
        .iter()
        .filter_map(|file| file.get("contexts"))
        .flat_map(Node::items);
    let found = contexts.find(|entry| text(entry, "name").as_deref() == Some(&current))?;
    text(found.get("context")?, "namespace")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemoryTree;

    #[test]
    fn the_current_context_has_the_namespace() {
        let text = "current-context: a\ncontexts:\n- {name: b, context: {namespace: beta}}\n\
                    - {name: a, context: {namespace: alpha}}\n";
        let tree = MemoryTree::new("test").file("config", text);
        let paths = ["absent".to_owned(), "config".to_owned()];
        assert_eq!(namespace(&tree, &paths, None).as_deref(), Some("alpha"));
        assert_eq!(namespace(&tree, &paths, Some("b")).as_deref(), Some("beta"));
        assert_eq!(namespace(&tree, &paths, Some("c")), None);
    }
}
