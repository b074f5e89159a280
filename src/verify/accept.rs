//! Recording reviewed differences: runs a verification and writes what differs as entries of
//! `evenkeel.accept.yaml`, behind what the file holds already.
//!
//! Invariant: nothing of the existing text is changed, and the new text reads as the old entries and the new ones.

use super::accept_read;
use super::acceptance::{FILE_NAME, digest_of, is_whole};
use super::cell::{CellRun, Settings};
use super::cells::CellPair;
use super::progress::Progress;
use super::request::Request;
use super::run;
use crate::base::{Problem, Side};
use crate::compare::{DocumentComparison, Verdict};
use crate::dialect::Dialect;
use crate::engine::Engine;
use crate::json::{self, Layout};
use crate::manifest::canon::{self, same_data};
use crate::manifest::{DocumentId, Rules};
use crate::plan::wildcard;
use crate::report::redact::Mask;
use crate::yaml::{self, Node};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What to accept, and why.
#[derive(Clone, Debug)]
pub struct Choice {
    /// `Kind/name`, a glob; every document where absent.
    pub resource: Option<String>,
    /// A field, a glob; every field, and documents as a whole, where absent.
    pub path: Option<String>,
    /// Why the difference is wanted.
    pub reason: String,
    /// Who says so.
    pub author: Option<String>,
    /// The last day it holds, `YYYY-MM-DD`.
    pub expires: Option<String>,
}

/// What is to be written.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The file.
    pub path: PathBuf,
    /// Its whole new text.
    pub text: String,
    /// The new entries, a line each.
    pub lines: Vec<String>,
}

/// What an entry is about and what it expects; the platforms are collected.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Difference {
    release: String,
    resource: String,
    path: Option<String>,
    op: &'static str,
    before: Option<String>,
    after: Option<String>,
}

type Found = BTreeMap<Difference, Vec<String>>;

/// Verifies, and gives the file with the differences that were chosen added to it.
///
/// # Errors
/// Every problem that keeps the work from beginning; that nothing differs where it was looked for.
pub fn accept(
    request: &Request,
    engine: &dyn Engine,
    progress: &dyn Progress,
    choice: &Choice,
) -> Result<Recorded, Vec<Problem>> {
    if let Some(day) = choice.expires.as_deref().filter(|day| !accept_read::is_day(day)) {
        return Err(vec![
            Problem::new(format!("--expires {day}: this is no date")).remedy("write YYYY-MM-DD"),
        ]);
    }
    let mut found = Found::new();
    let mut file = None;
    let see = &mut |seen: &run::Seen<'_>| {
        file = Some((seen.file.to_owned(), seen.root.clone(), seen.text.to_vec()));
        for (pair, run) in seen.pairs.iter().zip(seen.runs) {
            collect(pair, run, seen.settings, choice, &mut found);
        }
    };
    run::run_and(request, engine, progress, see)?;
    let Some((file, root, old)) = file else {
        return Err(vec![
            Problem::new("the baseline is there by its digests alone: what differs is not known")
                .remedy("fetch the commit, then accept"),
        ]);
    };
    if found.is_empty() {
        return Err(vec![
            Problem::new("nothing that is not accepted already differs where it was looked for")
                .remedy("`evenkeel verify` tells what differs; --resource takes Kind/name, --path a field, both with *"),
        ]);
    }
    let root = root.ok_or_else(|| vec![Problem::new("the candidate is in no git repository")])?;
    let text = appended(&old, &file, &found, choice)?;
    Ok(Recorded {
        path: root.join(&file),
        text,
        lines: found
            .iter()
            .map(|(difference, platforms)| told(difference, platforms))
            .collect(),
    })
}

fn collect(pair: &CellPair, run: &CellRun, settings: &Settings<'_>, choice: &Choice, found: &mut Found) {
    let Some(comparison) = &run.comparison else { return };
    let mask = settings.redactor.mask(run.secrets.clone());
    for document in &comparison.documents {
        let resource = document.id.short();
        let fits = |pattern: &String| wildcard::fits(pattern, &resource);
        if !choice.resource.as_ref().is_none_or(fits) {
            continue;
        }
        for (path, op, before, after) in differences(document, &mask, settings.rules) {
            let fits = |pattern: &String| path.as_ref().is_some_and(|path| wildcard::fits(pattern, path));
            if !choice.path.as_ref().is_none_or(fits) {
                continue;
            }
            let difference = Difference {
                release: pair.id.to_string(),
                resource: resource.clone(),
                path,
                op,
                before,
                after,
            };
            let platforms = found.entry(difference).or_default();
            platforms.extend(pair.platform.as_ref().map(|platform| platform.to_string()));
        }
    }
}

