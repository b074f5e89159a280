//! Releases of helmfiles. A helmfile is a Go template of YAML; nothing is executed here. Understood are plain
//! files and these expressions: `{{ .Environment.Name }}` (a platform), `{{ .Release.Name }}` and
//! `{{ .Release.Namespace }}`, also quoted with backticks. Everything else is passed over and told.

use super::super::path;
use super::flow::flow;
use super::survey::Survey;
use crate::source::SourceTree;
use crate::yaml::{self, Node, NodeKind};
use std::collections::BTreeSet;

/// What helmfiles say.
#[derive(Debug, Default)]
pub(super) struct Helmfiles {
    /// Their releases, in order.
    pub(super) releases: Vec<HelmRelease>,
    /// What could not be read: file and reason.
    pub(super) unread: Vec<(String, String)>,
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

/// Stand for the expressions while YAML is read.
const ENVIRONMENT: &str = "%environment%";
const RELEASE: &str = "%release%";
const NAMESPACE: &str = "%namespace%";
/// Stands for an expression that is not understood.
const UNKNOWN: &str = "%unknown%";

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
        let reader = Reader {
            survey,
            file,
            documents: &documents,
        };
        let releases = documents
            .iter()
            .filter_map(|document| document.get("releases"))
            .flat_map(Node::items);
        for release in releases {
            match reader.release(release) {
                Ok(Some(release)) => helmfiles.releases.push(release),
                Ok(None) => {}
                Err(reason) => helmfiles.unread.push((file.clone(), reason)),
            }
        }
    }
    helmfiles.unread.dedup();
    helmfiles
}

struct Reader<'h> {
    survey: &'h Survey,
    file: &'h str,
    documents: &'h [&'h Node],
}

impl Reader<'_> {
    /// A release; `None` when it is not installed anywhere.
    fn release(&self, node: &Node) -> Result<Option<HelmRelease>, String> {
        let text = |key: &str| node.get(key).and_then(Node::as_str);
        let name = text("name").ok_or("a release without a name")?;
        if name.contains('%') {
            return Err("a release whose name is a template".to_owned());
        }
        if matches!(
            node.get("installed").map(|node| &node.kind),
            Some(NodeKind::Bool(false))
        ) {
            return Ok(None);
        }
        let namespace = text("namespace").map(|text| text.replace(RELEASE, name));
        if namespace
            .as_ref()
            .is_some_and(|namespace| namespace.contains(UNKNOWN))
        {
            return Err(format!("release {name}: its namespace is a template"));
        }
        let fill = |text: &str| {
            text.replace(RELEASE, name)
                .replace(NAMESPACE, namespace.as_deref().unwrap_or("default"))
                .replace(ENVIRONMENT, "{platform}")
        };
        let written = fill(text("chart").ok_or_else(|| format!("release {name}: it names no chart"))?);
        let (chart, named) = self
            .chart(&written)
            .ok_or_else(|| format!("release {name}: chart {written} is not in this repository"))?;
        let lenient = text("missingFileHandler").is_some_and(|handler| handler != "Error");
        let platforms = self.platforms(node, name);
        let mut release = HelmRelease {
            file: self.file.to_owned(),
            name: name.to_owned(),
            namespace: namespace
                .as_ref()
                .map(|namespace| namespace.replace(ENVIRONMENT, "{platform}")),
            chart,
            named,
            values: Vec::new(),
            set: Vec::new(),
            platforms,
        };
        for values in node.get("values").map(Node::items).unwrap_or_default() {
            match &values.kind {
                NodeKind::Map(_) => release.values.push(Values::Inline(values.clone())),
                _ => {
                    let path = values.as_str().map(fill);
                    release
                        .values
                        .extend(path.and_then(|path| self.values(&path, lenient, &release.platforms)));
                }
            }
        }
        for set in node.get("set").map(Node::items).unwrap_or_default() {
            let value = set.get("value").map(|value| match &value.kind {
                NodeKind::Str(text) => fill(text),
                _ => flow(value),
            });
            if let (Some(key), Some(value)) = (set.get("name").and_then(Node::as_str), value)
                && !value.contains(['%', '{'])
            {
                release.set.push(format!("{key}={}", value.replace(',', "\\,")));
            }
        }
        Ok(Some(release))
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

    /// A values path as the configuration writes it; `None` when no such file is in the repository.
    fn values(&self, written: &str, lenient: bool, platforms: &[String]) -> Option<Values> {
        let path = path::resolve(path::parent(self.file), written).ok()?;
        if path.contains(UNKNOWN) {
            return None;
        }
        let exists = |path: &str| self.survey.files.contains(path);
        if !path.contains("{platform}") {
            return exists(&path).then_some(Values::Path(path));
        }
        let count = platforms
            .iter()
            .filter(|platform| exists(&path.replace("{platform}", platform)))
            .count();
        let all = count == platforms.len() && !lenient;
        (count > 0).then(|| Values::Path(if all { path } else { format!("{path}?") }))
    }

    /// The environments a release is installed in. `installedTemplate: has .Release.Name
    /// .Environment.Values.KEY` is understood: KEY lists the releases of each environment.
    fn platforms(&self, node: &Node, name: &str) -> Vec<String> {
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
            if &*environment.key != "default" && listed != Some(false) && seen.insert(&environment.key) {
                platforms.push(environment.key.to_string());
            }
        }
        platforms
    }
}

