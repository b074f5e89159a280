//! `list-replaced`: a list of a higher layer hides one of a lower layer, and elements are gone.

use super::elements::{in_a_row, lost};
use super::live::is_off;
use super::{ChartView, Check, Hazard, Pass, Sink};
use crate::base::Level;
use crate::layers::cover::Cover;
use crate::yaml::{Node, NodeKind};

/// The check.
pub static CHECK: Check = Check {
    name: "list-replaced",
    level: Level::Deny,
    audit_only: false,
    explain: "Helm merges maps, but it replaces a list as a whole. A values file that seems to add two entries to \
a list takes away everything the list held before: in the files below it, in the chart's defaults, or in the \
defaults of a subchart.\n\n\
The workload starts and looks healthy. What is gone shows later: a database address that the application \
replaces by a file inside the container, an argument that limited access, a mount with the data.\n\n\
\x20   # values.yaml             # values-sso.yaml, applied over it\n\
\x20   extraEnv:                 extraEnv:\n\
\x20     - name: DATABASE_URL      - name: OIDC_ISSUER\n\n\
leaves OIDC_ISSUER alone. The finding names the elements that are lost, by name, key or id where they have one, \
and both files. It is silent over an empty list, and where the new list restates all elements of the old one; \
lists inside restated elements are compared as well.\n\n\
Repeat the lower elements in the overlay, keep all of the list in one file, or use a map of the chart, which \
merges. A list over a chart's own default weighs less where nothing with a name is lost, and in an audit.",
    pass: Pass::Layers(run),
};

fn run(view: &ChartView<'_>, sink: &mut Sink) {
    for cover in &view.covers().values {
        let lists = [&cover.lower, &cover.upper].map(|it| matches!(it.node.kind, NodeKind::List(_)));
        if lists == [true, true] && !cover.lower.node.items().is_empty() {
            replaced(view, cover, sink);
        }
    }
}

fn replaced(view: &ChartView<'_>, cover: &Cover, sink: &mut Sink) {
    let written = view.written();
    let (below, above) = (written.layer(&cover.lower), written.layer(&cover.upper));
    let is_default = !below.is_users();
    let ignores = |item: &Node| is_default && is_example(item);
    let mut found = Vec::new();
    lost(
        &cover.path,
        &cover.lower.node,
        &cover.upper.node,
        &ignores,
        &mut found,
    );
    if found.is_empty() || is_off(view, &cover.path.0) {
        return;
    }
    for lost in found {
        let names = in_a_row(&lost.names);
        let are = if lost.names.len() == 1 { "is" } else { "are" };
        let message = format!(
            "{} replaces the list {}: {names} {are} gone",
            above.name(),
            lost.path
        );
        let is_emptied = cover.upper.node.items().is_empty();
        let level = match is_default && (view.is_audit || !lost.is_keyed || is_emptied) {
            true => Level::Warn,
            false => Level::Deny,
        };
        sink.tell(Hazard {
            level,
            value_path: Some(lost.path),
            lost: lost.names,
            place: Some(cover.upper.place.clone()),
            related: vec![("the list that is hidden".to_owned(), cover.lower.place.clone())],
            remedy: Some(
                "repeat the lower elements, keep the list in one file, or use a map of the chart instead"
                    .to_owned(),
            ),
            ..Hazard::new(&CHECK, message)
        });
    }
}

/// True for what a chart has as an example of a list, not as something to keep: hosts that do not exist.
fn is_example(item: &Node) -> bool {
    const HOSTS: [&str; 5] = [
        "chart-example",
        "example.com",
        "example.local",
        "example.org",
        "example.net",
    ];
    let is_named = ["name", "key", "id"].iter().any(|key| item.get(key).is_some());
    !is_named && holds(item, &|text| HOSTS.iter().any(|host| text.contains(host)))
}

