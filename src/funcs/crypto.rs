//! Passwords and symmetric encryption (`sprig/crypto.go`): `bcrypt`, `htpasswd`, `encryptAES`,
//! `decryptAES`, `derivePassword`. Hashes without a key stand in `encoding`.

use super::encoding::decode_base64;
use super::memo::Memo;
use super::spec::{Answer, FuncSpec};
use crate::template::{Call, CallError, Effect, Param};
use crate::value::convert::base64;
use crate::value::effort;
use crate::value::{Text, Value};
use aes::Aes256;
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[BCRYPT, DECRYPT_AES, DERIVE_PASSWORD, ENCRYPT_AES, HTPASSWD];

const BLOCK: usize = 16;

/// Go's default cost.
const COST: u32 = 10;

/// Slow results known at one time, per thread. They are slow on purpose and asked for once per cell.
const REMEMBERED: usize = 64;

thread_local! {
    static HASHES: Memo<String> = Memo::new(REMEMBERED);
    static KEYS: Memo<Result<[u8; 64], String>> = Memo::new(REMEMBERED);
}

const BCRYPT: FuncSpec = FuncSpec::new("bcrypt", &[Param::Str], |call| {
    let password = call.text(0).clone();
    Ok(Value::str(bcrypt(call, &password)))
})
.effect(Effect::Random);

const HTPASSWD: FuncSpec = FuncSpec::new("htpasswd", &[Param::Str, Param::Str], |call| {
    let user = call.text(0).clone();
    if user.bytes().contains(&b':') {
        let text = [b"invalid username: ", user.bytes()].concat();
        return Ok(Value::from(Text::from(text)));
    }
    let password = call.text(1).clone();
    let hash = bcrypt(call, &password);
    Ok(Value::from(Text::from(
        [user.bytes(), b":", hash.as_bytes()].concat(),
    )))
})
.effect(Effect::Random);

/// What a hash that is slow on purpose costs, remembered or not.
const SLOW_HASH: u64 = 1_000_000;

/// A hash, or the text of the error in its place.
fn bcrypt(call: &mut Call<'_>, password: &Text) -> String {
    if password.len() > 72 {
        return "failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes".to_owned();
    }
    let mut salt = [0; 16];
    call.host.random(&mut salt);
    effort::spend(SLOW_HASH);
    let key = [&salt, password.bytes()].concat();
    let hash = HASHES.with(|hashes| {
        hashes.get(&key, || {
            // The terminating zero belongs to the password, but no more than 72 bytes count.
            let mut password = [password.bytes(), b"\0"].concat();
            password.truncate(72);
            let digest = bcrypt::bcrypt(COST, salt, &password);
            let (salt, digest) = (bcrypt_base64(&salt), bcrypt_base64(&digest[..23]));
            format!("$2a${COST:02}${salt}{digest}")
        })
    });
    (*hash).clone()
}

/// Base 64 with bcrypt's alphabet and without padding.
fn bcrypt_base64(bytes: &[u8]) -> String {
    const THEIRS: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = base64(bytes);
    let theirs = digits
        .iter()
        .filter_map(|digit| STANDARD.iter().position(|standard| standard == digit));
    theirs.map(|at| char::from(THEIRS[at])).collect()
}

/// A key of 32 bytes: the password, cut or filled with zeros.
fn cipher(password: &Text) -> Aes256 {
    let mut key = [0; 32];
    let kept = password.len().min(32);
    key[..kept].copy_from_slice(&password.bytes()[..kept]);
    Aes256::new(&key.into())
}

const ENCRYPT_AES: FuncSpec = FuncSpec::new("encryptAES", &[Param::Str, Param::Str], |call| {
    let text = call.text(1).clone();
    if text.is_empty() {
        return Ok(Value::from(""));
    }
    let cipher = cipher(call.text(0));
    let mut last = [0; BLOCK];
    call.host.random(&mut last);
    let padding = BLOCK - text.len() % BLOCK;
    let mut content = text.bytes().to_vec();
    content.resize(text.len() + padding, u8::try_from(padding).unwrap_or_default());
    let mut out = last.to_vec();
    for plain in content.chunks_exact(BLOCK) {
        for (mixed, byte) in last.iter_mut().zip(plain) {
            *mixed ^= byte;
        }
        let mut block = aes::Block::from(last);
        cipher.encrypt_block(&mut block);
        last = block.into();
        out.extend_from_slice(&last);
    }
    Ok(Value::from(Text::from(base64(&out))))
})
.effect(Effect::Random);

