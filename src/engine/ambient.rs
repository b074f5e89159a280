//! What answers for everything outside git: `Frozen` in a verification, `Live` for `evenkeel template`.

use crate::base::digest::Hasher;
use crate::template::AmbientSource;
use crate::value::{Map, Value};
use std::net::ToSocketAddrs;
use std::time::{SystemTime, UNIX_EPOCH};

/// 2020-02-02 02:02:02 UTC: a past instant that nobody mistakes for now.
const INSTANT: i64 = 1_580_608_922;

/// Answers that are the same on both sides, run after run: the clock stands still, chance is derived from the
/// call, the cluster is empty, DNS is off.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frozen;

impl AmbientSource for Frozen {
    fn now(&mut self) -> (i64, u32) {
        (INSTANT, 0)
    }

    fn random(&mut self, seed: &[u8], bytes: &mut [u8]) {
        fill(seed, bytes);
    }

    fn lookup(&mut self, _: &str, _: &str, _: &str, _: &str) -> Value {
        Map::new().into()
    }

    fn host_by_name(&mut self, _: &str) -> String {
        String::new()
    }
}

/// What `helm template` sees: the real clock and real chance, no cluster, DNS only where it was asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Live {
    /// `--enable-dns`
    pub dns: bool,
}

impl AmbientSource for Live {
    fn now(&mut self) -> (i64, u32) {
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => (
                i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
                since.subsec_nanos(),
            ),
            Err(_) => (0, 0),
        }
    }

    /// # Panics
    /// When the system has no randomness to give: a predictable password would be worse.
    fn random(&mut self, _: &[u8], bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the system gives randomness");
    }

    fn is_live(&self) -> bool {
        true
    }

    fn lookup(&mut self, _: &str, _: &str, _: &str, _: &str) -> Value {
        Map::new().into()
    }

    fn host_by_name(&mut self, name: &str) -> String {
        if !self.dns {
            return String::new();
        }
        let found = (name, 0)
            .to_socket_addrs()
            .ok()
            .and_then(|mut found| found.next());
        found.map_or_else(String::new, |address| address.ip().to_string())
    }
}

/// Fills bytes with what follows from the seed.
fn fill(seed: &[u8], bytes: &mut [u8]) {
    for (block, chunk) in (0u64..).zip(bytes.chunks_mut(32)) {
        let mut hasher = Hasher::new("evenkeel ambient 1");
        hasher.part(seed).part(&block.to_le_bytes());
        chunk.copy_from_slice(&hasher.finish().bytes()[..chunk.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_belongs_to_the_call_when_frozen() {
        let bytes = |seed: &[u8]| {
            let mut bytes = [0; 40];
            Frozen.random(seed, &mut bytes);
            bytes
        };
        assert_eq!(bytes(b"a"), bytes(b"a"));
        assert_ne!(bytes(b"a"), bytes(b"b"));
        assert_ne!(bytes(b"a")[..8], bytes(b"a")[32..]);
    }
}
