//! The combinators between a failed schema and its cause. boon drops an `allOf`, `anyOf` or `oneOf` of which one
//! branch failed; Helm's validator tells it (`validator.go`, `addErrors`), so it is put back from the
//! location of the cause.

/// A combinator that was left out, and how many steps of the instance's path lie below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skipped {
    pub(super) words: &'static str,
    pub(super) below: usize,
}

/// The combinators on the way from one schema to another, outermost first. Locations are URLs with a JSON pointer.
pub(super) fn skipped(from: &str, to: &str) -> Vec<Skipped> {
    let Some(rest) = to.strip_prefix(from.trim_end_matches('#')) else {
        return Vec::new();
    };
    let steps: Vec<&str> = rest
        .trim_start_matches('#')
        .split('/')
        .filter(|step| !step.is_empty())
        .collect();
    let mut found: Vec<(&'static str, usize)> = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while let Some(&step) = steps.get(at) {
        let (words, length, down) = match step {
            "allOf" => (Some("'allOf' failed"), 2, 0),
            "anyOf" => (Some("'anyOf' failed"), 2, 0),
            "oneOf" => (Some("'oneOf' failed, none matched"), 2, 0),
            "properties" | "patternProperties" | "prefixItems" => (None, 2, 1),
            "items" => {
                let is_list = steps
                    .get(at + 1)
                    .is_some_and(|next| next.parse::<usize>().is_ok());
                (None, 1 + usize::from(is_list), 1)
            }
            "additionalProperties"
            | "additionalItems"
            | "contains"
            | "unevaluatedItems"
            | "unevaluatedProperties" => (None, 1, 1),
            "dependentSchemas" | "dependencies" => (None, 2, 0),
            _ => (None, 1, 0),
        };
        if let Some(words) = words {
            found.push((words, depth));
        }
        depth += down;
        at += length;
    }
    let skipped = found.into_iter().map(|(words, above)| Skipped {
        words,
        below: depth - above,
    });
    skipped.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinators_are_found_at_their_depth() {
        let found = skipped(
            "file:///s#",
            "file:///s#/properties/a/anyOf/0/items/allOf/1/properties/b",
        );
        let found: Vec<(&str, usize)> = found.iter().map(|group| (group.words, group.below)).collect();
        assert_eq!(found, [("'anyOf' failed", 2), ("'allOf' failed", 1)]);
        assert_eq!(
            skipped("file:///s#/allOf/0", "file:///s#/allOf/0/properties/a"),
            []
        );
        assert_eq!(skipped("file:///other#", "file:///s#/allOf/0"), []);
    }
}
