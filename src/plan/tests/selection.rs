use super::*;
use crate::plan::Selection;

fn plan() -> Plan {
    cells(DOCUMENTED, &documented_tree())
}

fn taken(selection: &Selection) -> Vec<String> {
    let plan = plan();
    plan.cells
        .iter()
        .filter(|cell| selection.takes(cell))
        .map(|cell| cell.label())
        .collect()
}

fn texts(items: &[&str]) -> Vec<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

#[test]
fn releases_and_platforms_are_chosen_by_glob() {
    assert_eq!(taken(&Selection::default()).len(), plan().cells.len());
    let both = Selection::new(&texts(&["chat*"]), &texts(&["a*"]));
    assert_eq!(taken(&both), ["chat@amd", "chat-api@amd", "chat-api@arm64"]);
    let by_name = Selection::new(&texts(&["open-webui"]), &[]);
    assert_eq!(taken(&by_name), ["chat@nvidia", "chat@amd"]);
}

#[test]
fn selectors_name_a_release_or_a_cell() {
    assert_eq!(
        taken(&Selection::default().selector("gateway@arm*")),
        ["gateway@arm64"]
    );
    let two = Selection::default().selector("chat").selector("legacy@amd");
    assert_eq!(taken(&two), ["chat@nvidia", "chat@amd", "legacy@amd"]);
}

#[test]
fn a_choice_of_nothing_is_an_error_with_the_nearest_name() {
    let plan = plan();
    let check = |selection: &Selection| match selection.check(&plan.cells) {
        Ok(()) => "fine".to_owned(),
        Err(problems) => told(&problems),
    };
    let wrong = Selection::new(&texts(&["gatway", "nothing-like-it"]), &texts(&["arm"]))
        .selector("chat@nvida")
        .selector("legaci");
    insta::assert_snapshot!(check(&wrong));
    let apart = Selection::new(&texts(&["chat"]), &texts(&["arm64"]));
    assert!(check(&apart).contains("no release fits all"));
    assert_eq!(check(&Selection::new(&[], &texts(&["arm64"]))), "fine");
}
