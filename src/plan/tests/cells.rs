use super::*;
use crate::base::Level;
use crate::dialect::Dialect;
use crate::engine::{SetKind, ValuesInput};
use crate::plan::{Cell, Input};
use std::fmt::Write;
use std::sync::Arc;

/// A cell in one paragraph.
fn summary(cell: &Cell) -> String {
    let mut text = format!(
        "{} = {}/{} kube {}",
        cell.label(),
        cell.namespace,
        cell.name,
        cell.kube_version.as_deref().unwrap_or("-")
    );
    match &cell.input {
        Input::Manifests(paths) => write!(text, " manifests {paths:?}").unwrap(),
        Input::Chart(chart) => {
            write!(text, " chart {}", chart.path).unwrap();
            for values in &chart.values {
                match values {
                    ValuesInput::File(path) => write!(text, "\n    -f {path}").unwrap(),
                    ValuesInput::Inline { node, file } => {
                        write!(text, "\n    inline {file}:{}", node.mark.line).unwrap();
                    }
                }
            }
            for flag in &chart.set {
                write!(text, "\n    {} {}", flag.kind.flag(), flag.expression).unwrap();
            }
            if !chart.api_versions.is_empty() {
                write!(text, "\n    api {:?}", chart.api_versions).unwrap();
            }
            if chart.flags != Default::default() {
                write!(text, "\n    {:?}", chart.flags).unwrap();
            }
        }
    }
    if cell.may_fail {
        text.push_str("\n    may fail");
    }
    text
}

fn summaries(plan: &Plan) -> String {
    let cells: Vec<String> = plan.cells.iter().map(summary).collect();
    cells.join("\n")
}

#[test]
fn the_documented_file_means_what_it_says() {
    let plan = cells(DOCUMENTED, &documented_tree());
    insta::assert_snapshot!(summaries(&plan));
    assert_eq!(plan.dialects, [Dialect::V4_3]);
    let platforms: Vec<&str> = plan.platforms.iter().map(|name| &**name).collect();
    assert_eq!(platforms, ["nvidia", "amd", "arm64"]);

    let config = config(DOCUMENTED);
    assert_eq!(config.level_of("clock-output"), Some(Level::Allow));
    assert_eq!(config.level_of("env-lost"), None);
    assert_eq!(config.fail_on, Level::Deny);
    assert!(config.protect[1].covers("PersistentVolumeClaim", "data-0"));
    assert!(!config.protect[0].covers("Deployment", "open-webui-2"));
}

