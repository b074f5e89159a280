//! Corners of go-yaml that no measured vector holds; every outcome was taken from Helm 4.3.1's `fromYaml`.

use super::super::*;

fn error(text: &str) -> String {
    unmarshal_map(text.as_bytes()).unwrap_err()
}

fn conversion(text: &str, problem: &str) {
    assert_eq!(
        error(text),
        format!("error converting YAML to JSON: {problem}"),
        "{text:?}"
    );
}

#[test]
fn empty_flow_collections_are_no_keys() {
    // The scanner forgets to wait for the colon, so the collection is the whole document.
    assert!(error("[]: a").ends_with("cannot unmarshal array into Go value of type map[string]interface {}"));
    assert!(unmarshal_map(b"{}: a").unwrap().node.entries().is_empty());
    conversion("k: v\n{}}x!", "yaml: line 1: did not find expected key");
    conversion("- []: x", "yaml: did not find expected '-' indicator");
    conversion("[[]: 1]", "yaml: invalid map key: []interface {}{}");
}

#[test]
fn keys_that_json_cannot_have() {
    let refused = "unsupported map key of type: ";
    conversion(
        "~: a\n? \n: b",
        &format!("{refused}%!s(<nil>), key: <nil>, value: \"b\""),
    );
    conversion(
        "18446744073709551615: a",
        &format!("{refused}uint64, key: 0xffffffffffffffff, value: \"a\""),
    );
    conversion(
        "? ? a\n: b",
        "yaml: invalid map key: map[interface {}]interface {}{\"a\":interface {}(nil)}",
    );
}

#[test]
fn tags_and_directives() {
    let number = unmarshal_map(b"a: !<tag:yaml.org,2002:int> '7'").unwrap();
    assert_eq!(
        number.node.get("a").unwrap().kind,
        NodeKind::Number(Number::Int(7))
    );
    conversion(
        "a: !!float 9223372036854775808",
        "yaml: cannot decode !!int `9223372036854775808` as a !!float",
    );
    conversion("a: !x!y z", "yaml: found undefined tag handle");
    conversion("%FOO\n---\na: 1", "yaml: found unknown directive name");
    conversion(
        "%YAML 1.1\n%YAML 1.1\n---\n",
        "yaml: line 1: found duplicate %YAML directive",
    );
}

#[test]
fn tabs_marks_and_breaks() {
    conversion(
        "a: |\n\tx",
        "yaml: line 2: found a tab character where an indentation space is expected",
    );
    conversion(
        "a: b\n\tc: d",
        "yaml: line 2: found a tab character that violates indentation",
    );
    conversion(
        "a: \"x\n---\ny\"",
        "yaml: line 2: found unexpected document indicator",
    );
    conversion("a: 'x'\n'y'", "yaml: line 3: could not find expected ':'");
    conversion("[? : x]", "yaml: did not find expected ',' or ']'");
    let marked = unmarshal_map("\u{FEFF}\u{FEFF}a: 1".as_bytes()).unwrap();
    assert!(marked.node.get("a").is_some());
}

#[test]
fn string_fields_take_numbers() {
    // Measured with `appVersion` of a Chart.yaml, in both dialects.
    for (written, field) in [
        ("1.10", "1.1"),
        ("1e7", "1e+07"),
        ("yes", "true"),
        ("0x1F", "31"),
        ("1_000.5", "1000.5"),
        ("3.14159265358979", "3.1415927"),
        ("-0", "0"),
        ("-0.0", "-0"),
        ("18446744073709551615", "18446744073709551615"),
        ("123456789.0", "1.2345679e+08"),
        ("0.00001", "1e-05"),
    ] {
        let node = parse_first(written.as_bytes()).unwrap().node;
        assert_eq!(node.string_field().as_deref(), Some(field), "{written}");
    }
    assert_eq!(parse_first(b"~").unwrap().node.string_field(), None);
}
