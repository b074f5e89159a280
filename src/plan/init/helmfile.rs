//! Releases of helmfiles. A helmfile is a Go template of YAML; nothing is executed here. Understood are plain
//! files and these expressions: `{{ .Environment.Name }}` (a platform), `{{ .Release.Name }}` and
//! `{{ .Release.Namespace }}`, also quoted with backticks. Everything else is passed over and told.

use super::super::path;
use super::flow::flow;
use super::gotmpl::{ENVIRONMENT, NAMESPACE, RELEASE, UNKNOWN, plain};
use super::survey::Survey;
use crate::source::SourceTree;
use crate::yaml::{self, Entry, Node, NodeKind};
use std::collections::{BTreeMap, BTreeSet};

/// What helmfiles say.
#[derive(Debug, Default)]
pub(super) struct Helmfiles {
    /// Their releases, in order.
    pub(super) releases: Vec<HelmRelease>,
    /// What could not be read: file and reason.
    pub(super) unread: Vec<(String, String)>,
    /// Values files outside of the repository, with the number of releases that have them.
    pub(super) outside: BTreeMap<String, usize>,
}

/// A release of a helmfile.
#[derive(Debug, PartialEq)]
pub(super) struct HelmRelease {
    /// The helmfile.
    pub(super) file: String,
    /// Release name.
    pub(super) name: String,
    /// Release namespace.
    pub(super) namespace: Option<String>,
    /// The chart's path.
    pub(super) chart: String,
    /// The chart as named, when it is one of a repository that is taken to be the local one of that name.
    pub(super) named: Option<String>,
    /// Values as the configuration writes them: paths, or maps in flow style.
    pub(super) values: Vec<Values>,
    /// `--set` expressions.
    pub(super) set: Vec<String>,
    /// The environments it is for; empty when the helmfile names none.
    pub(super) platforms: Vec<String>,
}

/// One entry of `values`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    /// A path, with `{platform}` and a final `?`.
    Path(String),
    /// A map.
    Inline(Node),
}

/// True for the file name of a helmfile.
pub(super) fn is_helmfile(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("helmfile") && super::survey::is_yaml(name) || name == "helmfile.yaml.gotmpl"
}

/// Reads every helmfile of a repository.
pub(super) fn helmfiles(tree: &dyn SourceTree, survey: &Survey) -> Helmfiles {
    let mut helmfiles = Helmfiles::default();
    let files = survey
        .files
        .iter()
        .filter(|file| is_helmfile(file) && !file.split('/').any(super::survey::is_not_deployed));
    for file in files {
        let Ok(bytes) = tree.read(file) else {
            continue;
        };
        let (text, passed_over) = plain(&String::from_utf8_lossy(&bytes));
        let stream = yaml::parse_stream(text.as_bytes());
        if let Some(error) = stream.error {
            helmfiles
                .unread
                .push((file.clone(), format!("not YAML without its templates: {error}")));
            continue;
        }
        let documents: Vec<&Node> = stream.documents.iter().map(|document| &document.node).collect();
        if passed_over > 0 {
            helmfiles.unread.push((
                file.clone(),
                format!("{passed_over} lines under conditions or loops"),
            ));
        }
        if documents
            .iter()
            .any(|document| document.get("helmfiles").is_some())
        {
            // What it includes is found by itself.
            helmfiles
                .unread
                .push((file.clone(), "its `helmfiles` section".to_owned()));
        }
        let mut reader = Reader {
            survey,
            file,
            documents: &documents,
            found: &mut helmfiles,
        };
        let releases = documents
            .iter()
            .filter_map(|document| document.get("releases"))
            .flat_map(Node::items);
        for release in releases {
            reader.read(release);
        }
    }
    helmfiles.unread.dedup();
    helmfiles
}

struct Reader<'h> {
    survey: &'h Survey,
    file: &'h str,
    documents: &'h [&'h Node],
    found: &'h mut Helmfiles,
}

/// What a release is called, to fill its placeholders.
struct Names<'h> {
    name: &'h str,
    namespace: &'h str,
    platforms: &'h [String],
}

