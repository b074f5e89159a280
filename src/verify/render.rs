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
            manifest: Manifest::read_parsed(rendered.output, rendered.parsed, &job.namespace),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::par::Workers;
    use crate::engine::NativeEngine;
    use crate::source::MemoryTree;
    use proptest::prelude::*;

    /// What a template renders to, with its documents read from the text and taken over from the engine.
    fn both_ways(template: &str, dialect: Dialect) -> Option<[Manifest; 2]> {
        let tree = MemoryTree::new("test")
            .file("app/Chart.yaml", "apiVersion: v2\nname: app\nversion: 0.1.0\n")
            .file("app/templates/a.yaml", template)
            .file("app/templates/b.yaml", "kind: Last\nmetadata: {name: b}\n");
        let job = RenderJob {
            tree: Arc::new(tree),
            chart: "app".to_owned(),
            release: "app".to_owned(),
            namespace: "apps".to_owned(),
            values: Vec::new(),
            set: Vec::new(),
            kube_version: None,
            api_versions: Vec::new(),
            include_crds: false,
            is_upgrade: false,
            no_hooks: false,
            skip_tests: false,
            skip_schema_validation: false,
            dialect,
            traced: true,
            cluster: None,
        };
        let render = |(): &()| NativeEngine::new().render(&job).ok();
        let rendered = Workers::new(1).expect("a thread").map(&[()], render).pop()??;
        assert!(!rendered.parsed.is_empty());
        let read = Manifest::read(rendered.output.clone(), "apps");
        Some([
            read,
            Manifest::read_parsed(rendered.output, rendered.parsed, "apps"),
        ])
    }

    fn told(manifest: &Manifest) -> Vec<String> {
        let documents = manifest.documents.iter();
        let told = documents.map(|document| {
            let hook = document.hook().map(|hook| (&hook.events, hook.weight));
            let body = document.body().map(|body| (&body.node, &body.oddities));
            format!(
                "{} {:?} {hook:?} {:?} {body:?}",
                document.id(),
                document.source(),
                document.item()
            )
        });
        told.chain([format!("{} empty", manifest.empty)]).collect()
    }

    /// The last document of a render loses the blanks at its end.
    #[test]
    fn blanks_at_the_end_of_a_block_scalar_are_those_of_the_text() {
        for dialect in Dialect::ALL {
            for end in ["  \n", " \n\n", "\n   \n", "\t\n"] {
                let template = format!("kind: List\nt: |\n  x{end}");
                let [read, taken] = both_ways(&template, dialect).unwrap();
                assert_eq!(told(&read), told(&taken), "{template:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn what_the_engine_parsed_is_what_the_text_says(lines in proptest::collection::vec(prop_oneof![
            Just("kind: A"), Just("apiVersion: v1"), Just("metadata: {name: a}"), Just("---"), Just("# c"), Just(""),
            Just("t: |"), Just("t: >-"), Just("t: |+"), Just("t: |2+"), Just("  x"), Just("   y  "), Just("k: 'v"), Just("  w'"),
            Just("--- # d"), Just("# Source: z"), Just("..."), Just("l: [1,"), Just("  2]"), Just("kind: List"), Just("items:"),
            Just("- kind: B"), Just("  metadata: {name: b, annotations: {helm.sh/hook: test}}"), Just("\t"), Just("k: a|b > c"),
        ], 0..8), last in prop_oneof![Just("\n"), Just(""), Just("\n\n"), Just("  \n")]) {
            let template = lines.join("\n") + last;
            for dialect in Dialect::ALL {
                if let Some([read, taken]) = both_ways(&template, dialect) {
                    prop_assert_eq!(told(&read), told(&taken), "{:?}", template);
                }
            }
        }
    }
}
