//! Just enough of Go templates to read the vectors of YAML and JSON; what it does not know it leaves out.

use std::collections::BTreeMap;

use super::value::Value;
use crate::json::{Engine, Layout, read, read_list, read_map, to_json};
use crate::yaml::{Flavor, to_yaml, unmarshal_list, unmarshal_map};

/// Why a template gave no text.
pub(super) enum Stop {
    /// It uses something not known here.
    Unknown,
    /// A function failed, with Go's text.
    Failed(String),
}

type Run<T> = Result<T, Stop>;

/// Renders a template of plain text and simple pipelines.
pub(super) fn render(template: &str, values: &Value, engine: Engine) -> Run<Vec<u8>> {
    let mut out = Vec::new();
    let mut rest = template;
    while let Some(open) = rest.find("{{") {
        out.extend_from_slice(&rest.as_bytes()[..open]);
        let close = rest[open..].find("}}").ok_or(Stop::Unknown)? + open;
        let mut parser = Parser {
            tokens: tokens(&rest[open + 2..close])?,
            at: 0,
            values,
            engine,
        };
        let value = parser.pipeline()?;
        if parser.at != parser.tokens.len() {
            return Err(Stop::Unknown);
        }
        print(&mut out, &value)?;
        rest = &rest[close + 2..];
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}

fn print(out: &mut Vec<u8>, value: &Value) -> Run<()> {
    match value {
        Value::Str(text) => out.extend_from_slice(text),
        Value::Int(value) => out.extend_from_slice(value.to_string().as_bytes()),
        Value::Bool(value) => out.extend_from_slice(value.to_string().as_bytes()),
        _ => return Err(Stop::Unknown),
    }
    Ok(())
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Open,
    Close,
    Pipe,
    Word(String),
    Text(String),
}

fn tokens(text: &str) -> Run<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' | '|' => {
                found.push(match first {
                    '(' => Token::Open,
                    ')' => Token::Close,
                    _ => Token::Pipe,
                });
                1
            }
            '"' => {
                let mut escaped = false;
                let end = rest[1..]
                    .find(|character| {
                        let end = character == '"' && !escaped;
                        escaped = character == '\\' && !escaped;
                        end
                    })
                    .ok_or(Stop::Unknown)?;
                let literal: String = serde_json::from_str(&rest[..end + 2]).map_err(|_| Stop::Unknown)?;
                found.push(Token::Text(literal));
                end + 2
            }
            _ => {
                let end = rest.find([' ', '(', ')', '|', '"']).unwrap_or(rest.len());
                found.push(Token::Word(rest[..end].to_owned()));
                end
            }
        };
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    values: &'a Value,
    engine: Engine,
}

impl Parser<'_> {
    fn pipeline(&mut self) -> Run<Value> {
        let mut value = self.command(None)?;
        while self.tokens.get(self.at) == Some(&Token::Pipe) {
            self.at += 1;
            value = self.command(Some(value))?;
        }
        Ok(value)
    }

    fn command(&mut self, piped: Option<Value>) -> Run<Value> {
        let name = match self.tokens.get(self.at) {
            Some(Token::Word(word)) if is_function(word) => {
                self.at += 1;
                word.clone()
            }
            _ if piped.is_none() => return self.operand(),
            _ => return Err(Stop::Unknown),
        };
        let mut arguments = Vec::new();
        while !matches!(self.tokens.get(self.at), None | Some(Token::Pipe | Token::Close)) {
            arguments.push(self.operand()?);
        }
        arguments.extend(piped);
        call(&name, &arguments, self.engine)
    }

    fn operand(&mut self) -> Run<Value> {
        let token = self.tokens.get(self.at).cloned().ok_or(Stop::Unknown)?;
        self.at += 1;
        match token {
            Token::Text(text) => Ok(Value::text(&text)),
            Token::Open => {
                let value = self.pipeline()?;
                if self.tokens.get(self.at) != Some(&Token::Close) {
                    return Err(Stop::Unknown);
                }
                self.at += 1;
                // A field of what is in parentheses.
                match self.tokens.get(self.at) {
                    Some(Token::Word(word)) if word.starts_with('.') => {
                        let path = word[1..].to_owned();
                        self.at += 1;
                        field(&value, &path)
                    }
                    _ => Ok(value),
                }
            }
            Token::Word(word) => self.word(&word),
            _ => Err(Stop::Unknown),
        }
    }

    fn word(&self, word: &str) -> Run<Value> {
        if word == ".Values" {
            return Ok(self.values.clone());
        }
        if let Some(path) = word.strip_prefix(".Values.") {
            return field(self.values, path);
        }
        if let Ok(value) = word.parse::<i64>() {
            return Ok(Value::Int(value));
        }
        if let (Ok(value), true) = (word.parse::<f64>(), word.as_bytes()[0].is_ascii_digit()) {
            return Ok(Value::Float(value));
        }
        match word {
            "nil" => Ok(Value::Nil),
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => Err(Stop::Unknown),
        }
    }
}

