//! Go's data model, with the history of every value.
//!
//! A `Value` lives on the thread of its cell (maps are shared and mutable, as in Go) and never leaves it.
//! This room knows how Go prints, compares and judges values; it knows no template and no Helm.

pub mod cmp;
pub mod convert;
pub mod copy;
pub mod data;
pub mod depth;
pub mod effort;
pub mod float;
mod format;
pub mod list;
pub mod map;
pub mod marks;
pub mod number;
pub mod object;
pub mod print;
mod printf;
pub mod quote;
mod release;
pub mod rune;
pub mod text;
pub mod truth;
pub mod types;

pub use data::{Data, IntKind, UintKind, Value};
pub use list::{ElemType, List};
pub use map::{Map, MapType};
pub use marks::{Ambient, AmbientKind, Mark, MarkTable, Marks, Origin};
pub use object::{Object, ObjectKind, Param, Signature};
pub use text::{Span, Text, TextBuilder};
