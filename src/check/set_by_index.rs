//! `set-by-index`: an expression writes to a position of a list, which is decided by what else is in it.

use super::elements::{in_a_row, lost, name_of};
use super::live::is_off;
use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::{KeyPath, Level, Step};
use crate::layers::cover::Indexed;
use crate::layers::written::{Author, Setting};
use std::collections::BTreeMap;

/// The check.
pub static CHECK: Check = Check {
    name: "set-by-index",
    level: Level::Deny,
    audit_only: false,
    explain: "An expression such as --set env[1].value=debug names an element by its position. What that does depends \
on where the list comes from.\n\n\
Over a list of a values file Helm edits the element at that position. When a layer puts a line in front, the same \
expression hits another element: a queue address becomes the word debug. Nothing complains.\n\n\
Over a list that only the defaults of a chart hold, Helm edits nothing: expressions never see defaults. It makes a new \
list, with nulls before the position, and that list replaces the default as a whole.\n\n\
The finding says which of the two happens and which element is hit; when the baseline hits another element, it names \
both. Set the value in a values file, by the name of its element, or use a map of the chart.",
    pass: Pass::Layers(run),
};

const REMEDY: &str = "write the element into a values file, where its name stands beside it";

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    let mut lists: BTreeMap<&KeyPath, Vec<&Indexed>> = BTreeMap::new();
    for indexed in &view.covers().indexed {
        lists.entry(&indexed.list).or_default().push(indexed);
    }
    for (path, edits) in lists {
        if is_off(view, &path.0) {
            continue;
        }
        let from_user = |lower: &Setting| view.written().layer(lower).is_users();
        match edits[0].lower.as_ref() {
            Some(lower) if from_user(lower) => edited(view, &edits, sink),
            lower => made(view, lower, &edits, sink),
        }
    }
}

/// Edits of elements that a user's layer holds.
fn edited(view: &ChartView<'_>, edits: &[&Indexed], sink: &mut Sink) {
    let mut told = Vec::new();
    for edit in edits {
        let Some(lower) = &edit.lower else { continue };
        let below = view.written().layer(lower);
        // What an expression made, expressions may go on writing: they stand side by side.
        if matches!(below.author, Author::Set(_)) || told.contains(&edit.position) {
            continue;
        }
        told.push(edit.position);
        let path = value_path(edit);
        let expression = view.written().layer(&edit.upper).name();
        let items = lower.node.items();
        let (object, message) = if edit.position < items.len() {
            let name = name_of(items, edit.position);
            let message = format!(
                "{expression} edits position {} of a list in {}, where {} stands now",
                edit.position,
                below.name(),
                shown(&name),
            );
            (name, message)
        } else {
            let gap = edit.position - items.len();
            let message = format!(
                "{expression} writes behind the {} elements that {} holds{}",
                items.len(),
                below.name(),
                nulls(gap)
            );
            (format!("behind the last of {}", items.len()), message)
        };
        sink.tell(Hazard {
            level: Level::Warn,
            value_path: Some(path),
            object,
            place: Some(edit.upper.place.clone()),
            related: vec![("the list".to_owned(), lower.place.clone())],
            remedy: Some(REMEDY.to_owned()),
            ..Hazard::new(&CHECK, message)
        });
    }
}

