//! Files whose content git does not hold: Git LFS keeps a pointer in its place, git-crypt a ciphertext.
//! An LFS object that was already fetched is read from its store; everything else is an error.

use super::store::Store;
use super::tree::SourceError;
use std::sync::Arc;

const POINTER_START: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";
/// A pointer is at most this long (git-lfs `docs/spec.md`).
const POINTER_LIMIT: usize = 1024;
const CRYPT_START: &[u8] = b"\0GITCRYPT\0";

/// The content a user means: the bytes themselves, or what they stand for.
pub(super) fn content<S: Store + ?Sized>(
    store: &S,
    path: &str,
    bytes: Arc<[u8]>,
) -> Result<Arc<[u8]>, SourceError> {
    if bytes.starts_with(CRYPT_START) {
        return Err(SourceError::new(
            path,
            "is encrypted with git-crypt; compare two unlocked checkouts with `dir:PATH`",
        ));
    }
    let Some((oid, size)) = pointer(&bytes) else {
        return Ok(bytes);
    };
    store.large_file(oid, size).ok_or_else(|| {
        SourceError::new(
            path,
            format!(
                "is a Git LFS pointer, and the file it stands for ({size} bytes) has not been fetched; run \
                 `git lfs pull` for the working tree, `git lfs fetch origin <rev>` for another revision"
            ),
        )
    })
}

/// The object id and size of a pointer; `None` when the bytes are no pointer.
fn pointer(bytes: &[u8]) -> Option<(&str, u64)> {
    if bytes.len() > POINTER_LIMIT || !bytes.starts_with(POINTER_START) {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let oid = field("oid sha256:")?;
    let hex = oid.len() == 64 && oid.bytes().all(|byte| byte.is_ascii_hexdigit());
    hex.then_some((oid, field("size ")?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_pointer_is_a_pointer() {
        let oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
        let text = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 12345\n");
        assert_eq!(pointer(text.as_bytes()), Some((oid, 12345)));
        assert_eq!(pointer(b"version: 1\n"), None);
        assert_eq!(
            pointer(b"version https://git-lfs.github.com/spec/v1\noid sha256:../x\nsize 1\n"),
            None
        );
    }
}
