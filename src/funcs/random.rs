//! Chance (`sprig` over goutils, google/uuid and `math/rand`). All of it comes out of the host's random
//! bytes, so that a verification can repeat it; the shapes are Go's, the numbers are nobody's.

use super::limits::check_bytes;
use super::runes;
use super::spec::{Answer, FuncSpec};
use crate::template::{Call, CallError, Effect, Param};
use crate::value::convert::base64;
use crate::value::rune;
use crate::value::{Text, Value};

/// The functions of this family.
pub static ROWS: &[FuncSpec] = &[
    RAND_ALPHA,
    RAND_ALPHA_NUM,
    RAND_ASCII,
    RAND_BYTES,
    RAND_INT,
    RAND_NUMERIC,
    SHUFFLE,
    UUIDV4,
];

const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const DIGITS: &[u8] = b"0123456789";

const fn random(name: &'static str, params: &'static [Param], body: super::spec::Body) -> FuncSpec {
    FuncSpec::new(name, params, body).effect(Effect::Random)
}

const RAND_ALPHA: FuncSpec = random("randAlpha", &[Param::Int], |call| drawn(call, LETTERS));
const RAND_NUMERIC: FuncSpec = random("randNumeric", &[Param::Int], |call| drawn(call, DIGITS));

/// Printable ASCII, the blank included.
const RAND_ASCII: FuncSpec = random("randAscii", &[Param::Int], |call| {
    let printable: Vec<u8> = (b' '..=b'~').collect();
    drawn(call, &printable)
});

/// goutils sees to it that there is a digit among them.
const RAND_ALPHA_NUM: FuncSpec = random("randAlphaNum", &[Param::Int], |call| {
    let both = [LETTERS, DIGITS].concat();
    let mut drawn = characters(call, &both)?;
    if !drawn.is_empty() && !drawn.iter().any(u8::is_ascii_digit) {
        let at = below(call, drawn.len());
        drawn[at] = DIGITS[below(call, DIGITS.len())];
    }
    Ok(Value::from(Text::from(drawn)))
});

fn drawn(call: &mut Call<'_>, alphabet: &[u8]) -> Answer {
    Ok(Value::from(Text::from(characters(call, alphabet)?)))
}

/// As many characters as argument 0 says; none below 1.
fn characters(call: &mut Call<'_>, alphabet: &[u8]) -> Result<Vec<u8>, CallError> {
    let count = usize::try_from(call.int(0)).unwrap_or(0);
    check_bytes(call, count, 8)?;
    let mut bytes = vec![0; count * 8];
    if count > 0 {
        call.host.random(&mut bytes);
    }
    let draws = bytes.chunks_exact(8).map(number);
    Ok(draws
        .map(|draw| alphabet[reduced(draw, alphabet.len())])
        .collect())
}

/// The number in eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// A number below `limit` out of one of 64 bits, whose surplus shows in no distribution.
fn reduced(draw: u64, limit: usize) -> usize {
    let limit = u64::try_from(limit).unwrap_or(u64::MAX).max(1);
    usize::try_from(draw % limit).unwrap_or(0)
}

fn draw(call: &mut Call<'_>) -> u64 {
    let mut bytes = [0; 8];
    call.host.random(&mut bytes);
    number(&bytes)
}

fn below(call: &mut Call<'_>, limit: usize) -> usize {
    reduced(draw(call), limit)
}

const RAND_BYTES: FuncSpec = random("randBytes", &[Param::Int], |call| {
    let Ok(count) = usize::try_from(call.int(0)) else {
        return Err(CallError::own("runtime error: makeslice: len out of range"));
    };
    check_bytes(call, count, 2)?;
    let mut bytes = vec![0; count];
    if count > 0 {
        call.host.random(&mut bytes);
    }
    Ok(Value::from(Text::from(base64(&bytes))))
});

/// From `min` up to but not including `max`.
const RAND_INT: FuncSpec = random("randInt", &[Param::Int, Param::Int], |call| {
    let (least, most) = (call.int(0), call.int(1));
    let width = most.wrapping_sub(least);
    if width <= 0 {
        return Err(CallError::own("invalid argument to Intn"));
    }
    let offset = (draw(call) % width.unsigned_abs()).cast_signed();
    Ok(Value::int(least.wrapping_add(offset)))
});

/// Fisher and Yates over runes.
const SHUFFLE: FuncSpec = random("shuffle", &[Param::Str], |call| {
    let mut all: Vec<char> = runes::runes(call.text(0).bytes()).map(|rune| rune.1).collect();
    for at in (1..all.len()).rev() {
        all.swap(at, below(call, at + 1));
    }
    let mut out = Vec::with_capacity(all.len());
    for rune in all {
        rune::push(&mut out, rune);
    }
    Ok(Value::from(Text::from(out)))
});

const UUIDV4: FuncSpec = random("uuidv4", &[], |call| {
    let mut bytes = [0; 16];
    call.host.random(&mut bytes);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut text = String::with_capacity(36);
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{byte:02x}"));
    }
    Ok(Value::str(text))
});

#[cfg(test)]
mod tests {
    use crate::funcs::tests::Bench;
    use crate::value::{Data, Value};

    fn text(name: &str, args: Vec<Value>) -> String {
        match Bench::default().call(name, args).expect("no error").data {
            Data::Str(text) => text.lossy().into_owned(),
            _ => panic!("{name} gives no string"),
        }
    }

    #[test]
    fn shapes() {
        for name in ["randAlpha", "randAlphaNum", "randAscii", "randNumeric"] {
            assert_eq!(text(name, vec![Value::int(12)]).len(), 12, "{name}");
            assert_eq!(text(name, vec![Value::int(-1)]), "", "{name}");
        }
        let with_digit = text("randAlphaNum", vec![Value::int(3)]);
        assert!(with_digit.bytes().any(|byte| byte.is_ascii_digit()));
        assert_eq!(text("randBytes", vec![Value::int(4)]).len(), 8);
        let uuid = text("uuidv4", Vec::new());
        let pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$";
        assert!(regex::Regex::new(pattern).unwrap().is_match(&uuid));
        let mut shuffled: Vec<char> = text("shuffle", vec![Value::from("abcé")]).chars().collect();
        shuffled.sort_unstable();
        assert_eq!(shuffled, ['a', 'b', 'c', 'é']);
    }

    #[test]
    fn an_empty_range_has_no_number() {
        let mut bench = Bench::default();
        assert!(bench.call("randInt", [Value::int(3), Value::int(3)]).is_err());
        let found = bench.call("randInt", [Value::int(-3), Value::int(-1)]).unwrap();
        assert!(matches!(found.data, Data::Int(_, -3..-1)));
    }
}
