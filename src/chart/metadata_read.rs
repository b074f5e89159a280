//! Reading and validating Chart.yaml and requirements.yaml (`pkg/chart/v2/metadata.go`, `dependency.go`).

use super::metadata::{Dependency, Import, Maintainer, Metadata};
use crate::dialect::Dialect;
use crate::semver;
use crate::value::quote::quote_str;
use crate::value::{Value, print};
use crate::yaml::go_struct::Decoder;
use crate::yaml::{Node, NodeKind, Number};

const FIELDS: [&str; 17] = [
    "annotations",
    "apiVersion",
    "appVersion",
    "condition",
    "dependencies",
    "deprecated",
    "description",
    "home",
    "icon",
    "keywords",
    "kubeVersion",
    "maintainers",
    "name",
    "sources",
    "tags",
    "type",
    "version",
];
const DEPENDENCY_FIELDS: [&str; 8] = [
    "alias",
    "condition",
    "enabled",
    "import-values",
    "name",
    "repository",
    "tags",
    "version",
];

/// Overlays what a document says on the metadata, as Go's decoder does with an existing struct.
///
/// # Errors
/// Go's message for what does not fit.
pub fn overlay(metadata: &mut Metadata, node: &Node, dialect: Dialect) -> Result<(), String> {
    let mut decoder = Decoder::new(dialect);
    decoder.object(
        node,
        "chart.Metadata",
        "Metadata",
        &FIELDS,
        &mut |d, field, node| match field {
            "name" => set(&mut metadata.name, d, node),
            "home" => set(&mut metadata.home, d, node),
            "version" => set(&mut metadata.version, d, node),
            "description" => set(&mut metadata.description, d, node),
            "icon" => set(&mut metadata.icon, d, node),
            "apiVersion" => set(&mut metadata.api_version, d, node),
            "condition" => set(&mut metadata.condition, d, node),
            "tags" => set(&mut metadata.tags, d, node),
            "appVersion" => set(&mut metadata.app_version, d, node),
            "kubeVersion" => set(&mut metadata.kube_version, d, node),
            "type" => set(&mut metadata.kind, d, node),
            "deprecated" if !node.is_null() => metadata.deprecated = d.truth(node),
            "sources" => metadata.sources = d.list(node, "[]string", &mut |d, item| d.text(item)),
            "keywords" => metadata.keywords = d.list(node, "[]string", &mut |d, item| d.text(item)),
            "annotations" => metadata.annotations = d.texts_by_key(node),
            "maintainers" => {
                let list = d.list(node, "[]*chart.Maintainer", &mut maintainer);
                metadata.maintainers = without_nulls(list, "maintainers", &mut metadata.null_entry_in);
            }
            "dependencies" => {
                let list = d.list(node, "[]*chart.Dependency", &mut dependency);
                metadata.dependencies = without_nulls(list, "dependencies", &mut metadata.null_entry_in);
            }
            _ => {}
        },
    );
    decoder.finish()
}

fn set(target: &mut String, decoder: &mut Decoder, node: &Node) {
    if !node.is_null() {
        *target = decoder.text(node);
    }
}

/// Helm refuses null entries when it validates; until then the list's name is kept.
fn without_nulls<T>(
    list: Option<Vec<Option<T>>>,
    name: &'static str,
    null_entry_in: &mut Option<&'static str>,
) -> Option<Vec<T>> {
    let list = list?;
    if list.iter().any(Option::is_none) && *null_entry_in != Some("maintainers") {
        *null_entry_in = Some(name);
    }
    Some(list.into_iter().flatten().collect())
}

fn maintainer(decoder: &mut Decoder, node: &Node) -> Option<Maintainer> {
    if node.is_null() {
        return None;
    }
    let mut person = Maintainer::default();
    let known = ["email", "name", "url"];
    decoder.object(
        node,
        "chart.Maintainer",
        "Maintainer",
        &known,
        &mut |d, field, node| match field {
            "name" => set(&mut person.name, d, node),
            "email" => set(&mut person.email, d, node),
            _ => set(&mut person.url, d, node),
        },
    );
    Some(person)
}

fn dependency(decoder: &mut Decoder, node: &Node) -> Option<Dependency> {
    if node.is_null() {
        return None;
    }
    let mut entry = Dependency {
        position: (node.mark.line, node.mark.column),
        ..Dependency::default()
    };
    decoder.object(
        node,
        "chart.Dependency",
        "Dependency",
        &DEPENDENCY_FIELDS,
        &mut |d, field, node| match field {
            "name" => set(&mut entry.name, d, node),
            "version" => set(&mut entry.version, d, node),
            "repository" => set(&mut entry.repository, d, node),
            "condition" => set(&mut entry.condition, d, node),
            "alias" => set(&mut entry.alias, d, node),
            "enabled" if !node.is_null() => entry.enabled = d.truth(node),
            "tags" => entry.tags = d.list(node, "[]string", &mut |d, item| d.text(item)),
            "import-values" => {
                entry.import_values = d.list(node, "[]interface {}", &mut |_, item| import(item))
            }
            _ => {}
        },
    );
    Some(entry)
}

