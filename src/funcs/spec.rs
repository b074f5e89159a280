//! The row of a template function: the function itself, its other names and the dialects that have it.

use crate::dialect::Dialect;
use crate::template::{Call, CallError, Effect, Func, Param};
use crate::value::Value;

/// The body of a template function.
pub type Body = fn(&mut Call<'_>) -> Result<Value, CallError>;

/// What a body gives.
pub(super) type Answer = Result<Value, CallError>;

/// One row of a family's table.
pub struct FuncSpec {
    /// The function under its first name.
    pub func: Func,
    /// Other names of the very same function.
    pub aliases: &'static [&'static str],
    /// The dialects that have it.
    pub dialects: &'static [Dialect],
}

impl FuncSpec {
    /// A pure function with a fixed number of parameters, known to every dialect.
    pub(super) const fn new(name: &'static str, params: &'static [Param], body: Body) -> FuncSpec {
        FuncSpec {
            func: Func {
                name,
                params,
                variadic: false,
                effect: Effect::Pure,
                body,
            },
            aliases: &[],
            dialects: &Dialect::ALL,
        }
    }

    /// The last parameter takes any number of arguments.
    pub(super) const fn variadic(mut self) -> FuncSpec {
        self.func.variadic = true;
        self
    }

    /// The answer depends on more than the arguments.
    pub(super) const fn effect(mut self, effect: Effect) -> FuncSpec {
        self.func.effect = effect;
        self
    }

    /// The same function under other names.
    pub(super) const fn also(mut self, aliases: &'static [&'static str]) -> FuncSpec {
        self.aliases = aliases;
        self
    }

    /// Only these dialects have it.
    pub(super) const fn only(mut self, dialects: &'static [Dialect]) -> FuncSpec {
        self.dialects = dialects;
        self
    }
}
