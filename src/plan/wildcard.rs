//! Names with wildcards: `*` stands for any run of characters (also none), `?` for one. Unlike a path
//! glob `*` crosses `/`, because release ids may hold one.

/// True when the whole of `name` fits `pattern`.
pub fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    // Where to go back to when a letter does not fit: behind the last star, one letter further.
    let mut back: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                back = Some((p + 1, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    p = star;
                    n = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stars_and_question_marks() {
        assert!(fits("*", ""));
        assert!(fits("web*", "web-api"));
        assert!(fits("*/gpu-?", "core/gpu-a"));
        assert!(fits("a*b*c", "aXbYbZc"));
        assert!(!fits("a*b", "abc"));
        assert!(!fits("?", ""));
    }

    proptest! {
        #[test]
        fn a_name_fits_itself_and_every_cut_with_a_star(name in "[a-z/.-]{0,12}", at in 0usize..13) {
            prop_assert!(fits(&name, &name));
            let at = at.min(name.len());
            let pattern = format!("{}*", &name[..at]);
            prop_assert!(fits(&pattern, &name));
        }
    }
}
