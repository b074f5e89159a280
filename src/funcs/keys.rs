//! Private keys as `genPrivateKey` makes them and certificates use them.

use super::der::{self, Reader};
use super::known_keys as known;
use super::rsa_key::RsaKey;
use crate::template::Call;
use crate::value::effort;
use ed25519_dalek::Signer as _;
use num_bigint::BigUint;
use p256::ecdsa::Signature;
use std::rc::Rc;

/// `rsaEncryption`, `prime256v1`, `id-ecPublicKey`, `id-Ed25519`
const OID_RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1];
const OID_P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
const OID_EC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
const OID_ED25519: &[u8] = &[0x2b, 0x65, 0x70];

/// `sha256WithRSAEncryption`, `ecdsa-with-SHA256`
const OID_SHA256_RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11];
const OID_SHA256_EC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2];

const NULL: &[u8] = &[5, 0];

/// A private key.
#[derive(Clone)]
pub(super) enum PrivateKey {
    /// RSA
    Rsa(Rc<RsaKey>),
    /// DSA: p, q, g, y, x.
    Dsa(Box<[BigUint; 5]>),
    /// ECDSA on P-256.
    Ec(p256::ecdsa::SigningKey),
    /// Ed25519
    Ed25519(Box<ed25519_dalek::SigningKey>),
}

thread_local! {
    static KNOWN: [Rc<RsaKey>; 2] = [
        known_key(known::P_2048, known::Q_2048),
        known_key(known::P_4096, known::Q_4096),
    ];
}

fn number(hex: &str) -> BigUint {
    BigUint::parse_bytes(hex.as_bytes(), 16).expect("the constants are numbers")
}

fn known_key(p: &str, q: &str) -> Rc<RsaKey> {
    Rc::new(RsaKey::of(number(p), number(q)).expect("the constants are primes"))
}

fn oid(content: &[u8]) -> Vec<u8> {
    der::element(der::OID, &[content])
}

/// What the search for two primes costs.
const NEW_KEY: u64 = 5_000_000;

impl PrivateKey {
    /// An RSA key of 2048 or 4096 bits: a new one where the render is live, else the known one.
    pub(super) fn rsa(call: &mut Call<'_>, bits: usize) -> PrivateKey {
        if call.host.ambient().is_live() {
            effort::spend(NEW_KEY);
            let host = &mut call.host;
            let key = RsaKey::make(bits, &mut |bytes| host.random(bytes));
            return PrivateKey::Rsa(Rc::new(key));
        }
        call.host.note_ambient(crate::template::Effect::Random);
        PrivateKey::Rsa(KNOWN.with(|known| Rc::clone(&known[usize::from(bits > 2048)])))
    }

    /// A DSA key with the known parameters.
    pub(super) fn dsa(call: &mut Call<'_>) -> PrivateKey {
        let [p, q, g] = [known::DSA_P, known::DSA_Q, known::DSA_G].map(number);
        let mut bytes = [0; 48];
        call.host.random(&mut bytes);
        let one = BigUint::from(1u32);
        let x = BigUint::from_bytes_be(&bytes) % (&q - &one) + one;
        let y = g.modpow(&x, &p);
        PrivateKey::Dsa(Box::new([p, q, g, y, x]))
    }

    /// A key on P-256.
    pub(super) fn ec(call: &mut Call<'_>) -> PrivateKey {
        loop {
            let mut bytes = [0; 32];
            call.host.random(&mut bytes);
            if let Ok(key) = p256::ecdsa::SigningKey::from_slice(&bytes) {
                return PrivateKey::Ec(key);
            }
        }
    }

    /// An Ed25519 key.
    pub(super) fn ed25519(call: &mut Call<'_>) -> PrivateKey {
        let mut bytes = [0; 32];
        call.host.random(&mut bytes);
        PrivateKey::Ed25519(Box::new(ed25519_dalek::SigningKey::from_bytes(&bytes)))
    }

    /// The key as PEM (`pemBlockForKey`).
    pub(super) fn to_pem(&self) -> String {
        let zero = BigUint::ZERO;
        let numbers = |numbers: &[&BigUint]| {
            let parts: Vec<Vec<u8>> = numbers.iter().map(|number| der::integer(number)).collect();
            let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
            der::sequence(&parts)
        };
        match self {
            PrivateKey::Rsa(key) => {
                let [dp, dq, inverse] = key.chinese().unwrap_or_default();
                let all = [&zero, &key.n, &key.e, &key.d, &key.p, &key.q, &dp, &dq, &inverse];
                der::pem("RSA PRIVATE KEY", &numbers(&all))
            }
            PrivateKey::Dsa(key) => {
                let [p, q, g, y, x] = &**key;
                der::pem("DSA PRIVATE KEY", &numbers(&[&zero, p, q, g, y, x]))
            }
            PrivateKey::Ec(key) => {
                let public = der::bits(key.verifying_key().to_sec1_point(false).as_bytes());
                let content = der::sequence(&[
                    &der::integer(&BigUint::from(1u32)),
                    &der::element(der::OCTET_STRING, &[&key.to_bytes()]),
                    &der::element(0xa0, &[&oid(OID_P256)]),
                    &der::element(0xa1, &[&public]),
                ]);
                der::pem("EC PRIVATE KEY", &content)
            }
            PrivateKey::Ed25519(key) => {
                let seed = der::element(der::OCTET_STRING, &[&key.to_bytes()]);
                let content = der::sequence(&[
                    &der::integer(&zero),
                    &der::sequence(&[&oid(OID_ED25519)]),
                    &der::element(der::OCTET_STRING, &[&seed]),
                ]);
                der::pem("PRIVATE KEY", &content)
            }
        }
    }