const DECRYPT_AES: FuncSpec = FuncSpec::new("decryptAES", &[Param::Str, Param::Str], decrypt_aes);

/// What is no encryption ends in the panics that Go runs into.
fn decrypt_aes(call: &mut Call<'_>) -> Answer {
    let encoded = call.text(1).bytes();
    if encoded.is_empty() {
        return Ok(Value::from(""));
    }
    let bytes = decode_base64(encoded).map_err(|at| format!("illegal base64 data at input byte {at}"))?;
    let Some((start, rest)) = bytes.split_first_chunk::<BLOCK>() else {
        let (length, capacity) = (bytes.len(), encoded.len() / 4 * 3);
        return Err(CallError::Own(if capacity < BLOCK {
            format!("runtime error: slice bounds out of range [:{BLOCK}] with capacity {capacity}")
        } else {
            format!("runtime error: slice bounds out of range [{BLOCK}:{length}]")
        }));
    };
    if rest.len() % BLOCK != 0 {
        return Err(CallError::own("crypto/cipher: input not full blocks"));
    }
    let cipher = cipher(call.text(0));
    let mut last = *start;
    let mut out = Vec::with_capacity(rest.len());
    let (blocks, _) = rest.as_chunks::<BLOCK>();
    for encrypted in blocks {
        let mut block = aes::Block::from(*encrypted);
        cipher.decrypt_block(&mut block);
        out.extend(block.iter().zip(last).map(|(byte, mixed)| byte ^ mixed));
        last = *encrypted;
    }
    let Some(&padding) = out.last() else {
        return Err(CallError::own("runtime error: index out of range [-1]"));
    };
    match out.len().checked_sub(usize::from(padding)) {
        Some(length) => out.truncate(length),
        None => {
            let below = usize::from(padding) - out.len();
            return Err(CallError::Own(format!(
                "runtime error: slice bounds out of range [:-{below}]"
            )));
        }
    }
    Ok(Value::from(Text::from(out)))
}

const DERIVE_PASSWORD: FuncSpec = FuncSpec::new(
    "derivePassword",
    &[Param::Uint32, Param::Str, Param::Str, Param::Str, Param::Str],
    derive_password,
);

const SCOPE: &[u8] = b"com.lyndir.masterpassword";

/// The shapes of each type of password: one letter per class of characters.
fn shapes(kind: &[u8]) -> Option<&'static [&'static str]> {
    Some(match kind {
        b"maximum" => &["anoxxxxxxxxxxxxxxxxx", "axxxxxxxxxxxxxxxxxno"],
        b"long" => &[
            "CvcvnoCvcvCvcv",
            "CvcvCvcvnoCvcv",
            "CvcvCvcvCvcvno",
            "CvccnoCvcvCvcv",
            "CvccCvcvnoCvcv",
            "CvccCvcvCvcvno",
            "CvcvnoCvccCvcv",
            "CvcvCvccnoCvcv",
            "CvcvCvccCvcvno",
            "CvcvnoCvcvCvcc",
            "CvcvCvcvnoCvcc",
            "CvcvCvcvCvccno",
            "CvccnoCvccCvcv",
            "CvccCvccnoCvcv",
            "CvccCvccCvcvno",
            "CvcvnoCvccCvcc",
            "CvcvCvccnoCvcc",
            "CvcvCvccCvccno",
            "CvccnoCvcvCvcc",
            "CvccCvcvnoCvcc",
            "CvccCvcvCvccno",
        ],
        b"medium" => &["CvcnoCvc", "CvcCvcno"],
        b"short" => &["Cvcn"],
        b"basic" => &["aaanaaan", "aannaaan", "aaannaaa"],
        b"pin" => &["nnnn"],
        _ => return None,
    })
}

