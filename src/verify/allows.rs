//! Comments in values files that silence findings: which findings they take away, and which of them are of no use.

use super::acceptance::is_accepted;
use super::allow_comment::{self, AllowComment};
use super::cell::{CellRun, Settings};
use super::cells::CellPair;
use super::findings;
use crate::base::{Level, Place, Side};
use crate::check::{self, Hazard, MALFORMED_ALLOW, Pass, UNUSED_ALLOW};
use crate::engine::ValuesInput;
use crate::plan::Input;
use crate::report::finding::CellRef;
use crate::report::model::Facts;
use crate::report::redact::KnownSecrets;
use std::collections::{BTreeMap, BTreeSet};

/// The comments of the candidate's values files.
pub(super) struct Allows {
    files: BTreeMap<String, File>,
}

#[derive(Default)]
struct File {
    comments: Vec<Comment>,
    cells: Vec<CellRef>,
}

struct Comment {
    read: AllowComment,
    /// True when the baseline's file says the same.
    standing: bool,
    /// The checks it silenced something of.
    used: BTreeSet<&'static str>,
}

impl Allows {
    /// Reads the values files of all cells, each once.
    pub(super) fn of(pairs: &[CellPair], settings: &Settings<'_>) -> Allows {
        let mut files: BTreeMap<String, File> = BTreeMap::new();
        for pair in pairs {
            let Some(cell) = &pair.cells.candidate else {
                continue;
            };
            let Input::Chart(chart) = &cell.input else {
                continue;
            };
            let named = chart.values.iter().filter_map(|values| match values {
                ValuesInput::File(path) => Some(path.clone()),
                ValuesInput::Inline { .. } => None,
            });
            for path in named.chain([format!("{}/values.yaml", chart.path)]) {
                let file = files
                    .entry(path)
                    .or_insert_with_key(|path| File::read(path, settings));
                file.cells.push(CellRef {
                    release: pair.id.to_string(),
                    platform: pair.platform.as_deref().unwrap_or_default().to_owned(),
                });
            }
        }
        files.retain(|_, file| !file.comments.is_empty());
        Allows { files }
    }

    /// Takes away what a comment silences, and what is about accepted differences alone; gives how many findings that were. What stands on both sides would
    /// not have been told by itself and is not counted.
    pub(super) fn silence(&mut self, runs: &mut [CellRun]) -> usize {
        let mut silenced = BTreeSet::new();
        for run in runs {
            let accepted = std::mem::take(&mut run.accepted);
            run.hazards.retain(|hazard| {
                let is_silenced = self.covers(hazard) || is_accepted(hazard, &accepted);
                if is_silenced && !hazard.standing {
                    silenced.insert((hazard.check, hazard.place.clone(), hazard.message.clone()));
                }
                !is_silenced
            });
        }
        silenced.len()
    }

    fn covers(&mut self, hazard: &Hazard) -> bool {
        let Some(place) = hazard.place.as_ref().filter(|_| hazard.side == Side::Candidate) else {
            return false;
        };
        let Some(file) = self.files.get_mut(&*place.file) else {
            return false;
        };
        let mut covered = false;
        for comment in &mut file.comments {
            if let Ok(allowed) = &comment.read.meaning
                && allowed.checks.contains(&hazard.check)
                && allowed.covers(place.line, place.column)
            {
                comment.used.insert(hazard.check);
                covered = true;
            }
        }
        covered
    }

    /// Tells the comments that cannot be read and those that silenced nothing. `is_whole` says that every cell
    /// was looked at and none failed: only then is a comment known to be of no use.
    pub(super) fn tell(self, is_whole: bool, settings: &Settings<'_>, facts: &mut Facts) {
        let mask = settings.redactor.mask(KnownSecrets::new());
        for (path, file) in self.files {
            for comment in &file.comments {
                for hazard in comment.hazards(&path, is_whole, settings) {
                    let level = settings.levels.level(&hazard);
                    if level == Level::Allow {
                        continue;
                    }
                    if hazard.standing {
                        facts.standing += 1;
                        continue;
                    }
                    let mut finding = findings::finding(&hazard, level, &file.cells[0], &mask);
                    finding.cells.clone_from(&file.cells);
                    facts.findings.push(finding);
                }
            }
        }
    }
}

impl File {
    fn read(path: &str, settings: &Settings<'_>) -> File {
        let Ok(bytes) = settings.trees.candidate.read(path) else {
            return File::default();
        };
        let read = allow_comment::read(&bytes);
        if read.is_empty() {
            return File::default();
        }
        let before = match settings.is_audit {
            true => Vec::new(),
            false => match settings.trees.baseline.read(path) {
                Ok(bytes) => bytes.to_vec(),
                Err(_) => Vec::new(),
            },
        };
        let before = String::from_utf8_lossy(&before);
        let comments = read.into_iter().map(|read| Comment {
            standing: before.contains(&read.text),
            read,
            used: BTreeSet::new(),
        });
        File {
            comments: comments.collect(),
            cells: Vec::new(),
        }
    }
}

impl Comment {
    fn hazards(&self, path: &str, is_whole: bool, settings: &Settings<'_>) -> Vec<Hazard> {
        let place = Place::new(path, self.read.line, self.read.column);
        let hazard = |check, message: String, remedy: &str| Hazard {
            place: Some(place.clone()),
            remedy: Some(remedy.to_owned()),
            standing: self.standing,
            ..Hazard::new(check, message)
        };
        match &self.read.meaning {
            Err(fault) => vec![hazard(&MALFORMED_ALLOW, fault.message.clone(), &fault.remedy)],
            Ok(allowed) if is_whole => allowed
                .checks
                .iter()
                .filter(|check| !self.used.contains(*check) && ran(check, settings))
                .map(|check| {
                    let message =
                        format!("allow {check} silences nothing: the check finds nothing at this key");
                    hazard(
                        &UNUSED_ALLOW,
                        message,
                        "remove the comment, or put it at the key it is for",
                    )
                })
                .collect(),
            Ok(_) => Vec::new(),
        }
    }
}

/// True when a check was run, so that finding nothing says something.
fn ran(name: &str, settings: &Settings<'_>) -> bool {
    check::find(name).is_some_and(|check| {
        let needs_trace = !matches!(check.pass, Pass::Layers(_));
        (settings.is_audit || !check.audit_only)
            && (settings.engine.knows_ambient() || !needs_trace)
            && settings.levels.of(name) != Some(Level::Allow)
    })
}
