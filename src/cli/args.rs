//! The command line as clap reads it: flags, their help, nothing else.

use crate::report::FORMATS;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Where to begin, and what a script needs to know.
const AFTER_HELP: &str = "\
Begin with `evenkeel init`, then `evenkeel verify --against origin/main`.
Exit codes: 0 equivalent, 1 a difference or a finding, 2 could not decide.";

/// Prove that a change to a Helm deployment did not change what Kubernetes would receive.
#[derive(Debug, Parser)]
#[command(name = "evenkeel", version, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    /// No pager (EVENKEEL_PAGER, else PAGER, else less) for text longer than the screen
    // Behind the flags of the command itself.
    #[arg(long, global = true, display_order = 900)]
    pub(crate) no_pager: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Render baseline and candidate, compare every document, report
    Verify(VerifyArgs),
    /// Tell the hazards of one side, with nothing to compare
    Audit(AuditArgs),
    /// Record reviewed differences in evenkeel.accept.yaml
    Accept(AcceptArgs),
    /// Tell where a field of a document came from: template, values, layers
    Blame(BlameArgs),
    /// Tell what a check means and what to do about it
    Explain(ExplainArgs),
    /// Record a revision and the digests of its documents in baselines/
    Pin(PinArgs),
    /// Print the manifests of the selected cells as `helm template` would
    Render(RenderArgs),
    /// Render cells with real Helm as well and compare bytes
    Witness(WitnessArgs),
    /// Look around the repository and write a first evenkeel.yaml
    Init(InitArgs),
    /// Look whether git, the configuration, the baseline and Helm are as a run needs them
    Doctor(DoctorArgs),
    /// Print what a shell needs to complete this command line
    Completions(CompletionsArgs),
    /// Print the manual page, or write all of them
    Man(ManArgs),
    /// Print the manifests of a chart; a drop-in for `helm template`
    #[command(disable_help_flag = true)]
    Template(TemplateArgs),
}

/// Which configuration, which cells, which Helm.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rendering")]
pub(crate) struct RunArgs {
    /// Configuration file [default: the nearest evenkeel.yaml at or above the current directory]
    #[arg(long, value_name = "PATH")]
    pub(crate) config: Option<PathBuf>,

    /// Only these releases (name or glob; repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) release: Vec<String>,

    /// Only these platforms (name or glob; repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) platform: Vec<String>,

    /// Kubernetes version to render for, instead of the configured one
    #[arg(long, value_name = "VERSION")]
    pub(crate) kube_version: Option<String>,

    /// Helm to imitate or ask, 3.19 or 4.3, instead of the configured one
    #[arg(long, value_name = "VERSION")]
    pub(crate) helm_version: Option<String>,

    /// What renders
    #[arg(long, value_enum, default_value_t = EngineChoice::Native)]
    pub(crate) engine: EngineChoice,

    /// The helm binary of the witness engine; repeatable, for several dialects [default: helm in PATH]
    #[arg(long, value_name = "PATH")]
    pub(crate) helm_bin: Vec<PathBuf>,

    /// Cells rendered at once [default: one per core]
    #[arg(long, short, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) jobs: usize,

    /// No progress bar
    #[arg(long)]
    pub(crate) no_progress: bool,
}

/// The cluster that `lookup` sees.
#[derive(Debug, Args)]
pub(crate) struct ClusterArgs {
    /// Let lookup see the objects in this folder or file, as `kubectl get -o yaml` prints them [default: none]
    #[arg(long, value_name = "PATH")]
    pub(crate) cluster_state: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineChoice {
    /// The built-in engine
    Native,
    /// The real helm binary
    Witness,
}

/// The formats by name, told by a wrong one, by the help and by completions.
fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(
        FORMATS
            .iter()
            .map(|format| PossibleValue::new(format.name).help(format.about)),
    )
}