/// The characters of a class.
fn characters(class: u8) -> &'static [u8] {
    match class {
        b'V' => b"AEIOU",
        b'C' => b"BCDFGHJKLMNPQRSTVWXYZ",
        b'v' => b"aeiou",
        b'c' => b"bcdfghjklmnpqrstvwxyz",
        b'a' => b"AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz",
        b'n' => b"0123456789",
        b'o' => b"@&%?,=[]_:-+*$#!'^~;()/.",
        _ => b"AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()",
    }
}

/// A length as four bytes.
fn length(text: &Text) -> [u8; 4] {
    u32::try_from(text.len()).unwrap_or(u32::MAX).to_be_bytes()
}

/// The Master Password algorithm.
fn derive_password(call: &mut Call<'_>) -> Answer {
    let kind = call.text(1);
    let Some(shapes) = shapes(kind.bytes()) else {
        let text = [b"cannot find password template ", kind.bytes()].concat();
        return Ok(Value::from(Text::from(text)));
    };
    let (password, user, site) = (call.text(2), call.text(3), call.text(4));
    let counter = u32::try_from(call.int(0)).unwrap_or(u32::MAX);
    let salt = [SCOPE, &length(user), user.bytes()].concat();
    let known = [&length(password), password.bytes(), &salt].concat();
    effort::spend(SLOW_HASH);
    let key = KEYS.with(|keys| keys.get(&known, || master_key(password.bytes(), &salt)));
    let key = key
        .as_ref()
        .as_ref()
        .map_err(|error| CallError::own(error.as_str()))?;
    let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(|error| error.to_string())?;
    for part in [SCOPE, &length(site), site.bytes(), &counter.to_be_bytes()] {
        mac.update(part);
    }
    let seed = mac.finalize().into_bytes();
    let shape = shapes[usize::from(seed[0]) % shapes.len()];
    let derived: Vec<u8> = shape
        .bytes()
        .zip(&seed[1..])
        .map(|(class, byte)| {
            let characters = characters(class);
            characters[usize::from(*byte) % characters.len()]
        })
        .collect();
    Ok(Value::from(Text::from(derived)))
}

fn master_key(password: &[u8], salt: &[u8]) -> Result<[u8; 64], String> {
    let mut key = [0; 64];
    let params = scrypt::Params::new(15, 8, 2).map_err(|error| error.to_string())?;
    scrypt::scrypt(password, salt, &params, &mut key).map_err(|error| error.to_string())?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use crate::funcs::tests::Bench;
    use crate::value::{Data, Text, Value};
    use proptest::prelude::*;

    fn text(name: &str, args: Vec<Value>) -> Vec<u8> {
        match Bench::default().call(name, args).expect("no error").data {
            Data::Str(text) => text.bytes().to_vec(),
            _ => panic!("{name} gives no string"),
        }
    }

    #[test]
    fn hashes_verify() {
        let hash = String::from_utf8(text("bcrypt", vec![Value::from("secret")])).unwrap();
        assert!(hash.starts_with("$2a$10$") && hash.len() == 60);
        let parts = [&hash[..29], &hash[29..]];
        let again =
            String::from_utf8(text("htpasswd", vec![Value::from("u"), Value::from("secret")])).unwrap();
        assert_eq!(again, format!("u:{}{}", parts[0], parts[1]));
        let other = text("bcrypt", vec![Value::from("other")]);
        assert_ne!(other, hash.into_bytes());
    }

    proptest! {
        #[test]
        fn what_is_encrypted_decrypts(key in ".{0,40}", plain in ".{0,40}") {
            let encrypted = text("encryptAES", vec![Value::from(key.as_str()), Value::from(plain.as_str())]);
            let decrypted = text(
                "decryptAES",
                vec![Value::from(key.as_str()), Value::from(Text::from(encrypted))],
            );
            prop_assert_eq!(decrypted, plain.into_bytes());
        }
    }
}
