//! The flags of `helm template`, read as Helm's own parser (spf13/pflag) reads them, with its messages.

use super::csv;

/// What a flag does with its value.
#[derive(Clone, Copy)]
pub(super) enum Effect {
    /// Sets something of the request; the text is a boolean.
    Switch(fn(&mut Request, bool)),
    /// Sets something of the request.
    Value(fn(&mut Request, &str)),
    /// Sets something of the request, one call per item of a comma-separated list.
    List(fn(&mut Request, &str)),
    /// Takes a boolean that changes nothing without a cluster.
    IdleSwitch,
    /// Takes a value that changes nothing without a cluster.
    IdleValue,
    /// Cannot be done without the network, a cluster or a foreign program: why, and what to do instead.
    RefusedSwitch(&'static str),
    /// The same with a value.
    RefusedValue(&'static str),
}

/// One flag.
pub(super) struct Flag {
    pub(super) name: &'static str,
    pub(super) short: Option<char>,
    pub(super) effect: Effect,
    /// The value that the flag alone stands for, where that is not `true`.
    alone: Option<&'static str>,
    /// Empty for flags that are taken but change nothing.
    pub(super) help: &'static str,
}

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Request {
    /// What is no flag: NAME and CHART.
    pub(super) arguments: Vec<String>,
    pub(super) help: bool,
    pub(super) helm_version: Option<String>,
    pub(super) namespace: Option<String>,
    pub(super) kubeconfig: Option<String>,
    pub(super) kube_context: Option<String>,
    pub(super) values: Vec<String>,
    pub(super) set: Vec<(crate::engine::SetKind, String)>,
    pub(super) kube_version: String,
    pub(super) api_versions: Vec<String>,
    pub(super) include_crds: bool,
    pub(super) is_upgrade: bool,
    pub(super) no_hooks: bool,
    pub(super) skip_tests: bool,
    pub(super) skip_schema_validation: bool,
    pub(super) show_only: Vec<String>,
    pub(super) name_template: String,
    pub(super) generate_name: bool,
    pub(super) output_dir: String,
    pub(super) release_name: bool,
    pub(super) enable_dns: bool,
    pub(super) dry_run: Option<String>,
}

const fn flag(name: &'static str, effect: Effect, help: &'static str) -> Flag {
    Flag {
        name,
        short: None,
        effect,
        alone: None,
        help,
    }
}

const fn short(name: &'static str, short: char, effect: Effect, help: &'static str) -> Flag {
    Flag {
        short: Some(short),
        ..flag(name, effect, help)
    }
}

const fn idle(name: &'static str) -> Flag {
    flag(name, Effect::IdleValue, "")
}

const fn idle_switch(name: &'static str) -> Flag {
    flag(name, Effect::IdleSwitch, "")
}

const NETWORK: &str = "needs the network, which evenkeel never uses: fetch the chart first (helm pull)";
const CLUSTER: &str = "needs a cluster, which evenkeel never asks";
const PROGRAM: &str = "runs another program over the output: pipe the output of evenkeel through it instead";

macro_rules! set {
    ($kind:ident) => {
        Effect::Value(|request, text| request.set.push((crate::engine::SetKind::$kind, text.to_owned())))
    };
}

/// Every flag, sorted by name.
pub(super) static FLAGS: &[Flag] = &[
    short(
        "api-versions",
        'a',
        Effect::List(|request, text| request.api_versions.push(text.to_owned())),
        "Kubernetes API versions that .Capabilities.APIVersions has besides the usual ones (repeatable)",
    ),
    idle_switch("atomic"),
    idle("burst-limit"),
    idle("ca-file"),
    idle("cert-file"),
    idle("color"),
    idle("colour"),
    idle("content-cache"),
    idle_switch("create-namespace"),
    idle_switch("debug"),
    flag("dependency-update", Effect::RefusedSwitch(NETWORK), ""),
    idle("description"),
    idle_switch("devel"),
    idle_switch("disable-openapi-validation"),
    Flag {
        alone: Some("unset"),
        ..flag(
            "dry-run",
            Effect::Value(|request, text| request.dry_run = Some(text.to_owned())),
            "client, the only kind there is here",
        )
    },
    flag(
        "enable-dns",
        Effect::Switch(|request, on| request.enable_dns = on),
        "let getHostByName ask the DNS",
    ),
    idle_switch("force"),
    idle_switch("force-conflicts"),
    idle_switch("force-replace"),
    short(
        "generate-name",
        'g',
        Effect::Switch(|request, on| request.generate_name = on),
        "not together with NAME; the name is release-name, as in Helm",
    ),
    flag(
        "helm-version",
        Effect::Value(|request, text| request.helm_version = Some(text.to_owned())),
        "the Helm to imitate, 3.19 or 4.3 (evenkeel's own flag)",
    ),
    short(
        "help",
        'h',
        Effect::Switch(|request, on| request.help = on),
        "print help",
    ),
    idle_switch("hide-notes"),
    flag(
        "include-crds",
        Effect::Switch(|request, on| request.include_crds = on),
        "print the files of crds/ too",
    ),
    idle_switch("insecure-skip-tls-verify"),
    flag(
        "is-upgrade",
        Effect::Switch(|request, on| request.is_upgrade = on),
        "set .Release.IsUpgrade instead of .Release.IsInstall",
    ),
    idle("key-file"),
    idle("keyring"),
    idle("kube-apiserver"),
    idle("kube-as-group"),
    idle("kube-as-user"),
    idle("kube-ca-file"),
    flag(
        "kube-context",
        Effect::Value(|request, text| request.kube_context = Some(text.to_owned())),
        "context of the kubeconfig whose namespace is the default",
    ),
    idle_switch("kube-insecure-skip-tls-verify"),
    idle("kube-tls-server-name"),
    idle("kube-token"),
    flag(
        "kube-version",
        Effect::Value(|request, text| text.clone_into(&mut request.kube_version)),
        "Kubernetes version of .Capabilities.KubeVersion",
    ),
    flag(
        "kubeconfig",
        Effect::Value(|request, text| request.kubeconfig = Some(text.to_owned())),
        "kubeconfig whose current namespace is the default",
    ),
    Flag {
        short: Some('l'),
        ..idle("labels")
    },
    flag(
        "name-template",
        Effect::Value(|request, text| text.clone_into(&mut request.name_template)),
        "template that makes the release name",
    ),
    short(
        "namespace",
        'n',
        Effect::Value(|request, text| request.namespace = Some(text.to_owned())),
        "namespace of the release",
    ),
    flag(
        "no-hooks",
        Effect::Switch(|request, on| request.no_hooks = on),
        "leave hooks out",
    ),
    flag(
        "output-dir",
        Effect::Value(|request, text| text.clone_into(&mut request.output_dir)),
        "write files below a directory instead of standard output",
    ),
    idle_switch("pass-credentials"),
    idle("password"),
    idle_switch("plain-http"),
    flag("post-renderer", Effect::RefusedValue(PROGRAM), ""),
    flag("post-renderer-args", Effect::RefusedValue(PROGRAM), ""),
    flag("post-renderer-strategy", Effect::RefusedValue(PROGRAM), ""),
    idle("qps"),
    idle("registry-config"),
    flag(
        "release-name",
        Effect::Switch(|request, on| request.release_name = on),
        "put the release name into the paths of --output-dir",
    ),
    idle_switch("render-subchart-notes"),
    idle_switch("replace"),
    flag("repo", Effect::RefusedValue(NETWORK), ""),
    idle("repository-cache"),
    idle("repository-config"),
    idle_switch("rollback-on-failure"),
    idle_switch("server-side"),
    flag("set", set!(Set), "set values: key=value,... (repeatable)"),
    flag(
        "set-file",
        set!(File),
        "set values to the contents of files: key=path,... (repeatable)",
    ),
    flag(
        "set-json",
        set!(Json),
        "set values written in JSON: key=json or a whole object (repeatable)",
    ),
    flag(
        "set-literal",
        set!(Literal),
        "set a value to a text as it stands: key=text (repeatable)",
    ),
    flag(
        "set-string",
        set!(String),
        "set values that stay strings: key=value,... (repeatable)",
    ),
    short(
        "show-only",
        's',
        Effect::Value(|request, text| request.show_only.push(text.to_owned())),
        "print only what these templates gave (repeatable, globs)",
    ),
    idle_switch("skip-crds"),
    flag(
        "skip-schema-validation",
        Effect::Switch(|request, on| request.skip_schema_validation = on),
        "do not check values against values.schema.json",
    ),
    flag(
        "skip-tests",
        Effect::Switch(|request, on| request.skip_tests = on),
        "leave test hooks out",
    ),
    idle_switch("take-ownership"),
    idle("timeout"),
    idle("username"),
    flag("validate", Effect::RefusedSwitch(CLUSTER), ""),
    short(
        "values",
        'f',
        Effect::List(|request, text| request.values.push(text.to_owned())),
        "values files, - for standard input (repeatable, or comma-separated)",
    ),
    flag(
        "verify",
        Effect::RefusedSwitch("needs a keyring and a signature: verify the chart with helm first"),
        "",
    ),
    idle("version"),
    Flag {
        alone: Some("watcher"),
        ..idle("wait")
    },
    idle_switch("wait-for-jobs"),
];

/// Reads the arguments behind `template`.
///
/// # Errors
/// pflag's message, or why a flag is refused.
pub(super) fn parse(arguments: &[String]) -> Result<Request, String> {
    let mut request = Request::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            request.arguments.extend(rest.cloned());
            break;
        }
        if let Some(body) = argument.strip_prefix("--") {
            long(&mut request, argument, body, &mut rest)?;
        } else if argument.len() > 1 && argument.starts_with('-') {
            shorts(&mut request, &argument[1..], &mut rest)?;
        } else {
            request.arguments.push(argument.clone());
        }
    }
    Ok(request)
}

