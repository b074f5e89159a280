//! `.Chart`: what templates see of Chart.yaml. Helm 3 shows a Go struct (an unknown field is an error), Helm
//! 4 a map with the struct's field names (an unknown field has no value).

use crate::chart::{Dependency, Import, Maintainer, Metadata};
use crate::dialect::Dialect;
use crate::layers::Instance;
use crate::value::object::{Object, ObjectKind};
use crate::value::{Data, ElemType, List, Map, MapType, Text, Value};

/// The value of `.Chart` for a chart of a cell's tree.
pub fn chart_facts(instance: &Instance, is_root: bool, dialect: Dialect) -> Value {
    let fields = metadata_fields(instance, dialect);
    let is_root = Value::from(is_root);
    if dialect.is_v4() {
        let entries = fields
            .into_iter()
            .map(|field| (Text::from(field.name), field.value));
        return Map::from_entries(MapType::Any, entries.chain([("IsRoot".into(), is_root)])).into();
    }
    let metadata = Value::object(Record {
        type_name: "chart.Metadata",
        kind: ObjectKind::Struct,
        fields,
    });
    Value::object(ChartV3 { metadata, is_root })
}

/// One field of a Go struct.
struct Field {
    name: &'static str,
    /// The json tag; an absent value is left out of JSON when `omit_empty`.
    json: &'static str,
    omit_empty: bool,
    value: Value,
}

fn field(name: &'static str, json: &'static str, value: Value) -> Field {
    Field {
        name,
        json,
        omit_empty: true,
        value,
    }
}

fn text(text: &str) -> Value {
    Value::from(text)
}

fn metadata_fields(instance: &Instance, dialect: Dialect) -> Vec<Field> {
    let metadata: &Metadata = &instance.metadata;
    let texts = |list: &Option<Vec<String>>| {
        records(list.as_deref(), ElemType::Str, dialect, |item| {
            Value::from(item.as_str())
        })
    };
    let dependencies: Option<Vec<Dependency>> = instance
        .dependencies
        .as_ref()
        .map(|list| list.iter().map(|entry| entry.borrow().clone()).collect());
    let annotations = match &metadata.annotations {
        None => Value::new(Data::Map(Map::nil(MapType::Str))),
        Some(list) => {
            let entries = list
                .iter()
                .map(|(key, value)| (Text::from(key.as_str()), text(value)));
            Map::from_entries(MapType::Str, entries).into()
        }
    };
    vec![
        field("Name", "name", text(&metadata.name)),
        field("Home", "home", text(&metadata.home)),
        field("Sources", "sources", texts(&metadata.sources)),
        field("Version", "version", text(&metadata.version)),
        field("Description", "description", text(&metadata.description)),
        field("Keywords", "keywords", texts(&metadata.keywords)),
        field(
            "Maintainers",
            "maintainers",
            records(
                metadata.maintainers.as_deref(),
                ElemType::Pointer("chart.Maintainer"),
                dialect,
                |item| maintainer(item, dialect),
            ),
        ),
        field("Icon", "icon", text(&metadata.icon)),
        field("APIVersion", "apiVersion", text(&metadata.api_version)),
        field("Condition", "condition", text(&metadata.condition)),
        field("Tags", "tags", text(&metadata.tags)),
        field("AppVersion", "appVersion", text(&metadata.app_version)),
        field("Deprecated", "deprecated", Value::from(metadata.deprecated)),
        field("Annotations", "annotations", annotations),
        field("KubeVersion", "kubeVersion", text(&metadata.kube_version)),
        field(
            "Dependencies",
            "dependencies",
            records(
                dependencies.as_deref(),
                ElemType::Pointer("chart.Dependency"),
                dialect,
                |item| dependency(item, dialect),
            ),
        ),
        field("Type", "type", text(&metadata.kind)),
    ]
}

/// A slice field: Helm 4 makes every slice an `[]interface {}` that is never nil.
fn records<T>(list: Option<&[T]>, elem: ElemType, dialect: Dialect, each: impl Fn(&T) -> Value) -> Value {
    let elem = if dialect.is_v4() { ElemType::Any } else { elem };
    match list {
        None if !dialect.is_v4() => List::nil(elem).into(),
        list => List::typed(
            elem,
            list.unwrap_or_default().iter().map(each).collect::<Vec<_>>(),
        )
        .into(),
    }
}

fn maintainer(person: &Maintainer, dialect: Dialect) -> Value {
    let fields = vec![
        field("Name", "name", text(&person.name)),
        field("Email", "email", text(&person.email)),
        field("URL", "url", text(&person.url)),
    ];
    record("*chart.Maintainer", fields, dialect)
}