impl Names<'_> {
    /// A text for a key that takes captures.
    fn fill(&self, text: &str) -> String {
        text.replace(RELEASE, self.name)
            .replace(NAMESPACE, self.namespace)
            .replace(ENVIRONMENT, "{platform}")
    }

    /// A text for a key that takes none; `None` when it differs by platform, or is not understood.
    fn fill_plain(&self, text: &str) -> Option<String> {
        let mut text = text
            .replace(RELEASE, self.name)
            .replace(NAMESPACE, self.namespace);
        if let [platform] = self.platforms {
            text = text.replace(ENVIRONMENT, platform);
        }
        (!text.contains(ENVIRONMENT) && !text.contains(UNKNOWN)).then_some(text)
    }

    fn fill_node(&self, node: &Node) -> Option<Node> {
        let kind = match &node.kind {
            NodeKind::Str(text) => NodeKind::Str(self.fill_plain(text)?.into()),
            NodeKind::List(items) => {
                let items: Option<Vec<Node>> = items.iter().map(|item| self.fill_node(item)).collect();
                NodeKind::List(items?.into())
            }
            NodeKind::Map(entries) => {
                let entries: Option<Vec<Entry>> = entries
                    .iter()
                    .map(|entry| {
                        Some(Entry {
                            key: self.fill_plain(&entry.key)?.into(),
                            mark: entry.mark,
                            value: self.fill_node(&entry.value)?,
                        })
                    })
                    .collect();
                NodeKind::Map(entries?.into())
            }
            other => other.clone(),
        };
        Some(Node::new(kind))
    }
}

/// Keys of a release that change what it renders and are not taken over.
const NOT_TAKEN_OVER: [&str; 6] = [
    "secrets",
    "setTemplate",
    "valuesTemplate",
    "jsonPatches",
    "strategicMergePatches",
    "transformers",
];

