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
    let first = init(tree, &Choices::default()).unwrap();
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
    let problem = init(&tree(&["README.md"]), &Choices::default()).unwrap_err();
    insta::assert_snapshot!(problem.to_string(), @r"
    nothing to render: no Chart.yaml and no Kubernetes YAML in the working tree
      help: hidden folders, tests and examples are not looked into
    ");
}

fn chosen(tree: &MemoryTree, choices: &Choices) -> String {
    let first = init(tree, choices).unwrap();
    let problems: Vec<String> = first.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.join("\n"), "", "{}", first.text);
    first.text
}

fn platforms(names: &[&str]) -> Choices {
    Choices {
        platforms: Some(names.iter().map(|name| (*name).to_owned()).collect()),
        ..Choices::default()
    }
}

#[test]
fn what_is_chosen_takes_the_place_of_guesses() {
    let tree = tree(&["web/Chart.yaml", "web/ci/a-values.yaml"])
        .file("Makefile", "helm template --kube-version v1.31.2 x\n");
    let (first, guesses) = look(&tree).unwrap();
    assert_eq!(
        guesses.kube_version,
        Some(("v1.31.2".to_owned(), "Makefile".to_owned()))
    );
    assert_eq!(guesses.namespace.as_deref(), Some("default"));
    assert_eq!(first.text, chosen(&tree, &Choices::default()));
    let text = chosen(
        &tree,
        &Choices {
            kube_version: Some("v1.33.0".to_owned()),
            dialect: Some(crate::dialect::Dialect::V3_19),
            namespace: Some("apps".to_owned()),
            ..Choices::default()
        },
    );
    assert!(text.contains("\nkubeVersion: v1.33.0\n"), "{text}");
    assert!(text.contains("\nhelmVersion: \"3.19\"   # known are"), "{text}");
    assert_eq!(text.matches("namespace: apps\n").count(), 2, "{text}");
    assert!(
        !text.contains("not known here") && !text.contains("Makefile"),
        "{text}"
    );
}

#[test]
fn platforms_are_those_that_were_chosen() {
    let tree = tree(&[
        "stacks/nvidia/chat/Chart.yaml",
        "stacks/nvidia/db/Chart.yaml",
        "stacks/amd/chat/Chart.yaml",
        "stacks/amd/db/Chart.yaml",
        "web/chart/Chart.yaml",
        "web/values-lab1.yaml",
        "amd/manifests/a.yaml",
    ]);
    let found = chosen(&tree, &Choices::default());
    assert!(
        found.contains("  nvidia: {}") && !found.contains("lab1: {}"),
        "{found}"
    );
    let one = chosen(&tree, &platforms(&["nvidia"]));
    assert!(one.contains("platforms: [nvidia]"), "{one}");
    assert!(
        !one.contains("amd: {}") && !one.contains("amd/manifests"),
        "{one}"
    );
    let more = chosen(&tree, &platforms(&["amd", "lab1", "nvidia"]));
    assert!(more.contains("  lab1: {}"), "{more}");
    assert!(more.contains("values-{platform}.yaml?"), "{more}");
}

#[test]
fn platforms_that_nothing_is_for_are_an_error() {
    let tree = tree(&[
        "amd/manifests/a.yaml",
        "nvidia/manifests/b.yaml",
        "amd/x/Chart.yaml",
        "nvidia/x/Chart.yaml",
    ]);
    let problem = init(&tree, &platforms(&["arm64"])).unwrap_err();
    assert!(problem.to_string().contains("on these platforms"), "{problem}");
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
