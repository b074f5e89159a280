//! The functions a template set can call, resolved by name while parsing.

use super::builtins;
use super::func::Func;

/// A function under one of its names.
pub type NamedFunc = (&'static str, &'static Func);

/// Functions that the executor itself treats apart, as Go does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    No,
    /// Stops at the first false argument.
    And,
    /// Stops at the first true argument.
    Or,
    /// Is told the text of its first argument.
    Call,
}

/// One function as the executor calls it.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub name: &'static str,
    pub func: &'static Func,
    pub special: Special,
}

/// Functions by name. The built-in ones of text/template are always there; a row of the same name replaces
/// one.
pub struct FuncTable {
    rows: Vec<Row>,
    values_methods: Vec<NamedFunc>,
}

impl FuncTable {
    /// A table of the built-in functions and these; of rows with one name the last wins.
    pub fn new(rows: impl IntoIterator<Item = NamedFunc>) -> FuncTable {
        let mut all: Vec<Row> = builtins::ROWS
            .iter()
            .map(|func| Row {
                name: func.name,
                func,
                special: special(func.name),
            })
            .collect();
        all.extend(rows.into_iter().map(|(name, func)| Row {
            name,
            func,
            special: Special::No,
        }));
        all.reverse();
        all.sort_by_key(|row| row.name);
        all.dedup_by_key(|row| row.name);
        FuncTable {
            rows: all,
            values_methods: Vec::new(),
        }
    }

    /// Adds the methods of the named map type `Values`; their first parameter is the receiver.
    #[must_use]
    pub fn with_values_methods(mut self, rows: impl IntoIterator<Item = NamedFunc>) -> FuncTable {
        self.values_methods = rows.into_iter().collect();
        self
    }

    /// The number of a function.
    pub(super) fn find(&self, name: &[u8]) -> Option<u32> {
        self.rows
            .binary_search_by(|row| row.name.as_bytes().cmp(name))
            .ok()
            .and_then(|at| u32::try_from(at).ok())
    }

    /// A function by its number.
    pub(super) fn row(&self, number: u32) -> Row {
        self.rows[number as usize]
    }

    /// A method of the map type `Values`.
    pub(super) fn values_method(&self, name: &[u8]) -> Option<NamedFunc> {
        self.values_methods
            .iter()
            .copied()
            .find(|row| row.0.as_bytes() == name)
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.rows.iter().map(|row| row.name)
    }
}

fn special(name: &str) -> Special {
    match name {
        "and" => Special::And,
        "or" => Special::Or,
        "call" => Special::Call,
        _ => Special::No,
    }
}
