//! Base 64, base 32 and checksums. A text that cannot be decoded gives Go's error text as the value, as
//! sprig does; the failure is noted.

use super::spec::FuncSpec;
use crate::template::{Call, Param};
use crate::value::convert::base64;
use crate::value::{Text, Value};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};
use std::fmt::Write;

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[
    ADLER32SUM, B32DEC, B32ENC, B64DEC, B64ENC, SHA1SUM, SHA256SUM, SHA512SUM,
];

const SHA1SUM: FuncSpec = FuncSpec::new("sha1sum", &[Param::Str], |call| {
    Ok(hex(&Sha1::digest(call.text(0).bytes())))
});

const SHA256SUM: FuncSpec = FuncSpec::new("sha256sum", &[Param::Str], |call| {
    Ok(hex(&Sha256::digest(call.text(0).bytes())))
});

const SHA512SUM: FuncSpec = FuncSpec::new("sha512sum", &[Param::Str], |call| {
    Ok(hex(&Sha512::digest(call.text(0).bytes())))
});

const ADLER32SUM: FuncSpec = FuncSpec::new("adler32sum", &[Param::Str], |call| {
    Ok(Value::str(
        adler2::adler32_slice(call.text(0).bytes()).to_string(),
    ))
});

fn hex(digest: &[u8]) -> Value {
    let mut text = String::with_capacity(digest.len() * 2);
    for byte in digest {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    Value::str(text)
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const B64ENC: FuncSpec = FuncSpec::new("b64enc", &[Param::Str], |call| {
    Ok(Value::from(Text::from(base64(call.text(0).bytes()))))
});

const B32ENC: FuncSpec = FuncSpec::new("b32enc", &[Param::Str], |call| {
    Ok(Value::from(Text::from(encode_base32(call.text(0).bytes()))))
});

const B64DEC: FuncSpec = FuncSpec::new("b64dec", &[Param::Str], |call| {
    Ok(decoded(call, decode_base64(call.text(0).bytes()), "base64"))
});

const B32DEC: FuncSpec = FuncSpec::new("b32dec", &[Param::Str], |call| {
    Ok(decoded(call, decode_base32(call.text(0).bytes()), "base32"))
});

fn decoded(call: &mut Call<'_>, result: Result<Vec<u8>, usize>, name: &str) -> Value {
    match result {
        Ok(bytes) => Value::from(Text::from(bytes)),
        Err(at) => {
            let message = format!("illegal {name} data at input byte {at}");
            call.host.note_swallowed(&message);
            Value::str(message)
        }
    }
}

fn encode_base32(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len().div_ceil(5) * 8);
    for chunk in bytes.chunks(5) {
        let mut group = [0; 8];
        group[3..3 + chunk.len()].copy_from_slice(chunk);
        let group = u64::from_be_bytes(group);
        let used = (chunk.len() * 8).div_ceil(5);
        for at in 0..8 {
            out.push(match at < used {
                true => BASE32[(group >> (35 - 5 * at) & 31) as usize],
                false => b'=',
            });
        }
    }
    out
}

fn value_of(byte: u8, alphabet: &[u8]) -> Option<u32> {
    alphabet
        .iter()
        .position(|&letter| letter == byte)
        .and_then(|at| u32::try_from(at).ok())
}

/// Puts groups of `bits` bits together to bytes; what is left over is dropped.
fn pack(out: &mut Vec<u8>, groups: &[u32], bits: u32) {
    let mut buffer: u64 = 0;
    let mut held = 0;
    for &group in groups {
        buffer = buffer << bits | u64::from(group);
        held += bits;
        if held >= 8 {
            held -= 8;
            out.push((buffer >> held & 0xff) as u8);
        }
    }
}

fn is_newline(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// `base64.StdEncoding.DecodeString`; the error is the offset Go names.
pub(super) fn decode_base64(text: &[u8]) -> Result<Vec<u8>, usize> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let mut at = 0;
    loop {
        let mut groups = [0; 4];
        let mut count = 0;
        while count < 4 {
            let Some(&byte) = text.get(at) else {
                // The missing padding is reported where the group began, newlines not counted.
                return if count == 0 { Ok(out) } else { Err(at - count) };
            };
            at += 1;
            if let Some(value) = value_of(byte, BASE64) {
                groups[count] = value;
                count += 1;
            } else if !is_newline(byte) {
                if byte != b'=' {
                    return Err(at - 1);
                }
                finish_base64(text, at, count)?;
                pack(&mut out, &groups[..count], 6);
                return Ok(out);
            }
        }
        pack(&mut out, &groups, 6);
    }
}

/// Checks what follows the first `=` of a group of `count` values.
fn finish_base64(text: &[u8], mut at: usize, count: usize) -> Result<(), usize> {
    let skip = |mut at: usize| {
        while text.get(at).copied().is_some_and(is_newline) {
            at += 1;
        }
        at
    };
    match count {
        0 | 1 => return Err(at - 1),
        2 => {
            at = skip(at);
            match text.get(at) {
                None => return Err(text.len()),
                Some(b'=') => at += 1,
                Some(_) => return Err(at - 1),
            }
        }
        _ => {}
    }
    at = skip(at);
    if at < text.len() { Err(at) } else { Ok(()) }
}

/// `base32.StdEncoding.DecodeString`; offsets do not count newlines, which are dropped first.
fn decode_base32(text: &[u8]) -> Result<Vec<u8>, usize> {
    let text: Vec<u8> = text.iter().copied().filter(|&byte| !is_newline(byte)).collect();
    let mut out = Vec::with_capacity(text.len() / 8 * 5);
    let mut at = 0;
    while at < text.len() {
        let mut groups = [0; 8];
        let mut count = 0;
        while count < 8 {
            let Some(&byte) = text.get(at) else {
                return Err(text.len() - count);
            };
            at += 1;
            let rest = &text[at..];
            if byte == b'=' && count >= 2 && rest.len() < 8 {
                if rest.len() + count < 7 {
                    return Err(text.len());
                }
                let padding = 7 - count;
                if let Some(wrong) = rest.iter().take(padding).position(|&byte| byte != b'=') {
                    return Err((at + wrong).saturating_sub(1));
                }
                if matches!(count, 1 | 3 | 6) {
                    return Err(at - 1);
                }
                pack(&mut out, &groups[..count], 5);
                return Ok(out);
            }
            groups[count] = value_of(byte, BASE32).ok_or(at - 1)?;
            count += 1;
        }
        pack(&mut out, &groups, 5);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_encoded_decodes(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(decode_base64(&base64(&bytes)), Ok(bytes.clone()));
            prop_assert_eq!(decode_base32(&encode_base32(&bytes)), Ok(bytes));
        }

        #[test]
        fn decoding_never_panics(text in proptest::collection::vec(prop_oneof![Just(b'='), Just(b'\n'), Just(b'A'), any::<u8>()], 0..20)) {
            let _ = decode_base64(&text);
            let _ = decode_base32(&text);
        }
    }
}
