//! Rendering one cell of one side into documents. One cell that fails, or panics, never stops the others.

use crate::base::Place;
use crate::dialect::Dialect;
use crate::engine::{Engine, History, RenderFailure, RenderJob};
use crate::manifest::Manifest;
use crate::plan::{Cell, Input};
use crate::source::SourceTree;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What one side of a cell came to.
#[derive(Clone)]
pub enum Outcome {
    /// It rendered.
    Rendered(Output),
    /// It failed.
    Failed(RenderFailure),
}

/// The documents of one side of a cell.
#[derive(Clone)]
pub struct Output {
    /// The documents.
    pub manifest: Manifest,
    /// Helm's warnings.
    pub warnings: Vec<String>,
    /// Where the bytes came from, when the engine knows.
    pub history: Option<Arc<History>>,
}

/// Renders a cell, or reads its raw manifests.
pub fn cell(cell: &Cell, tree: &Arc<dyn SourceTree>, dialect: Dialect, engine: &dyn Engine) -> Outcome {
    match (cell.job(tree.clone(), dialect), &cell.input) {
        (Some(mut job), _) => {
            job.traced = engine.knows_ambient();
            chart(&job, engine)
        }
        (None, Input::Manifests(paths)) => raw(paths, &**tree, &cell.namespace),
        (None, Input::Chart(_)) => unreachable!("a chart cell always has a job"),
    }
}

fn chart(job: &RenderJob, engine: &dyn Engine) -> Outcome {
    match guarded(|| engine.render(job)).flatten() {
        Ok(rendered) => Outcome::Rendered(Output {
            manifest: Manifest::read(rendered.output, &job.namespace),
            warnings: rendered.warnings,
            history: rendered.history,
        }),
        Err(failure) => Outcome::Failed(failure),
    }
}

/// Does some work of a cell; a panic is a failure of that cell.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, RenderFailure> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| fault_of_ours(&*panic))
}

fn raw(paths: &[String], tree: &dyn SourceTree, namespace: &str) -> Outcome {
    let mut files = Vec::new();
    for path in paths {
        match tree.read(path) {
            Ok(bytes) => files.push((Some(Arc::from(path.as_str())), bytes)),
            Err(error) => {
                return Outcome::Failed(RenderFailure {
                    message: error.message,
                    place: Some(Place::file(error.path)),
                    include_trace: Vec::new(),
                    internal: false,
                });
            }
        }
    }
    Outcome::Rendered(Output {
        manifest: Manifest::read_files(files, namespace),
        warnings: Vec::new(),
        history: None,
    })
}

fn fault_of_ours(panic: &(dyn std::any::Any + Send)) -> RenderFailure {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    RenderFailure {
        message: format!("evenkeel itself failed here, which is a bug to report: {text}"),
        place: None,
        include_trace: Vec::new(),
        internal: true,
    }
}
