//! One call of `helm template`: arguments to standard output, standard error and exit code.

use super::flags::{self, Request};
use super::{help, kubeconfig, release, written};
use crate::base::Digest;
use crate::dialect::Dialect;
use crate::engine::ambient::{Frozen, Live};
use crate::engine::capabilities::KubeVersion;
use crate::engine::native::{Failed, NativeEngine, Output, Target};
use crate::engine::{RenderJob, SetFlag, ValuesInput};
use crate::source::{EntryKind, SourceError, SourceTree};
use crate::template::AmbientSource;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

const HINT: &str = "\n\nUse --debug flag to render out invalid YAML";

/// What a call sees besides its arguments.
pub struct Surroundings {
    /// The files.
    pub tree: Arc<dyn SourceTree>,
    /// Reads standard input to its end.
    pub stdin: Box<dyn FnOnce() -> io::Result<Vec<u8>> + Send>,
    /// `HELM_NAMESPACE`
    pub namespace: Option<String>,
    /// `KUBECONFIG`
    pub kubeconfig: Option<String>,
    /// `HELM_KUBECONTEXT`
    pub kube_context: Option<String>,
    /// `HOME`
    pub home: Option<String>,
    /// Real chance and the real clock, as Helm has them; else both are frozen.
    pub live: bool,
}

impl Surroundings {
    /// The files of a tree and nothing else: no environment, an empty standard input, no chance.
    pub fn of(tree: Arc<dyn SourceTree>) -> Surroundings {
        Surroundings {
            tree,
            stdin: Box::new(|| Ok(Vec::new())),
            namespace: None,
            kubeconfig: None,
            kube_context: None,
            home: None,
            live: false,
        }
    }
}

/// What a call tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: String,
    /// Exit code: 0 or 1.
    pub code: u8,
}

/// Runs one call. Must run on a thread with a stack of `base::par::STACK_BYTES`.
pub fn call(arguments: &[String], engine: &NativeEngine, surroundings: Surroundings) -> Told {
    let mut told = Told::default();
    let mut warnings = Vec::new();
    match run(arguments, engine, surroundings, &mut warnings) {
        Ok(stdout) => told.stdout = stdout,
        Err(message) => {
            told.code = 1;
            warnings.push(format!("Error: {message}"));
        }
    }
    for line in warnings {
        told.stderr.push_str(&line);
        told.stderr.push('\n');
    }
    told
}

fn run(
    arguments: &[String],
    engine: &NativeEngine,
    surroundings: Surroundings,
    warnings: &mut Vec<String>,
) -> Result<Vec<u8>, String> {
    let request = flags::parse(arguments)?;
    if request.help {
        return Ok(help::text().into_bytes());
    }
    let dialect = match &request.helm_version {
        None => Dialect::NEWEST,
        Some(text) => Dialect::parse(text).ok_or_else(|| {
            let known = Dialect::ALL.map(Dialect::name).join(" and ");
            format!("--helm-version {text}: evenkeel imitates {known}")
        })?,
    };
    if request.arguments.is_empty() {
        release::name_and_chart(&request, dialect)?;
    }
    if !request.kube_version.is_empty() {
        KubeVersion::parse(&request.kube_version, dialect)?;
    }
    if dialect.is_v4() {
        dry_run(&request, dialect, warnings)?;
    }
    let (release, chart) = release::name_and_chart(&request, dialect)?;
    locate(&*surroundings.tree, &chart)?;
    check_inputs(&request)?;
    let namespace = namespace(&request, &surroundings);
    let is_live = surroundings.live;
    let job = job(&request, surroundings, release, chart, namespace, dialect);
    let target = if request.output_dir.is_empty() {
        Target::Text
    } else {
        Target::Files
    };
    let mut live = Live {
        dns: request.enable_dns,
    };
    let ambient: &mut dyn AmbientSource = if is_live { &mut live } else { &mut Frozen };
    let mut attempt = engine.attempt(&job, &request.show_only, target, ambient);
    warnings.append(&mut attempt.warnings);
    if !dialect.is_v4() {
        dry_run(&request, dialect, warnings)?;
    }
    match attempt.outcome {
        Ok(output) => finish(output, &request, &job.release),
        Err(Failed {
            failure,
            while_rendering: true,
        }) => Err(failure.message + HINT),
        Err(failed) => Err(failed.failure.message),
    }
}

fn finish(output: Output, request: &Request, release: &str) -> Result<Vec<u8>, String> {
    let mut stdout = Vec::new();
    if !request.output_dir.is_empty() {
        let named = request.release_name.then_some(release);
        written::write(&output.files, &request.output_dir, named, &mut stdout)?;
    }
    stdout.extend_from_slice(&output.text);
    Ok(stdout)
}

/// `--dry-run`: only the kind without a cluster is possible (`cmdGetDryRunFlagStrategy`).
fn dry_run(request: &Request, dialect: Dialect, warnings: &mut Vec<String>) -> Result<(), String> {
    let Some(value) = request.dry_run.as_deref() else {
        return Ok(());
    };
    let quoted = || crate::value::quote::quote_str(value.as_bytes());
    let server = || Err("--dry-run=server needs a cluster, which evenkeel never asks".to_owned());
    if !dialect.is_v4() {
        return match value {
            "" | "unset" | "client" | "none" | "true" | "false" => Ok(()),
            "server" => server(),
            _ => Err(
                "Invalid dry-run flag. Flag must one of the following: false, true, none, client, server"
                    .to_owned(),
            ),
        };
    }
    let both = || {
        Err(format!(
            "invalid dry-run value ({}). Must be \"server\" or \"client\"",
            quoted()
        ))
    };
    match value {
        "client" => Ok(()),
        "server" => server(),
        "unset" => {
            warnings.push(
                "level=WARN msg=\"--dry-run is deprecated and should be replaced with '--dry-run=client'\""
                    .to_owned(),
            );
            Ok(())
        }
        "1" | "t" | "T" | "true" | "TRUE" | "True" => {
            warnings.push(
                "level=WARN msg=\"boolean '--dry-run=true' flag is deprecated and must be replaced with \
                 '--dry-run=client'\""
                    .to_owned(),
            );
            Ok(())
        }
        "none" | "0" | "f" | "F" | "false" | "FALSE" | "False" => both(),
        _ => Err(format!(
            "invalid dry-run value ({}). Must be \"none\", \"server\", or \"client\"",
            quoted()
        )),
    }
}

