//! `.helmignore` (`pkg/ignore/rules.go`). Not git's rules: see each oddity below.

use super::path_match::{BadPattern, matches};

/// The rules of one chart, the built-in one included.
#[derive(Debug, Default)]
pub struct Rules(Vec<Rule>);

#[derive(Debug)]
struct Rule {
    pattern: String,
    negated: bool,
    directories_only: bool,
    whole_path: bool,
}

impl Rules {
    /// Reads a `.helmignore` and adds Helm's own rule, which hides dotfiles directly below `templates/`.
    ///
    /// # Errors
    /// Helm's text for the first rule it refuses.
    pub fn parse(text: &str) -> Result<Rules, String> {
        let mut rules = Rules::default();
        for line in text
            .trim_start_matches('\u{feff}')
            .lines()
            .chain(["templates/.?*"])
        {
            rules.0.extend(Rule::parse(line)?);
        }
        Ok(rules)
    }

    /// True when the path (relative to the chart) is left out. The first decisive rule wins; a negated rule
    /// leaves out everything that it does not match.
    pub fn ignores(&self, path: &str, is_directory: bool) -> bool {
        for rule in &self.0 {
            let wrong_kind = rule.directories_only && !is_directory;
            if rule.negated {
                if wrong_kind || !rule.matches(path) {
                    return true;
                }
            } else if !wrong_kind && rule.matches(path) {
                return true;
            }
        }
        false
    }
}

impl Rule {
    fn parse(line: &str) -> Result<Option<Rule>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        if line.contains("**") {
            return Err("double-star (**) syntax is not supported".to_owned());
        }
        matches(line, "abc").map_err(|BadPattern| BadPattern::TEXT.to_owned())?;
        let (negated, line) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (directories_only, line) = line.strip_suffix('/').map_or((false, line), |rest| (true, rest));
        let (pattern, whole_path) = match line.strip_prefix('/') {
            Some(rest) => (rest, true),
            None => (line, line.contains('/')),
        };
        Ok(Some(Rule {
            pattern: pattern.to_owned(),
            negated,
            directories_only,
            whole_path,
        }))
    }

    fn matches(&self, path: &str) -> bool {
        let name = if self.whole_path {
            path
        } else {
            path.rsplit('/').next().unwrap_or(path)
        };
        matches(&self.pattern, name) == Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negated_rule_leaves_out_all_else() {
        let rules = Rules::parse("!a.txt\n").unwrap();
        assert!(rules.ignores("Chart.yaml", false));
        assert!(!rules.ignores("a.txt", false));
    }

    #[test]
    fn dotfiles_of_templates_are_hidden() {
        let rules = Rules::parse("").unwrap();
        assert!(rules.ignores("templates/.hidden", false));
        assert!(!rules.ignores("templates/a.yaml", false) && !rules.ignores("x/templates/.hidden", false));
    }

    #[test]
    fn bad_rules_are_refused() {
        assert_eq!(
            Rules::parse("a/**/b").unwrap_err(),
            "double-star (**) syntax is not supported"
        );
        assert_eq!(Rules::parse("[a").unwrap_err(), "syntax error in pattern");
    }
}
