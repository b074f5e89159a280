//! `WitnessEngine`: renders with the real `helm` binary.
//!
//! Helm sees the files of the job's tree and nothing else: no environment, no settings, no network, no
//! cluster. Everything it reads lies in a private folder that is gone after the run.

mod arguments;
mod binary;
mod inline;
mod layout;
mod names;
mod private_dir;
mod process;
#[cfg(test)]
mod tests;
mod told;

use self::binary::Binary;
use self::layout::{Fault, Layout};
use self::names::Names;
use self::private_dir::PrivateDir;
use self::process::{Call, Output, Processes};
use super::contract::{Engine, RenderFailure, RenderJob, Rendered, SetKind, ValuesInput};
use crate::base::interrupt::{OnInterrupt, on_interrupt};
use crate::base::{Digest, Place, Problem};
use crate::dialect::Dialect;
use crate::source::{SourceError, SourceTree};
use crate::yaml::Node;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Where helm is found and where it may work.
#[derive(Clone, Debug)]
pub struct WitnessOptions {
    /// Binaries named by the user (`--helm-bin`), for one dialect each.
    pub helm_bin: Vec<PathBuf>,
    /// Where `helm` is looked for when none is named (`PATH`).
    pub search_path: Option<OsString>,
    /// Where the private folder is made.
    pub temporary: PathBuf,
}

/// The engine that asks real Helm.
pub struct WitnessEngine {
    binaries: Vec<Binary>,
    processes: Arc<Processes>,
    layouts: Mutex<Vec<Arc<Layout>>>,
    home: PathBuf,
    inline: PathBuf,
    /// The files there; each is written once, for helm may be reading it.
    inline_written: Mutex<BTreeSet<String>>,
    // the folder goes before the guard that would remove it on a signal
    private: PrivateDir,
    _guard: OnInterrupt,
}

impl WitnessEngine {
    /// Finds helm and makes the private folder.
    ///
    /// # Errors
    /// When there is no helm, or no folder can be made.
    pub fn new(options: &WitnessOptions) -> Result<WitnessEngine, Problem> {
        let no_folder = |error: std::io::Error| {
            let place = options.temporary.display();
            Problem::new(format!("no private folder can be made in {place}: {error}"))
                .remedy("set TMPDIR to a directory that can be written to")
        };
        let processes = Arc::new(Processes::new(options.search_path.clone()));
        let announced: Arc<OnceLock<PathBuf>> = Arc::default();
        let guard = {
            let (processes, announced) = (processes.clone(), announced.clone());
            on_interrupt(move || {
                processes.stop();
                if let Some(path) = announced.get() {
                    private_dir::remove(path);
                }
            })
        };
        let private = PrivateDir::create(&options.temporary, |path| {
            // Announced once, by the one creation.
            let _ = announced.set(path.to_path_buf());
        })
        .map_err(no_folder)?;
        let [home, inline] = ["home", "inline"].map(|name| private.path().join(name));
        for folder in [&home, &inline] {
            std::fs::create_dir(folder).map_err(no_folder)?;
        }
        let binaries = binary::find(
            &options.helm_bin,
            options.search_path.as_deref(),
            &processes,
            &home,
        )?;
        Ok(WitnessEngine {
            binaries,
            processes,
            layouts: Mutex::default(),
            home,
            inline,
            inline_written: Mutex::default(),
            private,
            _guard: guard,
        })
    }

    /// Tells, before any work, whether a Helm of this dialect is at hand; gives its version.
    ///
    /// # Errors
    /// Which Helm was found instead, and how to get the right one.
    pub fn require(&self, dialect: Dialect) -> Result<&str, Problem> {
        binary::of_dialect(&self.binaries, dialect).map(|binary| binary.version.as_str())
    }

    /// The folder of a tree, one for all cells.
    fn layout(&self, tree: &Arc<dyn SourceTree>) -> Result<Arc<Layout>, RenderFailure> {
        let mut layouts = self.layouts.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |layout: &&Arc<Layout>| std::ptr::addr_eq(Arc::as_ptr(layout.tree()), Arc::as_ptr(tree));
        if let Some(layout) = layouts.iter().find(same) {
            return Ok(layout.clone());
        }
        let root = self.private.path().join(format!("tree-{}", layouts.len() + 1));
        let layout = Layout::create(root, tree.clone())
            .map_err(|error| internal(format!("no private folder can be made: {error}")))?;
        layouts.push(Arc::new(layout));
        Ok(layouts[layouts.len() - 1].clone())
    }

    /// Puts the values where helm can read them; gives their paths as helm is told them, and where each stands
    /// in the user's files.
    fn values(&self, job: &RenderJob, layout: &Layout) -> Result<Vec<(String, Place)>, RenderFailure> {
        let mut paths = Vec::with_capacity(job.values.len());
        for values in &job.values {
            match values {
                ValuesInput::File(path) => {
                    provide_or_leave(layout, path)?;
                    paths.push((path.clone(), Place::file(path.as_str())));
                }
                ValuesInput::Inline { node, file } => {
                    let name = self.inline(node, file)?;
                    let place = Place::new(file.clone(), node.mark.line, node.mark.column);
                    paths.push((format!("../inline/{name}"), place));
                }
            }
        }
        Ok(paths)
    }

