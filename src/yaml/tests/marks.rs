//! Positions and oddities.

use super::super::*;

fn marks(node: &Node, out: &mut Vec<(String, u32, u32)>) {
    for entry in node.entries() {
        out.push((entry.key.to_string(), entry.mark.line, entry.mark.column));
        out.push((
            format!("={}", entry.value.as_str().unwrap_or("-")),
            entry.value.mark.line,
            entry.value.mark.column,
        ));
        marks(&entry.value, out);
    }
    for item in node.items() {
        out.push((
            format!("-{}", item.as_str().unwrap_or("")),
            item.mark.line,
            item.mark.column,
        ));
        marks(item, out);
    }
}

#[test]
fn keys_and_values_know_where_they_stand() {
    let text = "é: x # c\nb:\n  - äö\n  - {c: d, 'e': \"f\"}\ng:\nh: &a !t |\n  text\ni:   *a\n";
    let parsed = parse_first(text.as_bytes()).unwrap();
    let mut found = Vec::new();
    marks(&parsed.node, &mut found);
    let expected = [
        ("é", 1, 1),
        ("=x", 1, 4),
        ("b", 2, 1),
        ("=-", 3, 3),
        ("-äö", 3, 5),
        ("-", 4, 5),
        ("c", 4, 6),
        ("=d", 4, 9),
        ("e", 4, 12),
        ("=f", 4, 17),
        ("g", 5, 1),
        ("=-", 5, 3),
        ("h", 6, 1),
        ("=text\n", 6, 4),
        ("i", 8, 1),
        ("=text\n", 6, 4),
    ];
    let expected: Vec<_> = expected.iter().map(|&(t, l, c)| (t.to_owned(), l, c)).collect();
    assert_eq!(found, expected);
    let b = parsed.node.entry("b").unwrap();
    assert_eq!(&text[b.mark.offset as usize..][..1], "b");
}

#[test]
fn a_byte_order_mark_moves_offsets_only() {
    let parsed = parse_first("\u{FEFF}a: 1".as_bytes()).unwrap();
    let entry = parsed.node.entry("a").unwrap();
    assert_eq!((entry.mark.line, entry.mark.column, entry.mark.offset), (1, 1, 3));
}

#[test]
fn the_end_of_the_first_document_is_known() {
    let text = b"a: 1\n---\nb: 2\n...\nc: 3\n";
    let first = parse_first(text).unwrap();
    assert_eq!(&text[first.end..first.end + 3], b"---");
    let stream = parse_stream(&text[..17]);
    assert_eq!(stream.documents.len(), 2);
    assert_eq!(stream.documents[1].end, 17);
    assert_eq!(stream.error, None);
    let broken = parse_stream(text);
    assert_eq!(broken.documents.len(), 2);
    assert!(broken.error.is_some());
}

#[test]
fn oddities_are_told_with_both_places() {
    let text = b"a: yes\nb: 010\na: 2\nm: &m {x: 1}\nk:\n  x: 2\n  <<: *m\n  y: 1_0\n";
    let parsed = parse_first(text).unwrap();
    let told: Vec<_> = parsed
        .oddities
        .iter()
        .map(|oddity| (oddity.mark.line, oddity.mark.column, oddity.kind.clone()))
        .collect();
    let spelled = |written: &str, spelling| OddityKind::Spelling {
        written: written.into(),
        spelling,
    };
    let at = |line, column, offset| Mark { line, column, offset };
    assert_eq!(
        told,
        [
            (1, 4, spelled("yes", Spelling::Boolean)),
            (2, 4, spelled("010", Spelling::LeadingZero)),
            (
                3,
                1,
                OddityKind::DuplicateKey {
                    key: "a".into(),
                    first: at(1, 1, 0)
                }
            ),
            (7, 3, OddityKind::MergeKey),
            (
                4,
                8,
                OddityKind::MergeReplaces {
                    key: "x".into(),
                    first: at(6, 3, 37)
                }
            ),
            (8, 3, spelled("y", Spelling::Boolean)),
            (8, 6, spelled("1_0", Spelling::Underscores)),
        ]
    );
}
