//! Helm's warnings while values are layered, with the log prefix of each dialect: Helm 3 logs the source
//! line of the call, Helm 4 a level.

use crate::dialect::Dialect;

/// Collects warnings in the order in which they arise.
pub struct Warnings {
    dialect: Dialect,
    lines: Vec<String>,
}

impl Warnings {
    /// No warnings yet.
    pub fn new(dialect: Dialect) -> Warnings {
        Warnings {
            dialect,
            lines: Vec::new(),
        }
    }

    /// A warning of `coalesce.go`; `line` is the line of the call in Helm 3.19.0.
    pub fn coalesce(&mut self, line: u32, text: &str) {
        self.lines.push(match self.dialect {
            Dialect::V3_19 => format!("coalesce.go:{line}: {text}"),
            Dialect::V4_3 => format!("level=INFO msg={}", log_value(text)),
        });
    }

    /// A warning of `dependencies.go` with a text of its own in each dialect.
    pub fn dependencies(&mut self, line: u32, v3: &str, v4: &str) {
        self.lines.push(match self.dialect {
            Dialect::V3_19 => format!("dependencies.go:{line}: Warning: {v3}"),
            Dialect::V4_3 => format!("level=WARN {v4}"),
        });
    }

    /// All warnings, one per line.
    pub fn into_lines(self) -> Vec<String> {
        self.lines
    }
}

/// A value as Go's `slog` text handler writes it: quoted where it holds blanks, quotes, `=` or unprintables
/// (`log/slog/text_handler.go`, `needsQuoting`).
pub fn log_value(text: &str) -> String {
    let plain = |c: char| c > ' ' && c != '"' && c != '=' && !c.is_control();
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        crate::value::quote::quote_str(text.as_bytes())
    }
}