/// A helmfile as plain YAML, and how many lines were passed over with the conditions and loops around them.
fn plain(text: &str) -> (String, usize) {
    let mut plain = String::with_capacity(text.len());
    let mut passed_over = 0;
    let mut depth = 0_usize;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let word = trimmed
            .strip_prefix("{{")
            .map(|rest| rest.trim_start_matches('-').trim_start());
        if let Some(word) = word.filter(|_| !trimmed.starts_with("{{`")) {
            let begins = |names: &[&str]| names.iter().any(|name| word.starts_with(name));
            if !trimmed.contains("end") || !begins(&["if", "range", "with"]) {
                depth += usize::from(begins(&["if ", "range ", "with ", "define ", "block "]));
                depth -= usize::from(begins(&["end"]) && depth > 0);
            }
            plain.push('\n');
            continue;
        }
        if depth > 0 {
            passed_over += usize::from(!trimmed.is_empty() && !trimmed.starts_with('#'));
        } else {
            plain.push_str(&without_expressions(line));
        }
        plain.push('\n');
    }
    (plain, passed_over)
}

/// A line with its expressions replaced by what stands for them.
fn without_expressions(line: &str) -> String {
    if !line.contains("{{") || line.trim_start().starts_with("installedTemplate:") {
        return line.to_owned();
    }
    let mut plain = String::new();
    let mut rest = line;
    while let Some(start) = rest.find("{{") {
        plain.push_str(&rest[..start]);
        let quoted = rest[start + 2..].trim_start().starts_with('`');
        let close = if quoted { "`}}" } else { "}}" };
        let inner = &rest[start + 2..];
        // A quoted expression ends at the closing backtick.
        let Some(end) = inner.find(close) else {
            plain.push_str(UNKNOWN);
            return plain;
        };
        let expression: String = inner[..end]
            .chars()
            .filter(|c| !c.is_whitespace() && !"`{}-".contains(*c))
            .collect();
        plain.push_str(match expression.as_str() {
            ".Environment.Name" => ENVIRONMENT,
            ".Release.Name" => RELEASE,
            ".Release.Namespace" => NAMESPACE,
            _ => UNKNOWN,
        });
        rest = &inner[end + close.len()..];
    }
    plain.push_str(rest);
    // A value that begins with a placeholder would be read as a directive.
    let quoted = plain.contains(['"', '\'']);
    match plain.split_once(": %") {
        Some((key, value)) if !quoted => format!("{key}: \"%{value}\""),
        _ if !quoted && plain.trim_start().starts_with("- %") => plain.replacen("- %", "- \"%", 1) + "\"",
        _ => plain,
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
    set: [{ name: a.b, value: 'x,y' }]
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
        assert_eq!(
            found.unread[0].1,
            "release far: chart bitnami/redis is not in this repository"
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
    installedTemplate: '{{`{{ has .Release.Name .Environment.Values.releases }}`}}'
    values: ["values.yaml", "/etc/{{ .Environment.Name }}.yaml", "values-{{ .Environment.Name }}.yaml", "values-{{`{{ .Release.Name }}`}}.yaml"]
releases:
  - name: main
    <<: *default
  - name: canary
    <<: *default
  - name: {{ .Values.x }}
    chart: stable/web
"#,
        );
        let told: Vec<String> = found
            .releases
            .iter()
            .map(|release| format!("{} {:?} {:?}", release.name, release.platforms, release.values))
            .collect();
        assert_eq!(
            told,
            [
                r#"main ["prod"] [Path("apps/web/values.yaml"), Path("apps/web/values-{platform}.yaml")]"#,
                r#"canary ["staging", "prod"] [Path("apps/web/values.yaml"), Path("apps/web/values-{platform}.yaml?")]"#,
            ]
        );
        assert_eq!(found.releases[0].named.as_deref(), Some("stable/web"));
        let reasons: Vec<&str> = found.unread.iter().map(|(_, reason)| reason.as_str()).collect();
        assert_eq!(
            reasons,
            [
                "1 lines under conditions or loops",
                "a release whose name is a template"
            ]
        );
    }
}
