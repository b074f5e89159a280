//! Comma-separated lists in flags, as pflag reads them with Go's `encoding/csv`.

/// The fields of the first line.
pub(super) fn fields(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let mut fields = Vec::new();
    let mut rest = text;
    loop {
        let (field, behind) = match rest.strip_prefix('"') {
            Some(quoted) => in_quotes(quoted),
            None => match rest.find(',') {
                Some(at) => (rest[..at].to_owned(), &rest[at..]),
                None => (rest.to_owned(), ""),
            },
        };
        fields.push(field);
        match behind.strip_prefix(',') {
            Some(next) => rest = next,
            None => return fields,
        }
    }
}

/// A field in quotes, doubled quotes inside standing for one, and what follows it.
fn in_quotes(text: &str) -> (String, &str) {
    let mut field = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('"') {
        field.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.strip_prefix('"') {
            Some(next) => {
                field.push('"');
                rest = next;
            }
            None => return (field, rest),
        }
    }
    field.push_str(rest);
    (field, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_quotes_do_not_split() {
        assert_eq!(fields("a,b"), ["a", "b"]);
        assert_eq!(fields("\"a,b\",c"), ["a,b", "c"]);
        assert_eq!(fields("\"a\"\"b\""), ["a\"b"]);
        assert_eq!(fields("a,"), ["a", ""]);
        assert!(fields("").is_empty());
    }
}
