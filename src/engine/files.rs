//! `.Files`: the chart's files that are neither templates nor subcharts (`pkg/engine/files.go`).

use super::go_glob::GoGlob;
use crate::chart::Chart;
use crate::dialect::Dialect;
use crate::value::convert::base64;
use crate::value::object::{Object, ObjectKind, Param, Signature};
use crate::value::{Data, ElemType, List, Map, MapType, Text, Value};
use crate::yaml::{Flavor, to_yaml};
use std::sync::Arc;

/// The named map type `engine.files`.
pub struct Files {
    dialect: Dialect,
    chart: Arc<Chart>,
    /// Positions of its files in the chart, by name; of two files with one name the last.
    kept: Vec<usize>,
}

impl Files {
    /// The files of a chart.
    pub fn of(chart: &Arc<Chart>, dialect: Dialect) -> Value {
        let name = |at: &usize| chart.files[*at].name.as_str();
        let mut kept: Vec<usize> = (0..chart.files.len()).rev().collect();
        kept.sort_by(|a, b| name(a).cmp(name(b)));
        kept.dedup_by(|a, b| name(a) == name(b));
        Value::object(Files {
            dialect,
            chart: Arc::clone(chart),
            kept,
        })
    }

    fn name(&self, at: usize) -> &str {
        &self.chart.files[at].name
    }

    fn text(&self, at: usize) -> Text {
        Text::new(&*self.chart.files[at].data)
    }

    fn find(&self, name: &str) -> Option<usize> {
        let found = self.kept.binary_search_by(|at| self.name(*at).cmp(name));
        found.ok().map(|position| self.kept[position])
    }

    fn bytes(&self, name: &str) -> Text {
        self.find(name).map_or_else(Text::default, |at| self.text(at))
    }

    fn lines(&self, name: &str) -> Result<Value, String> {
        let text = self.bytes(name);
        let bytes = text.bytes();
        if bytes.is_empty() {
            if self.dialect.is_v4() || self.find(name).is_none() {
                return Ok(List::typed(ElemType::Str, Vec::new()).into());
            }
            return Err("runtime error: index out of range [-1]".to_owned());
        }
        let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let lines = body
            .split(|byte| *byte == b'\n')
            .map(|line| Value::str(line.to_vec()));
        Ok(List::typed(ElemType::Str, lines.collect::<Vec<_>>()).into())
    }

    /// An invalid pattern matches everything.
    fn glob(&self, pattern: &str) -> Value {
        let glob = GoGlob::compile(pattern).ok();
        let fits = |at: &usize| glob.as_ref().is_none_or(|glob| glob.matches(self.name(*at)));
        Value::object(Files {
            dialect: self.dialect,
            chart: Arc::clone(&self.chart),
            kept: self.kept.iter().copied().filter(fits).collect(),
        })
    }

    /// Base name to text, as YAML. Of two files with one base name Helm takes a random one, we the last by path.
    fn by_base_name(&self, text: impl Fn(&[u8]) -> Text) -> Value {
        let entries = self.kept.iter().map(|at| {
            let base = self.name(*at).rsplit('/').next().unwrap_or_default();
            (Text::from(base), Value::from(text(&self.chart.files[*at].data)))
        });
        let map = Value::from(Map::from_entries(MapType::Str, entries));
        let mut yaml = to_yaml(&map, Flavor::Plain).unwrap_or_default();
        if yaml.ends_with(b"\n") {
            yaml.pop();
        }
        Value::str(yaml)
    }
}

impl Object for Files {
    fn type_name(&self) -> &str {
        "engine.files"
    }

    fn kind(&self) -> ObjectKind {
        ObjectKind::Map
    }

    fn field(&self, name: &str) -> Option<Value> {
        self.find(name).map(|at| Value::new(Data::Bytes(self.text(at))))
    }

    fn has_method(&self, name: &str) -> bool {
        self.method(name).is_some()
    }

    fn method(&self, name: &str) -> Option<Signature> {
        let params: &[Param] = match name {
            "AsConfig" | "AsSecrets" => &[],
            "Get" | "GetBytes" | "Glob" | "Lines" => &[Param::Str],
            _ => return None,
        };
        Some(Signature {
            params,
            variadic: false,
        })
    }

    fn call_method(&self, name: &str, args: &[Value]) -> Result<Value, String> {
        let argument = match args {
            [
                Value {
                    data: Data::Str(text),
                    ..
                },
            ] => text.lossy(),
            _ => "".into(),
        };
        match name {
            "AsConfig" => Ok(self.by_base_name(|bytes| Text::new(bytes))),
            "AsSecrets" => Ok(self.by_base_name(|bytes| base64(bytes).into())),
            "Get" => Ok(Value::from(self.bytes(&argument))),
            "GetBytes" => Ok(Value::new(Data::Bytes(self.bytes(&argument)))),
            "Glob" => Ok(self.glob(&argument)),
            _ => self.lines(&argument),
        }
    }

    fn fields(&self) -> Vec<(String, Value)> {
        let entry = |at: &usize| (self.name(*at).to_owned(), Value::new(Data::Bytes(self.text(*at))));
        self.kept.iter().map(entry).collect()
    }

    fn to_json(&self) -> Value {
        let entries = self.kept.iter().map(|at| {
            (
                Text::from(self.name(*at)),
                Value::new(Data::Bytes(self.text(*at))),
            )
        });
        Map::from_entries(MapType::Any, entries).into()
    }

    fn count(&self) -> Option<usize> {
        Some(self.kept.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{ChartFile, Metadata};

    fn files(names: &[(&str, &str)], dialect: Dialect) -> Value {
        let files = names.iter().map(|(name, data)| ChartFile {
            name: (*name).to_owned(),
            data: data.as_bytes().into(),
        });
        let chart = Chart {
            metadata: Metadata::default(),
            values: None,
            schema: None,
            templates: Vec::new(),
            files: files.collect(),
            dependencies: Vec::new(),
            location: String::new(),
            warnings: Vec::new(),
        };
        Files::of(&Arc::new(chart), dialect)
    }

    fn call(files: &Value, method: &str, argument: &str) -> Value {
        let Data::Object(object) = &files.data else {
            panic!("an object")
        };
        object
            .call_method(method, &[Value::from(argument)])
            .expect("an answer")
    }

    fn text(value: &Value) -> String {
        match &value.data {
            Data::Str(text) => text.lossy().into_owned(),
            _ => panic!("a string"),
        }
    }

    #[test]
    fn the_last_of_two_files_with_one_name_counts() {
        let files = files(&[("b", "1"), ("a", "2"), ("b", "3")], Dialect::V4_3);
        assert_eq!(text(&call(&files, "Get", "b")), "3");
        assert_eq!(text(&call(&files, "Get", "./b")), "");
        let Data::Object(object) = &files.data else {
            panic!("an object")
        };
        assert_eq!(object.count(), Some(2));
    }

    #[test]
    fn configs_go_by_base_name() {
        let files = files(&[("d/x.txt", "1\n2"), ("e/y", "")], Dialect::V4_3);
        let found = call(&files, "Glob", "d/*");
        assert_eq!(text(&call(&found, "AsConfig", "")), "x.txt: |-\n  1\n  2");
        assert_eq!(text(&call(&files, "AsSecrets", "")), "x.txt: MQoy\n\"y\": \"\"");
    }
}
