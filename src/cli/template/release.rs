//! The name of the release and the chart among the arguments (`Install.NameAndChart`).

use super::flags::Request;
use crate::dialect::Dialect;
use crate::engine::ambient::Live;
use crate::funcs;
use crate::funcs::helm::{MESSAGE_END, MESSAGE_START};
use crate::template::{Executor, FuncTable, Limits, Options, SetBuilder};
use crate::value::{MarkTable, Value};
use std::sync::Arc;

/// Functions that are Helm's and not sprig's: the template of a name has none of them.
const HELM_ONLY: [&str; 17] = [
    "fromJsonArray",
    "fromToml",
    "fromYaml",
    "fromYamlArray",
    "include",
    "lookup",
    "mustToToml",
    "mustToYaml",
    "required",
    "toToml",
    "toYaml",
    "toYamlPretty",
    "tpl",
    "mustToDuration",
    "durationSeconds",
    "durationRoundTo",
    "durationTruncateTo",
];

/// The release name and the chart.
pub(super) fn name_and_chart(request: &Request, dialect: Dialect) -> Result<(String, String), String> {
    let arguments = &request.arguments;
    match arguments.as_slice() {
        [name, chart] => {
            let also = |flag: &str| Err(format!("cannot set {flag} and also specify a name"));
            if request.generate_name {
                return also("--generate-name");
            }
            if !request.name_template.is_empty() {
                return also("--name-template");
            }
            Ok((name.clone(), chart.clone()))
        }
        [chart] if !request.name_template.is_empty() => {
            Ok((from_template(&request.name_template, dialect)?, chart.clone()))
        }
        // `helm template` has this name ready and never comes to make one up, whatever --generate-name says.
        [chart] => Ok(("release-name".to_owned(), chart.clone())),
        [_, _, rest @ ..] => Err(format!(
            "expected at most two arguments, unexpected arguments: {}",
            rest.join(", ")
        )),
        [] => Err(
            "\"helm template\" requires at least 1 argument\n\nUsage:  helm template [NAME] [CHART] [flags]"
                .to_owned(),
        ),
    }
}

/// `--name-template`: a template with sprig's functions, without data.
fn from_template(source: &str, dialect: Dialect) -> Result<String, String> {
    const NAME: &str = "name-template";
    let sprig = funcs::table(dialect)
        .iter()
        .filter(|named| !HELM_ONLY.contains(&named.0));
    let limits = Limits::default();
    let mut builder = SetBuilder::new(Arc::new(FuncTable::new(sprig.copied())), limits.stack);
    builder
        .add(NAME, source.as_bytes())
        .map_err(|error| error.to_string())?;
    let set = builder.finish();
    let options = Options {
        dialect,
        trace: false,
        limits,
    };
    let mut ambient = Live::default();
    let mut executor = Executor::new(&set, &mut ambient, MarkTable::new(), options);
    let text = executor.execute(NAME, Value::INVALID).map_err(|chain| {
        // Only Helm's own `fail` marks its message.
        chain
            .go_text()
            .replace(MESSAGE_START, "")
            .replace(MESSAGE_END, "")
    })?;
    Ok(text.lossy().into_owned())
}
