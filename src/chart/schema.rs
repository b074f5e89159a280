//! `values.schema.json`: all drafts that Helm accepts, validated by boon, which has the errors of Helm's own
//! validator (santhosh-tekuri/jsonschema v6, by the same author); the words are Helm's
//! (`pkg/chart/common/util/jsonschema.go`, `kind/kind.go` of the validator). Nothing is ever fetched.

use super::schema_groups::skipped;
use crate::dialect::Dialect;
use crate::json;
use crate::value::{Data, Value, print};
use boon::{
    CompileError, Compiler, ErrorKind, InstanceLocation, SchemaIndex, Schemas, UrlLoader, ValidationError,
};
use serde_json::{Map as JsonMap, Number, Value as Json};
use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;

/// The address under which Helm registers the schema.
const ADDRESS: &str = "file:///values.schema.json";

/// What others know better.
pub struct Faults {
    /// What Go's regexp finds wrong with an expression.
    pub pattern: fn(&str) -> Option<String>,
}

impl Faults {
    fn tell(&self, error: &ValidationError<'_, '_>) -> String {
        let mut tale = Tale {
            faults: self,
            out: String::new(),
        };
        tale.tell(error, None, 0);
        tale.out
    }
}

/// The schema is read from a stream, which has other words for an early end.
fn of_stream(error: String) -> String {
    match error.as_str() {
        "unexpected end of JSON input" => "unexpected EOF".to_owned(),
        _ => error,
    }
}

/// What is wrong with an address, in the validator's words (`format.go`).
fn ipv4_fault(text: &str) -> Option<String> {
    let groups: Vec<&str> = text.split('.').collect();
    if groups.len() != 4 {
        return Some("expected four decimals".to_owned());
    }
    groups.iter().find_map(|group| {
        if group.len() > 1 && group.starts_with('0') {
            return Some("leading zeros".to_owned());
        }
        match group.parse::<i64>() {
            Ok(number) if (0..=255).contains(&number) => None,
            Ok(_) => Some("decimal must be between 0 and 255".to_owned()),
            Err(_) => Some(format!(
                "strconv.Atoi: parsing {}: invalid syntax",
                crate::value::quote::quote_str(group.as_bytes())
            )),
        }
    })
}

/// A schema ready for values, or why it is none.
pub struct Compiled {
    /// Warnings about references that are not followed; Helm prints them for every check.
    warnings: Vec<String>,
    outcome: Result<(Schemas, SchemaIndex), String>,
}

impl Compiled {
    /// Reads and compiles a schema.
    pub fn of(schema: &[u8], dialect: Dialect, faults: &Faults) -> Compiled {
        let mut warnings = Vec::new();
        let outcome = compile(schema, dialect, faults, &mut warnings);
        Compiled { warnings, outcome }
    }

    /// Checks values against the schema; its warnings go to `warnings`.
    ///
    /// # Errors
    /// Helm's message for a schema that is none, or for values that it refuses.
    pub fn validate(
        &self,
        values: &Value,
        faults: &Faults,
        warnings: &mut Vec<String>,
    ) -> Result<(), String> {
        warnings.extend(self.warnings.iter().cloned());
        let (schemas, index) = self.outcome.as_ref().map_err(String::clone)?;
        let values = to_json(values);
        schemas.validate(&values, *index).map_err(|error| {
            let text = faults.tell(&error);
            let head = format!("jsonschema validation failed with '{ADDRESS}#'\n");
            format!("{}\n", text.strip_prefix(&head).unwrap_or(&text))
        })
    }
}

fn compile(
    schema: &[u8],
    dialect: Dialect,
    faults: &Faults,
    warnings: &mut Vec<String>,
) -> Result<(Schemas, SchemaIndex), String> {
    json::read(schema, json::Engine::of(dialect)).map_err(of_stream)?;
    let schema: Json = serde_json::from_slice(schema).map_err(|error| error.to_string())?;
    let unresolved = Rc::new(RefCell::new(Vec::new()));
    let mut compiler = Compiler::new();
    compiler.use_loader(Box::new(Loader {
        dialect,
        unresolved: Rc::clone(&unresolved),
    }));
    compiler
        .add_resource(ADDRESS, schema)
        .map_err(|error| compile_message(&error, faults))?;
    let mut schemas = Schemas::new();
    let compiled = compiler.compile(ADDRESS, &mut schemas);
    for urn in unresolved.borrow().iter() {
        warnings.push(format!(
            "level=WARN msg=\"unresolved URN reference ignored; using permissive schema\" urn={urn}"
        ));
    }
    let index = compiled.map_err(|error| compile_message(&error, faults))?;
    Ok((schemas, index))
}

