//! What a repository cannot say of itself and its owner can: the versions of cluster and Helm, the platforms, the
//! namespace. What is not chosen stays a guess, and the file says so.

use super::super::{kube_version, names, read};
use super::draft::Draft;
use super::entry::line;
use super::flow::scalar;
use super::hints::{self, Hint};
use crate::dialect::Dialect;
use std::collections::BTreeSet;

/// What was chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The version of the cluster.
    pub kube_version: Option<String>,
    /// The Helm that deploys.
    pub dialect: Option<Dialect>,
    /// These platforms and no others.
    pub platforms: Option<BTreeSet<String>>,
    /// The namespace of charts whose own is not known.
    pub namespace: Option<String>,
}

/// What stands in the file where nothing is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guesses {
    /// The version of the cluster and the file that names it.
    pub kube_version: Option<(String, String)>,
    /// The Helm.
    pub dialect: Dialect,
    /// The file that names the Helm.
    pub dialect_from: Option<String>,
    /// The platforms.
    pub platforms: BTreeSet<String>,
    /// The namespace, where a chart's own is not known.
    pub namespace: Option<String>,
}

/// A cluster version as it is written.
///
/// # Errors
/// Why it is none.
pub fn kube_version(text: &str) -> Result<String, String> {
    match kube_version::fault(text) {
        None => Ok(text.to_owned()),
        Some(fault) => Err(format!("`{text}` {fault}; write it as v1.36.2")),
    }
}

/// A Helm that is imitated.
///
/// # Errors
/// Which there are.
pub fn helm_version(text: &str) -> Result<Dialect, String> {
    Dialect::parse(text).ok_or_else(|| {
        let known = names::listed(Dialect::ALL.into_iter().map(Dialect::name));
        format!("Helm `{text}` is not imitated; known are {known}")
    })
}

/// The name of a platform.
///
/// # Errors
/// Why it is none.
pub fn platform(text: &str) -> Result<String, String> {
    match read::is_platform_name(text) {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "`{text}` cannot be the name of a platform: letters, digits, - _ and . only"
        )),
    }
}

/// The name of a namespace.
///
/// # Errors
/// Why it is none.
pub fn namespace(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let fine = (1..=63).contains(&text.len())
        && text.chars().all(|c| plain(c) || c == '-')
        && text.starts_with(plain)
        && text.ends_with(plain);
    match fine {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "`{text}` cannot be a namespace: small letters, digits and - only, 63 at most"
        )),
    }
}

impl Draft {
    /// What stands in the file where nothing is chosen.
    pub(super) fn guesses(&self) -> Guesses {
        let (dialect, _) = self.dialect();
        let open = self.entries.iter().find(|entry| entry.namespace_is_guessed());
        Guesses {
            kube_version: self
                .hints
                .kube
                .as_ref()
                .map(|hint| (hint.version.clone(), hint.file.clone())),
            dialect,
            dialect_from: self
                .hints
                .helm
                .as_ref()
                .filter(|hint| hints::dialect(&hint.version).is_some())
                .map(|hint| hint.file.clone()),
            platforms: self.platforms.clone(),
            namespace: open.and_then(|entry| entry.namespace.clone()),
        }
    }

    /// Takes what was chosen instead of what was found.
    pub(super) fn choose(&mut self) {
        if let Some(namespace) = &self.choices.namespace {
            for entry in self
                .entries
                .iter_mut()
                .filter(|entry| entry.namespace_is_guessed())
            {
                entry.namespace = Some(namespace.clone());
                entry.namespace_hint = false;
            }
        }
        if let Some(chosen) = &self.choices.platforms {
            let all = self.entries.len();
            self.entries.retain_mut(|entry| {
                let everywhere = entry.platforms.is_empty();
                entry.platforms.retain(|name| chosen.contains(name));
                everywhere || !entry.platforms.is_empty()
            });
            self.platforms = chosen.clone();
            let left_out = all - self.entries.len();
            if left_out > 0 {
                self.found
                    .push(format!("{left_out} entries of other platforms are left out"));
            }
        }
    }

    /// The Helm, and the words that say why it is that one; none where it was chosen.
    fn dialect(&self) -> (Dialect, Option<String>) {
        if let Some(dialect) = self.choices.dialect {
            return (dialect, None);
        }
        let Some(hint) = &self.hints.helm else {
            return (Dialect::NEWEST, Some("the Helm you deploy with".to_owned()));
        };
        let Hint { version, file } = hint;
        match hints::dialect(version) {
            Some(dialect) => (dialect, Some(format!("{file} says {version}"))),
            None => (
                Dialect::NEWEST,
                Some(format!("{file} says {version}, which is not imitated")),
            ),
        }
    }

    /// The lines of the versions.
    pub(super) fn write_versions(&self, text: &mut String) {
        let kube = match (&self.choices.kube_version, &self.hints.kube) {
            (Some(version), _) => format!("kubeVersion: {}", scalar(version)),
            (None, Some(hint)) => format!(
                "kubeVersion: {}   # as in {}: make it the version of your cluster",
                scalar(&hint.version),
                hint.file
            ),
            (None, None) => {
                "# kubeVersion: v1.36.2   # the version of your cluster: nothing in this repository says it"
                    .to_owned()
            }
        };
        line(text, &kube);
        let (dialect, why) = self.dialect();
        let known = names::listed(Dialect::ALL.into_iter().map(Dialect::name));
        let why = why.map(|why| format!("{why}; ")).unwrap_or_default();
        line(
            text,
            &format!("helmVersion: \"{dialect}\"   # {why}known are {known}"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_chosen() {
        assert_eq!(kube_version("v1.36.2"), Ok("v1.36.2".to_owned()));
        assert!(kube_version("latest").unwrap_err().contains("v1.36.2"));
        assert_eq!(helm_version("3.19.4"), Ok(Dialect::V3_19));
        assert!(helm_version("2").unwrap_err().contains("`3.19`, `4.3`"));
        assert!(platform("gpu-1").is_ok() && platform("a b").is_err() && platform("").is_err());
        assert!(namespace("ai-stack").is_ok());
        for bad in ["", "Apps", "-a", "a-", "a_b", &"a".repeat(64)] {
            assert!(namespace(bad).is_err(), "{bad}");
        }
    }
}