impl Reader<'_> {
    fn read(&mut self, node: &Node) {
        match self.release(node) {
            Ok(Some(release)) => self.found.releases.push(release),
            Ok(None) => {}
            Err(reason) => self.unread(reason),
        }
    }

    fn unread(&mut self, reason: String) {
        self.found.unread.push((self.file.to_owned(), reason));
    }

    /// A release; `None` when it is not installed anywhere.
    fn release(&mut self, node: &Node) -> Result<Option<HelmRelease>, String> {
        let text = |key: &str| node.get(key).and_then(Node::as_str);
        let name = text("name").ok_or("a release without a name")?;
        if name.contains(UNKNOWN) || name.contains(ENVIRONMENT) {
            return Err("a release whose name is a template".to_owned());
        }
        let installed = node.get("installed").map(|node| &node.kind);
        let Some(platforms) = self.platforms(node, name) else {
            return Ok(None);
        };
        if matches!(installed, Some(NodeKind::Bool(false))) {
            return Ok(None);
        }
        let mut names = Names {
            name,
            namespace: "default",
            platforms: &platforms,
        };
        let namespace = text("namespace").map(|text| names.fill(text));
        names.namespace = namespace.as_deref().unwrap_or("default");
        let written = text("chart").ok_or_else(|| format!("release {name}: it names no chart"))?;
        let written = names.fill(written);
        for (what, text) in [("namespace", names.namespace), ("chart", &written)] {
            if text.contains(UNKNOWN) || platforms.is_empty() && text.contains("{platform}") {
                return Err(format!("release {name}: its {what} is a template"));
            }
        }
        let (chart, named) = self
            .chart(&written)
            .ok_or_else(|| format!("release {name}: chart {written} is not in this repository"))?;
        for key in NOT_TAKEN_OVER.into_iter().filter(|key| node.get(key).is_some()) {
            self.unread(format!("release {name}: its `{key}`"));
        }
        let values = self.all_values(node, &names);
        let set = self.set(node, &names);
        Ok(Some(HelmRelease {
            file: self.file.to_owned(),
            name: name.to_owned(),
            chart,
            named,
            values,
            set,
            namespace,
            platforms,
        }))
    }

    fn all_values(&mut self, node: &Node, names: &Names<'_>) -> Vec<Values> {
        let handler = node.get("missingFileHandler").and_then(Node::as_str);
        let lenient = handler.is_some_and(|handler| handler != "Error");
        let mut all = Vec::new();
        for values in node.get("values").map(Node::items).unwrap_or_default() {
            let taken = match (&values.kind, values.as_str()) {
                (_, Some(path)) => self.values(&names.fill(path), lenient, names),
                (NodeKind::Map(_), _) => match names.fill_node(values) {
                    Some(node) => Ok(Some(Values::Inline(node))),
                    None => Err("inline values that are templates".to_owned()),
                },
                _ => Ok(None),
            };
            match taken {
                Ok(values) => all.extend(values),
                Err(reason) => self.unread(format!("release {}: {reason}", names.name)),
            }
        }
        all
    }

    fn set(&mut self, node: &Node, names: &Names<'_>) -> Vec<String> {
        let mut all = Vec::new();
        for set in node.get("set").map(Node::items).unwrap_or_default() {
            let key = set.get("name").and_then(Node::as_str);
            let value = set.get("value").and_then(|value| match value.as_str() {
                Some(text) => names.fill_plain(text),
                None if value.is_map() || !value.items().is_empty() => None,
                None => Some(flow(value)),
            });
            match (key, value) {
                (Some(key), Some(value)) => all.push(format!("{key}={}", value.replace(',', "\\,"))),
                (key, _) => {
                    let key = key.unwrap_or("?");
                    self.unread(format!("release {}: `set` of {key}", names.name));
                }
            }
        }
        all
    }

    /// The local chart of a name: a path from the helmfile, or the one chart of that name.
    fn chart(&self, written: &str) -> Option<(String, Option<String>)> {
        let folder = path::parent(self.file);
        let charts = &self.survey.charts;
        if let Ok(path) = path::resolve(folder, written)
            && (written.starts_with('.') || written.contains("{platform}"))
        {
            let known = path.contains('{')
                || charts.iter().any(|chart| chart.path == path)
                || self.survey.files.contains(&path);
            return known.then_some((path, None));
        }
        if written.contains("://") || written.contains('%') {
            return None;
        }
        let leaf = written.rsplit('/').next()?;
        let mut same = charts
            .iter()
            .filter(|chart| chart.path.rsplit('/').next() == Some(leaf));
        match (same.next(), same.next()) {
            (Some(chart), None) => Some((chart.path.clone(), Some(written.to_owned()))),
            _ => None,
        }
    }

    /// A values path as the configuration writes it; `None` for a file that may be missing, and is.
    fn values(&mut self, written: &str, lenient: bool, names: &Names<'_>) -> Result<Option<Values>, String> {
        if written.contains(UNKNOWN) {
            return Err("a values file whose name is a template".to_owned());
        }
        let Ok(path) = path::resolve(path::parent(self.file), written) else {
            *self.found.outside.entry(written.to_owned()).or_default() += 1;
            return Ok(None);
        };
        let exists = |path: &str| self.survey.files.contains(path);
        let platforms = names.platforms.len();
        let there = if path.contains("{platform}") {
            let on = |platform: &&String| exists(&path.replace("{platform}", platform));
            names.platforms.iter().filter(on).count()
        } else if exists(&path) {
            return Ok(Some(Values::Path(path)));
        } else {
            0
        };
        match there {
            0 if lenient => Ok(None),
            0 => Err(format!("values file {path} is not in the repository")),
            there if there == platforms && !lenient => Ok(Some(Values::Path(path))),
            _ => Ok(Some(Values::Path(format!("{path}?")))),
        }
    }

    /// The environments a release is installed in, `None` for nowhere. `installedTemplate: has .Release.Name
    /// .Environment.Values.KEY` is understood: KEY lists the releases of each environment.
    fn platforms(&self, node: &Node, name: &str) -> Option<Vec<String>> {
        let key = node
            .get("installedTemplate")
            .and_then(Node::as_str)
            .and_then(|text| text.split("has .Release.Name .Environment.Values.").nth(1))
            .map(|rest| {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                &rest[..end.unwrap_or(rest.len())]
            });
        let mut platforms = Vec::new();
        let mut seen = BTreeSet::new();
        let mut nowhere = false;
        let environments = self
            .documents
            .iter()
            .filter_map(|document| document.get("environments"))
            .flat_map(Node::entries);
        for environment in environments {
            let listed = key.map(|key| {
                environment
                    .value
                    .get("values")
                    .map(Node::items)
                    .unwrap_or_default()
                    .iter()
                    .filter_map(|values| values.get(key))
                    .flat_map(Node::items)
                    .any(|item| item.as_str() == Some(name))
            });
            nowhere = listed == Some(false);
            if &*environment.key != "default" && !nowhere && seen.insert(&environment.key) {
                platforms.push(environment.key.to_string());
            }
        }
        (!nowhere || !platforms.is_empty()).then_some(platforms)
    }
}