/// Answers references that leave the schema: all of them in vain, as without network and files.
struct Loader {
    dialect: Dialect,
    unresolved: Rc<RefCell<Vec<String>>>,
}

impl UrlLoader for Loader {
    fn load(&self, url: &str) -> Result<Json, Box<dyn Error>> {
        if let Some(rest) = url.strip_prefix("file://") {
            // Go's FileLoader takes the path and forgets the host.
            let path = &rest[rest.find('/').unwrap_or(rest.len())..];
            return Err(format!("open {path}: no such file or directory").into());
        }
        if url.starts_with("http://") || url.starts_with("https://") {
            return Err(format!("HTTP request failed for {url}: evenkeel fetches nothing").into());
        }
        if url.starts_with("urn:") && self.dialect.is_v4() {
            self.unresolved.borrow_mut().push(url.to_owned());
            return Ok(Json::Bool(true));
        }
        Err(format!("no URLLoader registered for {url:?}").into())
    }
}

fn compile_message(error: &CompileError, faults: &Faults) -> String {
    match error {
        CompileError::LoadUrlError { url, src } => format!("failing loading {url:?}: {src}"),
        CompileError::JsonPointerNotFound(url) => format!("json-pointer in {url:?} not found"),
        CompileError::ValidationError { url, src } => {
            let text = faults.tell(src);
            format!("{url:?} is not valid against metaschema: {text}")
        }
        other => other.to_string(),
    }
}

/// Values as JSON; whole numbers are integers whatever Go type they have.
fn to_json(value: &Value) -> Json {
    const MOST_EXACT: f64 = 9_007_199_254_740_992.0;
    match &value.data {
        Data::Bool(truth) => Json::Bool(*truth),
        Data::Int(_, number) => Json::from(*number),
        Data::Float(number) if number.fract() == 0.0 && number.abs() < MOST_EXACT => {
            Json::from(*number as i64)
        }
        Data::Float(number) => Number::from_f64(*number).map_or(Json::Null, Json::Number),
        Data::Str(text) => Json::String(text.lossy().into_owned()),
        Data::List(list) => Json::Array(list.items().iter().map(to_json).collect()),
        Data::Map(map) => {
            let entries = map.entries();
            let entries = entries
                .iter()
                .map(|(key, value)| (key.lossy().into_owned(), to_json(value)));
            Json::Object(entries.collect::<JsonMap<_, _>>())
        }
        _ => Json::Null,
    }
}

/// The error and its causes, one per line (`ValidationError.display`).
struct Tale<'a> {
    faults: &'a Faults,
    out: String,
}

impl Tale<'_> {
    /// Tells an error that the schema at `from` led to.
    fn tell(&mut self, error: &ValidationError<'_, '_>, from: Option<&str>, mut indent: usize) {
        for group in from.map_or_else(Vec::new, |from| skipped(from, error.schema_url)) {
            let tokens = &error.instance_location.tokens;
            let above = InstanceLocation {
                tokens: tokens[..tokens.len().saturating_sub(group.below)].to_vec(),
            };
            self.line(indent, Some(&above.to_string()), group.words);
            indent += 1;
        }
        let is_passed = error.causes.len() == 1 && matches!(error.kind, ErrorKind::Reference { .. });
        let mut below = indent;
        if !is_passed {
            let location = error.instance_location.to_string();
            let is_root = matches!(error.kind, ErrorKind::Schema { .. });
            self.line(
                indent,
                (!is_root).then_some(&*location),
                &message(&error.kind, self.faults),
            );
            below += 1;
        }
        for cause in &error.causes {
            let branch = match &error.kind {
                ErrorKind::Schema { url } | ErrorKind::Reference { url, .. } => Some((*url).to_owned()),
                ErrorKind::AllOf => branch(error.schema_url, "allOf", cause.schema_url),
                ErrorKind::AnyOf => branch(error.schema_url, "anyOf", cause.schema_url),
                ErrorKind::OneOf(_) => branch(error.schema_url, "oneOf", cause.schema_url),
                _ => Some(error.schema_url.to_owned()),
            };
            self.tell(cause, branch.as_deref(), below);
        }
    }

    fn line(&mut self, indent: usize, location: Option<&str>, words: &str) {
        if indent > 0 {
            self.out.push('\n');
            self.out.push_str(&"  ".repeat(indent - 1));
            self.out.push_str("- ");
        }
        if let Some(location) = location {
            self.out.push_str(&format!("at {}: ", quoted(location)));
        }
        self.out.push_str(words);
    }
}

