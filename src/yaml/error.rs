//! Why a text could not be read, in the words of go-yaml and sigs.k8s.io/yaml.

use std::fmt;

use super::node::Mark;

/// An error of reading YAML. It prints as Go's library prints it, with go-yaml's line numbers, which are
/// one too low for parser errors and missing on the first line; `mark` is the true position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    text: String,
    mark: Option<Mark>,
    stage: Stage,
}

/// Which step of `sigs.k8s.io/yaml` failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// YAML to JSON text.
    Conversion,
    /// JSON text to data.
    Unmarshalling,
}

impl YamlError {
    /// An error go-yaml raises without a position.
    pub(super) fn plain(text: impl Into<String>, mark: Option<Mark>) -> YamlError {
        YamlError {
            text: text.into(),
            mark,
            stage: Stage::Conversion,
        }
    }

    /// An error the JSON decoder behind the conversion raises.
    pub(super) fn json(text: impl Into<String>, mark: Option<Mark>) -> YamlError {
        YamlError {
            text: text.into(),
            mark,
            stage: Stage::Unmarshalling,
        }
    }

    /// A `yaml: ` error that go-yaml raises without a line.
    pub(super) fn yaml(problem: impl fmt::Display, mark: Option<Mark>) -> YamlError {
        YamlError::plain(format!("yaml: {problem}"), mark)
    }

    /// A `yaml: line N: ` error; `line` is go-yaml's own count, 0 when it prints none.
    pub(super) fn at_line(problem: &str, line: u32, mark: Mark) -> YamlError {
        let text = if line == 0 {
            format!("yaml: {problem}")
        } else {
            format!("yaml: line {line}: {problem}")
        };
        YamlError::plain(text, Some(mark))
    }

    /// Where the problem really is, when it has a position.
    pub fn mark(&self) -> Option<Mark> {
        self.mark
    }

    /// The text as `sigs.k8s.io/yaml` wraps it in `Unmarshal`, which is what Helm shows.
    pub fn wrapped(&self) -> String {
        match self.stage {
            Stage::Conversion => format!("error converting YAML to JSON: {}", self.text),
            Stage::Unmarshalling => format!("error unmarshaling JSON: while decoding JSON: {}", self.text),
        }
    }
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for YamlError {}