/// Anything may stand in `import-values`; Helm formats what it finds under `child` and `parent` with `%v`.
fn import(node: &Node) -> Import {
    match &node.kind {
        NodeKind::Str(text) => Import::Exports(text.to_string()),
        NodeKind::Map(_) => {
            let text = |key: &str| match node.get(key).map(|value| &value.kind) {
                None | Some(NodeKind::Null) => "<nil>".to_owned(),
                Some(NodeKind::Str(text)) => text.to_string(),
                Some(NodeKind::Bool(truth)) => truth.to_string(),
                Some(NodeKind::Number(number)) => go_v(*number),
                Some(_) => String::new(),
            };
            Import::Table {
                child: text("child"),
                parent: text("parent"),
            }
        }
        _ => Import::Other,
    }
}

/// A number as `%v` prints the `float64` that Go holds.
fn go_v(number: Number) -> String {
    let number = match number {
        Number::Int(number) => number as f64,
        Number::Uint(number) => number as f64,
        Number::Float(number) => number,
    };
    String::from_utf8_lossy(&print::to_bytes(&Value::float(number), Dialect::NEWEST)).into_owned()
}

/// Cleans and checks the metadata (`Metadata.Validate`).
///
/// # Errors
/// Helm's message for the first fault, `validation: ` included.
pub fn validate(metadata: &mut Metadata, dialect: Dialect) -> Result<(), String> {
    let cleaned = [
        &mut metadata.name,
        &mut metadata.description,
        &mut metadata.home,
        &mut metadata.icon,
        &mut metadata.condition,
        &mut metadata.tags,
        &mut metadata.app_version,
        &mut metadata.kube_version,
    ];
    cleaned.into_iter().for_each(sanitize);
    metadata.sources.iter_mut().flatten().for_each(sanitize);
    metadata.keywords.iter_mut().flatten().for_each(sanitize);
    fault(metadata, dialect).map_or(Ok(()), |text| Err(format!("validation: {text}")))
}

fn fault(metadata: &mut Metadata, dialect: Dialect) -> Option<String> {
    let name = &metadata.name;
    if metadata.api_version.is_empty() {
        return Some("chart.metadata.apiVersion is required".to_owned());
    }
    if name.is_empty() {
        return Some("chart.metadata.name is required".to_owned());
    }
    if dialect.is_v4() && (name == "." || name == "..") {
        return Some(format!(
            "chart.metadata.name {} is not allowed",
            quote_str(name.as_bytes())
        ));
    }
    if name.contains('/') {
        return Some(format!(
            "chart.metadata.name {} is invalid",
            quote_str(name.as_bytes())
        ));
    }
    if metadata.version.is_empty() {
        return Some("chart.metadata.version is required".to_owned());
    }
    if semver::Version::parse(&metadata.version).is_err() {
        return Some(format!(
            "chart.metadata.version {} is invalid",
            quote_str(metadata.version.as_bytes())
        ));
    }
    if !matches!(metadata.kind.as_str(), "" | "application" | "library") {
        return Some("chart.metadata.type must be application or library".to_owned());
    }
    if let Some(list) = metadata.null_entry_in {
        return Some(format!("{list} must not contain empty or null nodes"));
    }
    for person in metadata.maintainers.iter_mut().flatten() {
        [&mut person.name, &mut person.email, &mut person.url]
            .into_iter()
            .for_each(sanitize);
    }
    let mut seen: Vec<String> = Vec::new();
    for entry in metadata.dependencies.iter_mut().flatten() {
        [
            &mut entry.name,
            &mut entry.version,
            &mut entry.repository,
            &mut entry.condition,
        ]
        .into_iter()
        .for_each(sanitize);
        entry.tags.iter_mut().flatten().for_each(sanitize);
        let alias_fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if !entry.alias.is_empty() && !entry.alias.chars().all(alias_fits) {
            let name = quote_str(entry.name.as_bytes());
            return Some(format!(
                "dependency {name} has disallowed characters in the alias"
            ));
        }
        let key = if entry.alias.is_empty() {
            &entry.name
        } else {
            &entry.alias
        };
        if seen.contains(key) {
            return Some(format!(
                "more than one dependency with name or alias {}",
                quote_str(key.as_bytes())
            ));
        }
        seen.push(key.clone());
    }
    None
}

/// `sanitizeString`: blanks become spaces, what cannot be printed goes.
fn sanitize(text: &mut String) {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return;
    }
    *text = text
        .chars()
        .filter_map(|c| match c {
            c if c.is_whitespace() => Some(' '),
            c if crate::value::rune::is_print(c) => Some(c),
            _ => None,
        })
        .collect();
}
