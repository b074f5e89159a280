//! Times the native engine on one chart, in this process: a first render of a fresh engine, and renders that share
//! the parsed chart, plain and traced. `scripts/bench-charts.sh` sets the times in proportion to Helm's.
//!
//!     cell CHART [VALUES...]        prints: cold, warm and traced medians in microseconds

#![expect(clippy::print_stdout, reason = "this is a report for a script")]

use evenkeel::base::par::Workers;
use evenkeel::dialect::Dialect;
use evenkeel::engine::{Engine, NativeEngine, RenderJob, ValuesInput};
use evenkeel::source::{DirTree, SourceTree};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

const RUNS: usize = 15;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let chart = arguments.next().ok_or("which chart?")?;
    let chart = Path::new(&chart).canonicalize()?;
    let name = chart
        .file_name()
        .ok_or("a chart has a name")?
        .to_string_lossy()
        .into_owned();
    let parent = chart.parent().ok_or("a chart has a parent")?;
    let tree = DirTree::open(parent, "bench").map_err(|problem| problem.to_string())?;
    let job = RenderJob {
        tree: Arc::new(tree) as Arc<dyn SourceTree>,
        chart: name,
        release: "bench".to_owned(),
        namespace: "default".to_owned(),
        values: arguments.map(ValuesInput::File).collect(),
        set: Vec::new(),
        kube_version: None,
        api_versions: Vec::new(),
        include_crds: false,
        is_upgrade: false,
        no_hooks: false,
        skip_tests: false,
        skip_schema_validation: false,
        dialect: Dialect::NEWEST,
        traced: false,
        cluster: None,
    };
    // The renders need the stack of a worker.
    let told = Workers::new(1)?.map(&[()], |()| {
        let cold = median(|| NativeEngine::new().render(&job).map(|_| ()));
        let engine = NativeEngine::new();
        let warm = median(|| engine.render(&job).map(|_| ()));
        let mut traced = job.clone();
        traced.traced = true;
        let traced = median(|| engine.render(&traced).map(|_| ()));
        Ok::<_, evenkeel::engine::RenderFailure>((cold?, warm?, traced?))
    });
    let (cold, warm, traced) = told.into_iter().next().ok_or("one worker")??;
    println!("{cold} {warm} {traced}");
    Ok(())
}

/// The median time of several runs in microseconds.
fn median<E>(mut work: impl FnMut() -> Result<(), E>) -> Result<u128, E> {
    work()?;
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let start = Instant::now();
        work()?;
        times.push(start.elapsed().as_micros());
    }
    times.sort_unstable();
    Ok(times[RUNS / 2])
}
