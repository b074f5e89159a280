//! The nearest known name to a misspelt one.

/// The known name that a user most likely meant; `None` when nothing is near. Case, `-` and `_` do not
/// count, so that `kube_version` finds `kubeVersion`. Of equally near names the first wins.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let plain = plain(word);
    // One slip in four letters, and never so many that a short word matches anything.
    let allowed = plain.chars().count().div_ceil(4);
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&plain, &self::plain(name)), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// `, did you mean X?` for the nearest known name, or nothing.
pub(super) fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(word, known)
        .map(|name| format!(", did you mean `{name}`?"))
        .unwrap_or_default()
}

/// The names as a sentence lists them: "`a`, `b`, `c`".
pub(super) fn listed<'k>(names: impl IntoIterator<Item = &'k str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn plain(word: &str) -> String {
    word.chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_other_spellings_find_the_name() {
        let known = ["kubeVersion", "platforms", "releases", "set"];
        assert_eq!(nearest("platfrms", known), Some("platforms"));
        assert_eq!(nearest("kube_version", known), Some("kubeVersion"));
        assert_eq!(nearest("kube-version", known), Some("kubeVersion"));
        assert_eq!(nearest("sets", known), Some("set"));
        assert_eq!(nearest("charts", known), None);
        assert_eq!(nearest("", known), None);
    }
}