/// The branch of a combinator that a cause lies in.
fn branch(schema: &str, keyword: &str, cause: &str) -> Option<String> {
    let head = format!("{schema}/{keyword}/");
    let rest = cause.strip_prefix(&head)?;
    let number = rest.split('/').next().unwrap_or_default();
    Some(format!("{head}{number}"))
}

/// The validator's words.
fn message(kind: &ErrorKind<'_, '_>, faults: &Faults) -> String {
    let plural = |names: &[&str]| match names {
        [name] => format!("missing property {}", quoted(name)),
        names => format!("missing properties {}", joined(names)),
    };
    match kind {
        ErrorKind::Group | ErrorKind::Reference { .. } => "validation failed".to_owned(),
        ErrorKind::Schema { url } => format!("jsonschema validation failed with {}", quoted(url)),
        ErrorKind::PropertyName { prop } => format!("invalid propertyName {}", quoted(prop)),
        ErrorKind::FalseSchema => "false schema".to_owned(),
        ErrorKind::Type { got, want } => {
            let want: Vec<String> = want.iter().map(|kind| kind.to_string()).collect();
            format!("got {got}, want {}", want.join(" or "))
        }
        ErrorKind::Enum { want } => match want.as_slice() {
            [one] if is_scalar(one) => format!("value must be {}", shown(one)),
            many if many.iter().all(is_scalar) => {
                let many: Vec<String> = many.iter().map(shown).collect();
                format!("value must be one of {}", many.join(", "))
            }
            _ => "'enum' failed".to_owned(),
        },
        ErrorKind::Const { want } if is_scalar(want) => format!("value must be {}", shown(want)),
        ErrorKind::Const { .. } => "'const' failed".to_owned(),
        ErrorKind::Format { got, want, err } => {
            let text = got.as_str().unwrap_or_default();
            let fault = match *want {
                "ipv4" => ipv4_fault(text),
                "regex" => (faults.pattern)(text),
                _ => None,
            };
            let fault = fault.unwrap_or_else(|| err.to_string());
            format!("{} is not valid {want}: {fault}", shown(got))
        }
        ErrorKind::MinProperties { got, want } => format!("minProperties: got {got}, want {want}"),
        ErrorKind::MaxProperties { got, want } => format!("maxProperties: got {got}, want {want}"),
        ErrorKind::AdditionalProperties { got } => {
            let names: Vec<&str> = got.iter().map(|name| &**name).collect();
            format!("additional properties {} not allowed", joined(&names))
        }
        ErrorKind::Required { want } => plural(want),
        ErrorKind::Dependency { prop, missing } | ErrorKind::DependentRequired { prop, missing } => {
            format!(
                "properties {} required, if {} exists",
                joined(missing),
                quoted(prop)
            )
        }
        ErrorKind::MinItems { got, want } => format!("minItems: got {got}, want {want}"),
        ErrorKind::MaxItems { got, want } => format!("maxItems: got {got}, want {want}"),
        ErrorKind::Contains => "no items match contains schema".to_owned(),
        ErrorKind::UniqueItems { got: [first, second] } => format!("items at {first} and {second} are equal"),
        ErrorKind::AdditionalItems { got } => format!("last {got} additionalItem(s) not allowed"),
        ErrorKind::MinLength { got, want } => format!("minLength: got {got}, want {want}"),
        ErrorKind::MaxLength { got, want } => format!("maxLength: got {got}, want {want}"),
        ErrorKind::Pattern { got, want } => {
            format!("{} does not match pattern {}", quoted(got), quoted(want))
        }
        ErrorKind::Minimum { got, want } => bound("minimum", got, want),
        ErrorKind::Maximum { got, want } => bound("maximum", got, want),
        ErrorKind::ExclusiveMinimum { got, want } => bound("exclusiveMinimum", got, want),
        ErrorKind::ExclusiveMaximum { got, want } => bound("exclusiveMaximum", got, want),
        ErrorKind::MultipleOf { got, want } => bound("multipleOf", got, want),
        ErrorKind::Not => "'not' failed".to_owned(),
        ErrorKind::AllOf => "'allOf' failed".to_owned(),
        ErrorKind::AnyOf => "'anyOf' failed".to_owned(),
        ErrorKind::OneOf(None) => "'oneOf' failed, none matched".to_owned(),
        ErrorKind::OneOf(Some((first, second))) => {
            format!("'oneOf' failed, subschemas {first}, {second} matched")
        }
        other => other.to_string(),
    }
}

