//! The `helm` binaries that are at hand, and which Helm each of them is.

use super::process::{Call, Processes};
use crate::base::Problem;
use crate::dialect::Dialect;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// One binary and what it says of itself.
pub(super) struct Binary {
    pub(super) path: PathBuf,
    pub(super) version: String,
    pub(super) dialect: Option<Dialect>,
}

const GET_IT: &str = "`scripts/witness.sh` of evenkeel's repository fetches the Helm of each dialect";

/// Looks at the binaries named by the user, or at the first `helm` on the search path.
pub(super) fn find(
    named: &[PathBuf],
    search_path: Option<&OsStr>,
    processes: &Processes,
    home: &Path,
) -> Result<Vec<Binary>, Problem> {
    if named.is_empty() {
        let Some(path) = on_path(search_path) else {
            return Err(Problem::new("there is no `helm` on the search path")
                .remedy(format!("name one with `--helm-bin PATH`; {GET_IT}")));
        };
        return Ok(vec![look_at(&path, processes, home)?]);
    }
    named.iter().map(|path| look_at(path, processes, home)).collect()
}

fn on_path(search_path: Option<&OsStr>) -> Option<PathBuf> {
    std::env::split_paths(search_path?)
        .map(|folder| folder.join("helm"))
        .find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Asks a binary for its version.
fn look_at(path: &Path, processes: &Processes, home: &Path) -> Result<Binary, Problem> {
    let failed = |reason: String| {
        Problem::new(format!("{}: {reason}", path.display()))
            .remedy(format!("name a helm binary with `--helm-bin PATH`; {GET_IT}"))
    };
    if !is_program(path) {
        return Err(failed("is not a program that can be run".into()));
    }
    // no link is followed: some installations tell by the name what to run
    let path = std::path::absolute(path).map_err(|error| failed(format!("cannot be found: {error}")))?;
    let call = Call {
        program: &path,
        arguments: &["version".into(), "--template={{.Version}}".into()],
        folder: home,
        home,
    };
    let output = processes.run(&call).map_err(failed)?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_string();
    let is_version = version.starts_with('v') && version[1..].starts_with(|c: char| c.is_ascii_digit());
    if output.code != Some(0) || !is_version {
        let told = String::from_utf8_lossy(&output.stderr);
        let told = told
            .lines()
            .next()
            .map(|line| format!(" ({line})"))
            .unwrap_or_default();
        return Err(failed(format!(
            "does not answer `helm version` as Helm does{told}; name the binary itself, not a wrapper of a version \
             manager"
        )));
    }
    Ok(Binary {
        dialect: Dialect::parse(&version),
        path,
        version,
    })
}

/// The binary of a dialect; another patch of the same line will do.
pub(super) fn of_dialect(binaries: &[Binary], dialect: Dialect) -> Result<&Binary, Problem> {
    if let Some(binary) = binaries.iter().find(|binary| binary.dialect == Some(dialect)) {
        return Ok(binary);
    }
    let found: Vec<String> = binaries
        .iter()
        .map(|binary| format!("{} is Helm {}", binary.path.display(), binary.version))
        .collect();
    let known: Vec<String> = binaries
        .iter()
        .filter_map(|binary| binary.dialect)
        .map(|dialect| format!("`helmVersion: \"{dialect}\"`"))
        .collect();
    let alternative = match known.first() {
        Some(setting) => format!(", or set {setting} in evenkeel.yaml if that is the Helm you deploy with"),
        None => String::new(),
    };
    Err(
        Problem::new(format!("Helm {dialect} is wanted, but {}", found.join(", "))).remedy(format!(
            "name a Helm {dialect} with `--helm-bin PATH` ({GET_IT}){alternative}"
        )),
    )
}
