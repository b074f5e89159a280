//! DER and PEM, as much of them as keys and certificates need.

use super::encoding::decode_base64;
use crate::value::convert::base64;
use num_bigint::BigUint;

pub(super) const BOOLEAN: u8 = 0x01;
pub(super) const INTEGER: u8 = 0x02;
pub(super) const BIT_STRING: u8 = 0x03;
pub(super) const OCTET_STRING: u8 = 0x04;
pub(super) const OID: u8 = 0x06;
pub(super) const UTF8_STRING: u8 = 0x0c;
pub(super) const PRINTABLE_STRING: u8 = 0x13;
pub(super) const UTC_TIME: u8 = 0x17;
pub(super) const GENERALIZED_TIME: u8 = 0x18;
pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const SET: u8 = 0x31;

/// One element: tag, length, content.
pub(super) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let mut out = vec![tag];
    if content.len() < 0x80 {
        out.push(u8::try_from(content.len()).unwrap_or_default());
    } else {
        let bytes = content.len().to_be_bytes();
        let skipped = bytes.iter().take_while(|byte| **byte == 0).count();
        out.push(0x80 | u8::try_from(bytes.len() - skipped).unwrap_or_default());
        out.extend_from_slice(&bytes[skipped..]);
    }
    out.extend_from_slice(&content);
    out
}

pub(super) fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    element(SEQUENCE, parts)
}

/// A number that is not negative.
pub(super) fn integer(number: &BigUint) -> Vec<u8> {
    let bytes = number.to_bytes_be();
    let sign: &[u8] = if bytes[0] >= 0x80 { &[0] } else { &[] };
    element(INTEGER, &[sign, &bytes])
}

/// A bit string of whole bytes.
pub(super) fn bits(bytes: &[u8]) -> Vec<u8> {
    element(BIT_STRING, &[&[0], bytes])
}

/// Reads elements one after another.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a>(pub &'a [u8]);

/// An element that was read.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    pub tag: u8,
    pub content: &'a [u8],
    /// Tag and length included.
    pub whole: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The next element, whatever it is.
    pub(super) fn any(&mut self) -> Option<Element<'a>> {
        let all = self.0;
        let (&[tag, first], rest) = all.split_first_chunk()?;
        let (length, rest) = if first < 0x80 {
            (usize::from(first), rest)
        } else {
            let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            if bytes.is_empty() || bytes.len() > 4 {
                return None;
            }
            let length = bytes
                .iter()
                .fold(0, |length, byte| length << 8 | usize::from(*byte));
            (length, rest)
        };
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some(Element {
            tag,
            content,
            whole: &all[..all.len() - rest.len()],
        })
    }

    /// The next element, if it is of this kind.
    pub(super) fn next(&mut self, tag: u8) -> Option<Element<'a>> {
        self.any().filter(|element| element.tag == tag)
    }

    /// Reads into the next element.
    pub(super) fn inside(&mut self, tag: u8) -> Option<Reader<'a>> {
        self.next(tag).map(|element| Reader(element.content))
    }

    /// A number that is not negative.
    pub(super) fn number(&mut self) -> Option<BigUint> {
        let content = self.next(INTEGER)?.content;
        (*content.first()? < 0x80).then(|| BigUint::from_bytes_be(content))
    }
}

/// A PEM block.
pub(super) fn pem(label: &str, der: &[u8]) -> String {
    let mut out = format!("-----BEGIN {label}-----\n");
    for line in base64(der).chunks(64) {
        out.push_str(&String::from_utf8_lossy(line));
        out.push('\n');
    }
    out.push_str(&format!("-----END {label}-----\n"));
    out
}

/// The first PEM block in a text: its label and content (`pem.Decode`).
pub(super) fn unpem(text: &[u8]) -> Option<(String, Vec<u8>)> {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let label = line.trim_end().strip_prefix("-----BEGIN ");
        let Some(label) = label.and_then(|rest| rest.strip_suffix("-----")) else {
            continue;
        };
        let end = format!("-----END {label}-----");
        let mut body = Vec::new();
        let mut rest = lines.clone();
        let closed = rest.by_ref().any(|line| {
            let line = line.trim();
            if line == end {
                return true;
            }
            // Headers, such as those of encrypted keys, are no part of the content.
            if !line.contains(':') {
                body.extend(line.bytes().filter(|byte| !byte.is_ascii_whitespace()));
            }
            false
        });
        if closed && let Ok(content) = decode_base64(&body) {
            return Some((label.to_owned(), content));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_reads_back(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let number = BigUint::from_bytes_be(&bytes);
            let der = sequence(&[&integer(&number), &element(OCTET_STRING, &[&bytes])]);
            let (label, content) = unpem(pem("THING", &der).as_bytes()).expect("a block");
            prop_assert_eq!(label, "THING");
            let mut inside = Reader(&content).inside(SEQUENCE).expect("a sequence");
            prop_assert_eq!(inside.number(), Some(number));
            prop_assert_eq!(inside.next(OCTET_STRING).expect("bytes").content, &bytes[..]);
        }

        #[test]
        fn reading_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let mut reader = Reader(&bytes);
            while reader.any().is_some() {}
            let _ = unpem(&bytes);
        }
    }
}
