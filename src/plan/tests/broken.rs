//! What is told about broken configurations: one snapshot for each, with several problems in most.

use super::*;
use crate::plan::load;
use proptest::prelude::*;

/// Everything that is told about a configuration in the documented tree.
fn complaints(text: &str) -> String {
    let tree = documented_tree().file("evenkeel.yaml", text);
    match load(&tree, "evenkeel.yaml") {
        Err(problems) => told(&problems),
        Ok(config) => told(&Plan::of(&config, Side::Candidate, &tree).problems),
    }
}

macro_rules! broken {
    ($($name:ident: $text:expr;)*) => {
        $(
            #[test]
            fn $name() {
                insta::assert_snapshot!(stringify!($name), complaints($text));
            }
        )*
    };
}

broken! {
    an_empty_file: "";
    not_yaml: "releases: [\n  - a: {\n";
    not_a_map: "- releases\n";
    two_documents: "releases: [{ chart: gateway/chart, name: g }]\n---\nreleases: []\n";

    unknown_keys: "
platfrms: { amd: {} }
kube_version: v1.36.2
colour: blue
platforms:
  amd: { kubeVerison: v1.36.2, namespace: x }
releases:
  - { chart: gateway/chart, name: g, valuesFiles: [], value: [], include-crds: true }
baseline:
  release: []
  protect: []
";

    wrong_types: "
kubeVersion: [v1.36.2]
platforms: [amd, nvidia]
protect: { Deployment: web }
checks: [unread-key]
failOn: 3
releases:
  - { chart: gateway/chart, name: 7, namespace: on, values: 3, set: { a: b }, includeCRDs: 'yes', mayFail: 1 }
  - gateway/chart
  - { chart: [gateway/chart], name: x }
";

    missing_keys: "
helmVersion: 4.3
baseline: {}
";

    missing_keys_of_releases: "
releases:
  - { namespace: x }
  - { charts: '{module}/chart' }
  - { chart: gateway/chart }
  - { chart: gateway/chart, manifests: '*.yaml', name: two }
  - {}
";

    duplicate_keys: "
kubeVersion: v1.36.2
kubeVersion: v1.35.0
releases:
  - name: g
    chart: gateway/chart
    name: h
";

    bad_versions: "
kubeVersion: latest
helmVersion: [4.3, '4.3.1', 2.17, three]
releases:
  - { chart: gateway/chart, name: g, kubeVersion: 1 }
";

    bad_checks: "
checks: { unread-keys: warn, list-replaced: error, empty-secret: false, nonsense: deny }
failOn: allow
protect: [web, Deployment/, a/b/c]
releases: [{ chart: gateway/chart, name: g }]
";

    bad_globs: "
platforms: { amd: }
releases:
  - { charts: '{module/chart', name: '{module}' }
  - { charts: 'a**/chart', name: x }
  - { charts: '', name: y }
  - { charts: gateway/chart, exclude: '[', name: z }
  - { charts: '{module}/chart', forEach: 'x/*.yaml', name: '{module}' }
";

    unbound_captures: "
releases:
  - { charts: '{module}/chart', name: '{modul}', values: ['{platform}.yaml', '{'] }
  - { chart: '{module}/chart', name: g }
  - { charts: '{platform}/chart', name: p }
  - { charts: ['{a}/chart', '{b}/chart'], name: '{a}' }
";

    bad_platforms: "
platforms: { amd: {}, nvidia: , 'a/b': {} }
releases:
  - { chart: gateway/chart, name: g, platforms: [nvida, amd, amd] }
  - { chart: gateway/chart, name: h, platforms: [] }
";

    no_platforms: "
releases: [{ chart: gateway/chart, name: g, platforms: amd }]
";

    globs_that_match_nothing: "
releases:
  - { charts: 'gatway/*', name: a }
  - { charts: '{m}/templates', name: b }
  - { charts: 'deployments/{m}', name: c }
  - { manifests: deployments/legacy, name: d }
  - { manifests: 'deployments/legacy/*.yml', name: e }
  - { charts: '{m}/chart', forEach: '{m}/ci/{case}.yaml', name: '{m}', id: '{m}-{case}' }
";

    what_the_tree_lacks: "
releases:
  - { chart: gatway/chart, name: a }
  - { chart: gateway, name: b }
  - { chart: gateway/chart/Chart.yaml, name: c }
  - { chart: gateway/chart, name: d, values: [open-webui/value.yaml, open-webui, ../x.yaml, /etc/passwd] }
  - { chart: gateway/chart, name: e, setFile: [a=nothing.txt, 'b=x,c=y', d] }
";

    ids_used_twice: "
platforms: { amd: {}, nvidia: {} }
releases:
  - { charts: '{module}/chart', name: all }
  - { chart: gateway/chart, name: g, id: one, platforms: amd }
  - { chart: chat-api/chart, name: h, id: one }
";

    a_platform_that_captures_nothing: "
platforms: { gateway: {}, amd: {} }
releases:
  - { charts: '{platform}/chart', name: p }
";

    chart_keys_on_manifests: "
releases:
  - { manifests: deployments/legacy/*.yaml, name: m, values: [x.yaml], includeCRDs: true, kubeVersion: v1.36.2 }
  - { chart: gateway/chart, name: g, exclude: x }
";

    everything_at_once: "
kubeVersion: next
platforms:
  amd: { value: [] }
releases:
  - { charts: '{module}/chrt', name: '{module}' }
  - { chart: gateway/chart, name: g, values: [gone.yaml] }
  - { chart: gateway/chart, name: g, platforms: [intel] }
checks: { list-replace: deny }
";
}

#[test]
fn no_file_at_all() {
    let tree = documented_tree();
    let problems = load(&tree, "evenkeel.yaml").unwrap_err();
    insta::assert_snapshot!(told(&problems), @r"
    there is no evenkeel.yaml in the working tree
      help: `evenkeel init` writes a first evenkeel.yaml; --config FILE names another
    ");
    let tree = documented_tree().file("evenkeel.yml", "");
    let problems = load(&tree, "evenkeel.yaml").unwrap_err();
    assert_eq!(
        problems[0].remedy.as_deref(),
        Some("name yours with --config evenkeel.yml")
    );
}

#[test]
fn a_baseline_says_how_to_tell_of_an_older_layout() {
    let tree = MemoryTree::new("baseline 4f2a81c").file("web/Chart.yaml", chart("web"));
    let config = config("releases: [{ chart: web, name: web, values: [new.yaml] }]");
    let plan = Plan::of(&config, Side::Baseline, &tree);
    insta::assert_snapshot!(told(&plan.problems), @r"
    evenkeel.yaml:1:46: values file `new.yaml` is not in the baseline 4f2a81c
      help: if it is new, make it optional: `new.yaml?`; if the old tree is laid out otherwise, say so under `baseline:` or use --baseline-config own
    ");
}

#[test]
fn what_cannot_be_looked_into_is_told() {
    let tree = MemoryTree::new("working tree")
        .submodule("charts/theirs")
        .file("charts/ours/Chart.yaml", chart("ours"))
        .link("v.yaml", "../outside.yaml");
    let plan = Plan::of(
        &config("releases: [{ charts: 'charts/{c}', name: '{c}', values: [v.yaml] }]"),
        Side::Candidate,
        &tree,
    );
    insta::assert_snapshot!(told(&plan.problems));
}

/// YAML with the shape of a configuration, and with anything in its places.
fn any_yaml() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        "[a-z{}*?\\[\\]/.]{0,8}".prop_map(|text| format!("{text:?}")),
        Just("null".to_owned()),
        Just("1.30".to_owned()),
        Just("on".to_owned()),
        Just("'{module}/chart'".to_owned()),
    ];
    let keys = "(kubeVersion|helmVersion|platforms|releases|baseline|protect|checks|failOn|charts|chart|manifests|name|id|values|set|setFile|forEach|exclude|amd|x)";
    scalar.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec((keys, inner), 0..6).prop_map(|entries| {
                let entries: Vec<String> = entries
                    .into_iter()
                    .map(|(key, value)| format!("{key}: {value}"))
                    .collect();
                format!("{{ {} }}", entries.join(", "))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_shape_of_yaml_is_read_or_refused(text in any_yaml()) {
        complaints(&text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".*") {
        complaints(&text);
    }

    #[test]
    fn a_release_made_of_anything_is_read_or_refused(value in any_yaml(), key in "(charts|chart|manifests|name|values|set|platforms|forEach)") {
        complaints(&format!("platforms: {{ amd: {{}} }}\nreleases:\n  - {{ chart: gateway/chart, name: g, {key}: {value} }}\n"));
    }
}
