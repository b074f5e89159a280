//! The folder of pins. A pin is written whole or not at all and never overwritten silently.

use super::read;
use super::record::Pin;
use crate::base::{Problem, atomic};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What to do about a pin that is already there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse, and say what it holds.
    Keep,
    /// Put the new one in its place.
    Replace,
}

/// A folder of pins, `baselines/` as a rule.
pub struct Store {
    folder: PathBuf,
    shown: String,
}

impl Store {
    /// The pins of a folder. `shown` is how messages call it.
    pub fn new(folder: impl Into<PathBuf>, shown: impl Into<String>) -> Store {
        Store {
            folder: folder.into(),
            shown: shown.into(),
        }
    }

    /// True when there is a pin of this name, readable or not.
    pub fn contains(&self, name: &str) -> bool {
        is_name(name) && self.path(name).is_file()
    }

    /// The names of all pins, sorted.
    pub fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .filter_map(Result::ok)
            .filter_map(|entry| {
                entry
                    .file_name()
                    .to_str()?
                    .strip_suffix(".yaml")
                    .map(str::to_owned)
            })
            .filter(|name| is_name(name))
            .collect();
        names.sort();
        names
    }

    /// Reads a pin.
    ///
    /// # Errors
    /// When there is none of that name, with the nearest names; or everything that is wrong with the file.
    pub fn read(&self, name: &str) -> Result<Pin, Vec<Problem>> {
        if !self.contains(name) {
            return Err(vec![self.unknown(name)]);
        }
        let shown = self.shown(name);
        match fs::read(self.path(name)) {
            Ok(bytes) => read::read(&shown, name, &bytes),
            Err(error) => Err(vec![Problem::new(format!("cannot read {shown}: {error}"))]),
        }
    }

    /// Writes a pin, making the folder. Writing the same bytes again is no overwriting.
    ///
    /// # Errors
    /// When the name is no file name, when there is one already and it is to be kept, or when the file system
    /// refuses.
    pub fn write(&self, pin: &Pin, existing: Existing) -> Result<PathBuf, Problem> {
        let shown = self.shown(&pin.name);
        if !is_name(&pin.name) {
            return Err(
                Problem::new(format!("`{}` cannot be the name of a pin", pin.name))
                    .remedy("use letters, digits, `.`, `_` and `-`, beginning with a letter or digit"),
            );
        }
        let path = self.path(&pin.name);
        let text = super::write::write(pin);
        if fs::read(&path).is_ok_and(|bytes| bytes == text.as_bytes()) {
            return Ok(path);
        }
        let mode = match existing {
            Existing::Keep => atomic::Existing::Keep,
            Existing::Replace => atomic::Existing::Replace,
        };
        match atomic::write(&path, mode, |out| out.write_all(text.as_bytes())) {
            Ok(()) => Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(self.taken(pin)),
            Err(error) => Err(Problem::new(format!("cannot write {shown}: {error}"))),
        }
    }

    fn taken(&self, pin: &Pin) -> Problem {
        let name = &pin.name;
        let holds = match self.read(name) {
            Ok(old) if old.sha == pin.sha => "holds other digests for the same commit".to_owned(),
            Ok(old) => format!("pins {} ({})", old.requested, short(&old.sha)),
            Err(_) => "is not readable".to_owned(),
        };
        Problem::new(format!(
            "the pin {name} is there already: {} {holds}, the new one pins {} ({})",
            self.shown(name),
            pin.requested,
            short(&pin.sha)
        ))
        .remedy("--force overwrites it, --name OTHER keeps both")
    }

    /// The names that look most like one that is not there.
    pub fn nearest(&self, name: &str) -> Vec<String> {
        let mut near: Vec<(usize, String)> = self
            .names()
            .into_iter()
            .map(|known| (strsim::osa_distance(name, &known), known))
            .filter(|(distance, known)| *distance <= (known.len() / 3).clamp(1, 4))
            .collect();
        near.sort();
        near.into_iter().take(3).map(|(_, known)| known).collect()
    }

    fn unknown(&self, name: &str) -> Problem {
        let names = self.names();
        let problem = Problem::new(format!("there is no pin `{name}` in {}", self.shown));
        let near = self.nearest(name);
        match (near.is_empty(), names.is_empty()) {
            (false, _) => problem.remedy(format!("did you mean {}?", near.join(" or "))),
            (true, true) => problem.remedy(format!("make one: evenkeel pin REV --name {name}")),
            (true, false) => {
                let some: Vec<&str> = names.iter().take(8).map(String::as_str).collect();
                let more = names.len().saturating_sub(some.len());
                let more = if more > 0 {
                    format!(" and {more} more")
                } else {
                    String::new()
                };
                problem.remedy(format!("there are: {}{more}", some.join(", ")))
            }
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.yaml"))
    }

    fn shown(&self, name: &str) -> String {
        Path::new(&self.shown)
            .join(format!("{name}.yaml"))
            .to_string_lossy()
            .into_owned()
    }
}

fn short(sha: &str) -> &str {
    sha.get(..12).unwrap_or(sha)
}

/// What can be the name of a pin: a file name on every system, and nothing that could be a path or a flag.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.len() <= 100
        && name
            .bytes()
            .all(|c| c.is_ascii_alphanumeric() || b"._-".contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::record::tests::pin;

    fn store() -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(dir.path().join("baselines"), "baselines");
        (dir, store)
    }

    #[test]
    fn a_pin_is_never_overwritten_silently() {
        let (_dir, store) = store();
        store.write(&pin(), Existing::Keep).unwrap();
        store
            .write(&pin(), Existing::Keep)
            .expect("the same bytes are no change");
        let mut other = pin();
        other.sha = "b83d0e5f1a2c4967d8e0f1a2b3c4d5e6f7089abc".into();
        other.requested = "v2".into();
        let problem = store.write(&other, Existing::Keep).unwrap_err().to_string();
        assert_eq!(
            problem,
            "the pin v1 is there already: baselines/v1.yaml pins origin/main (4f1c9a2be07d), the new one pins v2 \
             (b83d0e5f1a2c)\n  help: --force overwrites it, --name OTHER keeps both"
        );
        assert_eq!(store.read("v1").unwrap(), pin());
        store.write(&other, Existing::Replace).unwrap();
        assert_eq!(store.read("v1").unwrap(), other);
        assert_eq!(store.names(), ["v1"]);
    }

    #[test]
    fn unknown_names_come_with_the_nearest() {
        let (_dir, store) = store();
        let told = |name: &str| store.read(name).unwrap_err()[0].to_string();
        assert!(told("v1").contains("evenkeel pin REV --name v1"));
        for name in ["release-1", "before-merge"] {
            let mut pin = pin();
            pin.name = name.into();
            store.write(&pin, Existing::Keep).unwrap();
        }
        assert!(told("relase-1").contains("did you mean release-1?"));
        assert!(told("zzz").contains("there are: before-merge, release-1"));
        assert!(told("../release-1").contains("no pin"));
    }

    #[test]
    fn names_are_file_names() {
        let (_dir, store) = store();
        for name in ["", "a/b", "..", "-f", ".hidden", "a b"] {
            let mut pin = pin();
            pin.name = name.into();
            assert!(store.write(&pin, Existing::Keep).is_err(), "{name}");
            assert!(!store.contains(name));
        }
    }
}
