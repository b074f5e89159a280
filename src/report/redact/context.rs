//! Where in a document a value stands, as far as that decides whether it is a secret.

use super::names;
use crate::base::keypath::{KeyPath, Step};
use crate::yaml::{Node, NodeKind};

/// kubectl keeps a copy of the whole object here.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// What the way to a value says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Context<'a> {
    /// Nothing: the value is judged by what it says.
    Open,
    /// The root of a Secret.
    SecretRoot,
    /// Everything below is secret.
    Secret,
    /// The value of an environment variable or of a ConfigMap entry that can become one.
    Variable(&'a str),
    /// A scalar under a key of this name.
    Key(&'a str),
}

impl<'a> Context<'a> {
    /// What the mapping `node` says about its entries; asked once per mapping.
    pub(super) fn inside(&self, node: &'a Node) -> Inside<'a> {
        Inside {
            outer: self.clone(),
            is_secret: node.get("kind").and_then(Node::as_str) == Some("Secret"),
            name: node.get("name").and_then(Node::as_str),
        }
    }

    /// The context below a key when only the key is known.
    fn key(&self, key: &'a str) -> Context<'a> {
        match self {
            Context::Secret => Context::Secret,
            Context::SecretRoot if is_payload(key) => Context::Secret,
            _ if key == LAST_APPLIED => Context::Secret,
            _ if is_variable_name(key) => Context::Variable(key),
            _ => Context::Key(key),
        }
    }

    /// The context of an element of the list `node`: what the list's key says holds for its scalars, and a flag
    /// that names a secret is followed by it.
    pub(super) fn element(&self, node: &'a Node, index: usize) -> Context<'a> {
        let flag = index
            .checked_sub(1)
            .and_then(|before| node.items().get(before))
            .and_then(Node::as_str)
            .and_then(|text| text.strip_prefix('-'))
            .filter(|flag| !flag.contains(['=', ' ']));
        match (self, flag) {
            (Context::Secret, _) => Context::Secret,
            (_, Some(flag)) if names::is_secret_key(flag) => Context::Key(flag),
            (Context::SecretRoot, _) => Context::Open,
            _ => self.clone(),
        }
    }

    /// True when a scalar here is secret as a whole.
    pub(super) fn hides(&self, value: &str, is_string: bool) -> bool {
        match self {
            Context::Open | Context::SecretRoot => false,
            Context::Secret => !value.is_empty(),
            Context::Variable(name) => names::is_secret_variable(name) && !names::is_harmless(name, value),
            // Outside of text, only strings are secrets: `tokenReplicas: 3` is a count.
            Context::Key(name) => is_string && names::is_secret_key(name) && !names::is_harmless(name, value),
        }
    }
}

/// A mapping, as far as it decides about its entries.
pub(super) struct Inside<'a> {
    outer: Context<'a>,
    is_secret: bool,
    name: Option<&'a str>,
}

impl<'a> Inside<'a> {
    /// The context of an entry.
    pub(super) fn entry(&self, key: &'a str) -> Context<'a> {
        match (&self.outer, self.name) {
            (Context::Secret, _) => Context::Secret,
            _ if self.is_secret && is_payload(key) => Context::Secret,
            (_, Some(name)) if key == "value" => Context::Variable(name),
            (outer, _) => outer.key(key),
        }
    }
}

/// The context at the end of a path in a document. Where the document is not at hand, the path alone decides.
pub(super) fn of<'a>(kind: &str, root: Option<&'a Node>, path: &'a KeyPath) -> Context<'a> {
    let mut context = if kind == "Secret" {
        Context::SecretRoot
    } else {
        Context::Open
    };
    let mut node = root;
    let mut named: Option<&'a str> = None;
    for step in &path.0 {
        let outer = node;
        match step {
            Step::Key(key) => {
                context = match (outer.filter(|outer| outer.is_map()), named) {
                    (Some(outer), _) if outer.get(key).is_some() => {
                        let by_node = context.inside(outer).entry(key);
                        // The root's own kind is known even where the text of the document says nothing.
                        if by_node == Context::Secret {
                            by_node
                        } else {
                            pick(context.key(key), by_node)
                        }
                    }
                    (_, Some(name)) if key == "value" => pick(context.key(key), Context::Variable(name)),
                    _ => context.key(key),
                };
                node = outer.and_then(|outer| outer.get(key));
                named = None;
            }
            Step::Index(index) => {
                if let Some(outer) = outer {
                    context = context.element(outer, *index);
                }
                node = outer.and_then(|outer| outer.items().get(*index));
                named = None;
            }
            Step::Element { key, value } => {
                let found = outer.and_then(|outer| find(outer, key, value));
                if let (Some(outer), Some(index)) = (outer, found) {
                    context = context.element(outer, index);
                }
                node = outer.and_then(|outer| outer.items().get(found?));
                named = (key == "name").then_some(value.as_str());
            }
        }
    }
    context
}

/// Of two readings, the one that says more.
fn pick<'a>(by_path: Context<'a>, by_node: Context<'a>) -> Context<'a> {
    if by_path == Context::Secret {
        by_path
    } else {
        by_node
    }
}

fn find(list: &Node, key: &str, value: &str) -> Option<usize> {
    list.items().iter().position(|item| {
        item.get(key)
            .is_some_and(|found| super::scalar_text(found) == value)
    })
}

fn is_payload(key: &str) -> bool {
    matches!(key, "data" | "stringData")
}

/// `DB_PASSWORD`, as ConfigMaps that are read with `envFrom` have them.
fn is_variable_name(key: &str) -> bool {
    key.bytes().any(|c| c.is_ascii_uppercase())
        && key
            .bytes()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_')
}

/// True for a node that holds no other nodes.
pub(super) fn is_scalar(node: &Node) -> bool {
    !matches!(node.kind, NodeKind::Map(_) | NodeKind::List(_))
}
