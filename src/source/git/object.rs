//! Git's names for contents, computed without a repository.

use super::super::tree::EntryKind;
use git2::{ObjectType, Oid};

/// The SHA-1 id git gives an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::source) struct ObjectId(Oid);

impl ObjectId {
    pub(super) fn oid(self) -> Oid {
        self.0
    }

    /// The id of a file with this content.
    pub(in crate::source) fn of_blob(content: &[u8]) -> ObjectId {
        ObjectId(hash(ObjectType::Blob, content))
    }

    /// The id of a directory with these children, which are brought into git's order.
    pub(in crate::source) fn of_tree(children: &mut [(&str, &EntryKind, ObjectId)]) -> ObjectId {
        // git compares the name of a directory as if it ended in `/` (git's `base_name_compare`)
        children.sort_by(|(a, a_kind, _), (b, b_kind, _)| {
            let key = |name: &str, kind: &EntryKind| {
                let end: &[u8] = if *kind == EntryKind::Directory { b"/" } else { b"" };
                [name.as_bytes(), end].concat()
            };
            key(a, a_kind).cmp(&key(b, b_kind))
        });
        let mut content = Vec::with_capacity(children.len() * 48);
        for (name, kind, id) in children {
            let mode: &[u8] = match kind {
                EntryKind::File { executable: false } => b"100644 ",
                EntryKind::File { executable: true } => b"100755 ",
                EntryKind::Directory => b"40000 ",
                EntryKind::Symlink(_) => b"120000 ",
                EntryKind::Submodule => b"160000 ",
            };
            content.extend_from_slice(mode);
            content.extend_from_slice(name.as_bytes());
            content.push(0);
            content.extend_from_slice(id.0.as_bytes());
        }
        ObjectId(hash(ObjectType::Tree, &content))
    }

    pub(in crate::source) fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl From<Oid> for ObjectId {
    fn from(oid: Oid) -> ObjectId {
        ObjectId(oid)
    }
}

fn hash(kind: ObjectType, content: &[u8]) -> Oid {
    Oid::hash_object(kind, content).expect("hashing bytes in memory cannot fail")
}
