//! RSA with numbers of any size: making a key, signing with one.

use num_bigint::BigUint;
use sha2::{Digest, Sha256};

/// The public exponent of every key made here.
const EXPONENT: u32 = 65_537;

/// What precedes a SHA-256 digest in a PKCS #1 signature.
const DIGEST_INFO: [u8; 19] = [
    0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00,
    0x04, 0x20,
];

/// A private key.
#[derive(Clone)]
pub(super) struct RsaKey {
    pub n: BigUint,
    pub e: BigUint,
    pub d: BigUint,
    pub p: BigUint,
    pub q: BigUint,
}

impl RsaKey {
    /// The key of two primes; `None` when they make none.
    pub(super) fn of(p: BigUint, q: BigUint) -> Option<RsaKey> {
        let one = BigUint::from(1u32);
        let (p, q) = if p < q { (q, p) } else { (p, q) };
        let e = BigUint::from(EXPONENT);
        let d = e.modinv(&((&p - &one) * (&q - &one)))?;
        let n = &p * &q;
        (p != q).then_some(RsaKey { n, e, d, p, q })
    }

    /// A new key of random primes.
    pub(super) fn make(bits: usize, random: &mut dyn FnMut(&mut [u8])) -> RsaKey {
        loop {
            let p = prime(bits / 2, random);
            let q = prime(bits / 2, random);
            if let Some(key) = RsaKey::of(p, q) {
                return key;
            }
        }
    }

    /// The parts of the private exponent for each prime, and the inverse of `q`.
    pub(super) fn chinese(&self) -> Option<[BigUint; 3]> {
        let one = BigUint::from(1u32);
        if self.p <= one || self.q <= one {
            return None;
        }
        let inverse = self.q.modinv(&self.p)?;
        Some([&self.d % (&self.p - &one), &self.d % (&self.q - &one), inverse])
    }

    /// `RSASSA-PKCS1-v1_5` with SHA-256; `None` when the key is too short for it.
    pub(super) fn sign(&self, message: &[u8]) -> Option<Vec<u8>> {
        let size = usize::try_from(self.n.bits().div_ceil(8)).ok()?;
        let digest = Sha256::digest(message);
        let padding = size
            .checked_sub(3 + DIGEST_INFO.len() + digest.len())
            .filter(|padding| *padding >= 8)?;
        let mut block = vec![0, 1];
        block.resize(2 + padding, 0xff);
        block.push(0);
        block.extend_from_slice(&DIGEST_INFO);
        block.extend_from_slice(&digest);
        let block = BigUint::from_bytes_be(&block);
        let [dp, dq, inverse] = self.chinese()?;
        let (by_p, by_q) = (block.modpow(&dp, &self.p), block.modpow(&dq, &self.q));
        let difference = (&by_p + &self.p - (&by_q % &self.p)) % &self.p;
        let signature = by_q + (inverse * difference % &self.p) * &self.q;
        let bytes = signature.to_bytes_be();
        let mut out = vec![0; size.saturating_sub(bytes.len())];
        out.extend_from_slice(&bytes);
        Some(out)
    }
}

/// The primes below 2000, each by trial.
fn small_primes() -> Vec<u32> {
    (3..2000u32)
        .step_by(2)
        .filter(|n| (3..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0))
        .collect()
}

/// A random prime of exactly so many bits, the two highest of them set.
fn prime(bits: usize, random: &mut dyn FnMut(&mut [u8])) -> BigUint {
    let small = small_primes();
    let one = BigUint::from(1u32);
    loop {
        let mut bytes = vec![0; bits / 8];
        random(&mut bytes);
        if let Some(first) = bytes.first_mut() {
            *first |= 0xc0;
        }
        if let Some(last) = bytes.last_mut() {
            *last |= 1;
        }
        let candidate = BigUint::from_bytes_be(&bytes);
        let divided = small.iter().any(|prime| (&candidate % *prime) == BigUint::ZERO);
        let fits = (&candidate - &one) % EXPONENT != BigUint::ZERO;
        if !divided && fits && is_prime(&candidate, &small) {
            return candidate;
        }
    }
}

/// Miller and Rabin with the first primes as bases: far beyond doubt for a random candidate.
fn is_prime(candidate: &BigUint, small: &[u32]) -> bool {
    const BASES: usize = 32;
    let one = BigUint::from(1u32);
    let less = candidate - &one;
    let twos = less.trailing_zeros().unwrap_or(0);
    let odd = &less >> twos;
    let passes = |base: u32| {
        let mut power = BigUint::from(base).modpow(&odd, candidate);
        if power == one || power == less {
            return true;
        }
        for _ in 1..twos {
            power = &power * &power % candidate;
            if power == less {
                return true;
            }
        }
        false
    };
    passes(2) && small.iter().take(BASES).all(|base| passes(*base))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_keys_sign() {
        let mut state = 1u64;
        let mut random = |bytes: &mut [u8]| {
            for byte in bytes {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *byte = state.to_be_bytes()[0];
            }
        };
        let key = RsaKey::make(512, &mut random);
        assert_eq!(key.n.bits(), 512);
        let signature = key.sign(b"message").expect("a signature");
        let opened = BigUint::from_bytes_be(&signature)
            .modpow(&key.e, &key.n)
            .to_bytes_be();
        assert!(opened.ends_with(&Sha256::digest(b"message")));
        assert_eq!(opened[0], 1);
    }
}
