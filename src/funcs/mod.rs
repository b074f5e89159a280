//! The functions templates call, one file per family.
//!
//! A family's table stands at the top of its file and the row of a function directly above the function;
//! a new function needs nothing else. The functions of `text/template` itself live in the room `template`.
//!
//! What becomes of marks: a function that picks a value gives it with its own marks. A function that puts a
//! text together keeps the history of the pieces as spans. Everything else leaves its result unmarked, and
//! whoever executes gives it the marks of the arguments.

mod cases;
mod certs;
mod convert;
mod crypto;
mod data;
mod dates;
mod decimals;
mod defaults;
mod der;
mod dicts;
mod durations;
mod encoding;
mod go_layout;
mod go_parse;
mod go_time;
pub mod helm;
mod ip_literal;
mod keys;
mod known_keys;
mod limits;
mod lists;
mod math;
mod memo;
mod merge;
pub(crate) mod moment;
mod paths;
mod pieces;
mod pretty;
mod random;
mod re2;
mod re2_class;
mod regex;
mod rsa_key;
mod runes;
mod semver;
mod show;
mod spec;
mod split;
mod strings;
mod time_object;
mod toml;
mod types;
mod urls;
pub mod values;
mod words;
mod wrap;
mod zones;

pub use re2::pattern_fault;
pub use spec::{Body, FuncSpec};

use crate::dialect::Dialect;
use crate::template::Func;
use std::sync::OnceLock;

/// Every family, by name.
static FAMILIES: &[(&str, &[FuncSpec])] = &[
    ("cases", cases::ROWS),
    ("certs", certs::ROWS),
    ("convert", convert::ROWS),
    ("crypto", crypto::ROWS),
    ("data", data::ROWS),
    ("dates", dates::ROWS),
    ("decimals", decimals::ROWS),
    ("defaults", defaults::ROWS),
    ("dicts", dicts::ROWS),
    ("durations", durations::ROWS),
    ("encoding", encoding::ROWS),
    ("helm", helm::ROWS),
    ("lists", lists::ROWS),
    ("math", math::ROWS),
    ("merge", merge::ROWS),
    ("paths", paths::ROWS),
    ("random", random::ROWS),
    ("regex", regex::ROWS),
    ("semver", semver::ROWS),
    ("show", show::ROWS),
    ("split", split::ROWS),
    ("strings", strings::ROWS),
    ("toml", toml::ROWS),
    ("types", types::ROWS),
    ("urls", urls::ROWS),
    ("wrap", wrap::ROWS),
];

/// A function under one of its names.
pub type Named = (&'static str, &'static Func);

/// The functions a dialect has, sorted by name.
pub fn table(dialect: Dialect) -> &'static [Named] {
    static TABLES: [OnceLock<Vec<Named>>; Dialect::ALL.len()] = [OnceLock::new(), OnceLock::new()];
    let slot = match dialect {
        Dialect::V3_19 => &TABLES[0],
        Dialect::V4_3 => &TABLES[1],
    };
    slot.get_or_init(|| {
        let rows = FAMILIES.iter().flat_map(|family| family.1);
        let mut table: Vec<Named> = rows
            .filter(|row| row.dialects.contains(&dialect))
            .flat_map(|row| {
                let names = std::iter::once(row.func.name).chain(row.aliases.iter().copied());
                names.map(move |name| (name, &row.func))
            })
            .collect();
        table.sort_unstable_by_key(|named| named.0);
        table
    })
}

/// The function a dialect knows by this name.
pub fn find(dialect: Dialect, name: &str) -> Option<Named> {
    let table = table(dialect);
    let at = table.binary_search_by_key(&name, |named| named.0).ok()?;
    Some(table[at])
}

#[cfg(test)]
mod tests;