fn field(value: &Value, path: &str) -> Run<Value> {
    let mut value = value;
    for step in path.split('.') {
        match value {
            Value::Map(entries) => match entries.get(step.as_bytes()) {
                Some(inner) => value = inner,
                None => return Ok(Value::Nil),
            },
            _ => return Err(Stop::Unknown),
        }
    }
    Ok(value.clone())
}

const FUNCTIONS: [&str; 21] = [
    "b64dec",
    "dict",
    "fromJson",
    "fromJsonArray",
    "fromYaml",
    "fromYamlArray",
    "hasKey",
    "indent",
    "index",
    "len",
    "list",
    "mustFromJson",
    "mustToJson",
    "mustToYaml",
    "nindent",
    "repeat",
    "toJson",
    "toPrettyJson",
    "toRawJson",
    "toYaml",
    "toYamlPretty",
];

fn is_function(word: &str) -> bool {
    FUNCTIONS.contains(&word)
}

fn string(value: &Value) -> Run<&[u8]> {
    match value {
        Value::Str(text) => Ok(text),
        _ => Err(Stop::Unknown),
    }
}

fn yaml(value: &Value, flavor: Flavor) -> Result<Value, String> {
    let mut text = to_yaml(value, flavor).map_err(|error| error.to_string())?;
    if text.last() == Some(&b'\n') {
        text.pop();
    }
    Ok(Value::Str(text))
}

fn json(value: &Value, escape_html: bool, indent: bool, engine: Engine) -> Result<Value, String> {
    let layout = Layout {
        escape_html,
        indent,
        engine,
    };
    to_json(value, layout)
        .map(Value::Str)
        .map_err(|error| error.to_string())
}

/// What was read, with Go's complaint added as Helm adds it.
fn with_error(mut map: BTreeMap<Vec<u8>, Value>, error: Option<String>) -> Value {
    if let Some(error) = error {
        map.insert(b"Error".to_vec(), Value::text(&error));
    }
    Value::Map(map)
}

fn from_yaml(text: &[u8]) -> Value {
    match unmarshal_map(text) {
        Ok(parsed) if parsed.node.is_null() => Value::Map(BTreeMap::new()),
        Ok(parsed) => Value::of_node(&parsed.node),
        Err(error) => with_error(BTreeMap::new(), Some(error)),
    }
}

fn from_json(text: &[u8], engine: Engine) -> Value {
    match read_map(text, engine) {
        Ok(read) => match Value::of_node(&read.node) {
            Value::Map(map) => with_error(map, read.error),
            other => other,
        },
        Err(error) => with_error(BTreeMap::new(), Some(error)),
    }
}

fn from_list(read: Result<Value, String>) -> Value {
    read.unwrap_or_else(|error| Value::List(vec![Value::text(&error)]))
}

