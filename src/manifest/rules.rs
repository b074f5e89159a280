//! `Rule` and `Rules`: what the canonical form sets aside, by name.

use std::fmt;

/// One thing that two texts may differ in without a difference in what Kubernetes receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Comments.
    Comments,
    /// The order of the documents of a render.
    DocumentOrder,
    /// Documents that hold nothing.
    EmptyDocuments,
    /// The order of the keys of a map.
    KeyOrder,
    /// The order of lists that the API merges by key and gives no meaning to.
    MapLists,
    /// Null fields that the API drops.
    NullFields,
    /// The notation of a number: 1.0 and 1.
    NumberForm,
    /// A namespace that is written out and the one that would be filled in.
    ReleaseNamespace,
    /// Quotes, block and flow style, anchors, spellings of booleans and of null.
    ScalarStyle,
    /// The `# Source` line.
    SourceComment,
    /// Labels that hold a chart or app version, and checksums that follow them. Off by default.
    VersionLabels,
    /// Indentation, blank lines, line ends, folded lines.
    Whitespace,
}

impl Rule {
    /// Every rule, sorted by name.
    pub const ALL: [Rule; 12] = [
        Rule::Comments,
        Rule::DocumentOrder,
        Rule::EmptyDocuments,
        Rule::KeyOrder,
        Rule::MapLists,
        Rule::NullFields,
        Rule::NumberForm,
        Rule::ReleaseNamespace,
        Rule::ScalarStyle,
        Rule::SourceComment,
        Rule::VersionLabels,
        Rule::Whitespace,
    ];

    /// The name in configuration and reports.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Comments => "comments",
            Rule::DocumentOrder => "document-order",
            Rule::EmptyDocuments => "empty-documents",
            Rule::KeyOrder => "key-order",
            Rule::MapLists => "map-lists",
            Rule::NullFields => "null-fields",
            Rule::NumberForm => "number-form",
            Rule::ReleaseNamespace => "release-namespace",
            Rule::ScalarStyle => "scalar-style",
            Rule::SourceComment => "source-comment",
            Rule::VersionLabels => "version-labels",
            Rule::Whitespace => "whitespace",
        }
    }

    /// The rule of a name.
    pub fn from_name(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rules(u16);

impl Default for Rules {
    /// All rules but `version-labels`.
    fn default() -> Rules {
        Rules::all().without(Rule::VersionLabels)
    }
}

impl Rules {
    /// No rule.
    pub fn none() -> Rules {
        Rules(0)
    }

    /// Every rule.
    pub fn all() -> Rules {
        Rules::of(&Rule::ALL)
    }

    /// The set of some rules.
    pub const fn of(rules: &[Rule]) -> Rules {
        let mut bits = 0;
        let mut at = 0;
        while at < rules.len() {
            bits |= rules[at].bit();
            at += 1;
        }
        Rules(bits)
    }

    /// True when the rule is in the set.
    pub fn has(self, rule: Rule) -> bool {
        self.0 & rule.bit() != 0
    }

    /// True when the set holds no rule.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// This set with one more rule.
    #[must_use]
    pub fn with(self, rule: Rule) -> Rules {
        Rules(self.0 | rule.bit())
    }

    /// This set without a rule.
    #[must_use]
    pub fn without(self, rule: Rule) -> Rules {
        Rules(self.0 & !rule.bit())
    }

    /// The rules of this set that are not in another.
    #[must_use]
    pub fn minus(self, other: Rules) -> Rules {
        Rules(self.0 & !other.0)
    }

    /// The rules of both sets.
    #[must_use]
    pub fn and(self, other: Rules) -> Rules {
        Rules(self.0 | other.0)
    }

    /// The rules, sorted by name.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.into_iter().filter(move |rule| self.has(*rule))
    }
}

impl FromIterator<Rule> for Rules {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Rules {
        rules.into_iter().fold(Rules::none(), Rules::with)
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Rule::name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_read_back() {
        let names: Vec<&str> = Rule::ALL.into_iter().map(Rule::name).collect();
        assert!(names.is_sorted());
        assert!(
            Rule::ALL
                .into_iter()
                .all(|rule| Rule::from_name(rule.name()) == Some(rule))
        );
        assert_eq!(Rule::from_name("comment"), None);
    }

    #[test]
    fn sets_add_and_take_away() {
        let rules = Rules::default();
        assert!(!rules.has(Rule::VersionLabels) && rules.has(Rule::Whitespace));
        assert_eq!(rules.without(Rule::KeyOrder).with(Rule::KeyOrder), rules);
        assert_eq!(
            Rules::all().minus(rules).iter().collect::<Vec<_>>(),
            [Rule::VersionLabels]
        );
    }
}