/// How a report is told.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub(crate) struct ReportArgs {
    /// Format of the report on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = formats())]
    pub(crate) format: String,

    /// Also write the report in a format to a file (repeatable)
    #[arg(long, value_name = "FORMAT=FILE")]
    pub(crate) output: Vec<String>,

    /// Lowest level of a finding that fails the run [default: deny]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) fail_on: Option<String>,

    /// Raise a check to deny (repeatable)
    #[arg(long, value_name = "CHECK")]
    pub(crate) deny: Vec<String>,

    /// Set a check to warn (repeatable)
    #[arg(long, value_name = "CHECK")]
    pub(crate) warn: Vec<String>,

    /// Switch a check off (repeatable)
    #[arg(long, value_name = "CHECK")]
    pub(crate) allow: Vec<String>,

    /// Print nothing but errors; the exit code tells the verdict
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Show every cell and every value whole
    #[arg(long, short)]
    pub(crate) verbose: bool,

    /// Colours on standard output
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto)]
    pub(crate) color: ColorChoice,

    /// Show the values of Secrets (text on a terminal only)
    #[arg(long)]
    pub(crate) show_secrets: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The baseline: SHA, branch, tag, merge-base:REF, the name of a pin, or dir:PATH
    #[arg(long, value_name = "REV")]
    pub(crate) against: String,

    /// The candidate: a revision or dir:PATH [default: the working tree]
    #[arg(long, value_name = "REV")]
    pub(crate) candidate: Option<String>,

    /// Whose evenkeel.yaml reads the baseline
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t = BaselineConfig::Candidate)]
    pub(crate) baseline_config: BaselineConfig,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,

    /// Render every cell, also those that an earlier run rendered from the same input on both sides
    #[arg(long)]
    pub(crate) no_cache: bool,

    /// Documents that moved to another release count as equal
    #[arg(long, help_heading = "Equality")]
    pub(crate) allow_moved: bool,

    /// Cells that fail with the same error on both sides do not fail the run
    #[arg(long, help_heading = "Equality")]
    pub(crate) allow_failing_alike: bool,

    /// Switch a canonical rule on (repeatable), such as version-labels
    #[arg(long, help_heading = "Equality", value_name = "RULE")]
    pub(crate) with_rule: Vec<String>,

    /// Switch a canonical rule off (repeatable), such as map-lists
    #[arg(long, help_heading = "Equality", value_name = "RULE")]
    pub(crate) without_rule: Vec<String>,

    /// The grid and a line for each document that is not equal, with counts of fields; short for --format stat
    #[arg(long, help_heading = "Report", conflicts_with_all = ["format", "name_only", "quiet"])]
    pub(crate) stat: bool,

    /// `Kind namespace/name`, a tab and `release@platform` for each document that is not equal; short for --format names
    #[arg(long, help_heading = "Report", conflicts_with_all = ["format", "quiet"])]
    pub(crate) name_only: bool,

    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

