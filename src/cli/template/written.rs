//! `--output-dir`: documents to files (`writeToFile` of `pkg/action/action.go` and `pkg/cmd/template.go`).

use std::collections::BTreeSet;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

type Files = Vec<(String, Vec<u8>)>;

/// Writes CRDs, manifests and hooks below a directory and tells each write on standard output. With the name of the
/// release all but the CRDs go into a directory of that name.
pub(super) fn write(
    files: &[Files; 3],
    directory: &str,
    release: Option<&str>,
    stdout: &mut Vec<u8>,
) -> Result<(), String> {
    let [crds, manifests, hooks] = files;
    let below = match release {
        Some(release) => format!("{}/{release}", directory.trim_end_matches('/')),
        None => directory.to_owned(),
    };
    let mut seen = BTreeSet::new();
    for (place, files) in [(directory, crds), (&below, manifests)] {
        for (name, text) in files {
            let more = !seen.insert(name.as_str());
            one(place, name, text, more, stdout)?;
        }
    }
    for (name, text) in hooks {
        let more = Path::new(&below).join(name).exists();
        one(&below, name, text, more, stdout)?;
    }
    Ok(())
}

fn one(directory: &str, name: &str, text: &[u8], append: bool, stdout: &mut Vec<u8>) -> Result<(), String> {
    let path = format!("{directory}/{name}");
    open(Path::new(&path), append)
        .and_then(|mut file| file.write_all(text))
        .map_err(|error| format!("open {path}: {error}"))?;
    stdout.extend_from_slice(format!("wrote {path}\n").as_bytes());
    Ok(())
}

fn open(path: &Path, append: bool) -> io::Result<File> {
    if let Some(directory) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o755).create(directory)?;
    }
    let mut options = OpenOptions::new();
    if append {
        options.append(true).mode(0o600);
    } else {
        options.write(true).create(true).truncate(true).mode(0o666);
    }
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_of_one_file_are_appended() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().to_str().unwrap();
        let entry = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        let manifests = vec![entry("c/a", "1"), entry("c/a", "2"), entry("c/b", "3")];
        let files = [vec![entry("crd", "0")], manifests, vec![entry("c/a", "4")]];
        let mut stdout = Vec::new();
        write(&files, directory, Some("r"), &mut stdout).unwrap();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!((read("crd").as_str(), read("r/c/a").as_str()), ("0", "124"));
        assert_eq!(String::from_utf8(stdout).unwrap().lines().count(), 5);
    }
}