fn call(name: &str, arguments: &[Value], engine: Engine) -> Run<Value> {
    let swallow = |result: Result<Value, String>| Ok(result.unwrap_or_else(|_| Value::text("")));
    match (name, arguments) {
        ("toYaml", [value]) => swallow(yaml(value, Flavor::Plain)),
        // Helm 3 does not have it.
        ("mustToYaml", _) if engine == Engine::Classic => Err(Stop::Unknown),
        ("mustToYaml", [value]) => yaml(value, Flavor::Plain).map_err(Stop::Failed),
        ("toYamlPretty", [value]) => swallow(yaml(value, Flavor::Pretty)),
        ("toJson", [value]) => swallow(json(value, true, false, engine)),
        ("mustToJson", [value]) => json(value, true, false, engine).map_err(Stop::Failed),
        ("toPrettyJson", [value]) => swallow(json(value, true, true, engine)),
        ("toRawJson", [value]) => swallow(json(value, false, false, engine)),
        ("fromYaml", [text]) => Ok(from_yaml(string(text)?)),
        ("fromYamlArray", [text]) => Ok(from_list(unmarshal_list(string(text)?).map(|parsed| {
            if parsed.node.is_null() {
                Value::List(Vec::new())
            } else {
                Value::of_node(&parsed.node)
            }
        }))),
        ("fromJson", [text]) => Ok(from_json(string(text)?, engine)),
        ("fromJsonArray", [text]) => {
            Ok(from_list(read_list(string(text)?, engine).and_then(
                |read| match read.error {
                    Some(error) => Err(error),
                    None => Ok(Value::of_node(&read.node)),
                },
            )))
        }
        ("mustFromJson", [text]) => match read(string(text)?, engine) {
            Ok(read) => match read.error {
                Some(error) => Err(Stop::Failed(error)),
                None => Ok(Value::of_node(&read.node)),
            },
            Err(error) => Err(Stop::Failed(error)),
        },
        ("dict", pairs) if pairs.len() % 2 == 0 => {
            let mut map = BTreeMap::new();
            for pair in pairs.chunks(2) {
                map.insert(string(&pair[0])?.to_vec(), pair[1].clone());
            }
            Ok(Value::Map(map))
        }
        ("list", items) => Ok(Value::List(items.to_vec())),
        ("index", [Value::List(items), Value::Int(at)]) => {
            let at = usize::try_from(*at).map_err(|_| Stop::Unknown)?;
            items.get(at).cloned().ok_or(Stop::Unknown)
        }
        ("hasKey", [Value::Map(map), key]) => Ok(Value::Bool(map.contains_key(string(key)?))),
        ("repeat", [Value::Int(count), text]) => Ok(Value::Str(
            string(text)?.repeat(usize::try_from(*count).unwrap_or(0)),
        )),
        ("len", [text]) => Ok(Value::Int(i64::try_from(string(text)?.len()).unwrap_or(0))),
        ("indent", [Value::Int(width), text]) => Ok(indented(*width, string(text)?, "")),
        ("nindent", [Value::Int(width), text]) => Ok(indented(*width, string(text)?, "\n")),
        ("b64dec", [text]) => match string(text)? {
            b"/w==" => Ok(Value::Str(vec![0xFF])),
            b"/2Fi" => Ok(Value::Str(vec![0xFF, b'a', b'b'])),
            _ => Err(Stop::Unknown),
        },
        _ => Err(Stop::Unknown),
    }
}

fn indented(width: i64, text: &[u8], lead: &str) -> Value {
    let pad = " ".repeat(usize::try_from(width).unwrap_or(0));
    let mut out = lead.as_bytes().to_vec();
    for (at, line) in text.split(|&byte| byte == b'\n').enumerate() {
        if at > 0 {
            out.push(b'\n');
        }
        out.extend_from_slice(pad.as_bytes());
        out.extend_from_slice(line);
    }
    Value::Str(out)
}