    /// Reads a key out of PEM (`parsePrivateKeyPEM`).
    pub(super) fn from_pem(text: &[u8]) -> Result<PrivateKey, String> {
        let Some((label, content)) = der::unpem(text) else {
            return Err("no PEM data in input".to_owned());
        };
        if label == "PRIVATE KEY" {
            return pkcs8(&content).ok_or_else(|| "decoding PEM as PKCS#8: asn1: structure error".to_owned());
        }
        let Some(kind) = label.strip_suffix(" PRIVATE KEY") else {
            return Err(format!("no private key data in PEM block of type {label}"));
        };
        let key = match kind {
            "RSA" => pkcs1(&content),
            "EC" => sec1(&content),
            "DSA" => dsa(&content),
            _ => return Err(format!("invalid private key type {kind}")),
        };
        key.ok_or_else(|| format!("parsing {kind} private key from PEM: asn1: structure error"))
    }

    /// The public key with its algorithm; `None` for DSA, which Go puts into no certificate.
    pub(super) fn public(&self) -> Option<Public> {
        let (algorithm, bits) = match self {
            PrivateKey::Rsa(key) => (
                der::sequence(&[&oid(OID_RSA), NULL]),
                der::sequence(&[&der::integer(&key.n), &der::integer(&key.e)]),
            ),
            PrivateKey::Dsa(_) => return None,
            PrivateKey::Ec(key) => (
                der::sequence(&[&oid(OID_EC), &oid(OID_P256)]),
                key.verifying_key().to_sec1_point(false).as_bytes().to_vec(),
            ),
            PrivateKey::Ed25519(key) => (
                der::sequence(&[&oid(OID_ED25519)]),
                key.verifying_key().to_bytes().to_vec(),
            ),
        };
        Some(Public {
            info: der::sequence(&[&algorithm, &der::bits(&bits)]),
            bits,
        })
    }

    /// The algorithm this key signs with.
    pub(super) fn algorithm(&self) -> Vec<u8> {
        match self {
            PrivateKey::Rsa(_) => der::sequence(&[&oid(OID_SHA256_RSA), NULL]),
            PrivateKey::Ec(_) => der::sequence(&[&oid(OID_SHA256_EC)]),
            PrivateKey::Ed25519(_) | PrivateKey::Dsa(_) => der::sequence(&[&oid(OID_ED25519)]),
        }
    }

    /// A signature; `None` where the key cannot sign a certificate.
    pub(super) fn sign(&self, message: &[u8]) -> Option<Vec<u8>> {
        match self {
            PrivateKey::Rsa(key) => key.sign(message),
            PrivateKey::Dsa(_) => None,
            PrivateKey::Ec(key) => {
                let signature: Signature = key.sign(message);
                Some(signature.to_der().as_bytes().to_vec())
            }
            PrivateKey::Ed25519(key) => Some(key.sign(message).to_bytes().to_vec()),
        }
    }
}

/// A public key: `SubjectPublicKeyInfo`, and the bits of the key alone.
pub(super) struct Public {
    pub info: Vec<u8>,
    pub bits: Vec<u8>,
}

fn pkcs1(content: &[u8]) -> Option<PrivateKey> {
    let mut inside = Reader(content).inside(der::SEQUENCE)?;
    inside.number()?;
    let (n, e, d) = (inside.number()?, inside.number()?, inside.number()?);
    let (p, q) = (inside.number()?, inside.number()?);
    let key = RsaKey { n, e, d, p, q };
    (&key.p * &key.q == key.n && key.chinese().is_some()).then(|| PrivateKey::Rsa(Rc::new(key)))
}

fn dsa(content: &[u8]) -> Option<PrivateKey> {
    let mut inside = Reader(content).inside(der::SEQUENCE)?;
    inside.number()?;
    let mut next = || inside.number();
    Some(PrivateKey::Dsa(Box::new([
        next()?,
        next()?,
        next()?,
        next()?,
        next()?,
    ])))
}

fn sec1(content: &[u8]) -> Option<PrivateKey> {
    let mut inside = Reader(content).inside(der::SEQUENCE)?;
    inside.number()?;
    let scalar = inside.next(der::OCTET_STRING)?.content;
    p256::ecdsa::SigningKey::from_slice(scalar)
        .ok()
        .map(PrivateKey::Ec)
}

fn pkcs8(content: &[u8]) -> Option<PrivateKey> {
    let mut inside = Reader(content).inside(der::SEQUENCE)?;
    inside.number()?;
    let mut algorithm = inside.inside(der::SEQUENCE)?;
    let name = algorithm.next(der::OID)?.content;
    let key = inside.next(der::OCTET_STRING)?.content;
    match name {
        OID_RSA => pkcs1(key),
        OID_EC if algorithm.next(der::OID)?.content == OID_P256 => sec1(key),
        OID_ED25519 => {
            let seed = Reader(key).next(der::OCTET_STRING)?.content.try_into().ok()?;
            let key = ed25519_dalek::SigningKey::from_bytes(seed);
            Some(PrivateKey::Ed25519(Box::new(key)))
        }
        _ => None,
    }
}
