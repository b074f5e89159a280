//! A tree's files on disk, for helm to read: only what is asked for, each at the path it has in the tree, so
//! that links lead where they lead in the tree and messages name the user's paths.

use crate::source::{EntryKind, SourceError, SourceTree};
use std::collections::BTreeSet;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Why something could not be laid out.
pub(super) enum Fault {
    /// The tree does not hold it, or holds it in a way that cannot be used.
    Source(SourceError),
    /// The disk is at fault.
    Disk(String),
}

impl From<SourceError> for Fault {
    fn from(error: SourceError) -> Fault {
        Fault::Source(error)
    }
}

/// One tree's folder.
pub(super) struct Layout {
    root: PathBuf,
    tree: Arc<dyn SourceTree>,
    placed: Mutex<Placed>,
}

/// What is there already.
#[derive(Default)]
struct Placed {
    /// Files are written once: helm may be reading them.
    files: BTreeSet<String>,
    /// Directories with all below them and all that their links lead to.
    whole: BTreeSet<String>,
}

impl Layout {
    pub(super) fn create(root: PathBuf, tree: Arc<dyn SourceTree>) -> io::Result<Layout> {
        std::fs::create_dir(&root)?;
        Ok(Layout {
            root,
            tree,
            placed: Mutex::default(),
        })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn tree(&self) -> &Arc<dyn SourceTree> {
        &self.tree
    }

    /// Puts a file, or a directory with all below it, and all that their links lead to.
    pub(super) fn provide(&self, path: &str) -> Result<(), Fault> {
        let mut placed = self.placed.lock().unwrap_or_else(PoisonError::into_inner);
        if placed.whole.contains(path) || placed.files.contains(path) {
            return Ok(());
        }
        let mut work = Work {
            layout: self,
            placed: &mut placed,
            begun: Vec::new(),
        };
        let result = work.place(path);
        if result.is_err() {
            // what failed half-way has to fail again
            for directory in work.begun {
                placed.whole.remove(&directory);
            }
        }
        result
    }
}

struct Work<'l> {
    layout: &'l Layout,
    placed: &'l mut Placed,
    /// Directories that are being placed or were placed by this work.
    begun: Vec<String>,
}

impl Work<'_> {
    fn disk(&self, path: &str, result: io::Result<()>) -> Result<(), Fault> {
        result.map_err(|error| {
            Fault::Disk(format!(
                "{path} cannot be written below {}: {error}",
                self.layout.root.display()
            ))
        })
    }

    /// Walks to a path as a file system does, putting the directories and links on the way.
    fn place(&mut self, path: &str) -> Result<(), Fault> {
        if self.layout.tree.entry(path)?.is_none() {
            return Err(self.missing(path));
        }
        let mut steps: Vec<String> = path.rsplit('/').map(str::to_string).collect();
        let mut here = String::new();
        while let Some(step) = steps.pop() {
            match step.as_str() {
                "" | "." => continue,
                ".." => {
                    here.truncate(here.rfind('/').unwrap_or(0));
                    continue;
                }
                _ => {}
            }
            let next = join(&here, &step);
            match self.layout.tree.entry(&next)? {
                Some(EntryKind::Symlink(target)) => {
                    // one step more makes the tree follow the link, and say what is wrong with it
                    self.layout.tree.entry(&join(&next, "."))?;
                    self.link(&next, &target)?;
                    steps.extend(target.rsplit('/').map(str::to_string));
                }
                Some(EntryKind::Directory) => {
                    here = next;
                    self.directory(&here)?;
                }
                Some(EntryKind::File { executable }) => return self.file(&next, executable),
                Some(EntryKind::Submodule) | None => return Err(self.missing(path)),
            }
        }
        self.all_below(&here)
    }

    /// The tree's own account of why a path leads nowhere.
    fn missing(&self, path: &str) -> Fault {
        match self.layout.tree.read(path) {
            Err(error) => Fault::Source(error),
            Ok(_) => Fault::Source(SourceError::new(path, "changed while it was read; run again")),
        }
    }

    fn all_below(&mut self, directory: &str) -> Result<(), Fault> {
        if !self.placed.whole.insert(directory.to_string()) {
            return Ok(());
        }
        self.begun.push(directory.to_string());
        for (name, kind) in self.layout.tree.list(directory)? {
            let path = join(directory, &name);
            match kind {
                EntryKind::Directory => {
                    self.directory(&path)?;
                    self.all_below(&path)?;
                }
                EntryKind::File { executable } => self.file(&path, executable)?,
                EntryKind::Symlink(_) => self.place(&path)?,
                EntryKind::Submodule => return Err(self.missing(&path)),
            }
        }
        Ok(())
    }

    fn directory(&self, path: &str) -> Result<(), Fault> {
        match std::fs::create_dir(self.layout.root.join(path)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => self.disk(path, Err(error)),
            _ => Ok(()),
        }
    }

    fn link(&self, path: &str, target: &str) -> Result<(), Fault> {
        match symlink(target, self.layout.root.join(path)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => self.disk(path, Err(error)),
            _ => Ok(()),
        }
    }

    fn file(&mut self, path: &str, executable: bool) -> Result<(), Fault> {
        if self.placed.files.contains(path) {
            return Ok(());
        }
        let bytes = self.layout.tree.read(path)?;
        let place = self.layout.root.join(path);
        self.disk(path, std::fs::write(&place, bytes))?;
        if executable {
            let mode = std::fs::Permissions::from_mode(0o700);
            self.disk(path, std::fs::set_permissions(&place, mode))?;
        }
        self.placed.files.insert(path.to_string());
        Ok(())
    }
}

fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() {
        name.to_string()
    } else {
        format!("{directory}/{name}")
    }
}
