//! Go text/template; has never heard of Helm.

pub mod ambient;
mod builtins;
mod call;
mod duration;
pub mod error;
mod escape;
mod eval;
pub mod exec;
mod flow;
pub mod func;
mod host;
mod lex;
mod number;
mod output;
pub mod parse;
mod parse_pipe;
mod range;
mod scope;
pub mod set;
mod stack;
pub mod table;
pub mod trace;
pub mod tree;
mod walk;

pub use ambient::AmbientSource;
pub use error::{ErrorChain, ErrorLink};
pub use exec::{Executor, Limits, Options};
pub use func::{Call, CallError, Effect, Func, Host, Param};
pub use parse::{ParseError, parse};
pub use set::{SetBuilder, TemplateSet};
pub use table::{FuncTable, NamedFunc};
pub use trace::Trace;
pub use tree::Unit;

#[cfg(test)]
mod tests;