/// A new list in the place of a chart's, or of none.
fn made(view: &ChartView<'_>, lower: Option<&Setting>, edits: &[&Indexed], sink: &mut Sink) {
    let (Some(first), Some(last)) = (edits.first(), edits.last()) else {
        return;
    };
    let mut gone = Vec::new();
    if let Some(lower) = lower {
        lost(&first.list, &lower.node, &last.result, &|_| false, &mut gone);
    }
    let names: Vec<String> = gone.into_iter().flat_map(|lost| lost.names).collect();
    let holes = last.result.items().iter().filter(|item| item.is_null()).count();
    if names.is_empty() && holes == 0 {
        return;
    }
    let expression = view.written().layer(&first.upper).name();
    let what = match lower {
        Some(lower) if !lower.node.items().is_empty() => format!(
            "replaces the list {} of {}, which only chart defaults hold",
            first.list,
            view.written().layer(lower).name()
        ),
        _ => format!("makes the list {}", first.list),
    };
    let are = if names.len() == 1 { "is" } else { "are" };
    let gone = match names.is_empty() {
        true => String::new(),
        false => format!(": {} {are} gone", in_a_row(&names)),
    };
    sink.tell(Hazard {
        level: if names.is_empty() {
            Level::Warn
        } else {
            Level::Deny
        },
        value_path: Some(value_path(first)),
        lost: names,
        object: "a list of its own".to_owned(),
        place: Some(first.upper.place.clone()),
        related: lower
            .map(|lower| ("the list that is hidden".to_owned(), lower.place.clone()))
            .into_iter()
            .collect(),
        remedy: Some("write the whole list into a values file".to_owned()),
        ..Hazard::new(&CHECK, format!("{expression} {what}{gone}{}", nulls(holes)))
    });
}

fn nulls(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", and leaves a null".to_owned(),
        _ => format!(", and leaves {count} nulls"),
    }
}

/// `[1]` reads better as `an element without a name`.
fn shown(name: &str) -> &str {
    if name.starts_with('[') {
        "an element without a name"
    } else {
        name
    }
}

fn value_path(edit: &Indexed) -> KeyPath {
    let path = edit.list.join(Step::Index(edit.position));
    edit.rest.iter().fold(path, |path, step| path.join(step.clone()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, introduced};
    use super::*;

    const TEMPLATE: &str = "a: {{ toJson .Values }}\n";

    fn case(env: &str) -> Case {
        Case::chart("env: []\n", TEMPLATE)
            .values("v.yaml", env)
            .set("env[1].value=debug")
    }

    const TWO: &str = "env:\n- {name: QUEUE, value: x}\n- {name: LOG, value: info}\n";
    const THREE: &str = "env:\n- {name: REGION}\n- {name: QUEUE, value: x}\n- {name: LOG, value: info}\n";

    #[test]
    fn a_drifted_index_names_both_elements() {
        let found = introduced(&CHECK, case(TWO), case(THREE));
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(hazard.level, Level::Deny);
        assert_eq!(
            hazard.value_path.as_ref().map(ToString::to_string).as_deref(),
            Some("env[1].value")
        );
        assert_eq!(hazard.object, "QUEUE");
        assert!(
            hazard.message.contains("QUEUE") && hazard.message.contains("LOG"),
            "{}",
            hazard.message
        );
        assert_eq!(
            hazard.place.as_ref().map(ToString::to_string).as_deref(),
            Some("evenkeel.yaml:9:18")
        );
        assert_eq!(
            introduced(&CHECK, case(TWO), case(&format!("# moved\n{TWO}"))),
            []
        );
    }

    #[test]
    fn over_a_file_it_warns_and_over_defaults_it_loses() {
        let found = case(TWO).hazards(&CHECK);
        assert_eq!(found[0].level, Level::Warn);
        let over = |defaults: &str| Case::chart(defaults, TEMPLATE).set("env[1].value=x");
        let found = over(TWO).hazards(&CHECK);
        assert_eq!((found[0].level, found[0].lost.len()), (Level::Deny, 2));
        assert_eq!(
            found[0].message,
            "--set env[1].value replaces the list env of app/values.yaml, which only chart defaults hold: QUEUE and \
             LOG are gone, and leaves a null"
        );
        assert_eq!(over("env: []\n").hazards(&CHECK)[0].level, Level::Warn);
    }

    #[test]
    fn a_list_made_of_expressions_is_silent() {
        let made = Case::chart("env: []\n", TEMPLATE)
            .set("env[0].name=A,env[0].value=1")
            .set("env[1].name=B");
        assert_eq!(made.hazards(&CHECK), []);
        let restated = Case::chart("hosts: [{host: a}]\n", TEMPLATE).set("hosts[0].host=a,hosts[0].path=x");
        assert_eq!(restated.hazards(&CHECK), []);
    }
}
