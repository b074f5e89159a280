//! Tests of the room as a whole: files in, cells or problems out.

mod broken;
mod cells;
mod selection;

use super::{Config, Plan, parse};
use crate::base::{Problem, Side};
use crate::source::MemoryTree;

/// A configuration that has to be right.
fn config(text: &str) -> Config {
    let (config, problems) = parse(text.as_bytes(), "evenkeel.yaml", "");
    assert_eq!(told(&problems), "");
    config
}

/// The cells of a configuration that has to be right, in a tree that has all of it.
fn cells(text: &str, tree: &MemoryTree) -> Plan {
    let plan = Plan::of(&config(text), Side::Candidate, tree);
    assert_eq!(told(&plan.problems), "");
    plan
}

fn told(problems: &[Problem]) -> String {
    problems.iter().map(|problem| format!("{problem}\n")).collect()
}

/// A chart's metadata.
fn chart(name: &str) -> String {
    format!("apiVersion: v2\nname: {name}\nversion: 0.1.0\n")
}

/// The tree of the configuration in the documentation.
fn documented_tree() -> MemoryTree {
    MemoryTree::new("working tree")
        .file("chat-api/chart/Chart.yaml", chart("chat-api"))
        .file("chat-api/values.yaml", "a: 1\n")
        .file("chat-api/values-amd.yaml", "a: 2\n")
        .file("gateway/chart/Chart.yaml", chart("gateway"))
        .file("vendor/open-webui-16.0.0.tgz", "")
        .file("open-webui/values.yaml", "")
        .file("deployments/legacy/b.yaml", "")
        .file("deployments/legacy/a.yaml", "")
        .file("deployments/legacy/README.md", "")
}

/// The configuration in the documentation.
pub(super) const DOCUMENTED: &str = r#"
kubeVersion: v1.36.2          # Helm's own offline default is not your cluster; without it: finding kube-version-unpinned
helmVersion: "4.3"            # the Helm you deploy with, imitated to the byte; default: the newest known. A list checks that they agree
platforms:
  nvidia: {}
  amd: {}
  arm64: { kubeVersion: v1.35.0, apiVersions: [monitoring.coreos.com/v1] }
releases:
  - charts: "{module}/chart"                 # every directory with a Chart.yaml that matches; {module} binds
    name: "{module}"
    namespace: k8s-stack
    values: ["{module}/values.yaml?", "{module}/values-{platform}.yaml?"]   # ? = optional, otherwise missing is an error
  - name: open-webui
    id: chat                                 # pairs the two sides when a release is renamed; default: its name
    chart: vendor/open-webui-16.0.0.tgz
    namespace: ai
    platforms: [nvidia, amd]                 # default: all; the same id may come once per platform
    kubeVersion: v1.36.1                     # release over platform over file
    values: [open-webui/values.yaml, { image: { tag: v1 } }]   # files and inline maps, in order
    set: ["image.tag=v1", "env[0].name=A"]   # expressions as on Helm's command line, in order;
    setString: []                            # likewise setJson, setFile, setLiteral
    includeCRDs: true
  - name: legacy
    manifests: deployments/legacy/*.yaml     # raw YAML is a release too
baseline:                                    # optional: how the OLD tree is laid out, for refactors that move things
  releases:
    - charts: "stacks/{platform}/{module}"
      name: "{module}"
      namespace: k8s-stack
protect: ["Deployment/open-webui", "PersistentVolumeClaim/*"]   # names that may never disappear or be renamed
checks: { unread-key: warn, list-replaced: deny, clock-output: allow }
"#;
