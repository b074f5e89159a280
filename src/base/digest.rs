//! Content digests: BLAKE3 with framed, domain-separated input, so that no concatenation of parts can
//! collide with another split of the same bytes.

use std::fmt;

/// A 256-bit BLAKE3 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Digest of one byte string within a domain such as `"evenkeel document 1"`.
    pub fn of(domain: &'static str, bytes: &[u8]) -> Digest {
        let mut hasher = Hasher::new(domain);
        hasher.part(bytes);
        hasher.finish()
    }

    /// The 64 lower-case hex digits.
    pub fn hex(&self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }

    /// Reads 64 hex digits back; `None` when the text is anything else.
    pub fn from_hex(text: &str) -> Option<Digest> {
        blake3::Hash::from_hex(text)
            .ok()
            .map(|hash| Digest(*hash.as_bytes()))
    }

    /// The raw 32 bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({})", &self.hex()[..16])
    }
}

/// Builds a digest from parts; each part is framed with its length.
pub struct Hasher(blake3::Hasher);

impl Hasher {
    /// Starts a digest in a domain.
    pub fn new(domain: &'static str) -> Hasher {
        Hasher(blake3::Hasher::new_derive_key(domain))
    }

    /// Adds one part.
    pub fn part(&mut self, bytes: &[u8]) -> &mut Hasher {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// The digest of all parts so far.
    pub fn finish(&self) -> Digest {
        Digest(*self.0.finalize().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_split_into_parts_matters() {
        let digest = |parts: &[&str]| {
            let mut hasher = Hasher::new("test");
            for part in parts {
                hasher.part(part.as_bytes());
            }
            hasher.finish()
        };
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_ne!(digest(&["a"]), digest(&["a", ""]));
        assert_ne!(Digest::of("one", b"x"), Digest::of("two", b"x"));
    }

    #[test]
    fn hex_reads_back() {
        let digest = Digest::of("test", b"x");
        assert_eq!(Digest::from_hex(&digest.hex()), Some(digest));
        assert_eq!(Digest::from_hex("12"), None);
    }
}