/// The chart must be a path; references to repositories are not followed (`LocateChart`).
fn locate(tree: &dyn SourceTree, chart: &str) -> Result<(), String> {
    match tree.entry(&format!("{chart}/.")).or_else(|_| tree.entry(chart)) {
        Ok(Some(_)) => return Ok(()),
        Ok(None) if tree.entry(chart).is_ok_and(|found| found.is_some()) => return Ok(()),
        _ => {}
    }
    let quoted = crate::value::quote::quote_str(chart.as_bytes());
    if chart.starts_with(['/', '.']) {
        Err(format!("path {quoted} not found"))
    } else if chart.contains("://") {
        Err(format!(
            "{chart}: charts are not fetched; fetch it first (helm pull)"
        ))
    } else if let Some((repository, _)) = chart.split_once('/') {
        Err(format!("repo {repository} not found"))
    } else {
        Err(format!(
            "non-absolute URLs should be in form of repo_name/path_to_chart, got: {chart}"
        ))
    }
}

/// True for an address that Helm would fetch; any other scheme is a file to it (`readFile`).
fn is_fetched(path: &str) -> bool {
    ["http://", "https://", "oci://"]
        .iter()
        .any(|scheme| path.starts_with(scheme))
}

/// Values that Helm would fetch.
fn check_inputs(request: &Request) -> Result<(), String> {
    match request.values.iter().find(|path| is_fetched(path)) {
        Some(path) => Err(format!("{path}: values are not fetched; fetch the file first")),
        None => Ok(()),
    }
}

/// `-n`, else HELM_NAMESPACE, else the kubeconfig's current one, else `default`.
fn namespace(request: &Request, surroundings: &Surroundings) -> String {
    let given = request.namespace.as_ref().or(surroundings.namespace.as_ref());
    if let Some(namespace) = given.filter(|namespace| !namespace.is_empty()) {
        return namespace.clone();
    }
    let paths: Vec<String> = match (&request.kubeconfig, &surroundings.kubeconfig, &surroundings.home) {
        (Some(path), ..) => vec![path.clone()],
        (None, Some(paths), _) => paths.split(':').map(str::to_owned).collect(),
        (None, None, Some(home)) => vec![format!("{home}/.kube/config")],
        (None, None, None) => Vec::new(),
    };
    let context = request
        .kube_context
        .as_deref()
        .or(surroundings.kube_context.as_deref());
    kubeconfig::namespace(&*surroundings.tree, &paths, context).unwrap_or_else(|| "default".to_owned())
}

fn job(
    request: &Request,
    surroundings: Surroundings,
    release: String,
    chart: String,
    namespace: String,
    dialect: Dialect,
) -> RenderJob {
    let needs_stdin = request.values.iter().any(|path| path.trim() == STDIN)
        || request.set.iter().any(|(_, text)| text.contains(STDIN));
    let tree = if needs_stdin {
        Arc::new(WithStdin {
            files: surroundings.tree,
            stdin: Mutex::new(Some(surroundings.stdin)),
        })
    } else {
        surroundings.tree
    };
    let set = request.set.iter().map(|(kind, expression)| SetFlag {
        kind: *kind,
        expression: expression.clone(),
        place: None,
    });
    RenderJob {
        tree,
        chart,
        release,
        namespace,
        values: request.values.iter().cloned().map(ValuesInput::File).collect(),
        set: set.collect(),
        kube_version: Some(request.kube_version.clone()).filter(|text| !text.is_empty()),
        api_versions: request.api_versions.clone(),
        include_crds: request.include_crds,
        is_upgrade: request.is_upgrade,
        no_hooks: request.no_hooks,
        skip_tests: request.skip_tests,
        skip_schema_validation: request.skip_schema_validation,
        dialect,
        traced: false,
        cluster: None,
    }
}

/// What stands for standard input.
const STDIN: &str = "-";

type Stdin = Box<dyn FnOnce() -> io::Result<Vec<u8>> + Send>;

/// The files, and standard input under the name `-`; the second reader finds it empty.
struct WithStdin {
    files: Arc<dyn SourceTree>,
    stdin: Mutex<Option<Stdin>>,
}

impl SourceTree for WithStdin {
    fn label(&self) -> &str {
        self.files.label()
    }

    fn entry(&self, path: &str) -> Result<Option<EntryKind>, SourceError> {
        self.files.entry(path)
    }

    fn list(&self, directory: &str) -> Result<Vec<(String, EntryKind)>, SourceError> {
        self.files.list(directory)
    }

    fn read(&self, path: &str) -> Result<Arc<[u8]>, SourceError> {
        if path.trim() != STDIN {
            return self.files.read(path);
        }
        let reader = self.stdin.lock().unwrap_or_else(PoisonError::into_inner).take();
        match reader.map_or_else(|| Ok(Vec::new()), |read| read()) {
            Ok(bytes) => Ok(bytes.into()),
            Err(error) => Err(SourceError::new(path, error.to_string())),
        }
    }

    fn identity(&self, path: &str) -> Result<Digest, SourceError> {
        self.files.identity(path)
    }
}
