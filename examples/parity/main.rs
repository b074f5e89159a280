//! Renders every case of a parity corpus with the native engine, in one process, and compares with what real
//! Helm printed: standard output byte for byte, standard error, exit code. `scripts/parity.sh` runs it.
//!
//!     parity DIR [--only TEXT] [--dialect VERSION] [--failures FILE] [--gaps FILE]
//!
//! Lines that the corpus marks as volatile are left out, and there must be as many of them.

#![expect(clippy::print_stdout, reason = "this is a report for a terminal")]

mod compare;
mod corpus;

use compare::{Difference, compare};
use corpus::{Case, Corpus};
use evenkeel::base::par::Workers;
use evenkeel::cli::template::{Surroundings, Told, call};
use evenkeel::dialect::Dialect;
use evenkeel::engine::NativeEngine;
use evenkeel::source::{HostTree, SourceTree};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// What the command line asks for.
struct Options {
    folder: PathBuf,
    only: Option<String>,
    dialects: Vec<Dialect>,
    failures: Option<PathBuf>,
    gaps: Option<PathBuf>,
    show: bool,
}

/// A case that differs.
struct Failure {
    id: String,
    dialect: Dialect,
    difference: Difference,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = options()?;
    let corpus = Corpus::open(&options.folder)?;
    let started = Instant::now();
    let mut groups: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in &corpus.cases {
        if options
            .only
            .as_ref()
            .is_none_or(|only| case.id.contains(only.as_str()))
        {
            groups.entry(&case.chart).or_default().push(case);
        }
    }
    let groups: Vec<Vec<&Case>> = groups.into_values().collect();
    let workers = Workers::new(0)?;
    let runs = workers.map(&groups, |cases| run(&corpus, cases, &options));
    let failures: Vec<Failure> = runs.into_iter().flatten().collect();
    let cases: usize = groups.iter().map(Vec::len).sum();
    for dialect in &options.dialects {
        let failed = failures
            .iter()
            .filter(|failure| failure.dialect == *dialect)
            .count();
        println!("{dialect}: {} passed, {failed} failed", cases - failed);
    }
    println!("{:.1} s", started.elapsed().as_secs_f64());
    if let Some(path) = &options.failures {
        std::fs::write(path, listed(&failures))?;
    }
    judge(&options, &failures, &corpus)
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        folder: PathBuf::new(),
        only: None,
        dialects: Dialect::ALL.to_vec(),
        failures: None,
        gaps: None,
        show: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--only" => options.only = Some(value()?),
            "--dialect" => {
                let text = value()?;
                options.dialects = vec![Dialect::parse(&text).ok_or("no such dialect")?];
            }
            "--failures" => options.failures = Some(value()?.into()),
            "--gaps" => options.gaps = Some(value()?.into()),
            "--show" => options.show = true,
            _ => options.folder = argument.into(),
        }
    }
    if options.folder.as_os_str().is_empty() {
        return Err("which corpus folder?".into());
    }
    Ok(options)
}

/// All cases of one chart; what was parsed of it is shared by them and then forgotten.
fn run(corpus: &Corpus, cases: &[&Case], options: &Options) -> Vec<Failure> {
    let engine = NativeEngine::new();
    let tree: Arc<dyn SourceTree> = Arc::new(HostTree::new(&corpus.folder));
    let mut failures = Vec::new();
    for case in cases {
        for &dialect in &options.dialects {
            let mut arguments = case.arguments.clone();
            arguments.push(format!("--helm-version={dialect}"));
            let work = || call(&arguments, &engine, Surroundings::of(Arc::clone(&tree)));
            let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            if options.show {
                show(case, dialect, told.as_ref().ok());
            }
            let difference = match told {
                Ok(told) => compare(case, &corpus.expected(case, dialect), &told),
                Err(_) => Some(Difference::new("panic", 0, "", "")),
            };
            failures.extend(difference.map(|difference| Failure {
                id: case.id.clone(),
                dialect,
                difference,
            }));
        }
    }
    failures
}

fn show(case: &Case, dialect: Dialect, told: Option<&Told>) {
    println!("=== {} {dialect}", case.id);
    if let Some(told) = told {
        println!("{}{}", String::from_utf8_lossy(&told.stdout), told.stderr);
    }
}

fn listed(failures: &[Failure]) -> String {
    let mut text = String::new();
    for failure in failures {
        let Difference {
            kind,
            line,
            want,
            have,
        } = &failure.difference;
        let _ = writeln!(
            text,
            "{}  {}  {kind} at line {line}\n  want {want}\n  have {have}",
            failure.id, failure.dialect
        );
    }
    text
}

/// Known gaps may fail, and must: a gap that closed fails the run until its line is removed.
fn judge(options: &Options, failures: &[Failure], corpus: &Corpus) -> Result<ExitCode, Box<dyn Error>> {
    let gaps = match &options.gaps {
        Some(path) => std::fs::read_to_string(path)?,
        None => String::new(),
    };
    let gaps: BTreeSet<(&str, &str)> = gaps
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| {
            let mut parts = line.splitn(3, "  ");
            Some((parts.next()?, parts.next()?))
        })
        .collect();
    let failed: BTreeSet<(&str, &str)> = failures
        .iter()
        .map(|failure| (failure.id.as_str(), failure.dialect.name()))
        .collect();
    let new = failed.difference(&gaps).count();
    let ran = |gap: &&(&str, &str)| {
        corpus.cases.iter().any(|case| case.id == gap.0)
            && options
                .only
                .as_ref()
                .is_none_or(|only| gap.0.contains(only.as_str()))
            && options.dialects.iter().any(|dialect| dialect.name() == gap.1)
    };
    let closed: Vec<_> = gaps.difference(&failed).filter(ran).collect();
    for (id, dialect) in &closed {
        println!("gap closed, remove its line: {id}  {dialect}");
    }
    if new > 0 {
        println!("{new} failures that are no known gaps");
    }
    Ok(ExitCode::from(u8::from(new > 0 || !closed.is_empty())))
}
