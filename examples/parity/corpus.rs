//! A corpus folder: cases, and what real Helm printed for them.

use evenkeel::dialect::Dialect;
use serde_json::Value;
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// One case.
pub struct Case {
    pub id: String,
    pub chart: String,
    /// The arguments behind `helm template`.
    pub arguments: Vec<String>,
    pub exit_codes: [u8; 2],
    /// The order or text of standard error changes from run to run.
    pub stderr_varies: bool,
}

/// The folder.
pub struct Corpus {
    pub folder: PathBuf,
    pub cases: Vec<Case>,
    same: BTreeSet<String>,
    same_but_volatile: BTreeSet<String>,
}

/// What Helm told.
pub struct Expected {
    pub code: u8,
    pub stdout: Vec<u8>,
    pub stderr: String,
    /// Lines of standard output that are not stable, from 1.
    pub volatile: Vec<(usize, usize)>,
    /// Even the number of lines is not stable.
    pub length_varies: bool,
}

impl Corpus {
    pub fn open(folder: &Path) -> Result<Corpus, Box<dyn Error>> {
        let text = fs::read_to_string(folder.join("cases.jsonl"))?;
        let cases = text.lines().map(case).collect::<Result<_, _>>()?;
        let ids = |name: &str| {
            let text = fs::read_to_string(folder.join("expected").join(name)).unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        };
        Ok(Corpus {
            folder: folder.to_owned(),
            cases,
            same: ids("helm-3.19.0.same"),
            same_but_volatile: ids("helm-3.19.0.same-but-volatile"),
        })
    }

    pub fn expected(&self, case: &Case, dialect: Dialect) -> Expected {
        let own = match dialect {
            Dialect::V3_19 => "helm-3.19.0",
            Dialect::V4_3 => "helm-4.3.1",
        };
        let is_same = self.same.contains(&case.id);
        let shared = dialect == Dialect::V3_19 && (is_same || self.same_but_volatile.contains(&case.id));
        let code = case.exit_codes[usize::from(dialect == Dialect::V4_3)];
        let read = |release: &str, extension: &str| {
            let name = format!("{}.{extension}", case.id);
            fs::read(self.folder.join("expected").join(release).join(name)).unwrap_or_default()
        };
        let stdout_of = if shared { "helm-4.3.1" } else { own };
        let stderr_of = if shared && is_same && code != 0 {
            "helm-4.3.1"
        } else {
            own
        };
        let volatile = String::from_utf8_lossy(&read(stdout_of, "volatile")).into_owned();
        Expected {
            code,
            stdout: read(stdout_of, "yaml"),
            stderr: String::from_utf8_lossy(&read(stderr_of, "stderr")).into_owned(),
            volatile: volatile.lines().filter_map(range).collect(),
            length_varies: volatile.starts_with("# line counts"),
        }
    }
}

fn range(line: &str) -> Option<(usize, usize)> {
    let (first, last) = line.split_once('-').unwrap_or((line, line));
    Some((first.parse().ok()?, last.parse().ok()?))
}

fn case(line: &str) -> Result<Case, Box<dyn Error>> {
    let case: Value = serde_json::from_str(line)?;
    let text = |key: &str| case[key].as_str().map(str::to_owned);
    let texts = |key: &str| {
        let items = case[key].as_array().into_iter().flatten();
        items
            .filter_map(|item| item.as_str().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let chart = text("chart").ok_or("a case has a chart")?;
    let mut arguments: Vec<String> = text("release").into_iter().collect();
    arguments.push(chart.clone());
    let mut flag = |name: &str, values: Vec<String>| {
        for value in values {
            arguments.push(name.to_owned());
            arguments.push(value);
        }
    };
    flag("-n", text("namespace").into_iter().collect());
    flag("--kube-version", text("kube_version").into_iter().collect());
    flag("-f", texts("values"));
    flag("--set-json", texts("set_json"));
    flag("--set", texts("set"));
    flag("--set-string", texts("set_string"));
    flag("--set-file", texts("set_file"));
    flag("--set-literal", texts("set_literal"));
    arguments.extend(texts("flags"));
    let code = |key: &str| case[key].as_u64().and_then(|code| u8::try_from(code).ok());
    let newest = code("exit_code").ok_or("a case has an exit code")?;
    Ok(Case {
        id: text("id").ok_or("a case has an id")?,
        chart,
        arguments,
        exit_codes: [code("exit_code_3_19").unwrap_or(newest), newest],
        stderr_varies: case["stderr_volatile"].as_bool().unwrap_or(false),
    })
}
