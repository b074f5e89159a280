//! Constraints: groups of comparators, `||` between groups, blank or comma within
//! (`Masterminds/semver/constraints.go`).

use super::version::{Version, compare_pre};
use regex::Regex;
use std::cmp::Ordering;
use std::sync::LazyLock;

const VERSION: &str = r"v?([0-9|x|X|\*]+)(\.[0-9|x|X|\*]+)?(\.[0-9|x|X|\*]+)?(-([0-9A-Za-z\-]+(\.[0-9A-Za-z\-]+)*))?(\+([0-9A-Za-z\-]+(\.[0-9A-Za-z\-]+)*))?";
const OPERATOR: &str = r"=||!=|>|<|>=|=>|<=|=<|~|~>|\^";

fn pattern(text: &str) -> Regex {
    let text = text.replace("OP", OPERATOR).replace("CV", VERSION);
    Regex::new(&text).expect("the patterns are constants")
}

static ONE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(OP)\s*(CV)\s*$"));
static RANGE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s*(CV)\s+-\s+(CV)\s*"));
static FIND: LazyLock<Regex> = LazyLock::new(|| pattern(r"(OP)\s*(CV)"));
static VALID: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(\s*(OP)\s*(CV)\s*)((?:\s+|,\s*)(OP)\s*(CV)\s*)*$"));

/// A parsed constraint.
#[derive(Clone, Debug)]
pub struct Constraints {
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Group {
    comparators: Vec<Comparator>,
    /// Pre-releases count when any comparator of the group has one.
    with_pre: bool,
}

#[derive(Clone, Debug)]
struct Comparator {
    operator: String,
    version: Version,
    /// Some part is missing or a wildcard; then which.
    dirty: bool,
    minor_dirty: bool,
    patch_dirty: bool,
}

impl Constraints {
    /// Reads a constraint (`semver.NewConstraint`).
    ///
    /// # Errors
    /// The part that is no constraint.
    pub fn parse(text: &str) -> Result<Constraints, String> {
        let text = rewrite_ranges(text);
        let groups = text.split("||").map(Group::parse).collect::<Result<_, _>>()?;
        Ok(Constraints { groups })
    }

    /// True when the version satisfies every comparator of a group.
    pub fn allows(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| {
            (group.with_pre || version.pre.is_empty())
                && group
                    .comparators
                    .iter()
                    .all(|comparator| comparator.allows(version))
        })
    }
}

impl Group {
    fn parse(text: &str) -> Result<Group, String> {
        if !VALID.is_match(text) {
            return Err(text.to_owned());
        }
        let comparators = FIND
            .find_iter(text)
            .map(|found| Comparator::parse(found.as_str()))
            .collect::<Result<Vec<_>, _>>()?;
        let with_pre = comparators
            .iter()
            .any(|comparator| !comparator.version.pre.is_empty());
        Ok(Group {
            comparators,
            with_pre,
        })
    }
}

impl Comparator {
    fn parse(text: &str) -> Result<Comparator, String> {
        let parts = ONE.captures(text).ok_or_else(|| text.to_owned())?;
        let part = |at: usize| parts.get(at).map_or("", |found| found.as_str());
        let open = |part: &str| matches!(part.trim_start_matches('.'), "" | "x" | "X" | "*");
        let (mut dirty, mut minor_dirty, mut patch_dirty) = (true, false, false);
        let version = if open(part(3)) {
            format!("0.0.0{}", part(6))
        } else if open(part(4)) {
            minor_dirty = true;
            format!("{}.0.0{}", part(3), part(6))
        } else if open(part(5)) {
            patch_dirty = true;
            format!("{}{}.0{}", part(3), part(4), part(6))
        } else {
            dirty = false;
            part(2).to_owned()
        };
        let version = Version::parse(&version).map_err(|_| "constraint parser error".to_owned())?;
        Ok(Comparator {
            operator: part(1).to_owned(),
            version,
            dirty,
            minor_dirty,
            patch_dirty,
        })
    }

    fn allows(&self, version: &Version) -> bool {
        match self.operator.as_str() {
            "" | "=" if !self.dirty => version.compare(&self.version) == Ordering::Equal,
            "" | "=" | "~" | "~>" => self.tilde(version),
            "!=" => self.not_equal(version),
            ">" => self.greater(version),
            "<" => version.compare(&self.version) == Ordering::Less,
            ">=" | "=>" => version.compare(&self.version) != Ordering::Less,
            "<=" | "=<" => self.less_or_equal(version),
            _ => self.caret(version),
        }
    }

    fn not_equal(&self, version: &Version) -> bool {
        if self.dirty {
            if self.version.major != version.major {
                return true;
            }
            if self.minor_dirty {
                return false;
            }
            if self.version.minor != version.minor {
                return true;
            }
            if self.patch_dirty {
                return compare_pre(&version.pre, &self.version.pre).is_ne();
            }
            if self.version.patch != version.patch {
                return true;
            }
        }
        version.compare(&self.version) != Ordering::Equal
    }

    fn greater(&self, version: &Version) -> bool {
        if self.dirty && version.major != self.version.major {
            return version.major > self.version.major;
        }
        if self.minor_dirty {
            return false;
        }
        if self.patch_dirty {
            return version.minor > self.version.minor;
        }
        version.compare(&self.version) == Ordering::Greater
    }

    fn less_or_equal(&self, version: &Version) -> bool {
        if !self.dirty {
            return version.compare(&self.version) != Ordering::Greater;
        }
        let same_major = version.major == self.version.major;
        version.major <= self.version.major
            && !(same_major && version.minor > self.version.minor && !self.minor_dirty)
    }

    fn tilde(&self, version: &Version) -> bool {
        if version.compare(&self.version) == Ordering::Less {
            return false;
        }
        let wanted = &self.version;
        let is_zero = (wanted.major, wanted.minor, wanted.patch) == (0, 0, 0);
        if is_zero && !self.minor_dirty && !self.patch_dirty {
            return true;
        }
        version.major == wanted.major && (version.minor == wanted.minor || self.minor_dirty)
    }

    fn caret(&self, version: &Version) -> bool {
        let wanted = &self.version;
        if version.compare(wanted) == Ordering::Less {
            return false;
        }
        if wanted.major > 0 || self.minor_dirty {
            return version.major == wanted.major;
        }
        if version.major > 0 {
            return false;
        }
        if wanted.minor > 0 || self.patch_dirty {
            return version.minor == wanted.minor;
        }
        version.minor == 0 && version.patch == wanted.patch
    }
}

/// `A - B` is `>= A, <= B`.
fn rewrite_ranges(text: &str) -> String {
    let mut rewritten = text.to_owned();
    for range in RANGE.captures_iter(text) {
        rewritten = rewritten.replacen(&range[0], &format!(">= {}, <= {} ", &range[1], &range[11]), 1);
    }
    rewritten
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pre_releases_count_for_the_whole_group() {
        let allows = |constraint, version| crate::semver::is_compatible_range(constraint, version);
        assert!(allows(">=1.19-0 <1.30", "1.25.0-gke.1"));
        assert!(!allows(">=1.19", "v1.19.3-gke.100"));
        assert!(allows("1.2 - 1.4", "1.3.9") && !allows("foo", "1.0.0"));
    }

    proptest! {
        #[test]
        fn any_text_ends_in_an_answer(text in ".{0,20}") {
            let _ = Constraints::parse(&text);
        }
    }
}