#[test]
fn the_baseline_section_reads_the_baseline() {
    let tree = MemoryTree::new("baseline")
        .file("stacks/nvidia/chat-api/Chart.yaml", chart("chat-api"))
        .file("stacks/amd/chat-api/Chart.yaml", chart("chat-api"))
        .file("stacks/arm64/chat-api/Chart.yaml", chart("chat-api"))
        .file("stacks/riscv/chat-api/Chart.yaml", chart("chat-api"));
    let plan = Plan::of(&config(DOCUMENTED), Side::Baseline, &tree);
    assert_eq!(told(&plan.problems), "");
    insta::assert_snapshot!(summaries(&plan), @r#"
    chat-api@nvidia = k8s-stack/chat-api kube v1.36.2 chart stacks/nvidia/chat-api
    chat-api@amd = k8s-stack/chat-api kube v1.36.2 chart stacks/amd/chat-api
    chat-api@arm64 = k8s-stack/chat-api kube v1.35.0 chart stacks/arm64/chat-api
        api ["monitoring.coreos.com/v1"]
    "#);
}

#[test]
fn a_baseline_read_with_the_candidates_releases_may_lack_new_ones() {
    let text = "
releases:
  - { charts: 'new/*', name: new }
  - { chart: web, name: web }
  - { chart: added, name: added }
";
    let tree = MemoryTree::new("baseline 4f2a81c").file("web/Chart.yaml", chart("web"));
    let plan = Plan::of(&config(text), Side::Baseline, &tree);
    assert_eq!(told(&plan.problems), "");
    assert_eq!(summaries(&plan), "web = default/web kube - chart web");
    let absent: Vec<(&str, &str)> = plan
        .absent
        .iter()
        .map(|absent| (&*absent.id, absent.path.as_str()))
        .collect();
    assert_eq!(absent, [("added", "added")]);

    let plan = Plan::of(&config(text).own(), Side::Baseline, &tree);
    assert_eq!(plan.problems.len(), 2, "{}", told(&plan.problems));
}

#[test]
fn platforms_lie_below_releases_and_flags_above_all() {
    let text = "
kubeVersion: 1.30
helmVersion: [4.3, '3.19']
platforms:
  dev:
    values: ['env/{platform}.yaml', { replicas: 1 }]
    set: [region=eu]
    setFile: [ca=env/ca.pem]
    apiVersions: a/v1
  prod:
releases:
  - name: web
    chart: charts/{platform}/web
    values: web.yaml
    setString: tag=1
    setJson: ['l={\"a\":1}']
    apiVersions: [b/v1]
    mayFail: true
    isUpgrade: true
    noHooks: true
    skipTests: true
    skipSchemaValidation: true
";
    let tree = MemoryTree::new("working tree")
        .file("env/dev.yaml", "")
        .file("env/ca.pem", "")
        .file("web.yaml", "")
        .file("charts/dev/web/Chart.yaml", chart("web"))
        .file("charts/prod/web/Chart.yaml", chart("web"));
    let plan = cells(text, &tree);
    insta::assert_snapshot!(summaries(&plan));
    assert_eq!(plan.dialects, [Dialect::V4_3, Dialect::V3_19]);

    let mut config = config(text);
    config.override_kube_version("v1.40.0");
    config.override_dialects(&[Dialect::V3_19]);
    let plan = Plan::of(&config, Side::Baseline, &tree);
    assert!(
        plan.cells
            .iter()
            .all(|cell| cell.kube_version.as_deref() == Some("v1.40.0"))
    );
    assert_eq!(plan.dialects, [Dialect::V3_19]);
}

#[test]
fn paths_are_relative_to_the_folder_of_the_file() {
    let text = "
releases:
  - { charts: '../charts/{c}', name: '{c}', values: ['./{c}.yaml?'], setFile: [k=../ca.pem] }
  - { manifests: [raw/*.yaml, '../more/*.yaml'], exclude: raw/b.yaml, name: raw }
";
    let tree = MemoryTree::new("working tree")
        .file("charts/web/Chart.yaml", chart("web"))
        .file("deploy/web.yaml", "")
        .file("ca.pem", "")
        .file("deploy/raw/a.yaml", "")
        .file("deploy/raw/b.yaml", "")
        .file("more/c.yaml", "");
    let (config, problems) = parse(text.as_bytes(), "deploy/evenkeel.yaml", "deploy");
    assert_eq!(told(&problems), "");
    let plan = Plan::of(&config, Side::Candidate, &tree);
    assert_eq!(told(&plan.problems), "");
    insta::assert_snapshot!(summaries(&plan), @r#"
    raw = default/raw kube - manifests ["deploy/raw/a.yaml", "more/c.yaml"]
    web = default/web kube - chart charts/web
        -f deploy/web.yaml
        --set-file k=ca.pem
    "#);
}

#[test]
fn globs_pass_over_libraries_and_nested_charts() {
    let text = "releases: [{ charts: '**/{c}', name: '{c}', exclude: ['attic/**'] }]";
    let tree = MemoryTree::new("working tree")
        .file("apps/web/Chart.yaml", chart("web"))
        .file("apps/web/charts/db/Chart.yaml", chart("db"))
        .file("lib/common/Chart.yaml", chart("common") + "type: library\n")
        .file("attic/old/Chart.yaml", chart("old"));
    let plan = cells(text, &tree);
    assert_eq!(summaries(&plan), "web = default/web kube - chart apps/web");
    assert_eq!(plan.notes.len(), 1);
    assert!(plan.notes[0].message.contains("library chart `lib/common`"));
}

#[test]
fn for_each_makes_one_release_of_each_file() {
    let text = "
releases:
  - charts: 'charts/{chart}'
    forEach: 'charts/{chart}/ci/{case}-values.yaml'
    name: '{chart}'
    id: '{chart}/{case}'
    values: ['charts/{chart}/ci/{case}-values.yaml']
  - chart: charts/web
    forEach: 'overlays/{case}.yaml'
    name: web
    id: 'web+{case}'
    values: 'overlays/{case}.yaml'
";
    let tree = MemoryTree::new("working tree")
        .file("charts/web/Chart.yaml", chart("web"))
        .file("charts/web/ci/tls-values.yaml", "")
        .file("charts/web/ci/ha-values.yaml", "")
        .file("charts/db/Chart.yaml", chart("db"))
        .file("overlays/eu.yaml", "");
    let plan = cells(text, &tree);
    insta::assert_snapshot!(summaries(&plan), @r"
    web+eu = default/web kube - chart charts/web
        -f overlays/eu.yaml
    web/ha = default/web kube - chart charts/web
        -f charts/web/ci/ha-values.yaml
    web/tls = default/web kube - chart charts/web
        -f charts/web/ci/tls-values.yaml
    ");
    assert!(plan.cells.iter().all(|cell| cell.variant));
}

#[test]
fn values_files_may_be_links() {
    let text = "releases: [{ chart: web, name: web, values: [link.yaml, 'gone.yaml?'] }]";
    let tree = MemoryTree::new("working tree")
        .file("web/Chart.yaml", chart("web"))
        .file("real.yaml", "")
        .link("link.yaml", "real.yaml");
    let plan = cells(text, &tree);
    assert_eq!(
        summaries(&plan),
        "web = default/web kube - chart web\n    -f link.yaml"
    );
}

#[test]
fn a_cell_becomes_a_render_job() {
    let tree = documented_tree();
    let plan = cells(DOCUMENTED, &tree);
    let tree: Arc<dyn crate::source::SourceTree> = Arc::new(tree);
    let cell = plan.cell("chat", Some("amd")).unwrap();
    let job = cell.job(tree.clone(), Dialect::V3_19).unwrap();
    assert_eq!(job.release, "open-webui");
    assert_eq!(job.kube_version.as_deref(), Some("v1.36.1"));
    assert!(job.include_crds);
    assert_eq!(job.set[0].kind, SetKind::Set);
    assert_eq!(job.set[0].place.as_ref().unwrap().line, 20);
    let raw = plan.cell("legacy", Some("amd")).unwrap();
    assert!(raw.job(tree, Dialect::V3_19).is_none());
}

/// The plan of a baseline that has a configuration of its own, read with the candidate's.
fn baseline(own: &str, candidate: &str) -> Plan {
    let tree = MemoryTree::new("baseline 4f2a81c")
        .file("evenkeel.yaml", own)
        .file("old/web/Chart.yaml", chart("web"))
        .file("db/Chart.yaml", chart("db"))
        .file("cache/Chart.yaml", chart("cache"));
    Plan::of(&config(candidate), Side::Baseline, &tree)
}

#[test]
fn a_release_that_leaves_the_configuration_is_still_one_of_the_baseline() {
    let own = "releases: [{ chart: db, name: db }, { chart: cache, name: cache, id: c }, { chart: old/web, name: w, mayFail: true }]";
    let plan = baseline(
        own,
        "releases: [{ chart: db, name: db }, { chart: cache, name: cache }]",
    );
    assert_eq!(told(&plan.problems), "");
    // The cache has another id now, but is the same release of Helm.
    assert_eq!(
        summaries(&plan),
        "cache = default/cache kube - chart cache\ndb = default/db kube - chart db\nw = default/w kube - chart old/web\n    may fail"
    );
    insta::assert_snapshot!(told(&plan.notes), @"evenkeel.yaml:1:75: release `w` is in the configuration of the baseline 4f2a81c, and in this one no more");
    // Of two releases of one name the one that stays does not stand in for the other.
    let own = "releases: [{ chart: db, name: db }, { chart: cache, name: db, id: d }]";
    let plan = baseline(own, "releases: [{ chart: db, name: db }]");
    assert_eq!(plan.cells.len(), 2);
    let with_section =
        "releases: [{ chart: db, name: db }]\nbaseline: { releases: [{ chart: db, name: db }] }";
    assert_eq!(
        summaries(&baseline(own, with_section)),
        "db = default/db kube - chart db"
    );
}

#[test]
fn a_release_that_was_elsewhere_is_not_taken_for_a_new_one() {
    let plan = baseline(
        "releases: [{ chart: old/web, name: web }]",
        "releases: [{ chart: new/web, name: web }]",
    );
    insta::assert_snapshot!(told(&plan.problems), @r"
    evenkeel.yaml:1:12: release `web` is not at `new/web` in the baseline 4f2a81c: its own configuration has it at `old/web`
      help: say under `baseline:` how the old tree is laid out, or use --baseline-config own
    ");
}

#[test]
fn a_broken_configuration_of_the_baseline_is_told_and_no_more() {
    let plan = baseline("releases: 3", "releases: [{ chart: db, name: db }]");
    assert_eq!(told(&plan.problems), "");
    assert_eq!(plan.cells.len(), 1);
    insta::assert_snapshot!(told(&plan.notes), @"evenkeel.yaml:1:11: the configuration of the baseline 4f2a81c has problems (`releases` must be a list, not a number): whether a release has left it is not known");
}

/// The bundled fixture: one configuration for three stacks that lie differently before and after.
#[test]
fn both_sides_of_the_ai_stack_have_the_same_cells() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ai-stack");
    let after = crate::source::DirTree::open(&root.join("after"), "after").unwrap();
    let before = crate::source::DirTree::open(&root.join("before"), "before").unwrap();
    let config = crate::plan::load(&after, "evenkeel.yaml").unwrap();
    let labels = |side, tree: &dyn crate::source::SourceTree| -> Vec<String> {
        let plan = Plan::of(&config, side, tree);
        assert_eq!(told(&plan.problems), "");
        plan.cells.iter().map(Cell::label).collect()
    };
    let candidate = labels(Side::Candidate, &after);
    assert_eq!(candidate.len(), 51);
    assert_eq!(labels(Side::Baseline, &before), candidate);
}