fn long<'a>(
    request: &mut Request,
    argument: &str,
    body: &str,
    rest: &mut impl Iterator<Item = &'a String>,
) -> Result<(), String> {
    if body.starts_with(['-', '=']) {
        return Err(format!("bad flag syntax: {argument}"));
    }
    let (name, value) = match body.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (body, None),
    };
    let found = FLAGS.binary_search_by(|flag| flag.name.cmp(name));
    let flag = &FLAGS[found.map_err(|_| format!("unknown flag: --{name}"))?];
    match value.or(flag.alone()) {
        Some(value) => flag.apply(request, value),
        None => match rest.next() {
            Some(value) => flag.apply(request, value),
            None => Err(format!("flag needs an argument: --{name}")),
        },
    }
}

fn shorts<'a>(
    request: &mut Request,
    body: &str,
    rest: &mut impl Iterator<Item = &'a String>,
) -> Result<(), String> {
    let mut left = body;
    while let Some(letter) = left.chars().next() {
        let behind = &left[letter.len_utf8()..];
        let flag = FLAGS
            .iter()
            .find(|flag| flag.short == Some(letter))
            .ok_or_else(|| format!("unknown shorthand flag: '{letter}' in -{left}"))?;
        if let Some(value) = behind.strip_prefix('=').filter(|value| !value.is_empty()) {
            return flag.apply(request, value);
        }
        match flag.alone() {
            Some(value) => flag.apply(request, value)?,
            None if !behind.is_empty() => return flag.apply(request, behind),
            None => match rest.next() {
                Some(value) => return flag.apply(request, value),
                None => return Err(format!("flag needs an argument: '{letter}' in -{left}")),
            },
        }
        left = behind;
    }
    Ok(())
}

