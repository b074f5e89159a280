//! From flags to what the library is asked to do; every bad flag is told, not the first.

use super::args::{
    AcceptArgs, AuditArgs, BaselineConfig, ClusterArgs, EngineChoice, ReportArgs, RunArgs, VerifyArgs,
};
use crate::base::{Level, Problem};
use crate::check;
use crate::dialect::Dialect;
use crate::engine::cluster::ClusterState;
use crate::manifest::{Rule, Rules};
use crate::plan::select::Selection;
use crate::plan::{kube_version_fault, nearest};
use crate::report::outcome::Policy;
use crate::verify::{Request, cluster_state};
use std::path::PathBuf;
use std::sync::Arc;

/// The directory the user stands in.
pub(super) fn directory() -> Result<PathBuf, Vec<Problem>> {
    std::env::current_dir().map_err(|error| {
        vec![Problem::new(format!(
            "the current directory cannot be read: {error}"
        ))]
    })
}

/// The request of `verify`.
pub(super) fn of_verify(args: &VerifyArgs, keep_secrets: bool) -> Result<Request, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut request = of_run(&args.run, &args.against, args.candidate.clone(), &mut problems)?;
    request.baseline_config_own = args.baseline_config == BaselineConfig::Own;
    request.rules = rules(&args.with_rule, &args.without_rule, &mut problems);
    request.policy.allow_moved = args.allow_moved;
    request.policy.allow_failing_alike = args.allow_failing_alike;
    request.keep_secrets = keep_secrets;
    request.cache = if args.no_cache { None } else { cache_folder() };
    request.cluster = cluster(&args.cluster, &args.run, &mut problems);
    fail_on(&args.report, &mut request, &mut problems);
    request.levels = levels(&args.report, &mut problems);
    if problems.is_empty() {
        Ok(request)
    } else {
        Err(problems)
    }
}

/// Where the cache is: `EVENKEEL_CACHE_DIR`, else where a user's caches are; nowhere for who has no home.
fn cache_folder() -> Option<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .filter(|path| !path.is_empty())
            .map(PathBuf::from)
    };
    folder("EVENKEEL_CACHE_DIR")
        .or_else(|| Some(folder("XDG_CACHE_HOME")?.join("evenkeel")))
        .or_else(|| Some(folder("HOME")?.join(".cache/evenkeel")))
}

/// The request of `audit`.
pub(super) fn of_audit(args: &AuditArgs, keep_secrets: bool) -> Result<Request, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut request = of_run(&args.run, "", args.candidate.clone(), &mut problems)?;
    request.keep_secrets = keep_secrets;
    request.cluster = cluster(&args.cluster, &args.run, &mut problems);
    fail_on(&args.report, &mut request, &mut problems);
    request.levels = levels(&args.report, &mut problems);
    if problems.is_empty() {
        Ok(request)
    } else {
        Err(problems)
    }
}

/// The request of `accept`.
pub(super) fn of_accept(args: &AcceptArgs) -> Result<Request, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut request = of_run(&args.run, &args.against, None, &mut problems)?;
    request.cluster = cluster(&args.cluster, &args.run, &mut problems);
    request.baseline_config_own = args.baseline_config == BaselineConfig::Own;
    request.rules = rules(&args.with_rule, &args.without_rule, &mut problems);
    if problems.is_empty() {
        Ok(request)
    } else {
        Err(problems)
    }
}

/// Both, or the problems of both.
pub(super) fn both<A, B>(
    a: Result<A, Vec<Problem>>,
    b: Result<B, Vec<Problem>>,
) -> Result<(A, B), Vec<Problem>> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(mut a), Err(b)) => {
            a.extend(b);
            Err(a)
        }
        (Err(problems), _) | (_, Err(problems)) => Err(problems),
    }
}

