use super::*;
use crate::source::MemoryTree;

const OBJECT: &str = "apiVersion: v1\nkind: ConfigMap\n";

fn tree(files: &[&str]) -> MemoryTree {
    let mut tree = MemoryTree::new("working tree");
    for file in files {
        let name = file.trim_end_matches("/Chart.yaml").rsplit('/').next().unwrap();
        let content = match *file {
            file if file.ends_with("Chart.yaml") => format!("apiVersion: v2\nname: {name}\nversion: 0.1.0\n"),
            file if file.contains("manifests") => OBJECT.to_owned(),
            _ => "a: 1\n".to_owned(),
        };
        tree = tree.file(file, content);
    }
    tree
}

fn first(tree: &MemoryTree) -> String {
    let first = init(tree).unwrap();
    let problems: Vec<String> = first.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.join("\n"), "", "{}", first.text);
    first.text
}

#[test]
fn modules_with_overlays() {
    let tree = tree(&[
        "chat/chart/Chart.yaml",
        "chat/values.yaml",
        "chat/values-amd.yaml",
        "chat/values-nvidia.yaml",
        "db/chart/Chart.yaml",
        "db/chart/crds/x.yaml",
        "db/values-amd.yaml",
        "legacy/manifests/a.yaml",
    ]);
    insta::assert_snapshot!(first(&tree));
}

#[test]
fn copied_stacks() {
    let tree = tree(&[
        "stacks/nvidia/chat/Chart.yaml",
        "stacks/nvidia/db/Chart.yaml",
        "stacks/amd/chat/Chart.yaml",
        "stacks/amd/db/Chart.yaml",
    ]);
    insta::assert_snapshot!(first(&tree));
}

#[test]
fn a_collection_of_charts_with_cases() {
    let tree = tree(&[
        "charts/web/Chart.yaml",
        "charts/web/ci/a-values.yaml",
        "charts/web/examples/one/values.yaml",
        "charts/db/Chart.yaml",
        "charts/tests/Chart.yaml",
        "values_overrides/db/tls.yaml",
        "values_overrides/web/tls.yaml",
        "other/web/Chart.yaml",
    ])
    .file("charts/lib/Chart.yaml", "name: lib\ntype: library\n")
    .file("Makefile", "helm template --kube-version v1.31.2 x\n");
    insta::assert_snapshot!(first(&tree));
}

#[test]
fn a_chart_at_the_root() {
    let tree = tree(&[
        "values.yaml",
        "values-prod.yaml",
        "templates/x.yaml",
        "ci/a-values.yaml",
    ])
    .file("Chart.yaml", "name: web\ndependencies: [{ name: redis }]\n");
    insta::assert_snapshot!(first(&tree));
}

#[test]
fn helmfiles() {
    let tree = tree(&[
        "charts/web/Chart.yaml",
        "charts/db/Chart.yaml",
        "charts/left/Chart.yaml",
        "apps/shop/values.yaml",
        "apps/shop/values-prod.yaml",
    ])
    .file(
        "apps/shop/helmfile.yaml",
        "environments: { prod: {}, dev: {} }\n---\nreleases:\n  - name: shop\n    namespace: shop\n    chart: ../../charts/web\n    values: [values.yaml, 'values-{{ .Environment.Name }}.yaml', { replicas: 2 }]\n",
    )
    .file("helmfile.yaml", "releases:\n  - { name: db, chart: stable/db, set: [{ name: a, value: 1 }] }\n  - { name: x, chart: bitnami/x }\n");
    insta::assert_snapshot!(first(&tree));
}

#[test]
fn nothing_to_render() {
    let problem = init(&tree(&["README.md"])).unwrap_err();
    insta::assert_snapshot!(problem.to_string(), @r"
    nothing to render: no Chart.yaml and no Kubernetes YAML in the working tree
      help: hidden folders, tests and examples are not looked into
    ");
}

mod law {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever lies in a repository, the first file is one that verify accepts.
        #[test]
        fn every_first_file_is_accepted(
            charts in prop::collection::btree_set("(a|b|amd|charts|prod)(/(a|b|chart|helm)){0,3}", 0..6),
            files in prop::collection::btree_set("(a|b|amd|env|values|prod|manifests)(/(a|b|chart|ci|values|prod)){0,3}/(values|values-prod|values-x|a|prod)\\.yaml", 0..12),
        ) {
            let mut paths: Vec<String> = charts.iter().map(|chart| format!("{chart}/Chart.yaml")).collect();
            paths.extend(files);
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            let tree = tree(&paths);
            if !charts.is_empty() {
                first(&tree);
            }
        }
    }
}
