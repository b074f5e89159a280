//! The record itself, and the bytes it is kept as.
//!
//! ```yaml
//! schema: evenkeel.pin/1
//! name: v1
//! sha: 4f1c...
//! cells:
//! - release: chat
//!   documents:
//!   - id: apps/v1/Deployment/apps/chat
//!     digest: 94138b...
//! seal: 6a1d...
//! ```
//!
//! The same record gives the same bytes. The seal is a digest over everything else: it tells an edit of the file
//! from a change of what renders. It is no signature; whoever can write the file can seal it anew, and the
//! history of the repository shows it.

use crate::base::Digest;
use crate::base::digest::Hasher;
use crate::dialect::Dialect;
use crate::manifest::DocumentId;
use std::fmt::Write as _;

/// The version of the file's format.
pub(super) const SCHEMA: &str = "evenkeel.pin/1";

/// What a commit rendered to when it was pinned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The name: that of the file, without `.yaml`.
    pub name: String,
    /// What the user pinned: a branch, a tag, a SHA.
    pub requested: String,
    /// The full commit SHA.
    pub sha: String,
    /// The id of the commit's tree.
    pub tree: String,
    /// The version of evenkeel that rendered.
    pub evenkeel: String,
    /// The engine that rendered.
    pub engine: String,
    /// The Helm it rendered as.
    pub dialect: Dialect,
    /// The file's own kube-version; cells may have another one.
    pub kube_version: Option<String>,
    /// Digest of the configuration that laid out the cells.
    pub config: Digest,
    /// The canonical rules in force, by name.
    pub rules: Vec<String>,
    /// One entry per cell.
    pub cells: Vec<PinnedCell>,
}

/// One release on one platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinnedCell {
    /// The release's id.
    pub release: String,
    /// The platform; empty where the configuration names none.
    pub platform: String,
    /// The namespace.
    pub namespace: String,
    /// The chart's path.
    pub chart: String,
    /// The kube-version it was rendered for.
    pub kube_version: Option<String>,
    /// What came of it.
    pub state: PinnedState,
}

/// What a cell gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PinnedState {
    /// Documents, in the order of their identities.
    Rendered(Vec<PinnedDocument>),
    /// It failed; the digest is that of the message.
    Failed(Digest),
}

/// One document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PinnedDocument {
    /// Its identity.
    pub id: DocumentId,
    /// Digest of its canonical form.
    pub digest: Digest,
    /// True when chance, the clock or the cluster had a part in it: the digest then says nothing.
    pub volatile: bool,
}

impl PinnedCell {
    /// The documents; none when the cell failed.
    pub fn documents(&self) -> &[PinnedDocument] {
        match &self.state {
            PinnedState::Rendered(documents) => documents,
            PinnedState::Failed(_) => &[],
        }
    }
}

impl Pin {
    /// How many documents are pinned.
    pub fn document_count(&self) -> usize {
        self.cells.iter().map(|cell| cell.documents().len()).sum()
    }

    /// Puts cells and documents in their order.
    pub fn sort(&mut self) {
        self.rules.sort();
        self.cells.sort_by(|a, b| {
            (&a.release, &a.platform, &a.namespace).cmp(&(&b.release, &b.platform, &b.namespace))
        });
        for cell in &mut self.cells {
            if let PinnedState::Rendered(documents) = &mut cell.state {
                documents.sort();
            }
        }
    }

    /// A digest over every value of the record, in a framing of its own that no version of a YAML writer changes.
    pub(super) fn seal(&self) -> Digest {
        let mut hasher = Hasher::new("evenkeel pin 1");
        for part in [
            &self.name,
            &self.requested,
            &self.sha,
            &self.tree,
            &self.evenkeel,
            &self.engine,
            self.dialect.name(),
        ] {
            hasher.part(part.as_bytes());
        }
        optional(&mut hasher, self.kube_version.as_deref());
        hasher.part(self.config.bytes());
        hasher.part(&(self.rules.len() as u64).to_le_bytes());
        for rule in &self.rules {
            hasher.part(rule.as_bytes());
        }
        for cell in &self.cells {
            for part in [&cell.release, &cell.platform, &cell.namespace, &cell.chart] {
                hasher.part(part.as_bytes());
            }
            optional(&mut hasher, cell.kube_version.as_deref());
            match &cell.state {
                PinnedState::Failed(message) => hasher.part(b"failed").part(message.bytes()),
                PinnedState::Rendered(documents) => {
                    hasher
                        .part(b"rendered")
                        .part(&(documents.len() as u64).to_le_bytes());
                    for document in documents {
                        hasher
                            .part(print_id(&document.id).as_bytes())
                            .part(document.digest.bytes())
                            .part(&[u8::from(document.volatile)]);
                    }
                    &mut hasher
                }
            };
        }
        hasher.finish()
    }
}

fn optional(hasher: &mut Hasher, text: Option<&str>) {
    match text {
        Some(text) => hasher.part(b"some").part(text.as_bytes()),
        None => hasher.part(b"none"),
    };
}