fn dependency(entry: &Dependency, dialect: Dialect) -> Value {
    let imports = records(entry.import_values.as_deref(), ElemType::Any, dialect, |import| {
        let (child, parent) = match import {
            Import::Exports(name) => (format!("exports.{name}"), "."),
            Import::Table { child, parent } => (child.clone(), parent.as_str()),
            Import::Other => return Value::NIL,
        };
        let entries = [
            ("child".into(), Value::from(child.as_str())),
            ("parent".into(), Value::from(parent)),
        ];
        Map::from_entries(MapType::Str, entries).into()
    });
    let tags = records(entry.tags.as_deref(), ElemType::Str, dialect, |tag| {
        Value::from(tag.as_str())
    });
    let mut fields = vec![
        field("Name", "name", text(&entry.name)),
        field("Version", "version", text(&entry.version)),
        field("Repository", "repository", text(&entry.repository)),
        field("Condition", "condition", text(&entry.condition)),
        field("Tags", "tags", tags),
        field("Enabled", "enabled", Value::from(entry.enabled)),
        field("ImportValues", "import-values", imports),
        field("Alias", "alias", text(&entry.alias)),
    ];
    for always in [0, 2] {
        fields[always].omit_empty = false;
    }
    record("*chart.Dependency", fields, dialect)
}

fn record(type_name: &'static str, fields: Vec<Field>, dialect: Dialect) -> Value {
    if dialect.is_v4() {
        let entries = fields
            .into_iter()
            .map(|field| (Text::from(field.name), field.value));
        return Map::from_entries(MapType::Any, entries).into();
    }
    Value::object(Record {
        type_name,
        kind: ObjectKind::Pointer,
        fields,
    })
}

/// A Go struct with json tags.
struct Record {
    type_name: &'static str,
    kind: ObjectKind,
    fields: Vec<Field>,
}

impl Object for Record {
    fn type_name(&self) -> &str {
        self.type_name
    }

    fn kind(&self) -> ObjectKind {
        self.kind
    }

    fn field(&self, name: &str) -> Option<Value> {
        self.fields
            .iter()
            .find(|field| field.name == name)
            .map(|field| field.value.clone())
    }

    fn fields(&self) -> Vec<(String, Value)> {
        self.fields
            .iter()
            .map(|field| (field.name.to_owned(), field.value.clone()))
            .collect()
    }

    fn to_json(&self) -> Value {
        let entries = json_entries(&self.fields);
        Map::from_entries(
            MapType::Any,
            entries.map(|(name, value)| (Text::from(name), value)),
        )
        .into()
    }

    fn json_fields(&self) -> Option<Vec<(String, Value)>> {
        let entries = json_entries(&self.fields);
        Some(entries.map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

fn json_entries(fields: &[Field]) -> impl Iterator<Item = (&'static str, Value)> {
    let shown = fields
        .iter()
        .filter(|field| !field.omit_empty || !is_empty(&field.value));
    shown.map(|field| (field.json, field.value.clone()))
}

/// Go's `omitempty`.
fn is_empty(value: &Value) -> bool {
    match &value.data {
        Data::Bool(truth) => !truth,
        Data::Str(text) => text.is_empty(),
        Data::List(list) => list.items().is_empty(),
        Data::Map(map) => map.is_empty(),
        _ => false,
    }
}

/// Helm 3's anonymous struct: the metadata embedded, and whether the chart is the root.
struct ChartV3 {
    metadata: Value,
    is_root: Value,
}

impl ChartV3 {
    fn embedded(&self) -> Option<&dyn Object> {
        match &self.metadata.data {
            Data::Object(object) => Some(&***object),
            _ => None,
        }
    }
}

impl Object for ChartV3 {
    fn type_name(&self) -> &str {
        "struct { chart.Metadata; IsRoot bool }"
    }

    fn kind(&self) -> ObjectKind {
        ObjectKind::Struct
    }

    fn field(&self, name: &str) -> Option<Value> {
        match name {
            "Metadata" => Some(self.metadata.clone()),
            "IsRoot" => Some(self.is_root.clone()),
            _ => self.embedded()?.field(name),
        }
    }

    fn fields(&self) -> Vec<(String, Value)> {
        vec![
            ("Metadata".to_owned(), self.metadata.clone()),
            ("IsRoot".to_owned(), self.is_root.clone()),
        ]
    }

    fn to_json(&self) -> Value {
        let json = self.embedded().map(Object::to_json).unwrap_or_default();
        if let Data::Map(map) = &json.data {
            map.set("IsRoot".into(), self.is_root.clone());
        }
        json
    }

    fn json_fields(&self) -> Option<Vec<(String, Value)>> {
        let mut fields = self.embedded()?.json_fields()?;
        fields.push(("IsRoot".to_owned(), self.is_root.clone()));
        Some(fields)
    }

    fn embeds(&self, name: &str) -> bool {
        name == "Metadata"
    }
}