#[cfg(test)]
mod tests {
    use super::super::survey::survey;
    use super::*;
    use crate::source::MemoryTree;

    fn read(helmfile: &str) -> Helmfiles {
        let tree = MemoryTree::new("test")
            .file("charts/web/Chart.yaml", "name: web\n")
            .file("apps/web/helmfile.yaml", helmfile)
            .file("apps/web/values.yaml", "")
            .file("apps/web/values-prod.yaml", "");
        helmfiles(&tree, &survey(&tree))
    }

    #[test]
    fn a_plain_helmfile_is_read_whole() {
        let found = read(
            "releases:
  - name: web
    namespace: shop
    chart: ../../charts/web
    values: [values.yaml, { image: { tag: '1' } }]
    set: [{ name: a.b, value: 'x,y' }, { name: c, values: [d] }]
  - { name: gone, chart: ../../charts/web, installed: false }
  - { name: far, chart: bitnami/redis }
",
        );
        assert_eq!(found.releases.len(), 1);
        let release = &found.releases[0];
        assert_eq!(release.namespace.as_deref(), Some("shop"));
        assert_eq!((&*release.chart, &release.named), ("charts/web", &None));
        assert_eq!(release.values[0], Values::Path("apps/web/values.yaml".into()));
        assert!(
            matches!(&release.values[1], Values::Inline(node) if flow(node) == "{ image: { tag: \"1\" } }")
        );
        assert_eq!(release.set, ["a.b=x\\,y"]);
        let reasons: Vec<&str> = found.unread.iter().map(|(_, reason)| reason.as_str()).collect();
        assert_eq!(
            reasons,
            [
                "release web: `set` of c",
                "release far: chart bitnami/redis is not in this repository"
            ]
        );
    }

    #[test]
    fn environments_are_platforms_and_templates_are_told() {
        let found = read(
            r#"environments:
  staging: { values: [{ releases: [canary] }] }
  prod: { values: [{ releases: [canary, main] }] }
---
{{- if .x }}
bases: [y]
{{- end }}
templates:
  default: &default
    chart: stable/web
    recreatePods: {{ if x }}true{{ else }}false{{ end }}
    missingFileHandler: Warn
    installedTemplate: '{{`{{ has .Release.Name .Environment.Values.releases }}`}}'
    values: [{ env: "{{ .Environment.Name }}" }, "values.yaml", "/etc/{{ .Environment.Name }}.yaml", "values-{{ .Environment.Name }}.yaml", "values-{{`{{ .Release.Name }}`}}.yaml"]
releases:
  - name: main
    <<: *default
  - name: canary
    <<: *default
  - name: nowhere
    <<: *default
  - name: {{ .Values.x }}
    chart: stable/web
"#,
        );
        let told: Vec<String> = found
            .releases
            .iter()
            .map(|release| {
                let values = release.values.iter().map(|values| match values {
                    Values::Path(path) => path.clone(),
                    Values::Inline(node) => flow(node),
                });
                let values: Vec<String> = values.collect();
                format!("{} {:?} [{}]", release.name, release.platforms, values.join(", "))
            })
            .collect();
        assert_eq!(
            told,
            [
                r#"main ["prod"] [{ env: prod }, apps/web/values.yaml, apps/web/values-{platform}.yaml?]"#,
                r#"canary ["staging", "prod"] [apps/web/values.yaml, apps/web/values-{platform}.yaml?]"#,
            ]
        );
        assert_eq!(found.releases[0].named.as_deref(), Some("stable/web"));
        let reasons: Vec<&str> = found.unread.iter().map(|(_, reason)| reason.as_str()).collect();
        assert_eq!(
            reasons,
            [
                "1 lines under conditions or loops",
                "release canary: inline values that are templates",
                "a release whose name is a template"
            ]
        );
        assert_eq!(
            found.outside.into_iter().collect::<Vec<_>>(),
            [("/etc/{platform}.yaml".to_owned(), 2)]
        );
    }
}
