//! The main job, readable top to bottom: sides, plan, render, documents, pair, check, report.

use super::acceptance::Acceptances;
use super::allows::Allows;
use super::cache::Cache;
use super::cell::{CellRun, Settings};
use super::cells::{self, CellPair};
use super::hazards;
use super::levels::Levels;
use super::pinning;
use super::progress::Progress;
use super::request::Request;
use super::sides::{self, Baseline, Opened};
use super::tell;
use super::{accept, accept_read, cluster_state};
use crate::base::par::Workers;
use crate::base::{Place, Problem, Side, Sides};
use crate::compare::{CellComparison, across};
use crate::engine::Engine;
use crate::plan::{Config, Plan};
use crate::report::model::{Facts, Report};
use crate::report::outcome::Policy;
use crate::report::redact::Redactor;
use std::path::PathBuf;
use std::sync::Arc;

/// Verifies a candidate against a baseline.
///
/// # Errors
/// Every problem that keeps the work from beginning; what goes wrong in a cell is part of the report.
pub fn run(request: &Request, engine: &dyn Engine, progress: &dyn Progress) -> Result<Report, Vec<Problem>> {
    run_and(request, engine, progress, &mut |_| {})
}

/// What a run knows once everything is compared and accepted differences are told apart.
pub(super) struct Seen<'a> {
    pub(super) pairs: &'a [CellPair],
    pub(super) runs: &'a [CellRun],
    pub(super) settings: &'a Settings<'a>,
    /// The file of acceptances, in the tree, and its text.
    pub(super) file: &'a str,
    pub(super) text: &'a [u8],
    /// Where the tree is, when it is a repository.
    pub(super) root: Option<PathBuf>,
}