type Told = (Option<String>, &'static str, Option<String>, Option<String>);

fn differences(document: &DocumentComparison, mask: &Mask, rules: Rules) -> Vec<Told> {
    if is_whole(document.verdict) {
        let digest = |side: Side| {
            let document = document.documents.get(side).as_ref()?;
            let digest = canon::digest(document, rules).ok()?;
            Some(format!("{{digest: {digest}}}"))
        };
        let (before, after) = (digest(Side::Baseline), digest(Side::Candidate));
        return vec![(None, document.verdict.name(), before, after)];
    }
    if document.verdict != Verdict::Changed {
        return Vec::new();
    }
    let root = |side: Side| canon::canonical(document.documents.get(side).as_ref()?, rules).ok();
    let roots = (root(Side::Baseline), root(Side::Candidate));
    let changes = document.changes.iter().map(|change| {
        let value = |root: &Option<Node>, node: &Option<Node>| {
            let node = node.as_ref()?;
            let is_secret = mask
                .value(&document.id, root.as_ref(), &change.path, node)
                .is_redacted();
            Some(written(&document.id, node, is_secret))
        };
        (
            Some(change.path.to_string()),
            change.op.name(),
            value(&roots.0, &change.before),
            value(&roots.1, &change.after),
        )
    });
    changes.collect()
}

/// A value as JSON, which is YAML as well; a digest for a secret, and for what would not read back as it is.
fn written(id: &DocumentId, node: &Node, is_secret: bool) -> String {
    let layout = Layout {
        escape_html: false,
        indent: false,
        engine: json::Engine::of(Dialect::V4_3),
    };
    let text = json::to_json(node, layout)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .filter(|_| !is_secret && &*id.kind != "Secret")
        .map(|text| text.trim_end().to_owned());
    let reads_back = |text: &String| {
        let read = yaml::parse_first(format!("v: {text}\n").as_bytes());
        read.is_ok_and(|read| read.node.get("v").is_some_and(|read| same_data(read, node)))
    };
    text.filter(reads_back)
        .unwrap_or_else(|| format!("{{digest: {}}}", digest_of(node)))
}

/// The old text with the new entries behind it.
fn appended(old: &[u8], file: &str, found: &Found, choice: &Choice) -> Result<String, Vec<Problem>> {
    let before = accept_read::read(old, file)?;
    let Ok(old) = std::str::from_utf8(old) else {
        return Err(vec![Problem::new(format!("{file} is not UTF-8 text"))]);
    };
    let mut text = old.to_owned();
    if text.is_empty() {
        text.push_str(
            "# Reviewed differences: `evenkeel accept` adds to this list, and a verification fails on what no longer holds.\n",
        );
    } else if !text.ends_with('\n') {
        text.push('\n');
    }
    for (difference, platforms) in found {
        entry(&mut text, difference, platforms, choice);
    }
    let is_whole = accept_read::read(text.as_bytes(), file)
        .is_ok_and(|now| now.len() == before.len() + found.len() && now.starts_with(&before));
    if is_whole {
        Ok(text)
    } else {
        Err(vec![
            Problem::new(format!(
                "{file} is written in a way that nothing can be added behind it"
            ))
            .remedy("write it as a list whose `- ` begin in the first column"),
        ])
    }
}

fn entry(text: &mut String, difference: &Difference, platforms: &[String], choice: &Choice) {
    let quoted = |value: &str| serde_json::Value::from(value).to_string();
    let mut line = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            text.push_str(if key == "release" { "- " } else { "  " });
            text.push_str(&format!("{key}: {value}\n"));
        }
    };
    line("release", Some(quoted(&difference.release)));
    if !platforms.is_empty() {
        let names: Vec<String> = platforms.iter().map(|name| quoted(name)).collect();
        line("platforms", Some(format!("[{}]", names.join(", "))));
    }
    line("resource", Some(quoted(&difference.resource)));
    line("path", difference.path.as_deref().map(quoted));
    line("op", Some(difference.op.to_owned()));
    line("before", difference.before.clone());
    line("after", difference.after.clone());
    line("reason", Some(quoted(&choice.reason)));
    line("author", choice.author.as_deref().map(quoted));
    line("expires", choice.expires.as_deref().map(quoted));
}

fn told(difference: &Difference, platforms: &[String]) -> String {
    let on = match platforms {
        [] => String::new(),
        platforms => format!(" on {}", platforms.join(", ")),
    };
    let path = difference.path.as_deref().unwrap_or("as a whole");
    format!(
        "{}: {} {path} ({}){on}",
        difference.release, difference.resource, difference.op
    )
}

/// The path of the file in a tree whose configuration stands at `config`.
pub(super) fn path_beside(config: &str) -> String {
    match config.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{FILE_NAME}"),
        None => FILE_NAME.to_owned(),
    }
}