fn holds(node: &Node, is_it: &dyn Fn(&str) -> bool) -> bool {
    match &node.kind {
        NodeKind::Str(text) => is_it(text),
        NodeKind::List(items) => items.iter().any(|item| holds(item, is_it)),
        NodeKind::Map(entries) => entries.iter().any(|entry| holds(&entry.value, is_it)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Case, introduced};
    use super::*;

    const TEMPLATE: &str = "a: {{ toJson .Values }}\n";

    fn told(case: Case) -> Vec<(String, Level, Vec<String>, String)> {
        let told = |hazard: Hazard| {
            let path = hazard.value_path.expect("a path").to_string();
            (
                path,
                hazard.level,
                hazard.lost,
                hazard.place.expect("a place").to_string(),
            )
        };
        case.hazards(&CHECK).into_iter().map(told).collect()
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_overlay_loses_what_the_file_below_held() {
        let case = || {
            Case::chart("env: []\n", TEMPLATE)
                .values("base.yaml", "env:\n- name: DB\n  value: x\n- name: LOG\n")
        };
        let found = case()
            .values("sso.yaml", "# c\nenv: [{name: OIDC}]\n")
            .hazards(&CHECK);
        let [hazard] = &found[..] else { panic!("{found:?}") };
        assert_eq!(hazard.level, Level::Deny);
        assert_eq!(hazard.lost, ["DB", "LOG"]);
        assert_eq!(
            hazard.message,
            "sso.yaml replaces the list env: DB and LOG are gone"
        );
        assert_eq!(
            hazard.place.as_ref().map(ToString::to_string).as_deref(),
            Some("sso.yaml:2:1")
        );
        assert_eq!(hazard.related[0].1.to_string(), "base.yaml:1:1");
        let restated = case().values("sso.yaml", "env: [{name: LOG}, {name: DB}, {name: OIDC}]\n");
        assert_eq!(told(restated), []);
        let merged = case().values("sso.yaml", "sso: {issuer: x}\n");
        assert_eq!(told(merged), []);
    }

    #[test]
    fn an_expression_replaces_too() {
        let case = Case::chart("", TEMPLATE)
            .values("v.yaml", "a: {l: [p, q]}\n")
            .set("a.l={q,r}");
        let place = "evenkeel.yaml:9:9".to_owned();
        let expected = [("a.l".to_owned(), Level::Deny, names(&["p"]), place)];
        assert_eq!(told(case), expected);
    }

    #[test]
    fn a_parent_chart_replaces_the_list_of_a_subchart_unless_it_is_off() {
        let case = |condition: &str| {
            Case::chart("db:\n  run: true\n  args: [{name: c}]\n", TEMPLATE)
                .file(
                    "app/Chart.yaml",
                    "apiVersion: v2\nname: app\nversion: 0.1.0\ndependencies:\n- {name: sub, alias: db, version: 1.0.0, condition: db.run}\n",
                )
                .file("app/charts/sub/Chart.yaml", "apiVersion: v2\nname: sub\nversion: 1.0.0\n")
                .file("app/charts/sub/values.yaml", "args: [{name: a}, {name: b}]\n")
                .values("v.yaml", condition)
        };
        let found = told(case("{}"));
        let place = "app/values.yaml:3:3".to_owned();
        assert_eq!(
            found,
            [("db.args".to_owned(), Level::Deny, names(&["a", "b"]), place)]
        );
        assert_eq!(told(case("db: {run: false}")), []);
        assert_eq!(told(case("{}").audit())[0].1, Level::Warn);
    }

    #[test]
    fn example_hosts_and_empty_defaults_are_no_loss() {
        let defaults = "hosts: [{host: chart-example.local, paths: []}]\nargs: []\nmodes: [A]\n";
        let case =
            Case::chart(defaults, TEMPLATE).values("v.yaml", "hosts: [{host: x}]\nargs: [b]\nmodes: [B]\n");
        let found = told(case);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].0.as_str(), found[0].1), ("modes", Level::Warn));
    }

    #[test]
    fn a_loss_that_stood_is_not_new_wherever_it_moves() {
        let case = |file: &str| {
            Case::chart("", TEMPLATE)
                .values("low.yaml", "l: [a, b]\n")
                .values(file, "\n\nl: [c]\n")
        };
        assert_eq!(introduced(&CHECK, case("old.yaml"), case("new.yaml")), []);
        let more = case("old.yaml").values("low.yaml", "l: [a]\n");
        assert_eq!(introduced(&CHECK, case("old.yaml"), more).len(), 2);
    }
}