/// The request that all commands share.
pub(super) fn of_run(
    args: &RunArgs,
    against: &str,
    candidate: Option<String>,
    problems: &mut Vec<Problem>,
) -> Result<Request, Vec<Problem>> {
    let dialect = args.helm_version.as_deref().and_then(|text| {
        let found = Dialect::parse(text);
        if found.is_none() {
            let known = Dialect::ALL.map(Dialect::name).join(" and ");
            problems.push(
                Problem::new(format!("--helm-version {text}: this Helm is not imitated"))
                    .remedy(format!("known are {known}")),
            );
        }
        found
    });
    if let Some((text, fault)) = args
        .kube_version
        .as_deref()
        .and_then(|text| Some((text, kube_version_fault(text)?)))
    {
        problems.push(
            Problem::new(format!("--kube-version {text}: it {fault}"))
                .remedy("write it as your cluster says it, such as v1.36.2"),
        );
    }
    Ok(Request {
        directory: directory()?,
        against: against.to_owned(),
        candidate,
        config: args.config.clone(),
        baseline_config_own: false,
        selection: Selection::new(&args.release, &args.platform),
        kube_version: args.kube_version.clone(),
        dialect,
        cluster: None,
        rules: Rules::default(),
        policy: Policy::default(),
        levels: Vec::new(),
        fail_on_given: false,
        keep_secrets: false,
        jobs: args.jobs,
        cache: None,
        today: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
    })
}

/// The cluster that `lookup` sees, read once for all cells of both sides.
pub(super) fn cluster(
    args: &ClusterArgs,
    run: &RunArgs,
    problems: &mut Vec<Problem>,
) -> Option<Arc<ClusterState>> {
    let path = args.cluster_state.as_ref()?;
    if run.engine == EngineChoice::Witness {
        problems.push(
            Problem::new("--cluster-state: real helm looks up in no cluster but a live one")
                .remedy("leave --engine out"),
        );
        return None;
    }
    match cluster_state::read(path) {
        Ok(state) => Some(Arc::new(state)),
        Err(found) => {
            problems.extend(found);
            None
        }
    }
}

fn rules(on: &[String], off: &[String], problems: &mut Vec<Problem>) -> Rules {
    let mut rules = Rules::default();
    for (names, flag) in [(on, "--with-rule"), (off, "--without-rule")] {
        for name in names {
            match Rule::from_name(name) {
                Some(rule) if flag == "--with-rule" => rules = rules.with(rule),
                Some(rule) => rules = rules.without(rule),
                None => {
                    let known: Vec<_> = Rules::all().iter().map(Rule::name).collect();
                    problems.push(
                        Problem::new(format!("{flag} {name}: there is no such rule"))
                            .remedy(format!("the rules are {}", known.join(", "))),
                    );
                }
            }
        }
    }
    rules
}

/// The levels of checks that the flags choose.
fn levels(args: &ReportArgs, problems: &mut Vec<Problem>) -> Vec<(String, Level)> {
    let mut levels: Vec<(String, Level)> = Vec::new();
    for (names, level) in [
        (&args.allow, Level::Allow),
        (&args.warn, Level::Warn),
        (&args.deny, Level::Deny),
    ] {
        for name in names {
            if check::find(name).is_none() {
                let known = check::CHECKS.iter().map(|check| check.name);
                problems.push(
                    Problem::new(format!("--{level} {name}: there is no such check")).remedy(
                        match nearest(name, known) {
                            Some(near) => format!("did you mean {near}?"),
                            None => "`evenkeel explain` lists them".to_owned(),
                        },
                    ),
                );
            } else if levels.iter().any(|(known, _)| known == name) {
                problems.push(Problem::new(format!(
                    "{name} is given two levels: one flag is enough"
                )));
            } else {
                levels.push((name.clone(), level));
            }
        }
    }
    levels
}

fn fail_on(args: &ReportArgs, request: &mut Request, problems: &mut Vec<Problem>) {
    let Some(text) = &args.fail_on else { return };
    request.fail_on_given = true;
    match text.as_str() {
        "never" => request.policy.fail_on = None,
        text => match Level::parse(text) {
            Some(level) => request.policy.fail_on = Some(level),
            None => problems.push(
                Problem::new(format!("--fail-on {text}: there is no such level"))
                    .remedy("deny, warn, info, or never"),
            ),
        },
    }
}
