//! Properties that hold for every input.

use proptest::prelude::*;

use super::super::*;

/// Runs with the stack cells have.
fn deep(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse_stream(&bytes);
    }

    #[test]
    fn any_yaml_like_text_is_read_or_refused(text in "[-a:\\[\\]{},?&*!|>'\"%@`# \n\t<.0-9~\\\\\u{85}\u{2028}\u{FEFF}]{0,60}") {
        let stream = parse_stream(text.as_bytes());
        for document in stream.documents {
            prop_assert!(document.end <= text.len());
        }
    }
}

#[test]
fn nesting_ends_where_go_ends() {
    deep(|| {
        for (open, close) in [("[", "]"), ("{a: ", "}")] {
            let ok = format!("{}{}", open.repeat(9_000), close.repeat(9_000));
            assert!(parse_first(ok.as_bytes()).is_ok(), "{open}");
            let bad = open.repeat(10_001);
            let error = parse_first(bad.as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), "yaml: exceeded max depth of 10000");
        }
        let blocks = "- ".repeat(10_001);
        let error = parse_first(blocks.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "yaml: exceeded max depth of 10000");
        let both = format!("{}{}", "- ".repeat(6_000), "[".repeat(6_000) + &"]".repeat(6_000));
        let error = parse_first(both.as_bytes()).unwrap_err();
        assert!(error.wrapped().ends_with("exceeded max depth"), "{error}");
    });
}

#[test]
fn aliases_that_multiply_are_refused() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        text.push_str(&format!("a{level}: &a{level} [{below}]\n"));
    }
    let error = parse_first(text.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "yaml: document contains excessive aliasing");
}

#[test]
fn refused_characters_are_told_unless_the_document_ends_before() {
    let control = "yaml: control characters are not allowed";
    assert_eq!(parse_first(b"a: \x01").unwrap_err().to_string(), control);
    let mut far = b"a: 1\n---\n".to_vec();
    far.extend(std::iter::repeat_n(b'x', 600));
    far.push(1);
    assert!(parse_first(&far).is_ok());
    let near = b"a: 1\n---\nb: \x01";
    assert_eq!(parse_first(near).unwrap_err().to_string(), control);
    assert_eq!(
        parse_first(b"a: \xff").unwrap_err().to_string(),
        "yaml: invalid leading UTF-8 octet"
    );
}