impl Flag {
    /// What the flag stands for without a value; `None` where it needs one.
    fn alone(&self) -> Option<&'static str> {
        let is_switch = matches!(
            self.effect,
            Effect::Switch(_) | Effect::IdleSwitch | Effect::RefusedSwitch(_)
        );
        self.alone.or(is_switch.then_some("true"))
    }

    fn apply(&self, request: &mut Request, value: &str) -> Result<(), String> {
        let truth = || self.truth(value);
        match self.effect {
            Effect::Switch(set) => set(request, truth()?),
            Effect::IdleSwitch => {
                truth()?;
            }
            Effect::Value(set) => set(request, value),
            Effect::List(set) => csv::fields(value).iter().for_each(|item| set(request, item)),
            Effect::IdleValue => {}
            Effect::RefusedSwitch(why) => {
                if truth()? {
                    return Err(format!("--{} {why}", self.name));
                }
            }
            Effect::RefusedValue(why) => return Err(format!("--{} {why}", self.name)),
        }
        Ok(())
    }

    /// Go's `strconv.ParseBool`.
    fn truth(&self, value: &str) -> Result<bool, String> {
        match value {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
            _ => {
                let name = match self.short {
                    Some(short) => format!("-{short}, --{}", self.name),
                    None => format!("--{}", self.name),
                };
                let quoted = crate::value::quote::quote_str(value.as_bytes());
                Err(format!(
                    "invalid argument {quoted} for \"{name}\" flag: strconv.ParseBool: parsing {quoted}: invalid syntax"
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::SetKind;

    fn read(arguments: &[&str]) -> Result<Request, String> {
        parse(
            &arguments
                .iter()
                .map(|text| (*text).to_owned())
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(FLAGS.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn flags_are_read_as_pflag_reads_them() {
        let request = read(&[
            "r",
            "-nns",
            "c",
            "-f",
            "a,b",
            "--set=x=1",
            "-gs=t",
            "--no-hooks=F",
            "--",
            "-z",
        ]);
        let request = request.unwrap();
        assert_eq!(request.arguments, ["r", "c", "-z"]);
        assert_eq!(request.namespace.as_deref(), Some("ns"));
        assert_eq!(request.values, ["a", "b"]);
        assert_eq!(request.set, [(SetKind::Set, "x=1".to_owned())]);
        assert!(request.generate_name && !request.no_hooks && request.show_only == ["t"]);
    }

    #[test]
    fn faults_have_pflags_words() {
        let fault = |arguments: &[&str]| read(arguments).unwrap_err();
        assert_eq!(fault(&["--nope=1"]), "unknown flag: --nope");
        assert_eq!(fault(&["-xy"]), "unknown shorthand flag: 'x' in -xy");
        assert_eq!(fault(&["--set"]), "flag needs an argument: --set");
        assert_eq!(fault(&["-gf"]), "flag needs an argument: 'f' in -f");
        assert!(fault(&["--repo", "https://x"]).contains("network"));
    }
}