/// Verifies, and shows what differs to `see` on the way; a baseline that is there by digests alone shows nothing.
pub(super) fn run_and(
    request: &Request,
    engine: &dyn Engine,
    progress: &dyn Progress,
    see: &mut dyn FnMut(&Seen<'_>),
) -> Result<Report, Vec<Problem>> {
    let candidate = sides::candidate(request)?;
    let (baseline, baseline_info) = sides::baseline(request, &candidate)?;
    if let (Some(_), Baseline::Tree { pin: Some(pin), .. } | Baseline::Digests { pin, .. }) =
        (&request.cluster, &baseline)
    {
        return Err(vec![cluster_state::against_a_pin(pin)]);
    }
    let (opened, pin) = match baseline {
        Baseline::Tree { opened, pin } => (opened, pin),
        Baseline::Digests { pin, why } => {
            return pinning::verify_by_digest(
                request,
                engine,
                progress,
                candidate,
                &pin,
                baseline_info,
                &why,
            );
        }
    };
    let file = accept::path_beside(&candidate.config_path);
    let accepted = match candidate.opened.tree.read(&file) {
        Ok(bytes) => bytes.to_vec(),
        Err(error) if error.missing => Vec::new(),
        Err(error) => return Err(vec![Problem::at(Place::file(file), error.message)]),
    };
    let mut acceptances = Acceptances::new(accept_read::read(&accepted, &file)?, &request.today);
    let root = candidate
        .repository
        .as_ref()
        .map(|repository| repository.root().to_path_buf());
    let sides = Sides::new(*opened, candidate.opened);
    let plans = plan(&sides, request)?;
    ready(&plans, engine)?;
    let pairs = cells::pair(&plans, &request.selection);
    let both = plans.baseline.cells.iter().chain(&plans.candidate.cells);
    request.selection.check(both)?;

    let workers = workers(request)?;
    let settings = Settings {
        trees: Sides::new(sides.baseline.tree.clone(), sides.candidate.tree.clone()),
        dialects: Sides::new(plans.baseline.dialects[0], plans.candidate.dialects[0]),
        other_dialects: plans.as_ref().map(|plan| plan.dialects[1..].to_vec()),
        engine,
        rules: request.rules,
        redactor: Redactor::new(request.keep_secrets),
        is_selection: !request.selection.is_everything(),
        is_audit: false,
        levels: Levels::new(&sides.candidate.config, &request.levels),
        protect: &sides.candidate.config.protect,
        cluster: sides.candidate.config.cluster.as_deref(),
        cache: request
            .cache
            .as_deref()
            .and_then(|folder| Cache::open(folder, root.as_deref())),
        records_baseline: pin.is_some(),
    };
    progress.start(pairs.len());
    let mut runs = workers.map(&pairs, |pair| {
        let run = CellRun::of(pair, &settings);
        progress.advance();
        run
    });
    progress.finish();
    if let Some(cache) = &settings.cache {
        cache.trim();
    }
    settle_moves(&pairs, &mut runs, &settings);
    acceptances.apply(&pairs, &mut runs, settings.rules);
    see(&Seen {
        pairs: &pairs,
        runs: &runs,
        settings: &settings,
        file: &file,
        text: &accepted,
        root,
    });

    let mut facts = Facts {
        baseline: Some(baseline_info),
        candidate: candidate.info,
        engine: engine.name(),
        dialects: settings.dialects,
        rules: request.rules,
        platforms: platforms(&plans),
        cells: Vec::with_capacity(pairs.len()),
        findings: Vec::new(),
        audited: 0,
        same_input: runs.iter().filter(|run| run.same_input).count(),
        standing: 0,
        silenced: 0,
        notes: tell::notes(&plans, &settings),
        doubts: Vec::new(),
    };
    if let Some(pin) = &pin {
        facts.doubts.extend(pinning::doubts(
            pin,
            &pairs,
            &runs,
            &sides.baseline,
            &plans.baseline,
            &settings,
        ));
    }
    check_platforms(&pairs, &mut runs, &settings);
    silence(&pairs, &mut runs, &settings, &mut facts);
    let others: Vec<_> = plans
        .baseline
        .cells
        .iter()
        .chain(&plans.candidate.cells)
        .filter(|cell| !request.selection.takes(cell))
        .collect();
    let failed: Vec<bool> = runs.iter().map(|run| run.comparison.is_none()).collect();
    acceptances.tell(&others, &pairs, &failed, &settings, &mut facts);
    for (pair, run) in pairs.iter().zip(runs) {
        tell::cell(pair, run, &settings, &mut facts);
    }
    Ok(Report::conclude(facts, &policy(request, &sides.candidate.config)))
}

/// Looks both layouts up in their trees.
fn plan(sides: &Sides<Opened>, request: &Request) -> Result<Sides<Plan>, Vec<Problem>> {
    let plans = Sides::new(
        Plan::of(&sides.baseline.config, Side::Baseline, &*sides.baseline.tree),
        Plan::of(&sides.candidate.config, Side::Candidate, &*sides.candidate.tree),
    );
    let mut problems: Vec<Problem> = plans.candidate.problems.clone();
    for problem in &plans.baseline.problems {
        if !problems.contains(problem) {
            problems.push(problem.clone());
        }
    }
    let has_section = sides.candidate.config.baseline.is_some() && !request.baseline_config_own;
    if has_section && !plans.baseline.problems.is_empty() {
        let problem = Problem::new("the `baseline:` section of the configuration does not fit the baseline")
            .remedy("where the baseline has the new layout already, take the section out or say `--baseline-config own`");
        problems.push(problem);
    }
    if problems.is_empty() {
        Ok(plans)
    } else {
        Err(problems)
    }
}

/// Asks the engine, before any work, whether it can do both dialects.
fn ready(plans: &Sides<Plan>, engine: &dyn Engine) -> Result<(), Vec<Problem>> {
    let mut problems: Vec<Problem> = Vec::new();
    for side in Side::BOTH {
        if let Err(problem) = engine.ready(plans.get(side).dialects[0])
            && !problems.contains(&problem)
        {
            problems.push(problem);
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

/// The threads of a run.
pub(super) fn workers(request: &Request) -> Result<Workers, Vec<Problem>> {
    Workers::new(request.jobs).map_err(|text| vec![Problem::new(text)])
}

/// The policy of the command line over that of the configuration.
pub(super) fn policy(request: &Request, candidate: &Config) -> Policy {
    let mut policy = request.policy;
    if !request.fail_on_given {
        policy.fail_on = Some(candidate.fail_on);
    }
    policy
}

/// The platforms of both sides, the candidate's order first.
pub(super) fn platforms(plans: &Sides<Plan>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for side in [Side::Candidate, Side::Baseline] {
        for name in &plans.get(side).platforms {
            if !names.iter().any(|known| **known == **name) {
                names.push(name.to_string());
            }
        }
    }
    names
}

/// Takes away what comments in values files silence, and tells the comments that are of no use.
pub(super) fn silence(pairs: &[CellPair], runs: &mut [CellRun], settings: &Settings<'_>, facts: &mut Facts) {
    let mut allows = Allows::of(pairs, settings);
    facts.silenced = allows.silence(runs);
    let failed = |run: &CellRun| run.failures.baseline.is_some() || run.failures.candidate.is_some();
    let is_whole = !settings.is_selection && !runs.iter().any(failed);
    allows.tell(is_whole, settings, facts);
}

/// Holds the releases of each platform against each other.
pub(super) fn check_platforms(pairs: &[CellPair], runs: &mut [CellRun], settings: &Settings<'_>) {
    for cells in by_platform(pairs) {
        hazards::tell_unread(pairs, runs, &cells, settings);
        for (at, hazard) in hazards::of_platform(pairs, runs, &cells, settings) {
            if !hazard.standing {
                runs[at].learn_late(&pairs[at], settings);
            }
            runs[at].hazards.push(hazard);
        }
    }
}

/// The numbers of the cells of each platform: platforms are different clusters.
fn by_platform(pairs: &[CellPair]) -> Vec<Vec<usize>> {
    let mut platforms: Vec<(&Option<Arc<str>>, Vec<usize>)> = Vec::new();
    for (at, pair) in pairs.iter().enumerate() {
        match platforms
            .iter_mut()
            .find(|(platform, _)| **platform == pair.platform)
        {
            Some((_, cells)) => cells.push(at),
            None => platforms.push((&pair.platform, vec![at])),
        }
    }
    platforms.into_iter().map(|(_, cells)| cells).collect()
}

/// Pairs what left one release of a platform with what turned up in another.
fn settle_moves(pairs: &[CellPair], runs: &mut [CellRun], settings: &Settings<'_>) {
    for these in by_platform(pairs) {
        let mut spots = Vec::new();
        let mut comparisons = Vec::new();
        for at in these {
            if let Some(comparison) = runs[at].comparison.take() {
                spots.push(at);
                comparisons.push(comparison);
            }
        }
        across::settle(&mut comparisons, settings.rules);
        let moved = across_releases(&comparisons);
        for (&at, comparison) in spots.iter().zip(comparisons) {
            runs[at].comparison = Some(comparison);
        }
        // What came from another release is told with that release's secrets taken out, too.
        for (to, from) in moved {
            if let Some(&from) = spots.iter().find(|&&at| pairs[at].id == from) {
                let secrets = runs[from].secrets.clone();
                runs[spots[to]].secrets.merge(&secrets);
            }
        }
    }
}

/// Which of the cells tell documents of which other release.
fn across_releases(comparisons: &[CellComparison]) -> Vec<(usize, Arc<str>)> {
    let mut found = Vec::new();
    for (at, comparison) in comparisons.iter().enumerate() {
        let sources = comparison
            .documents
            .iter()
            .filter_map(|document| document.from.as_ref());
        for from in sources.filter(|from| from.release != comparison.release) {
            found.push((at, from.release.clone()));
        }
    }
    found.dedup();
    found
}
