//! The native engine held against real Helm: the selected cells are rendered by both and their bytes compared.
//! Lines that chance wrote are told apart by the marks of the native render.

use super::chance;
use super::progress::Progress;
use super::request::Request;
use super::{run, sides};
use crate::base::{Problem, Side};
use crate::engine::{Engine, RenderFailure, RenderJob, Rendered};
use crate::plan::Plan;

/// What became of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The same bytes, or the same error.
    Same,
    /// The same bytes but for this many lines that chance wrote.
    Volatile(usize),
    /// Raw manifests, which no engine renders.
    NotRendered,
    /// Something differs.
    Differs(Box<Difference>),
}

/// The first difference of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Line of Helm's output, from 1; 0 for an error.
    pub line: usize,
    /// The `# Source` of the document it lies in.
    pub source: Option<String>,
    /// What Helm printed, or its error; `None` for the end of the output.
    pub helm: Option<String>,
    /// What the native engine printed, or its error.
    pub native: Option<String>,
}

/// Renders the selected cells of one side with both engines. The cells come by their labels, in the plan's order.
///
/// # Errors
/// Every problem that keeps the work from beginning.
pub fn witness(
    request: &Request,
    native: &dyn Engine,
    helm: &dyn Engine,
    progress: &dyn Progress,
) -> Result<Vec<(String, Agreement)>, Vec<Problem>> {
    let opened = sides::candidate(request)?.opened;
    let plan = Plan::of(&opened.config, Side::Candidate, &*opened.tree);
    if !plan.problems.is_empty() {
        return Err(plan.problems);
    }
    let dialect = plan.dialects[0];
    helm.ready(dialect).map_err(|problem| vec![problem])?;
    let cells = plan.cells.iter().filter(|cell| request.selection.takes(cell));
    let cells: Vec<_> = cells.collect();
    request.selection.check(&plan.cells)?;
    progress.start(cells.len());
    let found = run::workers(request)?.map(&cells, |cell| {
        let agreement = match cell.job(opened.tree.clone(), dialect) {
            Some(job) => agree(job, native, helm),
            None => Agreement::NotRendered,
        };
        progress.advance();
        (cell.label(), agreement)
    });
    progress.finish();
    Ok(found)
}

fn agree(mut job: RenderJob, native: &dyn Engine, helm: &dyn Engine) -> Agreement {
    let real = helm.render(&job);
    job.traced = true;
    match (native.render(&job), real) {
        (Ok(ours), Ok(real)) => outputs(&ours, &real.output),
        (Err(ours), Err(real)) if ours.message.trim_end() == real.message.trim_end() => Agreement::Same,
        (Err(ours), Err(real)) if is_chance(&ours.message, &real.message, || failure(&job, helm)) => {
            Agreement::Volatile(1)
        }
        (ours, real) => {
            let told = |outcome: Result<Rendered, RenderFailure>| match outcome {
                Ok(_) => "it renders".to_owned(),
                Err(failure) => failure.message,
            };
            Agreement::Differs(Box::new(Difference {
                line: 0,
                source: None,
                helm: Some(told(real)),
                native: Some(told(ours)),
            }))
        }
    }
}

/// So often Helm is asked again whether its error is chance.
const ATTEMPTS: usize = 3;

fn failure(job: &RenderJob, helm: &dyn Engine) -> Option<String> {
    Some(helm.render(job).err()?.message)
}

/// True when two errors are one that Helm words by chance: the same bytes in another order, which is that of a Go map.
/// What a schema refuses is always told so; another message is worded otherwise when Helm is asked again.
fn is_chance(ours: &str, real: &str, again: impl Fn() -> Option<String>) -> bool {
    const SCHEMA: &str = "values don't meet the specifications of the schema(s)";
    let sorted = |text: &str| {
        let mut bytes = text.trim_end().as_bytes().to_vec();
        bytes.sort_unstable();
        bytes
    };
    let is_other = |message: Option<String>| message.is_some_and(|message| message != real);
    sorted(ours) == sorted(real) && (real.starts_with(SCHEMA) || (0..ATTEMPTS).any(|_| is_other(again())))
}

/// Compares line by line. Where chance wrote a line of ours, Helm may have any lines up to the next one that both
/// must have.
fn outputs(ours: &Rendered, real: &[u8]) -> Agreement {
    if ours.output == real {
        return Agreement::Same;
    }
    let volatile = |start: usize, end: usize| {
        let history = ours.history.as_deref();
        history.is_some_and(|history| chance::chance(history, start..end).next().is_some())
    };
    let helm: Vec<&[u8]> = real.split(|byte| *byte == b'\n').collect();
    let mut at = 0;
    let mut start = 0;
    let mut by_chance = 0;
    let mut skipping = false;
    for line in ours.output.split(|byte| *byte == b'\n') {
        let end = start + line.len();
        if volatile(start, end) {
            by_chance += 1;
            skipping = true;
        } else {
            if skipping {
                at += helm[at.min(helm.len())..]
                    .iter()
                    .position(|other| *other == line)
                    .unwrap_or(0);
            }
            if helm.get(at) != Some(&line) {
                return differs(&helm, at, Some(line));
            }
            at += 1;
            skipping = false;
        }
        start = end + 1;
    }
    if !skipping && at < helm.len() {
        return differs(&helm, at, None);
    }
    Agreement::Volatile(by_chance)
}

fn differs(helm: &[&[u8]], at: usize, ours: Option<&[u8]>) -> Agreement {
    let text = |line: &[u8]| String::from_utf8_lossy(line).into_owned();
    let source = helm[..at.min(helm.len())]
        .iter()
        .rev()
        .find_map(|line| line.strip_prefix(b"# Source: "));
    Agreement::Differs(Box::new(Difference {
        line: at + 1,
        source: source.map(text),
        helm: helm.get(at).map(|line| text(line)),
        native: ours.map(text),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> Rendered {
        Rendered {
            output: text.as_bytes().to_vec(),
            ..Rendered::default()
        }
    }

    #[test]
    fn an_error_in_the_order_of_a_map_is_chance_and_another_one_is_not() {
        let schema =
            |rest: &str| format!("values don't meet the specifications of the schema(s) in x:\n{rest}");
        let never = || None;
        assert!(is_chance(&schema("- a\n- b\n"), &schema("- b\n- a"), never));
        assert!(!is_chance(&schema("- a\n"), &schema("- b\n"), never));
        let again = || Some("one of b,a".to_owned());
        assert!(is_chance("one of a,b", "one of b,a ", again));
        assert!(
            !is_chance("one of a,b", "one of b,a", again),
            "Helm says it again"
        );
        assert!(!is_chance("one of a,c", "one of a,b", again));
    }

    #[test]
    fn the_first_differing_line_is_told() {
        assert_eq!(outputs(&rendered("a\nb\n"), b"a\nb\n"), Agreement::Same);
        let found = outputs(&rendered("# Source: x\na\nb\n"), b"# Source: x\na\nc\n");
        let Agreement::Differs(found) = found else {
            panic!("{found:?}")
        };
        assert_eq!((found.line, found.source.as_deref()), (3, Some("x")));
        assert_eq!(
            (found.helm.as_deref(), found.native.as_deref()),
            (Some("c"), Some("b"))
        );
        assert!(
            matches!(outputs(&rendered("a"), b"a\nb"), Agreement::Differs(found) if found.native.is_none())
        );
    }
}