    /// Writes a map of the configuration to a file of its own name, the same for the same map.
    fn inline(&self, node: &Node, config: &str) -> Result<String, RenderFailure> {
        let text = inline::text(node);
        let digest = Digest::of("evenkeel inline values 1", text.as_bytes()).hex();
        let config = config.rsplit('/').next().unwrap_or(config);
        let name = format!("{config}-line-{}-{}.json", node.mark.line, &digest[..16]);
        let mut written = self.inline_written.lock().unwrap_or_else(PoisonError::into_inner);
        if !written.contains(&name) {
            std::fs::write(self.inline.join(&name), text)
                .map_err(|error| internal(format!("inline values cannot be written: {error}")))?;
            written.insert(name.clone());
        }
        Ok(name)
    }

    fn set_files(&self, job: &RenderJob, layout: &Layout) -> Result<(), RenderFailure> {
        for set in job.set.iter().filter(|set| set.kind == SetKind::File) {
            for path in arguments::set_files(&set.expression) {
                if path == "-" || path.contains("://") {
                    return Err(RenderFailure {
                        message: format!(
                            "--set-file {}: `{path}` is no file of the tree, and nothing else can be read",
                            set.expression
                        ),
                        place: set.place.clone(),
                        include_trace: Vec::new(),
                        internal: false,
                    });
                }
                provide_or_leave(layout, &path)?;
            }
        }
        Ok(())
    }

    /// Takes the private folder out of what helm said.
    fn tidy(&self, text: &[u8], layout: &Layout) -> String {
        let text = String::from_utf8_lossy(text);
        let root = layout.root().display().to_string();
        text.replace(&format!("{root}/"), "").replace(&root, ".")
    }

    fn failure(
        &self,
        job: &RenderJob,
        layout: &Layout,
        values: &[(String, Place)],
        output: &Output,
    ) -> RenderFailure {
        let stderr = self.tidy(&output.stderr, layout);
        match output.code {
            Some(1) => {}
            Some(code) => return internal(format!("helm ended with code {code}: {}", first_lines(&stderr))),
            None => return internal("helm was killed".to_string()),
        }
        let message = told::message(&stderr);
        if message.is_empty() {
            return internal("helm failed and did not say why".to_string());
        }
        let names = Names {
            tree: &*job.tree,
            chart: &job.chart,
        };
        let (place, include_trace) = told::place(&message, &names, values);
        let inline = values.iter().filter(|(path, _)| path.starts_with("../inline/"));
        let message = inline.fold(message, |message, (path, _)| {
            message.replace(path, "inline values")
        });
        RenderFailure {
            message,
            place,
            include_trace,
            internal: false,
        }
    }

    fn ask(&self, job: &RenderJob) -> Result<Rendered, RenderFailure> {
        let binary = binary::of_dialect(&self.binaries, job.dialect)
            .map_err(|problem| internal(problem.to_string()))?;
        let layout = self.layout(&job.tree)?;
        layout.provide(&job.chart).map_err(fault)?;
        let values = self.values(job, &layout)?;
        self.set_files(job, &layout)?;
        let output = self
            .processes
            .run(&Call {
                program: &binary.path,
                arguments: &arguments::template(job, &values),
                folder: layout.root(),
                home: &self.home,
            })
            .map_err(internal)?;
        if output.code != Some(0) {
            return Err(self.failure(job, &layout, &values, &output));
        }
        Ok(Rendered {
            warnings: told::warnings(&self.tidy(&output.stderr, &layout)),
            output: output.stdout,
            parsed: Vec::new(),
            history: None,
        })
    }
}

impl Engine for WitnessEngine {
    fn name(&self) -> &'static str {
        "witness"
    }

    fn ready(&self, dialect: Dialect) -> Result<(), Problem> {
        self.require(dialect).map(|_| ())
    }

    fn knows_ambient(&self) -> bool {
        false
    }

    fn render(&self, job: &RenderJob) -> Result<Rendered, RenderFailure> {
        let result = self.ask(job);
        self.processes.hold_if_stopped();
        result
    }
}

/// Puts a file; one that is not in the tree is left for helm to miss.
fn provide_or_leave(layout: &Layout, path: &str) -> Result<(), RenderFailure> {
    match layout.provide(path) {
        Err(Fault::Source(SourceError { missing: true, .. })) => Ok(()),
        result => result.map_err(fault),
    }
}

fn fault(fault: Fault) -> RenderFailure {
    match fault {
        Fault::Source(error) => RenderFailure {
            message: error.to_string(),
            place: Some(Place::file(error.path)),
            include_trace: Vec::new(),
            internal: false,
        },
        Fault::Disk(message) => internal(message),
    }
}

fn internal(message: String) -> RenderFailure {
    RenderFailure {
        message,
        place: None,
        include_trace: Vec::new(),
        internal: true,
    }
}

fn first_lines(text: &str) -> String {
    text.lines().take(3).collect::<Vec<_>>().join("; ")
}

/// A real Helm to compare with, when one is at hand: named by `EVENKEEL_HELM_4_3` or `EVENKEEL_HELM_3_19`, or
/// fetched by `scripts/witness.sh`.
#[cfg(test)]
pub(crate) fn helm_for_tests(dialect: Dialect) -> Option<PathBuf> {
    let variable = format!("EVENKEEL_HELM_{}", dialect.name().replace('.', "_"));
    if let Some(path) = std::env::var_os(&variable) {
        return Some(path.into());
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/helm");
    let prefix = format!("helm-{}", dialect.name());
    let fetched = std::fs::read_dir(folder).into_iter().flatten().flatten();
    fetched.map(|entry| entry.path()).find(|path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(&prefix))
    })
}