/// `apps/v1/Deployment/apps/chat`; no group for the core group, `-` for no namespace; odd characters as `%2F`.
pub(super) fn print_id(id: &DocumentId) -> String {
    let mut text = String::new();
    let namespace = match id.namespace.as_deref() {
        None => "-".to_owned(),
        // A namespace of that name cannot exist, but the file must read back as what was written.
        Some("-") => "%2D".to_owned(),
        Some(namespace) => escape(namespace),
    };
    if !id.group.is_empty() {
        let _ = write!(text, "{}/", escape(&id.group));
    }
    let _ = write!(
        text,
        "{}/{}/{namespace}/{}",
        escape(&id.version),
        escape(&id.kind),
        escape(&id.name)
    );
    text
}

/// Reads what `print_id` writes.
pub(super) fn parse_id(text: &str) -> Option<DocumentId> {
    let parts: Vec<&str> = text.split('/').collect();
    let (group, rest) = match parts.len() {
        4 => ("", &parts[..]),
        5 => (parts[0], &parts[1..]),
        _ => return None,
    };
    if parts.len() == 5 && group.is_empty() {
        return None;
    }
    let text = |part: &str| unescape(part).map(Into::into);
    Some(DocumentId {
        group: text(group)?,
        version: text(rest[0])?,
        kind: text(rest[1])?,
        namespace: match rest[2] {
            "-" => None,
            namespace => Some(text(namespace)?),
        },
        name: text(rest[3])?,
    })
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '/' | '%' => {
                let _ = write!(out, "%{:02X}", u32::from(c));
            }
            c if c.is_control() || c.is_whitespace() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(out, "%{byte:02X}");
                }
            }
            c => out.push(c),
        }
    }
    out
}

fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        if *first != b'%' {
            bytes.push(*first);
            rest = tail;
            continue;
        }
        let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &tail[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::baseline::write::write;
    use proptest::prelude::*;

    pub(in crate::baseline) fn id(kind: &str, name: &str) -> DocumentId {
        DocumentId {
            group: if kind == "Deployment" { "apps" } else { "" }.into(),
            version: "v1".into(),
            kind: kind.into(),
            namespace: Some("apps".into()),
            name: name.into(),
        }
    }

    pub(in crate::baseline) fn document(kind: &str, name: &str) -> PinnedDocument {
        PinnedDocument {
            id: id(kind, name),
            digest: Digest::of("test", name.as_bytes()),
            volatile: false,
        }
    }

    /// A pin of two cells, one of which failed.
    pub(in crate::baseline) fn pin() -> Pin {
        let cell = |release: &str, platform: &str, state| PinnedCell {
            release: release.into(),
            platform: platform.into(),
            namespace: "apps".into(),
            chart: format!("{release}/chart"),
            kube_version: Some("v1.36.2".into()),
            state,
        };
        let mut pin = Pin {
            name: "v1".into(),
            requested: "origin/main".into(),
            sha: "4f1c9a2be07d3f6a58e1b0c7d9246f8a13e5b7c0".into(),
            tree: "0dd3f6a58e1b0c7d9246f8a13e5b7c04f1c9a2be".into(),
            evenkeel: "0.1.0".into(),
            engine: "native".into(),
            dialect: Dialect::V4_3,
            kube_version: Some("v1.36.2".into()),
            config: Digest::of("test", b"config"),
            rules: vec!["key-order".into(), "comments".into()],
            cells: vec![
                cell("loki", "amd", PinnedState::Failed(Digest::of("test", b"error"))),
                cell(
                    "chat",
                    "amd",
                    PinnedState::Rendered(vec![
                        document("Service", "chat"),
                        document("Deployment", "chat"),
                        PinnedDocument {
                            volatile: true,
                            ..document("Secret", "chat")
                        },
                    ]),
                ),
            ],
        };
        pin.sort();
        pin
    }

    #[test]
    fn the_file() {
        insta::assert_snapshot!(write(&pin()));
    }

    #[test]
    fn the_order_of_cells_and_documents_does_not_matter() {
        let mut shuffled = pin();
        shuffled.cells.reverse();
        shuffled.rules.reverse();
        for cell in &mut shuffled.cells {
            if let PinnedState::Rendered(documents) = &mut cell.state {
                documents.reverse();
            }
        }
        assert_eq!(write(&shuffled), write(&pin()));
    }

    proptest! {
        #[test]
        fn identities_read_back(group in "[a-z./%]{0,6}", version in ".{0,4}", kind in ".{0,4}",
                                namespace in proptest::option::of(".{0,4}|-"), name in ".{0,8}") {
            let id = DocumentId {
                group: group.into(),
                version: version.into(),
                kind: kind.into(),
                namespace: namespace.map(Into::into),
                name: name.into(),
            };
            let text = print_id(&id);
            prop_assert_eq!(parse_id(&text), Some(id), "{}", text);
            prop_assert!(!text.contains(char::is_whitespace));
        }
    }
}
