//! `evenkeel explain`: what a check means. Without a name, all of them.

use super::args::ExplainArgs;
use super::exit::Exit;
use super::ui;
use crate::base::Problem;
use crate::check::{self, CHECKS, Check};
use crate::plan::nearest;

const COLUMNS: usize = 100;

pub(super) fn run(args: &ExplainArgs) -> Result<Exit, Vec<Problem>> {
    let Some(name) = &args.check else {
        let widest = CHECKS.iter().map(|check| check.name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for check in CHECKS {
            let first = check.explain.trim().split(". ").next().unwrap_or_default();
            let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
            let head = format!("{:widest$}  {:5} ", check.name, check.level.name());
            text.push_str(&wrapped(&format!("{head}{first}"), COLUMNS, head.len()));
        }
        ui::print(text.as_bytes()).map_err(|problem| vec![problem])?;
        return Ok(Exit::Equivalent);
    };
    let Some(check) = check::find(name) else {
        let near = nearest(name, CHECKS.iter().map(|check| check.name));
        return Err(vec![Problem::new(format!("there is no check {name}")).remedy(
            match near {
                Some(near) => format!("did you mean {near}? `evenkeel explain` lists them all"),
                None => "`evenkeel explain` lists them all".to_owned(),
            },
        )]);
    };
    ui::print(page(check).as_bytes()).map_err(|problem| vec![problem])?;
    Ok(Exit::Equivalent)
}

/// The page of a check.
fn page(check: &Check) -> String {
    let mut text = format!("{} [{}]\n", check.name, check.level.name());
    for paragraph in check.explain.trim().split("\n\n") {
        text.push('\n');
        // What is indented is an example and stays as it is.
        if paragraph.starts_with(' ') {
            text.push_str(paragraph.trim_end());
            text.push('\n');
        } else {
            let flowing = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
            text.push_str(&wrapped(&flowing, COLUMNS, 0));
        }
    }
    let only = if check.audit_only {
        "told by `evenkeel audit` only; "
    } else {
        ""
    };
    text.push_str(&wrapped(
        &format!(
            "\n{only}another level: `checks: {{ {0}: warn }}` in evenkeel.yaml, or --deny, --warn, --allow {0}",
            check.name
        ),
        COLUMNS,
        0,
    ));
    text
}

/// Lines of at most so many columns; further ones are indented.
fn wrapped(text: &str, columns: usize, indent: usize) -> String {
    let mut out = String::new();
    let mut at = 0;
    for word in text.split_inclusive(' ') {
        if at > indent && at + word.trim_end().len() > columns {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            at = indent;
        }
        out.push_str(word);
        at += word.len();
    }
    out.push('\n');
    out
}
