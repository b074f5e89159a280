//! `NativeEngine`: renders without Helm.
//!
//! Charts are loaded and their templates parsed once per tree, and shared by all cells; everything else
//! belongs to one render on one thread.

mod cache;
mod checks;
mod places;
mod program;
mod schemas;
mod steps;
#[cfg(test)]
mod tests;

use super::ambient::Frozen;
use super::cluster::Declared;
use super::contract::{Engine, RenderFailure, RenderJob, Rendered};
use super::history::History;
use super::output::Selection;
use crate::base::Problem;
use crate::base::par::STACK_BYTES;
use crate::dialect::Dialect;
use crate::template::{AmbientSource, Limits};
use crate::yaml::Parsed;
use cache::Cache;
pub(super) use places::template_place;
use std::ops::Range;
use std::sync::Arc;
use steps::Render;

/// The built-in engine.
pub struct NativeEngine {
    cache: Cache,
    limits: Limits,
}

impl Default for NativeEngine {
    fn default() -> NativeEngine {
        NativeEngine::with_limits(Limits::on_stack_of(STACK_BYTES))
    }
}

/// Everything one call of `helm template` gives.
#[derive(Debug)]
pub struct Attempt {
    /// Helm's warnings, in order; there may be some before a failure.
    pub warnings: Vec<String>,
    /// The output, or why there is none.
    pub outcome: Result<Output, Failed>,
}

/// What a successful render gives.
#[derive(Debug, Default)]
pub struct Output {
    /// Standard output, or its last part where files are written.
    pub text: Vec<u8>,
    /// Documents of the text that were parsed on the way, for a traced job.
    pub parsed: Vec<(Range<usize>, Parsed)>,
    /// Where the text came from, for a traced job.
    pub history: Option<Arc<History>>,
    /// With `Target::Files`: names of files and what is appended to them, in Helm's order: CRDs, manifests,
    /// hooks.
    pub files: [Vec<(String, Vec<u8>)>; 3],
}

/// Where the documents go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// Standard output.
    #[default]
    Text,
    /// `--output-dir`
    Files,
}

/// A failed render.
#[derive(Debug)]
pub struct Failed {
    /// What and where.
    pub failure: RenderFailure,
    /// True when Helm adds a hint at `--debug`: the templates were reached.
    pub while_rendering: bool,
}

impl NativeEngine {
    /// An engine that knows no chart yet.
    pub fn new() -> NativeEngine {
        NativeEngine::default()
    }

    /// An engine whose renders end at other bounds.
    pub fn with_limits(limits: Limits) -> NativeEngine {
        NativeEngine {
            cache: Cache::default(),
            limits,
        }
    }

    /// Renders one job as `helm template` does. Must run on a thread with a stack of `STACK_BYTES`.
    pub fn attempt(
        &self,
        job: &RenderJob,
        show_only: &[String],
        target: Target,
        ambient: &mut dyn AmbientSource,
    ) -> Attempt {
        let mut render = Render {
            job,
            selection: Selection {
                no_hooks: job.no_hooks,
                skip_tests: job.skip_tests,
                show_only,
            },
            target,
            ambient,
            limits: self.limits,
            warnings: Vec::new(),
        };
        let outcome = render.run(&self.cache);
        Attempt {
            warnings: render.warnings,
            outcome,
        }
    }
}

impl Engine for NativeEngine {
    fn name(&self) -> &'static str {
        "native"
    }

    fn ready(&self, _: Dialect) -> Result<(), Problem> {
        Ok(())
    }

    fn knows_ambient(&self) -> bool {
        true
    }

    fn render(&self, job: &RenderJob) -> Result<Rendered, RenderFailure> {
        let attempt = match &job.cluster {
            Some(cluster) => self.attempt(job, &[], Target::Text, &mut Declared(Arc::clone(cluster))),
            None => self.attempt(job, &[], Target::Text, &mut Frozen),
        };
        match attempt.outcome {
            Ok(output) => Ok(Rendered {
                output: output.text,
                warnings: attempt.warnings,
                parsed: output.parsed,
                history: output.history,
            }),
            Err(failed) => Err(failed.failure),
        }
    }
}