fn bound(name: &str, got: &Number, want: &Number) -> String {
    let printed = |number: &Number| {
        let number = Value::float(number.as_f64().unwrap_or(f64::NAN));
        String::from_utf8_lossy(&print::to_bytes(&number, Dialect::NEWEST)).into_owned()
    };
    format!("{name}: got {}, want {}", printed(got), printed(want))
}

fn is_scalar(value: &Json) -> bool {
    !value.is_array() && !value.is_object()
}

fn shown(value: &Json) -> String {
    match value {
        Json::String(text) => quoted(text),
        Json::Null => "<nil>".to_owned(),
        Json::Array(_) | Json::Object(_) => "value".to_owned(),
        scalar => scalar.to_string(),
    }
}

/// Go's `%q` with the quotes made single.
fn quoted(text: &str) -> String {
    let quoted = crate::value::quote::quote_str(text.as_bytes());
    let inner = &quoted[1..quoted.len() - 1];
    format!("'{}'", inner.replace("\\\"", "\"").replace('\'', "\\'"))
}

fn joined(names: &[&str]) -> String {
    names
        .iter()
        .map(|name| quoted(name))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::convert::from_node;

    fn check(schema: &str, values: &str) -> Result<(), String> {
        let values = from_node(&crate::yaml::parse_first(values.as_bytes()).expect("YAML").node);
        let faults = Faults { pattern: |_| None };
        Compiled::of(schema.as_bytes(), Dialect::V4_3, &faults).validate(&values, &faults, &mut Vec::new())
    }

    #[test]
    fn warnings_are_told_for_every_check() {
        let faults = Faults { pattern: |_| None };
        let schema = br#"{"properties": {"a": {"$ref": "urn:example:x"}}}"#;
        let compiled = Compiled::of(schema, Dialect::V4_3, &faults);
        for _ in 0..2 {
            let mut warnings = Vec::new();
            assert_eq!(
                compiled.validate(&Value::default(), &faults, &mut warnings),
                Ok(())
            );
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            assert!(warnings[0].ends_with("urn=urn:example:x"));
        }
        let none = Compiled::of(br#"{"$ref": "urn:example:x"}"#, Dialect::V3_19, &faults);
        let told = |_: usize| none.validate(&Value::default(), &faults, &mut Vec::new());
        assert!(told(0).is_err());
        assert_eq!(told(0), told(1));
    }

    #[test]
    fn whole_floats_are_integers_and_others_are_not() {
        let schema = r#"{"properties": {"a": {"type": "integer"}}}"#;
        assert_eq!(check(schema, "a: 1.0"), Ok(()));
        assert!(check(schema, "a: 1.5").is_err());
    }

    #[test]
    fn nothing_is_fetched_or_read() {
        for reference in ["https://example.invalid/a.json", "../a.json"] {
            let schema = format!(r#"{{"$ref": "{reference}"}}"#);
            assert!(check(&schema, "a: 1").unwrap_err().starts_with("failing loading"));
        }
    }
}
