//! Counting and listing in English, in one place.

/// `1 document`, `2 documents`; the plural is the noun with an `s`, or an `ies` for a `y`.
pub(super) fn plural(count: usize, noun: &str) -> String {
    format!("{} {}", number(count), noun_for(count, noun))
}

/// The noun alone, in the number that the count asks for.
pub(super) fn noun_for(count: usize, noun: &str) -> String {
    if count == 1 {
        return noun.to_owned();
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
}

/// `1 document differs`, `2 documents differ`: the verb without its `s`.
pub(super) fn verb(count: usize, verb: &str) -> String {
    format!("{verb}{}", if count == 1 { "s" } else { "" })
}

/// `12,345`.
pub(super) fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_things() {
        assert_eq!(plural(1, "document"), "1 document");
        assert_eq!(plural(0, "document"), "0 documents");
        assert_eq!(plural(1234567, "key"), "1,234,567 keys");
        assert_eq!(plural(2, "entry"), "2 entries");
        assert_eq!(number(100), "100");
        assert_eq!(number(1000), "1,000");
        assert_eq!(verb(1, "differ"), "differs");
        assert_eq!(verb(0, "differ"), "differ");
    }

    #[test]
    fn lists() {
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b"]), "a and b");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }
}
