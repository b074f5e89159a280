//! `evenkeel explain`: what a check means. Without a name, all of them.

use super::args::ExplainArgs;
use super::exit::Exit;
use super::pager::{self, Paging};
use super::ui;
use super::wrap::wrapped;
use crate::base::Problem;
use crate::check::{self, CHECKS, Check};
use crate::plan::nearest;

pub(super) fn run(args: &ExplainArgs, paging: Paging) -> Result<Exit, Vec<Problem>> {
    let columns = ui::text_columns();
    let Some(name) = &args.check else {
        let widest = CHECKS.iter().map(|check| check.name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for check in CHECKS {
            let first = check.explain.trim().split(". ").next().unwrap_or_default();
            let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
            let head = format!("{:widest$}  {:5} ", check.name, check.level.name());
            text.push_str(&wrapped(&format!("{head}{first}"), columns, head.len()));
        }
        pager::print(text.as_bytes(), paging).map_err(|problem| vec![problem])?;
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
    pager::print(page(check, columns).as_bytes(), paging).map_err(|problem| vec![problem])?;
    Ok(Exit::Equivalent)
}

/// The page of a check.
fn page(check: &Check, columns: usize) -> String {
    let mut text = format!("{} [{}]\n", check.name, check.level.name());
    for paragraph in check.explain.trim().split("\n\n") {
        text.push('\n');
        // What is indented is an example and stays as it is.
        if paragraph.starts_with(' ') {
            text.push_str(paragraph.trim_end());
            text.push('\n');
        } else {
            let flowing = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
            text.push_str(&wrapped(&flowing, columns, 0));
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
        columns,
        0,
    ));
    text
}