impl VerifyArgs {
    /// The name of the format for standard output.
    pub(crate) fn format(&self) -> &str {
        match (self.stat, self.name_only) {
            (true, _) => "stat",
            (_, true) => "names",
            _ => &self.report.format,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BaselineConfig {
    /// The candidate's, with its `baseline:` section where it has one
    Candidate,
    /// The file at the baseline's own revision
    Own,
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// The tree to audit: a revision or dir:PATH [default: the working tree]
    #[arg(long, value_name = "REV")]
    pub(crate) candidate: Option<String>,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,

    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AcceptArgs {
    /// The baseline: SHA, branch, tag, merge-base:REF, the name of a pin, or dir:PATH
    #[arg(long, value_name = "REV")]
    pub(crate) against: String,

    /// Whose evenkeel.yaml reads the baseline
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t = BaselineConfig::Candidate)]
    pub(crate) baseline_config: BaselineConfig,

    /// Only documents of this Kind/name (glob)
    #[arg(long, value_name = "GLOB")]
    pub(crate) resource: Option<String>,

    /// Only fields of this path (glob), such as 'metadata.labels*'
    #[arg(long, value_name = "GLOB")]
    pub(crate) path: Option<String>,

    /// Why the difference is wanted
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,

    /// Who says so
    #[arg(long, value_name = "NAME")]
    pub(crate) author: Option<String>,

    /// The last day it holds, as YYYY-MM-DD
    #[arg(long, value_name = "DATE")]
    pub(crate) expires: Option<String>,

    /// Switch a canonical rule on (repeatable), as the verification does
    #[arg(long, value_name = "RULE")]
    pub(crate) with_rule: Vec<String>,

    /// Switch a canonical rule off (repeatable), as the verification does
    #[arg(long, value_name = "RULE")]
    pub(crate) without_rule: Vec<String>,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BlameArgs {
    /// The document: Kind/name, or globs of them
    #[arg(value_name = "RESOURCE")]
    pub(crate) resource: String,

    /// The field, as reports print it: spec.template.spec.containers[name=app].image [default: every field]
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<String>,

    /// The tree to look at: a revision or dir:PATH [default: the working tree]
    #[arg(long, value_name = "REV")]
    pub(crate) candidate: Option<String>,

    /// Text for people, or JSON
    #[arg(long, value_enum, default_value_t = BlameFormat::Text)]
    pub(crate) format: BlameFormat,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BlameFormat {
    Text,
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The check [default: a line for each]
    #[arg(value_name = "CHECK")]
    pub(crate) check: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct PinArgs {
    /// The revision to pin
    #[arg(value_name = "REV")]
    pub(crate) revision: String,

    /// Name of the pin: baselines/NAME.yaml [default: the branch or tag, else the short SHA]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Replace a pin of that name
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// RELEASE, RELEASE@PLATFORM, or globs of them [default: every cell]
    #[arg(value_name = "SELECTOR")]
    pub(crate) selector: Option<String>,

    /// The tree to render: a revision or dir:PATH [default: the working tree]
    #[arg(long, value_name = "REV")]
    pub(crate) candidate: Option<String>,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct WitnessArgs {
    /// RELEASE, RELEASE@PLATFORM, or globs of them [default: every cell]
    #[arg(value_name = "SELECTOR")]
    pub(crate) selector: Option<String>,

    /// The tree to render: a revision or dir:PATH [default: the working tree]
    #[arg(long, value_name = "REV")]
    pub(crate) candidate: Option<String>,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Kubernetes version of the cluster [default: what the repository's CI names, else left open]
    #[arg(long, value_name = "VERSION")]
    pub(crate) kube_version: Option<String>,

    /// Helm that deploys, 3.19 or 4.3 [default: what the repository's CI names, else 4.3]
    #[arg(long, value_name = "VERSION")]
    pub(crate) helm_version: Option<String>,

    /// Only this platform (repeatable) [default: those that values files and folders are named after]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) platform: Vec<String>,

    /// Namespace of charts whose own is not known
    #[arg(long, value_name = "NAME")]
    pub(crate) namespace: Option<String>,

    /// Ask nothing; without this and any other flag, a terminal is asked
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Print the file instead of writing it
    #[arg(long)]
    pub(crate) stdout: bool,

    /// Replace an existing evenkeel.yaml
    #[arg(long)]
    pub(crate) force: bool,
}

impl InitArgs {
    /// True when some flag is given, so that nothing is asked.
    pub(crate) fn has_flags(&self) -> bool {
        let versions = self.kube_version.is_some() || self.helm_version.is_some();
        let names = self.namespace.is_some() || !self.platform.is_empty();
        versions || names || self.yes || self.stdout || self.force
    }
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// The baseline that a run would name: SHA, branch, tag, merge-base:REF, a pin, or dir:PATH
    #[arg(long, value_name = "REV")]
    pub(crate) against: Option<String>,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write every page into this folder
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct TemplateArgs {
    /// As for `helm template`: [NAME] CHART [flags]; --help tells them
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<String>,
}
