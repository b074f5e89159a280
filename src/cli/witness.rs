//! `evenkeel witness`: the native engine held against real Helm, cell by cell.

use super::args::WitnessArgs;
use super::bar::Bar;
use super::exit::Exit;
use super::{engine, request, ui};
use crate::base::Problem;
use crate::engine::NativeEngine;
use crate::verify::{self, Agreement};
use std::fmt::Write;

pub(super) fn run(args: &WitnessArgs) -> Result<Exit, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut request = request::of_run(&args.run, "", args.candidate.clone(), &mut problems)?;
    if !problems.is_empty() {
        return Err(problems);
    }
    if let Some(selector) = &args.selector {
        request.selection = request.selection.selector(selector);
    }
    let helm = engine::witness(&args.run)?;
    let bar = Bar::new(!args.run.no_progress);
    let found = verify::witness(&request, &NativeEngine::new(), &*helm, &bar)?;
    let (text, agree) = told(&found);
    ui::print(text.as_bytes()).map_err(|problem| vec![problem])?;
    Ok(if agree { Exit::Equivalent } else { Exit::Differs })
}

/// What differs, then one line of counts; true when nothing does.
fn told(found: &[(String, Agreement)]) -> (String, bool) {
    let mut text = String::new();
    let (mut rendered, mut differing, mut by_chance) = (0, 0, 0);
    for (cell, agreement) in found {
        rendered += usize::from(*agreement != Agreement::NotRendered);
        match agreement {
            Agreement::Same | Agreement::NotRendered => {}
            Agreement::Volatile(lines) => by_chance += lines,
            Agreement::Differs(difference) => {
                differing += 1;
                let place = match (difference.line, &difference.source) {
                    (0, _) => "the outcome".to_owned(),
                    (line, None) => format!("line {line}"),
                    (line, Some(source)) => format!("line {line}, in {source}"),
                };
                let _ = writeln!(text, "{cell} differs: {place}");
                for (who, line) in [("helm", &difference.helm), ("native", &difference.native)] {
                    let line = line.as_deref().unwrap_or("(the output ends)");
                    let _ = writeln!(text, "  {who:6}  {}", line.escape_debug());
                }
            }
        }
    }
    let cells = |count: usize| match count {
        1 => "1 cell".to_owned(),
        count => format!("{count} cells"),
    };
    let verdict = match differing {
        0 => "0 differing bytes".to_owned(),
        count => format!("{} of them differ from real Helm", cells(count)),
    };
    let _ = write!(text, "{} rendered by both engines: {verdict}", cells(rendered));
    match by_chance {
        0 => {}
        1 => text.push_str("; 1 line is chance by its marks"),
        lines => {
            let _ = write!(text, "; {lines} lines are chance by their marks");
        }
    }
    text.push('\n');
    (text, differing == 0 && rendered > 0)
}
